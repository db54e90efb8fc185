// The parts of the page together: buttons, keys, the beginning.

function refuse(error) {
  fault = error.message;
  render();
}

function render() {
  showBoard();
  showClocks();
  showFound();
  listMoves(game.plies.map((ply) => ({ ...ply, san: ply.san ?? "" })), end(), (ply) => `#${ply}`);
  markMove(at);
  drawCurve(game.plies, at);
  part("status").textContent = status();
  part("variant").value = game.variant;
  history.replaceState(null, "", `#${at}`);
  const disable = (name, is) => { part(name).disabled = is; };
  disable("takeback", last() === 0);
  disable("hint", isThinking || Boolean(here().over));
  disable("resign", Boolean(outcome()) || you() === "");
  disable("back", at === 0);
  disable("first", at === 0);
  disable("on", at === last());
  disable("last", at === last());
  part("palette").hidden = !setUp;
}

const turn = () => { flipped = !flipped; render(); };
click("new", () => begin(game.variant, null));
click("first", () => go(0));
click("back", () => go(at - 1));
click("on", () => go(at + 1));
click("last", () => go(Infinity));
click("flip", turn);
click("takeback", takeBack);
click("hint", askHint);
click("resign", resign);
click("curve", (event) => go(plyAt(event, game.plies)));
part("variant").onchange = () => begin(part("variant").value, null);
part("you").onchange = () => {
  if (you().length === 1) flipped = you() === "b";
  change(() => {});
};
part("level").onchange = () => change(() => {});
part("time").onchange = () => change(setClock);
part("analyse").onchange = () => change(() => {});
part("lines").onchange = () => change(() => {});
part("to-move").onchange = showBoard;
part("typed").onsubmit = async (event) => {
  event.preventDefault();
  const text = part("move").value.trim();
  if (!text || !canMove()) return;
  let move = null;
  let error = await change(async () => {
    place(game, at);
    [move] = (await engine.ask(`coordinates ${text}`)).split(" ");
  });
  if (!error) error = await play(move);
  part("move").value = error ? text : "";
  if (error) refuse(error);
};
const keys = { ArrowLeft: () => go(at - 1), ArrowRight: () => go(at + 1), Home: () => go(0),
  End: () => go(Infinity), f: turn, F: turn };
addEventListener("keydown", (event) => {
  if (event.ctrlKey || event.altKey || event.metaKey || !keys[event.key]) return;
  if (document.querySelector("dialog[open]") || /^(SELECT|INPUT|TEXTAREA)$/.test(event.target.tagName)) return;
  event.preventDefault();
  keys[event.key]();
});
addEventListener("hashchange", () => {
  const to = location.hash.slice(1);
  if (sets[to]) begin(to, null);
  else if (/^\d+$/.test(to)) go(Number(to));
});

// The game that the address names.
const named = location.hash.slice(1);
const CHOICES = ["you", "level", "time", "lines"];

// Keeps the game for a reload, and the choices for the next time.
function save() {
  const { variant, start, over, plies } = game;
  const moves = plies.slice(1).map(({ move }) => move);
  keep("sessionStorage", "game", JSON.stringify({ variant, start, over, moves, at }));
  for (const name of CHOICES) keep("localStorage", name, part(name).value);
}

function restore() {
  for (const name of CHOICES) {
    const value = recall("localStorage", name);
    if (value !== null && [...part(name).options].some((option) => option.value === value)) part(name).value = value;
  }
  flipped = you() === "b";
  if (sets[named]) return begin(named, null);
  const kept = JSON.parse(recall("sessionStorage", "game"));
  if (!kept || !sets[kept.variant]) return begin(names[0], null);
  return load(kept.variant, kept.start, kept.moves).then((error) => {
    if (error) return;
    game.over = kept.over;
    go(kept.at);
  });
}

part("variant").append(...names.map((name) => new Option(name[0].toUpperCase() + name.slice(1), name)));
for (let level = FULL_LEVEL; level >= 0; level--)
  part("level").append(new Option(level === FULL_LEVEL ? "20 (full)" : level, level));
part("level").value = FULL_LEVEL;
let hasBegun = false;
engine.online((isOnline) => {
  part("notice").hidden = isOnline;
  part("notice").textContent = isOnline ? "" :
    "The connection to Quadrille is lost. Start `quadrille board` again; the game then continues here.";
  if (!isOnline) return render();
  engineVariant = null;
  engine.send("setoption name UCI_ShowWDL value true");
  if (hasBegun) change(() => {});
  else restore();
  hasBegun = true;
});
render();
