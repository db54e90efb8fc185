// rules.js: the rules beside the board: the text that `quadrille rules` prints, and how each piece goes.
// Takes picture, state, findings, targets, control and the data of the page; gives `rules`.
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

  function show() {
    if (part("rules").dataset.variant === state.record.variant) return;
    part("rules").dataset.variant = state.record.variant;
    const { rules, examples } = help[state.record.variant];
    part("rules").innerHTML = `<button>Close</button>
      <p class="samples">${samples(examples.flatMap(([, , , effects]) => readEffects(effects)))}</p>
      <div class="examples">${examples.map(exampleOf).join("")}</div>`;
    part("rules").append(...rulesOf(rules));
    part("rules").firstElementChild.onclick = turn;
  }

  function turn() {
    state.enter(state.mode === "rules" ? "look" : "rules");
    control.draw();
    control.act();
  }

  click("show-rules", turn);

  return { show, turn };
})();
