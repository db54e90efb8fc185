// motion.js: what a move shows besides the position: pieces slide, and those captured stand beside the names.
// Takes tree, picture, state, words, targets and sound; gives `motion`.
const motion = (() => {
  // Milliseconds that a piece slides.
  const SLIDE = 180;
  // The node that is drawn, the pieces that slide there, and the square that one was dropped on.
  let drawnNode = null, slide = null, dropped = null;

  // Notes what moves if the board is to show the position after or before the one that it shows.
  function begin() {
    const [from, to] = [drawnNode, state.here];
    if (from === to) return;
    [drawnNode, slide] = [to, null];
    const isForward = to.before === from;
    const isEnd = state.outcome && to === state.tip;
    if (isForward && from) sounds.hear(isEnd ? "end" : capturesOf(to).length > 0 ? "capture" : "move");
    const isStep = isForward || from?.before === to;
    if (isStep && from && !matchMedia("(prefers-reduced-motion: reduce)").matches) {
      const way = isForward ? squares(to.move) : squares(from.move).reverse();
      const [old, now] = [pieces(from.fen), pieces(to.fen)];
      const gone = [...old].filter(([square, letter]) => square !== way[0] && now.get(square) !== letter);
      const come = [...now].filter(([square, letter]) => square !== way[1] && old.get(square) !== letter);
      const others = come.map(([square, letter]) => [gone.find(([, each]) => each === letter)?.[0], square]);
      const ways = [way, ...others].filter(([begin, end]) => begin && end !== dropped);
      slide = { began: performance.now(), ways };
    }
    dropped = null;
  }

  // Where a square begins on the board, and the piece that is drawn there.
  const cornerOf = (square) => corner(gameSet(), state.flipped, ...columnAndRow(gameSet(), square));
  const manOn = (square) =>
    part("board").querySelector(`[data-man][transform="translate(${cornerOf(square).join(" ")})"]`);

  // Goes on where the pieces were when the board was drawn last.
  function show() {
    const passed = slide ? performance.now() - slide.began : SLIDE;
    if (passed >= SLIDE || state.mode === "set up") return;
    for (const way of slide.ways) {
      const frames = way.map(cornerOf).map(([x, y]) => ({ transform: `translate(${x}px, ${y}px)` }));
      const animation = manOn(way[1])?.animate(frames, { duration: SLIDE, easing: "ease-out" });
      if (animation) animation.currentTime = passed;
    }
  }

  // The letters of the pieces that a move captured.
  function capturesOf(node) {
    if (!node.before) return [];
    if (node.known.captured) return node.known.captured;
    const side = toMove(node);
    const after = pieces(node.fen);
    const isOf = (letter) => letter !== undefined && sideOf(letter) === side;
    const gone = [...pieces(node.before.fen)]
      .filter(([square, letter]) => sideOf(letter) === side && !isOf(after.get(square)));
    state.note(node, { captured: gone.map(([, letter]) => letter) });
    return node.known.captured;
  }

  function showCaptured() {
    const letters = ["set up", "learn"].includes(state.mode) ? [] : pathTo(state.here).flatMap(capturesOf);
    for (const [strip, side] of strips(state.flipped)) {
      const mine = letters.filter((letter) => sideOf(letter) !== side).sort();
      const list = strip.querySelector(".captured");
      list.innerHTML = mine.map(pieceSvg).join("");
      const called = mine.map((letter) => gameSet().names[letter.toUpperCase()]).join(", ");
      list.ariaLabel = `has captured ${called || "nothing"}`;
    }
  }

  return {
    begin, show, showCaptured, cornerOf, manOn, drop: (square) => { dropped = square; }, get slide() { return slide; },
  };
})();
