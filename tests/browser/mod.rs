//! The board in the browser. Here is the server, without a browser: what it lets in, and what it
//! refuses.

mod analysis;
mod annotated;
mod chromium;
mod driver;
mod files;
mod habits;
mod inside;
mod person;
mod picture;
mod practice;
mod room;
mod scripts;
mod silent;
mod state;
mod steps;
mod webdriver;

use crate::common::client::Client;
use crate::common::process_figure;
use crate::common::program::{Program, Run, quadrille};
#[cfg(unix)]
use crate::common::program::{scratch, wait_for};
use std::io::{BufRead, BufReader, ErrorKind, Read, Write};
use std::net::TcpStream;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

/// Time limit of a test's server.
const LIMIT: Duration = Duration::from_secs(600);
/// Time limit of an answer, on a busy machine.
const SOON: Duration = Duration::from_secs(60);

/// A running server.
struct Server {
    program: Program,
    /// `127.0.0.1:PORT`.
    host: String,
    token: String,
}

impl Server {
    fn start(words: &[&str]) -> Self {
        Self::run(quadrille(["board", "--no-open"]).args(words))
    }

    fn run(command: &mut Command) -> Self {
        let mut program = Program::start_for(command.stdout(Stdio::piped()), LIMIT);
        let line = program.lines().recv_timeout(SOON).expect("the address");
        let (_, address) = line.split_once("http://").unwrap();
        let (host, path) = address.split_once('/').unwrap();
        let (token, _) = path.split_once('/').unwrap();
        let (host, token) = (host.to_string(), token.to_string());
        Self { program, host, token }
    }

    fn new() -> Self {
        Self::start(&["--port", "0"])
    }

    /// The address of the page, with a game.
    fn address(&self, variant: &str) -> String {
        format!("http://{}/{}/#{variant}", self.host, self.token)
    }

    fn connect(&self) -> TcpStream {
        let stream = TcpStream::connect(&self.host).unwrap();
        stream.set_read_timeout(Some(SOON)).unwrap();
        stream
    }

    /// The answer to a request, which may be cut off while it is written.
    fn answer(&self, request: impl AsRef<[u8]>) -> String {
        let mut stream = self.connect();
        // It may be refused before it is complete.
        let _ = stream.write_all(request.as_ref());
        let mut answer = Vec::new();
        match stream.read_to_end(&mut answer) {
            Err(error) if error.kind() != ErrorKind::ConnectionReset => panic!("{error}"),
            _ => String::from_utf8_lossy(&answer).into_owned(),
        }
    }

    /// A request of the page itself.
    fn request(&self, method: &str, path: &str, more: &str, body: &str) -> String {
        let Self { host, token, .. } = self;
        let length = body.len();
        format!(
            "{method} /{token}/{path} HTTP/1.1\r\nHost: {host}\r\nOrigin: http://{host}\r\n\
             Content-Length: {length}\r\n{more}\r\n{body}"
        )
    }

    /// Opens a page.
    fn open(&self, name: &str) -> Page<'_> {
        let mut stream = self.connect();
        let request = self.request("GET", &format!("events/{name}"), "", "");
        stream.write_all(request.as_bytes()).unwrap();
        let mut events = BufReader::new(stream);
        let mut line = String::new();
        events.read_line(&mut line).unwrap();
        assert!(line.starts_with("HTTP/1.1 200"), "{line}");
        while line != "\r\n" {
            line.clear();
            events.read_line(&mut line).unwrap();
        }
        // A body begins before the page has sent a line: Firefox passes no head on without it.
        for wanted in [":\n", "\n"] {
            line.clear();
            events.read_line(&mut line).expect("a comment");
            assert_eq!(line, wanted);
        }
        Page { server: self, name: name.to_string(), events }
    }
}

/// A page as the server sees it.
struct Page<'s> {
    server: &'s Server,
    name: String,
    events: BufReader<TcpStream>,
}

