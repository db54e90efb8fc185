//! The real XBoard with the engine, on a display without a screen: mouse and keys of a person, the
//! position on XBoard's board, and its dialogue with the engine.
//!
//! It needs the Debian packages `xboard xvfb xdotool xclip x11-utils`.

use super::claim;
use super::program::{Program, Run, lines, quadrille, scratch};
use quadrille::engine::{Session, Sheet, VARIANTS, find_variant};
use quadrille::games::Side;
use std::io::Write;
use std::os::unix::process::CommandExt;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

/// Time limit for anything but a game, on a busy machine.
const PATIENCE: Duration = Duration::from_secs(60);
/// Time after which a key without an effect is lost.
const LOST: Duration = Duration::from_secs(8);
const SECOND: Duration = Duration::from_secs(1);
/// Interval between two looks at the state.
const GLANCE: Duration = Duration::from_millis(30);
/// Width of a square of a board with eight files. It is so wide that the board decides the width of
/// the window, and not the menu above.
const SIZE: &str = "72";
/// Distance of the mouse to the next piece of a choice, in pixels; 25 are enough.
const PULL: usize = 30;
/// Width of the edge left of the board and below it, in pixels.
const EDGE: usize = 2;

/// A program with its children. All end when this is dropped.
struct Group(Child);

impl Group {
    fn start(command: &mut Command, package: &str) -> Self {
        let name = command.get_program().to_string_lossy().into_owned();
        let child = command.stdin(Stdio::null()).process_group(0).spawn();
        Self(child.unwrap_or_else(|error| panic!("{name}: {error}; install {package}")))
    }
}

impl Drop for Group {
    fn drop(&mut self) {
        // Only `kill`, the program, knows groups. XBoard alone would wait for its dialogs.
        let group = format!("-{}", self.0.id());
        let _ = Command::new("kill").args(["-KILL", "--", &group]).status();
        let _ = self.0.wait();
    }
}

/// XBoard with an engine.
pub struct XBoard {
    // Dropped before its display.
    program: Group,
    _screen: Group,
    display: String,
    folder: PathBuf,
    info: &'static Sheet,
    /// The side at the bottom, which the person plays.
    bottom: Side,
    /// True if the engine plays the other side.
    pub answers: bool,
}

impl XBoard {
    /// Starts XBoard with the switches of `quadrille xboard` and further ones. `folder` takes its
    /// files.
    pub fn start(variant: &str, folder: &str, further: &[&str]) -> Self {
        let line = quadrille(["xboard", variant]).run().stdout;
        // The command of the engine is quoted twice: for the shell and for XBoard.
        let (words, rest) = line.split_once('\'').unwrap();
        let (engine, switches) = rest.split_once('\'').unwrap();
        let mut words: Vec<_> = words.split_whitespace().skip(1).collect();
        words.push(engine);
        words.extend(switches.split_whitespace());
        words.extend(further);
        Self::start_with(variant, folder, &words)
    }

    /// Starts XBoard with the given switches and those of every test.
    pub fn start_with(variant: &str, folder: &str, words: &[&str]) -> Self {
        let folder = scratch(&format!("xboard/{folder}"));
        let mut screen = Group::start(
            Command::new("Xvfb")
                .args(["-displayfd", "1", "-screen", "0", "1280x1024x24"])
                .args(["-nolisten", "tcp"])
                .stdout(Stdio::piped())
                .stderr(Stdio::null()),
            "xvfb",
        );
        let number = lines(screen.0.stdout.take().unwrap()).recv_timeout(PATIENCE);
        let number = number.expect("no display of Xvfb");
        let display = format!(":{}", number.trim());
        // Debian installs it there.
        let path = std::env::var("PATH").unwrap_or_default() + ":/usr/games";
        let program = Group::start(
            Command::new("xboard")
                .args(words)
                .args(["-boardSize", SIZE, "-saveSettingsOnExit", "false"])
                .args(["-animateMoving", "false", "-debug", "-debugfile", "dialogue"])
                .env("HOME", &folder)
                .env("PATH", path)
                .env("DISPLAY", &display)
                .current_dir(&folder)
                .stdout(Stdio::null())
                .stderr(Stdio::null()),
            "xboard",
        );
        let info = find_variant(VARIANTS, variant).unwrap().open().info();
        Self {
            program,
            _screen: screen,
            display,
            folder,
            info,
            bottom: Side::White,
            answers: false,
        }
    }

