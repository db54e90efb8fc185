// The games of a PGN: `{ at, line, tags, comment, moves, result }`, or `{ at, line, fault, tags }` for a broken one.
// `at` is the place in the text where the game begins.
// A move is `{ text, marks, comment, variations }`, a variation `{ comment, moves }`. The rules are those of
// `Reader` in src/records/pgn/reader.rs, function by function; tests/pgn.rs compares the two.
// Takes tree; gives `readPgn`, `writePgn` and `tagOf`.
const readPgn = (() => {
  const MAX_LENGTH = 1 << 20, MAX_DEPTH = 100;
  const BLANK = "[\\s\\x85\\0\\x1a]";
  // No expression starts anew at each letter of a long text.
  const BEFORE = new RegExp(`^${BLANK}+`), AFTER = new RegExp(`(?<!${BLANK})${BLANK}+$`);
  const HARMFUL = new RegExp(`(?!${BLANK})\\p{Cc}`, "gu");
  const BETWEEN = new RegExp(`${BLANK}+`);
  // A quote inside a value need not be escaped, but none ends it that stands before a bracket.
  const VALUE = `(?:\\\\["\\\\]|\\\\(?!["\\\\])|[^"\\\\]|"(?!${BLANK}*\\]))*`;
  const TAG = new RegExp(`^\\[${BLANK}*([\\p{Alphabetic}\\p{N}_]+)${BLANK}*"(${VALUE})"${BLANK}*\\]`, "u");
  // Behind a move to the last rank stands `(Q)`.
  const PROMOTION = "\\((?<=[a-z].*\\d\\()[A-Za-z\\u2654-\\u265f]\\)";
  const WORD = new RegExp(`^(?:\\$|[^{};()[\\]$])(?:(?!${BLANK})[^{};()[\\]$])*(?:${PROMOTION})?`);
  // A mark in a word that is read backwards: praise, a symbol, or an evaluation.
  const MARK = /∞=|[-=]\/?\+|\+\/?[-=]|\+−|−\+|=|[^\p{ASCII}\p{Alphabetic}\p{N}\ufffd\s\x85\u2654-\u265f]|[!?]+/guy;
  const RESULTS = ["1-0", "0-1", "1/2-1/2", "*"], DRAWS = ["1/2", "0.5-0.5"];
  const MEANINGFUL = ["Variant", "SetUp", "FEN", "Result", "PlyCount", "Reason"];
  const FAMILIAR = [...MEANINGFUL, "Event", "Site", "Date", "Round", "White", "Black", "Annotator"];

  const shorten = (text) => text.replace(/^(.{60}).+$/su, "$1…");

  function readResult(word) {
    const plain = word.replace(/[‐‑–—−:]/g, "-").replaceAll("½", "1/2");
    return DRAWS.includes(plain) ? "1/2-1/2" : RESULTS.find((each) => each === plain);
  }

  const trimmed = (text) => text.replace(BEFORE, "").replace(AFTER, "");
  const withoutNumber = (word) => word.replace(/^[\d.]*\./, "").replace(/^\d+$/, "");
  const backwards = (text) => Array.from(text).reverse().join("");

  // The one form of a mark: a suffix, or its number.
  const canonical = (mark) => NAGS[/^\$([1-6])$/.exec(numbered(mark))?.[1]] ?? numbered(mark);
  function splitMarks(word) {
    const marks = Array.from(backwards(word).matchAll(MARK), ([mark]) => backwards(mark)).reverse();
    return [word.slice(0, word.length - marks.join("").length), marks];
  }

  // The name and the value of a tag at the beginning of a text, and the rest.
  function readTag(text) {
    const [all, written, value] = TAG.exec(text) ?? [];
    const name = FAMILIAR.find((tag) => tag.length === written?.length && RegExp(tag, "i").test(written)) ?? written;
    return all ? [name, value.replace(/\\(["\\])/g, "$1").replace(/\p{Cc}/gu, " "), text.slice(all.length)] : null;
  }

  // Adds a comment, in which braces become parentheses.
  function addComment(line, text) {
    const to = line.moves.at(-1) ?? line;
    const words = text.replaceAll("{", "(").replaceAll("}", ")").split(BETWEEN).filter(Boolean).join(" ");
    if (words) to.comment = to.comment === null ? words : `${to.comment} ${words}`;
  }

  const comments = ({ comment, moves }) =>
    [comment, ...moves.flatMap((move) => [move.comment, ...move.variations.flatMap(comments)])].filter(Boolean);

  class Game {
    tags = [];
    main = { comment: null, moves: [] };
    result = "";
    length = 0;
    inMoves = false;
    // The first line that is the next game's if this one turns out to be over; the number of tags before it, and
    // whether the game was broken there.
    suspect = Infinity;
    before = [0, false];
    // What is open, and the first fault.
    comment = null;
    variations = [];
    fault = null;

    constructor(line, lines) { Object.assign(this, { line, lines }); }

    // What is left of the line is skipped.
    breakOff(line, fault) {
      this.comment = null;
      this.fault ??= `line ${line}: ${fault}`;
      return "";
    }

    // False if the game is over and the next one begins with the suspect; so in `read`.
    readLine(line, text) {
      const inComment = this.comment !== null;
      if (!inComment && text.startsWith("%")) return true;
      this.length += text.length;
      const isSuspect = inComment
        ? this.suspect < Infinity || readTag(text) !== null
        : text.startsWith("[") && (this.inMoves || this.before[0] > 0 || this.before[1]);
      if (isSuspect) {
        this.suspect = Math.min(this.suspect, line);
        if (!inComment && this.inMoves) return false;
      }
      if (this.length >= MAX_LENGTH && (this.fault === null || isSuspect)) {
        this.breakOff(line, `the game is longer than ${MAX_LENGTH} bytes`);
        return !isSuspect;
      }
      return this.read(line, text);
    }

    read(line, text) {
      const whole = text, isTag = text.startsWith("[");
      const endsGame = (inner) => readResult(inner.split(BETWEEN).findLast(Boolean) ?? "");
      const hasOnlyTags = isTag && text.endsWith("]") && !text.split(/[[\]]/).some(endsGame);
      if (!this.inMoves && this.comment === null && !isTag) this.leaveTags();
      for (;;) {
        if (this.comment !== null) {
          const end = text.indexOf("}");
          const inside = end < 0 ? text : text.slice(0, end);
          if (this.suspect < line && inside.includes("{")) {
            this.breakOff(this.comment.line, "a comment is not closed");
            return false;
          }
          this.comment.text += `${inside} `;
          if (end < 0) return true;
          text = text.slice(end + 1);
          addComment(this.open(), this.comment.text);
          this.comment = null;
          this.suspect = Infinity;
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
          if (tag ? this.isNext(tag[0]) : this.before[1] && this.suspect < Infinity) return false;
          if (tag && this.fault === null) this.tags.push(tag.slice(0, 2));
          text = tag ? tag[2] : this.breakOff(line, `\`${shorten(text)}\` is not a tag`);
        } else if (first === "[" && this.result !== "" && this.variations.length === 0) {
          // The rest of the line is the next game's.
          const { at, text: { length } } = this.lines[line - 1];
          this.lines[line - 1] = { at: at + length - text.length, text };
          this.suspect = line;
          return false;
        } else if (first === "{") {
          this.leaveTags();
          this.comment = { text: "", line };
          text = text.slice(1);
        } else if (first === ";") {
          this.leaveTags();
          addComment(this.open(), text.slice(1));
          return true;
        } else if (hasOnlyTags && !this.inMoves) {
          text = this.breakOff(line, `\`${shorten(whole)}\` is not a tag`);
        } else {
          this.inMoves = true;
          this.suspect = Infinity;
          text = this.readToken(line, text, first);
        }
      }
    }

    leaveTags() {
      this.suspect = Infinity;
      this.before = [this.tags.length, this.fault !== null];
    }

    isNext(name) {
      const [count, wasBroken] = this.before;
      const isNext = wasBroken || this.tags.slice(0, count).some(([tag]) => tag === name);
      if (!isNext || this.suspect === Infinity) return false;
      this.tags.length = count;
      if (!wasBroken) this.fault = null;
      return true;
    }

    // The text after a bracket or a word among the moves; none after a fault.
    readToken(line, text, first) {
      let [token, fault] = [WORD.exec(text)?.[0] ?? first, null];
      if (first === "(" && this.variations.length === MAX_DEPTH)
        fault = `variations nested more than ${MAX_DEPTH} deep`;
      else if (first === "(") this.variations.push({ comment: null, moves: [], line });
      else if (first === ")" && this.variations.length > 0) this.closeVariation();
      else if (")}[]".includes(first)) fault = `a \`${first}\` that closes nothing`;
      else fault = this.readWord(token);
      return fault ? this.breakOff(line, fault) : text.slice(token.length);
    }

    // Reads a result, a move, its number or marks, or some of them in one; returns a fault.
    readWord(word) {
      const isMain = this.variations.length === 0;
      if (isMain && this.result !== "") return `\`${shorten(word)}\` follows the result`;
      const [text, marks] = word.startsWith("$") ? ["", [word]] : splitMarks(word);
      const plain = withoutNumber(text);
      const result = readResult(text) ?? readResult(plain);
      if (result) this.result = isMain ? result : this.result;
      else if (plain && plain !== "e.p." && plain !== "ep")
        this.open().moves.push({ text: plain, marks: [], comment: null, variations: [] });
      for (const mark of marks) this.open().moves.at(-1)?.marks.push(canonical(mark));
      return null;
    }

    open() { return this.variations.at(-1) ?? this.main; }

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
    const lines = [];
    let place = 0;
    for (const line of text.replace(/\n$/, "").replace(HARMFUL, "\ufffd").split("\n")) {
      const inner = trimmed(line);
      let at = place + line.indexOf(inner);
      for (const own of inner.split("\r")) {
        const text = trimmed(own);
        lines.push({ at: at + own.indexOf(text), text });
        at += own.length + 1;
      }
      place += line.length + 1;
    }
    const all = [];
    for (let next = 0; next < lines.length; next += 1) {
      const { at, text } = lines[next];
      if (text === "" || text.startsWith("%")) continue;
      const game = new Game(next + 1, lines);
      while (next < lines.length && game.readLine(next + 1, lines[next].text)) next += 1;
      if (next < lines.length || game.comment !== null) next = Math.min(game.suspect - 1, lines.length);
      next -= 1;
      all.push({ at, ...game.finish() });
    }
    return all;
  };
})();

// A game as text, as `Record` of src/records/pgn/writer.rs writes it: the tree from a root, whose position is `fen`.
function writePgn(root, { tags, result }, fen = root.fen) {
  const COLUMNS = 80;
  const enclosed = (open, words, close) =>
    words.map((word, at) => (at > 0 ? "" : open) + word + (at < words.length - 1 ? "" : close));
  // A command and its value stay in one line.
  const said = (...comments) => {
    const text = comments.join(" ").replaceAll("{", "(").replaceAll("}", ")").split(/[\s\x85]+/).join(" ");
    return enclosed("{", text.match(/\[%[^ ]*(?<!\]) [^ ]+|[^ ]+/g) ?? [], "}");
  };
  const saidBehind = ({ comment, next }) => said(comment, next[0]?.intro);
  function* written(node, others, ply) {
    for (let isNumbered = false; node; [node, ...others] = node.next, ply += 1) {
      const { san, text, marks } = node;
      const isWhite = ply % 2 === 0;
      if (isWhite || !isNumbered) yield Math.floor(ply / 2) + (isWhite ? "." : "...");
      const attached = /^[!?]/.test(marks[0] ?? "") ? 1 : 0;
      yield (san ?? text) + marks.slice(0, attached).join("");
      yield* marks.slice(attached).map(numbered);
      const behind = saidBehind(node);
      yield* behind;
      for (const each of others) yield* enclosed("(", [...said(each.intro), ...written(each, [], ply)], ")");
      isNumbered = isWhite && behind.length === 0 && others.length === 0;
    }
  }
  const [, side, , , , number] = fen.split(/\s+/);
  const ply = 2 * (/^\d+$/.test(number ?? "") ? Number(number) : 1) + Number(side === "b");
  const [first, ...others] = root.next;
  let text = "", column = COLUMNS;
  for (const word of [...saidBehind(root), ...written(first, others, ply), result]) {
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
