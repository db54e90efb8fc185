// share.js: the position that is shown, for others: as an address and as a picture.
// Takes picture, dialogs, state, control, begin and the data of the page; gives `share`.
const share = (() => {
  const address = () =>
    `${location.href.replace(/#.*/, "")}#${state.record.variant}/${state.here.fen.replaceAll(" ", "_")}`;

  // What the address names, without codes of letters.
  const named = () => { try { return decodeURIComponent(location.hash.slice(1)); } catch { return ""; } };
  const isAddress = (text) => Object.hasOwn(sets, text.split("/")[0]);

  // Opens what an address names: a game from its start, or a position.
  async function open(text) {
    const [variant, ...fen] = text.split("/");
    if (fen.length === 0) return control.begin(variant, null, begins.chosen());
    const error = await control.load(variant, fen.join("/").replaceAll("_", " "));
    if (!error) return;
    if (state.mode === "begin") await control.begin(variant, null, begins.chosen());
    control.refuse(error);
  }

  function pictureHere() {
    const all = [...document.styleSheets[0].cssRules].map(({ cssText }) => cssText);
    const isOfBoard = (rule) => /^(:root|\[data-board|#board (circle)?\.)/.test(rule) ||
      /^\.(light|dark|label|[GRBY]|threat|right|last|lifted|target|badge)\b/.test(rule);
    const style = all.filter(isOfBoard).join("\n");
    const [svg, { width, height }] = [part("board"), gameSet()];
    const size = `viewBox="0 0 ${width} ${height}" width="${2 * width}" height="${2 * height}"`;
    const colours = `data-board="${document.documentElement.dataset.board}"`;
    const head = `<svg id="board" xmlns="http://www.w3.org/2000/svg" ${size} ${colours}><style>${style}</style>`;
    return new Blob([`${head}${svg.innerHTML}</svg>`], { type: "image/svg+xml" });
  }

  function savePng() {
    const [image, canvas] = [new Image(), document.createElement("canvas")];
    image.onload = () => {
      [canvas.width, canvas.height] = [image.width, image.height];
      canvas.getContext("2d").drawImage(image, 0, 0);
      URL.revokeObjectURL(image.src);
      canvas.toBlob((blob) => download(`${state.record.variant}.png`, blob));
    };
    image.src = URL.createObjectURL(pictureHere());
  }

  click("save-svg", () => download(`${state.record.variant}.svg`, pictureHere()));
  click("save-png", savePng);

  return { address, named, isAddress, open };
})();
