// The state of the page without a browser: short cases, and random actions after each of which it is sound.
// `node tests/browser/state.js COUNT`

const fs = require("fs"), assert = require("assert");
const FILES = ["picture", "tree", "moves", "steps", "pgn", "game_file", "clock", "record", "kept", "modes", "state", "words", "lessons"];
const texts = [...FILES.map((file) => `src/page/${file}.js`), "tests/browser/check.js"].map((file) => fs.readFileSync(file, "utf8"));
const NAMES_USED = "State, check, kepts, gameFiles, records, clocks, lessons, briefly, modes, newNode, nodesOf, treeOf, " +
  "readPgn, write, pathTo, commandOf, keyOf";
const { State, check, kepts, gameFiles, records, clocks, lessons, briefly, modes, newNode, nodesOf, treeOf, readPgn,
  write, pathTo, commandOf, keyOf } = new Function(`const program = { fullLevel: 20 }, sets = { toy: { start: "k w - - 0 1" } }; ${texts.join("\n")} return { ${NAMES_USED} };`)();

const fenOf = (ply) => `k w ${ply % 2 ? "b" : "w"} - 0 1`.replace("k w", "k");
const WORDS = ["a3", "b3", "c3", "Nd2", "Ne2"];
// A move without rules: its word tells it from others.
const facts = (before, word) => ({ move: `a1${word}`, san: word, text: word, fen: fenOf(pathTo(before).length) });
const start = () => {
  const state = new State(records.create("toy", null, newNode(null, { fen: fenOf(0) })));
  records.save(state.record);
  return state;
};
const opened = (text) => {
  const [read] = readPgn(text);
  const root = treeOf(read);
  for (const node of nodesOf(root)) Object.assign(node, { fen: fenOf(pathTo(node).length - 1), san: node.text, move: node.text && `a1${node.text}` });
  const record = Object.assign(records.create("toy", null, root), { tags: read.tags, result: read.result });
  records.save(record);
  const state = start();
  state.open(record);
  return state;
};
const moves = (state, now, ...words) => {
  for (const word of words) state.show(state.add(state.here, facts(state.here, word), now));
};
const game = (control, ...words) => {
  const state = start();
  state.play({ w: null, b: 5 }, control);
  moves(state, 0, ...words);
  return state;
};
const list = ({ root }) => records.textOf({ root }).replace(/\s+/g, " ").trim();
const sound = (state) => assert.deepStrictEqual(check(state), []);

const SLIP = { title: "c3 is a mistake", text: "Black answers Nd2.", moves: ["a7a6"] };
let seed = 1, now = 0, online = true;

// --- Short cases --------------------------------------------------------------------------------------

