# Reads what `quadrille replay --fens` prints, and takes one piece off each side in the positions of
# one MOVE of the games. White in odd lines and Black in even ones lacks one of the letters LESS, its
# opponent one of OTHER, or nothing if OTHER is empty. Positions without a king of one side are left out.

function count(letters, board) { return gsub("[" letters "]", "&", board) }

# Empties a square of these letters, at random.
function take(letters, board,    left, i) {
  if (letters == "") return board
  left = 1 + int(rand() * count(letters, board))
  for (i = 1; i <= length(board); i++)
    if (index(letters, substr(board, i, 1)) && --left == 0)
      return substr(board, 1, i - 1) "." substr(board, i + 1)
}

BEGIN { srand(44) }

$7 == move && !seen[$2, $3]++ {
  board = $2
  while (match(board, /[0-9]+/)) {
    dots = sprintf("%" substr(board, RSTART, RLENGTH) "s", "")
    gsub(/ /, ".", dots)
    board = substr(board, 1, RSTART - 1) dots substr(board, RSTART + RLENGTH)
  }
  if (count("A-Z", board) != count("a-z", board) || count("P", board) != count("p", board)) next
  if (lines % 2) board = take(toupper(other), take(tolower(less), board))
  else board = take(tolower(other), take(toupper(less), board))
  if (board == "" || (board ~ /K/) != (board ~ /k/)) next
  while (match(board, /\.+/))
    board = substr(board, 1, RSTART - 1) RLENGTH substr(board, RSTART + RLENGTH)
  print board, $3, "- -"
  lines++
}
