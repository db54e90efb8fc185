// record.js: a game as it is kept, and its changes, which can be undone and done again.
// Takes tree and pgn; gives `records`.
//
// A record is `{ variant, start, root, tags, names, result, undo, redo, saved }`: `start` is a FEN or null,
// `root` a tree, `names` are tags that somebody gave the game that is played, `undo` and `redo` are changes with exact
// inverses, `saved` is the text of what is kept elsewhere, null before there is anything to keep.
const records = (() => {
  // The day of a time, as a tag has it.
  const dayOf = (time = Date.now()) => {
    const here = new Date(time - 60000 * new Date(time).getTimezoneOffset());
    return here.toISOString().slice(0, 10).replaceAll("-", ".");
  };
  const create = (variant, start, root) =>
    ({ variant, start, root, tags: [], names: [], result: "*", undo: [], redo: [], saved: null });

  // The moves to a node alone, as `readPgn` reads a game.
  function readTo(node) {
    const moves = pathTo(node).slice(1).map(({ san }) => ({ text: san, marks: [], comment: null, variations: [] }));
    return { comment: null, moves, result: "*" };
  }

  // The tags of a game of which nothing is known.
  const tagsOf = ({ variant, start }) => ({
    Event: "?", Site: "?", Date: dayOf(), Round: "-", White: "?", Black: "?", Result: "*", Variant: variant,
    ...(start ? { SetUp: "1", FEN: start } : {}),
  });

  // The end of a game that ended without a move, as its tags have it.
  function endOf({ result, tags }) {
    if (!/^[01]/.test(result)) return null;
    const winner = result === "1-0" ? "w" : result === "0-1" ? "b" : null;
    return { winner, reason: tagOf({ tags }, "Reason") ?? "" };
  }

  // Notes a change that was made, by its inverse.
  function edit(record, undo) {
    record.undo.push(undo);
    record.redo = [];
  }

  // Moves the last change from one list, `undo` or `redo`, to the other. A game that is played at `tip` stays in the
  // tree and its main line; false if that cannot be.
  function shift(record, from, to, tip) {
    if (record[from].length === 0) return true;
    const back = record[from].pop()();
    if (tip && nearest(record.root, tip) !== tip) {
      record[from].push(back());
      return false;
    }
    record[to].push(tip && branchOf(tip) ? together([back, makeMain(tip)]) : back);
    return true;
  }

  // The moves with all that was said, and the tags that do not follow from a game that is played.
  const textOf = ({ root, tags = [], names = [] }) =>
    writePgn(root, { tags: [...tags, ...names], result: "" });

  // Whether somebody said more than the moves and clocks of a game.
  const hasNotes = ({ root, names }) => names.length > 0 || nodesOf(root).some(({ next, marks, comment, intro }) =>
    next.length > 1 || marks.length > 0 || intro || withCommand(comment, "clk", null));

  const isChanged = (record) => record.saved !== null && textOf(record) !== record.saved;
  const save = (record) => { record.saved = textOf(record); };

  return { dayOf, create, readTo, tagsOf, endOf, edit, shift, textOf, hasNotes, isChanged, save };
})();
