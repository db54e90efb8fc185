// files.js: positions and games as text: opened, dropped, pasted and saved; the names in a game.
// Takes state, control, share, games and pgn.js; gives the functions in the last line, POSITION and `isSure`.

const POSITION = { comment: null, moves: [], result: "*" };

function isSure(question) {
  const dialog = part("question");
  part("asked").textContent = question;
  dialog.returnValue = "";
  dialog.showModal();
  // The end of the question before may be told only now.
  return new Promise((resolve) => { dialog.onclose = () => dialog.open || resolve(dialog.returnValue === "yes"); });
}

const {
  endOf, whiteOf, isUnsaved, mayLeave, openFen, openPgn, openRecord, openInstead, rename,
} = (() => {
  // The end of a game that ended without a move, as its tags have it.
  function endOf({ result, tags }) {
    if (!/^[01]/.test(result)) return null;
    const winner = result === "1-0" ? "w" : result === "0-1" ? "b" : null;
    return { winner, reason: tagOf({ tags }, "Reason") ?? "" };
  }

  // The result that White can expect, as `[%eval]` has the score.
  function whiteOf(text, { lead, spread, pawn }) {
    const [, mate, plain] = /^(?:#(-?\d+)|([-+]?\d+(?:\.\d+)?))/.exec(text ?? "") ?? [];
    if (mate) return Number(mate > 0);
    if (!plain) return undefined;
    const chance = (value) => 1 / (1 + Math.exp((lead - value) / spread));
    return (1 + chance(pawn * plain) - chance(-pawn * plain)) / 2;
  }

  // A game that is among the last ones can be had again.
  const isUnsaved = () => (state.isChanged && !lasts.has) || games.isChanged || state.mode === "judge";

  // Asks before something is lost; a position that is set up is not, if it is what is played now.
  async function mayLeave(usesSetUp = false) {
    if (state.mode === "set up" && !usesSetUp) return isSure("Leave this position? It is not saved.");
    if (games.isChanged) return isSure("Leave this file? Its changes are not saved.");
    return !isUnsaved() || isSure("Leave this game? It is not saved.");
  }

  const plain = (name) => name.toLowerCase().replace(/[^a-z0-9]/g, "").replace(/chess$/, "");

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

  function openRecord(record, then) {
    const [called, fen, setUp] = ["Variant", "FEN", "SetUp"].map((name) => tagOf(record, name));
    if (!fen && setUp === "1") return new Error("there is a tag SetUp, but no tag FEN");
    const start = fen && fen !== "startpos" ? fen : null;
    const isCalled = (name) => plain(name) === plain(called ?? state.record.variant);
    const variant = names.find(isCalled) ?? names.find((name) => start && sets[name].starts.some(isCalled));
    if (!variant) return new Error(`the game ${called.slice(0, 60)} is not known here`);
    const tags = called ? record.tags : [...record.tags, ["Variant", variant]];
    return control.load(variant, start, { ...record, tags }, then);
  }

  async function openFen(fen) {
    const error = await control.load(state.record.variant, fen, POSITION);
    return error?.code === "variant" ? control.load(error.value, fen, POSITION) : error;
  }

  // --- The dialog -----------------------------------------------------------------------------------

  click("exchange", () => {
    part("fen").value = state.here.fen;
    part("address").value = share.address();
    part("pgn").value = state.pgn;
    part("refusal").textContent = "";
    part("files").showModal();
  });
  part("pgn").onfocus = () => part("pgn").select();
  // Says a fault where the person looks.
  function tell(error) {
    const place = part("files").open ? "refusal" : part("begin").open && "refused";
    if (place) part(place).textContent = sentence(error);
    else control.refuse(error);
  }

  // Opens something instead of what is there, if that may be left.
  async function openInstead(work) {
    if (!(await mayLeave())) return;
    const error = await work();
    if (error) tell(error);
    else for (const name of ["files", "begin"]) part(name).close();
  }
  async function openBytes(bytes, name) {
    try { await openInstead(readText(bytes, name)); } catch (error) { tell(error); }
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

  return { endOf, whiteOf, isUnsaved, mayLeave, openFen, openPgn, openRecord, openInstead, rename };
})();
