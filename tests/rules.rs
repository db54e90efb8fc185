//! `quadrille rules`: what protocol.md says of a game, and nothing of the others.

use crate::common::program::InTime;
use quadrille::engine::VARIANTS;
use quadrille::tools::rules;
use std::process::Command;

#[test]
fn every_game_has_rules() {
    for variant in VARIANTS {
        let text = rules::text(*variant).unwrap();
        let (heading, _) = text.split_once('\n').unwrap();
        assert!(variant.is_called(heading), "{heading}");
        let of_others = VARIANTS.iter().filter(|other| {
            let is_told = |line: &str| other.is_called(line) || line == other.info.start;
            !other.is_called(variant.info.name) && text.lines().map(str::trim).any(is_told)
        });
        assert_eq!(of_others.count(), 0, "{text}");
        for part in [
            variant.info.start,
            "\nThe end:\n",
            "\nCommon to all four\n",
            "\nRulings\n",
        ] {
            assert_eq!(text.matches(part).count(), 1, "{part}\n{text}");
        }
        for line in text.lines().filter(|line| !line.starts_with("    ")) {
            assert!(line.chars().count() <= 100, "{line}");
            assert!(!line.contains(['*', '`', '|']), "{line}");
        }
    }
}

#[test]
fn it_is_a_command() {
    let run = |words: &[&str]| {
        let output = Command::new(env!("CARGO_BIN_EXE_quadrille"))
            .args(words)
            .output_in_time();
        let text = |bytes| String::from_utf8(bytes).unwrap();
        let status = output.status.code();
        (status, text(output.stdout), text(output.stderr))
    };
    let (status, said, _) = run(&["rules", "Cross-Eyed"]);
    assert_eq!(status, Some(0));
    assert!(said.starts_with("Cross-Eyed Chess\n"), "{said}");
    let (status, said, error) = run(&["rules", "chess"]);
    assert_eq!((status, said.as_str()), (Some(2), ""));
    assert!(error.contains("`chess` is not one of gothic"), "{error}");
    let (status, said, _) = run(&["rules", "--help"]);
    assert_eq!(status, Some(0));
    assert!(said.starts_with("quadrille rules VARIANT\n"), "{said}");
}
