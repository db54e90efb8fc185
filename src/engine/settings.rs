//! The settings of an engine: all its options in one table, with the effect of each.

use super::instance::Engine;
use super::messages::Evaluation;
use super::node_clock::NodeClock;
use super::options::{
    INTERNAL_NETWORK, MAX_MOVE_OVERHEAD, MAX_MULTI_PV, MAX_NETWORK, MAX_NODES_PER_MILLI,
    MAX_THREADS, MIN_ELO, NO_FILE, NO_NETWORK, OptionError, OptionKind, OptionSpec, Options,
    THREAD_MEGABYTES,
};
use super::variant::{Variant, find_variant, names};
use crate::search::{FULL_ELO, FULL_SKILL, Table};
use crate::system::files;
use crate::system::sync::cores;
use crate::system::text::plain;
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// The name of the option that chooses the game.
pub const VARIANT_OPTION: &str = "UCI_Variant";

/// All options in the order in which they are announced.
const SETTINGS: [(&str, Setting); 16] = [
    (VARIANT_OPTION, Setting::Variant),
    (
        "Hash",
        Setting::Number {
            min: 1,
            max: |_| Table::MAX_MEGABYTES,
            field: |options| &mut options.hash,
            prepare: Engine::resize,
        },
    ),
    ("Clear Hash", Setting::Button(Engine::clear)),
    (
        "Threads",
        Setting::Number {
            min: 1,
            max: |_| MAX_THREADS,
            field: |options| &mut options.threads,
            prepare: Engine::set_threads,
        },
    ),
    ("Ponder", Setting::Flag(|options| &mut options.ponder)),
    (
        "MultiPV",
        Setting::Number {
            min: 1,
            max: |_| MAX_MULTI_PV,
            field: |options| &mut options.multi_pv,
            prepare: accept,
        },
    ),
    (
        "Move Overhead",
        Setting::Number {
            min: 0,
            max: |_| MAX_MOVE_OVERHEAD,
            field: |options| &mut options.overhead_millis,
            prepare: accept,
        },
    ),
    (
        "nodestime",
        Setting::Number {
            min: 0,
            max: |_| MAX_NODES_PER_MILLI,
            field: |options| &mut options.nodes_per_milli,
            prepare: Engine::begin_node_clock,
        },
    ),
    (
        "UCI_AnalyseMode",
        Setting::Flag(|options| &mut options.analyse_mode),
    ),
    (
        "UCI_ShowWDL",
        Setting::Flag(|options| &mut options.show_wdl),
    ),
    (
        "Skill Level",
        Setting::Number {
            min: 0,
            max: |_| FULL_SKILL as usize,
            field: |options| &mut options.skill_level,
            prepare: accept,
        },
    ),
    (
        "UCI_LimitStrength",
        Setting::Flag(|options| &mut options.limit_strength),
    ),
    (
        "UCI_Elo",
        Setting::Number {
            min: MIN_ELO,
            max: |_| FULL_ELO as usize,
            field: |options| &mut options.elo,
            prepare: accept,
        },
    ),
    (
        "EvalFile",
        Setting::Text {
            default: INTERNAL_NETWORK,
            set: Engine::load_network,
        },
    ),
    (
        "EndgamePath",
        Setting::Text {
            default: NO_FILE,
            set: Engine::load_endings,
        },
    ),
    (
        "Debug Log File",
        Setting::Text {
            default: NO_FILE,
            set: Engine::set_transcript,
        },
    ),
];

