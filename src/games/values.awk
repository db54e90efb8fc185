# Reads the tables of odds matches in README.md. Prints for each game the values of the pieces in Elo
# that fit all its matches best (weighted least squares), and the match that fits worst.
BEGIN { FS = " *[|] *" }

/ ± / && NF == 6 {
  split($5, elo, " ± ")
  more[++rows] = $2
  less[rows] = $3
  gain[rows] = elo[1]
  error[rows] = elo[2]
  if (!($2 in value)) order[++pieces] = $2
  value[$2] = value[$3] = 0
}

# The end of a table: each piece takes the mean of what its matches say, until nothing changes.
rows && !/^[|]/ {
  for (round = 0; round < 10000; round++)
    for (piece in value) {
      sum = weight = 0
      for (i = 1; i <= rows; i++) {
        if (more[i] == piece) sum += (value[less[i]] + gain[i]) / error[i] ^ 2
        if (less[i] == piece) sum += (value[more[i]] - gain[i]) / error[i] ^ 2
        if (more[i] == piece || less[i] == piece) weight += 1 / error[i] ^ 2
      }
      if (piece != "nothing") value[piece] = sum / weight
    }
  for (i = 1; i <= pieces; i++) printf "%s %.0f, ", order[i], value[order[i]]
  worst = 0
  for (i = 1; i <= rows; i++) {
    misfit = (gain[i] - value[more[i]] + value[less[i]]) / error[i]
    if (misfit * misfit > worst * worst) {
      worst = misfit
      row = more[i] " for " less[i]
    }
  }
  printf "worst %s, by %.1f errors\n", row, worst
  rows = pieces = 0
  split("", value)
}
