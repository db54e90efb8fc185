//! The dialogue as a library of WebAssembly, which a page calls in a worker.
//!
//! `cargo rustc --release --lib --crate-type cdylib --target wasm32-wasip1` builds a WASI reactor. The page
//! calls `_initialize` once. Then it calls [`line`] for each line that its `fd_read` has to give on
//! standard input; the answers come on standard output, by `fd_write`, before `line` returns.

// The name of the exported function is the only unsafe thing: no other may have it.
#![allow(unsafe_code)]

use crate::engine::{Engine, VARIANTS};
use crate::protocol::Dialogue;
use std::cell::RefCell;
use std::io;

thread_local! {
    static DIALOGUE: RefCell<Option<Dialogue>> = const { RefCell::new(None) };
}

/// Reads a line and answers it. Returns 0 if that ended the dialogue; the next line begins
/// another.
#[unsafe(no_mangle)]
extern "C" fn line() -> i32 {
    let dialogue = DIALOGUE.take().unwrap_or_else(|| {
        let engine = Engine::new(VARIANTS, VARIANTS[0]);
        Dialogue::open(engine, io::stdin(), io::stdout())
    });
    let dialogue = dialogue.answer().ok();
    let goes_on = dialogue.is_some();
    DIALOGUE.set(dialogue);
    goes_on.into()
}
