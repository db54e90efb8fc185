// game_file.js: a file of games, as data.
// Takes pgn; gives `decodeFile` and `gameFiles`.
//
// A file is `{ name, games, isChanged }`, a game of it `{ tags, fault, bytes }`, with its `record` if it was changed. The
// bytes of all games, one after the other, are the file: what was not changed is written as it was read.

// The text of a file, which is UTF-8, or else Windows-1252, as in `decode` of src/system/text.rs.
function decodeFile(bytes) {
  const [a, b, c, d] = bytes;
  const isLittle = (a === 0xff && b === 0xfe) || (a && c && b === 0 && d === 0);
  const isBig = (a === 0xfe && b === 0xff) || (b && d && a === 0 && c === 0);
  if (isLittle || isBig) throw new Error(`the text is UTF-16${isLittle ? "LE" : "BE"}: save it as UTF-8`);
  const [utf8, windows] = [new TextDecoder("utf-8", { fatal: true }), new TextDecoder("windows-1252")];
  const lines = [];
  for (let at = 0; at < bytes.length;) {
    const end = bytes.indexOf(10, at) + 1 || bytes.length;
    const line = bytes.subarray(at, end);
    try { lines.push(utf8.decode(line)); } catch { lines.push(windows.decode(line)); }
    at = end;
  }
  return lines.join("");
}

const gameFiles = (() => {
  function read(name, bytes, text = decodeFile(bytes)) {
    const found = readPgn(text);
    // The letters of ASCII stand in the same order in the text and in the bytes.
    let [letter, place] = [0, 0];
    const places = found.map(({ at }, number) => {
      for (; number > 0 && letter < at; letter++) if (text.charCodeAt(letter) < 128) while (bytes[place++] > 127);
      if (number > 0 && text[at] === "[") place = bytes.indexOf(91, place);
      return place;
    });
    const all = found.map(({ tags, fault }, number) =>
      ({ tags, fault, bytes: bytes.subarray(places[number], places[number + 1]) }));
    return { name, games: all, isChanged: false };
  }

  const gameOf = ({ bytes }) => readPgn(decodeFile(bytes))[0];

  // Puts a changed game in its place, or a new one behind the last.
  function set(file, number, tags, text) {
    const isOpen = number > 0 && ![10, 13].includes(file.games[number - 1].bytes.at(-1));
    file.games[number] = { tags, bytes: new TextEncoder().encode((isOpen ? "\n\n" : "") + text) };
    file.isChanged = true;
  }

  // As a text of letters that stand for bytes, and the other way round.
  function packed({ name, games: all, isChanged }) {
    const letters = all.map(({ bytes }) => Array.from(bytes, (byte) => String.fromCharCode(byte)).join(""));
    return JSON.stringify({ name, isChanged, letters: letters.join("") });
  }
  function unpacked(text) {
    const { name, isChanged, letters } = JSON.parse(text);
    return { ...read(String(name), Uint8Array.from(letters, (letter) => letter.charCodeAt(0))), isChanged };
  }

  return { read, gameOf, set, packed, unpacked };
})();
