// set_up.js: the set-up of a position.
// Takes state, control, board and engine; gives `setup`.
const setup = (() => {
  // The position that is being set up, as the letters by squares. With it: the `side` to move; the `letter` to be put
  // down, null to remove one, undefined for neither; the `rights` of the game; castling and en passant as `wished`,
  // and as the engine allows them; and its `fault`, a sentence.
  let setUp = null;

  function fen(castling = setUp.castling || "-", passant = setUp.passant) {
    const { files, ranks } = set();
    const holes = cells(set().start);
    const rows = [];
    for (let row = 0; row < ranks; row++) {
      let [text, empty] = ["", 0];
      for (let column = 0; column < files; column++) {
        const square = squareName(column, row);
        const letter = holes.has(square) ? "*" : setUp.get(square);
        if (!letter) { empty += 1; continue; }
        text += (empty || "") + letter;
        empty = 0;
      }
      rows.push(text + (empty || ""));
    }
    return `${rows.join("/")} ${setUp.side} ${castling} ${passant} 0 1`;
  }

  // The cells of the grid that are no squares.
  function cells(fen) {
    const holes = new Set();
    for (const [row, text] of fields(fen)[0].split("/").entries()) {
      let column = 0;
      for (const [token] of text.matchAll(/\d+|./g)) {
        if (token === "*") holes.add(squareName(column, row));
        column += Number(token) || 1;
      }
    }
    return holes;
  }

  function begin(from) {
    const [, side, castling, passant] = fields(from);
    const { letter, fault } = setUp ?? {};
    const rights = fields(set().start)[2];
    setUp = Object.assign(pieces(from), {
      side: side === "b" ? "b" : "w", letter, fault,
      rights: rights === "-" ? [] : [...rights], castling: "", passant: "-", wished: [castling ?? "", passant ?? "-"],
    });
    part("to-move").value = setUp.side;
    const letters = Object.keys(set().men);
    const buttons = ["w", "b"].flatMap((side) => letters.filter((letter) => sideOf(letter) === side));
    const press = (letter, button) => {
      setUp.letter = button.getAttribute("aria-pressed") === "true" ? undefined : letter;
      for (const each of part("pieces").querySelectorAll("button"))
        each.setAttribute("aria-pressed", each === button && setUp.letter !== undefined);
    };
    const eraser = element("button", "✕");
    eraser.title = "remove";
    eraser.setAttribute("aria-label", "remove");
    eraser.onclick = () => press(null, eraser);
    part("pieces").replaceChildren(eraser, ...buttons.map((letter) => {
      const button = pieceButton(letter, () => press(letter, button));
      return button;
    }));
    // A row for each side.
    part("pieces").children[1 + letters.length / 2].before(element("span", "", "break"));
    const pressed = setUp.letter;
    setUp.letter = undefined;
    const isPressed = ({ dataset }) => (dataset.letter ?? null) === pressed;
    if (pressed !== undefined) [...part("pieces").children].find(isPressed)?.click();
    return judgeIt();
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
    else if (to && !cells(set().start).has(to)) setUp.set(to, letter);
    else if (to && from) setUp.set(from, letter);
    judgeIt();
  }

  // Asks the engine which rights the position can have, and what is wrong with it.
  function judgeIt() {
    if (state.mode === "set up") board.show();
    return control.act(async () => {
      if (!setUp) return;
      state.enter("set up");
      page.render();
      const { variant } = state.record;
      const accepts = (castling, passant) => {
        const start = fen(castling, passant);
        control.place(newNode(null, {}), { variant, start });
        const refused = (error) => (error.message === LOST ? Promise.reject(error) : error);
        return engine.ask("fen").then((fen) => fen === start && start, refused);
      };
      const isTrue = (answer) => typeof answer === "string";
      const { files, ranks } = set();
      const row = setUp.side === "w" ? 2 : ranks - 3;
      const passants = Array.from({ length: files }, (_, column) => squareName(column, row));
      const rights = await Promise.all(setUp.rights.map((right) => accepts(right, "-")));
      const squares = await Promise.all(passants.map((square) => accepts("-", square)));
      const has = (right, index) => isTrue(rights[index]) && setUp.wished[0].includes(right);
      setUp.castling = setUp.rights.filter(has).join("");
      const possible = passants.filter((_, index) => isTrue(squares[index]));
      setUp.passant = possible.find((square) => square === setUp.wished[1]) ?? "-";
      const fault = await accepts();
      setUp.fault = fault.message ? sentence(fault) : "";
      showRights(setUp.rights.filter((_, index) => isTrue(rights[index])), possible);
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

  // A FEN that was typed: its pieces must fit on the board, the engine judges the rest.
  function read() {
    const typed = part("set-up-fen").value.trim();
    const rows = (fields(typed)[0] ?? "").split("/");
    const width = (row) => [...row.matchAll(/\d+|./g)].reduce((sum, [token]) => sum + (Number(token) || 1), 0);
    const isPlaced = rows.length === set().ranks && rows.every((row) => width(row) === set().files) &&
      [...men(typed)].every(([letter]) => Object.hasOwn(set().men, letter)) &&
      [...cells(typed)].join() === [...cells(set().start)].join();
    if (isPlaced) begin(typed);
    else part("set-up-fault").textContent =
      `This FEN has not ${set().ranks} rows of ${set().files} squares with the pieces of this game.`;
  }

  // The position is shown, and played on if somebody plays.
  async function end(plays) {
    const error = await control.load(state.record.variant, fen(), POSITION);
    if (error) return control.refuse(error);
    setUp = null;
    return control.act(plays ? control.playOn : undefined);
  }
  const leaveTo = async (plays) => ((await mayLeave(true)) ? () => end(plays) : null);

  click("set-up", () => begin(state.here.fen));
  click("empty", () => { setUp.clear(); judgeIt(); });
  click("start", () => begin(set().start));
  click("done", () => begins.ask(() => leaveTo(true), "Play from here"));
  click("look-at", async () => (await leaveTo(false))?.());
  click("cancel", () => control.act(() => {
    setUp = null;
    state.enter();
    page.render();
  }));
  part("to-move").onchange = () => { setUp.side = part("to-move").value; judgeIt(); };
  part("passant").onchange = () => { setUp.wished[1] = part("passant").value; judgeIt(); };
  part("set-up-fen").onchange = read;

  return { begin, fen, end, putDown, movePiece, at: (square) => setUp.get(square), get pieces() { return setUp; } };
})();
