//! Browsers without a screen, and what a person does in them: one driver with three back ends.

use super::Server;
use super::chromium::Chromium;
use super::person::IDLE;
use super::webdriver::WebDriver;
use crate::common::program::wait_for;
use Step::{Move, Press, Release};
use std::time::{Duration, Instant};

/// Time limit of a browser.
pub(super) const LIMIT: Duration = Duration::from_secs(600);
/// Time limit of an answer, and of what a page does, on a busy machine.
pub(super) const SOON: Duration = Duration::from_secs(150);

/// Short names for what tests ask of the page, and a list of what went wrong in it.
pub(super) const NAMES: &str = "{ \
    window.faults = []; \
    addEventListener('error', ({ message }) => faults.push(message)); \
    addEventListener('unhandledrejection', ({ reason }) => faults.push(String(reason))); \
    window.inputs = []; \
    for (const type of ['keydown', 'pointerdown', 'pointerup', 'wheel', 'click']) \
      addEventListener(type, ({ key, target, clientX, clientY }) => \
        inputs.push([type, key, target.id, clientX, clientY].filter(Boolean).join(' ')), true); \
    const names = { \
      here: () => () => state.here, at: () => state.at, last: () => () => state.line.length - 1, \
      isKnown: () => state.here.known.effects !== undefined, outcome: () => () => state.outcome, flipped: () => state.flipped, pgn: () => () => state.pgn, \
      game: () => ({ root: state.root, plies: state.line, undo: state.record.undo, variant: state.record.variant, \
        tip: state.game?.tip, control: state.game?.control }), \
      clock: () => state.game?.clock, left: () => (side) => clocks.left(state.game.clock, side, clocks.now()), \
      isThinking: () => control.thinking, canMove: () => control.canMove, queue: () => control.queue, \
      fault: () => state.fault, premove: () => state.premove, play: () => control.play, go: () => control.go, \
      begin: () => (variant, start) => control.begin(variant, start, begins.chosen()), change: () => control.act, \
      undo: () => control.undo, isJudging: () => state.mode === 'judge', setUp: () => state.mode === 'set up', \
      lifted: () => state.lifted, cursor: () => board.cursor, marks: () => board.marks, slide: () => motion.slide, \
      found: () => analysis.found && { ...analysis.found, ply: analysis.found.node }, given: () => control.given }; \
    for (const [name, get] of Object.entries(names)) Object.defineProperty(window, name, { get, configurable: true }); }";

/// The state of a page and what it heard last, which say why it did not come to where it should.
const CONDITION: &str = "(() => { try { return JSON.stringify({ \
    mode: state.mode, at: state.at, last: last(), effects: isKnown, analyses: state.analyses, \
    isThinking, searches: Boolean(control.searched), isOnline: engine.isOnline, lifted, fault, faults, \
    dialog: document.querySelector('dialog[open]')?.id, inputs: inputs.slice(-8) }); } \
    catch (error) { return error.message; } })()";

/// Declares tests of functions that take an engine: one a browser, as `NAME::firefox`.
///
/// Chromium alone shows long walks by lot, what the engine finds, what is sent to it, and the picture of README: no other
/// browser writes WebP, and the rest does not depend on one.
macro_rules! in_every_browser {
    ($($name:ident),+ $(,)?) => {$(
        mod $name {
            use crate::browser::driver::{Desk, Engine};

            #[test]
            #[ignore = "needs chromium"]
            fn chromium() {
                super::$name(Desk::new(Engine::Chromium, stringify!($name)));
            }

            #[test]
            #[ignore = "needs firefox"]
            fn firefox() {
                super::$name(Desk::new(Engine::Firefox, stringify!($name)));
            }

            #[test]
            #[ignore = "needs WebKitWebDriver and Xvfb"]
            fn webkit() {
                super::$name(Desk::new(Engine::WebKit, stringify!($name)));
            }
        }
    )+};
}
pub(super) use in_every_browser;

/// Declares tests, as [`in_every_browser`] does, of what does not depend on the browser: all of them in three would take
/// longer than people wait.
macro_rules! in_chromium {
    ($($name:ident),+ $(,)?) => {$(
        mod $name {
            use crate::browser::driver::{Desk, Engine};

            #[test]
            #[ignore = "needs chromium"]
            fn chromium() {
                super::$name(Desk::new(Engine::Chromium, stringify!($name)));
            }
        }
    )+};
}
pub(super) use in_chromium;

/// Engine of a browser.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Engine {
    Chromium,
    Firefox,
    WebKit,
}

/// A browser and the server of its pages. Both end when it is dropped.
pub(super) struct Desk {
    pub(super) engine: Engine,
    pub(super) browser: Browser,
    pub(super) server: Server,
}

