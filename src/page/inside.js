// Lines to and from the engine inside this page: a module of WebAssembly in a worker.
window.engineInside = (heard) => {
  const text = (id) => document.getElementById(id).textContent;
  let worker, report, hasBegun = false;
  const stop = () => report(false, hasBegun ? "" : "The engine does not start. Try another browser, or download the page again.");

  async function start() {
    setTimeout(() => hasBegun || stop(), PATIENCE);
    const source = new Blob([text("worker")], { type: "text/javascript" });
    worker = new Worker(URL.createObjectURL(source));
    worker.onmessage = ({ data }) => { if (data === null) report(hasBegun = true); else heard(data); };
    worker.onerror = (event) => { event.preventDefault(); stop(); };
    const packed = Uint8Array.from(atob(text("module")), (letter) => letter.charCodeAt(0));
    const module = new Blob([packed]).stream().pipeThrough(new DecompressionStream("gzip"));
    worker.postMessage(await new Response(module).arrayBuffer());
  }

  return {
    send: (line) => hasBegun && worker.postMessage(line),
    online(callback) {
      report = callback;
      start().catch(stop);
    },
  };
};