    /// The debug file of XBoard.
    pub fn notes(&self) -> String {
        read(&self.folder.join("dialogue"))
    }

    /// The dialogue of XBoard with the engine up to now.
    pub fn dialogue(&self) -> Dialogue {
        Dialogue::read(&self.notes())
    }

    /// Waits until a condition holds. Panics with the dialogue if it never does.
    pub fn wait_for(&mut self, what: &str, patience: Duration, holds: impl Fn(&Self) -> bool) {
        let begun = Instant::now();
        while !holds(self) {
            if let Some(status) = self.program.0.try_wait().unwrap() {
                panic!("{what}: XBoard ended with {status}");
            }
            assert!(begun.elapsed() < patience, "not seen: {what} in {}", self.notes());
            std::thread::sleep(GLANCE);
        }
    }

    /// Waits until the engine is ready and the board is on the screen.
    pub fn ready(&mut self) {
        let said = |board: &Self| board.dialogue().answers("pong") > 0;
        self.wait_for("the answer to a ping", PATIENCE, said);
        // The window changes its size when the engine has described the board.
        let fits = |board: &Self| {
            let size = board.window();
            size.is_some_and(|(width, _)| (width - 2 * EDGE) % board.info.files == 1)
        };
        self.wait_for("the board", PATIENCE, fits);
    }

    fn tool(&self, name: &str) -> Command {
        let mut command = Command::new(name);
        command.env("DISPLAY", &self.display);
        command
    }

    fn output(&self, name: &str, words: &[&str]) -> String {
        self.tool(name).args(words).run().stdout
    }

    /// The width and height of XBoard's window, which has no frame and lies in the corner.
    fn window(&self) -> Option<(usize, usize)> {
        let tree = self.output("xwininfo", &["-root", "-tree"]);
        // `0x200003 "NAME": ("xboard" "Xboard")  595x576+0+0  +0+0`
        let sizes = tree.lines().filter_map(|line| {
            let (_, place) = line.split_once("(\"xboard\" \"Xboard\")")?;
            let (width, rest) = place.trim().split_once('x')?;
            let height = rest.split('+').next()?;
            Some((width.parse().ok()?, height.parse().ok()?))
        });
        sizes.max()
    }

    /// Centre of a square on the screen.
    fn place(&self, square: &str) -> (usize, usize) {
        let (width, height) = self.window().unwrap();
        let (files, ranks) = (self.info.files, self.info.ranks);
        let pitch = (width - 2 * EDGE) / files;
        let (file, rank) = square.split_at(1);
        let file = usize::from(file.as_bytes()[0] - b'a');
        let rank: usize = rank.parse::<usize>().unwrap() - 1;
        let (column, row) = match self.bottom {
            Side::White => (file, rank),
            Side::Black => (files - 1 - file, ranks - 1 - rank),
        };
        let x = EDGE + column * pitch + pitch / 2;
        let y = height - EDGE - row * pitch - pitch / 2;
        (x, y)
    }

    fn mouse(&self, x: usize, y: usize, act: &[&str]) {
        let (x, y) = (x.to_string(), y.to_string());
        let words = [&["mousemove", &x, &y], act].concat();
        self.output("xdotool", &words);
    }

    /// Clicks a square.
    pub fn click(&self, square: &str) {
        let (x, y) = self.place(square);
        self.mouse(x, y, &["click", "1"]);
    }

    /// Lifts a piece by a click, and waits until the engine has marked its targets.
    fn lift(&mut self, square: &str) {
        let lifted = self.dialogue().answers("highlight");
        self.click(square);
        let marked = move |board: &Self| board.dialogue().answers("highlight") > lifted;
        self.wait_for("the marks of the squares", PATIENCE, marked);
    }

