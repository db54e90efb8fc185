// result.js: the end of a game that was played here, as a card: result, worst moments, strength, and what comes next.
// Takes picture, moves, state, words, control, whole_game, lasts and strength; gives `endCard`.
const endCard = (() => {
  const WORST = 3;
  // Reasons that read differently before "on move 13".
  const ENDS = { "no-moves": "no legal move left", "time forfeit": "out of time", clock: "the 50th move without progress" };

  // The level that follows the person's strength, if another one was played.
  function nextLevel() {
    const { game, humans, record: { variant } } = state;
    const level = strength.counts() ? strength.levelFor(variant) : null;
    return level === game.players[other(humans)] ? null : level;
  }
  // The same with other sides, or with the same against another level.
  async function rematch(level = null) {
    const { record: { variant, start }, game: { players: { w, b }, control: time, marks } } = state;
    const follow = (player) => (player === null ? null : level);
    const next = level === null ? { w: b, b: w } : { w: follow(w), b: follow(b) };
    if (await mayLeave()) control.begin(variant, start, { players: next, time, marks });
  }
  // What was found becomes a part of the game, which is then looked at.
  const look = (work) => control.act(() => { judge.store(); work(); });

  // The slips that are shown, and how a mark looks.
  let slips = [];
  const tone = (mark) => (mark === "?!" ? "slip" : "fault");
  const shadeOf = (node) => slips.filter((each) => each.node === node).map(({ mark }) => tone(mark))[0] ?? shade(node);

  // The position after a slip with the answer, what it costs, and the better move.
  function momentOf({ node, mark, better, reply }) {
    const marks = squares(node.move).map((square) => [square, "last"]);
    const [item, button, words] = [element("li", ""), element("button", ""), element("span", "")];
    const arrows = [...(reply ? [[reply.move, 12, "threat"]] : []), [squares(node.move)[1], mark, `badge ${tone(mark)}`]];
    button.innerHTML = boardSvg(gameSet(), state.flipped, node.fen, marks, arrows);
    words.append(element("b", nameOfMove(node) + mark, tone(mark)));
    // The moves behind the phrase are those of the arrow.
    const said = better.intro?.replace(/ \(.*/, "") ?? (reply ? `${SIDES[toMove(node)]} answers ${reply.san}` : "");
    words.append(element("span", said && sentence({ message: said })));
    words.append(element("small", `Better: ${better.san}`));
    button.append(words);
    button.onclick = () => look(() => state.show(node));
    item.append(button);
    return item;
  }

  function show() {
    const isShown = judge.reviews();
    document.body.classList.toggle("ended", isShown);
    slips = [];
    if (!isShown) return;
    const { game, tip, outcome: { winner, reason }, humans, record: { variant } } = state;
    const isOne = humans.length === 1, isLost = isOne && winner === other(humans);
    put(part("won"), winner === null ? "Draw" : `${isOne ? "You" : SIDES[winner]} ${isLost ? "lost" : "won"}`);
    put(part("points"), { w: "1–0", b: "0–1" }[winner] ?? "½–½");
    const ended = ENDS[reason] ?? endInWords({ reason }).replace("Draw by ", "");
    put(part("ended"), sentence({ message: `${ended} on move ${fields((tip.before ?? tip).fen)[5]}` }));
    for (const [at, side] of [isOne ? humans : "w", isOne ? other(humans) : "b"].entries()) {
      const own = judge.accuracy()[side]?.accuracy, bar = part("accuracies").children[at];
      bar.hidden = own === undefined;
      bar.style.setProperty("--share", `${own}%`);
      put(bar.firstChild, `${Math.round(own)} %`);
      put(bar.lastChild, !isOne ? SIDES[side] : at === 0 ? "you" : `level ${game.players[side]}`);
    }
    slips = judge.slips().filter(({ node }) => !isOne || toMove(node.before) === humans).slice(0, WORST);
    const found = slips.length > 0 ? `${isOne ? "Your worst" : "The worst"} moments` : "No mistake found.";
    put(part("moments-title"), judge.share() < 1 ? `Looking at the moves … ${Math.floor(100 * judge.share())} %` : found);
    const key = slips.map(({ node }) => nameOfMove(node)).join();
    if (part("moments").dataset.key !== key) part("moments").replaceChildren(...slips.map(momentOf));
    part("moments").dataset.key = key;
    part("rated").hidden = !strength.counts();
    const [before, now] = [strength.before(variant), strength.of(variant)];
    put(part("rating"), before === null || before === now ? `${now}` : `${before} → ${now}`);
    put(part("rated-in"), `your strength in ${nameOfGame(variant)}`);
    const level = nextLevel();
    part("next-level").hidden = level === null;
    put(part("next-level"), `Level ${level}, about ${Math.round(strength.eloOf(variant, level) / 50) * 50}`);
    part("rematch").hidden = !humans;
    part("rematch").classList.toggle("first", !isLost);
    part("study").classList.toggle("first", isLost || !humans);
  }

  click("rematch", () => rematch());
  click("next-level", () => rematch(nextLevel()));
  click("study", () => look(() => state.analyse(true)));

  return { show, shadeOf };
})();
