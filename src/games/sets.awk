# Reads what `quadrille replay --fens` prints of games of Cross-Eyed Chess, and counts the games that come to
# each set of four pieces with kings of both sides, the stronger side first.

# The letters of one side, in this order.
function letters(men, order,    text, i, n) {
  for (i = 1; i <= 7; i++)
    for (n = gsub(substr(order, i, 1), "", men); n > 0; n--)
      text = text substr("KRMBNCP", i, 1)
  return text
}

# A number that grows with the strength of a side: more pieces first, then the better ones.
function rank(text,    i, r) {
  for (i = 1; i <= length(text); i++) r = r (8 - index("KRMBNCP", substr(text, i, 1)))
  return length(text) r
}

# The next game.
$7 < last { split("", seen) }

{
  last = $7
  men = $2
  gsub(/[^A-Za-z]/, "", men)
}

length(men) == 4 && men ~ /K/ && men ~ /k/ {
  white = letters(men, "KRMBNCP")
  black = letters(men, "krmbncp")
  set = rank(white) "" >= rank(black) "" ? white tolower(black) : black tolower(white)
  if (!seen[set]++) games[set]++
}

END {
  for (set in games) print games[set], set
}