impl Desk {
    /// Starts a browser with a profile in a folder named after its test.
    pub(super) fn new(engine: Engine, test: &str) -> Self {
        let folder = format!("browser/{test}-{engine:?}");
        let browser = Browser(match engine {
            Engine::Chromium => Box::new(Chromium::start(&folder)),
            Engine::Firefox => Box::new(WebDriver::firefox(&folder)),
            Engine::WebKit => Box::new(WebDriver::webkit(&folder)),
        });
        Self { engine, browser, server: Server::new() }
    }

    /// Opens the page of the server, and waits until its game has begun.
    pub(super) fn open(&self, variant: &str) -> Page<'_> {
        self.browser.open(&self.server.address(variant))
    }

    /// Opens the page of the server.
    pub(super) fn visit(&self, variant: &str) -> Page<'_> {
        self.browser.visit(&self.server.address(variant))
    }

    /// Opens the page and begins a game with choices, as [`Page::begin`] does. Waits until the person has the move.
    pub(super) fn game(&self, variant: &str, choices: &str) -> Page<'_> {
        let page = self.open(variant);
        page.begin(choices);
        page.until(IDLE);
        page
    }
}

/// A running browser, which ends when it is dropped.
pub(super) struct Browser(Box<dyn BackEnd>);

impl Browser {
    /// Opens a page and waits until its game has begun.
    pub(super) fn open(&self, address: &str) -> Page<'_> {
        let page = self.visit(address);
        page.until("state.mode !== 'begin' && isKnown");
        page
    }

    /// Opens a page.
    pub(super) fn visit(&self, address: &str) -> Page<'_> {
        let back = &*self.0;
        let name = back.open(address);
        let hand = Hand::LeftButton;
        Page { back, name, hand }
    }
}

/// A point of the window in CSS pixels.
pub(super) type Point = (f64, f64);

/// Step of the mouse, or of a finger.
#[derive(Clone, Copy, PartialEq)]
pub(super) enum Step {
    Move,
    Press,
    Release,
}

/// What takes the steps.
#[derive(Clone, Copy, PartialEq)]
pub(super) enum Hand {
    LeftButton,
    /// With modifiers, as in [`Page::draw`].
    RightButton(u8),
    Finger,
}

/// What a browser is asked for. A page is named by its first `open`.
pub(super) trait BackEnd {
    /// Opens a page in a window of its own, and returns its name.
    fn open(&self, address: &str) -> String;
    fn close(&self, page: &str);
    fn reload(&self, page: &str);
    /// Returns the value of an expression, or of its promise, as text.
    fn value(&self, page: &str, expression: &str) -> Result<String, String>;
    fn point(&self, page: &str, hand: Hand, steps: &[(Step, Point)]);
    fn wheel(&self, page: &str, point: Point, distance: i32);
    /// Presses keys, named as in events of browsers.
    fn press(&self, page: &str, keys: &[&str]);
    /// Sets the size of the window without its frame.
    fn resize(&self, page: &str, width: u32, height: u32);
    /// Says that the person prefers something, as `prefers-NAME`.
    fn prefer(&self, page: &str, name: &str, value: &str);
    /// Shows the page as on a medium, `print` or another, with a feature.
    fn emulate(&self, _page: &str, _media: &str, _name: &str, _value: &str) {
        unimplemented!("media are emulated by Chromium")
    }
    /// What the window shows, as WebP: Chromium alone writes it.
    fn screenshot(&self, _page: &str) -> Vec<u8> {
        unimplemented!("pictures are taken by Chromium")
    }
}

/// A page in a browser.
pub(super) struct Page<'b> {
    back: &'b dyn BackEnd,
    name: String,
    hand: Hand,
}

