//! `draw`: pictures of positions.

#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

use quadrille::engine::VARIANTS;
use std::process::{Command, Output};

/// What `quadrille draw` writes, and what it complains of.
fn draw(words: &[&str]) -> (String, String) {
    let Output { stdout, stderr, .. } = Command::new(env!("CARGO_BIN_EXE_quadrille"))
        .arg("draw")
        .args(words)
        .output()
        .unwrap();
    let text = |bytes| String::from_utf8(bytes).unwrap();
    (text(stdout), text(stderr))
}

/// How many pieces the board of a FEN has.
fn pieces(fen: &str) -> usize {
    let board = fen.split(' ').next().unwrap();
    board.chars().filter(char::is_ascii_alphabetic).count()
}

#[test]
fn every_square_and_piece_is_drawn_and_every_element_closed() {
    for variant in VARIANTS {
        let info = variant.info;
        let holes = info.start.matches('*').count();
        for fen in [info.start].iter().chain(info.samples) {
            let (svg, complaint) = draw(&[&[variant.info.name][..], &[*fen]].concat());
            assert_eq!(complaint, "");
            assert_eq!(svg.matches("<g transform=\"translate(").count(), {
                let compounds = svg.matches("scale(0.92)").count();
                pieces(fen) + 2 * compounds
            });
            let squares = info.files * info.ranks - holes;
            assert_eq!(svg.matches("<rect x=").count(), squares);
            assert_eq!(svg.matches("<g ").count(), svg.matches("</g>").count());
            let opened = svg.matches('<').count() - svg.matches("</").count();
            let closed = svg.matches("/>").count() + svg.matches("</").count();
            assert_eq!(opened, closed, "{fen}");
            assert!(svg.contains(fen));
        }
    }
}

#[test]
fn the_last_move_is_marked_and_arrows_are_drawn() {
    for variant in VARIANTS {
        let mut session = variant.open();
        let first = session.moves().remove(0);
        session.play(&first).unwrap();
        let second = session.moves().remove(0);
        let marks = |svg: &str| svg.matches("#f2d94e").count();
        assert_eq!(marks(&draw(&[variant.info.name]).0), 0);
        let words = [
            variant.info.name,
            "--moves",
            &first,
            "--arrows",
            &second,
            &first,
        ];
        let (svg, _) = draw(&words);
        assert_eq!(marks(&svg), 2);
        assert_eq!(svg.matches("<line x1=").count(), {
            let wings = usize::from(variant.info.name == "congress");
            2 + wings
        });
    }
}

#[test]
fn faults_are_named() {
    for (words, fault) in [
        (&["chess"][..], "`chess` is not one of"),
        (&["gothic", "8/8"], "draw: FEN"),
        (&["gothic", "--moves", "e2e5"], "`e2e5`, is illegal"),
        (&["gothic", "--foo"], "`--foo` is not understood"),
        (&["gothic", "--arrows", "e2"], "`e2` is no move"),
        (&["gothic", "--arrows", "e2e2"], "`e2e2` is no move"),
        (&["gothic", "--arrows", "e2e4xyz"], "`e2e4xyz` is no move"),
    ] {
        let (svg, complaint) = draw(words);
        assert_eq!(svg, "");
        assert!(complaint.contains(fault), "{complaint}");
    }
}
