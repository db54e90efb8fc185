// What the browser keeps for this page, if it may.
const recall = (area, name) => { try { return window[area].getItem(name); } catch { return null; } };
const keep = (area, name, value) => { try { window[area].setItem(name, value); } catch { /* It is not kept. */ } };

// --- The dialogue -----------------------------------------------------------------------------------

// Lines to and from the engine through the server that this page came from.
function overHttp(heard) {
  const waiting = [];
  let page, events, report = () => {}, isOpen = false, isSending = false;

  function listen() {
    page = Array.from(crypto.getRandomValues(new Uint8Array(8)), (byte) => byte.toString(16)).join("");
    events = new EventSource(`${home}events/${page}`);
    events.onopen = () => {
      isOpen = true;
      report(true);
    };
    events.onmessage = ({ data }) => heard(data);
    events.onerror = lose;
  }

  function lose() {
    events.close();
    waiting.length = 0;
    if (isOpen) report(false);
    isOpen = false;
    setTimeout(listen, 1000);
  }

  // One request after the other, so that no line overtakes another.
  async function post() {
    if (isSending) return;
    isSending = true;
    while (isOpen && waiting.length > 0) {
      const [lines, to] = [[], page];
      let length = 0;
      while (waiting.length > 0 && (lines.length === 0 || length + waiting[0].length < 250000)) {
        length += waiting[0].length + 1;
        lines.push(waiting.shift());
      }
      for (let trial = 1; isOpen && to === page; trial++) {
        const request = { method: "POST", body: lines.join("\n"), signal: AbortSignal.timeout(10000) };
        const answer = await fetch(`${home}lines/${to}`, request).catch(() => null);
        if (answer?.ok) break;
        // Lines of a request that broke may have arrived: another dialogue begins from the start.
        if (answer?.status !== 503 && isOpen && to === page) lose();
        else await new Promise((done) => setTimeout(done, 50 * trial));
      }
    }
    isSending = false;
  }

  // The server has another token when it was started again; a page that came from it leaves it here.
  let home = location.pathname;
  keep("localStorage", "home", home);
  addEventListener("storage", ({ key, newValue }) => { if (key === "home" && newValue) home = newValue; });
  return {
    send(line) {
      if (!isOpen) return;
      waiting.push(line);
      post();
    },
    online(callback) {
      report = callback;
      listen();
    },
  };
}

const LOST = "the connection to the engine is lost";

// Questions and searches, each answered in its turn.
const engine = (() => {
  const questions = [], searches = [];
  let fault = null;
  let isOnline = false;

  function heard(text) {
    const error = /^info string error: (.*)/.exec(text);
    if (error && error[1].startsWith("query ")) questions.shift()?.reject(new Error(error[1].slice(6)));
    else if (error) fault ??= error[1];
    else if (text.startsWith("response")) {
      questions.shift()?.resolve([text.slice(9), fault]);
      fault = null;
    } else if (text.startsWith("bestmove")) searches.shift()?.resolve(text.split(" ")[1]);
    else if (text.startsWith("info depth") && text.includes(" pv ")) searches[0]?.info(text);
  }

  const transport = (window.engineInside ?? overHttp)(heard);
  // The border: what a stranger's text makes of a line, it begins no other.
  const send = (line) => transport.send(line.replace(/[\p{Cc}\p{Zl}\p{Zp}]/gu, "\ufffd"));
  const later = (list, line, info) => new Promise((resolve, reject) => {
    if (!isOnline) return reject(new Error(LOST));
    list.push({ resolve, reject, info });
    send(line);
  });
  return {
    send,
    // The answer to a question. A fault of a line before it is an error.
    async ask(question) {
      const [answer, fault] = await later(questions, `query ${question}`);
      if (fault) throw new Error(fault);
      return answer;
    },
    go: (limits, info) => later(searches, `go ${limits}`, info),
    stop() {
      if (searches.length > 0) send("stop");
    },
    online: (callback) => transport.online((is) => {
      isOnline = is;
      fault = null;
      const left = [...questions.splice(0), ...searches.splice(0)];
      for (const each of left) each.reject(new Error(LOST));
      callback(is);
    }),
  };
})();

// --- The game ---------------------------------------------------------------------------------------

