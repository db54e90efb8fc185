//! Descriptions of the engine and of its games for XBoard.

use crate::engine::{Engine, OptionKind, Sheet, VARIANT_OPTION, XBoard};
use crate::protocol::NAME;
use std::fmt::Write as _;

/// The options that XBoard sets by commands of their own.
const KNOWN_OPTIONS: [&str; 4] = ["Hash", "Threads", "Ponder", VARIANT_OPTION];

/// Returns the answer to `protover`.
pub(super) fn features(engine: &Engine) -> String {
    let infos = engine.variants().iter().map(|variant| variant.info);
    let names: Vec<_> =
        infos.filter(|info| info.xboard != XBoard::Unfit).map(|info| info.name).collect();
    let mut text = format!(
        "feature done=0\n\
         feature myname=\"{}\" ping=1 setboard=1 usermove=1 colors=0 sigint=0 sigterm=0 \
         reuse=1 san=0 debug=1 analyze=1 playother=1 draw=1 highlight=1 memory=1 smp=1\n\
         feature variants=\"{}\"\n",
        NAME,
        names.join(","),
    );
    for option in engine.option_specs() {
        let default = &option.default;
        let kind = match option.kind {
            _ if KNOWN_OPTIONS.contains(&&*option.name) => continue,
            OptionKind::Spin { min, max } => format!("-spin {default} {min} {max}"),
            OptionKind::Check => format!("-check {}", u8::from(default == "true")),
            OptionKind::Text => format!("-file {default}"),
            OptionKind::Button => "-button".into(),
            OptionKind::Combo(_) => continue,
        };
        let _ = writeln!(text, "feature option=\"{} {kind}\"", option.name);
    }
    text.push_str("feature done=1");
    text
}

/// Translates a value of an option for the engine: XBoard writes check boxes as numbers.
pub(super) fn option_value<'v>(engine: &Engine, name: &str, value: &'v str) -> &'v str {
    let is_check = || {
        let specs = engine.option_specs();
        specs.iter().any(|option| option.is_called(name) && option.kind == OptionKind::Check)
    };
    match value {
        "1" if is_check() => "true",
        "0" if is_check() => "false",
        value => value,
    }
}

/// Returns the description of a game for XBoard.
pub(super) fn setup(info: &Sheet) -> Option<String> {
    // Of all games that XBoard knows only Bughouse lets any piece be dropped at any time.
    let (pieces, parent) = match info.xboard {
        XBoard::Pieces(pieces) => (pieces, "fairy"),
        XBoard::PiecesAndDrops(pieces) => (pieces, "bughouse"),
        XBoard::Known(pieces) => (pieces, info.name),
        XBoard::Unfit => return None,
    };
    Some(format!("setup ({pieces}) {}x{}+0_{parent} {}", info.files, info.ranks, info.start))
}