impl Page<'_> {
    fn send(&self, lines: &str) {
        let path = format!("lines/{}", self.name);
        // A connection that a flood has closed is tried again, as in the page.
        let begun = Instant::now();
        loop {
            let request = self.server.request("POST", &path, "", lines);
            let answer = self.server.answer(request);
            if answer.starts_with("HTTP/1.1 204") {
                return;
            }
            assert!(begun.elapsed() < SOON && answer.is_empty(), "{answer}");
        }
    }

    /// The next line of the dialogue.
    fn line(&mut self) -> String {
        let mut line = String::new();
        self.events.read_line(&mut line).unwrap();
        let mut empty = String::new();
        self.events.read_line(&mut empty).unwrap();
        let data = line.strip_prefix("data: ");
        data.unwrap_or_else(|| panic!("`{line}`")).trim_end().to_string()
    }

    /// Sends a line and returns the first one that begins with a word.
    fn ask(&mut self, line: &str, word: &str) -> String {
        self.send(line);
        loop {
            let answer = self.line();
            if answer.starts_with(word) {
                return answer;
            }
        }
    }
}

#[track_caller]
fn assert_status(answer: &str, status: &str) {
    let wanted = format!("HTTP/1.1 {status} ");
    assert!(answer.starts_with(&wanted), "{status}: {answer}");
}

#[test]
fn a_page_has_a_dialogue() {
    let server = Server::new();
    let page = server.answer(server.request("GET", "", "", ""));
    assert_status(&page, "200");
    assert!(page.contains("default-src 'none'; script-src 'nonce-"), "{page}");
    for placeholder in ["@STYLE@", "@OWN_STYLE@", "@SCRIPT@", "@PLAY@", "@DATA@", "@NONCE@"] {
        assert!(!page.contains(placeholder), "{placeholder}");
    }
    let mut page = server.open("one");
    assert_eq!(page.ask("isready\n", "readyok"), "readyok");
    page.send("position startpos moves e2e4\ngo infinite\n");
    let begun = Instant::now();
    assert!(page.ask("stop", "bestmove").len() > "bestmove ".len());
    assert!(begun.elapsed() < SOON);
    // Another page has another game.
    let mut other = server.open("two");
    let fen = other.ask("query fen", "response");
    assert_ne!(fen, page.ask("query fen", "response"));
    // Files are out of reach, also for XBoard's protocol.
    for line in [
        "setoption name Debug Log File value x",
        "setoption name EvalFile value x",
        "setoption name EndgamePath value x",
    ] {
        let said = page.ask(&format!("{line}\nisready"), "");
        assert!(said.starts_with("info string error unknown-option setoption: "), "{said}");
        assert_eq!(page.line(), "readyok");
    }
    let said = page.ask("xboard\nprotover 2\noption Debug Log File=x\nping 1", "pong");
    assert_eq!(said, "pong 1");
    assert!(!std::path::Path::new("x").exists());
}

/// The two take turns, and the faster answers count: a busy machine delays both.
#[test]
fn stop_is_answered_as_fast_as_on_standard_input() {
    const TURNS: usize = 15;
    const DELAY: Duration = Duration::from_millis(50);
    let server = Server::new();
    let mut page = server.open("one");
    let mut client = Client::start(&[]);
    let mut times = [const { Vec::new() }; 2];
    for _ in 0..TURNS {
        page.ask("go infinite", "info");
        let begun = Instant::now();
        page.ask("stop", "bestmove");
        times[0].push(begun.elapsed());
        client.send("go infinite");
        client.lines_to("info");
        let begun = Instant::now();
        client.send("stop");
        client.lines_to("bestmove");
        times[1].push(begun.elapsed());
    }
    let [page, client] = times.map(|mut times| {
        times.sort_unstable();
        (times[0], times[TURNS / 2])
    });
    println!("stop, fastest and median: page {page:?}, standard input {client:?}");
    assert!(page.0 < client.0 + DELAY, "{page:?}, {client:?}");
}

