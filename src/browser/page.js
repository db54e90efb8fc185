// page.js: the parts of the page together: what is drawn, buttons, keys, the beginning.
// Takes all others; gives `page`.
const page = (() => {
  // The node that the comment field belongs to: the one at which the typing began.
  let remarked = null;
  let numbers = new Map();

  const addressOf = (node) => `#${numbers.get(node)}`;

  // Lists the moves, and offers what can be done with the one that is shown.
  function showMoves() {
    const { here } = state;
    numbers = new Map(nodesOf(state.root).map((node, number) => [node, number]));
    listMoves(state.root, end(state.outcome), addressOf);
    showHere();
    part("mark").value = judgementOf(here);
    const isTyped = document.activeElement === part("remark") && part("remark").value !== remarkOf(remarked?.comment);
    if (isTyped) return;
    remarked = here;
    part("remark").value = remarkOf(here.comment);
  }

  function showHere() {
    const { here, line, at } = state;
    markMove(addressOf(here), here.next.length > 1 && at < line.length - 1 ? addressOf(line[at + 1]) : null);
  }

  function showClocks() {
    const { game, record, flipped } = state;
    const sides = flipped ? ["w", "b"] : ["b", "w"];
    ["above", "below"].forEach((name, number) => {
      const side = sides[number];
      const level = game?.players[side];
      const player = !game ? tagOf(record, SIDES[side]) ?? "?" : level === null ? "you" : `Quadrille, level ${level}`;
      const [label, time] = part(name).children;
      label.textContent = `${SIDES[side]}: ${player}`;
      part(name).classList.toggle("turn", toMove(state.here) === side);
      time.textContent = game?.clock ? clocks.shown(clocks.left(game.clock, side, Date.now())) : noted(side);
    });
  }
  // The time of a side as the game says it.
  function noted(side) {
    const moves = pathTo(state.here).slice(1).filter(({ before }) => toMove(before) === side);
    return moves.map(({ comment }) => commandOf(comment, "clk")).findLast(Boolean) ?? "";
  }

  // Whether a button lives: in the mode, and in the position.
  function isLive(name) {
    const { here, game, line, at, record } = state;
    const isHumans = state.runs && state.humans.includes(toMove(game.tip));
    const is = {
      first: () => at > 0, back: () => at > 0, on: () => at < line.length - 1, last: () => at < line.length - 1,
      promote: () => state.mayPromote, cut: () => state.mayCut, mark: () => at > 0,
      undo: () => record.undo.length > 0, redo: () => record.redo.length > 0,
      takeback: () => state.mayTakeBack, hint: () => !control.thinking && !here.over,
      resign: () => state.runs && state.humans !== "", draw: () => isHumans && state.humans.length === 1,
      analyse: () => state.mayAnalyse, "analyse-game": judge.isFree,
    };
    return state.lives.buttons.has(name) && (is[name]?.() ?? true);
  }

  function render() {
    board.show();
    showClocks();
    analysis.show();
    judge.show();
    showMoves();
    drawCurve(state.line, state.at);
    const { variant } = state.record;
    part("status").textContent = status();
    part("called").textContent = help[variant].rules.split("\n")[0];
    part("move").placeholder = help[variant].typed;
    part("analyse").checked = state.analyses;
    for (const name of modes.buttons) part(name).disabled = !isLive(name);
    part("take-over").hidden = !state.mayTakeOver;
    const { panel } = state.lives;
    if (panel === "rules") rules.show();
    for (const name of ["side", "palette", "rules"]) part(name).hidden = name !== panel;
    rest();
  }

  // What the browser allows only so often waits for a pause.
  let pause = 0;
  function rest(time = 300) {
    clearTimeout(pause);
    pause = setTimeout(() => history.replaceState(null, "", addressOf(state.here)), time);
  }

  // Keeps the game for a reload.
  function save() {
    const setUp = state.mode === "set up" ? setup.fen() : null;
    if (state.mode !== "begin") keep("sessionStorage", "game", JSON.stringify({ ...state.kept(), setUp }));
  }

  // --- Buttons and fields ---------------------------------------------------------------------------

  const { act, go, goTo } = control;
  const turn = () => { state.flipped = !state.flipped; render(); };
  const actions = {
    first: () => go(0), back: () => go(state.at - 1), on: () => go(state.at + 1), last: () => go(Infinity), flip: turn,
    takeback: control.takeBack, hint: control.askHint, resign: control.resign, draw: control.offerDraw,
    "take-over": control.takeOver, undo: control.undo, redo: control.redo,
    promote: () => act(() => state.promote()), cut: () => act(() => state.cut()),
    "keys-help": () => part("help").showModal(), "close-help": () => part("help").close(),
    curve: (event) => go(plyAt(event, state.line)),
  };
  for (const [name, action] of Object.entries(actions)) click(name, action);
  part("mark").append(...["", ...JUDGEMENTS].map((mark) => new Option(mark, mark)));
  part("mark").onchange = () => {
    const { here } = state;
    const others = here.marks.filter((mark) => !JUDGEMENTS.includes(symbolOf(mark)));
    const mark = part("mark").value;
    act(() => state.annotate(here, { marks: mark ? [mark, ...others] : others }));
  };
  part("remark").onchange = () => {
    const node = remarked ?? state.here;
    const comment = withRemark(node.comment, part("remark").value);
    part("remark").value = remarkOf(comment);
    act(() => state.annotate(node, { comment }));
  };
  part("moves").onclick = part("moves").oncontextmenu = (event) => {
    const address = event.target.closest("a")?.getAttribute("href");
    if (!address || event.ctrlKey || event.metaKey) return;
    event.preventDefault();
    visit(Number(address.slice(1)));
  };
  part("typed").onsubmit = async (event) => {
    event.preventDefault();
    const { value } = part("move");
    const { here } = state;
    const text = value.trim().replace(/^\d+\s*\.+\s*/, "");
    if (!text || !control.canMove()) return;
    let move = null;
    const typed = async () => {
      control.place(here);
      move = await engine.ask(`typed ${text}`);
    };
    const error = (await act(typed)) ?? (state.here === here ? await control.play(move) : null);
    if (error) control.refuse(error);
    else if (part("move").value === value) part("move").value = "";
  };
  // The list keeps the move that is shown in sight when other parts grow.
  new ResizeObserver(() => showHere()).observe(part("moves"));

  // --- Keys -----------------------------------------------------------------------------------------

  // Plays the best move, or looks for it.
  function playBest() {
    const best = analysis.lines()[0]?.moves[0];
    if (best && control.canMove()) control.play(best);
    else if (!state.analyses) analysis.turn();
  }
  // The next move with a mark, from the start again after the last.
  function seek(mark) {
    const { line, at } = state;
    const next = [...line.slice(at + 1), ...line.slice(0, at)].find((node) => judgementOf(node) === mark);
    if (next) goTo(next);
  }
  // Leaves the variation.
  const leave = () => { const branch = branchOf(state.here); if (branch) goTo(branch.before); };
  const keys = {
    ArrowLeft: ({ shiftKey }) => (shiftKey ? leave() : actions.back()), ArrowRight: actions.on,
    Home: actions.first, End: actions.last, k: actions.back, j: actions.on,
    b: () => seek("??"), m: () => seek("?"), i: () => seek("?!"),
    ArrowUp: () => control.turnTo(-1), ArrowDown: () => control.turnTo(1), Space: playBest, f: turn, l: analysis.turn,
    "?": actions["keys-help"], z: ({ shiftKey }) => (shiftKey ? control.redo() : control.undo()), y: control.redo,
    Escape: () => { board.letGo(); board.show(); },
  };
  // What was pressed with the mouse leaves the keys to the page. A click beside a dialog closes it.
  const isBeside = ({ clientX, clientY, detail }, dialog) => {
    const { left, right, top, bottom } = dialog.getBoundingClientRect();
    return detail > 0 && (clientX < left || clientX > right || clientY < top || clientY > bottom);
  };
  addEventListener("click", (event) => {
    const { target } = event;
    if (target.matches?.("dialog") && isBeside(event, target)) target.close();
    const pressed = document.activeElement;
    if (event.detail > 0 && pressed.matches(":is(main, header) :is(button, a, [type=checkbox])")) pressed.blur();
  });
  addEventListener("close", () => control.tick(), true);
  const TEXT_FIELDS = "input:not([type=checkbox]), textarea";
  addEventListener("keydown", (event) => {
    const { target } = event;
    const key = event.key === " " ? "Space" : event.key.length === 1 ? event.key.toLowerCase() : event.key;
    const isChange = key === "z" || key === "y";
    if (!Object.hasOwn(keys, key) || !state.lives.keys.has(key) || event.altKey) return;
    if ((event.ctrlKey || event.metaKey) !== isChange) return;
    if (document.querySelector("dialog[open]") || target.matches?.(TEXT_FIELDS)) return;
    // A list chooses with keys of its own, a button and a box are pressed with Space.
    if (target.matches?.("select") && !/^(Arrow(Left|Right)|Home|End)$/.test(key)) return;
    if (key === "Space" && target.matches?.("button, input, a, summary")) return;
    event.preventDefault();
    keys[key](event);
  });

  // --- Addresses, and the beginning -----------------------------------------------------------------

  addEventListener("hashchange", async () => {
    const to = location.hash.slice(1);
    if (share.isAddress(to)) await mayLeave() ? share.open(to) : rest(0);
    else if (/^\d+$/.test(to)) visit(Number(to));
  });
  function visit(number) {
    const node = nodesOf(state.root)[number];
    if (node && !node.unplayed && state.lives.buttons.has("first")) goTo(node);
  }
  onbeforeunload = (event) => { if (state.isChanged) event.preventDefault(); };

  // The game that the address names, the one that was here before, or a new one.
  const named = location.hash.slice(1);
  async function restore() {
    let kept = null;
    try { kept = JSON.parse(recall("sessionStorage", "game")); } catch { /* It is not ours. */ }
    const isKept = kept?.pgn && share.isAddress(kept.variant ?? "");
    const back = () => control.load(kept.variant, kept.start, readPgn(kept.pgn)[0], () => state.restore(kept));
    const isBack = isKept && !(await back());
    if (isBack && kept.setUp) setup.begin(kept.setUp);
    if (share.isAddress(named) && (!isBack || (await mayLeave()))) return share.open(named);
    return isBack ? null : control.begin();
  }

  let hasBegun = false;
  engine.online((isOnline, reason) => {
    part("notice").hidden = isOnline;
    part("notice").textContent = isOnline ? "" : noticeOf(reason);
    control.tick();
    if (!isOnline) return render();
    control.forget();
    analysis.forget();
    engine.send("uci");
    engine.ask("fen").then(analysis.offerMachine, () => {});
    engine.send("setoption name UCI_ShowWDL value true");
    if (hasBegun) act();
    else restore();
    hasBegun = true;
  });
  render();

  return { render, save, showClocks };
})();