const names = Object.keys(sets);
const SIDES = { w: "White", b: "Black" };
const REASONS = {
  "checkmate": "checkmate", "kings-captured": "capture of the last king", "kings-mated": "mate of all kings",
  "no-moves": "no legal move", "no-pieces": "capture of the last piece", "stalemate": "stalemate",
  "repetition": "the third occurrence of the position", "clock": "50 moves without progress",
  "material": "too few pieces to win", "resignation": "resignation", "time": "time",
};
// The level without weakness.
const FULL_LEVEL = 20;
// First moves in centipawns of the best one are drawn by lot, up to a number of plies.
const NEARLY_EQUAL = 15, VARIED_PLIES = 8;

// The game: its plies have a FEN, and after they were inspected the effects of their moves, check, and
// the end of the game.
let game = newGame(names[0], null);
let at = 0;
let flipped = false;
// The game that the engine was set to.
let engineVariant = null;
// Grows with each change, so that what was begun before it ends without effect.
let epoch = 0;
let queue = Promise.resolve();
let isThinking = false;
// The ply that is being searched, and the lines of a search: `{ ply, lines }`.
let searched = null, found = null;
let hint = null;
let clock = null;
// A fault of what the person asked for, shown until something changes.
let fault = "";

function newGame(variant, start) {
  return { variant, start, plies: [{ fen: start ?? sets[variant].start, mark: "" }], over: null };
}

const set = () => sets[game.variant];
const here = () => game.plies[at];
const last = () => game.plies.length - 1;
const toMove = (ply) => fields(ply.fen)[1];
const other = (side) => (side === "w" ? "b" : "w");
const you = () => part("you").value;
const isAnalysing = () => part("analyse").checked;
const level = () => Number(part("level").value);

// The end of the game, if it is over.
const outcome = () => game.over ?? game.plies[last()].over ?? null;

// Sets the engine to a ply of a game.
function place({ variant, start, plies }, ply) {
  if (engineVariant !== variant) engine.send(`setoption name UCI_Variant value ${variant}`);
  engineVariant = variant;
  const moves = plies.slice(1, ply + 1).map(({ move }) => move);
  engine.send(`position ${start ? `fen ${start}` : "startpos"} moves ${moves.join(" ")}`);
}

// Asks what can be done at a ply.
async function inspect(ply) {
  const each = game.plies[ply];
  if (each.effects) return;
  place(game, ply);
  const questions = ["fen", "effects", "check", "result", "reason", "p1turn"];
  const [fen, effects, check, result, reason, first] = await Promise.all(questions.map(engine.ask));
  each.fen = fen;
  each.check = check === "true";
  if (result !== "none") {
    const one = first === "true" ? toMove(each) : other(toMove(each));
    const winner = { p1win: one, p2win: other(one), draw: null }[result];
    each.over = { winner, reason };
    each.white = winner === null ? 0.5 : Number(winner === "w");
  }
  each.effects = effects.split(" ").filter(Boolean).map((text) => {
    const read = /^(([a-z]\d+)([a-z]\d+)[a-z]?)(?::(x?)(?:=(.))?(?:\+(.*))?)?$/.exec(text);
    const [, move, from, to, captures, becomes, brings] = read;
    return { move, from, to, captures: captures === "x", becomes, brings };
  });
}

// Plays a move at the end of a game.
async function append(to, move) {
  place(to, to.plies.length - 1);
  const san = engine.ask(`san ${move}`);
  const ply = { move, mark: "" };
  place({ ...to, plies: [...to.plies, ply] }, to.plies.length);
  [ply.san, ply.fen] = await Promise.all([san, engine.ask("fen")]);
  to.plies.push(ply);
}

// Changes the game after what is under way has ended, and then lets the engine do its part.
function change(work) {
  const mine = ++epoch;
  fault = "";
  engine.stop();
  const done = queue.then(work).then(() => null, (error) => error);
  queue = done.then(() => follow(mine)).catch((error) => {
    if (error.message !== LOST) refuse(error);
    else render();
  });
  return done;
}

