// dialogue.js: what the browser keeps for this page, if it may, and the dialogue with the engine.
// Takes nothing; gives `recall`, `recallAll`, `keep`, `LOST` and `engine`.
const recall = (area, name) => { try { return window[area].getItem(name); } catch { return null; } };
// What was kept for each game, by its name.
const recallAll = (name) => { try { return { ...JSON.parse(recall("localStorage", name)) }; } catch { return {}; } };
// False if it is not kept.
const keep = (area, name, value) => { try { window[area].setItem(name, value); return true; } catch { return false; } };

// Lines to and from the engine through the server that this page came from.
function overHttp(heard) {
  const waiting = [];
  let name, request, report = () => {}, isOpen = false, isSending = false;

  // The server may have been started again with another token: a page that came from it leaves its address.
  let home = location.pathname;
  keep("localStorage", "home", home);

  // Events are read as they come; an EventSource would not tell why it is refused.
  async function listen() {
    const mine = name = Array.from(crypto.getRandomValues(new Uint8Array(8)), (byte) => byte.toString(16)).join("");
    home = recall("localStorage", "home") ?? home;
    request = new AbortController();
    let fault = null, late = setTimeout(() => { if (name === mine) lose(); }, PATIENCE);
    try {
      const answer = await fetch(`${home}events/${name}`, { signal: request.signal });
      if (!answer.ok) fault = { status: answer.status, message: (await answer.text()).trim() };
      else {
        isOpen = true;
        waiting.push("isready"), post();
        const [reader, decoder] = [answer.body.getReader(), new TextDecoder()];
        let rest = "";
        for (let read; !(read = await reader.read()).done;) {
          const events = (rest + decoder.decode(read.value, { stream: true })).split("\n\n");
          rest = events.pop();
          for (const event of events.filter((each) => each.startsWith("data: "))) {
            if (late) report(true);
            late = clearTimeout(late);
            heard(event.slice("data: ".length));
          }
        }
      }
    } catch { /* The stream has ended. */ }
    if (name === mine) lose(fault);
  }

  function lose(fault = null) {
    name = null;
    request.abort();
    waiting.length = 0;
    isOpen = false;
    report(false, fault);
    setTimeout(listen, 1000);
  }

  // One request after the other, so that no line overtakes another.
  async function post() {
    if (isSending) return;
    isSending = true;
    while (isOpen && waiting.length > 0) {
      const [lines, to] = [[], name];
      let length = 0;
      while (waiting.length > 0 && (lines.length === 0 || length + waiting[0].length < 250000)) {
        length += waiting[0].length + 1;
        lines.push(waiting.shift());
      }
      for (let trial = 1; isOpen && to === name; trial++) {
        const request = { method: "POST", body: lines.join("\n"), signal: AbortSignal.timeout(10000) };
        const answer = await fetch(`${home}lines/${to}`, request).catch(() => null);
        if (answer?.ok) break;
        // Lines of a request that broke may have arrived: another dialogue begins from the start.
        if (answer?.status !== 503 && isOpen && to === name) lose();
        else await new Promise((done) => setTimeout(done, 50 * trial));
      }
    }
    isSending = false;
  }

  return {
    send(line) {
      if (!isOpen) return;
      waiting.push(line);
      post();
    },
    online(callback) {
      report = callback;
      listen();
    },
  };
}

const LOST = "the connection to the engine is lost";
// Milliseconds after which an engine that has answered no line is none.
const PATIENCE = 10000;

// Questions and searches, each answered in its turn.
const engine = (() => {
  // What the engine allows.
  const most = { Threads: 1, Hash: 16 };
  const questions = [], searches = [];
  let fault = null;
  let isOnline = false;

  function heard(text) {
    const limit = /^option name (Threads|Hash) .* max (\d+)/.exec(text);
    if (limit) most[limit[1]] = Number(limit[2]);
    const [said, code, command, value, message] =
      /^info string error ([\w-]+) ([\w-]+)(?: ([\w-]+))?: (.*)/.exec(text) ?? [];
    const error = said && Object.assign(new Error(message), { code, value });
    if (error && command === "query") questions.shift()?.reject(error);
    else if (error) fault ??= error;
    else if (text.startsWith("response")) {
      questions.shift()?.resolve([text.slice(9), fault]);
      fault = null;
    } else if (text.startsWith("bestmove")) searches.shift()?.resolve(text.split(" ")[1]);
    else if (text.startsWith("info depth") && text.includes(" pv ")) searches[0]?.info(text);
  }

  const transport = (window.engineInside ?? overHttp)(heard);
  // The border: what a stranger's text makes of a line, it begins no other.
  const send = (line) => transport.send(line.replace(/[\p{Cc}\p{Zl}\p{Zp}]/gu, "\ufffd"));
  const later = (list, line, info) => new Promise((resolve, reject) => {
    if (!isOnline) return reject(new Error(LOST));
    list.push({ resolve, reject, info });
    send(line);
  });
  return {
    send, most,
    get isOnline() { return isOnline; },
    // The answer to a question. A fault of a line before it is an error.
    async ask(question) {
      const [answer, fault] = await later(questions, `query ${question}`);
      if (fault) throw fault;
      return answer;
    },
    go: (limits, info) => later(searches, `go ${limits}`, info),
    stop() {
      if (searches.length > 0) send("stop");
    },
    online: (callback) => transport.online((is, reason) => {
      isOnline = is;
      fault = null;
      const left = [...questions.splice(0), ...searches.splice(0)];
      for (const each of left) each.reject(new Error(LOST));
      callback(is, reason);
    }),
  };
})();