#[test]
fn a_closed_page_ends_its_engine_and_the_last_one_the_program() {
    let mut server = Server::start(&["--port", "0", "--until-closed"]);
    // More pages than may be open at once, one after the other.
    for number in 0..12 {
        let page = server.open(&format!("page{number}"));
        page.send("go infinite");
        drop(page);
        let path = format!("lines/page{number}");
        let begun = Instant::now();
        while !server.answer(server.request("POST", &path, "", "d")).starts_with("HTTP/1.1 404") {
            assert!(begun.elapsed() < SOON, "its engine runs on");
        }
    }
    assert!(server.program.is_running());
    assert!(server.program.wait_within(SOON).success());
}

/// Engines take the memory of earlier ones: 60 MB, not 300.
#[test]
#[cfg(target_os = "linux")]
fn pages_that_come_and_go_leave_no_memory_behind() {
    let server = Server::new();
    for number in 0..400 {
        let mut stream = server.connect();
        let request = server.request("GET", &format!("events/page{number}"), "", "");
        stream.write_all(request.as_bytes()).unwrap();
        // Some are refused while five are open.
        assert!(stream.read(&mut [0; 16]).unwrap() > 0);
    }
    let status = std::fs::read_to_string(format!("/proc/{}/status", server.program.id())).unwrap();
    let (_, rss) = status.split_once("VmRSS:").unwrap();
    let rss: u64 = rss.split_whitespace().next().unwrap().parse().unwrap();
    assert!(rss < 150 << 10, "{rss} KB");
}

/// Each write that takes a part of what is left begins no new wait.
#[test]
fn a_page_that_reads_nothing_ends_its_engine() {
    let mut server = Server::start(&["--port", "0", "--until-closed"]);
    let page = server.open("deaf");
    // Far more than the system keeps for a reader.
    let lines = "help\n".repeat(100_000);
    page.send(&lines);
    // It stays open.
    let _stream = page.events;
    let limit = Duration::from_secs(40);
    assert!(server.program.wait_within(limit).success());
}

