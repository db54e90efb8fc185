// Takes nothing; gives `part`, `click`, `clickAndPlay`, `fields`, `moveNumber`, `put`, `element`, `tokens`, `men`, `corner`,
// `squares`, `columnAndRow`, `colourOf`, `boardSvg`, `strips`, `drawBoard` and `numberedLine`.
const part = (name) => document.getElementById(name);
const click = (name, action) => { part(name).onclick = action; };
// Lets buttons act; who came by keys plays with them then.
const clickAndPlay = (actions) => Object.entries(actions).forEach(([name, action]) => click(name, ({ target, detail }) => {
  action(target);
  if (detail === 0) part("board").focus();
}));

const fields = (fen) => fen.split(" ");
const moveNumber = (fen) => fields(fen)[5] + (fields(fen)[1] === "w" ? "." : "...");

// Writes a text where another one stands.
const put = (to, text) => { if (to.textContent !== text) to.textContent = text; };

function element(name, text, className) {
  const made = document.createElement(name);
  made.textContent = text;
  if (className) made.className = className;
  return made;
}

// The tokens of a FEN's board with their columns and rows, seen by White.
function* tokens(fen) {
  for (const [row, text] of fields(fen)[0].split("/").entries()) {
    let column = 0;
    for (const [token] of text.matchAll(/\d+|./g)) {
      yield [token, column, row];
      column += Number(token) || 1;
    }
  }
}
// Those of the pieces.
const men = (fen) => [...tokens(fen)].filter(([token]) => !/[\d*]/.test(token));

// The upper left corner of a square.
function corner(set, flipped, column, row) {
  const [x, y] = flipped ? [set.files - 1 - column, set.ranks - 1 - row] : [column, row];
  return [x * set.cell, y * set.cell];
}

// The squares of a board, and their coordinates: a rank's in its first square, a file's in its lowest.
function ground(set, flipped) {
  const { files, ranks, cell, wing, height } = set;
  const holes = [...tokens(set.start)].filter(([token]) => token === "*").map((each) => each.slice(1).join());
  let [light, dark, labels] = ["", "", {}];
  for (let y = 0; y < ranks; y++) {
    for (let x = files - 1; x >= 0; x--) {
      const [column, row] = flipped ? [files - 1 - x, ranks - 1 - y] : [x, y];
      if (holes.includes(`${column},${row}`)) continue;
      // Light squares lie under the dark ones, so that nothing shines through between them.
      const square = `M${x * cell} ${y * cell}h${cell}v${cell}h-${cell}z`;
      light += square;
      dark += (column + ranks - row) % 2 === 1 ? square : "";
      labels[row] = `<text class="label" x="${x * cell + 2}" y="${y * cell + 9}">${ranks - row}</text>`;
      const letter = String.fromCharCode(97 + column);
      const [right, bottom] = [(x + 1) * cell - 2, (y + 1) * cell - 3];
      labels[letter] = `<text class="label" text-anchor="end" x="${right}" y="${bottom}">${letter}</text>`;
    }
  }
  const middle = (flipped ? files - wing : wing) * cell;
  const line = wing ? `<path stroke="var(--page)" stroke-width="3" d="M${middle} 0V${height}"/>` : "";
  // The gap between the wings stays above all marks.
  return [`<path class="light" d="${light}"/><path class="dark" d="${dark}"/>`, line + Object.values(labels).join("")];
}

// The names of a move's two squares.
const squares = (move) => /^([a-z]\d+)([a-z]\d+)?/.exec(move).slice(1);
// The column and the row of a square, seen by White.
const columnAndRow = (set, name) => [name.charCodeAt(0) - 97, set.ranks - Number(name.slice(1))];

// The colour of a target is that of its first effect.
const colourOf = (kind) => `color="var(--${kind.split(" ")[1] || "lifted"})"`;

