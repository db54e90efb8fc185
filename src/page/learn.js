// learn.js: a lesson on the board. The person looks for a better move in each position; what is tried is no move of the
// record.
// Takes tree, picture, moves, dialogue, state, words, findings, control, lessons and whole_game; gives `learn`.
const learn = (() => {
  const KINDS_OF_SLIPS = { "??": "a blunder", "?": "a mistake", "?!": "an inaccuracy" };
  // The lesson, what was said last about its task, and the arrow of the move that this is about.
  let lesson = null, taught = "", arrow = [];

  const isOn = () => state.mode === "learn" && lesson !== null;
  const task = () => lessons.taskOf(lesson);
  // For the person's side, or that of the player below.
  const lessonHere = () =>
    lessons.create(lineThrough(state.root), state.humans.length === 1 ? state.humans : state.flipped ? "b" : "w");

  function teach(text, move = null, kind = "arrow") {
    [taught, arrow] = [text, move ? [[move, 6, kind]] : []];
    control.draw();
  }

  function begin() {
    lesson = lessonHere();
    if (!lesson) return;
    state.turn(lesson.side);
    state.enter("learn");
    ask();
  }
  // Shows the position of the task, or ends with the count.
  function ask() {
    if (task()) state.show(task().before);
    const { found, tasks } = lesson;
    teach(task() ? "" : `That was the last. You found ${found} of ${tasks.length}.`);
  }
  function goOn() {
    lessons.goOn(lesson);
    ask();
  }
  function showAnswer() {
    const better = lessons.betterOf(task());
    lessons.end(lesson, "shown");
    const moves = lineThrough(better).slice(pathTo(better).length - 1).map(({ san }) => san);
    teach(`Better was ${numberedLine(better.before.fen, moves)}.`, better.move);
  }

  // Judges a move that the person tries: it is right if it is the best one, or gives away too little for a mark.
  function attempt(move) {
    return control.act(async (isCurrent) => {
      if (!isOn() || !task() || lesson.ended) return;
      const [slip, better] = [task(), lessons.betterOf(task())];
      if (move === slip.move) return teach(`${slip.san} was played. Look for a better move.`, move, "threat");
      if (move === better.move) {
        lessons.end(lesson, "found");
        return teach(`${better.san} is the best move.`, move, "right");
      }
      control.place(slip.before);
      const san = await engine.ask(`san ${move}`);
      teach(`Quadrille looks at ${san} …`, move, "faint arrow");
      const { white } = await judge.judgeNode(newNode(slip.before, { move }));
      if (!isCurrent()) return;
      const best = whiteOf(commandOf(lineThrough(better).at(-1).comment, "eval"), gameSet());
      const mark = judge.markOf(lesson.side, best, white);
      if (mark) return teach(`${san} is ${KINDS_OF_SLIPS[mark]} too. Look for a better move.`, move, "threat");
      lessons.end(lesson, "found");
      teach(`${san} is good too. The best move was ${better.san}.`, move, "right");
    });
  }

  function show() {
    if (!isOn()) return;
    const { tasks, at } = lesson;
    const slip = task();
    const played = slip && `${SIDES[lesson.side]} played ${nameOfMove(slip)}${judgementOf(slip)}`;
    put(part("task"), slip ? `${at + 1} of ${tasks.length}: ${played}. Find a better move.` : "");
    put(part("taught"), taught);
  }

  const actions = { learn: begin, answer: showAnswer, "next-lesson": goOn, "end-lesson": () => state.enter() };
  for (const [name, action] of Object.entries(actions)) click(name, () => control.act(action));
  control.on("attempt", attempt);

  return {
    show, arrows: () => (isOn() ? arrow : []),
    // What cannot be done now.
    off: () => ({
      learn: state.isAgainstEngine || !lessonHere(), "next-lesson": !isOn() || !task(),
      answer: !isOn() || !task() || lesson.ended !== null,
    }),
  };
})();
