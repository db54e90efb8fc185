//! Firefox and WebKitGTK, driven by the commands of WebDriver: through Marionette, Firefox's own protocol, and over HTTP.

use super::driver::{BackEnd, Hand, LIMIT, NAMES, Point, SOON, Step, text};
use crate::common::program::{Program, scratch, wait_for};
use quadrille::records::json::{Object, array, string};
use std::cell::RefCell;
use std::io::{BufRead, BufReader, Read, Write};
use std::net::{Ipv4Addr, TcpListener, TcpStream};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::OnceLock;

/// Name of a command for Marionette, method and path over HTTP.
type Method = (&'static str, &'static str, &'static str);

const NEW_SESSION: Method = ("WebDriver:NewSession", "POST", "");
const DELETE_SESSION: Method = ("WebDriver:DeleteSession", "DELETE", "");
const SET_TIMEOUTS: Method = ("WebDriver:SetTimeouts", "POST", "/timeouts");
const NEW_WINDOW: Method = ("WebDriver:NewWindow", "POST", "/window/new");
const CLOSE_WINDOW: Method = ("WebDriver:CloseWindow", "DELETE", "/window");
const SWITCH: Method = ("WebDriver:SwitchToWindow", "POST", "/window");
const SET_RECT: Method = ("WebDriver:SetWindowRect", "POST", "/window/rect");
const NAVIGATE: Method = ("WebDriver:Navigate", "POST", "/url");
const REFRESH: Method = ("WebDriver:Refresh", "POST", "/refresh");
const EXECUTE: Method = ("WebDriver:ExecuteAsyncScript", "POST", "/execute/async");
const ACT: Method = ("WebDriver:PerformActions", "POST", "/actions");
/// Marionette alone has these: scripts of the browser itself, and its end.
const SET_CONTEXT: Method = ("Marionette:SetContext", "", "");
const QUIT: Method = ("Marionette:Quit", "", "");

/// Of Firefox: any free port, which it writes into the profile; and no pages or processes that nobody asked for.
const PREFERENCES: &str = "user_pref(\"marionette.port\", 0);\n\
    user_pref(\"browser.startup.page\", 0);\n\
    user_pref(\"browser.newtab.preload\", false);\n\
    user_pref(\"dom.ipc.processPrelaunch.enabled\", false);\n";

/// Evaluates an expression as a script of the page, whose policy asks for its nonce: only there are its names in reach.
/// They get the short ones once it is loaded. The answer begins with a letter for its kind.
const EVALUATE: &str = "\
    const [names, expression, answer] = arguments; \
    const run = (source) => { \
      const script = document.createElement('script'); \
      script.nonce = document.querySelector('script[nonce]')?.nonce ?? ''; \
      script.textContent = source; \
      document.documentElement.append(script); \
      script.remove(); }; \
    if (!window.faults) run(names); \
    window.answer = null; \
    run(`answer = (async () => String(await (${expression})))()`); \
    if (window.answer) window.answer.then((value) => answer('=' + value), (error) => answer('!' + error)); \
    else answer('!no script');";

/// How commands go to a browser.
enum Link {
    Marionette {
        stream: BufReader<TcpStream>,
        /// The number of the last command.
        last: u32,
    },
    Http {
        host: String,
        /// Empty before there is one.
        session: String,
    },
}

impl Link {
    /// Returns the answer to a command, or its error.
    fn call(&mut self, (name, method, path): Method, params: Object) -> Result<String, String> {
        match self {
            Self::Marionette { stream, last } => {
                *last += 1;
                let command = array(["0", &last.to_string(), &string(name), &params.to_string()]);
                write!(stream.get_mut(), "{}:{command}", command.len()).unwrap();
                let answer = read_message(stream);
                let is_fine = answer.starts_with(&format!("[1,{last},null,"));
                if is_fine { Ok(answer) } else { Err(answer) }
            }
            Self::Http { host, session } => {
                let body = params.to_string();
                let request = format!(
                    "{method} /session{session}{path} HTTP/1.1\r\nHost: {host}\r\nConnection: close\r\n\
                     Content-Length: {}\r\n\r\n{body}",
                    body.len()
                );
                let mut stream = TcpStream::connect(&*host).map_err(|error| error.to_string())?;
                stream.set_read_timeout(Some(LIMIT)).unwrap();
                stream.write_all(request.as_bytes()).unwrap();
                let mut answer = String::new();
                stream.read_to_string(&mut answer).unwrap();
                let is_fine = answer.starts_with("HTTP/1.1 200");
                if is_fine { Ok(answer) } else { Err(answer) }
            }
        }
    }
}

/// Reads `LENGTH:TEXT`.
fn read_message(stream: &mut impl BufRead) -> String {
    let mut length = Vec::new();
    stream.read_until(b':', &mut length).unwrap();
    length.pop();
    let length = String::from_utf8(length).unwrap();
    let mut message = vec![0; length.parse().expect("a length")];
    stream.read_exact(&mut message).unwrap();
    String::from_utf8(message).unwrap()
}

/// A running browser.
pub(super) struct WebDriver {
    link: RefCell<Link>,
    /// The page that commands reach.
    current: RefCell<String>,
    /// Killed when they are dropped.
    programs: Vec<Program>,
}

impl WebDriver {
    fn new(mut link: Link, programs: Vec<Program>) -> Self {
        let capabilities = Object::new().with("capabilities", Object::new());
        let answer = link.call(NEW_SESSION, capabilities).unwrap();
        if let Link::Http { session, .. } = &mut link {
            *session = format!("/{}", text(&answer, "sessionId"));
        }
        let driver = Self { link: RefCell::new(link), current: RefCell::default(), programs };
        let limit = Object::new().with("script", SOON.as_millis());
        driver.call(SET_TIMEOUTS, limit).unwrap();
        driver
    }

    /// Starts Firefox with a profile in a folder: a copy of one in which it has run, which halves the time it takes.
    pub(super) fn firefox(folder: &str) -> Self {
        static PROFILE: OnceLock<PathBuf> = OnceLock::new();
        let ready = PROFILE.get_or_init(|| {
            let profile = scratch("browser/firefox");
            std::fs::write(profile.join("user.js"), PREFERENCES).unwrap();
            let mut first = Self::run_firefox(&profile);
            let quit = Object::new().with("flags", array([string("eForceQuit")]));
            first.call(QUIT, quit).unwrap();
            first.programs[0].wait_within(SOON);
            profile
        });
        let profile = scratch(folder);
        let copied = Command::new("cp").arg("-r").arg(ready.join(".")).arg(&profile).status();
        assert!(copied.unwrap().success());
        Self::run_firefox(&profile)
    }

    /// Starts Firefox with this profile.
    fn run_firefox(profile: &Path) -> Self {
        let port = profile.join("MarionetteActivePort");
        let _ = std::fs::remove_file(&port);
        let mut command = Command::new("firefox");
        command.args(["--headless", "--marionette", "--remote-allow-system-access"]);
        command.arg("--no-remote").arg("--profile").arg(profile);
        let program = start(command.stdout(Stdio::null()), profile);
        let mut stream = None;
        wait_for("Firefox", SOON, || {
            let port = std::fs::read_to_string(&port).ok();
            let port = port.and_then(|port| port.trim().parse::<u16>().ok());
            stream = port.and_then(|port| TcpStream::connect((Ipv4Addr::LOCALHOST, port)).ok());
            stream.is_some()
        });
        let stream = stream.unwrap();
        stream.set_read_timeout(Some(LIMIT)).unwrap();
        let mut stream = BufReader::new(stream);
        read_message(&mut stream);
        Self::new(Link::Marionette { stream, last: 0 }, vec![program])
    }

    /// Starts WebKitGTK's small browser on a screen of its own, with its files in a folder.
    pub(super) fn webkit(folder: &str) -> Self {
        let folder = scratch(folder);
        // Without a window manager the window under the mouse has the keys. It rests in the middle of this small screen,
        // where all windows are, greater ones too.
        let mut command = Command::new("Xvfb");
        command.args(["-displayfd", "1", "-screen", "0", "640x480x24", "-nolisten", "tcp"]);
        let mut screen = start(command.stdout(Stdio::piped()), &folder);
        let display = screen.lines().recv_timeout(SOON).expect("a display");
        // A toolbar would keep windows from becoming as narrow as phones.
        let style = folder.join("gtk-3.0");
        std::fs::create_dir(&style).unwrap();
        std::fs::write(style.join("gtk.css"), "* { min-width: 0; padding: 0; }").unwrap();
        let free = TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).unwrap();
        let host = free.local_addr().unwrap();
        drop(free);
        let mut command = Command::new("WebKitWebDriver");
        command.arg(format!("--port={}", host.port()));
        command.env("DISPLAY", format!(":{}", display.trim()));
        let program = start(command.stdout(Stdio::null()), &folder);
        wait_for("WebKit's driver", SOON, || TcpStream::connect(host).is_ok());
        let (host, session) = (host.to_string(), String::new());
        Self::new(Link::Http { host, session }, vec![program, screen])
    }

    fn call(&self, method: Method, params: Object) -> Result<String, String> {
        self.link.borrow_mut().call(method, params)
    }

    fn is_firefox(&self) -> bool {
        matches!(*self.link.borrow(), Link::Marionette { .. })
    }

    /// Calls a method of a page.
    fn of_page(&self, page: &str, method: Method, params: Object) -> Result<String, String> {
        if *self.current.borrow() != page {
            self.call(SWITCH, Object::new().with("handle", string(page)))?;
            *self.current.borrow_mut() = page.to_string();
        }
        self.call(method, params)
    }

    /// Lets a source of input act: the keys, the wheel, or a pointer of a kind.
    fn act(&self, page: &str, source: &str, actions: &[Object]) {
        if actions.is_empty() {
            return;
        }
        let is_pointer = ["mouse", "touch"].contains(&source);
        let pointer = Object::new().with("pointerType", string(source));
        let source = Object::new()
            .with("type", string(if is_pointer { "pointer" } else { source }))
            .with("id", string(source))
            .with_some("parameters", is_pointer.then_some(pointer))
            .with("actions", array(actions));
        let params = Object::new().with("actions", array([source]));
        self.of_page(page, ACT, params).unwrap();
    }

    /// Steps with the right button, which WebKitGTK's driver never releases: a script does them.
    fn draw(&self, page: &str, steps: &[(Step, Point)], modifiers: u8) {
        let [alt, ctrl, shift] = [1, 2, 8].map(|bit| modifiers & bit != 0);
        for (step, (x, y)) in steps {
            let name = match step {
                Step::Move => "move",
                Step::Press => "down",
                Step::Release => "up",
            };
            let event = format!(
                "document.elementFromPoint({x}, {y}).dispatchEvent(new PointerEvent('pointer{name}', {{ \
                   bubbles: true, pointerId: 1, button: 2, clientX: {x}, clientY: {y}, \
                   altKey: {alt}, ctrlKey: {ctrl}, shiftKey: {shift} }}))"
            );
            self.value(page, &event).unwrap();
        }
    }

    /// Runs a script of Firefox itself, for the window of a page.
    fn in_firefox(&self, page: &str, script: &str) {
        let context = |name| Object::new().with("value", string(name));
        self.of_page(page, SET_CONTEXT, context("chrome")).unwrap();
        let script = string(&format!("{script}; arguments[0]();"));
        let script = Object::new().with("script", script).with("args", "[]");
        self.call(EXECUTE, script).unwrap();
        self.call(SET_CONTEXT, context("content")).unwrap();
    }
}