    /// Waits until XBoard has sent one more command than `before`.
    fn sent(&mut self, command: &str, before: usize) {
        let sent = |board: &Self| board.dialogue().count(command) > before;
        self.wait_for(command, PATIENCE, sent);
    }

    /// Moves a piece by two clicks. The engine decides whether it becomes another.
    pub fn play(&mut self, from: &str, to: &str) {
        let before = self.dialogue().count("usermove");
        self.lift(from);
        self.click(to);
        self.sent("usermove", before);
    }

    /// Promotes a pawn: presses the button on the last square and pulls down until XBoard shows
    /// piece number `choice`, from 0, of those that the engine offers.
    pub fn promote(&mut self, from: &str, to: &str, choice: usize) {
        let (before, offers) = {
            let dialogue = self.dialogue();
            (dialogue.count("usermove"), dialogue.answers("choice"))
        };
        self.lift(from);
        let (x, y) = self.place(to);
        self.mouse(x, y, &["mousedown", "1"]);
        let offered = move |board: &Self| board.dialogue().answers("choice") > offers;
        self.wait_for("a choice", PATIENCE, offered);
        for pull in 1..=choice {
            self.mouse(x, y + PULL * pull, &[]);
            // XBoard merges events that follow at once.
            std::thread::sleep(GLANCE);
        }
        self.output("xdotool", &["mouseup", "1"]);
        self.sent("usermove", before);
    }

    /// Has the engine play the side to move, and waits for its move.
    pub fn engine_moves(&mut self) {
        let game = self.dialogue().game();
        let (keys, person) = match game.session.to_move() {
            Side::White => ("ctrl+w", Side::Black),
            Side::Black => ("ctrl+b", Side::White),
        };
        let before = self.dialogue().answers("move");
        self.press(keys);
        (self.bottom, self.answers) = (person, true);
        let moved = move |board: &Self| board.dialogue().answers("move") > before;
        self.wait_for("the engine's move", PATIENCE, moved);
    }

    /// Takes back two plies, usually the last move of the engine and that of the person.
    pub fn retract(&mut self) {
        self.press_until_sent("ctrl+x", "remove");
    }

    /// Takes back one move while the engine plays no side.
    pub fn step_back(&mut self) {
        self.press_until_sent("alt+Left", "undo");
    }

    /// Presses keys that make XBoard send a command. XBoard loses keys while it is busy with a
    /// move, so they are pressed again after a long wait.
    fn press_until_sent(&mut self, keys: &str, command: &str) {
        let before = self.dialogue().count(command);
        let begun = Instant::now();
        self.press(keys);
        let mut pressed = begun;
        while self.dialogue().count(command) <= before {
            assert!(begun.elapsed() < PATIENCE, "not seen: {command} in {}", self.notes());
            if pressed.elapsed() > LOST {
                self.press(keys);
                pressed = Instant::now();
            }
            std::thread::sleep(GLANCE);
        }
    }

    /// Presses keys, such as `ctrl+x`.
    pub fn press(&self, keys: &str) {
        // Without a window manager keys reach the window under the pointer.
        let words = ["mousemove", "0", "0", "key", keys];
        self.output("xdotool", &words);
    }

    /// Has the engine play a side. XBoard then turns the board for the person.
    pub fn machine_plays(&mut self, side: Side) {
        let keys = match side {
            Side::White => "ctrl+w",
            Side::Black => "ctrl+b",
        };
        self.press(keys);
        self.bottom = !side;
    }

    /// Waits for another window of XBoard and moves it away from the board.
    pub fn put_aside(&self, title: &str) {
        let words = ["search", "--sync", "--name", title, "windowmove", "700", "0"];
        self.output("xdotool", &words);
    }

    fn fill_clipboard(&self, text: &str) {
        let mut command = self.tool("xclip");
        command
            .args(["-i", "-selection", "clipboard"])
            .stdin(Stdio::piped())
            .stdout(Stdio::null())
            .stderr(Stdio::null());
        let mut child = Program::start_for(&mut command, PATIENCE);
        let mut input = child.stdin.take().unwrap();
        input.write_all(text.as_bytes()).unwrap();
        drop(input);
        // Its child keeps the text.
        assert!(child.wait().success());
    }

