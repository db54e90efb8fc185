// The list of moves and the curve.
// Takes tree and picture; gives `shade`, `slipsInWords`, `nameOfMove`, `scoreOf`, `briefly`, `drawCurve`, `hearCurve`,
// `listMoves` and `markMove`.

// A mistake is red, what is less than one yellow.
const shade = (node) => ({ "?!": "slip", "?": "fault", "??": "fault" })[judgementOf(node)] ?? "";

// How often each mark of a slip stands behind the moves of a side.
const slipsOf = (line, side) => ["?!", "?", "??"].map((mark) =>
  [line.filter((node) => node.before && fields(node.before.fen)[1] === side && judgementOf(node) === mark).length, mark]);

// And those of both, in words.
const slipsInWords = (line) => [["White", "w"], ["Black", "b"]].map(([name, side]) => {
  const slips = slipsOf(line, side).filter(([count]) => count > 0).map((each) => each.join(" "));
  return `${name}: ${slips.join(", ") || "no mistake"}`;
}).join(" · ");

// The move that led to a node, with its number.
const nameOfMove = ({ before, san }) => (before ? `${moveNumber(before.fen)} ${san}` : "The start");

// The score of White behind a move, as far as it is known.
function scoreOf(node) {
  const [score] = /^(#-?\d+|[-+]?\d+(\.\d+)?)(?=,|$)/.exec(evalOf(node) ?? "") ?? [""];
  return score.replace("-", "−");
}

// A score as `scoreOf` has it, with one digit.
function briefly(score) {
  if (!/^[-+−\d]/.test(score)) return score.replace("-", "−");
  const value = Math.round(10 * score.replace("−", "-")) / 10;
  return (value > 0 ? "+" : value < 0 ? "−" : "") + Math.abs(value).toFixed(1);
}

// Draws the result that White can expect after each move, where it is known, with a dot where a move has a shade.
function drawCurve(plies, ply, shadeOf) {
  const x = (at) => ((1000 * at) / Math.max(plies.length - 1, 1)).toFixed(1);
  const known = plies.map((node, at) => ({ node, at })).filter(({ node }) => node.known.white !== undefined);
  const points = known.map(({ node, at }) => `${x(at)} ${(100 - 100 * node.known.white).toFixed(1)}`);
  const dots = known.map(({ node }, at) => shadeOf(node) && `<path class="dot ${shadeOf(node)}" d="M${points[at]}h.01"/>`);
  const way = points.join("L") || "0 0";
  part("curve").innerHTML = `<path class="area" d="M${x(known[0]?.at ?? 0)} 100L${way}V100Z"/>
    <line class="middle" x1="0" y1="50" x2="1000" y2="50"/><path d="M${way}"/>${dots.join("")}
    <line class="here" x1="${x(ply)}" x2="${x(ply)}" y1="0" y2="100"/>`;
}

// Tells the move under the pointer on the curve, with its score and mark; a click goes there.
function hearCurve(pliesOf, goTo) {
  const told = part("told");
  part("curve").onpointermove = (event) => {
    const plies = pliesOf();
    const node = nodeAt(event, plies);
    put(told, `${nameOfMove(node)}${judgementOf(node)}  ${node.known.brief ?? scoreOf(node)}`.trim());
    told.className = shade(node);
    told.hidden = event.pointerType !== "mouse";
    const [{ left, top, width }, own] = [part("curve"), told].map((each) => each.getBoundingClientRect());
    const middle = left + (width * plies.indexOf(node)) / Math.max(plies.length - 1, 1);
    told.style.left = `${Math.min(Math.max(middle - own.width / 2, 0), innerWidth - own.width)}px`;
    told.style.top = `${top - own.height - 2}px`;
  };
  part("curve").onpointerleave = () => { told.hidden = true; };
  click("curve", (event) => goTo(nodeAt(event, pliesOf())));
}

// The node of a line at a point of the curve.
function nodeAt({ clientX }, plies) {
  const { left, width } = part("curve").getBoundingClientRect();
  const last = plies.length - 1;
  return plies[Math.min(Math.max(Math.round(((clientX - left) / width) * last), 0), last)];
}

// Moves of a line that are seen at once if it is longer and nothing is said in it; and the lines that were unfolded.
const SEEN = 3, unfolded = new WeakSet();
function isLong(first) {
  const line = [];
  for (let node = first; node; [node] = node.next) line.push(node);
  return line.length > SEEN + 1 && !line.some((node) => node.next.length > 1 || node.marks[0] || remarkOf(node.comment));
}

// A place for the rest of a line, which a click or a key unfolds.
function fold(first) {
  const rest = element("details", "");
  rest.innerHTML = '<summary aria-label="the rest of the line">…</summary> ';
  rest.open = unfolded.has(first);
  rest.ontoggle = () => unfolded[rest.open ? "add" : "delete"](first);
  return rest;
}

// A remark, which may be in any script and language.
const remarkOn = (comment) => Object.assign(element("bdi", remarkOf(comment), "remark"), { translate: true });

// Lists the moves of a tree with what was said about them. `address` is where a move that can be shown leads. The list
// stays while all of it does: building and measuring that of a long game would slow each step.
let listed = "";
function listMoves(root, end, address) {
  const list = part("moves");
  const facts = nodesOf(root).map(({ san, text, marks, comment, intro, unplayed, next }) =>
    [san ?? text, marks, comment, intro, unplayed, next.length]);
  const now = JSON.stringify([address(root), root.fen, end, facts]);
  if (now === listed) return;
  listed = now;
  const isWhite = ({ before }) => before.fen && fields(before.fen)[1] === "w";
  const moveOf = (node) => {
    const move = element(node.unplayed ? "span" : "a", node.san ?? node.text, shade(node));
    move.append(...node.marks.map(symbolOf).map((mark) => (/^[!?]/.test(mark) ? mark : ` ${mark}`)));
    if (!node.unplayed) move.href = address(node);
    return move;
  };
  // What was said of a move, and the other moves of its position. True if there is any.
  const tell = (to, node) => {
    const remark = remarkOf(node.comment);
    if (remark) to.append(remarkOn(node.comment), " ");
    const others = node === node.before?.next[0] ? node.before.next.slice(1) : [];
    for (const each of others) addLine(to.appendChild(element("div", "", "variation")), each);
    return Boolean(remark) || others.length > 0;
  };
  const addLine = (to, first) => {
    if (first.intro) to.append(remarkOn(first.intro), " ");
    let [isNumbered, count] = [false, isLong(first) ? 0 : NaN];
    for (let node = first; node; [node] = node.next) {
      if (count++ === SEEN) to = to.appendChild(fold(first));
      if (node.before.fen && (isWhite(node) || !isNumbered)) to.append(element("span", `${moveNumber(node.before.fen)} `, "number"));
      to.append(moveOf(node), " ");
      isNumbered = !tell(to, node) && isWhite(node);
    }
  };
  // What is said of a move of the main line stands between its rows.
  const addAside = (node) => {
    const aside = element("div", "", "aside");
    return tell(aside, node) && Boolean(list.appendChild(aside));
  };
  list.replaceChildren();
  addAside(root);
  let isNumbered = false;
  for (let [node] = root.next; node; [node] = node.next) {
    if (isWhite(node) || !isNumbered) list.append(element("span", fields(node.before.fen)[5], "number"), " ");
    if (!isWhite(node) && !isNumbered) list.append(element("span", "…", "white"));
    const move = moveOf(node);
    move.classList.add(isWhite(node) ? "white" : "black");
    if (scoreOf(node)) move.append(" ", element("span", scoreOf(node), "score"));
    list.append(move, " ");
    isNumbered = !addAside(node) && isWhite(node);
  }
  if (end) list.append(element("p", end));
}

// Marks a move of the list, the one that follows if there is a choice, and makes the move visible.
function markMove(address, following) {
  const list = part("moves");
  for (const [name, href] of [["following", following], ["here", address]]) {
    list.querySelector(`.${name}`)?.classList.remove(name);
    list.querySelector(`a[href="${href}"]`)?.classList.add(name);
  }
  list.querySelector(".here")?.closest("details")?.setAttribute("open", "");
  // When the frame is drawn: until then other parts grow and shrink, and what has its old size again is not observed.
  requestAnimationFrame(() => {
    const move = list.querySelector(".here");
    const [above, below] = [move ? move.offsetTop - list.offsetTop : 0, list.clientHeight];
    if (above < list.scrollTop || above > list.scrollTop + below - 40) list.scrollTop = above - below / 2;
  });
}