impl Page<'_> {
    /// The value of an expression as text.
    #[track_caller]
    pub(super) fn value(&self, expression: &str) -> String {
        let value = self.back.value(&self.name, expression);
        value.unwrap_or_else(|fault| panic!("{expression}: {fault}"))
    }

    /// Waits until an expression is true.
    #[track_caller]
    pub(super) fn until(&self, expression: &str) {
        // The page itself asks again and again: a question to a browser costs it ten milliseconds.
        let awaited = format!(
            "(async () => {{ for (let tries = 50; tries > 0; tries--) {{ \
               try {{ if ({expression}) return true; }} catch {{}} \
               await new Promise((resolve) => setTimeout(resolve, 10)); }} \
             return false; }})()"
        );
        let begun = Instant::now();
        // While a page is loaded it has no value.
        while self.back.value(&self.name, &awaited).as_deref() != Ok("true") {
            assert!(
                begun.elapsed() < SOON,
                "not seen in {SOON:?}: {expression} in {}",
                self.value(CONDITION)
            );
            std::thread::sleep(Duration::from_millis(10));
        }
    }

    fn mouse(&self, steps: &[(Step, Point)]) {
        self.back.point(&self.name, self.hand, steps);
    }

    /// From now on clicks and drags are a finger's.
    pub(super) fn by_touch(mut self) -> Self {
        self.hand = Hand::Finger;
        self
    }

    /// Draws with the right button from one square to another. The modifiers are 1 for Alt, 2 for Ctrl,
    /// 8 for Shift, or a sum of them.
    pub(super) fn draw(&self, from: &str, to: &str, modifiers: u8) {
        let (from, to) = (self.square(from), self.square(to));
        let steps = [(Press, from), (Move, to), (Release, to)];
        self.back.point(&self.name, Hand::RightButton(modifiers), &steps);
    }

    /// Turns the wheel over a square.
    pub(super) fn wheel(&self, square: &str, distance: i32) {
        self.back.wheel(&self.name, self.square(square), distance);
    }

    /// Presses keys, named as in events of browsers.
    pub(super) fn press(&self, keys: &[&str]) {
        self.back.press(&self.name, keys);
    }

    /// Loads the page again, once its address is that of the position.
    pub(super) fn reload(&self) {
        self.until("/^#[\\d.]+$/.test(location.hash)");
        self.value("(window.isOld = true, window.onbeforeunload = null, true)");
        self.back.reload(&self.name);
        self.until("!window.isOld && isKnown");
    }

    fn point(&self, expression: &str) -> Point {
        // What is redrawn may be missing for a moment.
        let mut point = Err(String::new());
        wait_for(expression, SOON, || {
            point = self.back.value(&self.name, expression);
            point.is_ok()
        });
        let point = point.unwrap();
        let (x, y) = point.split_once(' ').unwrap();
        (x.parse().unwrap(), y.parse().unwrap())
    }

    /// The middle of a square on the screen, found from the picture of the board.
    fn square(&self, name: &str) -> Point {
        self.point(&format!(
            "(() => {{ const {{ cell }} = gameSet(); \
             const [x, y] = corner(gameSet(), flipped, ...columnAndRow(gameSet(), '{name}')); \
             const point = new DOMPoint(x + cell / 2, y + cell / 2); \
             const at = point.matrixTransform(part('board').getScreenCTM()); \
             return `${{at.x}} ${{at.y}}`; }})()"
        ))
    }

    fn click_at(&self, point: Point) {
        self.mouse(&[(Press, point), (Release, point)]);
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
        self.mouse(&[(Move, point)]);
    }

    /// Clicks the middle of an element, once it is enabled and at rest, in its menu if it is in one.
    pub(super) fn click(&self, selector: &str) {
        self.value(&format!(
            "(() => {{ const menu = document.querySelector('{selector}').closest('.menu:not([open])')?.id; \
             if (menu === 'menu') part('more').click(); \
             if (menu === 'move-menu') dispatchEvent(new KeyboardEvent('keydown', {{ key: 'e', code: 'KeyE' }})); }})()"
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
        let between = |step: u8| {
            let part = f64::from(step) / 3.0;
            let (x, y) = (to.0 - from.0, to.1 - from.1);
            (Move, (from.0 + part * x, from.1 + part * y))
        };
        let [one, two, three] = [1, 2, 3].map(between);
        self.mouse(&[(Press, from), one, two, three, (Release, to)]);
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

    /// The next moves of the engine wait until [`Self::let_move`] is called for each: no test is a race with its clock.
    pub(super) fn hold(&self, moves: usize) {
        self.value(&format!(
            "(() => {{ const {{ go }} = engine; let left = {moves}; window.held = []; \
             engine.go = async (...how) => {{ \
               if (--left === 0) engine.go = go; \
               const move = await go(...how); await new Promise((resolve) => held.push(resolve)); return move; }}; }})()"
        ));
    }

    /// Lets the engine play the move that waits.
    pub(super) fn let_move(&self) {
        self.until("held.length > 0");
        self.value("held.shift()()");
    }

    /// Drags what stands on a square to the left edge of the window.
    pub(super) fn drag_off(&self, from: &str) {
        let from = self.square(from);
        let (half, edge) = ((from.0 / 2.0, from.1), (1.0, from.1));
        self.mouse(&[(Press, from), (Move, half), (Move, edge), (Release, edge)]);
    }

    /// Sets the size of the window.
    pub(super) fn resize(&self, width: u32, height: u32) {
        self.back.resize(&self.name, width, height);
        self.until(&format!("innerWidth === {width} && innerHeight === {height}"));
    }

    /// Says that the person prefers something, as `prefers-NAME`.
    pub(super) fn prefer(&self, name: &str, value: &str) {
        self.back.prefer(&self.name, name, value);
    }

    /// Shows the page as on a medium, `print` or another, with a feature. Chromium alone does.
    pub(super) fn emulate(&self, media: &str, name: &str, value: &str) {
        self.back.emulate(&self.name, media, name, value);
    }

    /// What the window shows, as WebP.
    pub(super) fn screenshot(&self) -> Vec<u8> {
        self.back.screenshot(&self.name)
    }

    /// Closes the page.
    pub(super) fn close(self) {
        // Nobody answers its question whether a change is to be lost.
        self.value("(window.onbeforeunload = null, true)");
        self.back.close(&self.name);
    }
}

/// Returns the text behind a key of an answer.
pub(super) fn text(answer: &str, key: &str) -> String {
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
