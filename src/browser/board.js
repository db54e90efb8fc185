// The board: what it shows, and what the mouse and the keys do on it.

// The square of the lifted piece, the square of the cursor, and the drag: where it began, and its piece.
let lifted = null, cursor = null, drag = null;

const targets = () => (lifted && canMove() ? (here().effects ?? []).filter(({ from }) => from === lifted) : []);
const manAt = (square) => pieces(here().fen).get(square);

const KINDS = { promotes: "promotes", brings: "brings in a piece", changes: "changes", captures: "captures", "": "moves" };

// The classes of a target.
const kinds = (each) => [
  ...(isPromotion(each) ? ["promotes"] : each.brings ? ["brings"] : each.becomes ? ["changes"] : []),
  ...(each.captures ? ["captures"] : []),
];

// The squares that a check is about: the kings of the side to move, or all its pieces.
function attacked(ply) {
  const own = [...pieces(ply.fen)].filter(([, letter]) => sideOf(letter) === toMove(ply));
  const kings = own.filter(([, letter]) => letter.toUpperCase() === "K");
  return (kings.length > 0 ? kings : own).map(([square]) => square);
}

function marks() {
  const ply = here();
  const marks = ply.move ? squares(ply.move).map((square) => [square, "last"]) : [];
  if (ply.check) marks.push(...attacked(ply).map((square) => [square, "check"]));
  if (lifted) marks.push([lifted, "lifted"]);
  const seen = new Set();
  for (const each of targets()) {
    if (!seen.has(each.to)) marks.push([each.to, ["target", ...kinds(each)].join(" ")]);
    seen.add(each.to);
  }
  if (cursor) marks.push([cursor, "cursor"]);
  return marks;
}

function arrows() {
  const arrows = [];
  if (isFound())
    found.lines.forEach((line, rank) => arrows.push([line.moves[0], Math.max(2, 6 - 1.5 * rank)]));
  if (hint?.ply === here()) arrows.push([hint.move, 6]);
  return arrows;
}

function showBoard() {
  const fen = setUp ? setUpFen() : here().fen;
  drawBoard(set(), flipped, fen, setUp ? (cursor ? [[cursor, "cursor"]] : []) : marks(), setUp ? [] : arrows());
  part("board").setAttribute("aria-label", describe());
  if (drag?.moved) showDrag();
  const used = new Set(targets().map((each) => kinds(each)[0] ?? ""));
  part("legend").replaceChildren();
  for (const [kind, text] of Object.entries(KINDS).filter(([kind]) => used.has(kind))) {
    const sample = document.createElementNS("http://www.w3.org/2000/svg", "svg");
    sample.innerHTML = `<rect class="target ${kind}" width="100%" height="100%"/>`;
    part("legend").append(sample, text);
  }
}

// A square at a point of the page.
function squareAt(event) {
  const board = part("board");
  const point = new DOMPoint(event.clientX, event.clientY).matrixTransform(board.getScreenCTM().inverse());
  const { left, top, cell, files, ranks } = set();
  const [x, y] = [Math.floor((point.x - left) / cell), Math.floor((point.y - top) / cell)];
  if (x < 0 || y < 0 || x >= files || y >= ranks) return [null, point];
  const [column, row] = flipped ? [files - 1 - x, ranks - 1 - y] : [x, y];
  return [squareName(column, row), point];
}

function lift(square) {
  lifted = square;
  drag = null;
}

// A square is pressed: a lifted piece goes there, or the piece there is lifted. True if one was lifted.
function press(square) {
  const chosen = targets().filter(({ to }) => to === square);
  if (chosen.length > 0) {
    choose(chosen);
    return false;
  }
  const letter = square && manAt(square);
  const wasLifted = lifted === square;
  lift(letter && !wasLifted && canMove() && sideOf(letter) === toMove(here()) ? square : null);
  if (lifted) say(`${nameOf(letter)} ${square}: ${targets().map(({ to }) => to).join(", ") || "no moves"}`);
  showBoard();
  return lifted !== null;
}

