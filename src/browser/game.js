// The game that is shown, what the engine does in it, and what a person does.

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
