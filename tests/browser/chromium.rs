//! Chromium without a screen, driven by its DevTools protocol through pipes.

use crate::common::program::{Program, scratch, wait_for};
use quadrille::records::json::{Object, string};
use std::cell::RefCell;
use std::io::{BufRead, BufReader, Write};
use std::process::{ChildStdin, Command};
use std::sync::mpsc::{Receiver, channel};
use std::time::{Duration, Instant};

/// Time limit of a browser.
const LIMIT: Duration = Duration::from_secs(600);
/// Time limit of an answer, and of what a page does, on a busy machine.
const SOON: Duration = Duration::from_secs(150);

/// Short names for what tests ask of the page, and a list of what went wrong in it.
const NAMES: &str = "{ \
    window.faults = []; \
    addEventListener('error', ({ message }) => faults.push(message)); \
    addEventListener('unhandledrejection', ({ reason }) => faults.push(String(reason))); \
    window.inputs = []; \
    for (const type of ['keydown', 'pointerdown', 'pointerup', 'wheel', 'click']) \
      addEventListener(type, ({ key, target, clientX, clientY }) => \
        inputs.push([type, key, target.id, clientX, clientY].filter(Boolean).join(' ')), true); \
    const names = { \
      here: () => () => state.here, at: () => state.at, last: () => () => state.line.length - 1, \
      outcome: () => () => state.outcome, flipped: () => state.flipped, pgn: () => () => state.pgn, \
      game: () => ({ root: state.root, plies: state.line, undo: state.record.undo, variant: state.record.variant, \
        tip: state.game?.tip, control: state.game?.control }), \
      clock: () => state.game?.clock, left: () => (side) => clocks.left(state.game.clock, side, Date.now()), \
      isThinking: () => control.thinking, canMove: () => control.canMove, queue: () => control.queue, \
      fault: () => control.fault, premove: () => control.premove, play: () => control.play, go: () => control.go, \
      begin: () => (variant, start) => control.begin(variant, start), change: () => control.act, \
      undo: () => control.undo, isJudging: () => state.mode === 'judge', setUp: () => state.mode === 'set up', \
      lifted: () => board.lifted, cursor: () => board.cursor, marks: () => board.marks, slide: () => motion.slide, \
      found: () => analysis.found && { ...analysis.found, ply: analysis.found.node }, given: () => control.given }; \
    for (const [name, get] of Object.entries(names)) Object.defineProperty(window, name, { get, configurable: true }); }";

/// The state of a page and what it heard last, which say why it did not come to where it should.
const CONDITION: &str = "(() => { try { return JSON.stringify({ \
    mode: state.mode, at: state.at, last: last(), effects: Boolean(here().effects), analyses: state.analyses, \
    isThinking, searches: Boolean(control.searched), isOnline: engine.isOnline, lifted, fault, faults, \
    dialog: document.querySelector('dialog[open]')?.id, inputs: inputs.slice(-8) }); } \
    catch (error) { return error.message; } })()";

/// A running browser.
pub(super) struct Chromium {
    /// Killed when it is dropped.
    _program: Program,
    link: RefCell<Link>,
}

struct Link {
    input: ChildStdin,
    messages: Receiver<String>,
    /// The number of the last call.
    last: u32,
}

impl Chromium {
    /// Starts a browser with a profile in a folder named after its test.
    pub(super) fn start(name: &str) -> Self {
        let profile = scratch(&format!("browser/{name}"));
        let profile = profile.display();
        // It reads file 3 and writes file 4.
        let line = format!(
            "exec chromium --headless=new --no-sandbox --disable-gpu --disable-dev-shm-usage \
             --no-first-run --remote-debugging-pipe --window-size=1280,900 \
             '--user-data-dir={profile}' about:blank 3<&0 4>&1"
        );
        let mut command = Command::new("sh");
        command.args(["-c", &line]).env("HOME", profile.to_string());
        let mut program = Program::piped(&mut command, LIMIT);
        // What it says of itself is read, so that it never waits.
        let mut errors = program.stderr.take().unwrap();
        std::thread::spawn(move || std::io::copy(&mut errors, &mut std::io::sink()));
        let output = program.stdout.take().unwrap();
        let (sender, messages) = channel();
        std::thread::spawn(move || {
            for message in BufReader::new(output).split(0).map_while(Result::ok) {
                if sender.send(String::from_utf8(message).unwrap()).is_err() {
                    return;
                }
            }
        });
        let input = program.stdin.take().unwrap();
        let link = Link {
            input,
            messages,
            last: 0,
        };
        Self {
            _program: program,
            link: RefCell::new(link),
        }
    }