const cases = {
  "undo leaves the game where it is"() {
    const state = game("1000", "a3", "b3");
    state.annotate(state.here, { comment: "[%cal Ga1a2]" });
    moves(state, 0, "c3", "Nd2", "Ne2");
    const { tip } = state;
    state.undo();
    assert.strictEqual(state.tip, tip);
    assert.strictEqual(list(state), "1. a3 b3 2. c3 Nd2 3. Ne2");
    state.annotate(state.here, { comment: "x" });
    state.resign(0);
    state.undo();
    assert.strictEqual(state.outcome.reason, "resignation");
  },
  "a comment is bound to a node, and comes again"() {
    const state = game("1000", "a3");
    const node = state.here;
    moves(state, 0, "b3");
    state.annotate(node, { comment: "mine" });
    assert.strictEqual(list(state), "1. a3 {mine} 1... b3");
    state.undo(), state.redo();
    assert.strictEqual(list(state), "1. a3 {mine} 1... b3");
  },
  "a finished game with a note is a change, one without is none"() {
    const state = game("1000", "a3");
    assert(state.isChanged);
    state.resign(0);
    assert(!state.isChanged);
    state.annotate(state.root, { comment: "mine" });
    assert(state.isChanged);
    records.save(state.record);
    assert(!state.isChanged);
  },
  "moves that were taken back are gone, until they are wanted"() {
    const state = game("1000", "a3", "b3", "c3", "Nd2");
    state.show(state.root.next[0].next[0]);
    state.takeBack(now);
    assert.strictEqual(list(state), "1. a3 b3");
    assert.strictEqual(state.line.length, 3);
    assert(state.isAtTip);
    const { tip } = state;
    state.undo();
    assert.strictEqual(state.tip, tip);
    assert.strictEqual(list(state), "1. a3 b3 2. c3 Nd2");
  },
  "what is shown may be deleted, and whole variations come and go"() {
    const state = opened("1. a3 b3 2. c3 (2. Nd2 Ne2 3. a3) 2... Ne2 *");
    const [branch] = state.root.next[0].next[0].next.slice(1);
    state.show(branch.next[0]);
    const here = branch.before;
    state.edit(write(branch, { comment: "x" }));
    state.show(branch);
    state.cut();
    assert.strictEqual(state.here, here);
    state.undo();
    state.show(branch.next[0].next[0]);
    state.redo();
    assert.strictEqual(state.here, here);
  },
  "a move comes too late behind what was deleted, and after the end"() {
    const state = opened("1. a3 b3 *");
    const gone = state.here;
    state.cut();
    state.show(state.add(gone, facts(gone, "c3"), 0));
    assert.strictEqual(list(state), "1. a3");
    sound(state);
    const ended = game("1000", "a3");
    ended.resign(0);
    moves(ended, 0, "b3");
    assert.strictEqual(list(ended), "1. a3");
  },
  "a saved game has the players that played it, also after a reload"() {
    const state = game("180000+2000", "a3", "b3");
    const kept = JSON.parse(JSON.stringify(state.kept()));
    const other = opened(kept.pgn);
    other.restore(kept);
    for (const each of [state, other]) {
      const tags = Object.fromEntries(each.tags);
      assert.deepStrictEqual([tags.White, tags.Black, tags.TimeControl], ["Human", "Quadrille, level 5", "180+2"]);
      assert.strictEqual(each.mode, "play");
      assert.strictEqual(each.tip.san, "b3");
      assert.strictEqual(each.pgn, state.pgn);
      sound(each);
    }
  },
  "clocks stand while nobody may move, and the flag falls once"() {
    const state = game("1000+0", "a3");
    assert.strictEqual(state.tick(600, false), false);
    assert.strictEqual(state.tick(9000, false), false);
    state.enter("set up");
    assert.strictEqual(state.tick(9000, true), false);
    state.enter();
    assert.strictEqual(state.tick(9100, true), false);
    assert.strictEqual(state.tick(9400, true), false);
    assert.strictEqual(state.tick(9500, true), true);
    assert.deepStrictEqual(state.outcome, { winner: "w", reason: "time forfeit" });
    assert.strictEqual(state.tick(9900, true), false);
    state.resign(9900);
    assert.strictEqual(state.outcome.reason, "time forfeit");
    assert(!state.mayMove);
    state.takeBack(now);
    assert(state.runs && state.mode === "play" && clocks.left(state.game.clock, "b", 9900) === 1000);
  },
  // Each row: moves with the times at which they are made, the time at which one is taken back, and the clocks then.
  "the clocks are those of the position that comes back"() {
    for (const [players, control, played, end, w, b] of [
      [{ w: null, b: null }, "300000+3000", [["a3", 0]], 9000, 300000, 300000],
      [{ w: null, b: null }, "300000+3000", [["a3", 0], ["b3", 7400], ["c3", 9400]], 90000, 303000, 295600],
      [{ w: null, b: 5 }, "60000+1000", [["a3", 0], ["b3", 2000], ["c3", 5000], ["Nd2", 5500]], 6000, 61000, 59000],
      [{ w: 5, b: null }, "1000+100", [["a3", 0], ["b3", 300]], 400, 1100, 1000],
      // After the flag.
      [{ w: null, b: null }, "1000+100", [["a3", 0], ["b3", 300]], 2000, 1100, 800],
      [{ w: null, b: null }, "1000+0", [["a3", 0]], 1200, 1000, 1000],
    ]) {
      const state = start();
      state.play(players, control);
      for (const [word, at] of played) moves(state, at, word);
      state.tick(end, true);
      const kept = JSON.parse(JSON.stringify(state.kept()));
      const again = opened(kept.pgn);
      again.restore(kept);
      for (const each of [state, again]) {
        each.takeBack(end);
        const { clock } = each.game;
        assert.deepStrictEqual([clock.w, clock.b, clock.hasBegun], [w, b, each.tip !== each.root], played.join(" "));
      }
      // Over and over, nobody wins time by it.
      for (let at = end; at < end + 9e6; at += 1e5) {
        moves(state, at, "Ne2");
        state.takeBack(at + 500);
        assert(state.game.clock.w <= Math.max(w, 1000) && state.game.clock.b <= Math.max(b, 1000));
      }
    }
  },
  "who sets the clock of the machine moves none of a game"() {
    const real = Date.now;
    const state = start();
    state.play({ w: null, b: null }, "60000+0");
    moves(state, clocks.now(), "a3");
    for (const jump of [3.6e6, -3.6e6, 4e12]) {
      Date.now = () => real() + jump;
      assert.strictEqual(state.tick(clocks.now(), true), false);
      const left = clocks.left(state.game.clock, "b", clocks.now());
      assert(left <= 60000 && left > 50000, `${left}`);
    }
    Date.now = real;
    // A page that is loaded again may find an earlier time of day.
    const earlier = clocks.now() - 3.6e6;
    state.tick(earlier, true);
    assert.strictEqual(Math.round(clocks.left(state.game.clock, "b", earlier + 2000) / 1000), 58);
  },
  "setting up stops the clock"() {
    const state = game("60000+0", "b3", "c3");
    state.tick(0, true);
    state.enter("set up");
    state.tick(100, true);
    assert.strictEqual(state.game.clock.side, null);
  },
  "take back is off outside the game"() {
    const state = opened("1. a3 b3 2. c3 *");
    assert(!state.mayTakeBack);
    const other = game("1000", "a3", "b3");
    other.show(other.root);
    moves(other, 0, "c3");
    assert(!other.mayTakeBack);
    other.takeBack(0);
    assert.strictEqual(list(other), "1. a3 (1. c3) 1... b3");
    other.undo();
    assert.strictEqual(list(other), "1. a3 b3");
  },
  "the game that is played cannot be undone away"() {
    const state = opened("1. a3 b3 *");
    state.show(state.root);
    moves(state, 0, "c3");
    state.play({ w: null, b: 5 }, "1000");
    moves(state, 0, "Nd2");
    assert.strictEqual(list(state), "1. c3 (1. a3 b3) 1... Nd2");
    assert.strictEqual(state.undo(), false);
    assert.strictEqual(list(state), "1. c3 (1. a3 b3) 1... Nd2");
    assert.strictEqual(state.tip.san, "Nd2");
  },
  "a game with clocks is not analysed while it runs"() {
    const state = game("60000+0", "a3");
    state.analyse(true);
    assert(!state.analyses && state.mode === "play" && !state.lives.keys.has("Space"));
    state.resign(0);
    state.analyse(true);
    assert(state.analyses && state.mode === "look" && state.lives.keys.has("Space"));
  },
  "tags of an opened game stay when it is played on"() {
    const state = opened('[Annotator "Ann"]\n[White "Bob"]\n[Result "1-0"]\n\n1. a3 b3 1-0');
    state.play({ w: null, b: 5 }, "1000");
    const tags = Object.fromEntries(state.tags);
    assert.deepStrictEqual([tags.Annotator, tags.White, tags.Result], ["Ann", "Human", "*"]);
  },
  "what the engine found survives a reload"() {
    const state = opened("1. a3 b3 (1... c3) *");
    state.note(state.root.next[0].next[1], { white: 0.25, brief: "−0.5" });
    const kept = JSON.parse(JSON.stringify(state.kept()));
    const other = opened(kept.pgn);
    other.restore(kept);
    const [b3, c3] = other.root.next[0].next;
    assert.deepStrictEqual([b3.known.white, c3.known.white, c3.known.brief], [undefined, 0.25, "−0.5"]);
  },
  "a score is read at a glance"() {
    for (const [score, brief] of [["0.52", "+0.5"], ["−0.33", "−0.3"], ["−0.04", "0.0"], ["+12.00", "+12.0"], ["#−3", "#−3"], ["", ""]])
      assert.strictEqual(briefly(score), brief, score);
  },
  "what was kept is a game or refused"() {
    const state = game("60000+1000", "a3", "b3");
    state.show(state.root);
    moves(state, 0, "c3");
    state.annotate(state.here, { comment: "x" });
    state.rename([["White", "Ann"]]);
    state.note(state.root, { white: 0.5, brief: "0.0" });
    state.tick(0, true);
    state.resign(500);
    const text = JSON.stringify(state.kept());
    assert(kepts.read(JSON.parse(text)));
    // Every value in turn becomes each of these, or goes.
    const others = [null, 0, 1, -1, 2.5, 1e300, "", "x", "w", [], {}, true, [[]], [null], undefined];
    const paths = (value, path = []) => [path, ...(value && typeof value === "object"
      ? Object.keys(value).flatMap((key) => paths(value[key], [...path, key])) : [])];
    let [taken, refused] = [0, 0];
    for (const path of paths(JSON.parse(text)).slice(1)) for (const value of others) {
      const kept = JSON.parse(text);
      const last = path.at(-1), holder = path.slice(0, -1).reduce((each, key) => each[key], kept);
      if (value === undefined) Array.isArray(holder) ? holder.splice(last, 1) : delete holder[last];
      else holder[last] = value;
      const what = `${path.join(".")} = ${JSON.stringify(value)}`;
      if (!kepts.read(kept)) {
        refused += 1;
        continue;
      }
      taken += 1;
      try {
        const again = opened(kept.pgn);
        again.restore(kept);
        assert(again.pgn && again.tags.every(([name, value]) => name && typeof value === "string"), what);
        for (const act of ["takeBack", "tick", "takeBack", "undo"]) again[act](600, true);
        sound(again);
      } catch (error) { error.message = `${what}: ${error.message}`; throw error; }
    }
    assert(taken > 50 && refused > 300, `${taken} ${refused}`);
    for (const text of ["null", "5", "\"x\"", "[]", "{}", "{\"game\":null}"]) assert(!kepts.read(JSON.parse(text)), text);
  },
  "the engine waits after a slip, until it is taken back or played on"() {
    const begun = (players, control, marks = true) => {
      const state = start();
      state.play(players, control, marks);
      return state;
    };
    const state = begun({ w: null, b: 5 }, "1000");
    moves(state, 0, "a3");
    assert(state.mustJudge);
    state.judgeMove();
    assert(!state.mustJudge && state.isEngines);
    moves(state, 0, "b3", "c3");
    state.wait({ text: "Nd2" });
    state.judgeMove(SLIP, "?");
    const text = JSON.stringify(state.kept()), again = opened(JSON.parse(text).pgn);
    again.restore(JSON.parse(text));
    for (const each of [state, again]) {
      assert.deepStrictEqual([each.slip, each.isEngines, each.mustJudge, each.premove], [SLIP, false, false, null]);
      each.takeBack(0);
      assert.deepStrictEqual([each.slip, each.isPersons, list(each)], [null, true, "1. a3 b3"]);
      // The same move is judged again; who wants no marks, or plays on, is answered.
      moves(each, 0, "c3");
      assert(each.mustJudge);
      each.judgeMove(SLIP, "??");
      each.turnMarks();
      assert(each.isEngines && !each.mustJudge);
      each.turnMarks();
      each.judgeMove();
      assert(each.isEngines && !each.mustJudge && list(each) === "1. a3 b3 2. c3??");
    }
    state.judgeMove(SLIP);
    state.resign(0);
    assert.strictEqual(state.slip, null);
    state.takeBack(0);
    assert(state.mustJudge);
    for (const [players, control] of [[{ w: null, b: 5 }, "1000+100"], [{ w: null, b: null }, "1000"], [{ w: 1, b: 2 }, "1000"]]) {
      const other = begun(players, control);
      other.show(other.add(other.here, facts(other.here, "a3"), 0));
      assert(!other.mayMark && !other.mustJudge && !other.slip);
    }
    assert(!begun({ w: 5, b: null }, "1000").mustJudge);
    for (const [from, to, is] of [[/a7a6/, "a", false], [/"slip":{[^}]*}/, '"slip":[]', false], [/,"verdict":{.*?}}|,"marks":true/g, "", true]])
      assert.strictEqual(Boolean(kepts.read(JSON.parse(text.replace(from, to)))), is, `${from}`);
  },
  "a lesson has the marked moves of a side with a better line"() {
    const state = opened("1. a3?? (1. b3 c3 {[%eval 0.50,9]}) 1... b3? (1... c3 {mine}) 2. c3? (2. Nd2 {[%eval 0.10,9]}) *");
    const [a3, b3, c3] = state.line.slice(1);
    for (const wish of ["w", "b"])
      assert.deepStrictEqual(lessons.ofMistakes("toy", state.line, wish).tasks.map(({ slip }) => slip), [a3, c3]);
    assert.strictEqual(lessons.betterOf(c3).san, "Nd2");
    assert.strictEqual(lessons.betterOf(b3), undefined);
    assert.strictEqual(lessons.ofMistakes("toy", opened("1. a3 b3? *").line, "w"), null);
  },
  "a game stands while somebody learns, and comes back"() {
    const state = game("60000+0", "a3", "b3");
    state.turn("b");
    const { tip, pgn, game: played } = state;
    state.tick(0, false);
    for (const text of ["1. a3 b3 *", "*"]) {
      state.study(opened(text).record);
      assert(state.mode === "learn" && !state.game && state.here === state.root && state.mayMove);
      moves(state, 500, "c3");
      state.turn("w");
      assert(!state.mayMove && !state.tick(9e6, true));
      sound(state);
    }
    state.enter();
    assert.deepStrictEqual([state.pgn, state.here, state.mode, state.flipped], [pgn, tip, "play", true]);
    assert(state.game === played && clocks.left(played.clock, "w", 9e6) === 60000);
    sound(state);
  },
  "a saved game says who played with which time"() {
    const tagsOf = (players, control) => {
      const state = start();
      state.play(players, control);
      return Object.fromEntries(state.tags);
    };
    for (const [players, control, white, black, time] of [
      [{ w: null, b: null }, "1000", "Human", "Human", "-"], [{ w: null, b: null }, "60000+0", "Human", "Human", "60+0"],
      [{ w: 3, b: 20 }, "500", "Quadrille, level 3", "Quadrille, level 20", "0.5/move"],
      [{ w: 0, b: null }, "1000+100", "Quadrille, level 0", "Human", "1+0.1"],
    ]) {
      const tags = tagsOf(players, control);
      assert.deepStrictEqual([tags.White, tags.Black, tags.TimeControl], [white, black, time]);
      assert.strictEqual(tags.Date, records.dayOf());
    }
  },
  "names that were given stay, and can be undone"() {
    const state = game("1000", "a3", "b3");
    const before = state.pgn;
    state.rename([["White", "Ann"], ["Event", "Home"]]);
    const { White, Black, Event } = Object.fromEntries(state.tags);
    assert.deepStrictEqual([White, Black, Event, state.named("White")], ["Ann", "Quadrille, level 5", "Home", "Ann"]);
    state.resign(0);
    assert(state.isChanged);
    const other = opened(state.pgn);
    other.restore(JSON.parse(JSON.stringify(state.kept())));
    assert.strictEqual(other.pgn, state.pgn);
    sound(other);
    state.takeBack(0);
    state.undo();
    assert.strictEqual(state.pgn, before);
    // Of an opened game the tags themselves, at their places; a game that begins in it has players of its own.
    const read = opened('[Event "E"]\n[Black "Bob"]\n\n1. a3 *');
    const was = read.pgn;
    read.rename([["White", "Ann"], ["Black", "Cid"]]);
    assert.deepStrictEqual(read.tags, [["White", "Ann"], ["Event", "E"], ["Black", "Cid"]]);
    assert(read.isChanged);
    read.undo();
    assert.strictEqual(read.pgn, was);
    read.redo();
    read.play({ w: null, b: null }, "1000");
    assert.deepStrictEqual(read.tags.find(([name]) => name === "White"), ["White", "Human"]);
  },
  "what was changed is so after a reload"() {
    const state = opened("1. a3 b3 *");
    for (const isChanged of [false, true]) {
      const other = opened(state.pgn);
      other.restore(JSON.parse(JSON.stringify(state.kept())));
      assert.strictEqual(other.isChanged, isChanged);
      state.cut();
    }
  },
  "a file of games is its bytes"() {
    const bytesOf = (text) => Buffer.from(text, "latin1");
    const textOf = ({ bytes }) => Buffer.from(bytes).toString("latin1");
    const one = (name, end = "\n") => [`[White "${name}"]`, "", "1. a3 *", "", ""].join(end);
    for (const parts of [
      [one("A"), one("B"), one("C").trimEnd()], [`\n\n%x\n${one("A", "\r\n")}`, one("B", "\r\n")],
      // UTF-8 with a mark, Windows-1252, and the line ends of an old Mac.
      [`\xef\xbb\xbf${one("\xc3\xa4")}`, one("\xe4\x85"), one("C")], [one("A", "\r"), one("\xe4", "\r"), one("C", "\r")],
      [one("A"), `[White "B"]\n\n1. a3 {\n`, one("C")], ["\n%\n1. a3 *\n"],
      // Without a line break behind the result.
      [one("A").trimEnd(), one("B")], ["1. a3 \xbd-\xbd\xa0", '[A "\xe4"]*', one("\xe4")],
      ["1. a3 {\xc3\xa4}\r\xc2\xbd-\xc2\xbd \xc2\xa0", one("\xc3\xa4")],
    ]) {
      const file = gameFiles.read("name", bytesOf(parts.join("")));
      assert.deepStrictEqual(file.games.map(textOf), parts);
      file.games.filter(({ fault }) => !fault).forEach((each) => assert.deepStrictEqual(gameFiles.gameOf(each).tags, each.tags));
      assert.deepStrictEqual(gameFiles.unpacked(gameFiles.packed(file)).games.map(textOf), parts);
      gameFiles.set(file, 0, [["White", "\xe4"]], '[White "\xe4"]\n\n1. b3 *\n\n');
      assert.deepStrictEqual(file.games.slice(1).map(textOf), parts.slice(1));
      const again = gameFiles.unpacked(gameFiles.packed(file));
      assert.deepStrictEqual([again.games.length, again.games[0].tags[0][1], again.isChanged], [parts.length, "\xe4", true]);
    }
    assert.deepStrictEqual(gameFiles.read("", bytesOf(" \n%x\n")).games, []);
  },
  "shortcuts are found on every layout"() {
    for (const [key, code, name] of [
      // Latin letters are what they are: US, AZERTY, QWERTZ, Dvorak, Turkish.
      ["l", "KeyL", "l"], ["L", "KeyL", "l"], ["a", "KeyQ", "a"], ["z", "KeyW", "z"], ["z", "KeyY", "z"], ["n", "KeyL", "n"],
      [".", "KeyE", "."], ["ı", "KeyI", "ı"],
      // Russian, Greek, Hebrew, Arabic with a ligature, Georgian, Korean, Thai with a vowel sign.
      ["д", "KeyL", "l"], ["А", "KeyF", "f"], ["я", "KeyZ", "z"], ["λ", "KeyL", "l"], ["כ", "KeyF", "f"], ["\u0644\u0627", "KeyB", "b"],
      ["ლ", "KeyL", "l"], ["ㅣ", "KeyL", "l"], ["\u0e34", "KeyB", "b"], ["х", "BracketLeft", "х"],
      ["?", "Digit7", "?"], [" ", "Space", "Space"], ["ArrowLeft", "ArrowLeft", "ArrowLeft"], ["F5", "F5", "F5"], ["Process", "KeyL", "Process"],
      ["д", undefined, "д"],
    ]) assert.strictEqual(keyOf({ key, code }), name, `${key} ${code}`);
  },
  "what is played from a game is a game of its own"() {
    const state = opened('[White "A"]\n[Termination "x"]\n\n1. a3 {x} b3 (1... c3) 2. Nd2 *');
    const [text, node] = [state.pgn, state.root.next[0].next[0]];
    const own = records.create("toy", null, treeOf(records.readTo(node)));
    own.tags = Object.entries(records.tagsOf(own));
    for (const each of nodesOf(own.root)) Object.assign(each, { fen: fenOf(pathTo(each).length - 1), san: each.text });
    // Behind a game that ends without a line break.
    const file = gameFiles.read("name", Buffer.from(text.trimEnd()));
    state.open(own);
    gameFiles.set(file, 1, state.tags, state.pgn);
    const again = gameFiles.unpacked(gameFiles.packed(file));
    assert.deepStrictEqual(again.games.map(({ fault }) => fault), [undefined, undefined]);
    assert.strictEqual(Buffer.from(again.games[0].bytes).toString().trimEnd(), text.trimEnd());
    state.play({ w: null, b: 5 }, "1000");
    assert.strictEqual(list(state), "1. a3 b3");
    assert.deepStrictEqual([state.tip.san, state.tags.some(([name]) => name === "Termination")], ["b3", false]);
    sound(state);
  },
  "a choice of time is one"() {
    for (const [text, is] of [["1000", true], ["0+5000", true], ["0+0", false], ["own", false], [null, false]])
      assert.strictEqual(clocks.isChoice(text), is, text);
    assert.strictEqual(clocks.create("0+5000").w, 5000);
    assert.strictEqual(clocks.text(154000), "0:02:34");
    assert.strictEqual(clocks.shown(19990), "0:20.0");
    assert.strictEqual(commandOf(game("60000+1000", "a3").here.comment, "clk"), "0:01:01");
  },
};
for (const [name, run] of Object.entries(cases)) {
  try { run(); } catch (error) { error.message = `${name}: ${error.message}`; throw error; }
}

