// modes.js: what the page is doing, and what lives meanwhile: the drawing is in the README.
// Takes nothing, gives `modes`.
//
// Of a mode: its `panel` beside the board; whether the `clock` runs, the engine `answers` in the game and `analyses`,
// and the pieces move (`moves`); its buttons and fields by their ids, and its keys.
const modes = (() => {
  const STEP = "first back on last flip";
  const EDIT = "promote cut undo redo mark remark take-over";
  const OPEN = "new show-rules set-up exchange";
  const GAME = "move takeback hint draw resign";
  const STEP_KEYS = "ArrowLeft ArrowRight ArrowUp ArrowDown Home End j k b m i f ? Escape z y";
  const table = {
    begin: { panel: "side", clock: false, answers: false, analyses: false, moves: false, buttons: "flip", keys: "f ?" },
    play: {
      panel: "side", clock: true, answers: true, analyses: false, moves: true,
      buttons: `${STEP} ${EDIT} ${OPEN} ${GAME} analyse analyse-game`, keys: `${STEP_KEYS} l`,
    },
    look: {
      panel: "side", clock: false, answers: true, analyses: true, moves: true,
      buttons: `${STEP} ${EDIT} ${OPEN} ${GAME} analyse analyse-game`, keys: `${STEP_KEYS} l Space`,
    },
    judge: {
      panel: "side", clock: false, answers: false, analyses: false, moves: true,
      buttons: `${STEP} ${EDIT} ${OPEN} move analyse-game`, keys: STEP_KEYS,
    },
    "set up": {
      panel: "palette", clock: false, answers: false, analyses: false, moves: false,
      buttons: "flip", keys: "f ?",
    },
    rules: {
      panel: "rules", clock: true, answers: true, analyses: false, moves: true,
      buttons: `${STEP} show-rules`, keys: STEP_KEYS,
    },
  };
  for (const mode of Object.values(table))
    for (const list of ["buttons", "keys"]) mode[list] = new Set(mode[list].split(" "));
  return {
    table,
    all: Object.keys(table),
    // Every button that a mode may switch off.
    buttons: [...new Set(Object.values(table).flatMap(({ buttons }) => [...buttons]))],
  };
})();
