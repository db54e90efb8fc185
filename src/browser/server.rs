//! HTTP/1.1 as far as the page needs it, on the loopback address.
//!
//! The page is at `/TOKEN/`. It opens a stream of server-sent events, `GET /TOKEN/events/PAGE`, which
//! begins a dialogue and carries its lines, and sends lines with `POST /TOKEN/lines/PAGE`. The
//! dialogue ends with the stream.
//!
//! Only a browser that was given the address gets in: each request names this host, none comes from
//! a page elsewhere, and the token is secret. Everything is limited: the sizes of requests, the time
//! that they take, and the numbers of connections and dialogues.

use crate::engine::{Engine, Variant};
use crate::protocol;
use crate::search::STACK_BYTES;
use crate::system::sync::lock;
use crate::system::text::{MAX_LINE, plain};
use std::collections::{HashMap, VecDeque};
use std::fmt::Write as _;
use std::hash::{BuildHasher, RandomState};
use std::io::{self, ErrorKind, Read, Write};
use std::net::{Ipv4Addr, Shutdown, TcpListener, TcpStream};
use std::sync::mpsc::{Receiver, Sender, SyncSender, channel, sync_channel};
use std::sync::{Arc, Mutex};
use std::thread::Builder;
use std::time::{Duration, Instant};

/// Requests that may be read at once. One more ends the oldest of them.
const MAX_REQUESTS: usize = 64;
/// Pages that may be open at once. Each holds a connection, and browsers make at most six to a
/// server: one must remain for requests.
const MAX_PAGES: usize = 5;
/// The longest head of a request.
const MAX_HEAD: usize = 16 << 10;
/// The longest body: a line of the greatest length.
const MAX_BODY: usize = MAX_LINE as usize;
/// Bodies of a page that wait for its dialogue.
const MAX_BODIES: usize = 16;
/// Time in which a request must be complete.
const REQUEST_TIME: Duration = Duration::from_secs(5);
/// Time after which a browser that does not read is considered gone.
const WRITE_TIME: Duration = Duration::from_secs(10);

/// A change in the number of open pages.
pub(super) enum Event {
    Opened,
    Closed,
}

/// The server, which its connections share.
pub(super) struct Server {
    listener: TcpListener,
    /// The host and port that requests must name.
    host: String,
    token: String,
    /// Leads to the page once: other users of the machine may see the arguments of the browser.
    ticket: Mutex<Option<String>>,
    page: String,
    /// The inputs of the dialogues by the names of their pages.
    pages: Mutex<HashMap<String, SyncSender<Vec<u8>>>>,
    events: Mutex<Sender<Event>>,
    /// Asks for an engine. One thread creates them all, so that new ones reuse freed memory.
    engines: Mutex<Sender<Sender<Engine>>>,
    /// Connections whose requests are being read, the oldest first.
    requests: Mutex<VecDeque<(u64, TcpStream)>>,
}

/// A request, complete but for its body.
struct HttpRequest {
    method: String,
    path: String,
    length: usize,
    /// The beginning of the body, which came with the head.
    rest: Vec<u8>,
}

/// The head of a request without the empty line behind it, and the bytes read after that line.
type Head = (Vec<u8>, Vec<u8>);

/// An answer that refuses: the status and its reason.
type Refusal = (&'static str, &'static str);

impl Server {
    /// Binds `port` on the loopback address; if `None`, `usual`, or a free one if that is taken.
    pub(super) fn bind(
        port: Option<u16>,
        usual: u16,
        variants: &'static [Variant],
        page: String,
        events: Sender<Event>,
    ) -> io::Result<Arc<Self>> {
        let bind = |port| TcpListener::bind((Ipv4Addr::LOCALHOST, port));
        let listener = match port {
            Some(port) => bind(port),
            None => bind(usual).or_else(|_| bind(0)),
        }?;
        let (engines, asked) = channel::<Sender<Engine>>();
        Builder::new().spawn(move || {
            for page in asked {
                // It fails if the page has gone.
                drop(page.send(Engine::new(variants, variants[0]).sealed()));
            }
        })?;
        Ok(Arc::new(Self {
            host: listener.local_addr()?.to_string(),
            listener,
            token: secret(),
            ticket: Mutex::default(),
            page,
            pages: Mutex::default(),
            events: Mutex::new(events),
            engines: Mutex::new(engines),
            requests: Mutex::default(),
        }))
    }

    /// Returns the address of the page.
    pub(super) fn address(&self) -> String {
        format!("http://{}/{}/", self.host, self.token)
    }

    /// Returns an address that leads to the page once.
    pub(super) fn passing_address(&self) -> String {
        let ticket = secret();
        let address = format!("http://{}/{ticket}/", self.host);
        *lock(&self.ticket) = Some(ticket);
        address
    }

