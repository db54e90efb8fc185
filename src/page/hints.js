// hints.js: what the engine advises in the position that is shown, when it is asked.
// Takes tree, picture, dialogue, state, words, control and the data of the page; gives `hints`.
const hints = (() => {
  function pieceWith(move) {
    const [from] = squares(move), letter = pieces(state.here.fen).get(from);
    const whose = state.humans.length === 1 ? "Your" : `${SIDES[sideOf(letter)]}'s`;
    return `${whose} ${gameSet().names[letter.toUpperCase()]} on ${from} has the best move`;
  }
  // Shows a move, or the piece that has it.
  function tell(kind, { node, move, san }) {
    const text = kind === "piece" ? pieceWith(move) : `${kind === "threat" ? "Threat" : "Hint"}: ${san}`;
    state.tell({ hint: { node, move, san, kind, text } });
    say(text);
    control.draw();
  }
  const search = (kind, position) => control.act(async (isCurrent) => {
    const { here } = state;
    const [node, game] = position();
    const [move] = await control.search(node, program.fullLevel, 1, "movetime 1000", game);
    if (move === "(none)") throw new Error("there is none");
    const san = await engine.ask(`san ${move}`);
    if (isCurrent()) tell(kind, { node: here, move, san });
  }).then(control.refuse);

  // First the piece that has the best move, then the move.
  function ask() {
    const { hint, here } = state;
    if (hint?.node !== here || hint.kind === "threat") search("piece", () => [here]);
    else tell(hint.kind === "piece" ? "arrow" : "piece", hint);
  }
  // What the other side would do if it were to move.
  const askThreat = () => search("threat", () => {
    const { record: { variant }, here, here: { known: { check, over } } } = state;
    const start = control.passed(here.fen);
    if (over) throw new Error("the game is over");
    if (check) throw new Error(`${SIDES[toMove(here)]} is in check: that is the threat`);
    return [newNode(null, { fen: start }), { variant, start }];
  });

  return { ask, askThreat };
})();