impl Drop for WebDriver {
    fn drop(&mut self) {
        // WebKit's browser is no child of this program.
        if !self.is_firefox() {
            let _ = self.call(DELETE_SESSION, Object::new());
        }
    }
}

/// Starts a program whose files are in a folder.
fn start(command: &mut Command, folder: &Path) -> Program {
    for name in ["HOME", "XDG_CONFIG_HOME", "XDG_RUNTIME_DIR"] {
        command.env(name, folder);
    }
    Program::start_for(command.stdin(Stdio::null()).stderr(Stdio::null()), LIMIT)
}

fn action(kind: &str) -> Object {
    Object::new().with("type", string(kind))
}

/// Adds a point, in whole pixels, to an action.
fn at(action: Object, (x, y): Point) -> Object {
    action.with("x", x.round()).with("y", y.round())
}

/// Returns the letter by which WebDriver knows a key.
fn letter(key: &str) -> String {
    let letter = match key {
        "Tab" => '\u{e004}',
        "Enter" => '\u{e006}',
        "Alt" => '\u{e00a}',
        "Control" => '\u{e009}',
        "Shift" => '\u{e008}',
        "Escape" => '\u{e00c}',
        "PageUp" => '\u{e00e}',
        "PageDown" => '\u{e00f}',
        "End" => '\u{e010}',
        "Home" => '\u{e011}',
        "ArrowLeft" => '\u{e012}',
        "ArrowUp" => '\u{e013}',
        "ArrowRight" => '\u{e014}',
        "ArrowDown" => '\u{e015}',
        _ => return key.to_string(),
    };
    letter.to_string()
}