// Lets the engine move, or analyse.
async function follow(mine) {
  while (mine === epoch) {
    await inspect(last());
    await inspect(at);
    if (outcome()) stopClock();
    render();
    save();
    if (mine !== epoch) return;
    if (outcome() || you().includes(toMove(game.plies[last()]))) break;
    const move = await think();
    if (!move || mine !== epoch) return;
    const follows = at === last();
    await append(game, move);
    if (follows) at = last();
    hint = null;
    pressClock();
    say(`${number(game.plies[last() - 1].fen)} ${game.plies[last()].san}`);
  }
  // Until something changes.
  if (mine === epoch && isAnalysing() && !here().over)
    await search(at, FULL_LEVEL, part("lines").value, "infinite");
}

// Searches a ply, and returns the best move with the lines that were found.
async function search(ply, level, count, limits) {
  const lines = [];
  engine.send(`setoption name Skill Level value ${level}`);
  engine.send(`setoption name MultiPV value ${count}`);
  place(game, ply);
  searched = game.plies[ply];
  try {
    return [await engine.go(limits, (text) => note(searched, lines, text)), lines];
  } finally {
    searched = null;
  }
}

// The engine's move at the end of the game.
async function think() {
  const isVaried = level() === FULL_LEVEL && last() < VARIED_PLIES;
  isThinking = true;
  render();
  try {
    const [best, lines] = await search(last(), level(), isVaried ? 4 : 1, limits());
    const isEqual = (each) =>
      each && each.value >= lines[0].value - NEARLY_EQUAL && each.depth >= lines[0].depth - 1;
    const equal = isVaried && lines[0] ? lines.filter(isEqual) : [];
    return equal.length > 0 ? equal[Math.floor(Math.random() * equal.length)].moves[0] : best;
  } finally {
    isThinking = false;
  }
}

// Notes a line of a search.
function note(ply, lines, text) {
  const { number, ...line } = readInfo(text, toMove(ply));
  if (line.isBound) return;
  lines[number - 1] = line;
  if (number === 1) ply.white = line.white;
  found = { ply, lines };
  showLater();
}

// A line of `info`: the score as White has it, and the result that White can expect.
function readInfo(text, side) {
  const value = (name) => Number(new RegExp(` ${name} (-?\\d+)`).exec(text)?.[1]);
  const sign = side === "w" ? 1 : -1;
  const [mate, cp] = [value("score mate"), value("score cp")];
  const isMate = / score mate /.test(text);
  const expected = / wdl (\d+) (\d+)/.exec(text);
  const mine = expected ? (Number(expected[1]) + Number(expected[2]) / 2) / 1000 : 0.5;
  const plain = (cp * sign) / 100;
  return {
    number: value("multipv"), depth: value("depth"), moves: / pv (.*)/.exec(text)[1].split(" "),
    isBound: /(lower|upper)bound/.test(text),
    value: isMate ? Math.sign(mate || -1) * (100000 - Math.abs(mate)) : cp,
    score: isMate ? `#${mate * sign}` : `${plain > 0 ? "+" : ""}${plain.toFixed(2)}`,
    white: side === "w" ? mine : 1 - mine,
  };
}

// --- What a person does -----------------------------------------------------------------------------

const canMove = () => !isThinking && !(at === last() && outcome()) && you().includes(toMove(here()));

// Plays a move at the ply that is shown; moves after it are dropped.
function play(move) {
  lift(null);
  return change(async () => {
    const shorter = { ...game, over: null, plies: game.plies.slice(0, at + 1) };
    await append(shorter, move);
    game = shorter;
    at = last();
    hint = null;
    pressClock();
  });
}

function begin(variant, start) {
  lift(null);
  setUp = null;
  flipped = you() === "b";
  return change(() => {
    game = newGame(variant, start);
    at = 0;
    found = hint = null;
    engine.send("ucinewgame");
    setClock();
  });
}

// Opens a game of moves in any notation. Nothing changes if there is a fault.
function load(variant, start, texts) {
  return change(async () => {
    // Behind this word the engine would read moves.
    if (start?.split(/\s+/).includes("moves")) throw new Error("the FEN is wrong: `moves` is no part of it");
    const next = newGame(variant, start);
    place(next, 0);
    next.plies[0].fen = await engine.ask("fen");
    if (start) next.start = next.plies[0].fen;
    const moves = (await engine.ask(`coordinates ${texts.join(" ")}`)).split(" ").filter(Boolean);
    const sans = (await engine.ask(`san ${moves.join(" ")}`)).split(" ");
    next.plies.push(...moves.map((move, number) => ({ move, san: sans[number], mark: "" })));
    const fens = next.plies.map((_, ply) => {
      place(next, ply);
      return engine.ask("fen");
    });
    for (const [ply, fen] of (await Promise.all(fens)).entries()) next.plies[ply].fen = fen;
    game = next;
    at = last();
    found = hint = null;
    setClock();
  });
}