    /// Calls a method, of a page if a session is named, and returns the answer.
    fn call(&self, session: Option<&str>, method: &str, params: Object) -> String {
        let mut link = self.link.borrow_mut();
        link.last += 1;
        let call = Object::new()
            .with("id", link.last)
            .with("method", string(method))
            .with("params", params)
            .with_some("sessionId", session.map(string));
        write!(link.input, "{call}\0").expect("chromium (Debian's package) runs");
        let begin = format!("{{\"id\":{},", link.last);
        loop {
            let message = link.messages.recv_timeout(SOON);
            let message = message.unwrap_or_else(|error| panic!("{method}: {error}"));
            if message.starts_with(&begin) {
                return message;
            }
        }
    }

    /// Opens a page and waits until its game has begun.
    pub(super) fn open(&self, address: &str) -> Page<'_> {
        let page = self.visit(address);
        page.until("state.mode !== 'begin' && here().effects !== undefined");
        page
    }

    /// Opens a page.
    pub(super) fn visit(&self, address: &str) -> Page<'_> {
        let blank = Object::new().with("url", string("about:blank"));
        let target = text(&self.call(None, "Target.createTarget", blank), "targetId");
        let attach = Object::new()
            .with("targetId", string(&target))
            .with("flatten", true);
        let session = text(
            &self.call(None, "Target.attachToTarget", attach),
            "sessionId",
        );
        let page = Page {
            browser: self,
            session,
            target,
        };
        let source = [NAMES, include_str!("check.js")].concat();
        let names = Object::new().with("source", string(&source));
        page.call("Page.enable", Object::new());
        page.call("Page.addScriptToEvaluateOnNewDocument", names);
        let to = Object::new().with("url", string(address));
        page.call("Page.navigate", to);
        page
    }
}

/// A page in a browser.
pub(super) struct Page<'b> {
    browser: &'b Chromium,
    session: String,
    target: String,
}