    /// Copies the position from XBoard's board, as a FEN.
    pub fn fen(&self) -> String {
        const NOTHING: &str = "nothing";
        self.fill_clipboard(NOTHING);
        let begun = Instant::now();
        loop {
            // XBoard loses keys while it opens its windows.
            self.press("ctrl+shift+c");
            let pressed = Instant::now();
            while pressed.elapsed() < SECOND {
                let text = self.output("xclip", &["-o", "-selection", "clipboard"]);
                if !text.is_empty() && text != NOTHING {
                    return text;
                }
                std::thread::sleep(GLANCE);
            }
            assert!(begun.elapsed() < PATIENCE, "XBoard copies no position");
        }
    }

    /// Pastes a position into XBoard.
    pub fn set_up(&mut self, fen: &str) {
        let before = self.dialogue().count("setboard");
        self.fill_clipboard(fen);
        self.press("ctrl+shift+v");
        self.answers = false;
        let sent = move |board: &Self| board.dialogue().count("setboard") > before;
        self.wait_for("the position", PATIENCE, sent);
        self.agrees();
    }

    /// Asserts that neither XBoard nor the engine complained.
    pub fn is_content(&self) {
        let notes = self.notes();
        for complaint in ["illegal", "forfeit", "error"] {
            let found = notes.lines().find(|line| line.to_lowercase().contains(complaint));
            assert_eq!(found, None);
        }
    }

    /// Waits for an answer of the engine, if it plays, and until XBoard and the engine have the
    /// same position.
    pub fn agrees(&mut self) -> Played {
        if self.answers {
            self.wait_for("an answer", PATIENCE, |board| {
                let game = board.dialogue().game();
                game.claim.is_some() || game.session.to_move() == board.bottom
            });
        }
        let begun = Instant::now();
        loop {
            let (shown, game) = (self.fen(), self.dialogue().game());
            let believed = game.session.fen();
            if cells(&shown) == cells(&believed) {
                return game;
            }
            assert!(
                begun.elapsed() < PATIENCE,
                "XBoard has {shown}, the engine {believed}: {}",
                self.notes()
            );
            std::thread::sleep(GLANCE);
        }
    }
}

fn read(path: &Path) -> String {
    std::fs::read(path).map_or(String::new(), |bytes| String::from_utf8_lossy(&bytes).into_owned())
}

/// Cells, side to move and castling rights of a FEN. The other fields may differ: XBoard, for
/// example, writes the square behind every double step.
fn cells(fen: &str) -> (String, String) {
    let (placement, rest) = fen.split_once(' ').unwrap_or((fen, ""));
    let side = rest.split(' ').take(2).collect::<Vec<_>>().join(" ");
    let mut cells = String::new();
    for row in placement.split('/') {
        let mut rest = row;
        while let Some(letter) = rest.chars().next() {
            let digits = rest.chars().take_while(char::is_ascii_digit).count();
            match rest[..digits].parse::<usize>() {
                Ok(empty) => cells.push_str(&".".repeat(empty)),
                Err(_) => cells.push(letter),
            }
            rest = &rest[digits.max(1)..];
        }
        cells.push('/');
    }
    (cells, side)
}

/// The side of the dialogue that sent a line.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Speaker {
    Board,
    Engine,
}

/// Lines between XBoard and its first engine.
pub struct Dialogue(Vec<(Speaker, String)>);

impl Dialogue {
    /// Parses the debug file of XBoard. Among others it has lines with the time, a mark `>first : `
    /// or `<first : `, and the text. A line that XBoard sends in two parts has two marks.
    fn read(text: &str) -> Self {
        let mut lines = Vec::new();
        // The last line may not be whole.
        let whole = text.rfind('\n').map_or("", |end| &text[..end]);
        for line in whole.lines() {
            let said = |(_, said): (&str, &str)| said.to_string();
            if let Some(said) = line.split_once("<first : ").map(said) {
                lines.push((Speaker::Engine, said));
            } else if let Some((_, said)) = line.split_once(">first : ") {
                let said = match said.split_once(">first : ") {
                    // The time stands before the second mark.
                    Some((first, second)) => {
                        let first = first.trim().trim_end_matches(|c: char| c.is_ascii_digit());
                        format!("{} {second}", first.trim())
                    }
                    None => said.to_string(),
                };
                lines.push((Speaker::Board, said));
            }
        }
        Self(lines)
    }

