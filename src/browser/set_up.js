// The set-up of a position.

// The position that is being set up, as the letters by squares, and the letter to be put down.
let setUp = null;

function setUpFen() {
  const { files, ranks } = set();
  const holes = cells(set().start);
  const rows = [];
  for (let row = 0; row < ranks; row++) {
    let [text, empty] = ["", 0];
    for (let column = 0; column < files; column++) {
      const square = squareName(column, row);
      const letter = holes.has(square) ? "*" : setUp.get(square);
      if (!letter) { empty += 1; continue; }
      text += (empty || "") + letter;
      empty = 0;
    }
    rows.push(text + (empty || ""));
  }
  return `${rows.join("/")} ${part("to-move").value} ${setUp.castling} - 0 1`;
}

// The cells of the grid that are no squares.
function cells(fen) {
  const holes = new Set();
  for (const [row, text] of fields(fen)[0].split("/").entries()) {
    let column = 0;
    for (const [token] of text.matchAll(/\d+|./g)) {
      if (token === "*") holes.add(squareName(column, row));
      column += Number(token) || 1;
    }
  }
  return holes;
}

function beginSetUp(fen) {
  setUp = pieces(fen);
  setUp.castling = fields(fen)[2];
  setUp.letter ??= null;
  part("to-move").value = fields(fen)[1];
  const letters = Object.keys(set().men);
  const buttons = [...letters.filter((letter) => sideOf(letter) === "w"), ...letters.filter((letter) => sideOf(letter) === "b")];
  const press = (letter, button) => {
    setUp.letter = letter;
    part("pieces").querySelectorAll("button").forEach((each) => each.setAttribute("aria-pressed", each === button));
  };
  const eraser = element("button", "✕");
  eraser.title = "remove";
  eraser.setAttribute("aria-label", "remove");
  eraser.onclick = () => press(null, eraser);
  part("pieces").replaceChildren(eraser, ...buttons.map((letter) => {
    const button = pieceButton(letter, () => press(letter, button));
    return button;
  }));
  render();
}

function putDown(square) {
  if (!square || cells(set().start).has(square)) return;
  if (setUp.letter && setUp.get(square) !== setUp.letter) setUp.set(square, setUp.letter);
  else setUp.delete(square);
  showBoard();
}

async function endSetUp() {
  const open = () => load(game.variant, setUpFen(), POSITION);
  let error = await open();
  if (error && setUp.castling !== "-") {
    setUp.castling = "-";
    error = await open();
  }
  if (error) return refuse(error);
  takeOver();
}

click("set-up", () => beginSetUp(here().fen));
click("empty", () => { setUp.clear(); showBoard(); });
click("start", () => beginSetUp(set().start));
click("done", async () => { if (await mayLeave()) await endSetUp(); });
click("cancel", () => { setUp = null; render(); });
