// rules.js: the rules beside the board: the text that `quadrille rules` prints, and how each piece goes.
// Takes state, control and the board's colours of targets; gives `rules`.
const rules = (() => {
  // The text as elements: headings, lists with lines that continue, and paragraphs.
  function rulesOf(text) {
    const blocks = [];
    for (const block of text.split(/\n\n+/)) {
      const lines = block.split("\n");
      if (/^[=-]+$/.test(lines[1])) blocks.push(element(lines[1][0] === "=" ? "h2" : "h3", lines[0]));
      else if (lines[0].startsWith("    ")) blocks.push(element("code", block.trim()));
      else {
        for (const [, indent, isItem, said] of block.replace(/\n *(?!\s*- )/g, " ").matchAll(/^( *)(- )?(.*)$/gm)) {
          const paragraph = element("p", said, isItem ? "item" : "");
          paragraph.style.marginLeft = `${indent.length / 2 + Number(Boolean(isItem))}rem`;
          blocks.push(paragraph);
        }
      }
    }
    return blocks;
  }

  // A piece on a small board, with its targets in the colours that the board has for them.
  function exampleOf([name, square, fen, effects]) {
    const targets = new Map(readEffects(effects).map(({ to, kinds }) => [to, ["target", ...kinds].join(" ")]));
    const figure = element("figure", "");
    figure.innerHTML = boardSvg(set(), false, fen, [[square, "lifted"], ...targets]);
    figure.append(element("figcaption", name));
    return figure;
  }

  function show() {
    if (part("rules").dataset.variant === state.record.variant) return;
    part("rules").dataset.variant = state.record.variant;
    const { rules, examples } = help[state.record.variant];
    const close = element("button", "Close");
    close.onclick = turn;
    const pictures = element("div", "", "examples");
    pictures.append(...examples.map(exampleOf));
    const legend = element("p", "", "samples");
    legend.innerHTML = samples(examples.flatMap(([, , , effects]) => readEffects(effects)));
    part("rules").replaceChildren(close, legend, pictures, ...rulesOf(rules));
  }

  function turn() {
    state.enter(state.mode === "rules" ? "look" : "rules");
    page.render();
    control.act();
  }

  click("show-rules", turn);

  return { show, turn };
})();
