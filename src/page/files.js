// files.js: positions and games as text: opened, dropped, pasted and saved; the names in a game.
// Takes picture, pgn, game_file, record, state, words, control, games, lasts and share; gives `openPgn`.

// The function that opens a text, or the file that has it: a position, or else games.
function readText(bytes, name = "") {
  const text = decodeFile(bytes);
  const fen = plainFen(text);
  if (/^[^ /]+(\/[^ /]+){3,}( .*)?$/.test(fen)) return () => openFen(fen);
  const file = gameFiles.read(name, bytes, text);
  const [first] = file.games;
  const isNone = (error) =>
    !first || (file.games.every(({ tags }) => tags.length === 0) && !/^\s*\d+\s*\./.test(text) &&
      (error ? error.code === "unreadable-move" && error.value === "1" : /^line/.test(first.fault)));
  const none = () => new Error("this is no game, no position and no list of moves");
  if (isNone()) throw none();
  return async () => {
    const error = await games.open(file);
    return error && isNone(error) ? none() : error;
  };
}

async function openPgn(text) {
  try { return await readText(new TextEncoder().encode(text))(); } catch (error) { return error; }
}

async function openFen(fen) {
  const error = await control.load(state.record.variant, fen);
  return error?.code === "variant" ? control.load(error.value, fen) : error;
}

// --- The dialog ------------------------------------------------------------------------------------
{
  function show() {
    part("fen").value = state.here.fen;
    part("address").value = share.address();
    part("pgn").value = state.pgn;
    part("refusal").textContent = "";
    part("files").showModal();
  }
  click("exchange", show);
  click("open-files", show);
  click("begin-open", () => { part("begin").close(); show(); });
  part("pgn").onfocus = () => part("pgn").select();
  async function openBytes(bytes, name) {
    try { await openInstead(readText(bytes, name)); } catch (error) { tellFault(error); }
  }
  const openFile = async (file) => openBytes(new Uint8Array(await file.arrayBuffer()), file.name);
  const openText = (text) => openBytes(new TextEncoder().encode(text));
  // True if it was copied.
  async function copy(name) {
    part(name).select();
    const isDone = await navigator.clipboard?.writeText(part(name).value).then(() => true, () => false);
    const isCopied = isDone || document.execCommand("copy");
    part("refusal").textContent = isCopied ? "Copied." : "The browser does not allow it: copy the marked text.";
    return isCopied;
  }
  click("copy-address", () => copy("address"));
  click("copy-fen", () => copy("fen"));
  click("copy-pgn", async () => { if (await copy("pgn")) records.save(state.record); });
  click("open-fen", () => openInstead(() => openFen(plainFen(part("fen").value))));
  click("open-pgn", () => openText(part("pgn").value));
  click("save-pgn", () => games.save());
  part("file").onchange = () => {
    const [file] = part("file").files;
    if (file) openFile(file);
    part("file").value = "";
  };

  // --- Dropped and pasted ---------------------------------------------------------------------------

  const isField = ({ target }) => target.matches?.("input:not([type=checkbox]), textarea");
  const isBusy = () => document.querySelector("dialog[open]:not(#files, #begin)") !== null;
  // What is dragged from this page is not for it.
  let isOwn = false;
  const showDrop = (is) => document.documentElement.classList.toggle("dropping", is);
  addEventListener("dragstart", () => { isOwn = true; });
  addEventListener("dragend", () => { isOwn = false; });
  addEventListener("dragover", (event) => {
    if (isOwn || (isField(event) && !event.dataTransfer.types.includes("Files"))) return;
    event.preventDefault();
    showDrop(!isBusy());
  });
  addEventListener("dragleave", ({ relatedTarget }) => { if (!relatedTarget) showDrop(false); });
  function take(event, data) {
    const [file] = data.files;
    if (isField(event) && !file) return;
    event.preventDefault();
    if (isBusy()) return;
    if (file) openFile(file);
    else openText(data.getData("text/plain"));
  }
  addEventListener("drop", (event) => {
    showDrop(false);
    if (!isOwn) take(event, event.dataTransfer);
  });
  addEventListener("paste", (event) => take(event, event.clipboardData));

  // --- Names ----------------------------------------------------------------------------------------

  // Asks for the names in a game. An engine that plays here has its own.
  function rename() {
    if (!["play", "look"].includes(state.mode)) return;
    for (const name of NAMES) {
      part(`name-${name}`).value = tagOf(state, name) ?? "";
      part(`name-${name}`).disabled = typeof state.game?.players[name[0].toLowerCase()] === "number";
    }
    part("names").showModal();
  }
  part("naming").onsubmit = (event) => {
    event.preventDefault();
    part("names").close();
    const given = NAMES.map((name) => [name, part(`name-${name}`).value.trim() || "?"]);
    const changed = given.filter(([name, value]) => value !== (tagOf(state, name) ?? "?"));
    if (changed.length > 0) control.act(() => state.rename(changed));
  };
  click("rename", rename);
  for (const name of ["above", "below"])
    Object.assign(part(name).firstElementChild, { onclick: rename, title: "Change the names" });
}
