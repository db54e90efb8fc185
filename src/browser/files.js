// Positions and games as text: opened and saved.

function result() {
  const over = outcome();
  return !over ? "*" : over.winner === null ? "1/2-1/2" : over.winner === "w" ? "1-0" : "0-1";
}

function pgn() {
  const player = (side) => (you().includes(side) ? "Person" : `Quadrille, level ${level()}`);
  const tags = { White: player("w"), Black: player("b"), Variant: game.variant };
  if (game.start) Object.assign(tags, { SetUp: "1", FEN: game.start });
  tags.Result = result();
  if (outcome()) tags.Reason = outcome().reason;
  const head = Object.entries(tags).map(([name, value]) => `[${name} "${value}"]\n`).join("");
  const words = line(game.plies[0].fen, game.plies.slice(1).map(({ san }) => san)).split(" ");
  const rows = [""];
  for (const word of [...words.filter(Boolean), tags.Result]) {
    if (rows.at(-1).length + word.length > 78) rows.push("");
    rows[rows.length - 1] += (rows.at(-1) && " ") + word;
  }
  return `${head}\n${rows.join("\n")}\n`;
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
  if (chosen.fault) return new Error(chosen.fault);
  const [called, fen, setUp] = ["Variant", "FEN", "SetUp"].map((name) => tagOf(chosen, name));
  if (!fen && setUp === "1") return new Error("there is a tag SetUp, but no tag FEN");
  const start = fen && fen !== "startpos" ? fen : null;
  const isCalled = (name) => plain(name) === plain(called ?? game.variant);
  const variant = names.find(isCalled) ?? names.find((name) => start && sets[name].starts.some(isCalled));
  if (!variant) return new Error(`the game ${called.slice(0, 60)} is not known here`);
  const error = await load(variant, start, chosen.moves.map((move) => move.text));
  if (!error && !outcome() && tagOf(chosen, "Reason") === "resignation")
    change(() => { game.over = { winner: chosen.result === "1-0" ? "w" : "b", reason: "resignation" }; });
  return error;
}

async function openFen(fen) {
  const error = await load(game.variant, fen, []);
  const elsewhere = /it is a position of (\w+)/.exec(error?.message ?? "");
  return elsewhere ? load(elsewhere[1], fen, []) : error;
}

click("exchange", () => {
  part("fen").value = here().fen;
  part("pgn").value = pgn();
  part("refusal").textContent = "";
  part("which").hidden = true;
  part("files").showModal();
});
click("close-files", () => part("files").close());
const closeUnless = (error) => {
  part("refusal").textContent = error ? error.message : "";
  if (!error) part("files").close();
};
const copy = (name) => {
  part(name).select();
  navigator.clipboard?.writeText(part(name).value).catch(() => document.execCommand("copy"));
};
click("copy-fen", () => copy("fen"));
click("copy-pgn", () => copy("pgn"));
click("open-fen", async () => closeUnless(await openFen(part("fen").value)));
click("open-pgn", async () => closeUnless(await openPgn(part("pgn").value, 0)));
part("which").onchange = async () => closeUnless(await openPgn(part("pgn").value, Number(part("which").value)));
click("save-pgn", () => {
  const link = element("a", "");
  link.href = URL.createObjectURL(new Blob([part("pgn").value], { type: "text/plain" }));
  link.download = `${game.variant}.pgn`;
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 10000);
});
part("file").onchange = async () => {
  const [file] = part("file").files;
  if (!file) return;
  part("file").value = "";
  try {
    part("pgn").value = decodeFile(new Uint8Array(await file.arrayBuffer()));
  } catch (error) {
    part("refusal").textContent = error.message;
    return;
  }
  const games = readPgn(part("pgn").value);
  if (games.length === 1) closeUnless(await openPgn(part("pgn").value, 0));
  else part("refusal").textContent = (await openPgn(part("pgn").value, 0))?.message ?? "Choose one of the games.";
};
