// What always holds of the state of the page: the faults of a state, none if it is sound. The test in node and those in
// a browser ask it.

// What was seen of the game: it moves only by its own actions, which it counts.
let seen = null;

function check(state) {
  const { record, game, here, root } = state;
  const faults = [];
  const holds = (is, fault) => { if (!is) faults.push(fault); };
  holds(nearest(root, here) === here && !here.unplayed, "here is not in the tree");
  holds(state.line[state.at] === here, "here is not in its line");
  holds(modes.all.includes(state.mode), "there is no such mode");
  holds((state.mode === "learn") === (state.aside !== null), "a lesson has no game to come back");
  holds(!state.aside?.game?.clock?.side && !state.aside?.aside, "a clock runs beside a lesson");
  holds(state.mode !== "play" || (state.runs && !state.analyses), "there is no game to play");
  holds(!(state.mode === "look" && state.runs) || state.analyses, "a game is not played");
  const text = records.textOf(record);
  const again = readPgn(state.pgn)[0];
  const written = again && !again.fault && writePgn(treeOf(again), again, root.fen);
  holds(written === state.pgn, "the PGN does not come back");
  for (const list of [record.undo, record.redo].filter(({ length }) => length > 0)) {
    list.push(list.pop()()());
    holds(records.textOf(record) === text, "undo then redo changes something");
  }
  holds(!state.hint || nearest(root, state.hint.node) === state.hint.node, "the hint is not in the tree");
  holds(!state.hint || !state.fault, "a hint and a fault at a time");
  holds(!state.slip || (state.isAgainstEngine && !state.isPersons && !state.isEngines && !game.clock && !state.premove),
    "the engine waits without a slip");
  holds(!state.premove || state.premove.node || game, "a move waits for no game");
  if (game) {
    holds(nearest(root, game.tip) === game.tip && branchOf(game.tip) === null, "the game is not the main line");
    holds(pathTo(game.tip).includes(game.first), "the game has no beginning");
    holds(game.clock?.side == null || (state.runs && game.clock.side === toMove(game.tip)), "the wrong clock runs");
    const isOld = seen?.game === game && seen.steps === game.steps;
    holds(!isOld || (seen.tip === game.tip && seen.over === game.over), "the game has moved by itself");
    seen = { game, steps: game.steps, tip: game.tip, over: game.over };
  }
  return faults;
}