fn key(kind: &str, key: &str) -> Object {
    action(kind).with("value", string(&letter(key)))
}

impl BackEnd for WebDriver {
    fn open(&self, address: &str) -> String {
        let window = Object::new().with("type", string("window")).with("focus", true);
        let page = text(&self.call(NEW_WINDOW, window).unwrap(), "handle");
        self.resize(&page, 1280, 800);
        let to = Object::new().with("url", string(address));
        self.of_page(&page, NAVIGATE, to).unwrap();
        page
    }

    fn close(&self, page: &str) {
        let left = self.of_page(page, CLOSE_WINDOW, Object::new()).unwrap();
        // Commands go on from a window that is left: the first one is never closed.
        let (_, left) = left.rsplit_once("[\"").unwrap();
        let (first, _) = left.split_once('"').unwrap();
        self.call(SWITCH, Object::new().with("handle", string(first))).unwrap();
        self.current.borrow_mut().clear();
    }

    fn reload(&self, page: &str) {
        self.of_page(page, REFRESH, Object::new()).unwrap();
    }

    fn value(&self, page: &str, expression: &str) -> Result<String, String> {
        let names = [NAMES, include_str!("check.js")].concat();
        let params = Object::new()
            .with("script", string(EVALUATE))
            .with("args", array([&*names, expression].map(string)));
        let answer = self.of_page(page, EXECUTE, params)?;
        // Firefox answers `null` for a page that goes.
        if !answer.contains("\"value\":\"") {
            return Err(answer);
        }
        let answer = text(&answer, "value");
        let value = answer.strip_prefix('=').map(str::to_string);
        value.ok_or(answer)
    }