#[test]
fn nobody_else_gets_in() {
    let server = Server::new();
    let mut page = server.open("game");
    page.send("position startpos moves e2e4");
    let fen = page.ask("query fen", "response");
    let (host, token) = (&server.host, &server.token);
    let port = host.split_once(':').unwrap().1;
    let post = |host: &str, token: &str, headers: &str| {
        format!(
            "POST /{token}/lines/game HTTP/1.1\r\nHost: {host}\r\n{headers}Content-Length: 4\r\n\r\nquit"
        )
    };
    let own = format!("Origin: http://{host}\r\n");
    let mut attacks = Vec::new();
    // Other hosts, as after DNS rebinding, other origins, and other pages.
    for name in [
        "evil.example",
        &format!("evil.example:{port}"),
        "127.0.0.1",
        "127.0.0.1:1",
        "",
        "localhost",
    ] {
        attacks.push(("403", post(name, token, &own)));
        attacks.push(("403", format!("GET /{token}/ HTTP/1.1\r\nHost: {name}\r\n\r\n")));
    }
    for origin in [
        "http://evil.example",
        "null",
        "",
        &format!("https://{host}"),
        &format!("http://{host}.evil.example"),
        host,
    ] {
        attacks.push(("403", post(host, token, &format!("Origin: {origin}\r\n"))));
    }
    attacks.push(("403", post(host, token, "")));
    for site in ["cross-site", "same-site"] {
        attacks.push(("403", post(host, token, &format!("{own}Sec-Fetch-Site: {site}\r\n"))));
        attacks.push((
            "403",
            format!("GET /{token}/ HTTP/1.1\r\nHost: {host}\r\nSec-Fetch-Site: {site}\r\n\r\n"),
        ));
    }
    // No token, and wrong ones.
    for guess in
        ["", "0", &token[1..], &format!("{token}0"), &token.to_uppercase(), "..", "%2e%2e", "*"]
    {
        attacks.push(("403", post(host, guess, &own)));
        for path in ["", "events/x", "lines/game", "../../etc/passwd"] {
            attacks.push(("403", format!("GET /{guess}/{path} HTTP/1.1\r\nHost: {host}\r\n\r\n")));
        }
    }
    for path in ["", "*", "http://evil.example/", "favicon.ico"] {
        attacks.push(("403", format!("GET {path} HTTP/1.1\r\nHost: {host}\r\n\r\n")));
    }
    // The right token and strange paths.
    for path in [
        "..",
        "../..",
        "../../etc/passwd",
        "%2e%2e/x",
        "lines",
        "lines/",
        "lines/../game",
        "events/",
        "events/a.b",
        "events/a%00",
        "page.js",
        "//",
        "\\..\\x",
    ] {
        attacks.push(("404", server.request("GET", path, "", "")));
        attacks.push(("404", server.request("POST", path, "", "quit")));
    }
    attacks.push(("404", server.request("POST", "lines/nobody", "", "quit")));
    for method in ["PUT", "DELETE", "HEAD", "OPTIONS", "CONNECT", "get", "X"] {
        attacks.push(("405", server.request(method, "lines/game", "", "quit")));
    }
    // No HTTP, or another.
    for text in [
        "quit\r\n\r\n",
        "\r\n\r\n",
        "GET / HTTP/1.0\r\n\r\n",
        "GET  / HTTP/1.1\r\n\r\n",
        "\0\u{1}\r\n\r\n",
        "GET / HTTP/1.1\r\nHost\r\n\r\n",
    ] {
        attacks.push(("400", text.to_string()));
    }
    attacks.push(("400", post(host, token, &format!("{own}Host: {host}\r\n"))));
    attacks.push(("400", post(host, token, &format!("{own}{own}"))));
    attacks.push(("400", post(host, token, &format!("{own}Content-Length: 4\r\n"))));
    for length in ["x", "-1", "1e3", "99999999999999999999999"] {
        let request = server.request("POST", "lines/game", "", "");
        attacks.push(("400", request.replace("Length: 0", &format!("Length: {length}"))));
    }
    let chunked = server.request("POST", "lines/game", "Transfer-Encoding: chunked\r\n", "");
    attacks.push(("411", chunked));
    attacks.push((
        "411",
        server.request("POST", "lines/game", "", "").replace("Content-Length: 0\r\n", ""),
    ));
    // Too much.
    for length in [(1 << 20) + 1, 1 << 30, usize::MAX] {
        let request = server.request("POST", "lines/game", "", "");
        attacks.push(("413", request.replace("Length: 0", &format!("Length: {length}"))));
    }
    attacks.push(("413", server.request("POST", "lines/game", "", "") + "quit"));
    for length in [1 << 14, 17_000, 1 << 15] {
        let header = format!("X: {}\r\n", "x".repeat(length));
        attacks.push(("431", server.request("POST", "lines/game", &header, "")));
    }
    for length in ["+0", "0x0", " ", "0 0", "0.0"] {
        let request = server.request("POST", "lines/game", "", "");
        let length = format!("Length: {length}");
        attacks.push(("400", request.replace("Length: 0", &length)));
    }
    attacks.push(("503", server.request("GET", "events/game", "", "")));
    let count = attacks.len();
    for (status, attack) in attacks {
        let answer = server.answer(&attack);
        let wanted = format!("HTTP/1.1 {status} ");
        assert!(answer.starts_with(&wanted), "{status}: {attack}\n{answer}");
    }
    assert!(count > 120, "{count}");
    assert_eq!(page.ask("query fen", "response"), fen, "after {count} attacks");
}

