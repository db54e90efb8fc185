// The dialogue of a page without an engine: it knows the positions of the games inside, and no others.
document.documentElement.className = "alone";
window.engineInside = (heard) => {
  let variant, here;
  // The positions from one on, behind moves in coordinates or in SAN; undefined behind those that it does not know.
  const along = (from, moves, key) =>
    moves.reduce((path, move) => [...path, path.at(-1)?.next.find((each) => each[key] === move)], [from]);

  function answer(line) {
    const [command, question, ...words] = line.split(" ");
    if (line.startsWith("setoption name UCI_Variant")) variant = words.at(-1);
    if (command === "position") {
      const [, fen = sets[variant].start, moves] = /^position (?:startpos|fen (.*?)) moves ?(.*)$/.exec(line);
      here = along(program.positions[`${variant} ${fen}`], moves.split(" ").filter(Boolean), "move").at(-1);
    }
    if (command !== "query") return;
    const path = along(here, words, "san"), gap = path.indexOf(undefined);
    if (question === "node" && gap < 0)
      heard(`response ${JSON.stringify(path.map(({ next, ...facts }) => ({ effects: "", ...facts })))}`);
    else heard(`info string error unreadable-move query ${gap}: this page has no engine: it shows its own games`);
  }
  return { send: (line) => queueMicrotask(() => answer(line)), online: (report) => report(true) };
};
