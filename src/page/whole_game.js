// whole_game.js: the analysis of the whole game, as `quadrille annotate` does it: each position searched as if it were
// the first, with the same nodes and table, so that scores and marks are the same.
// Takes tree, picture, moves, dialogue, state, findings, control, lessons and the data of the page; gives `judge`.
const judge = (() => {
  const { nodes: NODES, table: TABLE, line: LENGTH, marks: LOSSES } = program;
  // A comment without the accuracy of both sides, which stands at the end of a game that was analysed.
  const ACCURACY = /\s*Accuracy: ((?:White|Black) .*?\))\./s;
  const withoutAccuracy = (comment) => comment?.replace(ACCURACY, "").trim() || null;
  // What is done and to be done: `{ record, nodes, verdicts, changes, slips, accuracy }`. It waits while a person acts,
  // and when it was stopped it can be continued.
  let job = null;

  // What the engine says of a position: the score of White as `[%eval]` has it, and its best line.
  async function judgeNode(node) {
    await control.inspect(node);
    if (node.known.over) return { white: node.known.white };
    let found = null;
    control.give({ Threads: 1, Hash: TABLE, "Skill Level": program.fullLevel, MultiPV: 1 });
    engine.send("ucinewgame");
    control.place(node);
    const best = await engine.go(`nodes ${NODES}`, (text) => {
      const line = readInfo(text, toMove(node));
      // Bounds of the move that is best already come only after some seconds: they do not count.
      if (!line.isBound || line.moves[0] !== found?.moves[0]) found = line;
    });
    // It was stopped at once.
    if (!found) return {};
    const { score, depth, moves } = found;
    return { best, moves, white: whiteOf(score, gameSet()), said: `${score},${depth}` };
  }

  // What a move gives away of the best result that its side can expect, and the mark for it.
  const lossOf = (side, best, white) => (side === "w" ? best - white : white - best);
  const markOf = (...facts) => LOSSES.find(([least]) => lossOf(...facts) >= least)?.[1] ?? null;

  // The mark of a move by what was found in the positions before and after it.
  const markBetween = ({ before: { fen }, move }, before, after) =>
    (before.best === move ? null : markOf(toMove({ fen }), before.white, after.white));

  // A line of moves behind a position, without a place among its moves.
  async function lineOf(before, moves) {
    const nodes = [];
    for (const facts of await control.played(before, moves)) {
      const node = newNode(nodes.at(-1) ?? before, facts);
      nodes.at(-1)?.next.push(node);
      nodes.push(node);
    }
    return nodes;
  }

  // What the move between two positions gives away, as the engine says it; null if that is not certain.
  async function whyOf(node, before, after) {
    control.place(node.before);
    const line = [after.said ?? "0.00", node.move, ...after.moves ?? []];
    const why = await engine.ask(["why", ...line, "instead", before.said, ...before.moves].join(" "));
    return why === "none" ? null : why;
  }

  // What the verdicts on two positions say of the move between them; `make` writes it and returns the inverse.
  async function changeOf(node, before, after) {
    const facts = [toMove(node.before), before.white, after.white];
    const mark = markBetween(node, before, after);
    const line = mark ? await lineOf(node.before, before.moves.slice(0, LENGTH)) : [];
    const [reply] = mark && after.best ? await control.played(node, [after.best]) : [];
    if (mark) {
      line.at(-1).comment = withCommand(null, "eval", before.said);
      line[0].intro = await whyOf(node, before, after);
    }
    function make() {
      const others = node.marks.filter((each) => !LOSSES.some(([, own]) => each === own));
      const comment = withCommand(withoutAccuracy(node.comment), "eval", after.said);
      const undos = [write(node, { marks: mark ? [mark, ...others] : others, comment })];
      const old = node.before.next.filter((each) => each !== node && lessons.isOfEngine(each));
      undos.push(...old.map(remove));
      if (mark) undos.push(moveTo(line[0], node.before.next.indexOf(node) + 1));
      return together(undos);
    }
    return { node, mark, loss: lossOf(...facts), better: line[0], reply, make };
  }

  // Begins with a line, or goes on where it was stopped: without what was undone, and anew if all was done.
  function begin(nodes) {
    const old = job?.verdicts ?? [];
    const isDone = (node, at) => node === job?.nodes[at] && old[at] &&
      (at === 0 || commandOf(node.comment, "eval") === old[at].said);
    const count = Math.max(nodes.findIndex((node, at) => !isDone(node, at)), 0);
    const slips = job?.slips.filter(({ node }) => nodes.indexOf(node) < count && nodes.includes(node)) ?? [];
    job = { record: state.record, nodes, verdicts: old.slice(0, count), changes: [], slips, accuracy: null };
  }

  // Analyses the line that is shown from its first position to its last, or ends that.
  function turn() {
    if (state.mode === "judge") return control.act(stop);
    control.act(() => {
      const isNew = job?.changes.length > 0 && isReviewed();
      store();
      if (isNew) return;
      begin(state.line);
      state.enter("judge");
    });
  }

  // A game that was played here is looked at while the page rests at its end. What is found becomes a part of the record
  // when somebody wants to see it there.
  const reviews = () => state.mode === "look" && state.game && state.outcome && state.isAtTip && !state.analyses;
  const isOfGame = () => job?.record === state.record && job.nodes.at(-1) === state.tip;
  const isReviewed = () => isOfGame() && job.accuracy !== null;
  function review(isCurrent) {
    if (!isOfGame()) begin(lineThrough(state.root));
    return isReviewed() ? null : goOn(isCurrent);
  }

  async function goOn(isCurrent) {
    const { nodes, verdicts, changes, slips } = job;
    while (verdicts.length < nodes.length) {
      const node = nodes[verdicts.length];
      const verdict = await judgeNode(node);
      if (!isCurrent()) return;
      const change = verdicts.length > 0 ? await changeOf(node, verdicts.at(-1), verdict) : null;
      state.note(node, { white: verdict.white, brief: undefined });
      verdicts.push(verdict);
      if (change) changes.push(change);
      if (change?.mark) slips.push(change);
      control.draw();
      if (!isCurrent()) return;
    }
    control.place(nodes[0]);
    const line = nodes.slice(1).flatMap(({ move }, at) => [move, verdicts[at + 1].said ?? "0.00"]);
    const accuracy = JSON.parse(await engine.ask(["accuracy", verdicts[0].said, ...line].join(" ")));
    if (!isCurrent()) return;
    job.accuracy = accuracy;
    const node = nodes.at(-1);
    changes.push({ node, make: () => write(node, { comment: `${node.comment ?? ""} ${accuracy.words}`.trim() }) });
    if (state.mode === "judge") control.act(stop);
    else control.draw();
  }

  // Keeps what is done as one change of the record.
  function store() {
    const changes = job?.record === state.record ? job.changes.splice(0) : [];
    const still = changes.filter(({ node }) => nearest(state.root, node) === node);
    if (still.length > 0) state.edit(together(still.map(({ make }) => make())));
  }
  function stop() {
    store();
    state.enter();
  }

  function show() {
    const isOn = state.mode === "judge";
    part("progress").hidden = !isOn;
    if (isOn) [part("progress").max, part("progress").value] = [job.nodes.length, job.verdicts.length];
    put(part("analyse-game").lastElementChild, isOn ? "Stop" : "Analyse game");
    const [line, summary] = [lineThrough(state.root), part("summary").lastElementChild];
    const moves = line.slice(1);
    const known = moves.filter((node) => node.known.over || commandOf(node.comment, "eval"));
    const some = `${known.length} of ${moves.length} moves analysed`;
    const accuracy = ACCURACY.exec(moves.at(-1)?.comment)?.[1].replaceAll(/ \(.*?\)/g, "");
    const all = slipsInWords(line) + (accuracy ? ` · Accuracy: ${accuracy}` : "");
    put(summary, known.every((node) => node.known.over) ? "" : known.length < moves.length ? some : all);
    summary.hidden = isOn || !summary.textContent;
  }
  // Not while the engine plays in it.
  const isFree = () => state.mode === "judge" || (state.line.length > 1 && !state.isAgainstEngine);
  click("analyse-game", turn);
  control.on("leave", store);
  control.on("rest", (isCurrent) =>
    (state.mode === "judge" ? goOn(isCurrent) : reviews() ? review(isCurrent) : null));

  return {
    judgeNode, markOf, markBetween, whyOf, show, isFree, reviews, store,
    // The slips of the game that is at its end, the worst first, and how far it was looked at.
    slips: () => (isOfGame() ? job.slips.toSorted((a, b) => b.loss - a.loss) : []),
    accuracy: () => (isReviewed() ? job.accuracy : {}),
    share: () => (isOfGame() ? job.verdicts.length / job.nodes.length : 0),
  };
})();
