// games.js: the games of a file: opened, walked through, changed and saved, and their list beside the board.
// Takes state, control, share, game_file.js and files.js; gives `games`.
//
// `file` is a file of game_file.js with the game that is shown: its `record`, its number `at`, and its text when it was
// `opened`. Another record has left the file.
const games = (() => {
  // Games that are tried before a file is refused.
  const TRIED = 10;
  // With it the game that somebody walks to, and the place that is kept for a reload.
  let file = null, wish = null, kept = null;
  const list = part("games-list");

  const isHere = () => file?.record === state.record;
  function keepFile() {
    // If there is no room for it, there is none.
    keep("sessionStorage", "file", "");
    keep("sessionStorage", "file", gameFiles.packed(file));
  }

  // --- Opened and left -------------------------------------------------------------------------------

  function use(next, at, opened = state.pgn) {
    const isNew = next !== file;
    file = Object.assign(next, { record: state.record, at, opened });
    if (!isNew) return;
    keepFile();
    list.classList.toggle("mixed", new Set(file.games.map((game) => tagOf(game, "Variant"))).size > 1);
    list.replaceChildren(...file.games.map(({ tags, fault }, number) => showFault(rowOf(tags, number, -1), fault)));
  }

  // Shows a game of a file; an error is a value.
  async function load(from, at) {
    const game = from.games[at];
    const error = game.fault ? new Error(game.fault) : await openRecord(gameFiles.gameOf(game), () => use(from, at));
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

  // The game that is shown goes back into the file if it was changed.
  function putBack() {
    const { pgn, tags } = state;
    if (!isHere() || pgn === file.opened) return;
    gameFiles.put(file, file.at, tags, pgn);
    file.opened = pgn;
    keepFile();
  }

  async function walk(at) {
    if (!isHere() || !file.games[at] || at === file.at) return;
    if (state.runs && !(await isSure("Leave the game that is played?"))) return;
    wish = at;
    const error = await load(file, at).finally(() => { if (wish === at) wish = null; });
    if (!error) return;
    showFault(list.children[at], error.message);
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
    const { variant, date } = state.record;
    const name = (isHere() && file.name) || `${variant}-${date.replaceAll(".", "-")}.pgn`;
    const parts = isHere() ? file.games.map(({ bytes }) => bytes) : [state.pgn];
    share.download(name, new Blob(parts, { type: "text/plain" }));
    records.save(state.record);
    page.save();
    if (!isHere()) return;
    file.isChanged = false;
    keepFile();
  }

  // After a reload.
  function restore() {
    try {
      const { at, opened } = JSON.parse(recall("sessionStorage", "game of file"));
      const old = gameFiles.unpacked(recall("sessionStorage", "file"));
      if (Number.isInteger(at) && old.games[at]) use(old, at, opened);
    } catch { /* There was no file. */ }
  }

  // --- The list --------------------------------------------------------------------------------------

  // A row of a list of games: players, result, game and date. Its button has the number of the row. Of a file only the
  // game that is shown is a stop for Tab.
  function rowOf(tags, number, tabIndex = 0) {
    const row = element("li", "");
    Object.assign(row.appendChild(element("button", "")), { value: number, tabIndex });
    return fill(row, tags);
  }
  function fill(row, tags) {
    const said = (name) => (tagOf({ tags }, name) ?? "").replace(/^[?.]*$/, "");
    const texts = [`${said("White") || "?"} – ${said("Black") || "?"}`, ...["Result", "Variant", "Date"].map(said)];
    row.firstChild.replaceChildren(...texts.map((text) => element("span", text)));
    return row;
  }
  function showFault(row, fault) {
    row.firstChild.classList.toggle("fault", Boolean(fault));
    row.firstChild.title = fault ? sentence({ message: fault }) : "";
    return row;
  }

  // Marks the game that is shown.
  function show() {
    const place = isHere() ? JSON.stringify({ at: file.at, opened: file.opened }) : "";
    if (place !== kept) keep("sessionStorage", "game of file", place);
    kept = place;
    part("games").hidden = !isHere() || file.games.length < 2;
    if (part("games").hidden) return;
    const { name, at, games } = file;
    part("games-name").textContent = name || "Games";
    part("games-at").textContent = `${at + 1} of ${games.length}`;
    part("game-before").disabled = at === 0;
    part("game-after").disabled = at === games.length - 1;
    const row = fill(list.children[at], state.tags);
    const mark = (button, isShown) =>
      Object.assign(button, { ariaCurrent: isShown || null, tabIndex: isShown ? 0 : -1 });
    const old = list.querySelector("[aria-current]");
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
  addEventListener("keydown", (event) => {
    const by = Number(event.key === "PageDown") - Number(event.key === "PageUp");
    const isFree = list.checkVisibility() && !document.querySelector("dialog[open]");
    if (!by || !isFree || event.ctrlKey || event.altKey || event.metaKey) return;
    if (event.target.matches?.("input:not([type=checkbox]), textarea, select")) return;
    event.preventDefault();
    step(by);
  });

  // A single game is judged as any other.
  const isChanged = () => isHere() && file.games.length > 1 && (file.isChanged || state.pgn !== file.opened);
  return { open, putBack, save, restore, show, rowOf, get isChanged() { return isChanged(); } };
})();
