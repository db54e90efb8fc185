// state.js: everything that the page shows and plays, and the only ways to change it.
// Takes tree, picture, pgn, clock, record, modes and the data of the page; gives `toMove`, `other`, `NAMES`, `variants`,
// `state` and `gameSet`.
//
// `record` is the game as it is kept. `game` is what is played in it, or null: `{ began, players, control, clock,
// first, tip, over, steps, marks, verdict }`. `began` is a time, which names it; of the players null is a person and a
// number a level of the engine; `first` and `tip` are nodes where it began and is; `over` is an end without a move;
// `steps` counts what moved it; `marks` is the person's wish to see slips at once; `verdict`, `{ steps, slip }`, was said
// after a number of steps: its `slip` is null, or what refutes the last move, `{ title, text, moves }`, and the engine
// waits. `here` is the node that is shown.

const toMove = (node) => fields(node.fen)[1];
const other = (side) => (side === "w" ? "b" : "w");
const TIME = "time forfeit";
// The tags that a person may give a game.
const NAMES = ["White", "Black", "Event"];

class State {
  game = null;
  flipped = false;
  mode = "begin";
  // The person's wish to see lines of the engine.
  analyses = false;
  // The state that waits while a lesson shows positions of its own, or null.
  aside = null;
  // The square of the piece in the hand.
  lifted = null;
  // The move that is played when it is the person's turn: `{ from, to }`, or `{ text }` if it was typed. One that got
  // lost with the connection has its `node` too.
  premove = null;
  // What is shown until something happens: a fault of what the person asked for, or an answer, and a move:
  // `{ node, move, kind, text }`, `kind` being the class of its arrow.
  fault = "";
  hint = null;

  constructor(record) { Object.assign(this, { record, here: record.root }); }

  // --- What follows from it --------------------------------------------------------------------------

