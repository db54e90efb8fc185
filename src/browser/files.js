// Positions and games as text: opened and saved.

function result() {
  const over = outcome();
  return !over ? "*" : over.winner === null ? "1/2-1/2" : over.winner === "w" ? "1-0" : "0-1";
}

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

// The tags of a game that is played here, or of a position.
function ownTags(of) {
  const player = (side) => (!of.tip ? "?" : you().includes(side) ? "Human" : `Quadrille, level ${level()}`);
  const [time, increment] = (of.control ?? "").split("+");
  return Object.entries({
    Event: of.tip ? "Casual game" : "?", Site: "?", Date: of.date, Round: "-", White: player("w"), Black: player("b"),
    Result: of.tip ? result() : "*", Variant: of.variant, ...(of.start ? { SetUp: "1", FEN: of.start } : {}),
    ...(of.tip ? { PlyCount: String(pathTo(of.tip).length - 1) } : {}),
    ...(of.tip ? { TimeControl: increment ? `${time / 1000}+${increment / 1000}` : "-" } : {}),
    ...(of.tip && outcome() ? { Reason: outcome().reason } : {}),
  });
}

// The name of a player beside the board.
function playerOf(side) {
  if (!game.tip) return tagOf(game, SIDES[side]) ?? "?";
  return you().includes(side) ? "you" : `Quadrille, level ${level()}`;
}

const pgn = () => writePgn(
  { ...recordOf(game.root), tags: game.tip ? ownTags(game) : game.tags, result: game.tip ? result() : game.result }, game.root.fen);

// The game is kept elsewhere as it is now, or is the one that was opened.
const moveText = () => writePgn({ ...recordOf(game.root), tags: [], result: "" }, game.root.fen);
const keepSafe = () => { game.safe = moveText(); };

// Asks before a game is lost that was neither finished nor saved.
async function mayLeave() {
  const isFinished = game.tip && outcome();
  return isFinished || moveText() === game.safe || isSure("Leave this game? It is not saved.");
}

function isSure(question) {
  const dialog = part("question");
  part("asked").textContent = question;
  dialog.returnValue = "";
  dialog.showModal();
  return new Promise((resolve) => { dialog.onclose = () => resolve(dialog.returnValue === "yes"); });
}

const plain = (name) => name.toLowerCase().replace(/[^a-z0-9]/g, "").replace(/chess$/, "");

async function openPgn(text, which) {
  const games = readPgn(text);
  const select = part("which");
  select.replaceChildren(...games.map((each, number) =>
    new Option(`${number + 1}. ${tagOf(each, "White") ?? "?"} – ${tagOf(each, "Black") ?? "?"}`, number)));
  select.value = which;
  select.hidden = games.length < 2;
  const chosen = games[which];
  if (!chosen) return new Error("there is no game in it");
  return chosen.fault ? new Error(chosen.fault) : openRecord(chosen);
}

function openRecord(record, then) {
  const [called, fen, setUp] = ["Variant", "FEN", "SetUp"].map((name) => tagOf(record, name));
  if (!fen && setUp === "1") return new Error("there is a tag SetUp, but no tag FEN");
  const start = fen && fen !== "startpos" ? fen : null;
  const isCalled = (name) => plain(name) === plain(called ?? game.variant);
  const variant = names.find(isCalled) ?? names.find((name) => start && sets[name].starts.some(isCalled));
  if (!variant) return new Error(`the game ${called.slice(0, 60)} is not known here`);
  const tags = called ? record.tags : [...record.tags, ["Variant", variant]];
  return load(variant, start, { ...record, tags }, then);
}

const POSITION = { comment: null, moves: [], result: "*" };

async function openFen(fen, then) {
  const error = await load(game.variant, fen, POSITION, then);
  const elsewhere = /it is a position of (\w+)/.exec(error?.message ?? "");
  return elsewhere ? load(elsewhere[1], fen, POSITION, then) : error;
}

// --- The dialog -------------------------------------------------------------------------------------

click("exchange", () => {
  part("fen").value = here().fen;
  part("address").value = addressHere();
  part("pgn").value = pgn();
  part("refusal").textContent = "";
  part("which").hidden = true;
  part("files").showModal();
});
click("close-files", () => part("files").close());
click("yes", () => part("question").close("yes"));
click("no", () => part("question").close());
async function open(work) {
  if (!(await mayLeave())) return;
  const error = await work();
  part("refusal").textContent = error ? sentence(error) : "";
  if (!error) part("files").close();
}
const copy = (name) => {
  part(name).select();
  navigator.clipboard?.writeText(part(name).value).catch(() => document.execCommand("copy"));
};
click("copy-fen", () => copy("fen"));
click("copy-pgn", () => { copy("pgn"); keepSafe(); });
click("open-fen", () => open(() => openFen(part("fen").value)));
click("open-pgn", () => open(() => openPgn(part("pgn").value, 0)));
part("which").onchange = () => open(() => openPgn(part("pgn").value, Number(part("which").value)));
click("save-pgn", () => {
  download(`${game.variant}.pgn`, new Blob([part("pgn").value], { type: "text/plain" }));
  keepSafe();
});
part("file").onchange = async () => {
  const [file] = part("file").files;
  if (!file) return;
  part("file").value = "";
  try {
    part("pgn").value = decodeFile(new Uint8Array(await file.arrayBuffer()));
  } catch (error) {
    part("refusal").textContent = sentence(error);
    return;
  }
  const hasOne = readPgn(part("pgn").value).length === 1;
  await open(async () => (await openPgn(part("pgn").value, 0)) ?? (hasOne ? null : new Error("Choose one of the games.")));
};
