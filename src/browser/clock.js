// The clocks of both sides.

// The clocks of the game: the time of each side in milliseconds, and since when one runs.
let clock = null;
// The choice before the last one of the menu.
let usual = "1000";

// The choices of the menu: milliseconds a move, or milliseconds a game with an increment.
const isClock = (time) => time.includes("+");
const REASON_OF_TIME = "time forfeit";

function setClock() {
  game.control = usual = part("time").value;
  const [time, increment] = game.control.split("+").map(Number);
  clock = isClock(game.control) ? { w: time, b: time, increment, since: null } : null;
}

// A change of the menu: of a game with clocks, and of one that gets them, only before its first move.
function changeTime() {
  const time = part("time").value;
  if (time === "own") return askOwnTime();
  usual = time;
  if (!game.tip) return;
  if (game.tip === game.root || outcome()) setClock();
  else if (!clock && !isClock(time)) game.control = time;
  else refuse(new Error("The clocks change with the next game."));
}

// A time of one's own choice.
function addTime(time) {
  const [base, increment] = time.split("+").map((text) => Number(text) / 1000);
  const text = base % 60 === 0 ? `${base / 60} min` : `${base} s`;
  part("time").add(new Option(`${text} + ${increment} s`, time), part("time").options.length - 1);
}

function askOwnTime() {
  const dialog = part("own-time");
  dialog.onclose = () => {
    const time = [60000 * part("minutes").value, 1000 * part("increment").value].map(Math.round).join("+");
    const isSet = dialog.returnValue === "set" && /^[1-9]\d*\+\d+$/.test(time);
    if (isSet && ![...part("time").options].some(({ value }) => value === time)) addTime(time);
    part("time").value = isSet ? time : usual;
    if (isSet) change(changeTime).then(saveChoices);
  };
  dialog.returnValue = "";
  dialog.showModal();
}

function stopClock() {
  if (!clock || clock.since === null) return;
  const side = toMove(tip());
  clock = { ...clock, [side]: left(side), since: null };
}

// Time left of a side.
function left(side) {
  const runs = clock.since !== null && toMove(tip()) === side;
  return clock[side] - (runs ? Date.now() - clock.since : 0);
}

// A move was played.
function pressClock() {
  if (!clock) return;
  const side = other(toMove(tip()));
  const spent = clock.since === null ? 0 : Date.now() - clock.since;
  clock = { ...clock, [side]: clock[side] - spent + clock.increment, since: Date.now() };
  game.tip.comment = withCommand(game.tip.comment, "clk", clockText(clock[side]));
}

// A time as in PGN.
function clockText(time) {
  const seconds = Math.max(0, Math.floor(time / 1000));
  const two = (value) => String(value).padStart(2, "0");
  return `${Math.floor(seconds / 3600)}:${two(Math.floor(seconds / 60) % 60)}:${two(seconds % 60)}`;
}

function limits() {
  if (!clock) return `movetime ${game.control}`;
  const [w, b] = [left("w"), left("b")].map((time) => Math.max(1, Math.round(time)));
  return `wtime ${w} btime ${b} winc ${clock.increment} binc ${clock.increment}`;
}

setInterval(() => {
  if (!clock || clock.since === null || outcome()) return;
  const side = toMove(tip());
  showClocks();
  if (left(side) > 0) return;
  change(() => { game.over = { winner: other(side), reason: REASON_OF_TIME }; });
}, 100);

// The time of a side as it is shown: of the running clock, or as the game says it.
function timeOf(side) {
  if (!clock) {
    const moves = game.plies.slice(1, at + 1).filter(({ before }) => toMove(before) === side);
    return moves.map(({ comment }) => commandOf(comment, "clk")).findLast(Boolean) ?? "";
  }
  const rest = Math.max(0, left(side));
  const [minutes, seconds] = [Math.floor(rest / 60000), (rest % 60000) / 1000];
  const digits = rest < 20000 ? seconds.toFixed(1) : String(Math.floor(seconds));
  return `${minutes}:${digits.padStart(rest < 20000 ? 4 : 2, "0")}`;
}

function showClocks() {
  const sides = flipped ? ["w", "b"] : ["b", "w"];
  ["above", "below"].forEach((name, number) => {
    const side = sides[number];
    const [label, time] = part(name).children;
    label.textContent = `${SIDES[side]}: ${playerOf(side)}`;
    part(name).classList.toggle("turn", toMove(here()) === side);
    time.textContent = timeOf(side);
  });
}
