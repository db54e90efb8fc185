// hints.js: what the engine advises in the position that is shown, when it is asked.
// Takes tree, picture, dialogue, state, words, control and the data of the page; gives `hints`.
const hints = (() => {
  // Searches a position, and shows what `shown` makes of the best move there and its SAN.
  function search(position, shown) {
    return control.act(async (isCurrent) => {
      const { here } = state;
      const [node, game] = position();
      const [move] = await control.search(node, program.fullLevel, 1, "movetime 1000", game);
      if (move === "(none)") throw new Error("there is none");
      const san = await engine.ask(`san ${move}`);
      if (isCurrent()) tell({ node: here, move, san, ...shown(move, san) });
    }).then(control.refuse);
  }
  function tell(hint) {
    state.tell({ hint });
    say(hint.text);
  }

  // Shows the piece that has the best move, and then the move.
  const pieceOf = (move) => {
    const [from] = squares(move), letter = pieces(state.here.fen).get(from);
    const whose = state.humans.length === 1 ? "Your" : `${SIDES[sideOf(letter)]}'s`;
    return { kind: "piece", text: `${whose} ${gameSet().names[letter.toUpperCase()]} on ${from} has the best move` };
  };
  const moveOf = (move, san) => ({ kind: "arrow", text: `Hint: ${san}` });
  function ask() {
    const { hint, here } = state;
    if (hint?.node !== here || hint.kind === "threat") return search(() => [here], pieceOf);
    const next = hint.kind === "piece" ? moveOf : pieceOf;
    tell({ ...hint, ...next(hint.move, hint.san) });
    control.draw();
  }

  // Shows what the other side would do if it were to move.
  const askThreat = () => search(() => {
    const { record: { variant }, here, here: { known: { check, over } } } = state;
    const start = control.passed(here.fen);
    if (over) throw new Error("the game is over");
    if (check) throw new Error(`${SIDES[toMove(here)]} is in check: that is the threat`);
    return [newNode(null, { fen: start }), { variant, start }];
  }, (move, san) => ({ kind: "threat", text: `Threat: ${san}` }));

  return { ask, askThreat };
})();
