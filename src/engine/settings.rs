//! The settings of an engine: all its options in one table, with the effect of each.

use super::instance::Engine;
use super::networks::INTERNAL_NETWORK;
use super::node_clock::NodeClock;
use super::options::{MAX_MULTI_PV, MAX_THREADS, OptionKind, OptionSpec, Options};
use super::variant::{Variant, find_variant, names};
use crate::search::{FULL_ELO, FULL_SKILL, Table};
use crate::system::files;
use crate::system::sync::cores;
use crate::system::text::plain;
use Setting::{Button, Flag, Number, Text};
use std::io::Error;
use std::ops::RangeInclusive;
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// The name of the option that chooses the game.
pub const VARIANT_OPTION: &str = "UCI_Variant";

/// The value of `Debug Log File` and `EndgamePath` for none.
const NO_FILE: &str = "<empty>";
/// The lowest Elo of `UCI_Elo`.
const MIN_ELO: usize = 100;
/// The memory that a thread takes up, in MB.
const THREAD_MEGABYTES: usize = 10;
/// The longest overhead in milliseconds.
const MAX_MOVE_OVERHEAD: usize = 5000;
/// The most nodes that stand for a millisecond.
const MAX_NODES_PER_MILLI: usize = 10_000;

/// All options in the order in which they are announced.
static SETTINGS: [(&str, Setting); 16] = [
    (VARIANT_OPTION, Setting::Variant),
    ("Hash", Number(1..=Table::MAX_MEGABYTES, |options| &mut options.hash, Engine::resize)),
    ("Clear Hash", Button(Engine::clear)),
    ("Threads", Number(1..=MAX_THREADS, |options| &mut options.threads, Engine::set_threads)),
    ("Ponder", Flag(|options| &mut options.ponder)),
    ("MultiPV", Number(1..=MAX_MULTI_PV, |options| &mut options.multi_pv, accept)),
    (
        "Move Overhead",
        Number(0..=MAX_MOVE_OVERHEAD, |options| &mut options.overhead_millis, accept),
    ),
    (
        "nodestime",
        Number(
            0..=MAX_NODES_PER_MILLI,
            |options| &mut options.nodes_per_milli,
            Engine::begin_node_clock,
        ),
    ),
    ("UCI_AnalyseMode", Flag(|options| &mut options.analyse_mode)),
    ("UCI_ShowWDL", Flag(|options| &mut options.show_wdl)),
    ("Skill Level", Number(0..=FULL_SKILL as usize, |options| &mut options.skill_level, accept)),
    ("UCI_LimitStrength", Flag(|options| &mut options.limit_strength)),
    ("UCI_Elo", Number(MIN_ELO..=FULL_ELO as usize, |options| &mut options.elo, accept)),
    ("EvalFile", Text(INTERNAL_NETWORK, Engine::load_network)),
    ("EndgamePath", Text(NO_FILE, Engine::load_endings)),
    ("Debug Log File", Text(NO_FILE, Engine::set_transcript)),
];

/// The kind of an option, and its effect.
enum Setting {
    Variant,
    /// A number in a range, kept in a field, and the work that must succeed first.
    Number(
        RangeInclusive<usize>,
        fn(&mut Options) -> &mut usize,
        fn(&mut Engine, usize) -> Result<Effect, String>,
    ),
    /// True or false, kept in a field.
    Flag(fn(&mut Options) -> &mut bool),
    /// A text with its default, and what acts upon it.
    Text(&'static str, fn(&mut Engine, &str) -> Result<Effect, String>),
    /// An action.
    Button(fn(&mut Engine)),
}

/// Accepts any number; no extra work.
fn accept(_: &mut Engine, _: usize) -> Result<Effect, String> {
    Ok(Effect::None)
}

/// The effect of an option beyond its value.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Effect {
    /// Nothing.
    None,
    /// Another game began, or the same anew.
    NewVariant,
    /// A note for the client.
    Note(String),
}

impl Engine {
    /// Returns all options in the order in which they are announced.
    pub fn option_specs(&self) -> Vec<OptionSpec> {
        let mut defaults = Options::default();
        let mut kind = |setting: &Setting| match setting {
            Setting::Variant => OptionKind::Combo {
                default: self.initial.info.name,
                choices: (self.variants.iter()).map(|variant| variant.info.name).collect(),
            },
            Number(range, field, _) => OptionKind::Spin {
                default: *field(&mut defaults),
                min: *range.start(),
                max: *range.end(),
            },
            Flag(field) => OptionKind::Check { default: *field(&mut defaults) },
            Text(default, _) => OptionKind::Text { default },
            Button(_) => OptionKind::Button,
        };
        self.settings().map(|(name, setting)| OptionSpec { name, kind: kind(setting) }).collect()
    }

