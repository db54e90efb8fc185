// What the engine finds.

// Notes a line of a search.
function note(ply, lines, text) {
  const { number, ...line } = readInfo(text, toMove(ply));
  if (line.isBound) return;
  lines[number - 1] = line;
  if (number === 1) ply.white = line.white;
  found = { ply, lines };
  showLater();
}

// A line of `info`: the score as White has it, and the result that White can expect.
function readInfo(text, side) {
  const value = (name) => Number(new RegExp(` ${name} (-?\\d+)`).exec(text)?.[1]);
  const sign = side === "w" ? 1 : -1;
  const [mate, cp] = [value("score mate"), value("score cp")];
  const isMate = / score mate /.test(text);
  const expected = / wdl (\d+) (\d+)/.exec(text);
  const mine = expected ? (Number(expected[1]) + Number(expected[2]) / 2) / 1000 : 0.5;
  const plain = (cp * sign) / 100;
  return {
    number: value("multipv"), depth: value("depth"), moves: / pv (.*)/.exec(text)[1].split(" "),
    isBound: /(lower|upper)bound/.test(text),
    value: isMate ? Math.sign(mate || -1) * (100000 - Math.abs(mate)) : cp,
    score: isMate ? `#${mate * sign}` : `${plain > 0 ? "+" : ""}${plain.toFixed(2)}`,
    white: side === "w" ? mine : 1 - mine,
  };
}

const isFound = () => isAnalysing() && found?.ply === here() && !setUp;

function showFound() {
  const lines = isFound() ? found.lines.filter(Boolean) : [];
  const white = here().white;
  const bar = part("bar");
  bar.classList.toggle("flipped", flipped);
  bar.firstElementChild.style.height = `${100 * (white ?? 0.5)}%`;
  const percent = white === undefined ? "unknown" : `${Math.round(100 * white)} %`;
  bar.setAttribute("aria-label", `White can expect: ${percent}${lines[0] ? `, ${lines[0].score}` : ""}`);
  bar.title = bar.getAttribute("aria-label");
  part("depth").textContent = lines[0] ? `depth ${lines[0].depth}` : "";
  part("best").replaceChildren(...lines.map((each) => {
    const item = element("li", "");
    item.append(element("b", each.score), ` ${each.text ?? ""}`);
    return item;
  }));
}

// Writes the lines of a search in SAN, now and then.
let isDue = false;
function showLater() {
  if (isDue) return;
  isDue = true;
  setTimeout(async () => {
    isDue = false;
    const { ply, lines } = found ?? { lines: [] };
    // While the search runs, the question is about its position.
    const asked = isAnalysing() && ply && ply === searched ? lines.filter(Boolean) : [];
    await Promise.all(asked.map(async (each) => {
      const sans = await engine.ask(`san ${each.moves.slice(0, 12).join(" ")}`).catch(() => null);
      if (sans) each.text = line(ply.fen, sans.split(" "));
    }));
    if (drag === null) showBoard();
    showFound();
    drawCurve(game.plies, at);
  }, 200);
}
