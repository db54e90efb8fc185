// games.js: the games of a file: opened, walked through, changed and saved, and their list beside the board.
// Takes picture, pgn, game_file, dialogs, dialogue, record, state, words and control; gives `games`.
//
// `file` is a file of game_file.js with the game that is shown: its `record`, its number `at`, and its text when it was
// `opened`. Another record has left the file.
const games = (() => {
  // Games that are tried before a file is refused.
  const TRIED = 10;
  // With it the game that somebody walks to.
  let file = null, wish = null;
  const list = part("games-list");

  const isHere = () => file?.record === state.own.record;
  function keepFile() {
    keep("sessionStorage", "file", "");
    if (!keep("sessionStorage", "file", gameFiles.packed(file)))
      control.refuse(new Error("the browser has no room for this file: save it before you load this page again"));
  }

  // --- Opened and left -------------------------------------------------------------------------------

  function use(next, at, opened = state.pgn) {
    const isNew = next !== file;
    file = Object.assign(next, { record: state.record, at, opened });
    if (!isNew) return;
    list.classList.toggle("mixed", new Set(file.games.map((game) => tagOf(game, "Variant"))).size > 1);
    list.replaceChildren(...file.games.map((game, number) => rowOf(game, number, -1)));
    keepFile();
  }

  // Shows a game of a file, the start of one of several; an error is a value.
  async function load(from, at) {
    const game = from.games[at];
    const then = () => {
      use(from, at);
      if (from.games.length > 1) state.show(state.root);
    };
    const reopen = () => control.act(() => control.change(game.record, then));
    const error = game.fault ? new Error(game.fault)
      : await (game.record ? reopen() : control.open(gameFiles.gameOf(game), then));
    if (error && error.message !== LOST) game.fault = error.message;
    return error;
  }

  // Opens a file at the first game that can be shown.
  async function open(next) {
    let first = null;
    for (const at of next.games.slice(0, TRIED).keys()) {
      const error = await load(next, at);
      if (!error) return null;
      first ??= error;
    }
    return first;
  }

  // Adds the game that is shown to the file that was.
  function add() {
    const at = file.games.length;
    gameFiles.set(file, at, state.tags, state.pgn);
    list.append(rowOf(file.games[at], at, -1));
    use(file, at);
    keepFile();
  }

  // The game that is shown goes back into the file if it was changed. Its record, with what can be undone, stays with it
  // if nobody played.
  function putBack() {
    const { pgn, tags } = state;
    if (!isHere() || pgn === file.opened) return;
    gameFiles.set(file, file.at, tags, pgn);
    if (!state.game) file.games[file.at].record = state.record;
    file.opened = pgn;
    keepFile();
  }

  async function walk(at) {
    if (!isHere() || !file.games[at] || at === (wish ?? file.at)) return;
    if (state.runs && !(await isSure("Leave the game in progress?"))) return;
    putBack();
    wish = at;
    const error = await load(file, at).finally(() => { if (wish === at) wish = null; });
    if (!error) return;
    fill(list.children[at], file.games[at]);
    control.refuse(error);
  }
  function step(by) {
    let at = (wish ?? file.at) + by;
    while (file.games[at]?.fault) at += by;
    walk(at);
  }

  // Saves all games of the file, or the one game that there is.
  function save() {
    putBack();
    const name = (isHere() && file.name) || `${state.record.variant}-${records.dayOf().replaceAll(".", "-")}.pgn`;
    const parts = isHere() ? file.games.map(({ bytes }) => bytes) : [state.pgn];
    download(name, new Blob(parts, { type: "text/plain" }));
    records.save(state.record);
    control.keep();
    if (!isHere()) return;
    file.isChanged = false;
    keepFile();
  }

  // Comes back after a reload, if there was room for the file.
  function restore(place) {
    const old = place && recall("sessionStorage", "file");
    const file = old && gameFiles.unpacked(old);
    if (file?.games[place.at]) use(file, place.at, place.opened);
  }

  // --- The list --------------------------------------------------------------------------------------

  // A row of a list of games: players, result, game and date. Its button has the number of the row. Of a file only the
  // game that is shown is a stop for Tab.
  function rowOf(game, number, tabIndex = 0) {
    const row = element("li", "");
    Object.assign(row.appendChild(element("button", "")), { value: number, tabIndex });
    fill(row, game);
    return row;
  }
  function fill({ firstChild: button }, { tags, fault = "" }) {
    const said = (name) => (tagOf({ tags }, name) ?? "").replace(/^[?.]*$/, "");
    const [white, black] = ["White", "Black"].map((name) => element("bdi", said(name) || "?"));
    const texts = ["", said("Result"), nameOfGame(said("Variant")), said("Date")];
    button.replaceChildren(...texts.map((text) => element("span", text)));
    button.firstChild.append(white, " – ", black);
    button.classList.toggle("fault", fault !== "");
    button.title = fault && sentence({ message: fault });
  }

  // Marks the game that is shown.
  function show() {
    part("games").hidden = !isHere() || file.games.length < 2;
    if (part("games").hidden) return;
    const { name, at, games } = file;
    part("games-name").textContent = name || "Games";
    part("games-at").textContent = `${at + 1} of ${games.length}`;
    part("game-before").disabled = at === 0;
    part("game-after").disabled = at === games.length - 1;
    const mark = (button, isShown) =>
      Object.assign(button, { ariaCurrent: isShown || null, tabIndex: isShown ? 0 : -1 });
    const row = list.children[at], old = list.querySelector("[aria-current]");
    fill(row, { tags: state.tags });
    if (old === row.firstChild) return;
    if (old) mark(old, false);
    mark(row.firstChild, true);
    const [above, height] = [row.offsetTop - list.offsetTop, list.clientHeight];
    const isSeen = above >= list.scrollTop && above <= list.scrollTop + height - row.clientHeight;
    if (!isSeen) list.scrollTop = above - height / 2;
  }

  list.onclick = ({ target }) => { const row = target.closest("button"); if (row) walk(Number(row.value)); };
  click("game-before", () => step(-1));
  click("game-after", () => step(1));
  control.on("leave", putBack);
  control.on("keep", show);

  // A single game is judged as any other.
  const isChanged = () => isHere() && file.games.length > 1 && (file.isChanged || state.own.pgn !== file.opened);
  return {
    open, add, step, save, restore, rowOf,
    get isHere() { return isHere(); }, get isChanged() { return isChanged(); },
    walk,
    // What stands before a move in the address of this page: the game of a file.
    get prefix() { return isHere() && file.games.length > 1 ? `${file.at + 1}.` : ""; },
    // What a reload has to know beside the file.
    get place() { return isHere() ? { at: file.at, opened: file.opened } : null; },
  };
})();
