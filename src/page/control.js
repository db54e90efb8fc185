// control.js: what happens: actions of the person and of the engine on the state, one after the other.
// Takes tree, picture, moves, pgn, dialogs, dialogue, clock, record, state, words, findings and the data of the page;
// gives `control`.
//
// An action ends what the engine does (`act`), waits for its turn, changes the state, and lets the engine do what the
// mode asks for (`follow`): answer in the game, or what those above do then.
const control = (() => {
  // First moves in centipawns of the best one are drawn by lot, up to a number of plies.
  const NEARLY_EQUAL = 15, VARIED_PLIES = 8;
  // Moves of both sides before a draw can be agreed.
  const EARLIEST_DRAW = 40;
  // The options that the engine was given.
  let given = {};
  // Grows with each action, so that what was begun before it ends without effect.
  let epoch = 0, queue = Promise.resolve();
  let thinking = false, searched = null;
  // Who listens: to `draw` the state, to `keep` it after an action, to put away what was found before a record or its
  // game is left (`leave`), to play the move that waits (`turn`), and with promises: to judge a move of the game
  // (`judge`) or one that is tried (`attempt`), and to work while the engine has nothing to answer (`rest`).
  const listeners = { draw: [], keep: [], leave: [], turn: [], judge: [], attempt: [], rest: [] };
  const on = (name, listener) => { listeners[name].push(listener); };
  const tell = (name, ...facts) => listeners[name].map((each) => each(...facts));
  const draw = () => { tell("draw"); };

  function give(options) {
    for (const [name, value] of Object.entries(options)) {
      if (given[name] !== value) engine.send(`setoption name ${name} value ${value}`);
      given[name] = value;
    }
  }

  // Sets the engine to a position of a game.
  function place(node, { variant, start } = state.record) {
    give({ UCI_Variant: variant });
    const moves = pathTo(node).slice(1).map(({ move }) => move);
    engine.send(`position ${start ? `fen ${start}` : "startpos"} moves ${moves.join(" ")}`);
  }

  // Asks what holds in a position and behind moves from it, and returns the facts of nodes.
  async function query(node, moves, game) {
    place(node, game);
    const answer = JSON.parse(await engine.ask(["node", ...moves].join(" ")));
    return answer.map(({ effects, check, table, over, ...facts }) => {
      if (!over) return { ...facts, known: { effects, check, solved: table } };
      const { winner = null } = over;
      const white = winner === null ? 0.5 : Number(winner === "w");
      return { ...facts, known: { effects, check, solved: table, over: { ...over, winner }, white } };
    });
  }
  async function inspect(node, game) {
    if (node.known.effects !== undefined) return;
    const [{ fen, known }] = await query(node, [], game);
    node.fen = fen;
    state.note(node, known);
  }
  // Moves behind a position, in SAN or not, as facts of nodes.
  const played = async (before, moves, game) =>
    (moves.length === 0 ? [] : (await query(before, moves, game)).slice(1));

  // The position of a FEN if the other side were to move, as a FEN.
  function passed(fen) {
    const [placement, side, castling, , , count] = fields(fen);
    return [placement, other(side), castling, "-", 0, count].join(" ");
  }
  // Asks where the pieces of the person could go, for a move that waits.
  async function foresee(node) {
    if (node.known.foreseen !== undefined) return;
    place(newNode(null, {}), { ...state.record, start: passed(node.fen) });
    state.note(node, { foreseen: await engine.ask("effects").catch(() => "") });
  }

  // Plays a move in a position, and shows it.
  async function append(before, move, shows = true) {
    const isKnown = before.next.some((each) => each.move === move);
    const [facts] = isKnown ? [{ move }] : await played(before, [move]);
    const node = state.add(before, facts, clocks.now());
    if (shows) state.show(node);
    return node;
  }

  // Changes the state after what is under way has ended, and then lets the engine do its part. An error is a value. The
  // work can ask whether nothing else has happened.
  function act(work = () => {}) {
    const mine = ++epoch;
    state.tell();
    engine.stop();
    const done = queue.then(() => work(() => mine === epoch)).then(() => null, (error) => error);
    queue = done.then(() => follow(mine)).catch((error) => {
      if (error.message !== LOST) refuse(error);
      else draw();
    });
    return done;
  }

  // Lets the engine move, and then others do their work, as long as nothing else happens.
  async function follow(mine) {
    const isCurrent = () => mine === epoch;
    for (;;) {
      await inspect(state.tip);
      await inspect(state.here);
      if (state.isEngines && state.isAgainstEngine) await foresee(state.tip);
      state.settle();
      tick();
      draw();
      tell("keep");
      if (!isCurrent()) return;
      if (!state.isEngines) break;
      if (state.mustJudge) {
        await busy(() => tell("judge", isCurrent)[0]);
        continue;
      }
      const move = await busy(think);
      if (!move || !isCurrent()) return;
      say(nameOfMove(await append(state.game.tip, move, state.isAtTip)));
    }
    if (state.premove && engine.isOnline) tell("turn");
    else await Promise.all(tell("rest", isCurrent));
  }

  // Searches a position, of a game that may be another one, and returns the best move with the lines that were found.
  // What the engine finds for its own move, or beside the game, is not for the person.
  async function search(node, level, count, how, game = state.record, hear = nothing) {
    const lines = [];
    function note(text) {
      const { number, ...line } = readInfo(text, toMove(node));
      if (line.isBound) return;
      lines[number - 1] = line;
      if (thinking || nearest(state.root, node) !== node) return;
      if (number === 1) state.note(node, { white: line.white, brief: line.brief });
      hear(lines);
    }
    const [Threads, Hash] = ["threads", "hash"].map((name) => Number(part(name).value));
    give({ Threads, Hash, "Skill Level": level, MultiPV: count });
    place(node, game);
    searched = node;
    try {
      return [await engine.go(how, note), lines];
    } finally {
      searched = null;
    }
  }

  // While the engine works at its turn, moves of the person wait.
  async function busy(work) {
    thinking = true;
    draw();
    try { return await work(); } finally { thinking = false; }
  }
  // The engine's move in the game.
  async function think() {
    const { game } = state;
    const level = game.players[toMove(game.tip)];
    const isVaried = level === program.fullLevel && pathTo(game.tip).length <= VARIED_PLIES;
    const how = clocks.limits(game.control, game.clock, clocks.now());
    const [best, lines] = await search(game.tip, level, isVaried ? 4 : 1, how);
    const isEqual = (each) => each && each.value >= lines[0].value - NEARLY_EQUAL && each.depth >= lines[0].depth - 1;
    const equal = isVaried && lines[0] ? lines.filter(isEqual) : [];
    return equal.length > 0 ? equal[Math.floor(Math.random() * equal.length)].moves[0] : best;
  }

  const canMove = () => !thinking && state.mayMove;
  // Whether the engine thinks about the game that is shown, so that a move of the person has to wait.
  const mustWait = () => thinking && state.isAtTip && state.isAgainstEngine;
  function wait(move) {
    if (move === state.premove) return;
    state.wait(move);
    draw();
  }

  // Plays a move in the position that is shown, or tries it in a lesson.
  function play(move) {
    state.lift(null);
    if (state.lives.tries) return tell("attempt", move)[0];
    const { here } = state;
    const [from, to] = squares(move);
    const work = async () => say(nameOfMove(await append(here, move)));
    return act(work).then(unlessLost({ node: here, text: move, from, to }));
  }
  // What the connection was lost with waits for the next one.
  const unlessLost = (lost) => (error) => {
    if (error?.message === LOST) state.wait(lost);
    return error;
  };

  // Plays a move that was typed, now or when it is the person's turn. An error is a value.
  async function playText(text) {
    const { here } = state;
    if (mustWait()) return wait({ text });
    if (!canMove()) return new Error(here.known.over ? "the game is over" : "it is not your turn");
    let move = null;
    const error = await act(async () => {
      place(here);
      move = await engine.ask(`typed ${text}`);
    }).then(unlessLost({ node: here, text }));
    return error ?? (state.here === here ? play(move) : null);
  }

  // A lesson is left first.
  const leave = () => { if (state.aside) state.enter(); tell("leave"); };
  // Begins a game, as the person chose it.
  function begin(variant, start, chosen) {
    state.lift(null);
    state.wait(null);
    return act(() => {
      leave();
      state.open(records.create(variant, start, newNode(null, { fen: start ?? sets[variant].start })));
      engine.send("ucinewgame");
      playOn(chosen);
      records.save(state.record);
    });
  }

  // The game is played from the position that is shown.
  function playOn({ players, time, marks }) {
    leave();
    state.play(players, time, marks);
  }

  // Another record is shown.
  function change(next, then) {
    records.save(next);
    leave();
    state.open(next);
    then();
  }

  // Opens a game, or a position alone. Nothing changes if there is a fault. `then` does the rest.
  function load(variant, start, read = { comment: null, moves: [], result: "*" }, then = nothing) {
    return act(async () => {
      // Behind this word the engine would read moves.
      if (start?.split(/\s+/).includes("moves")) throw new Error("the FEN is wrong: `moves` is no part of it");
      const next = records.create(variant, start, treeOf(read));
      state.note(next.root, { white: whiteOf(evalOf(next.root), sets[variant]) });
      await inspect(next.root, next);
      if (start) next.start = next.root.fen;
      await readMoves(next);
      const tags = read.tags ?? Object.entries(records.tagsOf(next));
      Object.assign(next, { tags, result: read.result });
      state.note(lineThrough(next.root).at(-1), { ended: records.endOf({ ...read, tags }) });
      change(next, then);
    });
  }

  const bare = (name) => name.toLowerCase().replace(/[^a-z0-9]/g, "").replace(/chess$/, "");

  // Opens a game of the variant that its tags name.
  function open(record, then) {
    const [called, fen, setUp] = ["Variant", "FEN", "SetUp"].map((name) => tagOf(record, name));
    if (!fen && setUp === "1") return new Error("there is a tag SetUp, but no tag FEN");
    const start = fen && fen !== "startpos" ? fen : null;
    const isCalled = (name) => bare(name) === bare(called ?? state.record.variant);
    const variant = variants.find(isCalled) ?? variants.find((name) => start && sets[name].starts.some(isCalled));
    if (!variant) return new Error(`the game ${called.slice(0, 60)} is not known here`);
    const tags = called ? record.tags : [...record.tags, ["Variant", variant]];
    return load(variant, start, { ...record, tags }, then);
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
      let known = [];
      if (before && !before.unplayed) {
        const texts = nodes.map(({ text }) => text);
        known = await played(before, texts, to).catch((error) => {
          const count = error.value - 1;
          if (!(count >= 0)) throw error;
          if (start === to.root) throw Object.assign(error, { message: `half-move ${error.value}: ${error.message}` });
          return played(before, texts.slice(0, count), to);
        });
      }
      nodes.forEach((node, at) => {
        const { known: ruled, ...facts } = known[at] ?? { unplayed: true };
        Object.assign(node, facts);
        state.note(node, { white: whiteOf(evalOf(node), sets[to.variant]), ...ruled });
      });
    }
  }

  function takeBack() {
    state.wait(null);
    act(() => state.takeBack(clocks.now()));
  }

  // Undoes a change of the record, or does it again.
  function shift(way) {
    act(() => {
      if (!state[way]()) throw new Error("it belongs to the game in progress: take moves back there");
    }).then(refuse);
  }

  async function resign() {
    const who = state.humans.length === 2 ? `Does ${SIDES[toMove(state.tip)]} resign?` : "Resign this game?";
    if (await isSure(who)) act(() => state.resign(clocks.now()));
  }

  // The engine takes a draw late in the game if it is not better; two people agree.
  async function offerDraw() {
    const areTwo = state.humans.length === 2;
    if (!(await isSure(areTwo ? "Do both agree to a draw?" : "Offer a draw?"))) return;
    if (areTwo) return act(() => state.agree(clocks.now()));
    act(async () => {
      const { game } = state;
      const isLate = pathTo(game.tip).length > EARLIEST_DRAW;
      const [, lines] = isLate ? await search(game.tip, program.fullLevel, 1, "movetime 1000") : [];
      if (lines?.[0]?.value >= 0) state.agree(clocks.now());
    }).then(() => { if (!state.outcome) refuse(new Error("Quadrille wants to play on.")); });
  }

  // Shows a node. What the engine does in the game goes on.
  function goTo(node) {
    state.show(node);
    state.lift(null);
    draw();
    if (!thinking) act();
  }

  // Shows a ply of the line.
  function go(to) {
    const { line } = state;
    goTo(line[Math.min(Math.max(to, 0), line.length - 1)]);
  }

  // Shows a fault, if there is one.
  function refuse(error) {
    if (!error) return;
    state.tell({ fault: sentence(error) });
    draw();
  }

  // The clock runs while the engine is there and no question of the page is open.
  function tick() {
    return state.tick(clocks.now(), engine.isOnline && !document.querySelector("dialog[open]"));
  }

  return {
    on, draw, keep: () => tell("keep"), give, place, passed, inspect, played, append, act, search, canMove, mustWait,
    wait, play, playText, begin, playOn, change, load, open, takeBack, resign, offerDraw, goTo, go, refuse, tick,
    undo: () => shift("undo"), redo: () => shift("redo"),
    // A new dialogue knows nothing of the old one.
    forget: () => { given = {}; },
    get queue() { return queue; }, get thinking() { return thinking; }, get searched() { return searched; },
    get given() { return given; },
  };
})();