// --- Random actions -----------------------------------------------------------------------------------

const random = (below) => (seed = (seed * 48271) % 2147483647) % below;
const pick = (all) => all[random(all.length)];
const CONTROLS = ["1000", "3000+100", "60000+1000"];
const PLAYERS = [{ w: null, b: 5 }, { w: 3, b: null }, { w: null, b: null }, { w: 1, b: 2 }];
const LINES = "1. a3 {x} b3 (1... c3 $2 {y} 2. Nd2 (2. Ne2 a3) 2... Ne2) 2. c3 *";

let state = start(), old = state.here;
const actions = {
  begin() { state = start(); state.play(pick(PLAYERS), pick(CONTROLS), random(2) === 0); },
  open() { state = opened(LINES); },
  move() { if (state.mayMove) moves(state, now, pick(WORDS)); },
  engine() { if (state.isEngines && !state.mustJudge) state.add(state.tip, facts(state.tip, pick(WORDS)), now); },
  show() { state.show(old = pick(nodesOf(state.root))); },
  // Of an action that waited for its turn.
  late() { state.show(state.add(old, facts(old, pick(WORDS)), now)); },
  step() { state.show(pick(state.line)); },
  comment() { state.annotate(pick(nodesOf(state.root)), { comment: pick(["one", "[%cal Ga1a2] two", null]) }); },
  mark() { state.annotate(state.here, { marks: pick([["??"], ["$16", "!"], []]) }); },
  rename() { state.rename([[pick(["White", "Event"]), pick(["Ann", "?"])]]); },
  promote() { state.promote(); },
  cut() { state.cut(); },
  undo() { state.undo(); },
  redo() { state.redo(); },
  back() { state.takeBack(now); },
  over() { if (state.mayTakeOver) state.play(pick(PLAYERS), pick(CONTROLS)); },
  resign() { if (random(4) === 0) state.resign(now); },
  draw() { if (random(8) === 0) state.agree(now); },
  tick() { now += random(400); state.tick(now, online); },
  line() { online = !online; state.tick(now, online); },
  mode() { state.enter(pick(["look", "judge", "set up", undefined])); },
  learn() { state.tick(now, false); state.study(opened(LINES).record); },
  leave() { state.enter(); },
  abandon() { if (state.game && random(4) === 0) state.leaveGame(); },
  turn() { state.turn(); },
  hint() { state.tell({ hint: { node: pick(nodesOf(state.root)) } }); },
  fault() { state.tell({ fault: pick(["x", ""]) }); },
  judge() { if (state.mustJudge) state.judgeMove(...pick([[], [SLIP, "??"]])); },
  answer() { if (state.slip) state.judgeMove(); },
  marks() { if (state.mayMark) state.turnMarks(); },
  wait() { if (state.isAgainstEngine && !state.slip) state.wait({ from: "a1", to: "a2" }); },
  analyse() { state.analyse(random(2) === 0); },
  reload() {
    const kept = JSON.parse(JSON.stringify(state.kept()));
    const before = state;
    state = opened(kept.pgn);
    state.restore(kept);
    assert.strictEqual(state.pgn, before.pgn);
    assert.strictEqual(state.at, before.at);
    assert.deepStrictEqual(state.slip, before.slip);
  },
};
const names = Object.keys(actions);
const likely = [...names, "move", "move", "move", "engine", "engine", "show", "step", "undo", "redo", "leave", "judge", "judge"];
const count = Number(process.argv[2] ?? 1000);
const trail = [];
for (let done = 0; done < count; done++) {
  const name = nodesOf(state.root).length > 40 ? pick(["begin", "open"]) : pick(likely.filter((each) => !/begin|open/.test(each) || random(9) === 0));
  trail.push(name);
  const before = { game: state.game, tip: state.game?.tip, over: state.game?.over };
  try {
    actions[name]();
    sound(state);
    if (/undo|redo|comment|mark|rename|cut|promote|show|step|mode|learn|leave|analyse/.test(name) && before.game && state.game)
      assert.deepStrictEqual([state.game.tip === before.tip, state.game.over === before.over], [true, true]);
  } catch (error) {
    error.stack = `after ${trail.slice(-12).join(" ")} (${done}): ${error.stack}`;
    throw error;
  }
}
console.log("sound");
