// share.js: the position that is shown, for others: as an address and as a picture.
// Takes state and control; gives `share`.
const share = (() => {
  const address = () =>
    `${location.href.replace(/#.*/, "")}#${state.record.variant}/${state.here.fen.replaceAll(" ", "_")}`;

  // What the address names, without codes of letters.
  const named = () => { try { return decodeURIComponent(location.hash.slice(1)); } catch { return ""; } };
  const isAddress = (text) => Object.hasOwn(sets, text.split("/")[0]);

  // Opens what an address names: a game from its start, or a position.
  async function open(text) {
    const [variant, ...fen] = text.split("/");
    if (fen.length === 0) return control.begin(variant);
    const error = await control.load(variant, fen.join("/").replaceAll("_", " "), POSITION);
    if (!error) return;
    if (state.mode === "begin") await control.begin(variant);
    control.refuse(error);
  }

  function pictureHere() {
    const rules = [...document.styleSheets[0].cssRules].map(({ cssText }) => cssText);
    const isOfBoard = (rule) => /^(:root|\[data-board|#board (circle)?\.)/.test(rule) ||
      /^\.(light|dark|label|[GRBY]|threat|right|lifted|target)\b/.test(rule);
    const style = rules.filter(isOfBoard).join("\n");
    const svg = part("board");
    const size = `viewBox="0 0 ${gameSet().width} ${gameSet().height}" width="${2 * gameSet().width}" height="${2 * gameSet().height}"`;
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
      canvas.toBlob((blob) => share.download(`${state.record.variant}.png`, blob));
    };
    image.src = URL.createObjectURL(pictureHere());
  }

  function download(name, blob) {
    const link = element("a", "");
    link.href = URL.createObjectURL(blob);
    link.download = name;
    link.click();
    setTimeout(() => URL.revokeObjectURL(link.href), 10000);
  }

  click("save-svg", () => share.download(`${state.record.variant}.svg`, pictureHere()));
  click("save-png", savePng);

  return { address, named, isAddress, open, download };
})();
