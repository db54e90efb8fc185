// clock.js: the clocks of a game, as data. Times are milliseconds. `now` begins as the time of day, for a reload, and
// counts what passes from there: who sets the machine's clock moves none of a game.
// Takes nothing; gives `clocks`.
//
// A choice of time is `1000`, for each move, or `60000+1000`, for the game and added after each move. A clock is
// `{ w, b, increment, hasBegun, side, since }`: the times left, whether a move was made, and whose time runs
// since when, or null twice.
const clocks = (() => {
  const now = () => performance.timeOrigin + performance.now();
  const isClock = (choice) => choice.includes("+");
  const isChoice = (text) => typeof text === "string" && /^[1-9]\d*$|^\d+\+\d+$/.test(text) && text !== "0+0";

  function create(choice) {
    if (!isClock(choice)) return null;
    const [base, increment] = choice.split("+").map(Number);
    // Nobody can move in no time.
    const time = base || increment;
    return { w: time, b: time, increment, hasBegun: false, side: null, since: null };
  }

  const left = (clock, side, now) => clock[side] - (clock.side === side ? Math.max(0, now - clock.since) : 0);

  function stop(clock, now) {
    if (clock.side === null) return clock;
    return { ...clock, [clock.side]: left(clock, clock.side, now), side: null, since: null };
  }

  // The time of a side runs, but not before the first move. After a reload it may have begun later than now.
  function run(clock, side, now) {
    if (!clock.hasBegun || (clock.side === side && clock.since <= now)) return clock;
    return { ...stop(clock, now), side, since: now };
  }

  // A side has moved.
  function press(clock, side, now) {
    const stopped = stop(clock, now);
    return { ...stopped, [side]: stopped[side] + clock.increment, hasBegun: true };
  }

  // The side whose time is over.
  const fallen = (clock, now) => (clock.side !== null && left(clock, clock.side, now) <= 0 ? clock.side : null);

  const two = (value) => String(value).padStart(2, "0");

  // A time as in PGN, and as it is shown.
  function text(time) {
    const seconds = Math.max(0, Math.floor(time / 1000));
    return `${Math.floor(seconds / 3600)}:${two(Math.floor(seconds / 60) % 60)}:${two(seconds % 60)}`;
  }
  function shown(time) {
    const rest = Math.max(0, time);
    const [minutes, seconds] = [Math.floor(rest / 60000), (rest % 60000) / 1000];
    const digits = rest < 20000 ? seconds.toFixed(1) : String(Math.floor(seconds));
    return `${minutes}:${digits.padStart(rest < 20000 ? 4 : 2, "0")}`;
  }

  // A choice of time in words.
  function named(choice) {
    if (!isClock(choice)) return `no clock, ${choice / 1000} s a move`;
    const [base, increment] = choice.split("+").map((time) => Number(time) / 1000);
    return `${base % 60 === 0 ? `${base / 60} min` : `${base} s`} + ${increment} s`;
  }

  // The limits of the engine's search.
  function limits(choice, clock, now) {
    if (!clock) return `movetime ${choice}`;
    const [w, b] = ["w", "b"].map((side) => Math.max(1, Math.round(left(clock, side, now))));
    return `wtime ${w} btime ${b} winc ${clock.increment} binc ${clock.increment}`;
  }

  return { now, isClock, isChoice, create, left, stop, run, press, fallen, text, shown, named, limits };
})();
