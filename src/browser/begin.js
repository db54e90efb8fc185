// begin.js: the choices for the next game, and the dialog that asks for them. The game on the page has its own.
// Takes state, control, clocks, board.js and the data of the page; gives `begins`.
const begins = (() => {
  const ABOUT = {
    gothic: "10 × 8, two more pieces", congress: "two kings, politicians", pressman: "sixteen queens a side",
    crosseyed: "a cross, double mate",
  };
  const SEATS = { w: "White", random: "Random", b: "Black", wb: "Two people", "": "Watch" };
  const TIMES = {
    1000: "no clock", "60000+1000": "1+1", "180000+2000": "3+2", "300000+3000": "5+3", "900000+10000": "15+10",
    own: "own …",
  };
  // What each level is for a person, by its Elo.
  const WORDS = [[1000, "beginner"], [1400, "casual"], [1800, "club player"], [2200, "strong"], [2600, "expert"]];

  const valid = {
    variant: (name) => Object.hasOwn(sets, name), you: (seat) => Object.hasOwn(SEATS, seat),
    level: (level) => /^\d+$/.test(level) && level <= program.fullLevel, time: clocks.isChoice,
  };
  const choices = { variant: names[0], you: "w", level: "5", time: "1000" };
  for (const name of Object.keys(choices)) {
    const kept = recall("localStorage", name);
    if (kept !== null && valid[name](kept)) choices[name] = kept;
  }

  // The players and the time of a game with these choices.
  function chosen() {
    const you = choices.you === "random" ? (Math.random() < 0.5 ? "w" : "b") : choices.you;
    const player = (side) => (you.includes(side) ? null : Number(choices.level));
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
    return `level ${level} · ${level === program.fullLevel ? "full strength" : word}, about ${elo}`;
  }

  // --- The dialog -----------------------------------------------------------------------------------

  const form = part("choices");
  // What is done with the choices, once nothing is lost by it.
  let then = null;
  const newGame = async () => ((await mayLeave()) ? () => control.begin() : null);

  // Asks how a game is to be played: a new one, or one from a position.
  function ask(work = newGame, title = "New game") {
    then = work;
    part("begin-title").textContent = title;
    part("pictures").hidden = part("begin-set-up").hidden = part("begin-open").hidden = work !== newGame;
    const { time } = choices;
    const isOwn = !Object.hasOwn(TIMES, time);
    const [first, increment] = time.split("+");
    if (isOwn && increment) [form.minutes.value, form.increment.value] = [first / 60000, increment / 1000];
    if (isOwn) form.seconds.value = increment ? "" : first / 1000;
    const shown = { ...choices, variant: state.record.variant, time: isOwn ? "own" : time };
    for (const [name, value] of Object.entries(shown)) form.elements[name].value = value;
    part("refused").textContent = "";
    follow();
    lasts.show();
    part("last-games").hidden ||= work !== newGame;
    if (!part("begin").open) part("begin").showModal();
    form.querySelector(work === newGame ? "[name=variant]:checked" : "[name=you]:checked").focus();
  }

  // What depends on a choice.
  function follow() {
    part("level-name").textContent = nameOfLevel(form.variant.value, Number(form.level.value));
    form.level.disabled = form.you.value === "wb";
    part("own-time").hidden = form.time.value !== "own";
  }

  // Reads the dialog; a fault is a sentence.
  function read() {
    const wish = Object.fromEntries(Object.keys(choices).map((name) => [name, form.elements[name].value]));
    const own = [60000 * form.minutes.value, 1000 * form.increment.value].map(Math.round).join("+");
    if (wish.time === "own") wish.time = form.seconds.value ? String(Math.round(1000 * form.seconds.value)) : own;
    if (!clocks.isChoice(wish.time)) return "This time is none.";
    Object.assign(choices, wish);
    for (const [name, value] of Object.entries(choices)) keep("localStorage", name, value);
    return "";
  }

  // A choice as a picture or a word.
  function choice(name, value, ...shown) {
    const [label, input] = [element("label", ""), element("input", "")];
    Object.assign(input, { type: "radio", name, value, className: "unseen" });
    label.append(input, ...shown);
    return label;
  }
  function pictureOf(name) {
    const label = choice("variant", name, element("b", nameOfGame(name)), element("small", ABOUT[name]));
    label.firstChild.insertAdjacentHTML("afterend", boardSvg(sets[name], false, sets[name].start, []));
    return label;
  }
  part("pictures").append(...names.map(pictureOf));
  for (const [name, all] of [["you", SEATS], ["time", TIMES]]) {
    const chips = Object.entries(all).map(([value, text]) => choice(name, value, element("span", text)));
    form.querySelector(`[data-name=${name}]`).append(...chips);
  }
  form.level.max = program.fullLevel;
  form.oninput = follow;
  form.onsubmit = async (event) => {
    event.preventDefault();
    part("refused").textContent = read();
    const work = part("refused").textContent === "" && (await then());
    if (!work) return;
    work();
    part("begin").close();
  };

  // A page that has no game yet shows the first position of one.
  part("begin").onclose = () => {
    if (state.mode !== "begin") return;
    state.enter();
    records.save(state.record);
    control.act();
  };
  for (const name of names) {
    const tab = element("button", nameOfGame(name));
    tab.dataset.variant = name;
    tab.onclick = () => {
      ask();
      form.variant.value = name;
      follow();
    };
    part("variants").append(tab);
  }
  click("new", () => ask());
  click("begin-open", () => { part("begin").close(); part("exchange").click(); });
  click("begin-set-up", async () => {
    const name = form.variant.value;
    const isOther = name !== state.record.variant;
    if (isOther && (!(await mayLeave()) || (await control.load(name, null, POSITION)))) return;
    part("begin").close();
    setup.begin(state.here.fen);
  });

  return { choices, chosen, ask };
})();