impl Page<'_> {
    fn call(&self, method: &str, params: Object) -> String {
        self.browser.call(Some(&self.session), method, params)
    }

    /// The value of an expression as text.
    #[track_caller]
    pub(super) fn value(&self, expression: &str) -> String {
        let expression = format!("(async () => String(await ({expression})))()");
        let params = Object::new()
            .with("expression", string(&expression))
            .with("awaitPromise", true)
            .with("returnByValue", true);
        let answer = self.call("Runtime.evaluate", params);
        assert!(
            !answer.contains("\"exceptionDetails\""),
            "{expression}: {answer}"
        );
        text(&answer, "value")
    }

    /// Waits until an expression is true.
    #[track_caller]
    pub(super) fn until(&self, expression: &str) {
        let safe = format!(
            "(() => {{ try {{ return Boolean({expression}); }} catch {{ return false; }} }})()"
        );
        let begun = Instant::now();
        while self.value(&safe) != "true" {
            assert!(
                begun.elapsed() < SOON,
                "not seen in {SOON:?}: {expression} in {}",
                self.value(CONDITION)
            );
            std::thread::sleep(Duration::from_millis(2));
        }
    }

    fn mouse(&self, kind: &str, point: (f64, f64)) {
        self.mouse_with(kind, point, "left", 0);
    }

    fn mouse_with(&self, kind: &str, (x, y): (f64, f64), button: &str, modifiers: u8) {
        let buttons = u8::from(kind != "mouseReleased") << u8::from(button == "right");
        let params = Object::new()
            .with("type", string(kind))
            .with("x", x)
            .with("y", y)
            .with("button", string(button))
            .with("buttons", buttons)
            .with("clickCount", u8::from(kind != "mouseMoved"))
            .with("modifiers", modifiers);
        self.call("Input.dispatchMouseEvent", params);
    }

    /// Draws with the right button from one square to another. The modifiers are 1 for Alt, 2 for Ctrl,
    /// 8 for Shift, or a sum of them.
    pub(super) fn draw(&self, from: &str, to: &str, modifiers: u8) {
        self.mouse_with("mousePressed", self.square(from), "right", modifiers);
        self.mouse_with("mouseMoved", self.square(to), "right", modifiers);
        self.mouse_with("mouseReleased", self.square(to), "right", modifiers);
    }

    /// Turns the wheel over a square.
    pub(super) fn wheel(&self, square: &str, distance: i32) {
        let (x, y) = self.square(square);
        let params = Object::new()
            .with("type", string("mouseWheel"))
            .with("x", x)
            .with("y", y)
            .with("deltaX", 0)
            .with("deltaY", distance);
        self.call("Input.dispatchMouseEvent", params);
    }

    /// Presses keys, named as in events of browsers.
    pub(super) fn press(&self, keys: &[&str]) {
        for key in keys {
            let text = match *key {
                "Enter" => "\r",
                key if key.chars().count() == 1 => key,
                _ => "",
            };
            for (kind, text) in [("keyDown", text), ("keyUp", "")] {
                let code = match *key {
                    "Tab" => 9,
                    "Enter" => 13,
                    "Escape" => 27,
                    "ArrowDown" => 40,
                    _ => 0,
                };
                let params = Object::new()
                    .with("type", string(kind))
                    .with("key", string(key))
                    .with("text", string(text))
                    .with("windowsVirtualKeyCode", code);
                self.call("Input.dispatchKeyEvent", params);
            }
        }
    }

    /// Loads the page again, once its address is that of the position.
    pub(super) fn reload(&self) {
        self.until("/^#\\d+$/.test(location.hash)");
        self.value("(window.isOld = true, window.onbeforeunload = null, true)");
        self.call("Page.reload", Object::new());
        self.until("!window.isOld && here().effects !== undefined");
    }

    fn point(&self, expression: &str) -> (f64, f64) {
        let point = self.value(expression);
        let (x, y) = point.split_once(' ').unwrap();
        (x.parse().unwrap(), y.parse().unwrap())
    }

    /// The middle of a square on the screen, found from the picture of the board.
    fn square(&self, name: &str) -> (f64, f64) {
        self.point(&format!(
            "(() => {{ const {{ cell }} = set(); \
             const [x, y] = corner(set(), flipped, ...columnAndRow(set(), '{name}')); \
             const point = new DOMPoint(x + cell / 2, y + cell / 2); \
             const at = point.matrixTransform(part('board').getScreenCTM()); \
             return `${{at.x}} ${{at.y}}`; }})()"
        ))
    }

    fn click_at(&self, point: (f64, f64)) {
        self.mouse("mousePressed", point);
        self.mouse("mouseReleased", point);
    }

    /// Clicks a point, which an expression gives.
    pub(super) fn click_point(&self, expression: &str) {
        self.click_at(self.point(expression));
    }

    /// Moves the mouse to the middle of an element.
    pub(super) fn hover(&self, selector: &str) {
        let point = self.point(&format!(
            "(() => {{ const box = document.querySelector('{selector}').getBoundingClientRect(); \
             return `${{box.x + box.width / 2}} ${{box.y + box.height / 2}}`; }})()"
        ));
        self.mouse("mouseMoved", point);
    }

    /// Clicks the middle of an element, once it is enabled and at rest, in its menu if it is in one.
    pub(super) fn click(&self, selector: &str) {
        self.value(&format!(
            "(() => {{ const menu = document.querySelector('{selector}').closest('.menu:not([open])')?.id; \
             if (menu === 'menu') part('more').click(); \
             if (menu === 'move-menu') page.openMoveMenu(); }})()"
        ));
        let middle = format!(
            "(() => {{ const each = document.querySelector('{selector}'); \
             each.scrollIntoView({{ block: 'nearest' }}); const box = each.getBoundingClientRect(); \
             return `${{box.x + box.width / 2}} ${{box.y + box.height / 2}}`; }})()"
        );
        let is_disabled = format!("document.querySelector('{selector}').disabled");
        let mut point = (0.0, 0.0);
        wait_for(selector, SOON, || {
            let before = std::mem::replace(&mut point, self.point(&middle));
            point == before && self.value(&is_disabled) != "true"
        });
        self.click_at(point);
    }

    /// Clicks a square.
    pub(super) fn click_square(&self, name: &str) {
        self.click_at(self.square(name));
    }

    /// Drags what stands on a square to another.
    pub(super) fn drag(&self, from: &str, to: &str) {
        let (from, to) = (self.square(from), self.square(to));
        self.mouse("mousePressed", from);
        for step in 1..=3 {
            let part = f64::from(step) / 3.0;
            let (x, y) = (to.0 - from.0, to.1 - from.1);
            self.mouse("mouseMoved", (from.0 + part * x, from.1 + part * y));
        }
        self.mouse("mouseReleased", to);
    }

    /// Chooses the value of a select.
    pub(super) fn choose(&self, name: &str, value: &str) {
        self.value(&format!(
            "part('{name}').value = '{value}', part('{name}').dispatchEvent(new Event('change'))"
        ));
    }

    /// Begins a game with choices, as `you=b time=100`. A time is one of the dialog or its own.
    pub(super) fn begin(&self, choices: &str) {
        self.value("begins.ask()");
        for choice in choices.split_whitespace() {
            let (name, value) = choice.split_once('=').unwrap();
            self.value(&format!(
                "(() => {{ const {{ elements }} = part('choices'); elements.{name}.value = '{value}'; \
                 if (elements.{name}.value === '{value}') return; \
                 const [first, increment] = '{value}'.split('+'); elements.time.value = 'own'; \
                 elements.seconds.value = increment ? '' : first / 1000; \
                 [elements.minutes.value, elements.increment.value] = [first / 60000, increment / 1000]; }})()"
            ));
        }
        self.click("#begin-game");
        self.until("!part('begin').open || part('question').open");
        self.value("part('question').open && part('yes').click()");
        self.until("!part('begin').open");
        self.value("control.queue");
    }

    /// Drags what stands on a square to the left edge of the window.
    pub(super) fn drag_off(&self, from: &str) {
        let from = self.square(from);
        self.mouse("mousePressed", from);
        self.mouse("mouseMoved", (from.0 / 2.0, from.1));
        self.mouse("mouseMoved", (1.0, from.1));
        self.mouse("mouseReleased", (1.0, from.1));
    }

    /// Sets the size of the window.
    pub(super) fn resize(&self, width: u32, height: u32) {
        let size = Object::new().with("width", width).with("height", height);
        let size = size.with("deviceScaleFactor", 1).with("mobile", false);
        self.call("Emulation.setDeviceMetricsOverride", size);
    }

    /// Says that the person prefers something, as `prefers-NAME`.
    pub(super) fn prefer(&self, name: &str, value: &str) {
        self.emulate("", &format!("prefers-{name}"), value);
    }

    /// Shows the page as on a medium, `print` or another, with a feature.
    pub(super) fn emulate(&self, media: &str, name: &str, value: &str) {
        let feature = Object::new().with("name", string(name));
        let feature = feature.with("value", string(value));
        let medium = Object::new().with("media", string(media));
        let medium = medium.with("features", format!("[{feature}]"));
        self.call("Emulation.setEmulatedMedia", medium);
    }

    /// What the window shows, as WebP.
    pub(super) fn screenshot(&self) -> Vec<u8> {
        let format = Object::new().with("format", string("webp"));
        let answer = self.call("Page.captureScreenshot", format.with("quality", 75));
        let data = text(&answer, "data");
        let bytes = self.value(&format!(
            "[...atob('{data}')].map((each) => each.charCodeAt())"
        ));
        let bytes = bytes.split(',').map(|byte| byte.parse().unwrap());
        bytes.collect()
    }

    /// Closes the page.
    pub(super) fn close(self) {
        let target = Object::new().with("targetId", string(&self.target));
        self.browser.call(None, "Target.closeTarget", target);
    }
}

/// The text behind a key of an answer.
fn text(answer: &str, key: &str) -> String {
    let (_, rest) = answer
        .split_once(&format!("\"{key}\":\""))
        .unwrap_or_else(|| panic!("no {key} in {answer}"));
    let mut text = String::new();
    let mut letters = rest.chars();
    loop {
        match letters.next().unwrap() {
            '"' => return text,
            '\\' => match letters.next().unwrap() {
                'n' => text.push('\n'),
                'r' => text.push('\r'),
                't' => text.push('\t'),
                'u' => {
                    let digits: String = letters.by_ref().take(4).collect();
                    let code = u32::from_str_radix(&digits, 16).unwrap();
                    text.push(char::from_u32(code).unwrap());
                }
                other => text.push(other),
            },
            other => text.push(other),
        }
    }
}
