// words.js: what the page says, in a person's words.
// Takes picture, state and the data of the page; gives `SIDES`, `nameOfGame`, `KINDS_OF_SLIPS`, `sentence`, `noticeOf`,
// `counted`, `say`, `nameOf`, `sideOf`, `squareName`, `plainFen`, `pieces` and `endInWords`.
const SIDES = { w: "White", b: "Black" };

// What is no game of ours keeps its name.
const nameOfGame = (variant) =>
  (Object.hasOwn(help, variant) ? help[variant].rules.split("\n")[0].replace(/ Chess$/, "") : variant);

const REASONS = {
  "checkmate": "checkmate", "kings-captured": "capture of the last king", "kings-mated": "mate of all kings",
  "no-moves": "leaving no legal move", "no-pieces": "capture of the last piece", "stalemate": "stalemate",
  "repetition": "the third occurrence of the position", "clock": "50 moves without progress",
  "material": "too few pieces to win", "time forfeit": "time",
};

const KINDS_OF_SLIPS = { "??": "a blunder", "?": "a mistake", "?!": "an inaccuracy" };

// A fault as a sentence, without the words of the protocol.
function sentence({ message }) {
  const said = message.replace(/^FEN, (placement: )?/, "").replace(/ in \S+\/\S+( \S+){5}$/, "");
  return said.charAt(0).toUpperCase() + said.slice(1) + (/[.?…]$/.test(said) ? "" : ".");
}
// Why there is no engine: what the server said, if it said anything; it refuses a page too many with 503.
function noticeOf(reason) {
  if (reason?.status === 503) return `${sentence(reason)} This page then works.`;
  const then = "the game then continues here too.";
  if (window.engineInside) return reason || "The engine has stopped. Load this page again.";
  if (reason) return `Quadrille was started again. Open the address that it printed: ${then}`;
  return `The connection to Quadrille is lost. Start \`quadrille board\` again, and open its address: ${then}`;
}

const counted = (count, noun) => `${count} ${noun}${count === 1 ? "" : "s"}`;
const say = (text) => { part("spoken").textContent = text; };
const nameOf = (letter) => `${SIDES[sideOf(letter)].toLowerCase()} ${gameSet().names[letter.toUpperCase()]}`;
const sideOf = (letter) => (letter === letter.toUpperCase() ? "w" : "b");
const squareName = (column, row) => String.fromCharCode(97 + column) + (gameSet().ranks - row);

// A FEN as people paste one: with other white space, in lines, behind a word.
const plainFen = (text) =>
  text.trim().replace(/^(position\s+)?fen\b[\s:=]*/i, "").replace(/\s+/g, " ").replace(/ ?\/ ?/g, "/");

// The letters of the pieces by their squares.
const pieces = (fen) => new Map([...men(fen)].map(([letter, column, row]) => [squareName(column, row), letter]));

function endInWords(over) {
  if (!over) return "";
  const reason = Object.hasOwn(REASONS, over.reason) ? REASONS[over.reason] : over.reason;
  return `${over.winner ? `${SIDES[over.winner]} wins` : "Draw"}${reason && ` by ${reason}`}`;
}
