// The worker of a page with the engine inside. It gets the module, says null when the engine listens,
// and then passes on lines. The engine answers a line before it hears the next one, so a search
// without an end is one of many slices, between which the worker hears the page.

// The lengths of the slices of a search in milliseconds, each longer than the one before.
const FIRST_SLICE = 100, LONGEST_SLICE = 800;
// Commands that end a search without an end, as in the program.
const CHANGES = ["stop", "setoption", "ucinewgame", "position", "go", "bench"];

let send;
// The search without an end: the last slice, its best move, and the depth that was reached.
let endless = null;

function heard(line) {
  if (!endless) return postMessage(line);
  if (line.startsWith("bestmove")) endless.best = line;
  else {
    // A new slice begins with small depths again.
    const depth = Number(/^info depth (\d+)/.exec(line)?.[1] ?? endless.depth);
    if (depth < endless.depth) return;
    endless.depth = depth;
    postMessage(line);
  }
}

function slice() {
  if (!endless) return;
  send(`${endless.limits} movetime ${endless.time}`);
  endless.time = Math.min(2 * endless.time, LONGEST_SLICE);
  setTimeout(slice, 5);
}

function obey(line) {
  const [command, ...limits] = line.split(" ");
  if (endless && CHANGES.includes(command)) {
    const { best } = endless;
    endless = null;
    if (best) postMessage(best);
  }
  if (command === "go" && limits.includes("infinite")) {
    const others = limits.filter((word) => word !== "infinite");
    endless = { limits: ["go", ...others].join(" "), time: FIRST_SLICE, best: null, depth: 0 };
    slice();
  } else if (command !== "stop") send(line);
}

onmessage = async ({ data: module }) => {
  send = await openQuadrille(await WebAssembly.compile(module), heard);
  onmessage = ({ data }) => obey(data);
  postMessage(null);
};
// The page hears of errors, but not of promises that break.
onunhandledrejection = ({ reason }) => { throw reason; };
