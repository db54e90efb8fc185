// The game on the page, with the actions of the engine and of the person.

// The level without weakness.
const FULL_LEVEL = 20;
// First moves in centipawns of the best one are drawn by lot, up to a number of plies.
const NEARLY_EQUAL = 15, VARIED_PLIES = 8;
// Moves of both sides before a draw can be agreed.
const EARLIEST_DRAW = 40;

// The game: its tree, the line of it that is shown, and the node where the person and the engine play, or
// null if nobody plays. `over` is an end without a move, `ended` the end that an opened game had. A node that
// was inspected has the effects of its moves, check, and the end of the game.
let game = newGame(names[0], null);
// The ply that is shown.
let at = 0;
let flipped = false;
// The game that the engine was set to.
let engineVariant = null;
// Grows with each change, so that what was begun before it ends without effect.
let epoch = 0;
let queue = Promise.resolve();
let isThinking = false;
// The node that is being searched, and the lines of a search: `{ ply, lines }`.
let searched = null, found = null;
let hint = null;
// The move that is played when it is the person's turn: `{ from, to }`.
let premove = null;
// A fault of what the person asked for, or an answer, shown until something changes.
let fault = "";

function newGame(variant, start) {
  const root = newNode(null, { fen: start ?? sets[variant].start });
  return { variant, start, root, plies: [root], tip: null, over: null, tags: [], result: "*", date: today(), undo: [],
    control: null, safe: "" };
}

const set = () => sets[game.variant];
const here = () => game.plies[at];
const last = () => game.plies.length - 1;
const toMove = (ply) => fields(ply.fen)[1];
const other = (side) => (side === "w" ? "b" : "w");
const you = () => part("you").value;
const isAnalysing = () => part("analyse").checked;
const level = () => Number(part("level").value);

// The last position of the game: where it is played, or the end of the main line.
const tip = () => game.tip ?? lineThrough(game.root).at(-1);
const isPlaying = () => game.tip !== null && here() === game.tip;
const endAt = (node) => (node === tip() ? game.over : null) ?? node.over ?? node.ended ?? null;
// The end of the game, if it is over.
const outcome = () => endAt(tip());

// Sets the engine to a position of a game.
function place(node, { variant, start } = game) {
  if (engineVariant !== variant) engine.send(`setoption name UCI_Variant value ${variant}`);
  engineVariant = variant;
  const moves = pathTo(node).slice(1).map(({ move }) => move);
  engine.send(`position ${start ? `fen ${start}` : "startpos"} moves ${moves.join(" ")}`);
}

// Asks what can be done in a position.
async function inspect(node) {
  if (node.effects) return;
  place(node);
  const questions = ["fen", "effects", "check", "result", "reason", "p1turn", "table"];
  const [fen, effects, check, result, reason, first, solved] = await Promise.all(questions.map(engine.ask));
  Object.assign(node, { fen, solved });
  node.check = check === "true";
  if (result !== "none") {
    const one = first === "true" ? toMove(node) : other(toMove(node));
    const winner = { p1win: one, p2win: other(one), draw: null }[result];
    node.over = { winner, reason };
    node.white = winner === null ? 0.5 : Number(winner === "w");
  }
  node.effects = readEffects(effects);
}

// The moves with their effects, as the engine lists them.
function readEffects(list) {
  return list.split(" ").filter(Boolean).map((text) => {
    const read = /^(([a-z]\d+)([a-z]\d+)[a-z]?)(?::(x?)(?:=(.))?(?:\+(.*))?)?$/.exec(text);
    const [, move, from, to, captures, becomes, brings] = read;
    return { move, from, to, captures: captures === "x", becomes, brings };
  });
}

