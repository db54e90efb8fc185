// begin.js: the choices for the next game, and the dialog that asks for them. The game on the page has its own.
// Takes picture, dialogue, clock, record, state, words, control, games, lasts, strength and the data of the page; gives
// `begins`.
const begins = (() => {
  const ABOUT = {
    gothic: "10 × 8, two more pieces", congress: "two kings, politicians", pressman: "sixteen queens a side",
    crosseyed: "a cross, double mate",
  };
  const SEATS = { w: "White", b: "Black", random: "Random", wb: "Two people", "": "Watch" };
  const TIMES = {
    1000: "no clock", "60000+1000": "1+1", "180000+2000": "3+2", "300000+3000": "5+3", "900000+10000": "15+10",
    own: "own …",
  };
  const MARKS = { off: "off", on: "mark my mistakes at once, no clock" };
  // What each level is for a person, by its Elo.
  const WORDS = [[1000, "beginner"], [1400, "casual"], [1800, "club player"], [2200, "strong"], [2600, "expert"]];

  function nameOfLevel(variant, level) {
    const elo = Math.round(strength.eloOf(variant, level) / 50) * 50;
    const word = WORDS.find(([least]) => elo < least)?.[1] ?? "master";
    return `level ${level} · ${level === program.fullLevel ? "full strength" : word}, about ${elo}`;
  }

  // --- The dialog -----------------------------------------------------------------------------------

  const form = part("choices");
  // Choices as pictures or words.
  const radios = (name, all, shown) => all.map((value) => `<label>
    <input type="radio" class="unseen" name="${name}" value="${value}">${shown(value)}</label>`).join("");
  part("pictures").innerHTML = radios("variant", variants, (name) => boardSvg(sets[name], false, sets[name].start, []) +
    `<b>${nameOfGame(name)}</b><small>${ABOUT[name]}</small><small class="own" data-name="${name}"></small>`);
  for (const [name, texts] of [["you", SEATS], ["time", TIMES], ["marks", MARKS]])
    form.querySelector(`[data-name=${name}]`).innerHTML =
      radios(name, Object.keys(texts), (value) => `<span>${texts[value]}</span>`);
  form.level.max = program.fullLevel;

  // The fields keep what was chosen last. They take nothing that is no choice.
  const usual = { variant: variants[0], you: "w", level: "1", time: "1000", minutes: "10", increment: "0", seconds: "",
    marks: "off" };
  const read = () => Object.fromEntries(Object.keys(usual).map((name) => [name, form.elements[name].value]));
  const fill = (all) => Object.entries(all).forEach(([name, value]) => { form.elements[name].value = value; });
  fill(usual);
  for (const [name, value] of Object.entries(usual)) fill({ [name]: recall("localStorage", name) ?? value });
  const choices = clocks.isChoice(timeOf(read())) ? read() : usual;

  function timeOf({ time, minutes, increment, seconds }) {
    if (time !== "own") return time;
    return seconds ? String(Math.round(1000 * seconds)) : [60000 * minutes, 1000 * increment].map(Math.round).join("+");
  }

  // The players and the time of a game with these choices.
  function chosen() {
    const you = choices.you === "random" ? (Math.random() < 0.5 ? "w" : "b") : choices.you;
    const player = (side) => (you.includes(side) ? null : Number(choices.level));
    return { players: { w: player("w"), b: player("b") }, time: timeOf(choices), marks: choices.marks === "on" };
  }

  // What is done with the choices, once nothing is lost by it.
  let then = null;
  const newGame = async () => ((await mayLeave()) ? () => control.begin(choices.variant, null, chosen()) : null);

  // Asks how a game is to be played: a new one, or one from a position.
  function ask(work = newGame, title = "New game") {
    then = work;
    part("begin-title").textContent = title;
    part("pictures").hidden = part("begin-set-up").hidden = part("begin-open").hidden = work !== newGame;
    fill({ ...choices, variant: state.record.variant });
    offerLevel();
    part("refused").textContent = "";
    follow();
    showLasts();
    part("last-games").hidden ||= work !== newGame;
    if (!part("begin").open) part("begin").showModal();
    form.querySelector(work === newGame ? "[name=variant]:checked" : "[name=you]:checked").focus();
  }

  // The last games, one of which can be opened instead.
  function showLasts() {
    const rows = lasts.others().map((kept, number) => {
      const tags = kept.tags.map(([name, text]) => [name, text === "Human" ? "You" : text]);
      const row = games.rowOf({ tags }, number);
      row.firstChild.onclick = () => openInstead(() => lasts.load(kept));
      return row;
    });
    part("last-games").hidden = rows.length === 0;
    part("last-list").replaceChildren(...rows);
  }

  // Offers the level that is as strong as the person in the game that is chosen.
  function offerLevel() {
    fill({ level: strength.levelFor(form.variant.value) ?? choices.level });
  }

  // What depends on a choice. Who has not played a game is led to its first steps.
  function follow() {
    const variant = form.variant.value;
    const isNew = !part("pictures").hidden && strength.of(variant) === null && Boolean(help[variant].steps[0].goal);
    part("new-to-you").hidden = !isNew;
    put(part("new-title"), `You have not played ${nameOfGame(variant)} yet`);
    put(part("new-more"), `${help[variant].steps.length} small tasks, about five minutes; then comes a first easy opponent.`);
    part("begin-game").classList.toggle("first", !isNew);
    for (const each of part("pictures").querySelectorAll(".own")) {
      const own = strength.of(each.dataset.name), count = strength.countOf(each.dataset.name);
      put(each, own === null ? "New to you" : `${own} · ${counted(count, "game")}`);
      each.classList.toggle("new", own === null);
    }
    part("level-name").textContent = nameOfLevel(form.variant.value, Number(form.level.value));
    form.level.disabled = form.you.value === "wb";
    // Judging takes time, and one person against the engine.
    form.querySelector("[data-name=marks]").disabled =
      ["wb", ""].includes(form.you.value) || clocks.isClock(timeOf(read()));
    part("own-time").hidden = form.time.value !== "own";
  }

  // Of the two kinds of time the one counts that was typed last.
  form.oninput = ({ target: { name } }) => {
    if (name === "minutes" || name === "increment") form.seconds.value = "";
    if (name === "variant") offerLevel();
    follow();
  };
  form.onsubmit = async (event) => {
    event.preventDefault();
    const isTime = clocks.isChoice(timeOf(read()));
    part("refused").textContent = isTime ? "" : "Enter a time above zero.";
    if (!isTime) return;
    Object.assign(choices, read());
    for (const [name, value] of Object.entries(choices)) keep("localStorage", name, value);
    const work = await then();
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
  part("variants").innerHTML = variants.map((name) => `<button value="${name}">${nameOfGame(name)}</button>`).join("");
  part("variants").onclick = ({ target: { value } }) => {
    if (!value) return;
    ask();
    form.variant.value = value;
    follow();
  };
  for (const name of ["new", "rules-play"]) click(name, () => ask());
  // A game of a file stays as it is: what is played from it is a game of its own.
  click("take-over", () => {
    const { record: { variant, start }, here } = state;
    const playOn = () => control.playOn(chosen());
    const own = () => control.load(variant, start, records.readTo(here), () => { games.add(); playOn(); });
    const work = () => (games.isHere && !state.game ? own().then(control.refuse) : control.act(playOn));
    ask(async () => work, "Play from here");
  });

  return { choices, chosen, ask };
})();
