// The parts of the page together: buttons, keys, the beginning.

function refuse(error) {
  fault = sentence(error);
  render();
}

// Lists the moves, and offers what can be done with the one that is shown.
function showMoves() {
  const numbers = new Map(nodesOf(game.root).map((node, number) => [node, number]));
  listMoves(game.root, end(outcome()), (node) => `#${numbers.get(node)}`);
  markMove(addressOf(here()), here().next.length > 1 && at < last() ? addressOf(game.plies[at + 1]) : null);
  part("promote").disabled = !mayPromote();
  part("cut").disabled = at === 0;
  part("undo").disabled = game.undo.length === 0;
  part("mark").disabled = at === 0;
  part("mark").value = judgementOf(here());
  if (document.activeElement !== part("remark")) part("remark").value = remarkOf(here().comment);
}

function render() {
  showBoard();
  showClocks();
  showFound();
  showMoves();
  drawCurve(game.plies, at);
  part("status").textContent = status();
  part("variant").value = game.variant;
  part("move").placeholder = help[game.variant].typed;
  history.replaceState(null, "", addressOf(here()));
  const disable = (name, is) => { part(name).disabled = is; };
  const isOver = !game.tip || Boolean(outcome());
  disable("takeback", game.tip ? game.tip === game.root && !game.over : at === 0);
  disable("hint", isThinking || Boolean(here().over));
  disable("resign", isOver || you() === "");
  disable("draw", isOver || you().length !== 1 || !you().includes(toMove(game.tip)));
  part("take-over").hidden = isPlaying() || Boolean(here().over) || setUp !== null;
  disable("back", at === 0);
  disable("first", at === 0);
  disable("on", at === last());
  disable("last", at === last());
  if (showsRules) showRules();
  const panel = setUp ? "palette" : showsRules ? "rules" : "side";
  for (const name of ["side", "palette", "rules"]) part(name).hidden = name !== panel;
}

const turn = () => { flipped = !flipped; render(); };
click("new", async () => { if (await mayLeave()) begin(game.variant, null); });
click("first", () => go(0));
click("back", () => go(at - 1));
click("on", () => go(at + 1));
click("last", () => go(Infinity));
click("flip", turn);
click("takeback", takeBack);
click("hint", askHint);
click("resign", resign);
click("draw", offerDraw);
click("take-over", takeOver);
click("keys-help", () => part("help").showModal());
click("close-help", () => part("help").close());
click("set-time", () => part("own-time").close("set"));
click("keep-time", () => part("own-time").close());
click("curve", (event) => go(plyAt(event, game.plies)));
click("promote", () => change(() => edit(() => promote(here()))));
click("cut", () => change(() => cut(here())));
click("undo", undo);
part("mark").onchange = () => change(() => {
  const others = here().marks.filter((mark) => !JUDGEMENTS.includes(symbolOf(mark)));
  const mark = part("mark").value;
  edit(() => write(here(), { marks: mark ? [mark, ...others] : others }));
});
part("remark").onchange = () => {
  const node = here();
  const comment = withRemark(node.comment, part("remark").value);
  change(() => edit(() => write(node, { comment })));
};
part("moves").oncontextmenu = (event) => {
  const address = event.target.closest("a")?.getAttribute("href");
  if (!address) return;
  event.preventDefault();
  visit(Number(address.slice(1)));
};
part("mark").append(...["", ...JUDGEMENTS].map((mark) => new Option(mark, mark)));
part("variant").onchange = async () => {
  if (await mayLeave()) begin(part("variant").value, null);
  else render();
};
part("you").onchange = () => {
  if (you().length === 1) flipped = you() === "b";
  change(() => {});
};
part("level").onchange = () => change(() => {});
part("time").onchange = () => change(changeTime);
part("analyse").onchange = () => change(() => {});
part("lines").onchange = () => change(() => {});
part("typed").onsubmit = async (event) => {
  event.preventDefault();
  const { value } = part("move");
  const text = value.trim().replace(/^\d+\s*\.+\s*/, "");
  if (!text || !canMove()) return;
  let move = null;
  const typed = async () => {
    place(here());
    move = await engine.ask(`typed ${text}`);
  };
  const error = (await change(typed)) ?? (await play(move));
  if (error) refuse(error);
  else if (part("move").value === value) part("move").value = "";
};
// Plays the best move, or looks for it.
function playBest() {
  const best = isFound() ? found.lines[0]?.moves[0] : null;
  if (best && canMove()) play(best);
  else if (!isAnalysing()) part("analyse").click();
}
// The next move with a mark, from the start again after the last.
function seek(mark) {
  const next = [...game.plies.slice(at + 1), ...game.plies.slice(0, at)].find((node) => judgementOf(node) === mark);
  if (next) goTo(next);
}
// Leaves the variation.
const leave = () => { const branch = branchOf(here()); if (branch) goTo(branch.before); };
const keys = {
  ArrowLeft: ({ shiftKey }) => (shiftKey ? leave() : go(at - 1)), ArrowRight: () => go(at + 1),
  Home: () => go(0), End: () => go(Infinity), k: () => go(at - 1), j: () => go(at + 1),
  b: () => seek("??"), m: () => seek("?"), i: () => seek("?!"),
  ArrowUp: () => turnTo(-1), ArrowDown: () => turnTo(1), " ": playBest, f: turn, l: () => part("analyse").click(),
  "?": () => part("help").showModal(), z: undo,
  Escape: () => { premove = null; lift(null); showBoard(); },
};
// What was pressed with the mouse leaves the keys to the page.
addEventListener("click", ({ detail }) => {
  if (detail > 0 && document.activeElement.matches("button, a, [type=checkbox]")) document.activeElement.blur();
});
const TEXT_FIELDS = "input:not([type=checkbox]), textarea";
addEventListener("keydown", (event) => {
  const { target, key } = event;
  const isUndo = (event.ctrlKey || event.metaKey) && key === "z";
  const act = keys[key.length === 1 ? key.toLowerCase() : key];
  if (!act || ((event.ctrlKey || event.altKey || event.metaKey) && !isUndo) || (key === "z" && !isUndo)) return;
  if (document.querySelector("dialog[open]") || target.matches?.(TEXT_FIELDS)) return;
  // A list chooses with keys of its own, a button and a box are pressed with Space.
  if (target.matches?.("select") && !/^(Arrow(Left|Right)|Home|End)$/.test(key)) return;
  if (key === " " && target.matches?.("button, input, a, summary")) return;
  event.preventDefault();
  act(event);
});
// The address of a node: its number in the tree.
const addressOf = (node) => `#${nodesOf(game.root).indexOf(node)}`;
addEventListener("hashchange", async () => {
  const to = location.hash.slice(1);
  if (Object.hasOwn(sets, to.split("/")[0])) await mayLeave() ? openAddress(to) : render();
  else if (/^\d+$/.test(to)) visit(Number(to));
});
function visit(number) {
  const node = nodesOf(game.root)[number];
  if (node && !node.unplayed) goTo(node);
}

