// A dialogue with the WebAssembly module, line by line from standard input:
//
//     cargo rustc --release --lib --crate-type cdylib --target wasm32-wasip1
//     echo bench | node tests/wasm/dialogue.mjs target/wasm32-wasip1/release/quadrille.wasm

import { readFile } from "node:fs/promises";
import { createInterface } from "node:readline";
import { runInThisContext } from "node:vm";

const source = new URL("../../src/wasm/dialogue.js", import.meta.url);
runInThisContext(await readFile(source, "utf8"));
const module = await WebAssembly.compile(await readFile(process.argv[2]));
const send = await openQuadrille(module, (line) => console.log(line));
for await (const line of createInterface({ input: process.stdin })) {
    if (!send(line)) break;
}
