// modes.js: the modes of the page.
// Takes the data of the page; gives `modes`.

// What the page is doing, and what lives meanwhile: the drawing is in the README of the board.
// Of a mode: its `panel` beside the board; whether the `clock` runs, the engine `answers` in the game and `analyses`,
// the pieces move (`moves`), and what they do is a try alone (`tries`); the `keys` that live, and the
// buttons that are `off` although they are in sight. Without an engine nothing of it lives but the keys that step.
const modes = (() => {
  const STEP = "ArrowLeft ArrowRight ArrowUp ArrowDown Home End PageUp PageDown j k b m i f ? Escape z y";
  const FACTS = ["clock", "answers", "analyses", "moves", "tries"];
  const hasEngine = program.positions === undefined, OF_ENGINE = ["l", "Space", "x", "t"];
  const mode = (panel, lives, keys, off = "") => ({
    panel, keys: new Set(keys.split(" ").filter((key) => hasEngine || !OF_ENGINE.includes(key))),
    off: new Set(off.split(" ").filter(Boolean)),
    ...Object.fromEntries(FACTS.map((name) => [name, hasEngine && lives.includes(name)])),
  });
  const table = {
    begin: mode("side", "", "f ?", "show-rules more hint"),
    play: mode("side", "clock answers moves", `${STEP} e t l`),
    look: mode("side", "answers analyses moves", `${STEP} e t l Space x a`),
    judge: mode("side", "moves", `${STEP} e t`,
      "show-rules first-steps set-up rename takeback hint draw resign look analyse learn threat arrows"),
    learn: mode("lesson", "moves tries", "f ? Escape", "learn"),
    "set up": mode("palette", "", "f ?", "new show-rules first-steps"),
  };
  return { table, all: Object.keys(table) };
})();