// Plays a move in a position: where the game is played it is the game's, elsewhere it begins a variation.
async function append(before, move, shows) {
  let node = before.next.find((each) => each.move === move);
  if (!node) {
    node = newNode(before, { move });
    place(before);
    const san = engine.ask(`san ${move}`);
    place(node);
    [node.san, node.fen] = await Promise.all([san, engine.ask("fen")]);
    before.next.push(node);
  }
  if (before === game.tip) {
    moveTo(node, 0);
    game.tip = node;
    pressClock();
  }
  hint = null;
  show(shows ? node : here());
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
    await inspect(tip());
    await inspect(here());
    if (outcome()) stopClock();
    if (setUp) return render();
    render();
    save();
    if (mine !== epoch) return;
    if (!game.tip || outcome() || you().includes(toMove(game.tip))) break;
    const move = await think();
    if (!move || mine !== epoch) return;
    await append(game.tip, move, isPlaying());
    say(`${number(game.tip.before.fen)} ${game.tip.san}`);
  }
  if (mine !== epoch) return;
  if (premove) return playPremove();
  // Until something changes.
  if (isAnalysing() && !here().over) await search(here(), FULL_LEVEL, part("lines").value, "infinite");
}

// Searches a position, and returns the best move with the lines that were found.
async function search(node, level, count, limits) {
  const lines = [];
  useMachine();
  engine.send(`setoption name Skill Level value ${level}`);
  engine.send(`setoption name MultiPV value ${count}`);
  place(node);
  searched = node;
  try {
    return [await engine.go(limits, (text) => note(searched, lines, text)), lines];
  } finally {
    searched = null;
  }
}

// The engine's move in the game.
async function think() {
  const isVaried = level() === FULL_LEVEL && pathTo(game.tip).length <= VARIED_PLIES;
  isThinking = true;
  render();
  try {
    const [best, lines] = await search(game.tip, level(), isVaried ? 4 : 1, limits());
    const isEqual = (each) =>
      each && each.value >= lines[0].value - NEARLY_EQUAL && each.depth >= lines[0].depth - 1;
    const equal = isVaried && lines[0] ? lines.filter(isEqual) : [];
    return equal.length > 0 ? equal[Math.floor(Math.random() * equal.length)].moves[0] : best;
  } finally {
    isThinking = false;
  }
}

// Whether the person may move: in the game by turns, elsewhere for both sides.
const canMove = () =>
  !isThinking && !here().over && (!isPlaying() || (!game.over && you().includes(toMove(here()))));

// Plays a move in the position that is shown.
function play(move) {
  lift(null);
  return change(() => append(here(), move, true));
}

function begin(variant, start) {
  lift(null);
  setUp = premove = null;
  flipped = you() === "b";
  part("move").value = "";
  return change(() => {
    game = newGame(variant, start);
    game.tip = game.root;
    show(game.root);
    found = hint = null;
    engine.send("ucinewgame");
    setClock();
    keepSafe();
  });
}

// The game is played from the position that is shown.
function takeOver() {
  premove = null;
  return change(() => {
    edit(() => makeMain(here()));
    here().ended = null;
    Object.assign(game, { tip: here(), over: null, date: today() });
    setClock();
  });
}

// Opens a game. Nothing changes if there is a fault. `then` does the rest.
function load(variant, start, record, then = () => {}) {
  return change(async () => {
    // Behind this word the engine would read moves.
    if (start?.split(/\s+/).includes("moves")) throw new Error("the FEN is wrong: `moves` is no part of it");
    const next = newGame(variant, start);
    next.root = treeOf(record);
    place(next.root, next);
    next.root.fen = await engine.ask("fen");
    if (start) next.start = next.root.fen;
    await readMoves(next);
    const end = lineThrough(next.root).at(-1);
    const tags = record.tags ?? ownTags(next);
    Object.assign(next, { tags, result: record.result });
    end.ended = endOf({ ...record, tags });
    game = next;
    setUp = premove = found = hint = clock = null;
    show(end);
    keepSafe();
    then();
  });
}

