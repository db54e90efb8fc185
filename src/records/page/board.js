const part = (name) => document.getElementById(name);
const click = (name, action) => { part(name).onclick = action; };

// A mistake is red, what is less than one yellow.
const shade = (mark) => (mark === "" ? "" : mark === "?!" ? "slip" : "fault");
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
const squares = (move) => /^([a-z]\d+)([a-z]\d+)/.exec(move).slice(1);
// The column and the row of a square, seen by White.
const columnAndRow = (set, name) => [name.charCodeAt(0) - 97, set.ranks - Number(name.slice(1))];

// Draws a position. `marks` are squares with their classes, `arrows` moves with their widths.
function drawBoard(set, flipped, fen, marks, arrows) {
  const view = Number(flipped);
  let svg = set.boards[view];
  for (const [name, kind] of marks) {
    const [x, y] = corner(set, flipped, ...columnAndRow(set, name));
    svg += `<rect class="${kind}" x="${x}" y="${y}" width="${set.cell}" height="${set.cell}"/>`;
  }
  for (const [letter, column, row] of men(fen)) {
    const [x, y] = corner(set, flipped, column, row);
    svg += `<g data-man="${letter}" transform="translate(${x} ${y})">${set.men[letter]}</g>`;
  }
  svg += set.turns[view][Number(fields(fen)[1] === "b")];
  for (const [move, width] of arrows) svg += arrow(set, flipped, move, width);
  part("board").setAttribute("viewBox", `0 0 ${set.width} ${set.height}`);
  part("board").innerHTML = svg;
}

// An arrow from the middle of one square to the middle of another.
function arrow(set, flipped, move, width) {
  const [[x1, y1], [x2, y2]] = squares(move).map((name) =>
    corner(set, flipped, ...columnAndRow(set, name)).map((n) => n + set.cell / 2));
  const length = Math.hypot(x2 - x1, y2 - y1);
  const [dx, dy] = [(x2 - x1) / length, (y2 - y1) / length];
  const [x, y] = [x2 - 13 * dx, y2 - 13 * dy];
  return `<g class="arrow"><line x1="${x1}" y1="${y1}" x2="${x}" y2="${y}" stroke-width="${width}"/>
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

// Draws the result that White can expect after each move, as far as it is known.
function drawCurve(plies, ply) {
  const last = Math.max(plies.length - 1, 1);
  const x = (at) => ((1000 * at) / last).toFixed(1);
  let known = plies.find(({ white }) => white !== undefined)?.white ?? 0.5;
  const points = plies.map(({ white }, at) => {
    known = white ?? known;
    return `${x(at)} ${(100 - 100 * known).toFixed(1)}`;
  });
  const marks = plies.map((each, at) =>
    each.mark ? `<line class="${shade(each.mark)}" x1="${x(at)}" x2="${x(at)}" y1="92" y2="100"/>` : "");
  part("curve").innerHTML = `<path d="M0 100L${points.join("L")}L${x(plies.length - 1)} 100Z"/>
    <line x1="0" y1="50" x2="1000" y2="50"/>${marks.join("")}
    <line class="here" x1="${x(ply)}" x2="${x(ply)}" y1="0" y2="100"/>`;
}

// The ply at a click on the curve.
function plyAt(event, plies) {
  const box = part("curve").getBoundingClientRect();
  return Math.round(((event.clientX - box.left) / box.width) * (plies.length - 1));
}

// Lists the moves as links.
function listMoves(plies, end, address) {
  part("moves").replaceChildren();
  plies.forEach((each, at) => {
    if (at === 0) return;
    const before = plies[at - 1];
    if (at === 1 || fields(before.fen)[1] === "w")
      part("moves").append(element("span", ` ${number(before.fen)} `, "number"));
    const move = element("a", each.san + each.mark, shade(each.mark));
    move.href = address(at);
    part("moves").append(move, " ");
  });
  part("moves").append(element("p", end, "number"));
}

// Marks a move of the list, and makes it visible.
function markMove(ply) {
  const list = part("moves");
  list.querySelectorAll("a").forEach((move, at) => {
    move.classList.toggle("here", at === ply - 1);
    if (at !== ply - 1) return;
    const [above, below] = [move.offsetTop - list.offsetTop, list.clientHeight];
    if (above < list.scrollTop || above > list.scrollTop + below - 40) list.scrollTop = above - below / 2;
  });
}
