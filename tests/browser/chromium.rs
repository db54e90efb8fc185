//! Chromium, driven by its DevTools protocol through pipes.

use super::driver::{BackEnd, Hand, LIMIT, NAMES, Point, SOON, Step, text};
use crate::common::program::{Program, scratch};
use quadrille::records::json::{Object, array, string};
use std::cell::RefCell;
use std::io::{BufRead, BufReader, Write};
use std::process::{ChildStdin, Command};
use std::sync::mpsc::{Receiver, channel};

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
    /// Starts a browser with a profile in a folder.
    pub(super) fn start(name: &str) -> Self {
        let profile = scratch(name);
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
        let link = Link { input, messages, last: 0 };
        Self { _program: program, link: RefCell::new(link) }
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

    /// Calls a method of a page.
    fn of_page(&self, page: &str, method: &str, params: Object) -> String {
        self.call(Some(page), method, params)
    }
}

impl BackEnd for Chromium {
    fn open(&self, address: &str) -> String {
        let blank = Object::new().with("url", string("about:blank"));
        let target = text(&self.call(None, "Target.createTarget", blank), "targetId");
        let attach = Object::new().with("targetId", string(&target)).with("flatten", true);
        let page = text(&self.call(None, "Target.attachToTarget", attach), "sessionId");
        let source = [NAMES, include_str!("check.js")].concat();
        let names = Object::new().with("source", string(&source));
        self.of_page(&page, "Page.enable", Object::new());
        self.of_page(&page, "Page.addScriptToEvaluateOnNewDocument", names);
        let to = Object::new().with("url", string(address));
        self.of_page(&page, "Page.navigate", to);
        page
    }

    fn close(&self, page: &str) {
        self.of_page(page, "Page.close", Object::new());
    }

    fn reload(&self, page: &str) {
        // Behind another page that was closed it would draw no frame, and a dialog that closes waits for one.
        self.of_page(page, "Page.bringToFront", Object::new());
        self.of_page(page, "Page.reload", Object::new());
    }

    fn value(&self, page: &str, expression: &str) -> Result<String, String> {
        let expression = format!("(async () => String(await ({expression})))()");
        let params = Object::new()
            .with("expression", string(&expression))
            .with("awaitPromise", true)
            .with("returnByValue", true);
        let answer = self.of_page(page, "Runtime.evaluate", params);
        if answer.contains("\"exceptionDetails\"") || answer.contains("\"error\":{\"code\"") {
            return Err(answer);
        }
        Ok(text(&answer, "value"))
    }

    fn point(&self, page: &str, hand: Hand, steps: &[(Step, Point)]) {
        for &(step, (x, y)) in steps {
            let (mouse, touch) = match step {
                Step::Move => ("mouseMoved", "touchMove"),
                Step::Press => ("mousePressed", "touchStart"),
                Step::Release => ("mouseReleased", "touchEnd"),
            };
            let point = Object::new().with("x", x).with("y", y);
            let (name, bit, modifiers) = match hand {
                Hand::LeftButton => ("left", 1, 0),
                Hand::RightButton(modifiers) => ("right", 2, modifiers),
                Hand::Finger => {
                    let points = array((step != Step::Release).then_some(point));
                    let touch = Object::new().with("type", string(touch));
                    let touch = touch.with("touchPoints", points);
                    self.of_page(page, "Input.dispatchTouchEvent", touch);
                    continue;
                }
            };
            let params = point
                .with("type", string(mouse))
                .with("button", string(name))
                .with("buttons", if step == Step::Release { 0 } else { bit })
                .with("clickCount", u8::from(step != Step::Move))
                .with("modifiers", modifiers);
            self.of_page(page, "Input.dispatchMouseEvent", params);
        }
    }

    fn wheel(&self, page: &str, (x, y): Point, distance: i32) {
        let params = Object::new()
            .with("type", string("mouseWheel"))
            .with("x", x)
            .with("y", y)
            .with("deltaX", 0)
            .with("deltaY", distance);
        self.of_page(page, "Input.dispatchMouseEvent", params);
    }

    fn press(&self, page: &str, keys: &[&str]) {
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
                self.of_page(page, "Input.dispatchKeyEvent", params);
            }
        }
    }

    fn resize(&self, page: &str, width: u32, height: u32) {
        let size = Object::new().with("width", width).with("height", height);
        let size = size.with("deviceScaleFactor", 1).with("mobile", false);
        self.of_page(page, "Emulation.setDeviceMetricsOverride", size);
    }

    fn prefer(&self, page: &str, name: &str, value: &str) {
        self.emulate(page, "", &format!("prefers-{name}"), value);
    }

    fn emulate(&self, page: &str, media: &str, name: &str, value: &str) {
        let feature = Object::new().with("name", string(name));
        let feature = feature.with("value", string(value));
        let medium = Object::new().with("media", string(media));
        let medium = medium.with("features", format!("[{feature}]"));
        self.of_page(page, "Emulation.setEmulatedMedia", medium);
    }

    fn screenshot(&self, page: &str) -> Vec<u8> {
        let format = Object::new().with("format", string("webp"));
        let answer = self.of_page(page, "Page.captureScreenshot", format.with("quality", 75));
        let data = text(&answer, "data");
        let bytes =
            self.value(page, &format!("[...atob('{data}')].map((each) => each.charCodeAt())"));
        let bytes = bytes.unwrap();
        let bytes = bytes.split(',').map(|byte| byte.parse().unwrap());
        bytes.collect()
    }
}