function takeBack() {
  change(() => {
    let plies = game.plies.slice(0, -1);
    while (plies.length > 1 && you() && !you().includes(toMove(plies.at(-1)))) plies = plies.slice(0, -1);
    if (plies.length === 0) return;
    if (game.over?.reason === "time") setClock();
    game = { ...game, plies, over: null };
    at = last();
    hint = null;
    if (clock && last() > 0) clock.since = performance.now();
  });
}

function askHint() {
  change(async () => {
    const ply = here();
    const [best] = await search(at, FULL_LEVEL, 1, "movetime 1000");
    if (best === "(none)") return;
    hint = { ply, move: best };
    say(`Hint: ${await engine.ask(`san ${best}`)}`);
  });
}

function resign() {
  const winner = other(you().length === 1 ? you() : toMove(game.plies[last()]));
  change(() => { game.over = { winner, reason: "resignation" }; });
}

// Shows a ply.
function go(to) {
  at = Math.min(Math.max(to, 0), last());
  lift(null);
  render();
  if (!isThinking) change(() => {});
}

// --- Clocks -----------------------------------------------------------------------------------------

const isClocked = () => part("time").value.includes("+");

function setClock() {
  const [time, increment] = part("time").value.split("+").map(Number);
  clock = isClocked() ? { w: time, b: time, increment, since: null } : null;
}

function stopClock() {
  if (!clock || clock.since === null) return;
  const side = toMove(game.plies[last()]);
  clock = { ...clock, [side]: left(side), since: null };
}

// Time left of a side.
function left(side) {
  const runs = clock.since !== null && toMove(game.plies[last()]) === side;
  return clock[side] - (runs ? performance.now() - clock.since : 0);
}

// A move was played.
function pressClock() {
  if (!clock) return;
  const side = other(toMove(game.plies[last()]));
  const spent = clock.since === null ? 0 : performance.now() - clock.since;
  clock = { ...clock, [side]: clock[side] - spent + clock.increment, since: performance.now() };
}

function limits() {
  if (!clock) return `movetime ${part("time").value}`;
  const [w, b] = [left("w"), left("b")].map((time) => Math.max(1, Math.round(time)));
  return `wtime ${w} btime ${b} winc ${clock.increment} binc ${clock.increment}`;
}

setInterval(() => {
  if (!clock || clock.since === null || outcome()) return;
  const side = toMove(game.plies[last()]);
  showClocks();
  if (left(side) > 0) return;
  change(() => { game.over = { winner: other(side), reason: "time" }; });
}, 100);

// --- Positions and games as text --------------------------------------------------------------------

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

// --- The page ---------------------------------------------------------------------------------------

// The square of the lifted piece, the square of the cursor, and the drag: where it began, and its piece.
let lifted = null, cursor = null, drag = null;
// The position that is being set up, as the letters by squares, and the letter to be put down.
let setUp = null;

const say = (text) => { part("spoken").textContent = text; };
const targets = () => (lifted && canMove() ? (here().effects ?? []).filter(({ from }) => from === lifted) : []);
const manAt = (square) => pieces(here().fen).get(square);
const nameOf = (letter) => `${SIDES[sideOf(letter)].toLowerCase()} ${set().names[letter.toUpperCase()]}`;
const sideOf = (letter) => (letter === letter.toUpperCase() ? "w" : "b");
const isPromotion = ({ move, from, to }) => move.length > from.length + to.length;
const squareName = (column, row) => String.fromCharCode(97 + column) + (set().ranks - row);

// The letters of the pieces by their squares.
const pieces = (fen) => new Map([...men(fen)].map(([letter, column, row]) => [squareName(column, row), letter]));

const KINDS = { promotes: "promotes", brings: "brings in a piece", changes: "changes", captures: "captures", "": "moves" };

// The classes of a target.
const kinds = (each) => [
  ...(isPromotion(each) ? ["promotes"] : each.brings ? ["brings"] : each.becomes ? ["changes"] : []),
  ...(each.captures ? ["captures"] : []),
];

