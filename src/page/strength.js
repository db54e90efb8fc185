// strength.js: how strong the levels are, and the person, by the results against them, which this browser keeps.
// Takes dialogue, kept, state, control and the data of the page; gives `strength`.
const strength = (() => {
  // The last games count.
  const COUNT = 20;

  // The Elo of a level: all steps are equal.
  function eloOf(variant, level) {
    const [lowest, full] = help[variant].elo;
    return lowest + ((full - lowest) * level) / program.fullLevel;
  }

  // What was kept: of each game of a variant when it began, the Elo of the level, and the person's points.
  const all = () => recallAll("strength");
  const isResult = (value) => kepts.fits(value, [0]) && value.length === 3;
  const resultsOf = (variant) => (kepts.fits(all()[variant], [isResult]) ? all()[variant] : []);

  // The Elo that would have these results (maximum likelihood), null without any. A drawn game against the first level
  // is added: who has won all has a limit too.
  function of(variant, results = resultsOf(variant)) {
    if (results.length === 0) return null;
    const played = [...results, [0, results[0][1], 0.5]];
    const missing = (own) =>
      played.reduce((sum, [, elo, points]) => sum + points - 1 / (1 + 10 ** ((elo - own) / 400)), 0);
    let [low, high] = [0, 5000];
    while (high - low > 1) {
      const middle = (low + high) / 2;
      if (missing(middle) > 0) low = middle;
      else high = middle;
    }
    return Math.round(low / 50) * 50;
  }

  // The level that is as strong as the person, null without a result.
  function levelFor(variant) {
    const elo = of(variant), [lowest, full] = help[variant].elo;
    const level = Math.round((program.fullLevel * (elo - lowest)) / (full - lowest));
    return elo === null ? null : Math.min(Math.max(level, 0), program.fullLevel);
  }

  // Whether the game that is over was played by one person from the start against a level.
  function counts() {
    const { game, outcome, humans, root, record: { start } } = state;
    return Boolean(outcome && humans.length === 1 && !start && game.first === root);
  }
  control.on("draw", () => {
    if (!counts()) return;
    const { game, outcome, humans, record: { variant } } = state;
    const points = outcome.winner === null ? 0.5 : Number(outcome.winner === humans);
    const result = [game.began, eloOf(variant, game.players[other(humans)]), points];
    const results = resultsOf(variant);
    if (results.some((each) => each.join() === result.join())) return;
    // A game of which moves were taken back ends once more, and an old one that is opened again is no new one.
    const others = results.filter(([began]) => began !== game.began);
    const inOrder = [...others, result].sort(([a], [b]) => a - b).slice(-COUNT);
    keep("localStorage", "strength", JSON.stringify({ ...all(), [variant]: inOrder }));
  });

  // Without the last game.
  const before = (variant) => of(variant, resultsOf(variant).slice(0, -1));

  return { eloOf, of, before, levelFor, counts, countOf: (variant) => resultsOf(variant).length };
})();
