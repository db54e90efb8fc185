// learn.js: a lesson on the board. Each task has a position of its own, in which a move is a try.
// Takes tree, picture, dialogue, clock, record, state, words, findings, targets, control, lessons, whole_game, lasts,
// begin and the data of the page; gives `learn`.
const learn = (() => {
  // The lesson, the moves that were tried at its task, and what is said of them, `{ isRight, text }` or null; whether
  // the task is shown, and what is said meanwhile.
  let lesson = null, tried = [], verdict = null, isShown = false, note = "";
  // What the colours of squares are, by the sign of a goal.
  const LIGHTS = { "=": "Violet: it changes.", "+": "Blue: it brings in a piece.", x: "A ring: it can be taken." };

  const isOn = () => state.aside !== null;
  const task = () => lesson.tasks[lesson.at];
  // The number of the task that follows, -1 at the end: after the last first step one that was left out.
  const nextAt = ({ at, tasks, done, isGame } = lesson) =>
    at + 1 < tasks.length ? at + 1 : tasks.findIndex(({ name }) => isGame && !done.has(name));
  // For the person's side, or that of the player below.
  const mistakesHere = () => lessons.ofMistakes(state.record.variant, lineThrough(state.root),
    state.humans.length === 1 ? state.humans : state.flipped ? "b" : "w");
  // With the names of those that were done, as this browser keeps them.
  const stepsIn = (variant) =>
    lessons.ofSteps(variant, help[variant].steps, new Set([recallAll("first steps")[variant] ?? []].flat()));

  // Begins a lesson. The game stands meanwhile.
  const begin = (next) => control.act(async () => {
    if (!isOn()) {
      state.lift(null);
      state.tick(clocks.now(), false);
      control.keep();
    }
    lesson = next;
    await ask();
  }).then(control.refuse);
  async function place(fen) {
    const record = records.create(lesson.variant, fen, newNode(null, { fen }));
    await control.inspect(record.root, record);
    state.study(record);
  }
  async function ask(at = lesson.at, shows = false) {
    lesson.at = at;
    await place(task().fen);
    state.turn(toMove(state.root));
    [tried, verdict, isShown] = [[], null, shows];
    const { moves, shown } = task();
    const touch = `Touch a piece: its squares light up. ${LIGHTS[task().goal?.[0]] ?? ""}`.trim();
    note = shows ? shown : moves > 1 ? `Move 1 of ${moves}.` : lesson.isGame ? touch : "";
  }

  // Back to what stood meanwhile: a game, or the question for one.
  function leave() {
    const wasAsked = state.aside.mode === "begin";
    control.act(() => state.enter(wasAsked ? "begin" : "look"));
    if (wasAsked) begins.ask();
  }
  // After first steps the first game begins.
  async function goOn() {
    const { variant, isGame } = lesson, next = nextAt();
    if (next >= 0) return control.act(() => ask(next));
    if (!isGame) leave();
    else if (await mayLeave()) control.begin(variant, null, { players: { w: null, b: 0 }, time: "1000" });
  }

  // Judges what was tried: null if there are moves to come.
  async function judgeStep() {
    const { goal, moves, wrong, right } = task(), node = tried.at(-1);
    if (lessons.reaches(goal, tried)) return { isRight: true, text: right };
    const no = { isRight: false, text: wrong.replaceAll("{to}", squares(node.move)[1]) };
    if (tried.length === moves || node.known.over) return no;
    note = `Move ${tried.length + 1} of ${moves}.`;
    // Where the other side may not wait, there is no second move.
    return place(control.passed(node.fen)).then(() => null, (error) => (error.code ? no : Promise.reject(error)));
  }
  // A better move is right if it is the best one, or gives away too little for a mark.
  async function judgeBetter() {
    const { slip, better } = task(), [{ move, san }] = tried, side = toMove(slip.before);
    if (move === slip.move) return { isRight: false, text: `${san} was played. Look for a better move.` };
    if (move === better.move) return { isRight: true, text: `${san} is the best move.` };
    note = `Quadrille looks at ${san} …`;
    control.draw();
    const { white } = await judge.judgeNode(tried[0]);
    const best = whiteOf(commandOf(lineThrough(better).at(-1).comment, "eval"), gameSet());
    const mark = judge.markOf(side, best, white);
    if (mark) return { isRight: false, text: `${san} is ${KINDS_OF_SLIPS[mark]} too. Look for a better move.` };
    return { isRight: true, text: `${san} is good too. The best move was ${better.san}.` };
  }
  const attempt = (move) => control.act(async (isCurrent) => {
    if (!isOn() || verdict) return;
    const node = await control.append(state.here, move);
    tried.push(node);
    const { done, variant, isGame, tasks } = lesson;
    const found = await (isGame ? judgeStep() : judgeBetter());
    if (!found || !isCurrent()) return;
    verdict = found;
    if (found.isRight && (isGame || !isShown)) done.add(task().name);
    const all = { ...recallAll("first steps"), [variant]: [...done] }, left = tasks.length - done.size;
    if (isGame && found.isRight && left > 0 && task() === tasks.at(-1)) found.text = `Still to do: ${counted(left, "task")}.`;
    if (isGame) keep("localStorage", "first steps", JSON.stringify(all));
    else if (nextAt() < 0) found.text += ` You found ${done.size} of ${tasks.length}.`;
  });

  function show() {
    if (!isOn()) return;
    const { title, tasks, at, done, isGame } = lesson, { head, how, rule = "", pieces: letters = "", goal = "" } = task();
    const isRight = verdict?.isRight ?? false, isWrong = verdict !== null && !isRight;
    part("lesson").ariaLabel = title;
    const texts = {
      "lesson-title": title, "lesson-at": `${at + 1} of ${tasks.length}`, task: head, how, rule,
      verdict: isRight ? "✓ Well done" : isWrong ? "✕ Not yet" : "", taught: verdict?.text ?? note,
      again: isRight ? "Again" : "Try again", "next-lesson": nextAt() >= 0 ? "Next" : isGame ? "Play an easy game" : "End",
    };
    for (const [name, text] of Object.entries(texts)) put(part(name).lastElementChild ?? part(name), text);
    part("verdict").className = isRight ? "right" : "fault";
    part("figures").innerHTML = [...letters].map(pieceSvg).join(goal[0] === "=" ? "›" : "");
    part("answer").hidden = isRight;
    part("answer").disabled = arrows().length > 0 && !verdict;
    part("again").hidden = verdict === null;
    part("next-lesson").hidden = isWrong;
    part("next-lesson").disabled = !isRight && !done.has(task().name);
    part("again").classList.toggle("first", isWrong);
    part("next-lesson").classList.toggle("first", isRight);
    const marks = tasks.map(({ name }, number) => (done.has(name) ? "done" : number === at ? "here" : ""));
    part("dashes").innerHTML = marks.map((mark) => `<i class="${mark}"></i>`).join("");
    // The rows stay while their names do: what has the focus keeps it.
    const list = part("tasks"), rows = tasks.map(({ name }, number) => `<li><button value="${number}">${name}</button></li>`).join("");
    if (list.dataset.rows !== rows) [list.innerHTML, list.dataset.rows, list.dataset.at] = [rows, rows, ""];
    [...list.children].forEach((row, number) => {
      row.className = marks[number];
      row.firstChild.setAttribute("aria-current", number === at);
    });
    if (list.dataset.at !== `${at}`) list.scrollTop = list.children[Math.max(at - 2, 0)].offsetTop;
    list.dataset.at = at;
  }

  const again = (shows) => control.act(() => ask(lesson.at, shows));
  clickAndPlay({ answer: () => again(true), again: () => again(false), "next-lesson": goOn,
    tasks: ({ value }) => value && control.act(() => ask(Number(value))) });
  click("learn", () => begin(mistakesHere()));
  for (const name of ["first-steps", "rules-steps"]) click(name, () => begin(stepsIn(state.record.variant)));
  click("begin-steps", async () => {
    await begin(stepsIn(part("choices").variant.value));
    part("begin").close();
  });
  click("end-lesson", leave);
  control.on("attempt", attempt);

  // The move that is shown next, and a mark on what was tried.
  function arrows() {
    if (!isOn()) return [];
    const { show: moves } = task(), last = tried.at(-1);
    const badge = verdict?.isRight ? ["✓", "badge"] : ["✕", "badge wrong"];
    if (verdict) return [[squares(last.move)[1], ...badge]];
    return isShown && tried.every(({ move }, number) => move === moves[number]) ? [[moves[tried.length], 6, "arrow"]] : [];
  }

  return {
    show, arrows,
    off: () => ({
      learn: isOn() || state.isAgainstEngine || !mistakesHere(), "first-steps": !help[state.record.variant].steps[0].goal,
    }),
  };
})();