    /// Answers requests without end.
    pub(super) fn serve(self: &Arc<Self>) {
        for number in 0.. {
            let stream = match self.listener.accept() {
                Ok((stream, _)) => stream,
                Err(error) => {
                    log::warn!("board: {error}");
                    // One connection failed, or no file descriptor is left.
                    std::thread::sleep(Duration::from_millis(10));
                    continue;
                }
            };
            let shared = Arc::clone(self);
            let admitted = self.admit(number, &stream);
            let answer = move || shared.answer(number, stream);
            let builder = Builder::new().stack_size(STACK_BYTES);
            let spawned = admitted.and_then(|()| builder.spawn(answer));
            if let Err(error) = spawned {
                log::warn!("board: {error}");
                self.dismiss(number);
            }
        }
    }

    /// Notes a connection whose request is to be read, and ends the oldest if there are too many.
    fn admit(&self, number: u64, stream: &TcpStream) -> io::Result<()> {
        let mut requests = lock(&self.requests);
        requests.push_back((number, stream.try_clone()?));
        if requests.len() > MAX_REQUESTS
            && let Some((_, oldest)) = requests.pop_front()
        {
            // It may be closed already.
            let _ = oldest.shutdown(Shutdown::Both);
        }
        Ok(())
    }

    /// Forgets a connection whose request was read.
    fn dismiss(&self, number: u64) {
        lock(&self.requests).retain(|&(other, _)| other != number);
    }

    /// Reads the request of a connection and answers it.
    fn answer(&self, number: u64, mut stream: TcpStream) {
        if let Err(error) = self.handle(number, &mut stream) {
            log::debug!("board: connection {number}: {error}");
        }
        end(&mut stream);
        self.dismiss(number);
    }

    fn handle(&self, number: u64, stream: &mut TcpStream) -> io::Result<()> {
        stream.set_nodelay(true)?;
        let deadline = Instant::now() + REQUEST_TIME;
        let request = match read_head(stream, deadline)?.and_then(|head| self.check(head)) {
            Ok(request) => request,
            Err(refusal) => return refuse(stream, refusal),
        };
        let path: Vec<_> = request.path.split('/').collect();
        if path.get(1) != Some(&&*self.token) {
            let headers = format!("Location: /{}/\r\n", self.token);
            return respond(stream, "303 See Other", &headers, "");
        }
        match (&*request.method, &path[..]) {
            ("GET", ["", _, ""]) => self.send_page(stream),
            ("GET", ["", _, "events", page]) if is_name(page) => {
                self.dismiss(number);
                self.converse(stream, page)
            }
            ("POST", ["", _, "lines", page]) if is_name(page) => {
                match self.take_lines(stream, deadline, &request, page)? {
                    Ok(()) => respond(stream, "204 No Content", "", ""),
                    Err(refusal) => refuse(stream, refusal),
                }
            }
            ("GET" | "POST", _) => refuse(stream, ("404 Not Found", "there is nothing here")),
            _ => refuse(stream, ("405 Method Not Allowed", "GET or POST")),
        }
    }

    /// Judges the head of a request.
    fn check(&self, (head, rest): Head) -> Result<HttpRequest, Refusal> {
        let bad = ("400 Bad Request", "this is not HTTP/1.1");
        let head = String::from_utf8(head).map_err(|_| bad)?;
        let mut lines = head.split("\r\n");
        let first: Vec<_> = lines.next().unwrap_or_default().split(' ').collect();
        let [method, path, "HTTP/1.1"] = first[..] else {
            return Err(bad);
        };
        let mut headers = HashMap::new();
        for line in lines {
            let (name, value) = line.split_once(':').ok_or(bad)?;
            let name = name.to_ascii_lowercase();
            let is_single = ["host", "origin", "content-length"].contains(&&*name);
            if headers.insert(name, value.trim()).is_some() && is_single {
                return Err(bad);
            }
        }
        let header = |name| headers.get(name).copied();
        if header("host") != Some(&self.host) {
            return Err(("403 Forbidden", "the request names another host"));
        }
        let is_own = |origin: &str| origin.strip_prefix("http://") == Some(&self.host);
        let is_from_elsewhere = match header("origin") {
            Some(origin) => !is_own(origin),
            // Browsers name the origin of each POST.
            None => method == "POST",
        };
        let site = header("sec-fetch-site").unwrap_or("none");
        if is_from_elsewhere || !["none", "same-origin"].contains(&site) {
            return Err(("403 Forbidden", "the request comes from another page"));
        }
        let token = path.strip_prefix('/').and_then(|path| path.split('/').next());
        if token != Some(&self.token) && !self.takes_ticket(token) {
            return Err(("403 Forbidden", "the address is not the one that was printed"));
        }
        let length = header("content-length").map(|text| plain(text).ok_or(bad));
        let length = length.transpose()?;
        if header("transfer-encoding").is_some() || method == "POST" && length.is_none() {
            return Err(("411 Length Required", "the length of the body is missing"));
        }
        Ok(HttpRequest {
            method: method.to_string(),
            path: path.to_string(),
            length: length.unwrap_or(0),
            rest,
        })
    }

