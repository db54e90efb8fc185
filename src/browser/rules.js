// The rules beside the board: the text that `quadrille rules` prints, and how each piece goes.

let showsRules = false;

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
  const targets = new Map(readEffects(effects).map((each) => [each.to, ["target", ...kinds(each)].join(" ")]));
  const figure = element("figure", "");
  figure.innerHTML = `<svg viewBox="0 0 ${set().width} ${set().height}">${
    picture(set(), false, fen, [[square, "lifted"], ...targets], [])}</svg>`;
  figure.append(element("figcaption", name));
  return figure;
}

function showRules() {
  if (part("rules").dataset.variant === game.variant) return;
  part("rules").dataset.variant = game.variant;
  const { rules, examples } = help[game.variant];
  const close = element("button", "Close");
  close.onclick = turnRules;
  const pictures = element("div", "", "examples");
  pictures.append(...examples.map(exampleOf));
  const legend = element("p", "", "number");
  const used = examples.flatMap(([, , , effects]) => readEffects(effects).map((each) => kinds(each)[0] ?? ""));
  legend.append(...samples(Object.keys(KINDS).filter((kind) => used.includes(kind))));
  part("rules").replaceChildren(close, pictures, legend, ...rulesOf(rules));
}

function turnRules() {
  showsRules = !showsRules;
  render();
}

click("show-rules", turnRules);
