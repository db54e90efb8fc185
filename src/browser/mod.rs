//! `board`: a board in the browser. The page is one more client of the protocol: a server on the
//! loopback address passes its lines to a dialogue, and the lines of the dialogue back. The same page
//! can be saved with the engine inside.

mod server;

use crate::cli::failure::is_not_installed;
use crate::cli::{Args, Command, Console, Failure};
use crate::engine::{VARIANTS, Variant};
use crate::page::{engine_inside, page};
use crate::system::files;
use crate::tools::annotate;
use server::{Event, Server};
use std::io;
use std::path::Path;
use std::process::{self, ExitCode, Stdio};
use std::sync::mpsc::{Receiver, channel};
use std::time::Duration;

pub static COMMAND: Command = Command {
    name: "board",
    operands: "[VARIANT] [OPTION ...]",
    summary: "a board in the browser; see board --help",
    help: "\
quadrille board [VARIANT] [OPTION ...]
  VARIANT         the game that the page begins with (gothic)
  --port N        the port on the loopback address, 0 for a free one (8484, or a free one)
  --no-open       prints the address of the page and opens no browser
  --until-closed  ends when the last page has been closed for five seconds
quadrille board --html FILE --engine MODULE
  saves the page with the engine inside, and serves nothing: MODULE is quadrille.wasm, compressed
  by gzip
Serves a page to play, analyse, open and save games; only this machine can reach it. Each page has
an engine of its own, which ends when the page is closed. Ctrl-C ends the server.
Example: quadrille board congress",
    run: |words, console| run(words, console),
};

const DEFAULT_PORT: u16 = 8484;
/// Time without a page after which the program ends, if it was asked to. A reload is shorter.
const GRACE: Duration = Duration::from_secs(5);

/// Starts the server and the browser, and serves until the end.
fn run(words: &[&str], console: &mut dyn Console) -> Result<ExitCode, Failure> {
    let (mut variant, mut port) = (None, None);
    let (mut opens, mut ends) = (true, false);
    let (mut file, mut module) = (None, None);
    let mut args = Args::new(words);
    while let Some(word) = args.next() {
        match word {
            "--port" => port = Some(args.number(0, u16::MAX)?),
            "--no-open" => opens = false,
            "--until-closed" => ends = true,
            "--html" => file = Some(args.value()?),
            "--engine" => module = Some(args.value()?),
            _ if variant.is_none() => variant = Some(crate::cli::variant(args.operand()?)?),
            _ => return Err(args.unknown()),
        }
    }
    match (file, module) {
        (Some(file), Some(module)) => {
            let page = page(VARIANTS, annotate::program(), &engine_inside(Path::new(module))?);
            files::write(Path::new(file), page.as_bytes()).map_err(Failure::file(file))?;
            return Ok(ExitCode::SUCCESS);
        }
        (None, None) => {}
        _ => return Err(Failure::Usage("--html and --engine go together".into())),
    }
    let (sender, events) = channel();
    let page = page(VARIANTS, annotate::program(), "");
    let server = Server::bind(port, DEFAULT_PORT, VARIANTS, page, sender)
        .map_err(Failure::file(format!("127.0.0.1:{}", port.unwrap_or(DEFAULT_PORT))))?;
    let game = variant.map_or(String::new(), |variant: Variant| format!("#{}", variant.info.name));
    console.say(&format!("The board is at {}{game}", server.address()));
    let address = format!("{}{game}", server.passing_address());
    std::thread::Builder::new().spawn(move || server.serve()).map_err(Failure::no_thread)?;
    if opens && let Err(error) = open(&address) {
        console.warn(&format!("no browser was opened ({error}); open the address yourself"));
    }
    wait(&events, ends);
    Ok(ExitCode::SUCCESS)
}

/// Returns when the last page is closed for good, if it may.
fn wait(events: &Receiver<Event>, ends: bool) {
    let (mut pages, mut had_page) = (0, false);
    loop {
        let event = if ends && had_page && pages == 0 {
            events.recv_timeout(GRACE).ok()
        } else {
            events.recv().ok()
        };
        match event {
            Some(Event::Opened) => (pages, had_page) = (pages + 1, true),
            Some(Event::Closed) => pages -= 1,
            None => return,
        }
    }
}

/// Opens an address in the browser of the system.
fn open(address: &str) -> io::Result<()> {
    let words: &[&str] = match std::env::consts::OS {
        "windows" => &["cmd", "/c", "start", ""],
        "macos" => &["open"],
        _ => &["xdg-open"],
    };
    let mut opener = process::Command::new(words[0]);
    opener.args(&words[1..]).arg(address).stdin(Stdio::null());
    let spawned = opener.stdout(Stdio::null()).stderr(Stdio::null()).spawn();
    let mut child = spawned.map_err(|error| {
        if is_not_installed(&error) {
            io::Error::other(format!("`{}` is not in PATH", words[0]))
        } else {
            error
        }
    })?;
    // A child that nobody waits for stays in the table of processes.
    std::thread::spawn(move || child.wait());
    Ok(())
}