    /// Returns true for the ticket, which is worth nothing from then on.
    fn takes_ticket(&self, token: Option<&str>) -> bool {
        let mut ticket = lock(&self.ticket);
        ticket.take_if(|ticket| token == Some(ticket)).is_some()
    }

    fn send_page(&self, stream: &mut TcpStream) -> io::Result<()> {
        let nonce = secret();
        let headers = format!(
            "Content-Type: text/html; charset=utf-8\r\n\
             Content-Security-Policy: default-src 'none'; script-src 'nonce-{nonce}'; \
             style-src 'nonce-{nonce}'; connect-src 'self'; img-src blob:; base-uri 'none'; form-action 'none'; \
             frame-ancestors 'none'\r\n"
        );
        respond(stream, "200 OK", &headers, &self.page.replace("@NONCE@", &nonce))
    }

    /// Passes the lines of a page to its dialogue.
    fn take_lines(
        &self,
        stream: &mut TcpStream,
        deadline: Instant,
        request: &HttpRequest,
        page: &str,
    ) -> io::Result<Result<(), Refusal>> {
        if request.length > MAX_BODY || request.rest.len() > request.length {
            return Ok(Err(("413 Content Too Large", "the body is too long")));
        }
        let mut body = request.rest.clone();
        while body.len() < request.length {
            let mut piece = [0; 1 << 14];
            let most = piece.len().min(request.length - body.len());
            let count = read(stream, &mut piece[..most], deadline)?;
            body.extend_from_slice(&piece[..count]);
        }
        if !body.ends_with(b"\n") {
            body.push(b'\n');
        }
        let Some(input) = lock(&self.pages).get(page).cloned() else {
            return Ok(Err(("404 Not Found", "the page is closed")));
        };
        let sent = input.try_send(body);
        Ok(sent.map_err(|_| ("503 Service Unavailable", "too many lines wait")))
    }

    /// Leads the dialogue of a page until the page is closed.
    fn converse(&self, stream: &mut TcpStream, page: &str) -> io::Result<()> {
        let (sender, input) = sync_channel(MAX_BODIES);
        {
            let mut pages = lock(&self.pages);
            if pages.len() >= MAX_PAGES || pages.contains_key(page) {
                drop(pages);
                let refusal = ("503 Service Unavailable", "5 pages are open; close one");
                return refuse(stream, refusal);
            }
            pages.insert(page.to_string(), sender.clone());
        }
        self.report(Event::Opened);
        let conversed = self.dialogue(stream, sender, input);
        lock(&self.pages).remove(page);
        self.report(Event::Closed);
        conversed
    }

    fn dialogue(
        &self,
        stream: &mut TcpStream,
        sender: SyncSender<Vec<u8>>,
        input: Receiver<Vec<u8>>,
    ) -> io::Result<()> {
        stream.set_read_timeout(None)?;
        // Firefox reports the answer only with the first byte of its body: a comment.
        let head = head("200 OK", "Content-Type: text/event-stream\r\n");
        write(stream, format!("{head}:\n\n").as_bytes())?;
        let mut watched = stream.try_clone()?;
        Builder::new().spawn(move || {
            // Nothing more is said on this connection: what can be read is its end.
            while matches!(watched.read(&mut [0; 64]), Ok(1..)) {}
            // It fails if the dialogue has ended.
            let _ = sender.send(b"quit\n".to_vec());
        })?;
        let (page, created) = channel();
        lock(&self.engines).send(page).map_err(io::Error::other)?;
        let engine = created.recv().map_err(io::Error::other)?;
        let input = PageInput { input, rest: io::Cursor::default() };
        protocol::run(engine, input, Events(stream.try_clone()?))
    }

    fn report(&self, event: Event) {
        // It fails while the program ends.
        let _ = lock(&self.events).send(event);
    }
}

/// Lines from the page as an input.
struct PageInput {
    input: Receiver<Vec<u8>>,
    rest: io::Cursor<Vec<u8>>,
}

impl Read for PageInput {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        loop {
            match self.rest.read(buffer)? {
                0 => match self.input.recv() {
                    Ok(body) => self.rest = io::Cursor::new(body),
                    Err(_) => return Ok(0),
                },
                count => return Ok(count),
            }
        }
    }
}

/// Whole lines to the page as server-sent events.
struct Events(TcpStream);