  // The state of the game, also beside a lesson.
  get own() { return this.aside ?? this; }
  get root() { return this.record.root; }
  get line() { return lineThrough(this.here, followedOf); }
  get at() { return pathTo(this.here).length - 1; }
  // Where the game is, or else the end of the main line.
  get tip() { return this.game?.tip ?? lineThrough(this.root).at(-1); }
  // Whether another position is shown than that of the game that is played.
  get isAway() { return this.mode === "play" && !this.isAtTip; }
  get isAtTip() { return this.here === this.game?.tip; }
  get outcome() { return this.endAt(this.tip); }
  get runs() { return this.game !== null && !this.outcome; }
  // The sides that people play.
  get humans() { return ["w", "b"].filter((side) => this.game?.players[side] === null).join(""); }
  get lives() { return modes.table[this.mode]; }
  get mayMove() {
    const isTheirs = !this.isAtTip || (!this.game.over && this.humans.includes(toMove(this.here)));
    const isTried = this.aside !== null && this.here !== this.root;
    return this.lives.moves && !this.here.known.over && isTheirs && !isTried;
  }
  // Whether the engine moves next.
  get isEngines() {
    return this.lives.answers && this.runs && this.game.players[toMove(this.game.tip)] !== null && !this.slip;
  }
  // Whether a person plays against the engine now, and moves next.
  get isAgainstEngine() { return this.runs && this.humans.length === 1; }
  get isPersons() { return this.isAgainstEngine && this.humans === toMove(this.game.tip); }
  // Whether the person's moves can be marked at once, which takes time.
  get mayMark() { return this.isAgainstEngine && !this.game.clock; }
  get marksMoves() { return this.mayMark && this.game.marks === true; }
  // The slip for which the engine waits; and whether the person's move is to be judged before it answers.
  get slip() { return this.#isJudged ? this.game.verdict.slip : null; }
  get mustJudge() { return this.isEngines && this.marksMoves && !this.#isJudged && this.game.tip !== this.game.first; }
  get #isJudged() { return this.marksMoves && this.game.verdict?.steps === this.game.steps; }
  get mayAnalyse() { return !(this.runs && this.game.clock); }
  get isOfGame() { return this.game !== null && pathTo(this.game.tip).includes(this.here); }
  get mayPromote() {
    const branch = branchOf(this.here);
    const { game } = this;
    return branch !== null && !(game && game.tip !== branch.before && pathTo(game.tip).includes(branch.before));
  }
  // Moves of the game are taken back instead.
  get mayCut() { return this.here.before !== null && !this.isOfGame; }
  get mayTakeBack() { return this.isOfGame && (this.game.over !== null || this.#lastOfPerson() !== null); }
  get mayTakeOver() { return !(this.game && this.isAtTip) && !this.here.known.over; }
  // Whether something would be lost with it. A game that was played to its end without a note is no loss.
  get isChanged() {
    return records.isChanged(this.record) && !(this.game && this.outcome && !records.hasNotes(this.record));
  }
  endAt(node) {
    const { over, ended } = node.known;
    return (node === this.game?.tip ? this.game.over : null) ?? over ?? ended ?? null;
  }

  #lastOfPerson() {
    const { tip, first } = this.game;
    let node = tip;
    while (node !== first && this.humans.length === 1 && toMove(node.before) !== this.humans) node = node.before;
    return node === first ? null : node;
  }

  // --- View and mode ---------------------------------------------------------------------------------

  // Shows a node, or the nearest that is in the tree; who steps back from it comes to it again.
  show(node) {
    this.here = nearest(this.root, node);
    for (let each = this.here; each.before; each = each.before) this.note(each.before, { followed: each });
  }

  // Notes what was found out of a node, in `known`. All of it stays with the node when it is deleted and comes again.
  //   of the rules      effects, check, over, solved (see `query node`), and `foreseen`: the effects for the other side
  //   of the engine     white: what White can expect, brief: the score, after: FENs behind moves
  //   of the game       left: the mover's time, ended: its end without a move
  //   of the page       captured: letters, followed: the move that was shown behind it
  // A reload keeps white, brief and left. PGN keeps none, but white comes again from `[%eval]` and ended from the tags.
  note(node, facts) { Object.assign(node.known, facts); }

  // Turns the board, or a side to its lower edge.
  turn(below = this.flipped ? "w" : "b") { this.flipped = below === "b"; }

  lift(square) { this.lifted = square; }
  wait(premove) { this.premove = premove; }
  tell({ fault = "", hint = null } = {}) { Object.assign(this, { fault, hint }); }

  // After a change: what is shown is in the tree, and playing ends with the game.
  settle() {
    if (nearest(this.root, this.here) !== this.here) this.show(this.here);
    if (this.hint && nearest(this.root, this.hint.node) !== this.hint.node) this.hint = null;
    if (!this.mayAnalyse) this.analyses = false;
    if (this.mode === "play" || this.mode === "look") this.mode = this.runs && !this.analyses ? "play" : "look";
  }

  // Begins another mode, or ends it without a name. What stood meanwhile comes back.
  enter(mode = "look") {
    Object.assign(this, this.aside, { aside: null, mode });
    this.settle();
  }

  // A lesson shows a record of its own, in which nobody plays.
  study(record) {
    const aside = this.aside ?? Object.assign(Object.create(State.prototype), this);
    const nothing = { game: null, premove: null, lifted: null, hint: null };
    Object.assign(this, { aside, record, here: record.root, mode: "learn", ...nothing });
  }

  analyse(wish) {
    this.analyses = wish;
    this.settle();
  }

  // --- Games -----------------------------------------------------------------------------------------

  // Shows another record, in which nobody plays.
  open(record) {
    Object.assign(this, { aside: null, record, game: null, premove: null, lifted: null });
    this.show(this.tip);
    this.enter();
  }

  // A game begins at the position that is shown.
  play(players, time, marks = false) {
    makeMain(this.here);
    for (const node of nodesOf(this.root)) this.note(node, { ended: null });
    const [clock, first, tip] = [clocks.create(time), this.here, this.here];
    this.game = { began: Date.now(), players, control: time, clock, first, tip, over: null, steps: 0, marks };
    this.record.names = [];
    Object.assign(this, { aside: null, analyses: false, premove: null });
    if (this.humans.length === 1) this.turn(this.humans);
    this.enter("play");
  }

  // The game is left; its tags stay.
  leaveGame() {
    this.record.tags = this.tags;
    Object.assign(this, { game: null, premove: null });
    this.settle();
  }

  // A move behind a node: where the game is played it is the game's, elsewhere it begins a variation. `facts` are
  // those of a node, of a move that is there already they are not needed. What has gone or ended meanwhile gets none.
  add(before, facts, now) {
    const { game, record } = this;
    if (nearest(this.root, before) !== before || (game?.over && before === game.tip)) return before;
    const isGames = this.runs && before === game.tip;
    let node = before.next.find(({ move }) => move === facts.move);
    if (!node) {
      node = newNode(before, facts);
      const undo = moveTo(node, before.next.length);
      if (!isGames) records.edit(record, undo);
    }
    if (!isGames) return node;
    moveTo(node, 0);
    Object.assign(game, { tip: node, steps: game.steps + 1 });
    record.redo = [];
    if (game.clock) {
      game.clock = clocks.run(clocks.press(game.clock, toMove(before), now), toMove(node), now);
      const left = game.clock[toMove(before)];
      this.note(node, { left });
      node.comment = withCommand(node.comment, "clk", clocks.text(left));
    }
    this.settle();
    return node;
  }

  // Marks the person's last move, for which the engine waits if it is a slip; without one it answers.
  judgeMove(slip = null, mark = null) {
    const { game, game: { tip, steps } } = this;
    game.verdict = { steps, slip };
    if (mark) tip.marks = [mark, ...tip.marks.filter((each) => !JUDGEMENTS.includes(symbolOf(each)))];
    if (slip) this.premove = null;
  }
  turnMarks() { this.game.marks = !this.game.marks; }

  // The game ends without a move, once.
  end(over, now) {
    const { game } = this;
    if (!this.runs) return;
    if (game.clock) game.clock = clocks.stop(game.clock, now);
    Object.assign(game, { over, steps: game.steps + 1 });
    this.settle();
  }
  resign(now) {
    this.end({ winner: other(this.humans.length === 1 ? this.humans : toMove(this.tip)), reason: "resignation" }, now);
  }
  agree(now) { this.end({ winner: null, reason: "agreement" }, now); }

  // Takes back what ended the game if it was no move, or else the person's last move; the clocks are then those of the
  // position that comes back. The moves come back by undo, as moves that were not played.
  takeBack(now) {
    const { game } = this;
    if (!this.mayTakeBack) return;
    const { over } = game;
    if (!over) {
      const node = this.#lastOfPerson();
      game.tip = node.before;
      records.edit(this.record, remove(node));
    }
    if (game.clock) game.clock = !over || over.reason === TIME ? this.#clockThere() : clocks.stop(game.clock, now);
    Object.assign(game, { over: null, steps: game.steps + 1 });
    this.premove = null;
    this.show(game.tip);
    this.settle();
  }

  #clockThere() {
    const { control: time, first, tip } = this.game;
    const moves = pathTo(tip).slice(pathTo(first).length);
    const press = (clock, { before, known: { left } }) =>
      ({ ...clock, hasBegun: true, [toMove(before)]: left ?? clock[toMove(before)] });
    return moves.reduce(press, clocks.create(time));
  }

  // Lets the clock of the side to move run if it may, and ends the game with its time; true if it did.
  tick(now, isOpen) {
    const { game } = this;
    if (!game?.clock) return false;
    const may = isOpen && this.lives.clock && this.runs;
    game.clock = may ? clocks.run(game.clock, toMove(game.tip), now) : clocks.stop(game.clock, now);
    const loser = clocks.fallen(game.clock, now);
    if (loser) this.end({ winner: other(loser), reason: TIME }, now);
    return loser !== null;
  }

  // --- The record ------------------------------------------------------------------------------------

  // Makes a change of the tree that can be undone. `undo` is its inverse.
  edit(undo) {
    records.edit(this.record, undo);
    this.settle();
  }
  annotate(node, facts) { this.edit(write(node, facts)); }
  // Gives players and event other names, as tags.
  rename(given) {
    const where = this.game ? "names" : "tags", old = this.record[where];
    const isNew = ([name]) => tagOf({ tags: old }, name) === undefined;
    const replaced = old.map(([name, value]) => [name, tagOf({ tags: given }, name) ?? value]);
    this.edit(write(this.record, { [where]: [...given.filter(isNew), ...replaced] }));
  }
  promote() { if (this.mayPromote) this.edit(promote(this.here)); }
  makeMain() { if (this.mayPromote) this.edit(makeMain(this.here)); }
  cut() { if (this.mayCut) this.edit(remove(this.here)); }
  // False if the game is played there.
  undo() { return this.#shift("undo", "redo"); }
  redo() { return this.#shift("redo", "undo"); }
  #shift(from, to) {
    const isDone = records.shift(this.record, from, to, this.game?.tip);
    this.settle();
    return isDone;
  }

  // --- As text ---------------------------------------------------------------------------------------

  get result() {
    const over = this.outcome;
    if (!this.game) return this.record.result;
    return !over ? "*" : over.winner === null ? "1/2-1/2" : over.winner === "w" ? "1-0" : "0-1";
  }

  // The tags of a game that is played here; those of an opened one that it does not have itself stay.
  get tags() {
    const { game, record, record: { tags, names } } = this;
    if (!game) return tags;
    const player = (side) => (game.players[side] === null ? "Human" : `Quadrille, level ${game.players[side]}`);
    const [time, increment] = game.control.split("+").map((each) => each / 1000);
    const perMove = this.humans.length === 2 ? "-" : `${time}/move`;
    const own = Object.entries({
      ...records.tagsOf(record), Event: "Casual game", Date: records.dayOf(game.began), White: player("w"),
      Black: player("b"), Result: this.result, PlyCount: String(pathTo(game.tip).length - 1),
      TimeControl: increment === undefined ? perMove : `${time}+${increment}`,
      ...(this.outcome ? { Reason: this.outcome.reason } : {}), ...Object.fromEntries(names),
    });
    const isOwn = (name) => name === "Reason" || own.some(([each]) => each === name);
    return [...own, ...tags.filter(([name]) => !isOwn(name))];
  }

  // The name that somebody gave: of a game that is not played here, the one that it has.
  named(name) { return tagOf({ tags: this.game ? this.record.names : this.record.tags }, name); }

  get pgn() { return writePgn(this.root, this); }

  // The game as PGN, and what no PGN says, as JSON for a reload; nodes are numbers.
  kept() {
    const { pgn, record, game, here, flipped, analyses } = this;
    const nodes = nodesOf(this.root);
    const numbers = new Map(nodes.map((node, number) => [node, number]));
    return {
      pgn, names: record.names, isChanged: records.isChanged(record), here: numbers.get(here), flipped, analyses,
      game: game && { ...game, first: numbers.get(game.first), tip: numbers.get(game.tip) },
      known: nodes.map(({ known: { white, brief, left } }) => ({ white, brief, left })),
    };
  }

  // After the PGN was opened again.
  restore({ names, isChanged, game, here, flipped, analyses, known }) {
    const nodes = nodesOf(this.root);
    nodes.forEach((node, number) => this.note(node, { ...known[number], ...(game && { ended: null }) }));
    if (game) this.game = { ...game, first: nodes[game.first], tip: nodes[game.tip] };
    this.record.names = names;
    this.record.saved = isChanged ? "" : records.textOf(this.record);
    Object.assign(this, { flipped, analyses });
    this.show(nodes[here].unplayed ? this.root : nodes[here]);
    this.enter();
  }
}

// The games by their names, the state of the page, and the parts of the pictures of its game.
const variants = Object.keys(sets);
const state = new State(records.create(variants[0], null, newNode(null, { fen: sets[variants[0]].start })));
const gameSet = () => sets[state.record.variant];
