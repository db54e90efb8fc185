// whole_game.js: the analysis of the whole game, as `quadrille annotate` does it: each position searched as if it were
// the first, with the same nodes and table, so that scores and marks are the same.
// Takes tree, picture, moves, dialogue, state, findings, control, lessons and the data of the page; gives `judge`.
const judge = (() => {
  const { nodes: NODES, table: TABLE, line: LENGTH, marks: LOSSES } = program;
  // What is done and to be done: `{ record, nodes, verdicts, changes }`. It waits while a person acts, and when it was
  // stopped it can be continued.
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

  // The mark of a move by what it leaves of the best result that its side can expect.
  function markOf(side, best, white) {
    const loss = side === "w" ? best - white : white - best;
    return LOSSES.find(([least]) => loss >= least)?.[1] ?? null;
  }

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

  // What the verdicts on two positions make of the move between them: a function that does it and returns its inverse.
  async function changeOf(node, before, after) {
    const mark = before.best === node.move ? null : markOf(toMove(node.before), before.white, after.white);
    const line = mark ? await lineOf(node.before, before.moves.slice(0, LENGTH)) : [];
    if (mark) line.at(-1).comment = withCommand(null, "eval", before.said);
    return () => {
      const others = node.marks.filter((each) => !LOSSES.some(([, own]) => each === own));
      const comment = withCommand(node.comment, "eval", after.said);
      const undos = [write(node, { marks: mark ? [mark, ...others] : others, comment })];
      const old = node.before.next.filter((each) => each !== node && lessons.isOfEngine(each));
      undos.push(...old.map(remove));
      if (mark) undos.push(moveTo(line[0], node.before.next.indexOf(node) + 1));
      return together(undos);
    };
  }

  // Analyses the line that is shown from its first position to its last, or ends that.
  function turn() {
    if (state.mode === "judge") return control.act(stop);
    control.act(() => {
      // Without what was undone; and anew, if all was done.
      const nodes = state.line, old = job?.verdicts ?? [];
      const isDone = (node, at) => node === job?.nodes[at] && old[at] &&
        (at === 0 || commandOf(node.comment, "eval") === old[at].said);
      const count = nodes.findIndex((node, at) => !isDone(node, at));
      job = { record: state.record, nodes, verdicts: old.slice(0, Math.max(count, 0)), changes: [] };
      state.enter("judge");
    });
  }

  async function goOn(isCurrent) {
    const { nodes, verdicts, changes } = job;
    while (verdicts.length < nodes.length) {
      const node = nodes[verdicts.length];
      const verdict = await judgeNode(node);
      if (!isCurrent()) return;
      const change = verdicts.length > 0 ? await changeOf(node, verdicts.at(-1), verdict) : nothing;
      state.note(node, { white: verdict.white, brief: undefined });
      verdicts.push(verdict);
      if (verdicts.length > 1) changes.push([node, change]);
      control.draw();
      if (!isCurrent()) return;
    }
    control.act(stop);
  }

  // Keeps what is done as one change of the record.
  function store() {
    const changes = job?.record === state.record ? job.changes.splice(0) : [];
    const still = changes.filter(([node]) => nearest(state.root, node) === node);
    if (still.length > 0) state.edit(together(still.map(([, change]) => change())));
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
    put(summary, known.every((node) => node.known.over) ? "" : known.length < moves.length ? some : slipsInWords(line));
    summary.hidden = isOn || !summary.textContent;
  }
  // Not while the engine plays in it.
  const isFree = () => state.mode === "judge" || (state.line.length > 1 && !state.isAgainstEngine);
  click("analyse-game", turn);
  control.on("leave", store);
  control.on("rest", (isCurrent) => state.mode === "judge" && goOn(isCurrent));

  return { judgeNode, markOf, show, isFree };
})();
