// findings.js: what the engine says of positions and moves, as data.
// Takes moves; gives `readInfo`, `readEffects` and `whiteOf`.

// A line of `info`: the score as White has it, and the results that White can expect.
function readInfo(text, side) {
  const value = (name) => Number(new RegExp(` ${name} (-?\\d+)`).exec(text)?.[1]);
  const sign = side === "w" ? 1 : -1;
  const [mate, cp] = [value("score mate"), value("score cp")];
  const isMate = / score mate /.test(text);
  const chances = / wdl (\d+) (\d+) (\d+)/.exec(text)?.slice(1).map(Number) ?? [0, 1000, 0];
  const [won, drawn] = side === "w" ? chances : chances.reverse();
  const score = isMate ? `#${mate * sign}` : ((cp * sign) / 100).toFixed(2);
  return {
    number: value("multipv"), depth: value("depth"), speed: value("nps"), moves: / pv (.*)/.exec(text)[1].split(" "),
    isBound: /(lower|upper)bound/.test(text),
    value: isMate ? Math.sign(mate || -1) * (100000 - Math.abs(mate)) : cp,
    score, brief: briefly(score), white: (won + drawn / 2) / 1000, chances,
  };
}

// The moves with their effects, as the engine lists them. `kinds` are the classes of the target.
function readEffects(list) {
  return list.split(" ").filter(Boolean).map((text) => {
    const read = /^(([a-z]\d+)([a-z]\d+)([a-z]?))(?::(x?)(?:=(.))?(?:\+(.*))?)?$/.exec(text);
    const [, move, from, to, promotes, captures, becomes, brings] = read;
    const kind = promotes ? "promotes" : brings ? "brings" : becomes ? "changes" : "";
    return { move, from, to, becomes, kinds: [kind, captures && "captures"].filter(Boolean) };
  });
}

// The result that White can expect, as `[%eval]` has the score.
function whiteOf(text, { lead, spread, pawn }) {
  const [, mate, plain] = /^(?:#(-?\d+)|([-+]?\d+(?:\.\d+)?))/.exec(text ?? "") ?? [];
  if (mate) return Number(mate > 0);
  if (!plain) return undefined;
  const chance = (value) => 1 / (1 + Math.exp((lead - value) / spread));
  return (1 + chance(pawn * plain) - chance(-pawn * plain)) / 2;
}
