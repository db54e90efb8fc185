// page.js: the parts of the page together: what is drawn, buttons, keys, the beginning.
// Takes tree, picture, moves, pgn, dialogs, dialogue, clock, record, state, words, control, hints, steps, analysis,
// best_lines, whole_game, practice, games, lasts, begin, result, learn, share, set_up, files, board and the data of the
// page; gives nothing.
{
  // The node that the comment field belongs to, while a comment is written.
  let remarked = null;
  let numbers = new Map();

  const addressOf = (node) => `#${games.prefix}${numbers.get(node)}`;

  // Lists the moves, and what can be done with the one that is shown.
  function showMoves() {
    const { here, root, outcome } = state;
    numbers = new Map(nodesOf(root).map((node, number) => [node, number]));
    const empty = state.mode === "begin" ? "" : state.runs ? "Play a move." : "Play a move, or open a game.";
    const said = outcome ? `${state.result} · ${endInWords(outcome)}` : root.next.length > 0 ? "" : empty;
    listMoves(root, said, addressOf);
    showHere();
    part("of-move").textContent = nameOfMove(here);
    const judged = judgementOf(here);
    for (const each of part("marks").children) each.setAttribute("aria-pressed", each.textContent === judged);
    part("comment").hidden = remarked === null;
    const about = ["Event", "Site", "Date", "Round"].map((name) => state.named(name) ?? "");
    put(part("about"), about.filter((text) => /[^?.-]/.test(text)).join(", "));
  }

  function showHere() {
    const { here, line, at } = state;
    markMove(addressOf(here), here.next.length > 1 && at < line.length - 1 ? addressOf(line[at + 1]) : null);
  }

  function showPlayers() {
    const { game, here, root, flipped, humans, aside } = state;
    const isSetUp = state.mode === "set up";
    const mover = toMove(state.runs ? state.tip : aside ? root : here);
    for (const [strip, side] of strips(flipped)) {
      const [who, more] = strip.children;
      const level = game?.players[side] ?? null;
      const called = state.named(SIDES[side]) ?? "?";
      const usual = level !== null ? "Quadrille" : humans.length === 1 ? "You" : "";
      const player = isSetUp ? "" : called !== "?" ? called : usual;
      const name = element("bdi", player || `${SIDES[side]}${aside && here === root ? " to move" : ""}`);
      who.replaceChildren(element("span", player ? `${SIDES[side]}: ` : "", "unseen"), name);
      const isTurn = state.runs && mover === side;
      const named = `level ${level}${state.slip ? " · waits for you" : ""}`;
      const what = level === null ? (isTurn ? "to move" : "") : isThinking(side) ? "thinking …" : named;
      more.textContent = isSetUp ? "" : what;
      strip.classList.toggle("turn", (isSetUp ? setup.pieces?.side : mover) === side);
    }
    const [title, more] = part("played").children;
    const levels = game ? Object.values(game.players).filter((level) => level !== null) : [];
    const who = `${state.marksMoves ? "Practice" : "You"} against level ${levels[0]}`;
    title.textContent = game ? ["Two people", who, "Quadrille against itself"][levels.length] : "";
    more.textContent = [
      game && clocks.named(game.control), humans.length === 1 && `you play ${SIDES[humans]}`,
      toMove(root) === "b" && "Black begins",
    ].filter(Boolean).join(" · ");
    showClocks();
  }
  const isThinking = (side) => control.thinking && toMove(state.tip) === side;

  function showClocks() {
    const { game, flipped, outcome } = state;
    for (const [{ lastElementChild: time }, side] of strips(flipped)) {
      const left = game?.clock ? clocks.left(game.clock, side, clocks.now()) : null;
      const points = judge.reviews() && ({ [side]: "1", null: "½" }[outcome.winner] ?? "0");
      time.textContent = state.mode === "set up" ? "" : points || (left === null ? noted(side) : clocks.shown(left));
      time.classList.toggle("low", left !== null && left < 10000);
    }
  }
  // The time of a side as the game says it.
  function noted(side) {
    const moves = pathTo(state.here).slice(1).filter(({ before }) => toMove(before) === side);
    return moves.map(clockOf).findLast(Boolean) ?? "";
  }

  // Which buttons live: in the mode, and in the position.
  function showButtons() {
    const { here, at, line, humans, isAway, record: { undo, redo } } = state;
    const isAtStart = at === 0, isAtEnd = at === line.length - 1;
    const isOff = {
      new: false, "show-rules": false, more: false, "set-up": false, rename: false, threat: false, arrows: false,
      first: isAtStart, back: isAtStart, on: isAtEnd, last: isAtEnd && !isAway,
      marks: isAtStart, "copy-line": isAtStart, cut: !state.mayCut,
      promote: !state.mayPromote, "make-main": !state.mayPromote,
      undo: undo.length === 0, redo: redo.length === 0, look: !state.mayAnalyse, analyse: !state.mayAnalyse,
      takeback: !state.mayTakeBack, hint: control.thinking || here.known.over || isAway || state.slip,
      resign: !state.runs || !humans,
      draw: !state.runs || !humans.includes(toMove(state.tip)) || !gameSet().draws,
      "analyse-game": !judge.isFree(), ...learn.off(),
    };
    for (const [name, is] of Object.entries(isOff)) part(name).disabled = Boolean(is) || state.lives.off.has(name);
    part("take-over").hidden = !state.mayTakeOver;
    part("learn").hidden = part("learn").disabled;
    for (const tab of part("variants").children) tab.disabled = part("new").disabled;
    part("takeback").hidden = state.mode !== "play" && !state.mayTakeBack;
  }

  // The line below the board: what is new there, or whose turn it is, which is only spoken.
  function status() {
    const { here, mode, hint, premove } = state;
    const waits = premove?.text && !premove.node ? `${premove.text} waits for your turn.` : "";
    const news = state.fault || (hint?.node === here && hint.text) || waits, end = endInWords(state.endAt(here));
    // A card and a lesson have the end in them: here it is only spoken.
    if (end && !news && mode !== "set up") return { text: end, isNew: !judge.reviews() && !state.aside };
    if (state.isAway && !news) return { text: "Go back to the game (End)", isNew: true };
    if (mode === "set up" || news) return { text: state.fault || (mode === "set up" ? "" : news), isNew: true };
    if (control.thinking && state.isAtTip) return { text: "Quadrille is thinking", isNew: false };
    const { check } = here.known, article = board.attacked(here).length > 1 ? "a" : "the";
    const attacked = `; ${article} ${gameSet().names.K ?? "piece"} on red is attacked`;
    return { text: `${SIDES[toMove(here)]} to move${check ? attacked : ""}`, isNew: check };
  }

  function render() {
    for (const name of ["side", "palette", "lesson"]) part(name).hidden = name !== state.lives.panel;
    board.show();
    showPlayers();
    analysis.show();
    bestLines.show();
    judge.show();
    endCard.show();
    learn.show();
    practice.show();
    showMoves();
    drawCurve(state.line, state.at, endCard.shadeOf);
    const { record: { variant }, mode } = state;
    const { text, isNew } = status();
    part("status").textContent = text;
    part("status").classList.toggle("unseen", !isNew);
    document.title = `${state.isPersons ? "Your turn" : nameOfGame(variant)} · Quadrille`;
    for (const tab of part("variants").children) tab.ariaCurrent = String(tab.value === variant);
    part("move").placeholder = help[variant].typed;
    part("analyse").checked = state.analyses;
    const isQuiet = ["begin", "set up", "learn"].includes(mode) || (mode !== "judge" && state.runs && !state.analyses);
    document.body.classList.toggle("plays", isQuiet);
    part("begin").toggleAttribute("data-stays", mode === "begin");
    // One point is no curve, but below a card it has its room.
    const known = state.line.filter(({ known: { white, over } }) => white !== undefined && !over);
    part("curve").toggleAttribute("hidden", known.length < 2 && !judge.reviews());
    showButtons();
    rest();
  }

  // What the browser allows only so often waits for a pause.
  let pause = 0, wanted = null;
  function rest(time = 300) {
    const address = addressOf(state.here);
    if (time && address === (wanted ?? location.hash)) return;
    clearTimeout(pause);
    const before = location.hash;
    wanted = address;
    pause = setTimeout(() => {
      // An address that a person has put there since stays: its event comes.
      if (location.hash === before) history.replaceState(null, "", address);
      wanted = null;
    }, time);
  }

  // Keeps the game for a reload, and among the last ones.
  function save() {
    const setUp = state.mode === "set up" ? setup.fen() : null;
    if (state.mode === "begin" || state.aside) return;
    const kept = state.kept();
    lasts.note(kept);
    keep("sessionStorage", "game", JSON.stringify({ ...kept, setUp, place: games.place, noted: lasts.noted }));
  }
  control.on("draw", render);
  control.on("keep", save);
  setInterval(() => {
    if (control.tick()) act();
    else if (state.game?.clock?.side) showClocks();
  }, 100);

  // --- Buttons and fields ---------------------------------------------------------------------------

  const { act, goTo } = control;
  const actions = {
    takeback: control.takeBack, hint: hints.ask, resign: control.resign, draw: control.offerDraw,
    threat: hints.askThreat, arrows: bestLines.turnArrows,
    undo: control.undo, redo: control.redo,
    promote: () => act(() => state.promote()), "make-main": () => act(() => state.makeMain()),
    cut: () => act(() => state.cut()), write: comment, look: analysis.turn, "copy-line": copyLine,
    more: () => { const { right, top } = part("more").getBoundingClientRect(); openAt(part("menu"), right, top); },
  };
  for (const [name, action] of Object.entries(actions)) click(name, action);
  part("marks").append(...JUDGEMENTS.map((mark) => element("button", mark)));
  part("marks").onclick = ({ target }) => {
    const { here } = state;
    const others = here.marks.filter((mark) => !JUDGEMENTS.includes(symbolOf(mark)));
    const mark = target.textContent;
    if (target.matches("button"))
      act(() => state.annotate(here, { marks: mark === judgementOf(here) ? others : [mark, ...others] }));
  };
  function comment() {
    remarked = state.here;
    part("remark").value = remarkOf(remarked.comment);
    part("comment").hidden = false;
    part("remark").focus();
  }
  part("remark").onchange = () => {
    const [node, { value }] = [remarked, part("remark")];
    act(() => state.annotate(node, { comment: withRemark(node.comment, value) }));
  };
  part("remark").onblur = () => { remarked = null; part("comment").hidden = true; };
  part("remark").onkeydown = ({ key }) => {
    if (key === "Escape") part("remark").value = remarkOf(remarked.comment);
    if (key === "Enter" || key === "Escape") part("remark").blur();
  };
  // Only a click leaves the field for another move: what is pressed would be made anew under the mouse.
  for (const name of ["moves", "curve"]) part(name).onmousedown = (event) => { if (remarked) event.preventDefault(); };
  function copyLine() {
    const { record, root, here } = state;
    const tags = Object.entries(records.tagsOf(record)).filter(([name]) => /^(Variant|SetUp|FEN)$/.test(name));
    const text = writePgn(treeOf(records.readTo(here)), { tags, result: "" }, root.fen);
    navigator.clipboard?.writeText(text.trim()).catch(() => {});
  }
  // What can be done with the move that is shown, at a point or beside it.
  function openMoveMenu(x, y) {
    if (!state.lives.keys.has("e")) return;
    const box = part("moves").querySelector(".here")?.getBoundingClientRect() ?? part("moves").getBoundingClientRect();
    openAt(part("move-menu"), x || box.left, y || box.top + 28);
  }
  part("moves").onclick = part("moves").oncontextmenu = (event) => {
    const move = event.target.closest("a");
    if (!move || event.ctrlKey || event.metaKey) return;
    event.preventDefault();
    part("remark").blur();
    // A finger that stays is a click on some systems.
    const isMenu = event.type === "contextmenu" || (event.pointerType === "touch" && move.classList.contains("here"));
    visit(move.getAttribute("href").slice(1)).then(() => isMenu && openMoveMenu(event.clientX, event.clientY));
  };
  part("typed").onsubmit = async (event) => {
    event.preventDefault();
    const text = part("move").value.trim().replace(/^\d+\s*\.+\s*/, "");
    part("move").value = "";
    if (!text) return;
    part("menu").close();
    control.refuse(await control.playText(text));
  };
  hearCurve(() => state.line, (node) => { part("remark").blur(); goTo(node); });
  click("status", () => { if (state.isAway) goTo(state.tip); });
  // The list keeps the move that is shown in sight when other parts grow.
  new ResizeObserver(() => showHere()).observe(part("moves"));

  // --- Keys -----------------------------------------------------------------------------------------

  // Plays the best move, or looks for it.
  function playBest() {
    const best = analysis.lines()[0]?.moves[0];
    if (best && control.canMove()) control.play(best).then(control.refuse);
    else if (!state.analyses) analysis.turn();
  }
  const more = {
    End: () => (state.isAway ? goTo(state.tip) : control.go(Infinity)),
    PageUp: () => games.step(-1), PageDown: () => games.step(1), Space: playBest,
    l: analysis.turn, x: hints.askThreat, a: bestLines.turnArrows,
    t: () => { actions.more(); part("move").focus(); }, e: () => openMoveMenu(),
    z: ({ shiftKey }) => (shiftKey ? control.redo() : control.undo()), y: control.redo,
    Escape: () => { board.letGo(); board.show(); },
  };
  addEventListener("close", () => control.tick(), true);
  const keysHelp = [
    ["Space", "play the best move; look for it first"], ["L", "analyse"],
    ["X, A", "show the threat; hide the arrows of the analysis"], ["T", "type a move"],
    ["E, right button on a move", "mark it, comment on it, delete it"],
    ["Page Up, Page Down", "the game before, the next game of the file"],
    ["Ctrl+Z, Ctrl+Y", "undo a change, do it again"],
    ["Esc", "take back a move that waits for your turn"],
    ["Tab to the board", "arrows move the cursor, Enter lifts and puts down, Esc lets go"],
    ["right button", "draw an arrow or a circle: green, Shift red, Alt blue, both yellow; once more removes it"],
  ];
  // Without a file these scroll.
  const isHere = (key) => !key.startsWith("Page") || part("games").checkVisibility();
  hearSteps(more, keysHelp, (key) => state.lives.keys.has(key) && isHere(key));

  // --- Addresses, and the beginning -----------------------------------------------------------------

  addEventListener("hashchange", async () => {
    const to = share.named();
    // One question at a time.
    if (document.querySelector("dialog[open]")) return rest(0);
    if (share.isAddress(to)) await mayLeave() ? share.open(to) : rest(0);
    else visit(to);
  });
  // Shows a move of the game, or of another one of the file, by its address: `14`, `2.14`.
  async function visit(address) {
    const [, game, number] = /^(?:(\d+)\.)?(\d+)$/.exec(address) ?? [];
    if (game && !state.aside) await games.walk(game - 1);
    const node = nodesOf(state.root)[number];
    if (node && !node.unplayed && state.lives.keys.has("Home")) goTo(node);
  }
  onbeforeunload = (event) => { if (isUnsaved()) event.preventDefault(); };

  // The games inside, the game that the address names, the one that was here before, or a new one.
  const named = share.named();
  async function restore() {
    if (program.pgn) return await openPgn(program.pgn) ?? visit(named || "0");
    let kept = null, isBack = false;
    try {
      kept = JSON.parse(recall("sessionStorage", "game"));
      isBack = !(await lasts.load(kept, () => games.restore(kept.place)));
    } catch { /* There was none of ours. */ }
    if (isBack && kept.setUp) setup.read(String(kept.setUp));
    if (share.isAddress(named) && (!isBack || (await mayLeave()))) return share.open(named);
    return isBack ? null : begins.ask();
  }

  let hasBegun = false;
  engine.online((isOnline, reason) => {
    part("notice").hidden = isOnline;
    part("notice").textContent = isOnline ? "" : noticeOf(reason);
    control.tick();
    if (!isOnline) return render();
    control.forget();
    engine.send("uci");
    engine.ask("fen").then(analysis.offerMachine, () => {});
    control.give({ UCI_ShowWDL: true });
    if (hasBegun) act();
    else restore();
    hasBegun = true;
  });
  render();
}