/// The kind of an option, and its effect.
#[derive(Clone, Copy)]
enum Setting {
    Variant,
    /// A number, kept in `field`.
    Number {
        min: usize,
        max: fn(&Engine) -> usize,
        field: fn(&mut Options) -> &mut usize,
        /// Work that must succeed first.
        prepare: fn(&mut Engine, usize) -> Result<Effect, OptionError>,
    },
    /// True or false, kept in a field.
    Flag(fn(&mut Options) -> &mut bool),
    /// A text that `set` acts upon.
    Text {
        default: &'static str,
        set: fn(&mut Engine, &str) -> Result<Effect, OptionError>,
    },
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
        let mut defaults = Options::default();
        let mut kind = |setting| match setting {
            Setting::Variant => OptionKind::Combo {
                default: self.initial.info.name,
                choices: self
                    .variants
                    .iter()
                    .map(|variant| variant.info.name)
                    .collect(),
            },
            Setting::Number {
                min, max, field, ..
            } => OptionKind::Spin {
                default: *field(&mut defaults),
                min,
                max: max(self),
            },
            Setting::Flag(field) => OptionKind::Check {
                default: *field(&mut defaults),
            },
            Setting::Text { default, .. } => OptionKind::Text { default },
            Setting::Button(_) => OptionKind::Button,
        };
        self.settings()
            .map(|(name, setting)| OptionSpec {
                name,
                kind: kind(setting),
            })
            .collect()
    }

    /// Returns the settings that this engine has.
    fn settings(&self) -> impl Iterator<Item = (&'static str, Setting)> + use<> {
        let is_sealed = self.is_sealed;
        let names_file = |setting: &Setting| matches!(setting, Setting::Text { .. });
        let all = SETTINGS.into_iter();
        all.filter(move |(_, setting)| !(is_sealed && names_file(setting)))
    }

    /// Sets an option. No search may be running.
    ///
    /// # Errors
    ///
    /// There is no such option, or the value is not allowed; nothing has changed.
    pub fn set_option(&mut self, name: &str, value: &str) -> Result<Effect, OptionError> {
        debug_assert!(!self.is_searching());
        let (name, setting) = self
            .settings()
            .find(|(known, _)| known.eq_ignore_ascii_case(name))
            .ok_or_else(|| OptionError::Unknown(name.to_string()))?;
        let bad_value = |allowed| OptionError::BadValue {
            name,
            value: value.to_string(),
            allowed,
        };
        let mut effect = Effect::None;
        let may_be_empty = matches!(
            setting,
            Setting::Button(_)
                | Setting::Text {
                    default: NO_FILE,
                    ..
                }
        );
        if value.is_empty() && !may_be_empty {
            return Err(OptionError::NoValue(name));
        }
        match setting {
            Setting::Variant => {
                let variant = find_variant(self.variants, value)
                    .map_err(|_| bad_value(format!("one of {}", names(self.variants))))?;
                self.choose_variant(variant)?;
                effect = Effect::NewVariant;
            }
            Setting::Number {
                min,
                max,
                field,
                prepare,
            } => {
                let max = max(self);
                let number = plain(value)
                    .filter(|number| (min..=max).contains(number))
                    .ok_or_else(|| bad_value(format!("a whole number from {min} to {max}")))?;
                effect = prepare(self, number)?;
                *field(&mut self.options) = number;
            }
            Setting::Flag(field) => {
                let flag = value.to_ascii_lowercase().parse();
                *field(&mut self.options) =
                    flag.map_err(|_| bad_value("`true` or `false`".into()))?;
            }
            Setting::Text { set, .. } => effect = set(self, value)?,
            Setting::Button(press) => press(self),
        }
        log::debug!("option {name}: {value}");
        Ok(effect)
    }

    /// Begins a game of another variant, or of the same.
    fn choose_variant(&mut self, variant: Variant) -> Result<(), OptionError> {
        let folder = self.options.endgame_path.as_deref();
        let mut session = variant.open();
        session.prepare(self.options.threads);
        session.set_endings(folder).map_err(OptionError::of_file(
            "EndgamePath",
            folder.unwrap_or(Path::new("")),
        ))?;
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

    /// Evaluates with the network of a file from now on, until another game is chosen.
    fn load_network(&mut self, path: &str) -> Result<Effect, OptionError> {
        const NAME: &str = "EvalFile";
        let bytes;
        let evaluation = match path {
            _ if path.eq_ignore_ascii_case(INTERNAL_NETWORK) => Evaluation::Internal,
            _ if path.eq_ignore_ascii_case(NO_NETWORK) => Evaluation::Material,
            _ => {
                bytes = files::read(path.as_ref(), MAX_NETWORK)
                    .map_err(OptionError::of_file(NAME, path))?;
                Evaluation::File(&bytes)
            }
        };
        self.session
            .set_evaluation(evaluation)
            .map_err(OptionError::of_file(NAME, path))?;
        self.clear();
        Ok(Effect::None)
    }

    /// Consults the endings of a folder from now on, in other games too.
    fn load_endings(&mut self, path: &str) -> Result<Effect, OptionError> {
        let folder = Some(path).filter(|path| is_file(path)).map(PathBuf::from);
        let tables = (self.session)
            .set_endings(folder.as_deref())
            .map_err(OptionError::of_file("EndgamePath", path))?;
        let game = self.session.info().name;
        let note = folder
            .as_ref()
            .map(|_| format!("{tables} tables of {game}"));
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
            .map_err(OptionError::of_file(
                "Debug Log File",
                path.unwrap_or_default(),
            ))
    }
}

/// Tries to allocate the memory for the value of an option.
fn try_memory(name: &'static str, wanted: usize) -> Result<(), OptionError> {
    if Table::fits(wanted) {
        Ok(())
    } else {
        Err(OptionError::NoMemory { name, wanted })
    }
}

/// Returns true if the value of an option names a file.
fn is_file(value: &str) -> bool {
    !value.is_empty() && !value.eq_ignore_ascii_case(NO_FILE)
}