// A picture of a position. `marks` are squares with their classes, `arrows` moves with their widths and classes;
// an arrow without a target is a circle, and a badge has a sign instead of a width. Arrows of the engine lie under the
// pieces, badges and drawn ones above.
function picture(set, flipped, fen, marks, arrows) {
  set.grounds ??= [ground(set, false), ground(set, true)];
  const [empty, labels] = set.grounds[Number(flipped)];
  const taken = new Set([...men(fen)].map(([, column, row]) => `${column} ${row}`)), { cell } = set;
  let svg = empty;
  for (const [name, kind] of marks) {
    const at = columnAndRow(set, name), [x, y] = corner(set, flipped, ...at), isRing = taken.has(at.join(" "));
    // A target is a dot, and a ring around a piece.
    svg += kind.startsWith("target")
      ? `<circle class="${kind}${isRing ? " ring" : ""}" ${colourOf(kind)} cx="${x + cell / 2}" cy="${y + cell / 2}"
        r="${cell * (isRing ? .44 : .16)}"/>`
      : `<rect class="${kind}" x="${x}" y="${y}" width="${cell}" height="${cell}"/>`;
  }
  svg += labels;
  const isTaken = (move) => taken.has(columnAndRow(set, squares(move)[1] ?? "").join(" "));
  const drawn = (isAbove) => arrows.filter(([, , kind]) => isAbove === /^(drawn|badge)/.test(kind))
    .map(([move, width, kind = "arrow"]) => arrow(set, flipped, move, width, kind, !isAbove && isTaken(move))).join("");
  svg += drawn(false);
  for (const [letter, column, row] of men(fen)) {
    const [x, y] = corner(set, flipped, column, row);
    const title = `<title>${set.names[letter.toUpperCase()]}</title>`;
    svg += `<g data-man="${letter}" transform="translate(${x} ${y})">${title}${set.men[letter]}</g>`;
  }
  return svg + drawn(true);
}

// The same as an element of HTML.
const boardSvg = (set, flipped, fen, marks, arrows = []) =>
  `<svg aria-hidden="true" viewBox="0 0 ${set.width} ${set.height}">${picture(set, flipped, fen, marks, arrows)}</svg>`;

// The players' strips above and below the board, with their sides.
const strips = (flipped) => [[part("above"), flipped ? "w" : "b"], [part("below"), flipped ? "b" : "w"]];

// Draws a position on the board, whose form the style sheet has to know.
function drawBoard(set, flipped, fen, marks, arrows) {
  part("board").setAttribute("viewBox", `0 0 ${set.width} ${set.height}`);
  part("board").innerHTML = picture(set, flipped, fen, marks, arrows);
  part("board").dataset.turn = fields(fen)[1];
  for (const [strip, side] of strips(flipped)) strip.classList.toggle("white", side === "w");
  part("board").classList.toggle("cross", set.start.includes("*"));
  for (const name of ["width", "height"]) part("play").style.setProperty(`--${name}`, set[name]);
}

// An arrow from the middle of one square to the middle of another, or to the foot of the piece that stands there.
function arrow(set, flipped, move, width, kind, isTaken) {
  const [[x1, y1], [x2, y2]] = squares(move).map((name) =>
    corner(set, flipped, ...columnAndRow(set, name ?? squares(move)[0])).map((n) => n + set.cell / 2));
  const length = Math.hypot(x2 - x1, y2 - y1);
  if (kind.startsWith("badge"))
    return `<g class="${kind}" transform="translate(${Math.min(x1 + set.cell / 2, set.width - 9)} ${
      Math.max(y1 - set.cell / 2, 9)})"><circle r="8"/>
      <text text-anchor="middle" y="4">${width}</text></g>`;
  if (length === 0)
    return `<circle class="${kind}" cx="${x1}" cy="${y1}" r="${set.cell / 2 - 3}" fill="none" stroke-width="4"/>`;
  const [dx, dy] = [(x2 - x1) / length, (y2 - y1) / length];
  const short = isTaken ? set.cell / 4 : 0;
  const [tipX, tipY, x, y] = [x2 - short * dx, y2 - short * dy, x2 - (short + 13) * dx, y2 - (short + 13) * dy];
  return `<g class="${kind}"><line x1="${x1}" y1="${y1}" x2="${x}" y2="${y}" stroke-width="${width}"/>
    <path stroke="none" d="M${tipX} ${tipY}L${x - 8 * dy} ${y + 8 * dx}L${x + 8 * dy} ${y - 8 * dx}Z"/></g>`;
}

// Moves with their numbers, from a position on.
function numberedLine(fen, moves) {
  const [, side, , , , first] = fields(fen);
  const start = Number(first) * 2 + Number(side === "b");
  return moves
    .map((move, at) => {
      const [whole, isBlack] = [Math.floor((start + at) / 2), (start + at) % 2 === 1];
      return isBlack ? (at === 0 ? `${whole}... ${move}` : move) : `${whole}. ${move}`;
    })
    .join(" ");
}