// Plays the only move, or the one that the person chooses.
async function choose(moves) {
  const move = moves.length === 1 ? moves[0] : await promotion(moves);
  const error = move ? await play(move.move) : null;
  lift(null);
  if (error) refuse(error);
  else showBoard();
}

// A picture of a piece on a button.
function pieceButton(letter, action) {
  const button = element("button", "");
  button.type = "button";
  button.dataset.letter = letter;
  button.setAttribute("aria-label", nameOf(letter));
  button.title = nameOf(letter);
  button.innerHTML = `<svg viewBox="0 0 ${set().cell} ${set().cell}">${set().men[letter]}</svg>`;
  button.onclick = action;
  return button;
}

function promotion(moves) {
  const dialog = part("promotion");
  return new Promise((resolve) => {
    const side = toMove(here());
    dialog.replaceChildren(...moves.map((each) => {
      const letter = side === "w" ? each.becomes : each.becomes.toLowerCase();
      return pieceButton(letter, () => { resolve(each); dialog.close(); });
    }));
    dialog.onclose = () => resolve(null);
    dialog.showModal();
  });
}

function showDrag() {
  const { cell } = set();
  drag.man.setAttribute("transform", `translate(${drag.x - cell / 2} ${drag.y - cell / 2})`);
  drag.man.setAttribute("pointer-events", "none");
}

part("board").onpointerdown = (event) => {
  if (event.button !== 0) return;
  const [square, { x, y }] = squareAt(event);
  cursor = null;
  if (setUp) return putDown(square);
  const wasLifted = lifted === square;
  if (wasLifted) drag = { square, x, y, was: true };
  else if (press(square)) drag = { square, x, y };
  if (drag) part("board").setPointerCapture(event.pointerId);
};
part("board").onpointermove = (event) => {
  if (!drag) return;
  const [, { x, y }] = squareAt(event);
  if (!drag.moved && Math.hypot(x - drag.x, y - drag.y) < 6) return;
  if (!drag.moved) {
    const [left, top] = corner(set(), flipped, ...columnAndRow(set(), drag.square));
    drag.man = part("board").querySelector(`[data-man][transform="translate(${left} ${top})"]`);
    part("board").append(drag.man);
  }
  Object.assign(drag, { x, y, moved: true });
  showDrag();
};
part("board").onpointerup = (event) => {
  if (!drag) return;
  const { moved, was, square: from } = drag;
  drag = null;
  const [square] = squareAt(event);
  if (moved && square !== from) {
    const chosen = targets().filter(({ to }) => to === square);
    if (chosen.length > 0) return choose(chosen);
  }
  if (moved || was) lift(null);
  showBoard();
};
part("board").onpointercancel = () => {
  lift(null);
  showBoard();
};

part("board").onkeydown = (event) => {
  const steps = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] };
  const step = steps[event.key];
  if (step) {
    const [column, row] = cursor ? columnAndRow(set(), cursor) : [Math.floor(set().files / 2), Math.floor(set().ranks / 2)];
    const sign = flipped ? -1 : 1;
    const [x, y] = cursor ? [column + sign * step[0], row + sign * step[1]] : [column, row];
    if (x >= 0 && y >= 0 && x < set().files && y < set().ranks) cursor = squareName(x, y);
    const letter = setUp ? setUp.get(cursor) : manAt(cursor);
    say(`${cursor} ${letter ? nameOf(letter) : "empty"}`);
  } else if ((event.key === "Enter" || event.key === " ") && cursor) {
    if (setUp) putDown(cursor);
    else press(cursor);
  } else if (event.key === "Escape") lift((cursor = null));
  else return;
  event.preventDefault();
  event.stopPropagation();
  showBoard();
};
part("board").onblur = () => {
  if (cursor === null) return;
  cursor = null;
  showBoard();
};
