//! The settings of an engine: all its options in one table, with the effect of each.

use super::instance::Engine;
use super::networks::INTERNAL_NETWORK;
use super::node_clock::NodeClock;
use super::options::{
    MAX_ELO, MAX_MULTI_PV, MAX_THREADS, OptionError, OptionKind, OptionSpec, Options, read_check,
};
use super::variant::{Variant, find_variant};
use crate::search::{FULL_SKILL, LOWEST_ELO, Table};
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
    ("UCI_Elo", Number(LOWEST_ELO as usize..=MAX_ELO, |options| &mut options.elo, accept)),
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
        fn(&mut Engine, usize) -> Result<Effect, OptionError>,
    ),
    /// True or false, kept in a field.
    Flag(fn(&mut Options) -> &mut bool),
    /// A text with its default, and what acts upon it.
    Text(&'static str, fn(&mut Engine, &str) -> Result<Effect, OptionError>),
    /// An action.
    Button(fn(&mut Engine)),
}

/// Accepts any number; no extra work.
fn accept(_: &mut Engine, _: usize) -> Result<Effect, OptionError> {
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
        self.settings().map(|setting| self.spec(setting)).collect()
    }

    fn spec(&self, (name, setting): &(&'static str, Setting)) -> OptionSpec {
        let mut defaults = Options::default();
        let (kind, default) = match setting {
            Setting::Variant => {
                let names = self.variants.iter().map(|variant| variant.info.name.to_string());
                (OptionKind::Combo(names.collect()), self.initial.info.name.into())
            }
            Number(range, field, _) => {
                let (min, max) = (*range.start() as i64, *range.end() as i64);
                (OptionKind::Spin { min, max }, field(&mut defaults).to_string())
            }
            Flag(field) => (OptionKind::Check, field(&mut defaults).to_string()),
            Text(default, _) => (OptionKind::Text, default.to_string()),
            Button(_) => (OptionKind::Button, String::new()),
        };
        OptionSpec { name: name.to_string(), kind, default }
    }

    /// Returns the settings that this engine has.
    fn settings(&self) -> impl Iterator<Item = &'static (&'static str, Setting)> + use<> {
        let is_sealed = self.is_sealed;
        let names_file = |setting: &Setting| matches!(setting, Text(..));
        (SETTINGS.iter()).filter(move |(_, setting)| !(is_sealed && names_file(setting)))
    }

    /// Sets an option. No search may be running. A fault changes nothing.
    pub fn set_option(&mut self, name: &str, value: &str) -> Result<Effect, OptionError> {
        debug_assert!(!self.is_searching());
        let known = self
            .settings()
            .find(|(known, _)| known.eq_ignore_ascii_case(name))
            .ok_or_else(|| OptionError::Unknown { name: name.into(), known: None })?;
        let (name, setting) = known;
        let spec = self.spec(known);
        let mut effect = Effect::None;
        if value.is_empty() && !matches!(setting, Button(_) | Text(NO_FILE, _)) {
            return Err(spec.refuse(value));
        }
        match setting {
            Setting::Variant => {
                let variant = find_variant(self.variants, value);
                self.choose_variant(variant.map_err(|_| spec.refuse(value))?)?;
                effect = Effect::NewVariant;
            }
            Number(range, field, prepare) => {
                let number = plain(value).filter(|number| range.contains(number));
                let number = number.ok_or_else(|| spec.refuse(value))?;
                effect = prepare(self, number)?;
                *field(&mut self.options) = number;
            }
            Flag(field) => {
                let flag = read_check(value).ok_or_else(|| spec.refuse(value))?;
                *field(&mut self.options) = flag;
            }
            Text(_, set) => effect = set(self, value)?,
            Button(press) => press(self),
        }
        log::debug!("option {name}: {value}");
        Ok(effect)
    }

    /// Begins a game of another variant, or of the same.
    fn choose_variant(&mut self, variant: Variant) -> Result<(), OptionError> {
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
    fn resize(&mut self, megabytes: usize) -> Result<Effect, OptionError> {
        try_memory("Hash", megabytes)?;
        // The old table goes first, so that both need not fit.
        self.table = Arc::new(Table::new(1, 1));
        self.table = Arc::new(Table::new(megabytes, self.options.threads));
        Ok(Effect::None)
    }

    /// Begins a new clock for nodes that stand for another time than before.
    fn begin_node_clock(&mut self, _: usize) -> Result<Effect, OptionError> {
        self.node_clock = NodeClock::default();
        Ok(Effect::None)
    }

    /// Allocates the memory for a number of threads.
    fn set_threads(&mut self, threads: usize) -> Result<Effect, OptionError> {
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
    fn load_network(&mut self, name: &str) -> Result<Effect, OptionError> {
        (self.session.set_network(name)).map_err(bad_file("EvalFile", name))?;
        self.clear();
        Ok(Effect::None)
    }

    /// Consults the endings of a folder from now on, in other games too.
    fn load_endings(&mut self, path: &str) -> Result<Effect, OptionError> {
        let folder = Some(path).filter(|path| is_file(path)).map(PathBuf::from);
        let tables =
            (self.session).set_endings(folder.as_deref()).map_err(bad_file("EndgamePath", path))?;
        let game = self.session.info().name;
        let note = folder.as_ref().map(|_| format!("{tables} tables of {game}"));
        self.options.endgame_path = folder;
        Ok(note.map_or(Effect::None, Effect::Note))
    }

    /// Notes the dialogue in a file from now on, or nowhere.
    fn set_transcript(&mut self, path: &str) -> Result<Effect, OptionError> {
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
fn try_memory(name: &'static str, megabytes: usize) -> Result<(), OptionError> {
    Table::fits(megabytes).then_some(()).ok_or(OptionError::Memory { name, megabytes })
}

/// Names the option and the file that cannot be used.
fn bad_file(name: &'static str, path: impl AsRef<Path>) -> impl Fn(Error) -> OptionError {
    move |error| OptionError::File { name, path: path.as_ref().into(), error }
}

/// Returns true if the value of an option names a file.
fn is_file(value: &str) -> bool {
    !value.is_empty() && !value.eq_ignore_ascii_case(NO_FILE)
}