// Lets the engine read the moves of a game, line by line. What is no move in a variation stays text.
async function readMoves(to) {
  const starts = [to.root];
  for (const start of starts) {
    const line = [];
    for (let each = start; each; [each] = each.next) line.push(each);
    starts.push(...line.flatMap((each) => each.next.slice(1)));
    const nodes = start === to.root ? line.slice(1) : line;
    const before = nodes[0]?.before;
    let moves = [];
    if (before && !before.unplayed) {
      place(before, to);
      const read = async (texts) => (await engine.ask(`coordinates ${texts.join(" ")}`)).split(" ").filter(Boolean);
      const texts = nodes.map(({ text }) => text);
      moves = await read(texts).catch((error) => {
        const count = Number(/^coordinates: move (\d+)/.exec(error.message)?.[1]) - 1;
        if (start === to.root || !(count >= 0)) throw error;
        return count > 0 ? read(texts.slice(0, count)) : [];
      });
      const sans = moves.length > 0 ? (await engine.ask(`san ${moves.join(" ")}`)).split(" ") : [];
      moves.forEach((move, index) => Object.assign(nodes[index], { move, san: sans[index] }));
    }
    nodes.slice(moves.length).forEach((node) => { node.unplayed = true; });
    await Promise.all(nodes.slice(0, moves.length).map(async (node) => {
      place(node, to);
      node.fen = await engine.ask("fen");
      node.white = whiteOf(commandOf(node.comment, "eval"), sets[to.variant]);
    }));
  }
}

// Changes the tree in a way that can be undone.
function edit(work) {
  const { tip, over } = game;
  const shown = here();
  const undo = work();
  game.undo.push(() => {
    undo();
    Object.assign(game, { tip, over });
    show(shown);
  });
}

function undo() {
  if (game.undo.length > 0) change(() => game.undo.pop()());
}

// The variation that is shown may become the main line, unless the game that is played is that.
function mayPromote() {
  const branch = branchOf(here());
  return branch !== null && !(game.tip && game.tip !== branch.before && pathTo(game.tip).includes(branch.before));
}

// Deletes a move and what follows it.
function cut(node) {
  edit(() => {
    if (game.tip && pathTo(game.tip).includes(node)) Object.assign(game, { tip: node.before, over: null });
    const back = remove(node);
    if (pathTo(here()).includes(node)) show(node.before);
    return back;
  });
  hint = null;
}

// Takes back what ended the game if it was no move, or else the person's last move.
function takeBack() {
  premove = null;
  change(() => {
    if (game.tip && game.over) {
      if (game.over.reason === REASON_OF_TIME) setClock();
      game.over = null;
      return;
    }
    let node = game.tip ?? here();
    const isEngines = ({ before }) => game.tip && you() && !you().includes(toMove(before));
    while (node.before && isEngines(node)) node = node.before;
    if (!node.before) return;
    cut(node);
    if (clock && game.tip.before) clock.since = Date.now();
  });
}

function askHint() {
  change(async () => {
    const node = here();
    const [best] = await search(node, FULL_LEVEL, 1, "movetime 1000");
    if (best === "(none)") return;
    hint = { ply: node, move: best };
    say(`Hint: ${await engine.ask(`san ${best}`)}`);
  });
}

async function resign() {
  if (!(await isSure("Resign this game?"))) return;
  const winner = other(you().length === 1 ? you() : toMove(tip()));
  change(() => { game.over = { winner, reason: "resignation" }; });
}

// The engine takes a draw late in the game if it is not better.
function offerDraw() {
  change(async () => {
    const isLate = pathTo(game.tip).length > EARLIEST_DRAW;
    const [, lines] = isLate ? await search(game.tip, FULL_LEVEL, 1, "movetime 1000") : [];
    if (lines?.[0]?.value >= 0) game.over = { winner: null, reason: "agreement" };
  }).then(() => { if (!outcome()) refuse(new Error("Quadrille wants to play on.")); });
}

function playPremove() {
  const { from, to } = premove;
  premove = null;
  const chosen = isPlaying() && canMove() ? here().effects.filter((each) => each.from === from && each.to === to) : [];
  if (chosen.length > 0) choose(chosen);
  else render();
}

// Shows a node, in a line that continues through another.
function show(node, through = node) {
  game.plies = lineThrough(through);
  at = game.plies.indexOf(node);
}

function goTo(node, through) {
  show(node, through);
  lift(null);
  render();
  if (!isThinking && !isJudging) change(() => {});
}

// Shows a ply of the line.
const go = (to) => goTo(game.plies[Math.min(Math.max(to, 0), last())]);

// Chooses among the moves from here; without a choice goes to the start or the end.
function turnTo(step) {
  const all = here().next.filter(({ unplayed }) => !unplayed);
  if (all.length < 2) return go(step < 0 ? 0 : Infinity);
  goTo(here(), all[(all.indexOf(game.plies[at + 1]) + step + all.length) % all.length]);
}
