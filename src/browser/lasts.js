// lasts.js: the last games that were played in this browser. Takes state, control, games and files.js; gives `lasts`.
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
  const others = () => all().filter(({ game, pgn }) => game.began !== state.game?.began || pgn !== noted);
  const has = () => state.game !== null && state.pgn === noted && others().length < all().length;

  // Keeps the game that is played.
  function note() {
    const { game, pgn, tags } = state;
    const plies = game && pathTo(game.tip).length - pathTo(game.first).length;
    if (!game || plies < LEAST_PLIES || pgn === noted) return;
    const kept = { ...state.kept(), tags, isChanged: false };
    if (game.clock) kept.game.clock = clocks.stop(game.clock, clocks.now());
    if (JSON.stringify(kept).length > LONGEST) return;
    if (keep("localStorage", "last games", JSON.stringify([kept, ...others()].slice(0, COUNT)))) noted = pgn;
  }

  // Opens a game that was kept, as it was.
  async function load(kept, then = () => {}) {
    const read = kepts.read(kept);
    if (!read) return new Error("the browser did not keep this game as it was");
    return openRecord(read, () => {
      noted = kept.noted ?? kept.pgn;
      state.restore(kept);
      then();
    });
  }

  function show() {
    const rows = others().map((kept, number) => {
      const row = games.rowOf(kept, number);
      row.firstChild.onclick = () => openInstead(() => load(kept));
      return row;
    });
    part("last-games").hidden = rows.length === 0;
    part("last-list").replaceChildren(...rows);
  }

  return { note, load, show, get has() { return has(); }, get noted() { return noted; } };
})();
