// Lines to and from the engine inside this page: a module of WebAssembly in a worker.
window.engineInside = (heard) => {
  const text = (id) => document.getElementById(id).textContent;
  const source = new Blob([text("worker")], { type: "text/javascript" });
  const worker = new Worker(URL.createObjectURL(source));
  let report;
  worker.onmessage = ({ data }) => { if (data === null) report(true); else heard(data); };
  worker.onerror = () => report(false);

  async function start() {
    const packed = Uint8Array.from(atob(text("module")), (letter) => letter.charCodeAt(0));
    const module = new Blob([packed]).stream().pipeThrough(new DecompressionStream("gzip"));
    worker.postMessage(await new Response(module).arrayBuffer());
  }

  return {
    send: (line) => worker.postMessage(line),
    online(callback) {
      report = callback;
      start().catch(() => report(false));
    },
  };
};
