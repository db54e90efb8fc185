// lasts.js: the last games that were played in this browser. Takes state, control, games and files.js; gives `lasts`.
//
// They are kept as `State.kept` gives them, the newest first. Another page of this address may have written there too.
const lasts = (() => {
  const COUNT = 20, LEAST_PLIES = 2;
  // Letters of a game, and of all.
  const LONGEST = 1e5, ALL = 1e6;
  let noted = "";

  const isSound = (kept) => isKept(kept) && Object.hasOwn(sets, kept.variant) &&
    ["w", "b"].every((side) => (kept.game?.players[side] ?? 0) <= program.fullLevel);

  function all() {
    let list = null;
    try { list = JSON.parse(recall("localStorage", "last games")); } catch { /* It is not ours. */ }
    return (Array.isArray(list) ? list : []).slice(0, COUNT).filter((kept) => isSound(kept) && kept.game);
  }
  const others = () => all().filter(({ game }) => game.began !== state.game?.began);

  // Keeps the game that is played.
  function note() {
    const { game } = state;
    const plies = game && pathTo(game.tip).length - pathTo(game.first).length;
    if (!game || plies < LEAST_PLIES || state.pgn === noted) return;
    const kept = { ...state.kept(), saved: "" };
    noted = kept.pgn;
    if (game.clock) kept.game.clock = clocks.stop(game.clock, Date.now());
    if (JSON.stringify(kept).length > LONGEST) return;
    const list = [kept, ...others()].slice(0, COUNT);
    while (JSON.stringify(list).length > ALL) list.pop();
    keep("localStorage", "last games", JSON.stringify(list));
  }

  // Opens a game that was kept, as it was.
  const load = (kept, then) => {
    const [read] = readPgn(kept.pgn);
    if (!read || read.fault) return new Error(read?.fault ?? "there is no game in it");
    return control.load(kept.variant, kept.start, read, () => { state.restore(kept); then(); });
  };

  function show() {
    const found = others().map((kept) => [kept, readPgn(kept.pgn)[0]]).filter(([, read]) => read && !read.fault);
    part("last-games").hidden = found.length === 0;
    part("last-list").replaceChildren(...found.map(([kept, { tags }], number) => {
      const row = games.rowOf(tags, number);
      row.firstChild.onclick = () => openInstead(() => load(kept, () => records.save(state.record)));
      return row;
    }));
  }

  return { isSound, note, load, show };
})();
