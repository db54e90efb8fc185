// Steps through a game by keys and the wheel, as on every page.

// What keys do. A page gives the node that is shown and the line through it, and goes to a node in a line through another.
function stepKeys({ here, line, goTo, turn }) {
  const at = () => line().indexOf(here());
  const go = (to) => goTo(line()[Math.min(Math.max(to, 0), line().length - 1)], line().at(-1));
  // The next move with a mark, from the start again after the last.
  const seek = (mark) => {
    const nodes = [...line().slice(at() + 1), ...line().slice(0, at() + 1)];
    goTo(nodes.find((node) => judgementOf(node) === mark) ?? here(), line().at(-1));
  };
  // Chooses among the moves from here; without a choice goes to the start or the end.
  const choose = (step) => {
    const all = here().next.filter(({ unplayed }) => !unplayed);
    if (all.length < 2) return go(step < 0 ? 0 : Infinity);
    goTo(here(), all[(all.indexOf(line()[at() + 1]) + step + all.length) % all.length]);
  };
  const [back, on, leave] = [() => go(at() - 1), () => go(at() + 1), () => goTo(branchOf(here())?.before ?? here())];
  return { ArrowLeft: ({ shiftKey }) => (shiftKey ? leave() : back()), ArrowRight: on, k: back, j: on,
    Home: () => go(0), End: () => go(Infinity), ArrowUp: () => choose(-1), ArrowDown: () => choose(1),
    b: () => seek("??"), m: () => seek("?"), i: () => seek("?!"), f: turn };
}
const STEP_HELP = [["← →, mouse wheel", "one move back, one on"], ["Home, End", "start, end"],
  ["↑ ↓, Shift ←", "choose among variations; leave one"],
  ["B, M, I", "the next blunder (??), mistake (?), inaccuracy (?!)"], ["F", "turn the board"]];

// Steps as the wheel turns over the board.
function stepByWheel(step) {
  let turned = 0;
  part("board").addEventListener("wheel", (event) => {
    event.preventDefault();
    turned += event.deltaY;
    if (Math.abs(turned) < 40) return;
    step(Math.sign(turned));
    turned = 0;
  }, { passive: false });
}