// The game that the address names.
const named = location.hash.slice(1);
const CHOICES = ["you", "level", "time", "lines"];

const saveChoices = () => { for (const name of CHOICES) keep("localStorage", name, part(name).value); };

// Keeps the game for a reload, and the choices for the next time.
function save() {
  const { variant, start, over, control, date, safe } = game;
  const nodes = nodesOf(game.root);
  const [at, tip] = [here(), game.tip].map((node) => nodes.indexOf(node));
  const kept = { pgn: pgn(), variant, start, over, control, date, safe, clock, at, tip };
  keep("sessionStorage", "game", JSON.stringify(kept));
  saveChoices();
}

function restore() {
  for (const name of CHOICES) {
    const value = recall("localStorage", name);
    const isThere = () => [...part(name).options].some((option) => option.value === value);
    if (name === "time" && /^[1-9]\d*\+\d+$/.test(value) && !isThere()) addTime(value);
    if (value !== null && value !== "own" && isThere()) part(name).value = value;
  }
  flipped = you() === "b";
  if (Object.hasOwn(sets, named.split("/")[0])) return openAddress(named);
  const kept = JSON.parse(recall("sessionStorage", "game"));
  if (!kept?.pgn || !Object.hasOwn(sets, kept.variant)) return begin(names[0], null);
  return load(kept.variant, kept.start, readPgn(kept.pgn)[0], () => {
    const nodes = nodesOf(game.root);
    const { over, control, date, safe } = kept;
    Object.assign(game, { tip: nodes[kept.tip] ?? null, over, control, date, safe });
    if (game.tip) game.tip.ended = null;
    clock = kept.clock;
    if (nodes[kept.at]) show(nodes[kept.at]);
  }).then((error) => (error ? begin(names[0], null) : null));
}

part("variant").append(...names.map((name) => new Option(help[name].rules.split("\n")[0], name)));
for (let level = FULL_LEVEL; level >= 0; level--)
  part("level").append(new Option(level === FULL_LEVEL ? "20 (full)" : level, level));
part("level").value = FULL_LEVEL;
let hasBegun = false;
engine.online((isOnline, reason) => {
  part("notice").hidden = isOnline;
  part("notice").textContent = isOnline ? "" : noticeOf(reason);
  if (!isOnline) return render();
  engineVariant = null;
  engine.send("uci");
  engine.ask("fen").then(offerMachine, () => {});
  Object.assign(given, UNTOUCHED);
  engine.send("setoption name UCI_ShowWDL value true");
  if (hasBegun) change(() => {});
  else restore();
  hasBegun = true;
});
render();
