// The list of moves and the curve.

// A mistake is red, what is less than one yellow.
const shade = (node) => ({ "?!": "slip", "?": "fault", "??": "fault" })[judgementOf(node)] ?? "";

// Draws the result that White can expect after each move, as far as it is known.
function drawCurve(plies, ply) {
  const last = Math.max(plies.length - 1, 1);
  const x = (at) => ((1000 * at) / last).toFixed(1);
  let known = plies.find(({ white }) => white !== undefined)?.white ?? 0.5;
  const points = plies.map(({ white }, at) => {
    known = white ?? known;
    return `${x(at)} ${(100 - 100 * known).toFixed(1)}`;
  });
  const marks = plies.map((each, at) =>
    shade(each) ? `<line class="${shade(each)}" x1="${x(at)}" x2="${x(at)}" y1="92" y2="100"/>` : "");
  part("curve").innerHTML = `<path d="M0 100L${points.join("L")}L${x(plies.length - 1)} 100Z"/>
    <line x1="0" y1="50" x2="1000" y2="50"/>${marks.join("")}
    <line class="here" x1="${x(ply)}" x2="${x(ply)}" y1="0" y2="100"/>`;
}

// The ply at a click on the curve.
function plyAt(event, plies) {
  const box = part("curve").getBoundingClientRect();
  return Math.round(((event.clientX - box.left) / box.width) * (plies.length - 1));
}

// Lists the moves of a tree with what was said about them. `address` is where a move that can be shown leads.
function listMoves(root, end, address) {
  const list = part("moves");
  // The moves of a line from one on. The variations of a move stand behind it.
  const add = (to, first) => {
    let isNumbered = false;
    if (first?.intro) to.append(element("span", remarkOf(first.intro), "remark"), " ");
    for (let node = first; node; [node] = node.next) {
      const { before } = node;
      const isWhite = before.fen && fields(before.fen)[1] === "w";
      if (before.fen && (isWhite || !isNumbered)) to.append(element("span", ` ${number(before.fen)} `, "number"));
      isNumbered = isWhite;
      const move = element(node.unplayed ? "span" : "a", node.san ?? node.text, shade(node));
      move.append(...node.marks.map(symbolOf).map((mark) => (/^[!?]/.test(mark) ? mark : ` ${mark}`)));
      if (!node.unplayed) move.href = address(node);
      if (to === list) move.classList.add(isWhite ? "white" : "black");
      to.append(move, " ");
      const remark = remarkOf(node.comment);
      if (remark) to.append(element("span", remark, "remark"), " ");
      const others = node === before.next[0] ? before.next.slice(1) : [];
      for (const each of others) {
        const variation = element("div", "", "variation");
        add(variation, each);
        to.append(variation);
      }
      if (remark || others.length > 0) isNumbered = false;
    }
  };
  list.replaceChildren();
  const remark = remarkOf(root.comment);
  if (remark) list.append(element("span", remark, "remark"));
  add(list, root.next[0]);
  list.append(element("p", end, "number"));
}

// Marks a move of the list, the one that follows if there is a choice, and makes the move visible.
function markMove(address, following) {
  const list = part("moves");
  list.querySelectorAll("a").forEach((move) => {
    const isHere = move.getAttribute("href") === address;
    move.classList.toggle("here", isHere);
    move.classList.toggle("following", move.getAttribute("href") === following);
    if (!isHere) return;
    const [above, below] = [move.offsetTop - list.offsetTop, list.clientHeight];
    if (above < list.scrollTop || above > list.scrollTop + below - 40) list.scrollTop = above - below / 2;
  });
}
