// The analysis of the whole game, as `quadrille annotate` does it: each position searched as if it were the
// first, with the same nodes and table, so that scores and marks are the same.

const NODES = 100000, TABLE = 4, BETTER_LINE = 8;
// Marks of moves by the expected result given away.
const LOSSES = [[0.2, "??"], [0.1, "?"], [0.05, "?!"]];

// What the engine says of a position: the score of White as `[%eval]` has it, and its best line.
async function judge(node) {
  await inspect(node);
  if (node.over) return {};
  let text = "";
  engine.send("ucinewgame");
  engine.send(`setoption name Skill Level value ${FULL_LEVEL}`);
  engine.send("setoption name MultiPV value 1");
  place(node);
  const best = await engine.go(`nodes ${NODES}`, (info) => { text = info; });
  const { score, depth, moves } = readInfo(text, toMove(node));
  node.white = whiteOf(score, set());
  return { best, moves, said: `${score.replace("+", "")},${depth}` };
}

// A line as `annotate` writes a better one: moves alone, and a score behind the last.
function isOfEngine(node) {
  const [next] = node.next;
  if (node.next.length > 1 || node.marks.length > 0 || node.intro) return false;
  return next ? !node.comment && isOfEngine(next) : /^\[%eval [^\]]*\]$/.test(node.comment ?? "");
}

// Adds a line of moves behind a position, without a place among its moves.
async function lineOf(before, moves) {
  place(before);
  const sans = (await engine.ask(`san ${moves.join(" ")}`)).split(" ");
  const nodes = [];
  for (const [number, move] of moves.entries()) {
    const node = newNode(nodes.at(-1) ?? before, { move, san: sans[number] });
    nodes.at(-1)?.next.push(node);
    nodes.push(node);
    place(node);
    node.fen = await engine.ask("fen");
  }
  return nodes;
}

// The changes that the verdicts on two positions make of the move between them.
async function changesOf(node, before, after) {
  const side = (white) => (toMove(node.before) === "w" ? white : 1 - white);
  const loss = side(node.before.white) - side(node.white);
  const mark = before.best === node.move ? null : LOSSES.find(([least]) => loss >= least)?.[1];
  const marks = node.marks.filter((each) => !LOSSES.some(([, own]) => symbolOf(each) === own));
  const line = mark ? await lineOf(node.before, before.moves.slice(0, BETTER_LINE)) : [];
  if (mark) line.at(-1).comment = withCommand(null, "eval", before.said);
  const facts = { marks: mark ? [mark, ...marks] : marks, comment: withCommand(node.comment, "eval", after.said) };
  return () => {
    const undo = [write(node, facts)];
    for (const each of node.before.next.filter((each) => each !== node && isOfEngine(each))) undo.unshift(remove(each));
    if (mark) {
      const all = node.before.next;
      all.splice(all.indexOf(node) + 1, 0, line[0]);
      undo.unshift(() => all.splice(all.indexOf(line[0]), 1));
    }
    return () => undo.forEach((each) => each());
  };
}

// Analyses the line that is shown from its first position to its last.
let isJudging = false;
function analyseGame() {
  if (isJudging) return change(() => {});
  const nodes = game.plies;
  change(async () => {
    const mine = epoch;
    const verdicts = [], changes = [];
    [isJudging, part("progress").max] = [true, nodes.length];
    useMachine(1, TABLE);
    try {
      for (const node of nodes) {
        part("progress").value = verdicts.length;
        verdicts.push(await judge(node));
        if (mine !== epoch) return;
        if (verdicts.length > 1) changes.push(await changesOf(node, ...verdicts.slice(-2)));
        render();
      }
      edit(() => {
        const undo = changes.map((each) => each()).reverse();
        return () => undo.forEach((each) => each());
      });
      show(here(), nodes.at(-1));
    } finally {
      isJudging = false;
    }
  });
}

click("analyse-game", analyseGame);
