// lasts.js: the last games that were played in this browser.
// Takes tree, picture, dialogs, dialogue, clock, kept, state, words, control and games; gives `lasts`, `isUnsaved`,
// `mayLeave`, `tellFault` and `openInstead`.
//
// They are kept as `State.kept` gives them, with their tags, the newest first. The same game may be played on in two
// pages: its own a page knows by the text that it kept last.
const lasts = (() => {
  const COUNT = 20, LEAST_PLIES = 2;
  // Letters of a game, so that there is room for all.
  const LONGEST = 1e5;
  let noted = "";

  // What else is kept there is none.
  function all() {
    try {
      const all = JSON.parse(recall("localStorage", "last games"));
      return all.filter((each) => kepts.hasForm(each) && each.game && kepts.fits(each.tags, [kepts.tag]));
    } catch {
      return [];
    }
  }
  // Those besides the game that is played here.
  const others = () => all().filter(({ game, pgn }) => game.began !== state.own.game?.began || pgn !== noted);
  const has = () => state.own.game !== null && state.own.pgn === noted && others().length < all().length;

  // Keeps the game that is played, as `State.kept` gives it.
  function note(now) {
    const { game, tags } = state, { pgn } = now;
    const plies = game && pathTo(game.tip).length - pathTo(game.first).length;
    if (!game || plies < LEAST_PLIES || pgn === noted) return;
    const stopped = { ...now.game, clock: game.clock && clocks.stop(game.clock, clocks.now()) };
    const kept = { ...now, tags, isChanged: false, game: stopped };
    if (JSON.stringify(kept).length > LONGEST) return;
    if (keep("localStorage", "last games", JSON.stringify([kept, ...others()].slice(0, COUNT)))) noted = pgn;
  }

  // Opens a game that was kept, as it was.
  async function load(kept, then = () => {}) {
    const read = kepts.read(kept);
    if (!read) return new Error("the browser did not keep this game as it was");
    return control.open(read, () => {
      noted = kept.noted ?? kept.pgn;
      state.restore(kept);
      then();
    });
  }

  return { note, load, others, get has() { return has(); }, get noted() { return noted; } };
})();

// A game that is among the last ones can be had again.
const isUnsaved = () => (state.own.isChanged && !lasts.has) || games.isChanged || state.mode === "judge";

// Asks before something is lost; a position that is set up is not, if it is what is played now.
async function mayLeave(usesSetUp = false) {
  if (state.mode === "set up" && !usesSetUp) return isSure("Leave this position? It is not saved.");
  if (games.isChanged) return isSure("Leave this file? Its changes are not saved.");
  return !isUnsaved() || isSure(`Leave this game of ${nameOfGame(state.own.record.variant)}? It is not saved.`);
}

// Says a fault where the person looks.
function tellFault(error) {
  const place = part("files").open ? "refusal" : part("begin").open && "refused";
  if (place) part(place).textContent = sentence(error);
  else control.refuse(error);
}

// Opens something instead of what is there, if that may be left.
async function openInstead(work) {
  if (!(await mayLeave())) return;
  const error = await work();
  if (error) tellFault(error);
  else for (const name of ["files", "begin"]) part(name).close();
}
