// set_up.js: the set-up of a position.
// Takes tree, picture, dialogue, state, words, targets, control, lasts and begin; gives `setup`.
const setup = (() => {
  // The position that is being set up, as the letters by squares. With it: the `side` to move; the `letter` to be put
  // down, null to remove one, undefined for neither; the `rights` of the game; castling and en passant as `wished`,
  // and as the engine allows them; `counts`, clock and number, until a piece moves; and its `fault`, a sentence.
  let setUp = null;

  // The cells of the grid that are no squares.
  const holes = () => new Set([...tokens(gameSet().start)].filter(([token]) => token === "*")
    .map(([, column, row]) => squareName(column, row)));

  // Pieces as the first field of a FEN.
  function placement(all) {
    const letters = new Map([...all, ...Array.from(holes(), (hole) => [hole, "*"])]);
    const { files, ranks } = gameSet();
    const rows = Array.from({ length: ranks }, (_, row) =>
      Array.from({ length: files }, (_, column) => letters.get(squareName(column, row)) ?? " ").join(""));
    return rows.join("/").replace(/ +/g, (gap) => gap.length);
  }
  const FIRST = "0 1";
  const fen = (castling = setUp.castling || "-", passant = setUp.passant, counts = setUp.counts) =>
    `${placement(setUp)} ${setUp.side} ${castling} ${passant} ${counts}`;

  function begin(from) {
    const [, side, castling, passant, clock = 0, count = 1] = fields(from);
    const { letter, fault } = state.mode === "set up" ? setUp : {};
    const rights = fields(gameSet().start)[2];
    setUp = Object.assign(pieces(from), {
      side: side === "b" ? "b" : "w", fault,
      rights: rights === "-" ? [] : [...rights], castling: "", passant: "-", wished: [castling ?? "", passant ?? "-"],
      counts: `${clock} ${count}`,
    });
    part("to-move").value = setUp.side;
    const eraser = Object.assign(element("button", "✕"), { title: "remove", ariaLabel: "remove" });
    eraser.onclick = () => press(null);
    const buttons = Object.keys(gameSet().men).map((letter) => pieceButton(letter, () => press(letter)));
    // A row for each side.
    const of = (side) => buttons.filter(({ dataset }) => sideOf(dataset.letter) === side);
    part("pieces").replaceChildren(eraser, ...of("w"), element("span", "", "break"), ...of("b"));
    press(letter);
    control.act(() => {
      state.enter("set up");
      control.draw();
    });
    return judgeIt();
  }

  // Chooses what is put down, or nothing, if it was chosen already.
  function press(letter) {
    setUp.letter = letter === setUp.letter ? undefined : letter;
    for (const each of part("pieces").querySelectorAll("button"))
      each.ariaPressed = (each.dataset.letter ?? null) === setUp.letter;
  }

  // Puts down the chosen piece, or removes one.
  function putDown(square) {
    if (!square || setUp.letter === undefined) return;
    movePiece(null, square, setUp.get(square) === setUp.letter ? null : setUp.letter);
  }

  // Moves a piece from a square, if there is one, to another or off the board.
  function movePiece(from, to, letter = setUp.get(from)) {
    if (from) setUp.delete(from);
    if (letter === null) setUp.delete(to);
    else if (to && !holes().has(to)) setUp.set(to, letter);
    else if (to && from) setUp.set(from, letter);
    if (to !== from) setUp.counts = FIRST;
    judgeIt();
  }

  // Asks the engine which rights the position can have, and what is wrong with it.
  function judgeIt() {
    if (state.mode === "set up") control.draw();
    return control.act(async () => {
      if (state.mode !== "set up") return;
      const { variant } = state.record;
      // Whether the engine leaves the position as it is, or an error.
      const judged = (...asked) => {
        const start = fen(...asked);
        control.place(newNode(null, {}), { variant, start });
        const refused = (error) => (error.message === LOST ? Promise.reject(error) : error);
        return engine.ask("fen").then((fen) => fen === start, refused);
      };
      const possible = async (all, test) => {
        const answers = await Promise.all(all.map(test));
        return all.filter((_, index) => answers[index] === true);
      };
      const { files, ranks } = gameSet();
      const row = setUp.side === "w" ? 2 : ranks - 3;
      const behind = Array.from({ length: files }, (_, column) => squareName(column, row));
      const rights = await possible(setUp.rights, (right) => judged(right, "-", FIRST));
      const passants = await possible(behind, (square) => judged("-", square, FIRST));
      setUp.castling = rights.filter((right) => setUp.wished[0].includes(right)).join("");
      setUp.passant = passants.find((square) => square === setUp.wished[1]) ?? "-";
      const fault = await judged();
      setUp.fault = fault.message ? sentence(fault) : "";
      showRights(rights, passants);
    });
  }

  function showRights(rights, passants) {
    part("castling").hidden = setUp.rights.length === 0;
    part("rights").replaceChildren(...setUp.rights.map((right) => {
      const [label, box] = [element("label", ""), element("input", "")];
      const checked = setUp.castling.includes(right);
      Object.assign(box, { type: "checkbox", checked, disabled: !rights.includes(right) });
      box.onchange = () => {
        setUp.wished[0] = setUp.wished[0].replace(right, "") + (box.checked ? right : "");
        judgeIt();
      };
      label.append(box, ` ${right}`);
      label.title = `${SIDES[sideOf(right)]}, ${right.toUpperCase() === "K" ? "king's" : "queen's"} side`;
      return label;
    }));
    part("passant").parentElement.hidden = passants.length === 0;
    part("passant").replaceChildren(...["-", ...passants].map((square) => new Option(square, square)));
    part("passant").value = setUp.passant;
    part("set-up-fault").textContent = setUp.fault;
    part("done").disabled = part("look-at").disabled = setUp.fault !== "";
    if (document.activeElement !== part("set-up-fen")) part("set-up-fen").value = fen();
  }

  // Begins from a FEN, as it may be typed: its pieces must fit on the board, the engine judges the rest.
  function read(typed) {
    const all = pieces(typed);
    const areKnown = [...all.values()].every((letter) => Object.hasOwn(gameSet().men, letter));
    if (areKnown && placement(all) === fields(typed)[0]) begin(typed);
    else part("set-up-fault").textContent =
      `This FEN needs ${gameSet().ranks} rows of ${gameSet().files} squares, with the pieces of this game alone.`;
  }

  // The position is shown, and played on if somebody plays.
  async function end(plays) {
    const error = await control.load(state.record.variant, fen());
    if (error) return control.refuse(error);
    return control.act(() => { if (plays) control.playOn(begins.chosen()); });
  }
  const leaveTo = async (plays) => ((await mayLeave(true)) ? () => end(plays) : null);

  click("begin-set-up", async () => {
    const name = part("choices").variant.value;
    const isOther = name !== state.own.record.variant;
    if (isOther && !(await mayLeave())) return;
    const error = isOther ? await control.load(name, null) : null;
    if (error) {
      part("refused").textContent = sentence(error);
      return;
    }
    part("begin").close();
    if (state.aside) state.enter();
    begin(state.here.fen);
  });
  click("set-up", () => begin(state.here.fen));
  click("empty", () => { setUp.clear(); setUp.counts = FIRST; judgeIt(); });
  click("start", () => begin(gameSet().start));
  click("done", () => begins.ask(() => leaveTo(true), "Play from here"));
  click("look-at", async () => (await leaveTo(false))?.());
  click("cancel", () => control.act(() => {
    state.enter();
    control.draw();
  }));
  part("to-move").onchange = () => { setUp.side = part("to-move").value; judgeIt(); };
  part("passant").onchange = () => { setUp.wished[1] = part("passant").value; judgeIt(); };
  part("set-up-fen").onchange = () => read(plainFen(part("set-up-fen").value));

  return {
    begin, read, fen, end, putDown, movePiece, at: (square) => setUp.get(square), get pieces() { return setUp; },
  };
})();
