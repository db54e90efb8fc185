// best_lines.js: the best lines as rows, which can be pointed at and stepped into, and their arrows on the board.
// Takes tree, picture, moves, state, control, analysis and lessons; gives `bestLines`.
const bestLines = (() => {
  const list = part("best");
  // What the person points at: `{ row, link }`, a move of a line or, without a link, the line; null without a row.
  let pointed = null;
  // The person's wish to see the arrows.
  let hasArrows = true;

  const rankOf = (row) => [...list.children].indexOf(row);

  // The rows and links stay, so that they can be clicked and reached by keys while their texts change.
  function show() {
    const all = analysis.lines();
    while (list.children.length > all.length) list.lastChild.remove();
    all.forEach(({ brief, chances, texts }, rank) => {
      const row = list.children[rank] ?? list.appendChild(newRow());
      const [score, strip, moves] = row.children;
      put(score, brief);
      showChances(strip, chances);
      while (moves.children.length > texts.length) moves.lastChild.remove();
      texts.forEach((text, at) => put(moves.children[at] ?? moves.appendChild(newLink()), text));
    });
    showPreview();
  }

  function newRow() {
    const row = element("li", "");
    row.innerHTML = '<b></b><span class="chances" role="img"><i></i><i></i><i></i></span><span class="moves"></span>';
    return row;
  }
  const newLink = () => Object.assign(element("a", ""), { href: "#best" });

  // Wins of White, draws and wins of Black, as parts of a strip.
  function showChances(strip, chances) {
    chances.forEach((chance, at) => { strip.children[at].style.flexGrow = chance; });
    strip.title = strip.ariaLabel = analysis.inWords(chances);
  }

  // The arrows of the lines, or of the one that is pointed at, thinner and fainter with their rank; without lines that
  // of the better move, where the next one is a slip.
  function arrows() {
    const all = hasArrows ? analysis.lines() : [];
    const next = hasArrows && all.length === 0 && state.mode === "look" && followedOf(state.here);
    const better = next && shade(next) && lessons.betterOf(next);
    if (better) return [[better.move, 5]];
    const rank = pointed ? rankOf(pointed.row) : -1;
    const arrowOf = ({ moves: [move] }, rank) => [move, Math.max(2.5, 6 - 1.5 * rank), rank ? "arrow faint" : "arrow"];
    return all[rank] ? [arrowOf(all[rank], 0)] : all.map(arrowOf).reverse();
  }
  function turnArrows() {
    hasArrows = !hasArrows;
    control.draw();
  }

  // --- Pointing -------------------------------------------------------------------------------------

  function point(target) {
    const [row, link] = [target?.closest?.("#best li"), target?.closest?.("#best a")];
    if (pointed?.row == row && pointed?.link == link) return;
    pointed = row ? { row, link } : null;
    // A row that goes tells it while it is drawn.
    queueMicrotask(control.draw);
  }

  // The line that is pointed at, and its moves up to the one that is.
  function pointedMoves() {
    const line = pointed?.link?.isConnected && analysis.lines()[rankOf(pointed.row)];
    return line ? line.moves.slice(0, [...pointed.link.parentElement.children].indexOf(pointed.link) + 1) : [];
  }

  // Shows the position after the move that is pointed at, below the lines or, where there is no room, above them.
  async function showPreview() {
    const moves = pointedMoves();
    const fen = moves.length > 0 ? await analysis.after(moves) : null;
    const now = pointedMoves();
    if (now.join() !== moves.join()) return;
    const preview = part("preview");
    preview.hidden = !fen;
    if (!fen) return;
    const marks = squares(moves.at(-1)).filter(Boolean).map((square) => [square, "last"]);
    preview.innerHTML = boardSvg(gameSet(), state.flipped, fen, marks);
    const [around, own] = [list, preview].map((each) => each.getBoundingClientRect());
    const isBelow = around.bottom + own.height < innerHeight || around.top < own.height;
    preview.style.left = `${Math.max(0, around.right - own.width)}px`;
    preview.style.top = `${isBelow ? around.bottom : around.top - own.height}px`;
  }

  // WebKit does not tell that a list is left whose line has changed under the pointer: what is entered tells.
  addEventListener("pointerover", ({ target, pointerType }) => {
    if (pointerType === "mouse" && (list.contains(target) || !list.contains(document.activeElement))) point(target);
  });
  list.addEventListener("pointerleave", () => point(null));
  list.addEventListener("focusin", ({ target }) => { if (target.matches(":focus-visible")) point(target); });
  list.addEventListener("focusout", ({ target }) => {
    target.parentElement.scrollLeft = 0;
    point(null);
  });
  list.onclick = (event) => {
    const link = event.target.closest("a");
    if (!link) return;
    event.preventDefault();
    analysis.stepInto(rankOf(link.closest("li")), [...link.parentElement.children].indexOf(link) + 1);
  };

  return { show, arrows, turnArrows };
})();
