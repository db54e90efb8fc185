# Reads slope.epd. Prints for each number of pieces how many positions were decided, and the quartiles of
# their nodes; then the straight line that fits the logarithms of the nodes best, and where it leads to.
# An undecided position counts as one of more nodes than the limit: maximum likelihood, with logistic
# deviations from the line. `-v by=c0` takes the nodes of alpha-beta.

BEGIN {
  if (by == "") by = "acn"
  limit = log(30000000) / log(10)
}

{
  pieces[NR] = m = gsub(/[A-Za-z]/, "&", $1)
  nodes = $0
  sub(".*" by " \"?", "", nodes)
  open[NR] = by == "acn" ? !/result/ : /undecided/
  value[NR] = open[NR] ? limit : log(nodes < 1 ? 1 : nodes + 0) / log(10)
  decided[m] += !open[NR]
  for (i = ++count[m]; i > 1 && sorted[m, i - 1] > value[NR]; i--) sorted[m, i] = sorted[m, i - 1]
  sorted[m, i] = value[NR]
}

function quartile(m, share,    v) {
  v = sorted[m, int(share * (count[m] - 1) + 1.5)]
  if (v == limit) return "more"
  return sprintf(v < 3 ? "%.0f" : v < 6 ? "%.1f thousand" : "%.1f million", 10 ^ (v - 3 * int(v / 3)))
}

# How likely the nodes are, as a logarithm. The line has 10^AT24 nodes at 24 pieces.
function likelihood(at24, slope, scale,    sum, i, z) {
  for (i = 1; i <= NR; i++) {
    z = (value[i] - at24 - slope * (pieces[i] - 24)) / scale
    sum -= log(1 + exp(z))
    if (!open[i]) sum += z - log(scale) - log(1 + exp(z))
  }
  return sum
}

# The likelihood with the slope and the scale that fit best if the line has 10^AT24 nodes at 24 pieces.
function climb(at24,    best, step, moved, way, l) {
  best = likelihood(at24, slope, scale)
  for (step = 0.1; step > 0.001; step /= moved ? 1 : 2) {
    moved = 0
    for (way = -step; way <= step; way += 2 * step) {
      if ((l = likelihood(at24, slope + way, scale)) > best) { best = l; slope += way; moved = 1 }
      if (scale + way > 0 && (l = likelihood(at24, slope, scale + way)) > best) { best = l; scale += way; moved = 1 }
    }
  }
  return best
}

END {
  for (m = 1; m <= 24; m++)
    if (m in count) {
      printf "%d pieces: %d of %d, ", m, decided[m], count[m]
      print quartile(m, 1 / 4) ", " quartile(m, 1 / 2) ", " quartile(m, 3 / 4)
    }
  slope = scale = 1
  for (at24 = 7; at24 < 16; at24 += 0.02) {
    top[at24] = l = climb(at24)
    if (best == "" || l > best) {
      best = l
      line = sprintf("10^%.1f at 24 pieces, times %.0f for two pieces more", at24, 10 ^ (2 * slope))
      # Half of a logistic distribution is within ln 3 scales of its middle.
      line = line sprintf(", half of the positions within a factor of %.0f of the line", 3 ^ (scale * log(10)))
    }
  }
  # The 95 % interval: at most 1.92 less likely (Wilks 1938).
  for (at24 in top)
    if (top[at24] > best - 1.92) {
      if (low == "" || at24 + 0 < low) low = at24 + 0
      if (at24 + 0 > high) high = at24 + 0
    }
  printf "%s\n95 %% interval at 24 pieces: 10^%.1f to 10^%.1f\n", line, low, high
}