impl Write for Events {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let mut events = String::new();
        for line in String::from_utf8_lossy(bytes).lines() {
            // Writing to a string cannot fail.
            let _ = write!(events, "data: {line}\n\n");
        }
        write(&mut self.0, events.as_bytes())?;
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        self.0.flush()
    }
}

/// Returns true for a name that a page may give itself.
fn is_name(text: &str) -> bool {
    (1..=64).contains(&text.len()) && text.bytes().all(|byte| byte.is_ascii_alphanumeric())
}

/// Returns 128 bits that nobody can guess, in hexadecimal digits: the standard library hashes with
/// keys from the system.
fn secret() -> String {
    let state = RandomState::new();
    format!("{:016x}{:016x}", state.hash_one(1), state.hash_one(2))
}

/// Reads some bytes before a deadline.
fn read(stream: &mut TcpStream, buffer: &mut [u8], deadline: Instant) -> io::Result<usize> {
    let left = deadline.saturating_duration_since(Instant::now());
    if left.is_zero() {
        return Err(ErrorKind::TimedOut.into());
    }
    stream.set_read_timeout(Some(left))?;
    match stream.read(buffer)? {
        0 => Err(ErrorKind::UnexpectedEof.into()),
        count => Ok(count),
    }
}

/// Writes all bytes within [`WRITE_TIME`], or fails.
fn write(stream: &mut TcpStream, mut bytes: &[u8]) -> io::Result<()> {
    let deadline = Instant::now() + WRITE_TIME;
    while !bytes.is_empty() {
        let left = deadline.saturating_duration_since(Instant::now());
        if left.is_zero() {
            return Err(ErrorKind::TimedOut.into());
        }
        stream.set_write_timeout(Some(left))?;
        match stream.write(bytes) {
            Ok(0) => return Err(ErrorKind::WriteZero.into()),
            Ok(count) => bytes = &bytes[count..],
            Err(error) if error.kind() == ErrorKind::Interrupted => {}
            Err(error) => return Err(error),
        }
    }
    Ok(())
}

/// Reads the head of a request. Returns it with the first bytes of the body, if any came along.
fn read_head(stream: &mut TcpStream, deadline: Instant) -> io::Result<Result<Head, Refusal>> {
    const END: &[u8] = b"\r\n\r\n";
    let mut bytes = Vec::new();
    let mut piece = [0; 4096];
    loop {
        let count = read(stream, &mut piece, deadline)?;
        let searched = bytes.len().saturating_sub(END.len());
        bytes.extend_from_slice(&piece[..count]);
        let found = bytes[searched..].windows(END.len()).position(|part| part == END);
        if let Some(at) = found.filter(|at| searched + at <= MAX_HEAD) {
            let rest = bytes.split_off(searched + at + END.len());
            bytes.truncate(searched + at);
            return Ok(Ok((bytes, rest)));
        }
        if bytes.len() > MAX_HEAD {
            return Ok(Err(("431 Request Header Fields Too Large", "the head is too long")));
        }
    }
}

/// Returns the head of an answer.
fn head(status: &str, headers: &str) -> String {
    format!(
        "HTTP/1.1 {status}\r\n{headers}Connection: close\r\nCache-Control: no-store\r\n\
         X-Content-Type-Options: nosniff\r\nReferrer-Policy: no-referrer\r\n\
         Cross-Origin-Resource-Policy: same-origin\r\nCross-Origin-Opener-Policy: same-origin\r\n\r\n"
    )
}

fn respond(stream: &mut TcpStream, status: &str, headers: &str, body: &str) -> io::Result<()> {
    let headers = if status.starts_with("204") {
        headers.to_string()
    } else {
        format!("{headers}Content-Length: {}\r\n", body.len())
    };
    write(stream, format!("{}{body}", head(status, &headers)).as_bytes())
}

fn refuse(stream: &mut TcpStream, (status, reason): Refusal) -> io::Result<()> {
    log::info!("board: refused, {status}: {reason}");
    let text = format!("{reason}\n");
    respond(stream, status, "Content-Type: text/plain; charset=utf-8\r\n", &text)
}

/// Closes a connection. What the client still sends is read for a moment, since the system would
/// otherwise drop the answer with it.
fn end(stream: &mut TcpStream) {
    const MOMENT: Duration = Duration::from_millis(500);
    const MOST: usize = 64;
    let deadline = Instant::now() + MOMENT;
    let mut piece = [0; 4096];
    // The client may have closed it.
    let _ = stream.shutdown(Shutdown::Write);
    for _ in 0..MOST {
        if read(stream, &mut piece, deadline).is_err() {
            break;
        }
    }
    let _ = stream.shutdown(Shutdown::Both);
}
