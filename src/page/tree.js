// A game as a tree, data alone. A node is a position with the move that led to it: `before` is the node
// before it, `next` the moves from there, the main one first. `text` is the move as it was read, `intro`
// the comment before it. Who knows the rules adds `move`, `san` and `fen`, or `unplayed` where a move of a
// variation is none. `known` is what was found out of it, which can be found again.
// Takes nothing; gives `newNode`, `treeOf`, `pathTo`, `followedOf`, `lineThrough`, `nearest`, `nodesOf`, `nothing`,
// `together`, `write`, `moveTo`, `remove`, `branchOf`, `promote`, `makeMain`, `evalOf`, `clockOf`, `commandOf`,
// `remarkOf`, `withCommand`, `withRemark`, `NAGS`, `numbered`, `JUDGEMENTS`, `symbolOf` and `judgementOf`.

const newNode = (before, facts) => ({ before, next: [], marks: [], comment: null, intro: null, known: {}, ...facts });

// The tree of a game as `readPgn` reads it.
function treeOf({ comment, moves }) {
  const root = newNode(null, { comment });
  const add = (before, moves, intro) => {
    for (const { text, marks, comment, variations } of moves) {
      const node = newNode(before, { text, marks, comment, intro });
      before.next.push(node);
      for (const each of variations) add(before, each.moves, each.comment);
      [before, intro] = [node, null];
    }
  };
  add(root, moves, null);
  return root;
}

// The nodes from the root to one.
function pathTo(node) {
  const path = [];
  for (let each = node; each; each = each.before) path.unshift(each);
  return path;
}

// The first move from a node that can be played, and the one that was followed last.
const firstOf = ({ next }) => next.find(({ unplayed }) => !unplayed);
const followedOf = (node) => (node.next.includes(node.known.followed) ? node.known.followed : firstOf(node));

// And from there on as far as it can be played.
function lineThrough(node, nextOf = firstOf) {
  const line = pathTo(node);
  for (let each = nextOf(node); each; each = nextOf(each)) line.push(each);
  return line;
}

// The nearest node to one that is in a tree.
function nearest(root, node) {
  const path = pathTo(node);
  if (path[0] !== root) return root;
  const gone = path.findIndex((each, at) => at > 0 && !path[at - 1].next.includes(each));
  return gone < 0 ? node : path[gone - 1];
}

// All nodes: the main line, and then each variation of it likewise.
function nodesOf(root) {
  const line = [];
  for (let each = root; each; [each] = each.next) line.push(each);
  return [...line, ...line.flatMap((each) => each.next.slice(1).flatMap(nodesOf))];
}

// --- Changes, each of which returns its inverse, which does the same ---------------------------------

const nothing = () => nothing;

// Changes that were made one after the other, as one.
const together = (undos) => () => together([...undos].reverse().map((undo) => undo()));

function write(node, facts) {
  const before = Object.fromEntries(Object.keys(facts).map((name) => [name, node[name]]));
  Object.assign(node, facts);
  return () => write(node, before);
}

// Moves a node among those that follow the same position, back among them, or out of them: to the place -1.
function moveTo(node, place) {
  const all = node.before.next, from = all.indexOf(node);
  if (from >= 0) all.splice(from, 1);
  if (place >= 0) all.splice(place, 0, node);
  return () => moveTo(node, from);
}
const remove = (node) => moveTo(node, -1);

// The first move of the variation that a node is in, or null in the main line.
const branchOf = (node) => pathTo(node).findLast((each) => each.before && each.before.next[0] !== each) ?? null;

// Makes a variation the main line of the line that it left.
function promote(node) {
  const branch = branchOf(node);
  return branch ? moveTo(branch, 0) : nothing;
}

// Makes the moves to a node of the tree the main line of the game.
function makeMain(node) {
  const undos = [];
  while (branchOf(node)) undos.push(promote(node));
  return together(undos);
}

// --- Comments ---------------------------------------------------------------------------------------

// The parts of a comment in their order: `{ text }`, or a command `{ name, value, text }` such as `[%clk 0:01:00]`.
const partsOf = (comment) => (comment ?? "").split(/(?<=\])/).flatMap((each) => {
  const command = each.endsWith("]") && /\[%(\w+)\s+([^]*)\]/.exec(each);
  if (!command) return partsOfText(each);
  const [text, name, value] = command;
  return [...partsOfText(each.slice(0, command.index)), { name, value, text }];
});

