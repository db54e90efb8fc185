// begin.js: the choices for the next game, and the dialog that asks for them. The game on the page has its own.
// Takes state, control, clocks and the data of the page; gives `begins`.
const begins = (() => {
  const TIMES = ["100", "500", "1000", "3000", "10000", "60000+1000", "180000+2000", "300000+3000", "900000+10000"];
  // What each level is for a person, by its Elo.
  const WORDS = [[1000, "beginner"], [1400, "casual"], [1800, "club player"], [2200, "strong"], [2600, "expert"]];

  const valid = {
    variant: (name) => Object.hasOwn(sets, name), you: (sides) => ["w", "b", "wb", ""].includes(sides),
    level: (level) => /^\d+$/.test(level) && level <= program.fullLevel, time: clocks.isChoice,
  };
  const choices = { variant: names[0], you: "w", level: "5", time: "1000" };
  for (const name of Object.keys(choices)) {
    const kept = recall("localStorage", name);
    if (kept !== null && valid[name](kept)) choices[name] = kept;
  }

  // The players and the time of a game with these choices.
  function chosen() {
    const player = (side) => (choices.you.includes(side) ? null : Number(choices.level));
    return { players: { w: player("w"), b: player("b") }, time: choices.time };
  }

  // The Elo of a level: the program knows those of some, with equal steps between them.
  function eloOf(variant, level) {
    const { elo } = help[variant];
    const step = program.fullLevel / (elo.length - 1);
    const [at, part] = [Math.floor(level / step), (level % step) / step];
    return Math.round((elo[at] + part * ((elo[at + 1] ?? elo[at]) - elo[at])) / 50) * 50;
  }

  function nameOfLevel(variant, level) {
    const elo = eloOf(variant, level);
    const word = WORDS.find(([least]) => elo < least)?.[1] ?? "master";
    return `${level}: ${level === program.fullLevel ? "full strength" : word}, about ${elo}`;
  }

  // Offers what can be chosen, with what is chosen now.
  function offer() {
    const { variant, time } = choices;
    part("level").replaceChildren(...Array.from({ length: program.fullLevel + 1 }, (_, each) =>
      new Option(nameOfLevel(variant, each), each)));
    const times = [...new Set([...TIMES, time])].map((each) => new Option(clocks.named(each), each));
    part("time").replaceChildren(...times, new Option("other …", "own"));
    for (const [name, value] of Object.entries(choices)) part(name).value = value;
    part("own-time").hidden = true;
    part("refused").textContent = "";
  }

  // Reads the dialog; a fault is a sentence.
  function read() {
    const wish = Object.fromEntries(Object.keys(choices).map((name) => [name, part(name).value]));
    const own = [60000 * part("minutes").value, 1000 * part("increment").value];
    if (wish.time === "own") wish.time = own.map(Math.round).join("+");
    if (!clocks.isChoice(wish.time)) return "This time is none.";
    Object.assign(choices, wish);
    for (const [name, value] of Object.entries(choices)) keep("localStorage", name, value);
    return "";
  }

  part("variant").append(...names.map((name) => new Option(help[name].rules.split("\n")[0], name)));
  part("variant").onchange = () => {
    const level = part("level").value;
    for (const option of part("level").options) option.text = nameOfLevel(part("variant").value, Number(option.value));
    part("level").value = level;
  };
  part("time").onchange = () => { part("own-time").hidden = part("time").value !== "own"; };
  click("new", () => {
    choices.variant = state.record.variant;
    offer();
    part("begin").showModal();
  });
  click("begin-game", async () => {
    part("refused").textContent = read();
    if (part("refused").textContent !== "" || !(await mayLeave())) return;
    part("begin").close();
    control.begin();
  });
  click("close-begin", () => part("begin").close());
  offer();

  return { choices, chosen };
})();