/// Requests without an end, and lines of a gigabyte.
#[test]
fn floods_are_bounded_and_the_game_continues() {
    const CONNECTIONS: usize = 10_000;
    const MOST_KB: usize = 400 << 10;
    let server = Server::new();
    let mut page = server.open("game");
    page.send("position startpos moves e2e4");
    let fen = page.ask("query fen", "response");
    let mut opened = Vec::new();
    for number in 0..CONNECTIONS {
        let mut stream = server.connect();
        // Some say nothing, some begin a request.
        if number % 2 == 0 {
            let _ = stream.write_all(b"POST /");
        }
        opened.push(stream);
        // A process may have a thousand files.
        if opened.len() > 300 {
            opened.remove(0);
        }
        // Faster than the server accepts them, connections would wait a second for a second try.
        if number % 50 == 0 {
            assert_eq!(page.ask("query fen", "response"), fen, "{number}");
        }
    }
    // A head, and a body of an announced gigabyte, without an end.
    let gigabyte =
        server.request("POST", "lines/game", "", "").replace("Length: 0", "Length: 1073741824");
    for begin in [b"GET /".to_vec(), gigabyte.into_bytes()] {
        let mut stream = server.connect();
        let _ = stream.write_all(&begin);
        let piece = [b'x'; 1 << 16];
        let sent = (0..1 << 14).take_while(|_| stream.write_all(&piece).is_ok()).count();
        assert!(sent < 1 << 14, "a gigabyte was taken");
    }
    // Lines as long as a body, in many bodies.
    let line = "x".repeat(1 << 20);
    for _ in 0..50 {
        let request = server.request("POST", "lines/game", "", &line);
        let answer = server.answer(request);
        assert!(
            ["HTTP/1.1 204", "HTTP/1.1 503"].iter().any(|status| answer.starts_with(status)),
            "{answer}"
        );
    }
    page.send("position startpos moves e2e4");
    assert_eq!(page.ask("query fen", "response"), fen);
    let process = server.program.id().to_string();
    let Some(memory) = process_figure(&process, "VmHWM") else {
        return;
    };
    assert!(memory < MOST_KB, "{memory} kB");
    println!("{CONNECTIONS} connections, {memory} kB");
}

/// The browser is started with an address that works once.
#[cfg(unix)]
#[test]
fn the_browser_of_the_system_is_opened() {
    use std::os::unix::fs::PermissionsExt;
    let folder = scratch("browser/opened");
    let opener = folder.join(if cfg!(target_os = "macos") { "open" } else { "xdg-open" });
    std::fs::write(&opener, "#!/bin/sh\necho \"$1\" >\"$0.part\"; mv \"$0.part\" \"$0.txt\"\n")
        .unwrap();
    std::fs::set_permissions(&opener, PermissionsExt::from_mode(0o755)).unwrap();
    let path = std::env::var("PATH").unwrap_or_default();
    let path = format!("{}:{path}", folder.display());
    let server = Server::run(quadrille(["board", "congress", "--port", "0"]).env("PATH", path));
    let told = opener.with_extension("txt");
    wait_for("the address", SOON, || told.exists());
    let address = std::fs::read_to_string(told).unwrap();
    let (base, game) = address.trim().split_once('#').unwrap();
    assert_eq!(game, "congress");
    let ticket = base.strip_prefix(&format!("http://{}/", server.host)).unwrap();
    assert_ne!(ticket.trim_matches('/'), server.token);
    let request = format!("GET /{ticket} HTTP/1.1\r\nHost: {}\r\n\r\n", server.host);
    let answer = server.answer(&request);
    assert_status(&answer, "303");
    assert!(answer.contains(&format!("Location: /{}/\r\n", server.token)), "{answer}");
    assert_status(&server.answer(&request), "403");
}

#[test]
fn a_bad_command_line_is_refused() {
    for (words, fault) in [
        ("board gothic congress", "`congress` is not understood"),
        ("board --port 70000", "--port: `70000` is not"),
    ] {
        let refused = quadrille(words.split(' ')).run().refused();
        assert!(refused.contains(fault), "{refused}");
    }
}
