// board.js: the board: what it shows, and what the mouse and the keys do on it.
// Takes tree, picture, moves, dialogs, state, words, findings, targets, control, motion, best_lines, practice, learn
// and set_up; gives `board`.
const board = (() => {
  // The square of the cursor, the drag: its pointer, where it began, and its piece; and
  // the arrow that is drawn: `{ id, from, to }`.
  let cursor = null, drag = null, drawing = null;
  // The picture that is shown, as text.
  let lastDrawn = "";
  const isSetUp = () => state.mode === "set up";

  function moves() {
    const { effects, foreseen } = state.here.known;
    return readEffects((control.canMove() ? effects : control.mustWait() && foreseen) || "");
  }
  const targets = () => (state.lifted ? moves().filter(({ from }) => from === state.lifted) : []);
  // The moves of the lifted piece to a square; the king castles onto the rook too.
  function movesTo(square) {
    const moves = targets().filter(({ to }) => to === square);
    if (moves.length > 0 || !square || `${manAt(state.lifted)}${manAt(square)}`.toUpperCase() !== "KR") return moves;
    const [[king, row], [rook, rooksRow]] = [state.lifted, square].map((each) => columnAndRow(gameSet(), each));
    return targets().filter(({ to }) => {
      const column = columnAndRow(gameSet(), to)[0] - king;
      return rooksRow === row && Math.abs(column) > 1 && column * (rook - king - column) > 0;
    });
  }
  const hintHere = () => (state.hint?.node === state.here ? state.hint : null);
  const manAt = (square) => pieces(state.here.fen).get(square);

  // The squares that a check is about: the kings of the side to move, or all its pieces.
  function attacked(ply) {
    const own = [...pieces(ply.fen)].filter(([, letter]) => sideOf(letter) === toMove(ply));
    const kings = own.filter(([, letter]) => letter.toUpperCase() === "K");
    return (kings.length > 0 ? kings : own).map(([square]) => square);
  }

  function marks() {
    const ply = state.here;
    const marks = ply.move ? squares(ply.move).map((square) => [square, "last"]) : [];
    if (ply.known.check) marks.push(...attacked(ply).map((square) => [square, "check"]));
    const { lifted, premove } = state;
    if (hintHere()?.kind === "piece") marks.push([squares(hintHere().move)[0], "hinted"]);
    if (lifted) marks.push([lifted, "lifted"]);
    if (premove?.from) marks.push([premove.from, "premove"], [premove.to, "premove"]);
    marks.push(...targetMarks(targets()));
    if (cursor) marks.push([cursor, "cursor"]);
    return marks;
  }

  function arrows() {
    const arrows = [...bestLines.arrows(), ...learn.arrows(), ...practice.arrows()];
    const { here } = state, hint = hintHere();
    if (hint && hint.kind !== "piece") arrows.push([hint.move, 6, hint.kind]);
    if (shade(here) && here.move) arrows.push([squares(here.move)[1], judgementOf(here), `badge ${shade(here)}`]);
    if (here.known.check && here.known.over) arrows.push(...attacked(here).map((square) => [square, "#", "badge fault"]));
    if (drawing) arrows.push([drawing.from + (drawing.to === drawing.from ? "" : drawing.to ?? ""), 5, "drawn G"]);
    return [...arrows, ...drawn().map(([color, move]) => [move, 5, `drawn ${color}`])];
  }

  // What was drawn in the position that is shown, as `[%cal]` and `[%csl]` keep it: colours and moves or squares.
  function drawn() {
    const texts = ["csl", "cal"].map((name) => commandOf(state.here.comment, name) ?? "").join(",").split(",");
    const isSquare = (name) => {
      const [column, row] = columnAndRow(gameSet(), name);
      return column < gameSet().files && row >= 0 && row < gameSet().ranks;
    };
    const read = texts.map((text) => /^([GRBY])([a-z]\d{1,2}(?:[a-z]\d{1,2})?)$/.exec(text.trim())?.slice(1));
    return read.filter((each) => each && squares(each[1]).every((name) => !name || isSquare(name)));
  }

  // Draws an arrow or a circle, or removes the same one. Without a move all go.
  function draw(color, move) {
    const others = drawn().filter(([, each]) => move && each !== move);
    const isNew = move && !drawn().some(([old, each]) => old === color && each === move);
    const all = (isNew ? [...others, [color, move]] : others).map((each) => each.join(""));
    let { comment } = state.here;
    for (const [name, count] of [["cal", 2], ["csl", 1]]) {
      const texts = all.filter((text) => squares(text.slice(1)).filter(Boolean).length === count);
      comment = withCommand(comment, name, texts.join(","));
    }
    state.annotate(state.here, { comment });
    control.draw();
    control.keep();
  }

  // The position in words.
  function describe(fen) {
    const by = (side) => [...pieces(fen)].filter(([, letter]) => sideOf(letter) === side)
      .map(([square, letter]) => `${gameSet().names[letter.toUpperCase()]} ${square}`).join(", ");
    return `${state.record.variant}. White: ${by("w")}. Black: ${by("b")}. ${SIDES[toMove({ fen })]} to move.`;
  }

  function show() {
    if (drag && !isSetUp() && drag.square !== state.lifted) endDrag();
    motion.begin();
    const fen = isSetUp() ? setup.fen() : state.here.fen;
    const shown = isSetUp() ? [cursor ? [[cursor, "cursor"]] : [], []] : [marks(), arrows()];
    // The same picture stays, with what moves on it.
    const text = JSON.stringify([state.record.variant, state.flipped, fen, shown]);
    if (text !== lastDrawn) {
      drawBoard(gameSet(), state.flipped, fen, ...shown);
      motion.show();
    }
    lastDrawn = text;
    part("board").ariaLabel = describe(fen);
    motion.showCaptured();
    if (drag?.moved) showDrag();
    const { aside, flipped, here: { known: { check } } } = state, wings = ["left wing: horses", "right wing: bishops"];
    const named = (flipped ? wings.reverse() : wings).map((each) => `<span>${each}</span>`).join("");
    part("legend").innerHTML = samples(targets(), check) || (aside && gameSet().wing && !check ? named : "");
    // One of the two has the line below the board.
    part("legend").hidden = !part("legend").innerHTML || Boolean(state.fault);
    part("status").hidden = !part("legend").hidden;
  }

  // A square at a point of the page.
  function squareAt(event) {
    const point = new DOMPoint(event.clientX, event.clientY).matrixTransform(part("board").getScreenCTM().inverse());
    const { cell, files, ranks } = gameSet();
    const [x, y] = [point.x, point.y].map((n) => Math.floor(n / cell));
    if (x < 0 || y < 0 || x >= files || y >= ranks) return [null, point];
    const [column, row] = state.flipped ? [files - 1 - x, ranks - 1 - y] : [x, y];
    return [squareName(column, row), point];
  }

  // Lets go of the piece and of a move that waits.
  function letGo() {
    cursor = null;
    control.wait(null);
    lift(null);
  }

  // A piece that was dragged has to be drawn where it stands.
  function endDrag() {
    if (drag?.moved) lastDrawn = "";
    drag = null;
  }

  function lift(square) {
    state.lift(square);
    endDrag();
  }

  // The lifted piece goes to a square, or waits there for the person's turn; false if it can do neither.
  function send(square, isDrop) {
    const chosen = control.canMove() ? movesTo(square) : [];
    if (chosen.length === 0) return wait(square);
    if (isDrop) motion.drop(square);
    choose(chosen);
    return true;
  }

  // A square is pressed: a lifted piece goes there, or the piece there is lifted. True if one was lifted.
  function press(square) {
    if (send(square)) return false;
    const letter = square && manAt(square);
    const { lifted } = state, wasLifted = lifted === square;
    const mine = control.mustWait() ? state.humans : control.canMove() && toMove(state.here);
    if (!letter && !lifted && drawn().length > 0) draw(null, null);
    lift(letter && !wasLifted && sideOf(letter) === mine ? square : null);
    if (state.lifted) say(`${nameOf(letter)} ${square}: ${targets().map(({ to }) => to).join(", ") || "no moves"}`);
    show();
    return state.lifted !== null;
  }

  // Keeps the move of the lifted piece for the person's turn, if it has to wait; any click takes back the one before.
  function wait(square) {
    const { lifted } = state;
    const isKept = control.mustWait() && lifted && square && lifted !== square;
    control.wait(isKept ? { from: lifted, to: square } : null);
    if (!isKept) return false;
    lift(null);
    show();
    return true;
  }

  // Plays the move that waits, if it can be played.
  function playWaiting() {
    const { from, to, text, node = state.game?.tip } = state.premove;
    const isThere = state.here === node;
    state.wait(null);
    lift(from);
    const chosen = isThere && !text ? movesTo(to) : [];
    lift(null);
    // It waits for the turn of this one.
    if (isThere && text) control.playText(text).then(control.refuse);
    else if (chosen.length > 0) choose(chosen);
    else control.draw();
  }

  // Plays the only move, or the one that the person chooses.
  async function choose(moves) {
    const { here } = state;
    const move = moves.length === 1 ? moves[0] : await promotion(moves);
    if (state.here !== here) return;
    const error = move && (await control.play(move.move));
    // A move lets go at once: what is in the hand now was lifted since.
    if (!move) lift(null);
    show();
    control.refuse(error);
  }

  function promotion(moves) {
    const dialog = part("promotion");
    // Kinds are listed from the least to the greatest: the queen comes first.
    const rank = ({ becomes }) => Object.keys(gameSet().names).indexOf(becomes);
    return new Promise((resolve) => {
      const side = toMove(state.here);
      dialog.replaceChildren(...moves.toSorted((a, b) => rank(b) - rank(a)).map((each) => {
        const letter = side === "w" ? each.becomes : each.becomes.toLowerCase();
        return pieceButton(letter, () => { resolve(each); dialog.close(); });
      }));
      dialog.onclose = () => dialog.open || resolve(null);
      const at = new DOMPoint(...motion.cornerOf(moves[0].to)).matrixTransform(part("board").getScreenCTM());
      openAt(dialog, at.x, at.y);
    });
  }

  function showDrag() {
    const { cell } = gameSet();
    if (!drag.man?.isConnected) {
      drag.man = motion.manOn(drag.square);
      if (!drag.man) return;
      part("board").append(drag.man);
    }
    drag.man.setAttribute("transform", `translate(${drag.x - cell / 2} ${drag.y - cell / 2})`);
    drag.man.setAttribute("pointer-events", "none");
  }

  // Whether another finger than the one that drags, or a palm, touches the board.
  const isOther = ({ pointerId }) => pointerId !== (drag ?? drawing ?? { id: pointerId }).id;

  // The focus stays with the page, whose keys step through the game: a cursor is for who came by Tab.
  part("board").onmousedown = (event) => {
    event.preventDefault();
    document.activeElement?.blur();
  };
  part("board").oncontextmenu = (event) => event.preventDefault();
  part("board").onpointerdown = (event) => {
    if (isOther(event) && !event.isPrimary) return;
    const [square, { x, y }] = squareAt(event);
    cursor = null;
    if (event.button === 2 && state.lifted) {
      letGo();
      return show();
    }
    if (event.button === 2 && square && !isSetUp()) {
      drawing = { id: event.pointerId, from: square, to: square };
      part("board").setPointerCapture(event.pointerId);
    }
    if (event.button !== 0) return;
    if (isSetUp() && !setup.at(square)) return setup.putDown(square);
    const was = state.lifted === square;
    if (!was && !isSetUp() && !press(square)) return;
    drag = { id: event.pointerId, square, x, y, was };
    part("board").setPointerCapture(event.pointerId);
  };
  part("board").onpointermove = (event) => {
    if (isOther(event)) return;
    const [square, { x, y }] = squareAt(event);
    if (drawing && drawing.to !== square) {
      drawing.to = square;
      show();
    }
    if (!drag || (!drag.moved && Math.hypot(x - drag.x, y - drag.y) < 6)) return;
    Object.assign(drag, { x, y, moved: true });
    showDrag();
  };
  part("board").onpointerup = (event) => {
    if (isOther(event)) return;
    if (drawing) {
      const { from, to } = drawing;
      drawing = null;
      const isRed = event.shiftKey || event.ctrlKey;
      if (to) draw(isRed ? (event.altKey ? "Y" : "R") : event.altKey ? "B" : "G", to === from ? from : from + to);
      return show();
    }
    if (!drag) return;
    const { moved, was, square: from } = drag;
    endDrag();
    const [square] = squareAt(event);
    if (isSetUp()) return moved ? setup.movePiece(from, square) : setup.putDown(from);
    const leaves = moved && square !== from;
    if (leaves && send(square, true)) return;
    // Dropped where it was, a piece stays lifted; a second click lets it go.
    if (leaves || (was && !moved)) lift(null);
    show();
  };
  part("board").onpointercancel = (event) => {
    if (isOther(event)) return;
    drawing = null;
    lift(null);
    show();
  };

  part("board").onkeydown = (event) => {
    const steps = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] };
    const step = steps[event.key];
    if (step) {
      const { files, ranks } = gameSet();
      const sign = !cursor ? 0 : state.flipped ? -1 : 1;
      const from = cursor ? columnAndRow(gameSet(), cursor) : [Math.floor(files / 2), Math.floor(ranks / 2)];
      const [x, y] = from.map((n, axis) => n + sign * step[axis]);
      if (x >= 0 && y >= 0 && x < files && y < ranks) cursor = squareName(x, y);
      const letter = isSetUp() ? setup.at(cursor) : manAt(cursor);
      say(`${cursor} ${letter ? nameOf(letter) : "empty"}`);
    } else if ((event.key === "Enter" || event.key === " ") && cursor) {
      if (isSetUp()) setup.putDown(cursor);
      else press(cursor);
    } else if (event.key === "Escape") letGo();
    else return;
    event.preventDefault();
    event.stopPropagation();
    show();
  };
  part("board").onblur = () => {
    if (cursor === null) return;
    cursor = null;
    show();
  };

  control.on("turn", playWaiting);

  return { show, marks, letGo, attacked, get cursor() { return cursor; } };
})();
