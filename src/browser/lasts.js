// lasts.js: the last games that were played in this browser. Takes state, control, games and files.js; gives `lasts`.
//
// They are kept as `State.kept` gives them, with their tags, the newest first.
const lasts = (() => {
  const COUNT = 20, LEAST_PLIES = 2;
  // Letters of a game, so that there is room for all.
  const LONGEST = 1e5;
  let noted = "";

  // Those besides the game that is played; none if something else is kept there.
  function others() {
    try {
      const all = JSON.parse(recall("localStorage", "last games"));
      return all.filter(({ game, tags }) => tags && game.began !== state.game?.began);
    } catch {
      return [];
    }
  }

  // Keeps the game that is played.
  function note() {
    const { game, pgn, tags } = state;
    const plies = game && pathTo(game.tip).length - pathTo(game.first).length;
    if (!game || plies < LEAST_PLIES || pgn === noted) return;
    noted = pgn;
    const kept = { ...state.kept(), tags, isChanged: false };
    if (game.clock) kept.game.clock = clocks.stop(game.clock, clocks.now());
    if (JSON.stringify(kept).length <= LONGEST)
      keep("localStorage", "last games", JSON.stringify([kept, ...others()].slice(0, COUNT)));
  }

  // Opens a game that was kept, as it was.
  const load = (kept, then = () => {}) =>
    openRecord(readPgn(kept.pgn)[0], () => { state.restore(kept); then(); });

  function show() {
    const rows = others().map((kept, number) => {
      const row = games.rowOf(kept, number);
      row.firstChild.onclick = () => openInstead(() => load(kept));
      return row;
    });
    part("last-games").hidden = rows.length === 0;
    part("last-list").replaceChildren(...rows);
  }

  return { note, load, show };
})();
