// rules.js: the rules: how one wins, boards whose pieces can be moved, and in full what `quadrille rules` prints.
// Takes tree, picture, state, words, findings, targets, control and the data of the page; gives nothing.
{
  // The text as elements: headings, lists with lines that continue, and paragraphs.
  function rulesOf(text) {
    const blocks = [];
    for (const block of text.split(/\n\n+/)) {
      const lines = block.split("\n");
      if (/^[=-]+$/.test(lines[1])) blocks.push(element(lines[1][0] === "=" ? "h2" : "h3", lines[0]));
      else if (lines[0].startsWith("    ")) blocks.push(element("code", block.trim()));
      else {
        for (const [, indent, isItem, said] of block.replace(/\n *(?!\s*- )/g, " ").matchAll(/^( *)(- )?(.*)$/gm)) {
          const paragraph = element("p", said);
          paragraph.style.marginLeft = `${indent.length / 2 + Number(Boolean(isItem))}rem`;
          blocks.push(paragraph);
        }
      }
    }
    return blocks;
  }

  // A piece on a small board, with its targets in the colours that the board has for them.
  function exampleOf([name, square, fen, effects]) {
    const marks = [[square, "lifted"], ...targetMarks(readEffects(effects))];
    return `<figure>${boardSvg(gameSet(), false, fen, marks)}<figcaption>${name}</figcaption></figure>`;
  }

  // A board to try: the pieces go where the rules let them, and the other side passes.
  function sampleOf({ name, text, fen, square }) {
    const { variant } = state.record;
    const [figure, view, head] = [element("figure", ""), element("div", ""), element("b", name)];
    const again = Object.assign(element("button", "\u21bb", "close"), { title: "Put it back", ariaLabel: "Put it back" });
    head.append(again);
    figure.append(view, head, element("p", text));
    let node, lifted;
    const moves = () => readEffects(node.known.effects ?? "").filter(({ from }) => from === lifted);
    function show() {
      const marks = [...(node.last ?? []).map((each) => [each, "last"]), ...(lifted ? [[lifted, "lifted"]] : [])];
      view.innerHTML = boardSvg(gameSet(), false, node.fen, [...marks, ...targetMarks(moves())]);
    }
    // Whose king could be taken cannot pass: the position then has no moves.
    function set(fen, at, last) {
      [node, lifted] = [Object.assign(newNode(null, { fen }), { last }), at];
      show();
      return control.act(() => control.inspect(node, { variant, start: fen })).then(show);
    }
    const reset = () => set(fen, square);
    view.onclick = async ({ clientX, clientY }) => {
      if (!node.known.effects) return reset();
      const { left, top, width, height } = view.getBoundingClientRect(), { files, ranks } = gameSet();
      const to = squareName(Math.floor((files * (clientX - left)) / width), Math.floor((ranks * (clientY - top)) / height));
      const move = moves().find((each) => each.to === to);
      if (!move) {
        lifted = to;
        return show();
      }
      await control.act(async () => {
        const [{ fen: after, known }] = await control.played(node, [move.move], { variant, start: node.fen });
        const last = squares(move.move);
        if (known.over) [node, lifted] = [Object.assign(newNode(null, { fen: after }), { last }), null];
        else set(control.passed(after), to, last);
      });
      show();
    };
    again.onclick = reset;
    reset();
    return figure;
  }

  part("details").ontoggle = () => { if (part("details").open) part("details").scrollIntoView(); };
  click("show-rules", () => {
    const { variant } = state.record, { rules, examples, short: [{ win = "", more = "", draw = "" } = {}, ...boards] } = help[variant];
    const name = nameOfGame(variant);
    put(part("rules-title"), name);
    part("lead").replaceChildren(element("b", win), ` ${more}`);
    part("samples").replaceChildren(...boards.map(sampleOf));
    put(part("draws"), draw);
    put(part("rules-play").lastElementChild, `Play ${name}`);
    part("details").open = false;
    part("details").lastElementChild.innerHTML = `<p class="samples">
      ${samples(examples.flatMap(([, , , effects]) => readEffects(effects)))}</p>
      <div class="examples">${examples.map(exampleOf).join("")}</div>`;
    part("details").lastElementChild.append(...rulesOf(rules));
    part("rules").showModal();
  });
}
