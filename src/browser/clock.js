// The clocks of both sides.

const isClocked = () => part("time").value.includes("+");

function setClock() {
  const [time, increment] = part("time").value.split("+").map(Number);
  clock = isClocked() ? { w: time, b: time, increment, since: null } : null;
}

function stopClock() {
  if (!clock || clock.since === null) return;
  const side = toMove(game.plies[last()]);
  clock = { ...clock, [side]: left(side), since: null };
}

// Time left of a side.
function left(side) {
  const runs = clock.since !== null && toMove(game.plies[last()]) === side;
  return clock[side] - (runs ? performance.now() - clock.since : 0);
}

// A move was played.
function pressClock() {
  if (!clock) return;
  const side = other(toMove(game.plies[last()]));
  const spent = clock.since === null ? 0 : performance.now() - clock.since;
  clock = { ...clock, [side]: clock[side] - spent + clock.increment, since: performance.now() };
}

function limits() {
  if (!clock) return `movetime ${part("time").value}`;
  const [w, b] = [left("w"), left("b")].map((time) => Math.max(1, Math.round(time)));
  return `wtime ${w} btime ${b} winc ${clock.increment} binc ${clock.increment}`;
}

setInterval(() => {
  if (!clock || clock.since === null || outcome()) return;
  const side = toMove(game.plies[last()]);
  showClocks();
  if (left(side) > 0) return;
  change(() => { game.over = { winner: other(side), reason: "time" }; });
}, 100);

function showClocks() {
  const sides = flipped ? ["w", "b"] : ["b", "w"];
  ["above", "below"].forEach((name, number) => {
    const side = sides[number];
    const [label, time] = part(name).children;
    label.textContent = `${SIDES[side]}: ${you().includes(side) ? "you" : `Quadrille, level ${level()}`}`;
    part(name).classList.toggle("turn", toMove(here()) === side);
    const rest = clock ? Math.max(0, left(side)) : 0;
    const [minutes, seconds] = [Math.floor(rest / 60000), (rest % 60000) / 1000];
    const digits = rest < 20000 ? seconds.toFixed(1) : String(Math.floor(seconds));
    time.textContent = clock ? `${minutes}:${digits.padStart(rest < 20000 ? 4 : 2, "0")}` : "";
  });
}
