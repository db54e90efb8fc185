const part = (name) => document.getElementById(name);
const click = (name, action) => { part(name).onclick = action; };

const fields = (fen) => fen.split(" ");
const number = (fen) => fields(fen)[5] + (fields(fen)[1] === "w" ? "." : "...");

function element(name, text, className) {
  const made = document.createElement(name);
  made.textContent = text;
  if (className) made.className = className;
  return made;
}

// The letters of the pieces with their columns and rows, seen by White.
function* men(fen) {
  for (const [row, text] of fields(fen)[0].split("/").entries()) {
    let column = 0;
    for (const [token] of text.matchAll(/\d+|./g)) {
      if (/\d/.test(token)) column += Number(token);
      else {
        if (token !== "*") yield [token, column, row];
        column += 1;
      }
    }
  }
}

// The upper left corner of a square.
function corner(set, flipped, column, row) {
  const [x, y] = flipped ? [set.files - 1 - column, set.ranks - 1 - row] : [column, row];
  return [set.left + x * set.cell, set.top + y * set.cell];
}

// The names of a move's two squares.
const squares = (move) => /^([a-z]\d+)([a-z]\d+)?/.exec(move).slice(1);
// The column and the row of a square, seen by White.
const columnAndRow = (set, name) => [name.charCodeAt(0) - 97, set.ranks - Number(name.slice(1))];

// A picture of a position. `marks` are squares with their classes, `arrows` moves with their widths and classes;
// an arrow without a target is a circle.
function picture(set, flipped, fen, marks, arrows) {
  const view = Number(flipped);
  let svg = set.boards[view];
  for (const [name, kind] of marks) {
    const [x, y] = corner(set, flipped, ...columnAndRow(set, name));
    svg += `<rect class="${kind}" x="${x}" y="${y}" width="${set.cell}" height="${set.cell}"/>`;
  }
  for (const [letter, column, row] of men(fen)) {
    const [x, y] = corner(set, flipped, column, row);
    svg += `<g data-man="${letter}" transform="translate(${x} ${y})"><title>${set.names[letter.toUpperCase()]}</title>${set.men[letter]}</g>`;
  }
  svg += set.turns[view][Number(fields(fen)[1] === "b")];
  for (const [move, width, kind] of arrows) svg += arrow(set, flipped, move, width, kind ?? "arrow");
  return svg;
}

// Draws a position on the board, whose form the style sheet has to know.
function drawBoard(set, flipped, fen, marks, arrows) {
  part("board").setAttribute("viewBox", `0 0 ${set.width} ${set.height}`);
  part("board").innerHTML = picture(set, flipped, fen, marks, arrows);
  for (const name of ["width", "height"]) part("play").style.setProperty(`--${name}`, set[name]);
}

// An arrow from the middle of one square to the middle of another.
function arrow(set, flipped, move, width, kind) {
  const [[x1, y1], [x2, y2]] = squares(move).map((name) =>
    corner(set, flipped, ...columnAndRow(set, name ?? squares(move)[0])).map((n) => n + set.cell / 2));
  const length = Math.hypot(x2 - x1, y2 - y1);
  if (length === 0)
    return `<circle class="${kind}" cx="${x1}" cy="${y1}" r="${set.cell / 2 - 3}" fill="none" stroke-width="4"/>`;
  const [dx, dy] = [(x2 - x1) / length, (y2 - y1) / length];
  const [x, y] = [x2 - 13 * dx, y2 - 13 * dy];
  return `<g class="${kind}"><line x1="${x1}" y1="${y1}" x2="${x}" y2="${y}" stroke-width="${width}"/>
    <path stroke="none" d="M${x2} ${y2}L${x - 8 * dy} ${y + 8 * dx}L${x + 8 * dy} ${y - 8 * dx}Z"/></g>`;
}

// Moves with their numbers, from a position on.
function line(fen, moves) {
  const [, side, , , , first] = fields(fen);
  const start = Number(first) * 2 + Number(side === "b");
  return moves
    .map((move, at) => {
      const [whole, isBlack] = [Math.floor((start + at) / 2), (start + at) % 2 === 1];
      return isBlack ? (at === 0 ? `${whole}... ${move}` : move) : `${whole}. ${move}`;
    })
    .join(" ");
}

