// What the engine finds.

// Notes a line of a search.
function note(ply, lines, text) {
  const { number, ...line } = readInfo(text, toMove(ply));
  if (line.isBound) return;
  lines[number - 1] = line;
  if (number === 1) ply.white = line.white;
  found = { ply, lines };
  showLater();
}

// A line of `info`: the score as White has it, and the results that White can expect.
function readInfo(text, side) {
  const value = (name) => Number(new RegExp(` ${name} (-?\\d+)`).exec(text)?.[1]);
  const sign = side === "w" ? 1 : -1;
  const [mate, cp] = [value("score mate"), value("score cp")];
  const isMate = / score mate /.test(text);
  const chances = / wdl (\d+) (\d+) (\d+)/.exec(text)?.slice(1).map(Number) ?? [0, 1000, 0];
  const [won, drawn] = side === "w" ? chances : chances.reverse();
  const plain = (cp * sign) / 100;
  return {
    number: value("multipv"), depth: value("depth"), speed: value("nps"), moves: / pv (.*)/.exec(text)[1].split(" "),
    isBound: /(lower|upper)bound/.test(text),
    value: isMate ? Math.sign(mate || -1) * (100000 - Math.abs(mate)) : cp,
    score: isMate ? `#${mate * sign}` : `${plain > 0 ? "+" : ""}${plain.toFixed(2)}`,
    white: (won + drawn / 2) / 1000, chances,
  };
}

const isFound = () => isAnalysing() && found?.ply === here() && !setUp;
const SHOWN_MOVES = 12;

function showFound() {
  const lines = isFound() ? found.lines.filter(Boolean) : [];
  const { white, solved } = here();
  const bar = part("bar");
  bar.classList.toggle("flipped", flipped);
  bar.firstElementChild.style.height = `${100 * (white ?? 0.5)}%`;
  const percent = white === undefined ? "unknown" : `${Math.round(100 * white)} %`;
  bar.setAttribute("aria-label", `White can expect: ${percent}${lines[0] ? `, ${lines[0].score}` : ""}`);
  bar.title = bar.getAttribute("aria-label");
  const speed = lines[0] ? `, ${(lines[0].speed / 1e6).toFixed(2)} million nodes a second` : "";
  part("depth").textContent = lines[0] ? `depth ${lines[0].depth}${speed}` : "";
  part("solved").textContent = solvedText(solved, toMove(here()));
  part("best").replaceChildren(...lines.map((each, rank) => {
    const item = element("li", "");
    const chances = element("span", each.chances.map((chance) => Math.round(chance / 10)).join(" "), "number");
    chances.title = "White wins, draw, Black wins: of a hundred games";
    item.append(element("b", each.score), " ", chances, " ");
    for (const [number, text] of (each.texts ?? []).entries()) {
      const move = element("a", text);
      Object.assign(move.dataset, { rank, count: number + 1 });
      item.append(move, " ");
    }
    return item;
  }));
  part("progress").hidden = !isJudging;
  part("analyse-game").textContent = isJudging ? "Stop" : "Analyse the game";
  part("analyse-game").disabled = !isJudging && (last() === 0 || (game.tip && !outcome() && you().length === 1));
}

// The distance of a solved ending: `win 17`, of the side to move.
function solvedText(solved, side) {
  const [value, plies] = (solved ?? "none").split(" ");
  if (value === "none") return "";
  if (value === "draw") return "Solved: a draw.";
  const moves = Math.ceil(plies / 2);
  return `Solved: ${SIDES[value === "win" ? side : other(side)]} wins in ${moves} move${moves === 1 ? "" : "s"}.`;
}

// Writes the lines of a search in SAN, now and then.
let isDue = false;
function showLater() {
  if (isDue) return;
  isDue = true;
  setTimeout(async () => {
    isDue = false;
    const { ply, lines } = found ?? { lines: [] };
    // While the search runs, the question is about its position.
    const asked = isAnalysing() && ply && ply === searched ? lines.filter(Boolean) : [];
    await Promise.all(asked.map(async (each) => {
      const sans = await engine.ask(`san ${each.moves.slice(0, SHOWN_MOVES).join(" ")}`).catch(() => null);
      if (sans) each.texts = line(ply.fen, sans.split(" ")).match(/(\d+\.+ )?\S+/g);
    }));
    if (drag === null) showBoard();
    showFound();
    drawCurve(game.plies, at);
  }, 200);
}

// Steps into a line of the engine: its moves become a variation. In a game against the engine that is the end of it.
async function stepInto({ rank, count }) {
  const { ply, lines } = found;
  const moves = lines[rank].moves.slice(0, count);
  if (game.tip === ply && you().length === 1) {
    if (!(await isSure("Leave the game for this line? “Play from here” continues it."))) return;
    game.tip = clock = null;
  }
  lift(null);
  change(async () => {
    for (const [number, move] of moves.entries()) await append(number === 0 ? ply : here(), move, true);
  });
}
// While the search runs the lines are written anew all the time: a click may end on another element.
part("best").onpointerdown = (event) => {
  const { rank, count } = event.target.dataset;
  if (count && event.button === 0) stepInto({ rank: Number(rank), count: Number(count) });
};

// --- The machine ------------------------------------------------------------------------------------

// What the engine allows, and what it was given: threads, and a table in MB.
const UNTOUCHED = { Threads: 1, Hash: 16 };
const most = { ...UNTOUCHED }, given = { ...UNTOUCHED };

function useMachine(threads = part("threads").value, hash = part("hash").value) {
  for (const [name, value] of [["Threads", threads], ["Hash", hash]]) {
    if (given[name] !== Number(value)) engine.send(`setoption name ${name} value ${value}`);
    given[name] = Number(value);
  }
}

// Offers what the engine allows.
function offerMachine() {
  const threads = Math.min(most.Threads, navigator.hardwareConcurrency ?? 1);
  for (const [name, values, limit] of [["threads", [1, 2, 3, 4, 6, 8, 12, 16, 24, 32], threads], ["hash", [16, 64, 256, 1024], most.Hash]]) {
    const kept = recall("localStorage", name) ?? part(name).value;
    part(name).replaceChildren(...values.filter((value) => value <= limit).map((value) => new Option(value, value)));
    if ([...part(name).options].some(({ value }) => value === kept)) part(name).value = kept;
    part(name).onchange = () => {
      keep("localStorage", name, part(name).value);
      change(() => {});
    };
  }
}