// The squares that a check is about: the kings of the side to move, or all its pieces.
function attacked(ply) {
  const own = [...pieces(ply.fen)].filter(([, letter]) => sideOf(letter) === toMove(ply));
  const kings = own.filter(([, letter]) => letter.toUpperCase() === "K");
  return (kings.length > 0 ? kings : own).map(([square]) => square);
}

function marks() {
  const ply = here();
  const marks = ply.move ? squares(ply.move).map((square) => [square, "last"]) : [];
  if (ply.check) marks.push(...attacked(ply).map((square) => [square, "check"]));
  if (lifted) marks.push([lifted, "lifted"]);
  const seen = new Set();
  for (const each of targets()) {
    if (!seen.has(each.to)) marks.push([each.to, ["target", ...kinds(each)].join(" ")]);
    seen.add(each.to);
  }
  if (cursor) marks.push([cursor, "cursor"]);
  return marks;
}

const isFound = () => isAnalysing() && found?.ply === here() && !setUp;

function arrows() {
  const arrows = [];
  if (isFound())
    found.lines.forEach((line, rank) => arrows.push([line.moves[0], Math.max(2, 6 - 1.5 * rank)]));
  if (hint?.ply === here()) arrows.push([hint.move, 6]);
  return arrows;
}

function showBoard() {
  const fen = setUp ? setUpFen() : here().fen;
  drawBoard(set(), flipped, fen, setUp ? (cursor ? [[cursor, "cursor"]] : []) : marks(), setUp ? [] : arrows());
  part("board").setAttribute("aria-label", describe());
  if (drag?.moved) showDrag();
  const used = new Set(targets().map((each) => kinds(each)[0] ?? ""));
  part("legend").replaceChildren();
  for (const [kind, text] of Object.entries(KINDS).filter(([kind]) => used.has(kind))) {
    const sample = document.createElementNS("http://www.w3.org/2000/svg", "svg");
    sample.innerHTML = `<rect class="target ${kind}" width="100%" height="100%"/>`;
    part("legend").append(sample, text);
  }
}

// The position in words.
function describe() {
  const by = (side) => [...pieces(here().fen)].filter(([, letter]) => sideOf(letter) === side)
    .map(([square, letter]) => `${set().names[letter.toUpperCase()]} ${square}`).join(", ");
  return `${game.variant}. White: ${by("w")}. Black: ${by("b")}. ${SIDES[toMove(here())]} to move.`;
}

function end() {
  const over = outcome();
  if (!over) return "";
  const reason = REASONS[over.reason] ?? over.reason;
  return over.winner ? `${SIDES[over.winner]} wins by ${reason}` : `Draw by ${reason}`;
}

function refuse(error) {
  fault = error.message;
  render();
}

function status() {
  if (fault) return fault;
  if (at === last() && outcome()) return end();
  const side = SIDES[toMove(here())];
  if (isThinking && at === last()) return "Quadrille is thinking";
  return `${side} to move${here().check ? ", in check" : ""}`;
}

function showClocks() {
  const sides = flipped ? ["w", "b"] : ["b", "w"];
  ["above", "below"].forEach((name, number) => {
    const side = sides[number];
    const [label, time] = part(name).children;
    label.textContent = `${SIDES[side]}: ${you().includes(side) ? "you" : `Quadrille, level ${level()}`}`;
    part(name).classList.toggle("turn", toMove(here()) === side);
    const rest = clock ? Math.max(0, left(side)) : 0;
    const [minutes, seconds] = [Math.floor(rest / 60000), (rest % 60000) / 1000];
    const digits = rest < 20000 ? seconds.toFixed(1) : String(Math.floor(seconds));
    time.textContent = clock ? `${minutes}:${digits.padStart(rest < 20000 ? 4 : 2, "0")}` : "";
  });
}