    /// Returns the settings that this engine has.
    fn settings(&self) -> impl Iterator<Item = &'static (&'static str, Setting)> + use<> {
        let is_sealed = self.is_sealed;
        let names_file = |setting: &Setting| matches!(setting, Text(..));
        (SETTINGS.iter()).filter(move |(_, setting)| !(is_sealed && names_file(setting)))
    }

    /// Sets an option. No search may be running.
    ///
    /// # Errors
    ///
    /// There is no such option, or the value is not allowed; nothing has changed.
    pub fn set_option(&mut self, name: &str, value: &str) -> Result<Effect, String> {
        debug_assert!(!self.is_searching());
        let (name, setting) = self
            .settings()
            .find(|(known, _)| known.eq_ignore_ascii_case(name))
            .ok_or_else(|| format!("there is no option `{name}`"))?;
        let bad_value = |allowed| format!("option {name}: `{value}` is not {allowed}");
        let mut effect = Effect::None;
        if value.is_empty() && !matches!(setting, Button(_) | Text(NO_FILE, _)) {
            return Err(format!("option {name}: its value is missing"));
        }
        match setting {
            Setting::Variant => {
                let variant = find_variant(self.variants, value)
                    .map_err(|_| bad_value(format!("one of {}", names(self.variants))))?;
                self.choose_variant(variant)?;
                effect = Effect::NewVariant;
            }
            Number(range, field, prepare) => {
                let number = plain(value).filter(|number| range.contains(number));
                let (min, max) = (range.start(), range.end());
                let number = number
                    .ok_or_else(|| bad_value(format!("a whole number from {min} to {max}")))?;
                effect = prepare(self, number)?;
                *field(&mut self.options) = number;
            }
            Flag(field) => {
                let flag = value.to_ascii_lowercase().parse();
                *field(&mut self.options) =
                    flag.map_err(|_| bad_value("`true` or `false`".into()))?;
            }
            Text(_, set) => effect = set(self, value)?,
            Button(press) => press(self),
        }
        log::debug!("option {name}: {value}");
        Ok(effect)
    }

    /// Begins a game of another variant, or of the same.
    fn choose_variant(&mut self, variant: Variant) -> Result<(), String> {
        let folder = self.options.endgame_path.as_deref();
        let mut session = variant.open();
        session.prepare(self.options.threads);
        let path = folder.unwrap_or(Path::new(""));
        (session.set_endings(folder)).map_err(bad_file("EndgamePath", path))?;
        self.session = session;
        self.clear();
        Ok(())
    }

    /// Replaces the table by one of this size.
    fn resize(&mut self, megabytes: usize) -> Result<Effect, String> {
        try_memory("Hash", megabytes)?;
        // The old table goes first, so that both need not fit.
        self.table = Arc::new(Table::new(1, 1));
        self.table = Arc::new(Table::new(megabytes, self.options.threads));
        Ok(Effect::None)
    }

    /// Begins a new clock for nodes that stand for another time than before.
    fn begin_node_clock(&mut self, _: usize) -> Result<Effect, String> {
        self.node_clock = NodeClock::default();
        Ok(Effect::None)
    }

    /// Allocates the memory for a number of threads.
    fn set_threads(&mut self, threads: usize) -> Result<Effect, String> {
        let more = threads.saturating_sub(self.options.threads);
        try_memory("Threads", more * THREAD_MEGABYTES)?;
        self.session.prepare(threads);
        Ok(match cores() {
            cores if threads > cores => Effect::Note(format!(
                "{threads} threads on {cores} processor{}: searches are weaker and may end late",
                if cores == 1 { "" } else { "s" }
            )),
            _ => Effect::None,
        })
    }

    /// Evaluates with another network from now on, until another game is chosen.
    fn load_network(&mut self, name: &str) -> Result<Effect, String> {
        (self.session.set_network(name)).map_err(bad_file("EvalFile", name))?;
        self.clear();
        Ok(Effect::None)
    }

    /// Consults the endings of a folder from now on, in other games too.
    fn load_endings(&mut self, path: &str) -> Result<Effect, String> {
        let folder = Some(path).filter(|path| is_file(path)).map(PathBuf::from);
        let tables =
            (self.session).set_endings(folder.as_deref()).map_err(bad_file("EndgamePath", path))?;
        let game = self.session.info().name;
        let note = folder.as_ref().map(|_| format!("{tables} tables of {game}"));
        self.options.endgame_path = folder;
        Ok(note.map_or(Effect::None, Effect::Note))
    }

    /// Notes the dialogue in a file from now on, or nowhere.
    fn set_transcript(&mut self, path: &str) -> Result<Effect, String> {
        let path = Some(path).filter(|path| is_file(path));
        // `/dev/stderr` is no file, but takes lines at once.
        let file = path.filter(|&path| path != "/dev/stderr");
        file.map_or(Ok(()), |path| files::check(path.as_ref()))
            .and_then(|()| self.transcript.write_to(path))
            .map(|()| Effect::None)
            .map_err(bad_file("Debug Log File", path.unwrap_or_default()))
    }
}

/// Tries to allocate the memory for the value of an option.
fn try_memory(name: &str, wanted: usize) -> Result<(), String> {
    if Table::fits(wanted) {
        Ok(())
    } else {
        Err(format!("option {name}: {wanted} MB of memory cannot be allocated"))
    }
}

/// Names the option and the file that cannot be used.
fn bad_file(name: &str, path: impl AsRef<Path>) -> impl Fn(Error) -> String {
    move |error| format!("option {name}: {}: {error}", path.as_ref().display())
}

/// Returns true if the value of an option names a file.
fn is_file(value: &str) -> bool {
    !value.is_empty() && !value.eq_ignore_ascii_case(NO_FILE)
}
