// steps.js: steps through a game by keys, buttons and the wheel.
// Takes tree, picture, state and control; gives `hearSteps`.

// Lets them step. There are more keys, with their help, and `lives` says which live.
function hearSteps(more, keysHelp, lives) {
  const { go, goTo } = control;
  // The next move with a mark, from the start again after the last.
  const seek = (mark) => {
    const { line, at, here } = state;
    goTo([...line.slice(at + 1), ...line.slice(0, at)].find((node) => judgementOf(node) === mark) ?? here);
  };
  // Chooses among the moves from here; without a choice goes to the start or the end.
  const choose = (step) => {
    const { line, at, here } = state;
    const all = here.next.filter(({ unplayed }) => !unplayed);
    if (all.length < 2) return go(step < 0 ? 0 : Infinity);
    state.show(all[(all.indexOf(line[at + 1]) + step + all.length) % all.length]);
    goTo(here);
  };
  const [back, on] = [() => go(state.at - 1), () => go(state.at + 1)];
  const leave = () => goTo(branchOf(state.here)?.before ?? state.here);
  const turn = () => { state.turn(); control.draw(); };
  const keys = { ArrowLeft: ({ shiftKey }) => (shiftKey ? leave() : back()), ArrowRight: on, k: back, j: on,
    Home: () => go(0), End: () => go(Infinity), ArrowUp: () => choose(-1), ArrowDown: () => choose(1),
    b: () => seek("??"), m: () => seek("?"), i: () => seek("?!"), f: turn,
    "?": () => part("help").showModal(), ...more };
  const buttons = { first: "Home", back: "k", on: "j", last: "End", flip: "f", "keys-help": "?" };
  for (const [name, key] of Object.entries(buttons)) click(name, keys[key]);
  hearKeys(keys, lives);
  let turned = 0;
  // With Ctrl, as from two fingers that pinch, and sideways the wheel is the browser's.
  part("board").addEventListener("wheel", (event) => {
    if (event.ctrlKey || Math.abs(event.deltaX) > Math.abs(event.deltaY)) return;
    event.preventDefault();
    turned += event.deltaY;
    if (Math.abs(turned) < 40) return;
    if (lives("Home")) (turned < 0 ? back : on)();
    turned = 0;
  }, { passive: false });
  for (const [key, text] of [
    ["← →, mouse wheel", "one move back, one on"], ["Home, End", "start, end"],
    ["↑ ↓, Shift ←", "choose among variations; leave one"],
    ["B, M, I", "the next blunder (??), mistake (?), inaccuracy (?!)"], ["F", "turn the board"], ...keysHelp,
  ]) part("help").querySelector("table").insertRow().append(element("th", key), element("td", text));
}

// The name of a key; its place decides where a layout has letters of another script.
function keyOf({ key, code }) {
  const isForeign = /[\p{L}\p{M}]/u.test(key) && !/\p{Script=Latin}/u.test(key);
  const name = (isForeign && /^Key(.)$/.exec(code)?.[1]) || key;
  return name === " " ? "Space" : name.length === 1 ? name.toLowerCase() : name;
}

// Lets keys do it where they live and have no other meaning; those that change something go with Ctrl.
function hearKeys(keys, lives) {
  addEventListener("keydown", (event) => {
    const { target } = event, key = keyOf(event);
    if (!Object.hasOwn(keys, key) || !lives(key) || document.querySelector("dialog[open]")) return;
    if (event.altKey || (event.ctrlKey || event.metaKey) !== (key === "z" || key === "y")) return;
    // A list chooses with keys of its own, a button and a box are pressed with Space.
    const isList = !/^(Arrow(Left|Right)|Home|End)$/.test(key) && "select";
    const isPressed = key === "Space" && "button, input, a, summary";
    if (target.matches?.(["input:not([type=checkbox]), textarea", isList, isPressed].filter(Boolean).join())) return;
    event.preventDefault();
    keys[key](event);
  });
}
