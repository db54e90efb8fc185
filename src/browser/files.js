// files.js: positions and games as text: opened and saved.
// Takes state, control, share and pgn.js; gives the functions in the last line, POSITION and `isSure`.

const POSITION = { comment: null, moves: [], result: "*" };

function isSure(question) {
  const dialog = part("question");
  part("asked").textContent = question;
  dialog.returnValue = "";
  dialog.showModal();
  return new Promise((resolve) => { dialog.onclose = () => resolve(dialog.returnValue === "yes"); });
}

const { endOf, whiteOf, positionTags, mayLeave, openFen, openPgn } = (() => {
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

  // The tags of a position.
  const positionTags = ({ variant, start, date }) => Object.entries({
    Event: "?", Site: "?", Date: date, Round: "-", White: "?", Black: "?", Result: "*", Variant: variant,
    ...(start ? { SetUp: "1", FEN: start } : {}),
  });

  // Asks before something is lost.
  const mayLeave = async () => !state.isChanged || isSure("Leave this game? It is not saved.");

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
    const isCalled = (name) => plain(name) === plain(called ?? state.record.variant);
    const variant = names.find(isCalled) ?? names.find((name) => start && sets[name].starts.some(isCalled));
    if (!variant) return new Error(`the game ${called.slice(0, 60)} is not known here`);
    const tags = called ? record.tags : [...record.tags, ["Variant", variant]];
    return control.load(variant, start, { ...record, tags }, then);
  }

  async function openFen(fen, then) {
    const error = await control.load(state.record.variant, fen, POSITION, then);
    const elsewhere = /it is a position of (\w+)/.exec(error?.message ?? "");
    return elsewhere ? control.load(elsewhere[1], fen, POSITION, then) : error;
  }

  // --- The dialog -----------------------------------------------------------------------------------

  click("exchange", () => {
    part("fen").value = state.here.fen;
    part("address").value = share.address();
    part("pgn").value = state.pgn;
    part("refusal").textContent = "";
    part("which").hidden = true;
    part("files").showModal();
  });
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
  click("copy-address", () => copy("address"));
  click("copy-fen", () => copy("fen"));
  click("copy-pgn", () => { copy("pgn"); records.save(state.record); });
  click("open-fen", () => open(() => openFen(part("fen").value)));
  click("open-pgn", () => open(() => openPgn(part("pgn").value, 0)));
  part("which").onchange = () => open(() => openPgn(part("pgn").value, Number(part("which").value)));
  click("save-pgn", () => {
    share.download(`${state.record.variant}.pgn`, new Blob([part("pgn").value], { type: "text/plain" }));
    records.save(state.record);
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
    const choice = hasOne ? null : new Error("Choose one of the games.");
    await open(async () => (await openPgn(part("pgn").value, 0)) ?? choice);
  };

  click("yes", () => part("question").close("yes"));
  click("no", () => part("question").close());

  return { endOf, whiteOf, positionTags, mayLeave, openFen, openPgn };
})();
