// modes.js: what the page is doing, and what lives meanwhile: the drawing is in the README.
// Takes nothing, gives `modes`.
//
// Of a mode: its `panel` beside the board; whether the `clock` runs, the engine `answers` in the game and `analyses`,
// the pieces move (`moves`), and what they do is a try alone (`tries`); its buttons and fields by their ids; its keys.
const modes = (() => {
  const STEP = "first back on last flip more";
  const EDIT = "promote make-main cut undo redo marks write copy-line take-over";
  const OPEN = "new show-rules set-up exchange open-files rename";
  const GAME = "move takeback hint draw resign";
  const FIND = "look analyse analyse-game learn threat arrows rematch";
  const STEP_KEYS = "ArrowLeft ArrowRight ArrowUp ArrowDown Home End PageUp PageDown j k b m i e f t ? Escape z y";
  const mode = (panel, lives, buttons, keys) => ({
    panel, buttons: new Set(buttons.split(" ")), keys: new Set(keys.split(" ")),
    ...Object.fromEntries("clock answers analyses moves tries".split(" ").map((name) => [name, lives.includes(name)])),
  });
  const table = {
    begin: mode("side", "", "new flip", "f ?"),
    play: mode("side", "clock answers moves", `${STEP} ${EDIT} ${OPEN} ${GAME} ${FIND}`, `${STEP_KEYS} l`),
    look: mode("side", "answers analyses moves", `${STEP} ${EDIT} ${OPEN} ${GAME} ${FIND}`, `${STEP_KEYS} l Space x a`),
    judge: mode("side", "moves", `${STEP} ${EDIT} new exchange open-files move analyse-game`, STEP_KEYS),
    learn: mode("lesson", "moves tries", "flip answer next-lesson end-lesson new exchange", "f ? Escape"),
    "set up": mode("palette", "", "flip", "f ?"),
    rules: mode("rules", "clock answers moves", `${STEP} new show-rules`, STEP_KEYS),
  };
  return {
    table,
    all: Object.keys(table),
    // Every button that a mode may switch off.
    buttons: [...new Set(Object.values(table).flatMap(({ buttons }) => [...buttons]))],
  };
})();
