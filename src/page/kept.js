// kept.js: what was kept of a game for a reload. In the same place others may have kept theirs, or an older page.
// Takes tree, pgn, clock and the data of the page; gives `kepts`.
const kepts = (() => {
  // A form is a function, a list or an object of forms, or a value of the same type.
  function fits(value, form) {
    if (typeof form === "function") return form(value);
    if (Array.isArray(form)) return Array.isArray(value) && value.every((each) => fits(each, form[0]));
    if (typeof form !== "object") return typeof value === typeof form && !(value !== "" && Math.abs(value) > 8e15);
    return value !== null && typeof value === "object" && Object.keys(form).every((key) => fits(value[key], form[key]));
  }
  const or = (form) => (value) => value === null || fits(value, form);
  const maybe = (form) => (value) => value === undefined || fits(value, form);
  const side = or((value) => value === "w" || value === "b");
  const level = or((value) => Number.isInteger(value) && value >= 0 && value <= program.fullLevel);
  const tag = (value) => fits(value, [""]) && value.length === 2 && /^[\p{Alphabetic}\p{N}_]+$/u.test(value[0]);
  const clock = or({ w: 0, b: 0, increment: 0, hasBegun: true, side, since: or(0) });
  const over = or({ winner: side, reason: "" }), players = { w: level, b: level };
  const move = (value) => typeof value === "string" && /^[a-z]\d+[a-z]\d+[a-z]?$/.test(value);
  const verdict = maybe({ steps: 0, slip: or({ title: "", text: "", moves: [move] }) });
  const game = or({ began: 0, players, control: clocks.isChoice, clock, first: 0, tip: 0, over, steps: 0,
    marks: maybe(true), verdict });
  const known = [{ white: maybe(0), brief: maybe(""), left: maybe(0) }];
  const form = { pgn: "", names: [tag], isChanged: true, here: 0, flipped: true, analyses: true, game, known };
  const hasForm = (kept) => fits(kept, form);

  // The game that was kept, as `readPgn` reads it; none if that does not fit to the rest.
  function read(kept) {
    const [read] = hasForm(kept) ? readPgn(kept.pgn) : [];
    if (!read || read.fault) return null;
    const root = treeOf(read), main = lineThrough(root), { game, here } = kept;
    const isPlayed = ({ control: time, clock, first, tip }) => first <= tip && main[first] && main[tip] &&
      clocks.isClock(time) === (clock !== null) && (clock?.side == null) === (clock?.since == null);
    return nodesOf(root)[here] && (!game || isPlayed(game)) ? read : null;
  }
  return { fits, tag, hasForm, read };
})();
