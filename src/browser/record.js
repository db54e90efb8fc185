// record.js: a game as it is kept, and its changes, which can be undone and done again.
// Takes tree.js and pgn.js, gives `records`.
//
// A record is `{ variant, start, root, tags, names, result, date, undo, redo, saved }`: `start` is a FEN or null,
// `root` a tree, `names` are tags that somebody gave the game that is played, `undo` and `redo` are changes with exact
// inverses, `saved` is the text of what is kept elsewhere, null before there is anything to keep.
const records = (() => {
  const today = () => {
    const here = new Date(Date.now() - 60000 * new Date().getTimezoneOffset());
    return here.toISOString().slice(0, 10).replaceAll("-", ".");
  };
  const create = (variant, start, root) =>
    ({ variant, start, root, tags: [], names: [], result: "*", date: today(), undo: [], redo: [], saved: null });

  // Notes a change that was made, by its inverse.
  function edit(record, undo) {
    record.undo.push(undo);
    record.redo = [];
  }

  // Moves a change from one list to the other. A game that is played at `tip` stays in the tree and its main line;
  // false if that cannot be.
  function shift(record, from, to, tip) {
    const back = from.pop()();
    if (tip && nearest(record.root, tip) !== tip) {
      from.push(back());
      return false;
    }
    to.push(tip && branchOf(tip) ? together([back, makeMain(tip)]) : back);
    return true;
  }
  const undo = (record, tip) => record.undo.length === 0 || shift(record, record.undo, record.redo, tip);
  const redo = (record, tip) => record.redo.length === 0 || shift(record, record.redo, record.undo, tip);

  // The moves with all that was said, and the tags that do not follow from a game that is played.
  const textOf = ({ root, tags = [], names = [] }) =>
    writePgn({ ...recordOf(root), tags: [...tags, ...names], result: "" }, root.fen);

  // Whether somebody said more than the moves and clocks of a game.
  const hasNotes = ({ root, names }) => names.length > 0 || nodesOf(root).some(({ next, marks, comment, intro }) =>
    next.length > 1 || marks.length > 0 || intro || withCommand(comment, "clk", null));

  const isChanged = (record) => record.saved !== null && textOf(record) !== record.saved;
  const save = (record) => { record.saved = textOf(record); };

  return { today, create, edit, undo, redo, textOf, hasNotes, isChanged, save };
})();