    /// All lines, in order.
    pub fn lines(&self) -> &[(Speaker, String)] {
        &self.0
    }

    /// Counts the answers of the engine that begin with a word.
    pub fn answers(&self, word: &str) -> usize {
        let said = |(speaker, line): &&(Speaker, String)| {
            *speaker == Speaker::Engine && line.split(' ').next() == Some(word)
        };
        self.0.iter().filter(said).count()
    }

    /// Counts the commands of XBoard of one kind.
    pub fn count(&self, command: &str) -> usize {
        let sent = |(speaker, line): &&(Speaker, String)| {
            *speaker == Speaker::Board && line.split(' ').next() == Some(command)
        };
        self.0.iter().filter(sent).count()
    }

    /// Plays the games of the dialogue again, in order.
    pub fn games(&self) -> Vec<Played> {
        let mut games = vec![Played::begin(VARIANTS[0].info.name)];
        for (speaker, line) in &self.0 {
            let (command, rest) = line.split_once(' ').unwrap_or((line, ""));
            let game = games.last_mut().unwrap();
            match (speaker, command) {
                (Speaker::Board, "new") => {
                    let variant = game.session.info().name;
                    games.push(Played::begin(variant));
                    continue;
                }
                (Speaker::Board, "variant") => *game = Played::begin(rest),
                (Speaker::Board, "setboard") => {
                    game.start = Some(rest.to_string());
                    game.plies.clear();
                }
                (Speaker::Board, "usermove") | (Speaker::Engine, "move") => {
                    if is_filler(rest) {
                        game.plies.push(rest.to_string());
                        continue;
                    }
                    let mv = game.session.read_move(rest);
                    let mv = mv.unwrap_or_else(|| panic!("{line} in {}", game.session.fen()));
                    game.plies.push(mv);
                    game.claim = None;
                }
                (Speaker::Board, "undo" | "remove") => {
                    let back = if command == "undo" { 1 } else { 2 };
                    game.plies.truncate(game.plies.len() - back);
                    game.claim = None;
                }
                (Speaker::Board, "result") => game.result = Some(rest.to_string()),
                (Speaker::Engine, "1-0" | "0-1" | "1/2-1/2") => game.claim = Some(line.clone()),
                _ => continue,
            }
            game.moves.clone_from(&game.plies);
            game.moves.retain(|ply| !is_filler(ply));
            let words: Vec<_> = game.moves.iter().map(String::as_str).collect();
            let set = game.session.set_position(game.start.as_deref(), &words);
            set.unwrap_or_else(|error| panic!("{line}: {error}"));
        }
        games
    }

    /// The last game.
    pub fn game(&self) -> Played {
        self.games().pop().unwrap()
    }
}

/// True for a pass or a drop, which are no moves of the games.
pub fn is_filler(ply: &str) -> bool {
    ply.contains([',', '@'])
}

/// A game in the dialogue.
pub struct Played {
    /// The position of the engine.
    pub session: Box<dyn Session>,
    /// The FEN from which it began, `None` for the start position.
    start: Option<String>,
    /// All plies on XBoard's board, even the fillers.
    pub plies: Vec<String>,
    /// Moves of both sides in the engine's spelling, without those taken back.
    pub moves: Vec<String>,
    /// End that the engine claimed after the last move: `1-0 {REASON}`.
    pub claim: Option<String>,
    /// End that XBoard reported to the engine, in the same form.
    pub result: Option<String>,
}

impl Played {
    fn begin(variant: &str) -> Self {
        Self {
            session: find_variant(VARIANTS, variant).unwrap().open(),
            start: None,
            plies: Vec::new(),
            moves: Vec::new(),
            claim: None,
            result: None,
        }
    }

    /// End by the rules, in the same form.
    pub fn outcome(&self) -> Option<String> {
        self.session.outcome().map(claim)
    }
}