// What a match writes behind a move, `book` or the mover's score, depth and time: `+0.50/20 1.234s, n=12345, pv="e2e4"`.
// Its name is that of no command.
const MOVE = /^ *(?:book|(?:([-+]?M?\d+(?:\.\d+)?)\/\d+ )?(\d+(?:\.\d+)?s)((?:, \w+=(?:"[^"]*"|[^,]*))*))\s*(?:,\s*|$)/;
function partsOfText(text) {
  const [found, ...value] = MOVE.exec(text) ?? [];
  return found ? [{ name: "by match", value, text: found }, { text: text.slice(found.length) }] : [{ text }];
}

// The score of White behind a move, as `[%eval]` has it, and the clock of its side.
function evalOf({ comment, before }) {
  const [score] = commandOf(comment, "by match") ?? [];
  const sign = before?.fen?.split(" ")[1] === "b" ? -1 : 1;
  const ofWhite = score && (score.includes("M") ? `#${sign * score.replace("M", "")}` : (sign * score).toFixed(2));
  return commandOf(comment, "eval") ?? ofWhite;
}
function clockOf({ comment }) {
  const [, time, facts] = commandOf(comment, "by match") ?? [];
  return commandOf(comment, "clk") ?? / tl=([^,]*)/.exec(facts)?.[1] ?? time;
}

const plainText = (text) => text.replace(/\s+/g, " ").trim();
// The value of a command in a comment.
const commandOf = (comment, name) => partsOf(comment).find((each) => each.name === name)?.value;

// What people said.
const remarkOf = (comment) => plainText(partsOf(comment).map(({ name, text }) => (name ? " " : text)).join(""));

// A comment with another value of a command, or without it.
function withCommand(comment, name, value) {
  const rest = partsOf(comment).filter((each) => each.name !== name).map(({ text }) => text).join("");
  return plainText(value ? `[%${name} ${value}] ${rest}` : rest) || null;
}

// A comment with another remark.
function withRemark(comment, remark) {
  const textOf = ({ name, text }) => (name === "by match" ? text.replace(/[,\s]*$/, remark && ",") : text);
  const commands = partsOf(comment).filter(({ name }) => name).map(textOf);
  return plainText([...commands, remark.replaceAll("{", "(").replaceAll("}", ")")].join(" ")) || null;
}

// The numbers that stand for marks (PGN, section 10); and a mark as it stands apart from its move.
const NAGS = { 1: "!", 2: "?", 3: "!!", 4: "??", 5: "!?", 6: "?!", 7: "□", 8: "□", 9: "worst move", 10: "=", 11: "=",
  12: "=", 13: "∞", 14: "⩲", 15: "⩱", 16: "±", 17: "∓", 18: "+−", 19: "−+", 20: "+−", 21: "−+", 22: "⨀", 23: "⨀", 32: "⟳",
  33: "⟳", 36: "↑", 37: "↑", 40: "→", 41: "→", 44: "=∞", 45: "=∞", 132: "⇆", 133: "⇆", 138: "⊕",
  139: "⊕", 140: "∆", 145: "RR", 146: "N" };
const NUMBERS = new Map([...Object.entries(NAGS).reverse().map(([number, sign]) => [sign, number]),
  ["+/=", 14], ["=/+", 15], ["+=", 14], ["=+", 15], ["+/-", 16], ["-/+", 17], ["+-", 18], ["-+", 19],
  ["‼", 3], ["⁇", 4], ["⁉", 5], ["⁈", 6]]);
const numbered = (mark) => (NUMBERS.has(mark) ? `$${NUMBERS.get(mark)}` : mark);
// The marks of a move that judge it.
const JUDGEMENTS = ["!!", "!", "!?", "?!", "?", "??"];
const symbolOf = (mark) => NAGS[/^\$(\d+)$/.exec(mark)?.[1]] ?? mark;
const judgementOf = ({ marks }) => marks.map(symbolOf).find((each) => JUDGEMENTS.includes(each)) ?? "";
