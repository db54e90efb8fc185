// analysis.js: what the engine finds.
// Takes picture, moves, dialogs, dialogue, state, words, control and the data of the page; gives `analysis`.
const analysis = (() => {
  const SHOWN_MOVES = 12;
  // The lines of a search: `{ node, fresh, lines }`, those that come in and those that are shown, which have texts.
  let found = null;

  // Notes the lines of a search.
  function note(node, lines) {
    const old = found?.node === node ? found.lines.slice(0, part("lines").value) : [];
    if (found?.fresh !== lines) found = { node, fresh: lines, lines: old };
    showLater();
  }
  // Until something happens.
  control.on("rest", () => {
    const { lives, analyses, here, record } = state;
    if (!lives.analyses || !analyses || here.known.over) return null;
    const count = part("lines").value;
    return control.search(here, program.fullLevel, count, "infinite", record, (lines) => note(here, lines));
  });

  const isFound = () => state.analyses && state.lives.analyses && found?.node === state.here;
  // The lines of the position that is shown.
  const lines = () => (isFound() ? found.lines.filter(Boolean) : []);

  const inWords = (chances) =>
    `${["White", "draw", "Black"].map((name, at) => `${name} ${Math.round(chances[at] / 10)}`).join(" · ")} %`;
  // The score of a node: what was found last, or what its comment says.
  const briefOf = (node) => node.known.brief ?? briefly(scoreOf(node));

  function show() {
    const { here } = state;
    const [best] = lines();
    showBar(here);
    put(part("score"), briefOf(here));
    const text = best && `depth ${best.depth} · ${(best.speed / 1e6).toFixed(1)} M nodes/s\n${inWords(best.chances)}`;
    put(part("depth"), text ?? "");
    put(part("solved"), solvedText(here.known.solved, toMove(here)));
  }

  // The bar shows the result that White can expect, with the score at the end of the side that is better.
  function showBar(node) {
    const white = state.mode === "set up" ? undefined : node.known.white;
    const [bar, brief] = [part("bar"), briefOf(node)];
    bar.classList.toggle("flipped", state.flipped);
    bar.classList.toggle("unknown", white === undefined);
    bar.classList.toggle("behind", white < 0.5);
    bar.firstElementChild.style.height = `${100 * (white ?? 0)}%`;
    const number = brief.replace(/^[+−]/, "");
    put(bar.lastElementChild, white === undefined ? "" : number.length > 3 ? number.replace(/\.\d$/, "") : number);
    const percent = white === undefined ? "unknown" : `${Math.round(100 * white)} %`;
    bar.title = bar.ariaLabel = `White can expect: ${percent}${brief && `, ${brief}`}`;
  }

  // The distance of a solved ending: `win 17`, of the side to move.
  function solvedText(solved, side) {
    const [value, plies] = (solved ?? "none").split(" ");
    if (value === "none") return "";
    if (value === "draw") return "Solved: a draw.";
    const moves = Math.ceil(plies / 2);
    return `Solved: ${SIDES[value === "win" ? side : other(side)]} wins in ${counted(moves, "move")}.`;
  }

  // Writes the lines of a search in SAN, now and then.
  let isDue = false;
  function showLater() {
    if (isDue) return;
    isDue = true;
    setTimeout(async () => {
      isDue = false;
      const { node, fresh, lines } = found;
      // While the search runs, the question is about its position.
      const asked = isFound() && node === control.searched ? [...fresh.entries()].filter(([, each]) => each) : [];
      await Promise.all(asked.map(async ([rank, each]) => {
        const sans = await engine.ask(`san ${each.moves.slice(0, SHOWN_MOVES).join(" ")}`).catch(() => null);
        if (sans) lines[rank] = { ...each, texts: numberedLine(node.fen, sans.split(" ")).match(/(\d+\.+ )?\S+/g) };
      }));
      control.draw();
    }, 200);
  }

  // The position after moves from the one that is searched, as a FEN; null if it cannot be asked for now.
  async function after(moves) {
    if (!isFound() || found.node !== control.searched) return null;
    const { node } = found;
    const asked = moves.join(" ");
    const { after = {} } = node.known;
    after[asked] ??= await engine.ask(`after ${asked}`).catch(() => null);
    state.note(node, { after });
    return after[asked];
  }

  // Steps into a line of the engine: its moves become a variation. In a game against the engine that is the end of it.
  async function stepInto(rank, count) {
    const [moves, node] = [lines()[rank]?.moves.slice(0, count), found?.node];
    if (!moves) return;
    const leaves = state.isAtTip && state.isAgainstEngine;
    if (leaves && !(await isSure("Leave the game for this line? “Play from here” continues it."))) return;
    state.lift(null);
    control.act(async () => {
      if (leaves) state.leaveGame();
      let before = node;
      for (const move of moves) before = await control.append(before, move);
    });
  }

  function turn() {
    if (!state.analyses && !state.mayAnalyse)
      return control.refuse(new Error("there is no analysis while the clocks run"));
    control.act(() => state.analyse(!state.analyses));
  }

  // Offers the threads and tables that the engine allows.
  function offerMachine() {
    const most = { threads: Math.min(engine.most.Threads, navigator.hardwareConcurrency ?? 1), hash: engine.most.Hash };
    for (const [name, limit] of Object.entries(most)) {
      const { value: wish, options } = part(name);
      [...options].filter(({ value }) => value > limit).forEach((option) => option.remove());
      if (part(name).value !== wish) part(name).selectedIndex = options.length - 1;
    }
  }
  part("analyse").onchange = turn;

  return {
    lines, show, after, inWords, stepInto, turn, offerMachine, get found() { return found; },
  };
})();
