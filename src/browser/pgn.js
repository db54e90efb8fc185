// The games of a PGN: `{ at, line, tags, comment, moves, result }`, or `{ at, line, fault, tags }` for a broken one.
// `at` is the place in the text where the line begins.
// A move is `{ text, marks, comment, variations }`, a variation `{ comment, moves }`. The rules are those of
// `Reader` in src/records/pgn/reader.rs, function by function; tests/pgn.rs compares the two.
const readPgn = (() => {
  const MAX_LENGTH = 1 << 20, MAX_DEPTH = 100;
  const BLANK = "[\\s\\x85\\0\\x1a]";
  const IS_BLANK = new RegExp(BLANK);
  const BEFORE = new RegExp(`^${BLANK}+`);
  const HARMFUL = new RegExp(`(?!${BLANK})\\p{Cc}`, "gu");
  const BETWEEN = new RegExp(`${BLANK}+`);
  const TAG = new RegExp(`^\\[${BLANK}*([\\p{Alphabetic}\\p{N}_]+)${BLANK}*"`, "u");
  const TAG_END = new RegExp(`"${BLANK}*\\]`, "y");
  const WORD = new RegExp(`^(?:\\$|[^{};()[\\]$])(?:(?!${BLANK})[^{};()[\\]$])*`);
  const PROMOTION = /^\(([A-Za-z\u2654-\u265f])\)/;
  const NUMBER = /\d*(\.*)/y;
  const SYMBOL = /[^\p{ASCII}\p{Alphabetic}\p{N}\ufffd\s\x85\u2654-\u265f]/u;
  const EVALUATIONS = ["+/-", "-/+", "+/=", "=/+", "+-", "-+", "+=", "=+", "="];
  const RESULTS = { "1-0": "1-0", "0-1": "0-1", "1/2-1/2": "1/2-1/2", "1/2": "1/2-1/2", "0.5-0.5": "1/2-1/2", "*": "*" };
  const MEANINGFUL = ["Variant", "SetUp", "FEN", "Result", "PlyCount", "Reason"];
  const EN_PASSANT = ["e.p.", "ep"];

  const shorten = (text) => {
    const letters = Array.from(text.slice(0, 122));
    return letters.length > 60 ? `${letters.slice(0, 60).join("")}…` : text;
  };

  function readResult(word) {
    const plain = word.replace(/[‐‑–—−:]/g, "-").replaceAll("½", "1/2");
    return Object.hasOwn(RESULTS, plain) ? RESULTS[plain] : null;
  }

  // A text is scanned once: no expression starts anew at each letter, and no rest is copied.
  function trimmed(text) {
    let [begin, end] = [0, text.length];
    while (begin < end && IS_BLANK.test(text[begin])) begin += 1;
    while (begin < end && IS_BLANK.test(text[end - 1])) end -= 1;
    return text.slice(begin, end);
  }

  function withoutNumber(word) {
    for (let at = 0; at < word.length; at = NUMBER.lastIndex) {
      NUMBER.lastIndex = at;
      const [, dots] = NUMBER.exec(word);
      if (NUMBER.lastIndex < word.length && !dots) return word.slice(at);
    }
    return "";
  }

  function splitMarks(word) {
    const letters = Array.from(word), marks = [];
    const count = (kind) => letters.length - 1 - letters.findLastIndex((letter) => !kind.test(letter));
    for (;;) {
      const tail = letters.slice(-3).join("");
      const length = count(/[!?]/) || count(SYMBOL) || EVALUATIONS.find((each) => tail.endsWith(each))?.length;
      if (!length) return [letters.join(""), marks.reverse()];
      marks.push(letters.splice(-length).join(""));
    }
  }

  // The name and the value of a tag at the beginning of a text, and the rest.
  function readTag(text) {
    const begin = TAG.exec(text);
    if (!begin) return null;
    let value = "";
    for (let at = begin[0].length; at < text.length; at++) {
      TAG_END.lastIndex = at;
      const end = text[at] === '"' && TAG_END.exec(text);
      if (end) return [begin[1], value.replace(/\p{Cc}/gu, " "), text.slice(at + end[0].length)];
      if (text[at] === "\\" && /["\\]/.test(text[at + 1] ?? "")) at += 1;
      value += text[at];
    }
    return null;
  }

  function addComment(line, text) {
    const to = line.moves.at(-1) ?? line;
    const words = text.split(BETWEEN).filter(Boolean).join(" ");
    if (words) to.comment = to.comment === null ? words : `${to.comment} ${words}`;
  }

  const comments = ({ comment, moves }) => [
    ...(comment === null ? [] : [comment]),
    ...moves.flatMap((move) => [...(move.comment === null ? [] : [move.comment]), ...move.variations.flatMap(comments)]),
  ];

  class Game {
    constructor(line) {
      Object.assign(this, {
        line, tags: [], main: { comment: null, moves: [] }, result: "", length: 0, inMoves: false,
        // The lines that are the next game's if this one turns out to be over; the number of tags before them,
        // and whether the game was broken there.
        suspects: [], before: [0, false],
        comment: null, variations: [], fault: null,
      });
    }

    breakOff(line, fault) {
      this.comment = null;
      this.fault ??= `line ${line}: ${fault}`;
    }

    // False if the game is over and the suspects are the next game's; so in `read`.
    readLine(line, text) {
      const inComment = this.comment !== null;
      if (!inComment && text.startsWith("%")) return true;
      this.length += text.length;
      const isSuspect = inComment
        ? this.suspects.length > 0 || readTag(text) !== null
        : text.startsWith("[") && (this.inMoves || this.before[0] > 0 || this.before[1]);
      if (isSuspect) {
        this.suspects.push([line, text]);
        if (!inComment && this.inMoves) return false;
      }
      if (this.length >= MAX_LENGTH && (this.fault === null || isSuspect)) {
        this.breakOff(line, `the game is longer than ${MAX_LENGTH} bytes`);
        return !isSuspect;
      }
      return this.read(line, text);
    }

    read(line, text) {
      const whole = text, isTag = text.startsWith("["), hasOnlyTags = isTag && text.endsWith("]");
      if (!this.inMoves && this.comment === null && !isTag) this.leaveTags();
      for (;;) {
        if (this.comment !== null) {
          const end = text.indexOf("}");
          const inside = end < 0 ? text : text.slice(0, end);
          if (this.suspects.length > 1 && inside.includes("{")) {
            this.breakOff(this.comment.line, "a comment is not closed");
            return false;
          }
          this.comment.text += `${inside} `;
          if (end < 0) return true;
          text = text.slice(end + 1);
          const comment = this.comment.text;
          this.comment = null;
          this.addComment(comment);
          this.suspects = [];
        }
        text = text.replace(BEFORE, "");
        const first = text[0];
        if (first === undefined) return true;
        if (this.fault !== null && (this.inMoves || (first !== "[" && !hasOnlyTags))) {
          this.leaveTags();
          this.inMoves = true;
          return true;
        }
        if (first === "[" && !this.inMoves) {
          const tag = readTag(text);
          if (tag) {
            if (this.isNext(tag[0])) return false;
            if (this.fault === null) this.tags.push(tag.slice(0, 2));
            text = tag[2];
          } else if (this.before[1] && this.suspects.length > 0) return false;
          else {
            this.breakOff(line, `\`${shorten(text)}\` is not a tag`);
            return true;
          }
        } else if (first === "{") {
          this.leaveTags();
          this.comment = { text: "", line };
          text = text.slice(1);
        } else if (first === ";") {
          this.leaveTags();
          this.addComment(text.slice(1));
          return true;
        } else if (hasOnlyTags && !this.inMoves) {
          this.breakOff(line, `\`${shorten(whole)}\` is not a tag`);
          return true;
        } else {
          this.inMoves = true;
          this.suspects = [];
          const [rest, fault] = this.readToken(line, text, first);
          if (fault) {
            this.breakOff(line, fault);
            return true;
          }
          text = rest;
        }
      }
    }

    leaveTags() {
      this.suspects = [];
      this.before = [this.tags.length, this.fault !== null];
    }

    isNext(name) {
      const [count, wasBroken] = this.before;
      const isNext = wasBroken || this.tags.slice(0, count).some(([tag]) => tag === name);
      if (!isNext || this.suspects.length === 0) return false;
      this.tags.length = count;
      if (!wasBroken) this.fault = null;
      return true;
    }

    // The text after a token, or its fault.
    readToken(line, text, first) {
      const rest = text.slice(1);
      if (first === "(") {
        if (this.variations.length === MAX_DEPTH) return [rest, `variations nested more than ${MAX_DEPTH} deep`];
        this.variations.push({ comment: null, moves: [], line });
      } else if (first === ")" && this.variations.length > 0) this.closeVariation();
      else if (")}[]".includes(first)) return [rest, `a \`${first}\` that closes nothing`];
      else {
        let [word] = WORD.exec(text);
        if (/[a-z]/.test(word) && /[0-9]$/.test(word)) word += PROMOTION.exec(text.slice(word.length, word.length + 3))?.[0] ?? "";
        return [text.slice(word.length), this.readWord(word)];
      }
      return [rest, null];
    }

    readWord(word) {
      const isMain = this.variations.length === 0;
      if (isMain && this.result !== "") return `\`${shorten(word)}\` follows the result`;
      const [text, marks] = word.startsWith("$") ? ["", [word]] : splitMarks(word);
      const plain = withoutNumber(text);
      const result = readResult(text) ?? readResult(plain);
      if (result) {
        if (isMain) this.result = result;
      } else if (plain && !EN_PASSANT.includes(plain))
        this.open().moves.push({ text: plain, marks: [], comment: null, variations: [] });
      for (const mark of marks) this.open().moves.at(-1)?.marks.push(mark);
      return null;
    }

    open() { return this.variations.at(-1) ?? this.main; }

    addComment(text) { addComment(this.open(), text.replaceAll("{", "(").replaceAll("}", ")")); }

    closeVariation() {
      const { comment, moves } = this.variations.pop();
      const last = this.open().moves.at(-1);
      if (last && moves.length > 0) last.variations.push({ comment, moves });
      else for (const each of comments({ comment, moves })) addComment(this.open(), each);
    }

    finish() {
      if (this.comment !== null) this.breakOff(this.comment.line, "a comment is not closed");
      else if (this.variations.length > 0) this.breakOff(this.variations.at(-1).line, "a variation is not closed");
      for (const name of MEANINGFUL) {
        const values = new Set(this.tags.filter(([tag]) => tag === name).map(([, value]) => value));
        if (values.size > 1) this.breakOff(this.line, `the tag ${name} occurs twice, with different values`);
      }
      const { line, fault, tags, main, result } = this;
      if (fault !== null) return { line, fault, tags };
      const stated = tags.find(([name]) => name === "Result")?.[1] ?? "";
      return { line, tags, ...main, result: result || (readResult(stated) ?? "*") };
    }
  }

  return (text) => {
    const plain = [];
    let place = 0;
    for (const line of text.replace(/\n$/, "").replace(HARMFUL, "\ufffd").split("\n")) {
      const inner = trimmed(line);
      let at = place + line.indexOf(inner);
      for (const [index, part] of inner.split("\r").entries()) {
        plain.push([plain.length + 1, trimmed(part), index === 0 ? place : at]);
        at += part.length + 1;
      }
      place += line.length + 1;
    }
    // The last comes first.
    const waiting = plain.toReversed();
    const games = [];
    let game = null;
    const give = () => {
      while (game.suspects.length > 0) waiting.push(game.suspects.pop());
      games.push({ at: plain[game.line - 1][2], ...game.finish() });
      game = null;
    };
    while (waiting.length > 0 || game !== null) {
      if (waiting.length === 0) {
        if (game.comment === null) game.suspects = [];
        give();
        continue;
      }
      const [number, line] = waiting.pop();
      if (game !== null) {
        if (!game.readLine(number, line)) give();
      } else if (line !== "" && !line.startsWith("%")) {
        game = new Game(number);
        game.readLine(number, line);
      }
    }
    return games;
  };
})();

// A game as text, as `Record` of src/records/pgn/writer.rs writes it. `fen` is its first position.
function writePgn({ tags, comment, moves, result }, fen) {
  const COLUMNS = 80;
  const said = (comment) => {
    const words = [];
    for (const word of (comment ?? "").replaceAll("{", "(").replaceAll("}", ")").split(/[\s\x85]+/).filter(Boolean)) {
      const isOpen = /^\[%[^ ]*$/.test(words.at(-1) ?? "") && !words.at(-1).endsWith("]");
      if (isOpen) words[words.length - 1] += ` ${word}`;
      else words.push(word);
    }
    if (words.length === 0) return [];
    words[0] = `{${words[0]}`;
    words[words.length - 1] += "}";
    return words;
  };
  const add = (words, more) => { for (const word of more) words.push(word); };
  const written = (comment, moves, ply) => {
    const words = said(comment);
    let isNumbered = false;
    for (const { text, marks, comment, variations } of moves) {
      const isWhite = ply % 2 === 0;
      if (isWhite || !isNumbered) words.push(Math.floor(ply / 2) + (isWhite ? "." : "..."));
      const attached = /^[!?]/.test(marks[0] ?? "") ? 1 : 0;
      add(words, [text + (attached ? marks[0] : ""), ...marks.slice(attached)]);
      isNumbered = isWhite && !comment && variations.length === 0;
      add(words, said(comment));
      for (const each of variations) {
        const inner = written(each.comment, each.moves, ply);
        inner[0] = `(${inner[0]}`;
        inner[inner.length - 1] += ")";
        add(words, inner);
      }
      ply += 1;
    }
    return words;
  };
  const [, side, , , , number] = fen.split(/\s+/);
  const first = /^\d+$/.test(number ?? "") ? Number(number) : 1;
  let text = "", column = COLUMNS;
  for (const word of [...written(comment, moves, 2 * first + Number(side === "b")), result]) {
    const width = Array.from(word).length;
    // At the beginning of a line these would not be part of a comment.
    const fits = column + 1 + width < COLUMNS || /^[[%]/.test(word);
    text += (fits ? " " : "\n") + word;
    column = fits ? column + 1 + width : width;
  }
  const head = tags.map(([name, value]) => `[${name} "${value.replace(/["\\]/g, "\\$&").replace(/\p{Cc}/gu, " ")}"]\n`);
  return `${head.join("")}${text}\n\n`;
}

// The value of a tag of a game.
const tagOf = ({ tags }, name) => tags.find(([each]) => each === name)?.[1];
