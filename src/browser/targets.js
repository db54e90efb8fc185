// targets.js: moves and pieces with their effects, and how the page shows them.
// Takes words; gives the functions in the last line.
const { readEffects, KINDS, kindsOf, samples, pieceButton } = (() => {
  // The moves with their effects, as the engine lists them.
  function readEffects(list) {
    return list.split(" ").filter(Boolean).map((text) => {
      const read = /^(([a-z]\d+)([a-z]\d+)[a-z]?)(?::(x?)(?:=(.))?(?:\+(.*))?)?$/.exec(text);
      const [, move, from, to, captures, becomes, brings] = read;
      return { move, from, to, captures: captures === "x", becomes, brings };
    });
  }

  const KINDS = {
    promotes: "promotes", brings: "brings in a piece", changes: "changes", captures: "captures", "": "moves",
  };

  // The classes of a target.
  const kindsOf = (each) => [
    ...(isPromotion(each) ? ["promotes"] : each.brings ? ["brings"] : each.becomes ? ["changes"] : []),
    ...(each.captures ? ["captures"] : []),
  ];

  // What the colours of targets mean.
  const samples = (kinds) => kinds.flatMap((kind) => {
    const sample = document.createElementNS("http://www.w3.org/2000/svg", "svg");
    sample.innerHTML = `<rect class="target ${kind}" width="100%" height="100%"/>`;
    return [sample, KINDS[kind]];
  });

  // A picture of a piece on a button.
  function pieceButton(letter, action) {
    const button = element("button", "");
    button.type = "button";
    button.dataset.letter = letter;
    button.setAttribute("aria-label", nameOf(letter));
    button.title = nameOf(letter);
    button.innerHTML = `<svg viewBox="0 0 ${set().cell} ${set().cell}">${set().men[letter]}</svg>`;
    button.onclick = action;
    return button;
  }

  return { readEffects, KINDS, kindsOf, samples, pieceButton };
})();