function showFound() {
  const lines = isFound() ? found.lines.filter(Boolean) : [];
  const white = here().white;
  const bar = part("bar");
  bar.classList.toggle("flipped", flipped);
  bar.firstElementChild.style.height = `${100 * (white ?? 0.5)}%`;
  const percent = white === undefined ? "unknown" : `${Math.round(100 * white)} %`;
  bar.setAttribute("aria-label", `White can expect: ${percent}${lines[0] ? `, ${lines[0].score}` : ""}`);
  bar.title = bar.getAttribute("aria-label");
  part("depth").textContent = lines[0] ? `depth ${lines[0].depth}` : "";
  part("best").replaceChildren(...lines.map((each) => {
    const item = element("li", "");
    item.append(element("b", each.score), ` ${each.text ?? ""}`);
    return item;
  }));
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
      const sans = await engine.ask(`san ${each.moves.slice(0, 12).join(" ")}`).catch(() => null);
      if (sans) each.text = line(ply.fen, sans.split(" "));
    }));
    if (drag === null) showBoard();
    showFound();
    drawCurve(game.plies, at);
  }, 200);
}

function render() {
  showBoard();
  showClocks();
  showFound();
  listMoves(game.plies.map((ply) => ({ ...ply, san: ply.san ?? "" })), end(), (ply) => `#${ply}`);
  markMove(at);
  drawCurve(game.plies, at);
  part("status").textContent = status();
  part("variant").value = game.variant;
  history.replaceState(null, "", `#${at}`);
  const disable = (name, is) => { part(name).disabled = is; };
  disable("takeback", last() === 0);
  disable("hint", isThinking || Boolean(here().over));
  disable("resign", Boolean(outcome()) || you() === "");
  disable("back", at === 0);
  disable("first", at === 0);
  disable("on", at === last());
  disable("last", at === last());
  part("palette").hidden = !setUp;
}

// A square at a point of the page.
function squareAt(event) {
  const board = part("board");
  const point = new DOMPoint(event.clientX, event.clientY).matrixTransform(board.getScreenCTM().inverse());
  const { left, top, cell, files, ranks } = set();
  const [x, y] = [Math.floor((point.x - left) / cell), Math.floor((point.y - top) / cell)];
  if (x < 0 || y < 0 || x >= files || y >= ranks) return [null, point];
  const [column, row] = flipped ? [files - 1 - x, ranks - 1 - y] : [x, y];
  return [squareName(column, row), point];
}

function lift(square) {
  lifted = square;
  drag = null;
}

// A square is pressed: a lifted piece goes there, or the piece there is lifted. True if one was lifted.
function press(square) {
  const chosen = targets().filter(({ to }) => to === square);
  if (chosen.length > 0) {
    choose(chosen);
    return false;
  }
  const letter = square && manAt(square);
  const wasLifted = lifted === square;
  lift(letter && !wasLifted && canMove() && sideOf(letter) === toMove(here()) ? square : null);
  if (lifted) say(`${nameOf(letter)} ${square}: ${targets().map(({ to }) => to).join(", ") || "no moves"}`);
  showBoard();
  return lifted !== null;
}

// Plays the only move, or the one that the person chooses.
async function choose(moves) {
  const move = moves.length === 1 ? moves[0] : await promotion(moves);
  const error = move ? await play(move.move) : null;
  lift(null);
  if (error) refuse(error);
  else showBoard();
}

// A picture of a piece on a button.
function pieceButton(letter, action) {
  const button = element("button", "");
  button.type = "button";
  button.dataset.letter = letter;
  button.setAttribute("aria-label", nameOf(letter));
  button.title = nameOf(letter);
  button.innerHTML = `<svg viewBox="0 0 ${set().cell} ${set().cell}">${set().men[letter]}</svg>`;
  button.onclick = action;
  return button;
}

function promotion(moves) {
  const dialog = part("promotion");
  return new Promise((resolve) => {
    const side = toMove(here());
    dialog.replaceChildren(...moves.map((each) => {
      const letter = side === "w" ? each.becomes : each.becomes.toLowerCase();
      return pieceButton(letter, () => { resolve(each); dialog.close(); });
    }));
    dialog.onclose = () => resolve(null);
    dialog.showModal();
  });
}

function showDrag() {
  const { cell } = set();
  drag.man.setAttribute("transform", `translate(${drag.x - cell / 2} ${drag.y - cell / 2})`);
  drag.man.setAttribute("pointer-events", "none");
}

