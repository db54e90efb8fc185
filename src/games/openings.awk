# Reads what `quadrille analyse --multipv N` prints, and prints each position with every move that is
# at most WORSE centipawns worse than the best one.
{
  split($0, text, "\"")
  for (i = 1; text[i] != "variant"; i++);
  position = text[i + 2] " " text[i + 6]
  count = split($0, move, /[{]"score": /)
  for (i = 2; i <= count; i++) {
    if (!match(move[i], /"cp": -?[0-9]+/)) continue
    score = substr(move[i], RSTART + 6, RLENGTH - 6) + 0
    if (i == 2) best = score
    if (score < best - worse) continue
    sub(/.*"pv": \["/, "", move[i])
    sub(/".*/, "", move[i])
    print position " moves " move[i]
  }
}
