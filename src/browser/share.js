// The position that is shown, for others: as an address and as a picture.

const addressHere = () => `${location.href.replace(/#.*/, "")}#${game.variant}/${here().fen.replaceAll(" ", "_")}`;

// Opens what an address names: a game from its start, or a position. False if it names neither.
function openAddress(text) {
  const [variant, ...fen] = text.split("/");
  if (!Object.hasOwn(sets, variant)) return false;
  if (fen.length === 0) return begin(variant, null);
  return load(variant, fen.join("/").replace(/_|%20/g, " "), POSITION).then((error) => { if (error) refuse(error); });
}

function pictureHere() {
  const rules = [...document.styleSheets[0].cssRules].map(({ cssText }) => cssText);
  const style = rules.filter((rule) => /^(:root|\.(light|dark|label|[GRBY]) |#board \.)/.test(rule)).join("\n");
  const svg = part("board");
  const size = `viewBox="0 0 ${set().width} ${set().height}" width="${2 * set().width}" height="${2 * set().height}"`;
  return new Blob([`<svg id="board" xmlns="http://www.w3.org/2000/svg" ${size}><style>${style}</style>${svg.innerHTML}</svg>`],
    { type: "image/svg+xml" });
}

function savePng() {
  const [image, canvas] = [new Image(), document.createElement("canvas")];
  image.onload = () => {
    [canvas.width, canvas.height] = [image.width, image.height];
    canvas.getContext("2d").drawImage(image, 0, 0);
    URL.revokeObjectURL(image.src);
    canvas.toBlob((blob) => download(`${game.variant}.png`, blob));
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

click("copy-address", () => copy("address"));
click("save-svg", () => download(`${game.variant}.svg`, pictureHere()));
click("save-png", savePng);
