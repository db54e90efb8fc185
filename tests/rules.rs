//! `quadrille rules`: the rules of one game.

use crate::common::positions::{PERFT, lines};
use crate::common::program::{Run, quadrille};
use crate::documents::document;
use quadrille::engine::VARIANTS;
use quadrille::tools::rules;

#[test]
fn every_game_has_rules() {
    let protocol = document("protocol.md");
    for variant in VARIANTS {
        let file = format!("src/games/{}.md", variant.info.name);
        assert_eq!(document(&file), variant.info.rules);
        assert!(protocol.contains(&format!("({file})")), "{file}");
        let text = rules::text(*variant);
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
            "\nCommon to all games\n",
            "\nRulings\n",
            "\nPerft from the start: ",
        ] {
            assert_eq!(text.matches(part).count(), 1, "{part}\n{text}");
        }
        let (_, counts) = text.split_once("\nPerft from the start: ").unwrap();
        let counts = counts.lines().next().unwrap();
        let known = lines(PERFT, variant.info.name).next().unwrap()[1];
        assert!(counts.len() > 8 && known.starts_with(counts), "{counts}");
        for line in text.lines().filter(|line| !line.starts_with("    ")) {
            assert!(line.chars().count() <= 100, "{line}");
            assert!(!line.contains(['*', '`', '|']), "{line}");
        }
    }
}

#[test]
fn it_is_a_command() {
    let said = |words: [&str; 2]| quadrille(words).run().succeeded().stdout;
    let rules = said(["rules", "Cross-Eyed"]);
    assert!(rules.starts_with("Cross-Eyed Chess\n"), "{rules}");
    let help = said(["rules", "--help"]);
    assert!(help.starts_with("quadrille rules VARIANT\n"), "{help}");
    let ended = quadrille(["rules", "chess"]).run();
    assert_eq!(ended.stdout, "");
    let error = ended.refused();
    assert!(error.contains("`chess` is not one of gothic"), "{error}");
}