part("board").onpointerdown = (event) => {
  if (event.button !== 0) return;
  const [square, { x, y }] = squareAt(event);
  cursor = null;
  if (setUp) return putDown(square);
  const wasLifted = lifted === square;
  if (wasLifted) drag = { square, x, y, was: true };
  else if (press(square)) drag = { square, x, y };
  if (drag) part("board").setPointerCapture(event.pointerId);
};
part("board").onpointermove = (event) => {
  if (!drag) return;
  const [, { x, y }] = squareAt(event);
  if (!drag.moved && Math.hypot(x - drag.x, y - drag.y) < 6) return;
  if (!drag.moved) {
    const [left, top] = corner(set(), flipped, ...columnAndRow(set(), drag.square));
    drag.man = part("board").querySelector(`[data-man][transform="translate(${left} ${top})"]`);
    part("board").append(drag.man);
  }
  Object.assign(drag, { x, y, moved: true });
  showDrag();
};
part("board").onpointerup = (event) => {
  if (!drag) return;
  const { moved, was, square: from } = drag;
  drag = null;
  const [square] = squareAt(event);
  if (moved && square !== from) {
    const chosen = targets().filter(({ to }) => to === square);
    if (chosen.length > 0) return choose(chosen);
  }
  if (moved || was) lift(null);
  showBoard();
};
part("board").onpointercancel = () => {
  lift(null);
  showBoard();
};

part("board").onkeydown = (event) => {
  const steps = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] };
  const step = steps[event.key];
  if (step) {
    const [column, row] = cursor ? columnAndRow(set(), cursor) : [Math.floor(set().files / 2), Math.floor(set().ranks / 2)];
    const sign = flipped ? -1 : 1;
    const [x, y] = cursor ? [column + sign * step[0], row + sign * step[1]] : [column, row];
    if (x >= 0 && y >= 0 && x < set().files && y < set().ranks) cursor = squareName(x, y);
    const letter = setUp ? setUp.get(cursor) : manAt(cursor);
    say(`${cursor} ${letter ? nameOf(letter) : "empty"}`);
  } else if ((event.key === "Enter" || event.key === " ") && cursor) {
    if (setUp) putDown(cursor);
    else press(cursor);
  } else if (event.key === "Escape") lift((cursor = null));
  else return;
  event.preventDefault();
  event.stopPropagation();
  showBoard();
};
part("board").onblur = () => {
  if (cursor === null) return;
  cursor = null;
  showBoard();
};

// --- The set-up -------------------------------------------------------------------------------------

function setUpFen() {
  const { files, ranks } = set();
  const holes = cells(set().start);
  const rows = [];
  for (let row = 0; row < ranks; row++) {
    let [text, empty] = ["", 0];
    for (let column = 0; column < files; column++) {
      const square = squareName(column, row);
      const letter = holes.has(square) ? "*" : setUp.get(square);
      if (!letter) { empty += 1; continue; }
      text += (empty || "") + letter;
      empty = 0;
    }
    rows.push(text + (empty || ""));
  }
  return `${rows.join("/")} ${part("to-move").value} ${setUp.castling} - 0 1`;
}

// The cells of the grid that are no squares.
function cells(fen) {
  const holes = new Set();
  for (const [row, text] of fields(fen)[0].split("/").entries()) {
    let column = 0;
    for (const [token] of text.matchAll(/\d+|./g)) {
      if (token === "*") holes.add(squareName(column, row));
      column += Number(token) || 1;
    }
  }
  return holes;
}

function beginSetUp(fen) {
  setUp = pieces(fen);
  setUp.castling = fields(fen)[2];
  setUp.letter ??= null;
  part("to-move").value = fields(fen)[1];
  const letters = Object.keys(set().men);
  const buttons = [...letters.filter((letter) => sideOf(letter) === "w"), ...letters.filter((letter) => sideOf(letter) === "b")];
  const press = (letter, button) => {
    setUp.letter = letter;
    part("pieces").querySelectorAll("button").forEach((each) => each.setAttribute("aria-pressed", each === button));
  };
  const eraser = element("button", "✕");
  eraser.title = "remove";
  eraser.setAttribute("aria-label", "remove");
  eraser.onclick = () => press(null, eraser);
  part("pieces").replaceChildren(eraser, ...buttons.map((letter) => {
    const button = pieceButton(letter, () => press(letter, button));
    return button;
  }));
  render();
}

function putDown(square) {
  if (!square || cells(set().start).has(square)) return;
  if (setUp.letter && setUp.get(square) !== setUp.letter) setUp.set(square, setUp.letter);
  else setUp.delete(square);
  showBoard();
}

