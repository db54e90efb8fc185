// lessons.js: a lesson from the mistakes of a game, as data.
// Takes moves and state; gives `lessons`.
//
// A lesson is `{ side, tasks, at, ended, found }`: `tasks` are the marked moves of a side for which a better line is
// known, `at` counts those that have gone, `ended` is how the present one ended: "found", "shown", or null; `found`
// counts those that were found.
const lessons = (() => {
  // A line as `annotate` writes a better one: moves alone, and a score behind the last.
  function isOfEngine(node) {
    const [next] = node.next;
    if (node.next.length > 1 || node.marks.length > 0 || node.intro || node.unplayed) return false;
    return next ? !node.comment && isOfEngine(next) : /^\[%eval [^\]]*\]$/.test(node.comment ?? "");
  }

  // The better line for a move, by its first move.
  const betterOf = (node) => node.before.next.find((each) => each !== node && isOfEngine(each));
  const tasksOf = (line, side) => line.filter((node) =>
    node.before && toMove(node.before) === side && shade(node) && betterOf(node));

  // A lesson for a side or, if it made no mistake, for the other; null if neither did.
  function create(line, wish) {
    const side = [wish, other(wish)].find((each) => tasksOf(line, each).length > 0);
    return side ? { side, tasks: tasksOf(line, side), at: 0, ended: null, found: 0 } : null;
  }
  const taskOf = ({ tasks, at }) => tasks[at] ?? null;

  // The task ends: the person found a move, or was shown one.
  function end(lesson, how) {
    lesson.found += Number(!lesson.ended && how === "found");
    lesson.ended ??= how;
  }
  function goOn(lesson) {
    Object.assign(lesson, { at: lesson.at + 1, ended: null });
  }

  return { isOfEngine, betterOf, create, taskOf, end, goOn };
})();
