// targets.js: moves and pieces with their effects, and how the page shows them.
// Takes picture, state and words; gives `targetMarks`, `samples`, `pieceSvg` and `pieceButton`.
const KINDS = {
  promotes: "promotes", brings: "brings in a piece", changes: "changes", captures: "captures", "": "moves",
};

// The targets of a piece as marks of the board, the first effect of each square.
const targetMarks = (effects) =>
  [...new Map([...effects].reverse().map(({ to, kinds }) => [to, ["target", ...kinds].join(" ")]))];

// What the colours of targets mean, as HTML, and beside them that of an attack.
function samples(effects, isAttack = false) {
  const used = new Set(effects.flatMap(({ kinds }) => (kinds.length > 0 ? kinds : [""])));
  const sample = (kind, text) => `<svg><rect class="${kind}" ${colourOf(kind)} width="100%" height="100%"/></svg>${text}`;
  const all = Object.keys(KINDS).filter((kind) => used.has(kind)).map((kind) => sample(`target ${kind}`, KINDS[kind]));
  return [...all, ...(isAttack && all.length > 0 ? [sample("check", "attacked")] : [])].join("");
}

// The picture of a piece, as HTML, and on a button.
const pieceSvg = (letter) => `<svg viewBox="0 0 ${gameSet().cell} ${gameSet().cell}">${gameSet().men[letter]}</svg>`;
function pieceButton(letter, action) {
  const button = Object.assign(element("button", ""), { type: "button", title: nameOf(letter), onclick: action });
  button.dataset.letter = letter;
  button.ariaLabel = nameOf(letter);
  button.innerHTML = pieceSvg(letter);
  return button;
}