async function endSetUp() {
  let error = await load(game.variant, setUpFen(), []);
  if (error && setUp.castling !== "-") {
    setUp.castling = "-";
    error = await load(game.variant, setUpFen(), []);
  }
  if (error) return refuse(error);
  setUp = null;
  render();
}

// --- Buttons and keys -------------------------------------------------------------------------------

const turn = () => { flipped = !flipped; render(); };
const click = (name, action) => { part(name).onclick = action; };
click("new", () => begin(game.variant, null));
click("first", () => go(0));
click("back", () => go(at - 1));
click("on", () => go(at + 1));
click("last", () => go(Infinity));
click("flip", turn);
click("takeback", takeBack);
click("hint", askHint);
click("resign", resign);
click("set-up", () => beginSetUp(here().fen));
click("empty", () => { setUp.clear(); showBoard(); });
click("start", () => beginSetUp(set().start));
click("done", endSetUp);
click("cancel", () => { setUp = null; render(); });
click("curve", (event) => go(plyAt(event, game.plies)));
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
part("variant").onchange = () => begin(part("variant").value, null);
part("you").onchange = () => {
  if (you().length === 1) flipped = you() === "b";
  change(() => {});
};
part("level").onchange = () => change(() => {});
part("time").onchange = () => change(setClock);
part("analyse").onchange = () => change(() => {});
part("lines").onchange = () => change(() => {});
part("to-move").onchange = showBoard;
part("typed").onsubmit = async (event) => {
  event.preventDefault();
  const text = part("move").value.trim();
  if (!text || !canMove()) return;
  let move = null;
  let error = await change(async () => {
    place(game, at);
    [move] = (await engine.ask(`coordinates ${text}`)).split(" ");
  });
  if (!error) error = await play(move);
  part("move").value = error ? text : "";
  if (error) refuse(error);
};
const keys = { ArrowLeft: () => go(at - 1), ArrowRight: () => go(at + 1), Home: () => go(0),
  End: () => go(Infinity), f: turn, F: turn };
addEventListener("keydown", (event) => {
  if (event.ctrlKey || event.altKey || event.metaKey || !keys[event.key]) return;
  if (document.querySelector("dialog[open]") || /^(SELECT|INPUT|TEXTAREA)$/.test(event.target.tagName)) return;
  event.preventDefault();
  keys[event.key]();
});
addEventListener("hashchange", () => {
  const to = location.hash.slice(1);
  if (sets[to]) begin(to, null);
  else if (/^\d+$/.test(to)) go(Number(to));
});

// --- The beginning ----------------------------------------------------------------------------------

// The game that the address names.
const named = location.hash.slice(1);
const CHOICES = ["you", "level", "time", "lines"];

// Keeps the game for a reload, and the choices for the next time.
function save() {
  const { variant, start, over, plies } = game;
  const moves = plies.slice(1).map(({ move }) => move);
  keep("sessionStorage", "game", JSON.stringify({ variant, start, over, moves, at }));
  for (const name of CHOICES) keep("localStorage", name, part(name).value);
}

function restore() {
  for (const name of CHOICES) {
    const value = recall("localStorage", name);
    if (value !== null && [...part(name).options].some((option) => option.value === value)) part(name).value = value;
  }
  flipped = you() === "b";
  if (sets[named]) return begin(named, null);
  const kept = JSON.parse(recall("sessionStorage", "game"));
  if (!kept || !sets[kept.variant]) return begin(names[0], null);
  return load(kept.variant, kept.start, kept.moves).then((error) => {
    if (error) return;
    game.over = kept.over;
    go(kept.at);
  });
}

part("variant").append(...names.map((name) => new Option(name[0].toUpperCase() + name.slice(1), name)));
for (let level = FULL_LEVEL; level >= 0; level--)
  part("level").append(new Option(level === FULL_LEVEL ? "20 (full)" : level, level));
part("level").value = FULL_LEVEL;
let hasBegun = false;
engine.online((isOnline) => {
  part("notice").hidden = isOnline;
  part("notice").textContent = isOnline ? "" :
    "The connection to Quadrille is lost. Start `quadrille board` again; the game then continues here.";
  if (!isOnline) return render();
  engineVariant = null;
  engine.send("setoption name UCI_ShowWDL value true");
  if (hasBegun) change(() => {});
  else restore();
  hasBegun = true;
});
render();
