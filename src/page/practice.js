// practice.js: marks at once for a person who plays against the engine: each move is judged as the analysis of the
// whole game does it, and the engine waits after a slip.
// Takes tree, picture, moves, dialogue, state, words, control and whole_game; gives `practice`.
const practice = (() => {
  // A slip in words, by what was found behind it and instead of it, and the other side's moves that refute it.
  async function slipOf({ before, move, san }, mark, found, instead) {
    const why = await judge.whyOf({ before, move }, instead, found);
    // The moves behind it would show what is better; what one gets in exchange is for the text.
    const whole = why?.replace(/ \(.*/, "") ?? `is ${KINDS_OF_SLIPS[mark]}`, deed = whole.replace(/ for .*/, "");
    const title = `${san} ${deed}`;
    const missed = whole.replace("misses the win of", "You could win").replace(/^misses.*/, "There is a better move");
    if (missed !== whole) return { title, text: `${missed}.`, moves: [] };
    const sans = await engine.ask(`san ${[move, ...found.moves.slice(0, 3)].join(" ")}`);
    const [, answer, then, next] = sans.split(" ");
    // What a quiet answer is good for comes after it.
    const isQuiet = !answer.includes("x") && /[x#=]/.test(next ?? "");
    const later = isQuiet ? ` and then, after ${then}, ${next.includes("x") ? "take with" : "play"} ${next}` : "";
    const text = `${SIDES[other(toMove(before))]} can answer ${answer}${later}.`;
    const moves = isQuiet ? [found.moves[0], found.moves[2]] : [found.moves[0]];
    return { title, text: deed === whole ? text : `${text} In all ${san} ${whole}.`, moves };
  }

  control.on("judge", async (isCurrent) => {
    const { tip } = state.game;
    const before = await judge.judgeNode(tip.before);
    if (!isCurrent()) return;
    const after = await judge.judgeNode(tip);
    const mark = judge.markBetween(tip, before, after);
    const slip = mark && (await slipOf(tip, mark, after, before));
    if (!isCurrent()) return;
    state.judgeMove(slip, mark);
    if (slip) say(`${slip.title}. ${slip.text}`);
  });

  function show() {
    const { slip, marksMoves } = state;
    part("marking").hidden = !state.mayMark;
    part("marking").ariaPressed = String(marksMoves);
    part("practice").hidden = !slip;
    if (!slip) return;
    part("slip-sign").className = shade(state.tip);
    put(part("slip-sign"), judgementOf(state.tip));
    put(part("slip"), slip.title);
    put(part("refutation"), slip.text);
  }

  click("marking", () => control.act(() => state.turnMarks()));
  clickAndPlay({ "try-again": control.takeBack, "play-on": () => control.act(() => state.judgeMove()) });

  const arrows = () => (state.slip && state.isAtTip ? state.slip.moves.map((move) => [move, 6, "threat"]) : []);

  return { show, arrows };
})();
