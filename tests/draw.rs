//! `draw`: pictures of positions.

use crate::common::program::{Ended, Run, quadrille, scratch};
use quadrille::engine::VARIANTS;

/// Runs `quadrille draw`, and returns its output and its complaint.
fn draw(words: &[&str]) -> (String, String) {
    let Ended { stdout, stderr, .. } = quadrille(["draw"]).args(words).run();
    (stdout, stderr)
}

/// Number of pieces in a FEN.
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
            let drawn = svg.matches("<g transform=\"translate(").count();
            assert_eq!(drawn, pieces(fen));
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
        let marks = |svg: &str| svg.matches("#f2d94e").count() + svg.matches("#d8b52e").count();
        assert_eq!(marks(&draw(&[variant.info.name]).0), 0);
        let words = [variant.info.name, "--moves", &first, "--arrows", &second, &first];
        let (svg, _) = draw(&words);
        assert_eq!(marks(&svg), 2);
        assert_eq!(svg.matches("<line x1=").count(), {
            let wings = usize::from(variant.info.name == "congress");
            2 + wings
        });
    }
}

/// Places of elements: the numbers of their attributes.
fn places(svg: &str, element: &str) -> Vec<String> {
    let elements = svg.split(element).skip(1);
    let places = elements.map(|rest| rest.split(['>', ')']).next().unwrap().to_string());
    places.collect()
}

/// The flipped board is the other turned by half a turn, with the mark of the side to move at the
/// other end.
#[test]
fn a_board_can_be_flipped() {
    for variant in VARIANTS {
        let info = variant.info;
        let (svg, _) = draw(&[info.name]);
        let (flipped, complaint) = draw(&[info.name, "startpos", "--flip"]);
        assert_eq!(complaint, "");
        let right = 2 * 22 + (info.files - 1) * 45;
        let bottom = 2 * 6 + (info.ranks - 1) * 45;
        let turned = |place: &String| {
            let (x, y) = place.split_once(' ').unwrap();
            let [x, y] = [x, y].map(|number| number.parse::<usize>().unwrap());
            format!("{} {}", right - x, bottom - y)
        };
        let element = "\n<g transform=\"translate(";
        let mut wanted: Vec<_> = places(&svg, element).iter().map(turned).collect();
        let mut found = places(&flipped, element);
        wanted.sort_unstable();
        found.sort_unstable();
        assert_eq!(found, wanted);
        let turn = |svg: &str| places(svg, "class=\"turn\"").concat();
        assert_ne!(turn(&svg), turn(&flipped));
        let first = ["white", "black"][info.first as usize];
        for picture in [&svg, &flipped] {
            assert!(picture.contains(&format!("{}, {first} to move: ", info.name)));
            assert_eq!(places(picture, "class=\"turn\"").len(), 1);
        }
        let mv = &variant.open().moves()[0];
        let (moved, _) = draw(&[info.name, "--moves", mv]);
        assert_ne!(turn(&svg), turn(&moved), "the other side is to move");
    }
}

/// Nothing lies behind the board, and no black part would vanish on black.
#[test]
fn pictures_have_no_background() {
    for variant in VARIANTS {
        let (svg, _) = draw(&[variant.info.name, "--key"]);
        assert!(!svg.contains("100%"));
        let mut texts = places(&svg, "<text").into_iter();
        assert!(texts.all(|text| text.ends_with("fill=\"#808080\"")));
    }
}

#[test]
fn size_key_and_file_can_be_chosen() {
    let (key, _) = draw(&["congress", "--key"]);
    for name in [">K king<", ">P pawn<", ">H horse<", ">B bishop<"] {
        assert!(key.contains(name), "{name}");
    }
    let (plain, _) = draw(&["congress"]);
    assert!(!plain.contains("king"));
    let (wide, _) = draw(&["congress", "--size", "808"]);
    assert!(plain.contains(" width=\"404\" height=\"298\""), "{plain}");
    assert_eq!(
        wide,
        plain.replacen("width=\"404\" height=\"298\"", "width=\"808\" height=\"596\"", 1)
    );
    let path = scratch("draw/file").join("congress.svg");
    let words = ["congress", "-o", path.to_str().unwrap()];
    assert_eq!(draw(&words), (String::new(), String::new()));
    assert_eq!(std::fs::read_to_string(path).unwrap(), plain);
}