    fn point(&self, page: &str, hand: Hand, steps: &[(Step, Point)]) {
        // WebKitGTK's driver has no fingers: there it is a mouse.
        let (pointer, button, modifiers) = match hand {
            Hand::LeftButton => ("mouse", 0, 0),
            Hand::RightButton(modifiers) => ("mouse", 2, modifiers),
            Hand::Finger => ("touch", 0, 0),
        };
        let held = [("Alt", 1), ("Control", 2), ("Shift", 8)];
        if button == 2 && !self.is_firefox() {
            return self.draw(page, steps, modifiers);
        }
        let held = held.iter().filter(|(_, bit)| modifiers & bit != 0);
        let keys = |kind| -> Vec<_> { held.clone().map(|&(name, _)| key(kind, name)).collect() };
        let actions: Vec<_> = steps
            .iter()
            .flat_map(|&(step, point)| {
                let to = action("pointerMove").with("duration", 0);
                let then = match step {
                    Step::Move => None,
                    Step::Press => Some("pointerDown"),
                    Step::Release => Some("pointerUp"),
                };
                let then = then.map(|kind| action(kind).with("button", button));
                [Some(at(to, point)), then].into_iter().flatten()
            })
            .collect();
        self.act(page, "key", &keys("keyDown"));
        self.act(page, pointer, &actions);
        self.act(page, "key", &keys("keyUp"));
    }

    fn wheel(&self, page: &str, point: Point, distance: i32) {
        let scroll = action("scroll").with("deltaX", 0).with("deltaY", distance);
        self.act(page, "wheel", &[at(scroll, point)]);
    }

    fn press(&self, page: &str, keys: &[&str]) {
        let mut actions = Vec::new();
        for name in keys {
            // A person holds Shift for these, and WebKit asks for it.
            let is_shifted = name.len() == 1
                && name.contains(|c: char| c.is_uppercase() || "?<>+:\"".contains(c));
            actions.extend(is_shifted.then(|| key("keyDown", "Shift")));
            actions.extend([key("keyDown", name), key("keyUp", name)]);
            actions.extend(is_shifted.then(|| key("keyUp", "Shift")));
        }
        self.act(page, "key", &actions);
    }

    fn resize(&self, page: &str, width: u32, height: u32) {
        if self.is_firefox() {
            // Its windows are no narrower than their toolbars, but what they show may be.
            let style = format!(
                "for (const [name, size] of [['width', {width}], ['height', {height}]]) \
                   for (const limit of ['', 'min-', 'max-']) \
                     gBrowser.selectedBrowser.style.setProperty(limit + name, size + 'px')"
            );
            return self.in_firefox(page, &style);
        }
        let frame = self.value(page, "outerHeight - innerHeight").unwrap();
        let frame: u32 = frame.parse().unwrap();
        let rect = Object::new().with("width", width).with("height", height + frame);
        self.of_page(page, SET_RECT, rect).unwrap();
    }

    fn prefer(&self, page: &str, name: &str, value: &str) {
        if self.is_firefox() {
            let (setting, value) = match name {
                "reduced-motion" => ("ui.prefersReducedMotion", value == "reduce"),
                _ => panic!("{name}: not asked for in Firefox yet"),
            };
            let value = u8::from(value);
            return self
                .in_firefox(page, &format!("Services.prefs.setIntPref('{setting}', {value})"));
        }
        // WebKit asks the desktop: here its scripts alone are deceived.
        let query = string(&format!("(prefers-{name}: {value})"));
        let ask =
            format!("(window.matchMedia = (query) => ({{ matches: query === {query} }}), true)");
        self.value(page, &ask).unwrap();
    }
}
