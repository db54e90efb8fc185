// lessons.js: lessons as data: better moves for the mistakes of a game, and first steps in a game.
// Takes tree, picture, moves, state and words; gives `lessons`.
//
// A lesson is `{ variant, title, tasks, at, done, isGame }`: `at` is the number of the task that is asked, `done` has the
// names of those that were done, `isGame` is true if a game follows. A task has a `name`, a position (`fen`), moves that
// `show` how, and the texts `head`, `how`, `rule` and `shown`; the pieces beside them are letters (`pieces`). One of a
// mistake has the `slip` and the `better` move. One of the first steps has a `goal`, the number of `moves`, and what is
// said of a `wrong` and a `right` try.
const lessons = (() => {
  // A line as `annotate` writes a better one: what the mistake costs, moves alone, and a score behind the last.
  const WHY = /^(?:(?:does not recapture|gives a king away|lets|loses|misses) .*\)|(?:turns a|ends in a draw by) .*)$/;
  function isOfEngine(node) {
    const [next] = node.next;
    if (node.next.length > 1 || node.marks.length > 0 || node.unplayed || (node.intro && !WHY.test(node.intro))) return false;
    return next ? !node.comment && isOfEngine(next) : /^\[%eval [^\]]*\]$/.test(node.comment ?? "");
  }

  // The better line for a move, by its first move.
  const betterOf = (node) => node.before.next.find((each) => each !== node && isOfEngine(each));

  // The mistakes of a side or, if it made none, of the other; null if neither did.
  function ofMistakes(variant, line, wish) {
    const isSlip = (node, side) => node.before && toMove(node.before) === side && shade(node) && betterOf(node);
    const side = [wish, other(wish)].find((each) => line.some((node) => isSlip(node, each)));
    if (!side) return null;
    const tasks = line.filter((node) => isSlip(node, side)).map((slip) => {
      const better = betterOf(slip), name = `${nameOfMove(slip)}${judgementOf(slip)}`;
      const moves = lineThrough(better).slice(pathTo(better).length - 1).map(({ san }) => san);
      const shown = `Better was ${numberedLine(slip.before.fen, moves)}.`, how = `${SIDES[side]} played ${name}.`;
      return { name, fen: slip.before.fen, slip, better, show: [better.move], head: "Find a better move", how, shown };
    });
    return { variant, title: "Learn from the mistakes", tasks, at: 0, done: new Set() };
  }

  // The first steps of a game, with the names of those that were done.
  function ofSteps(variant, steps, done) {
    const tasks = steps.map((task) =>
      ({ ...task, moves: Number(task.moves ?? 1), show: task.show.split(" "), shown: "Play what the arrow shows." }));
    const at = Math.max(tasks.findIndex(({ name }) => !done.has(name)), 0);
    return { variant, title: `First steps in ${nameOfGame(variant)}`, tasks, at, done, isGame: true };
  }

  // Whether the moves of a side have reached a goal: all that its words say. `over` is a game won, `check` an attack,
  // `safe` that the other side can take nothing, `castles` a castling, `-k` that it has no king left, `A@j4` an
  // archbishop on j4; `x`, `=B`, `+Q` begin an effect of a move: it takes, turns into a bishop, brings in a queen.
  function reaches(goal, nodes) {
    const last = nodes.at(-1), { known: { over, check, effects } } = last, there = pieces(last.fen);
    const effectOf = ({ before, move }) => before.known.effects.split(" ").find((each) => each.split(":")[0] === move);
    const all = nodes.flatMap((node) => effectOf(node).split(":")[1]?.match(/x|[=+]./g) ?? []);
    const words = {
      over: () => over?.winner === toMove(last.before), check: () => check, safe: () => !effects.includes(":x"),
      castles: () => nodes.some(({ san }) => san.startsWith("O-O")),
    };
    return goal.split(" ").every((word) => words[word]?.() ?? (word.includes("@") ? there.get(word.slice(2)) === word[0]
      : word[0] === "-" ? ![...there.values()].includes(word[1]) : all.some((each) => each.startsWith(word))));
  }

  return { isOfEngine, betterOf, ofMistakes, ofSteps, reaches };
})();
