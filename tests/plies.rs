//! Fillers, which the engine plays on XBoard's board besides the moves where Black begins or a move
//! brings in a piece: Pressman.

use crate::common::client::Client;
use quadrille::engine::VARIANTS;
use quadrille::games::Side;
use quadrille::system::random::Random;

/// Starts a dialogue in a game of Pressman, at depth 1.
fn playing() -> Client {
    let mut client = Client::start(&[]);
    client.send("xboard\nprotover 2");
    client.expect_line("feature done=1");
    assert_eq!(
        client.ask_xboard("new\nvariant pressman\nsd 1\neasy\nnopost"),
        ["setup (....Q.....q.) 8x8+0_bughouse \
             qqqqqqqq/qqqqqqqq/8/8/8/8/QQQQQQQQ/QQQQQQQQ b - - 0 1"]
    );
    client
}

/// Position with one move for White that gains a queen on b1, and one for Black that gains one on
/// g8.
const BOTH_GAIN: &str = "8/1Q6/8/8/3q4/8/8/Q7 w - - 0 1";

#[test]
fn white_passes_before_black_begins() {
    // The engine has White.
    let mut client = playing();
    assert_eq!(client.ask_xboard("go"), ["move a2a3,a3a2"]);
    let said = client.ask_xboard("usermove d7d5");
    assert!(said[0].starts_with("move "), "{said:?}");
    // The engine has Black: it begins when the person lifts a queen, and puts that down.
    let mut client = playing();
    let said = client.ask_xboard("lift b2");
    assert_eq!(said[..2], ["click b2", "move a2a3,a3a2"]);
    assert!(said[2].starts_with("move "), "{said:?}");
    assert_eq!(said.len(), 3);
    // It has neither.
    let mut client = playing();
    let said = client.ask_xboard("force\nlift b2\nusermove d7d5\nusermove a2a3");
    assert_eq!(said, ["click b2", "move a2a3,a3a2"]);
}

/// XBoard gives every start to White, and sends it so to a second engine.
#[test]
fn the_start_is_the_start_whoever_is_to_move() {
    let mut client = playing();
    let start = "qqqqqqqq/qqqqqqqq/8/8/8/8/QQQQQQQQ/QQQQQQQQ w - - 0 1";
    let said = client.ask_xboard(&format!("force\nsetboard {start}\ngo"));
    assert_eq!(said, ["move a2a3,a3a2"]);
    // Who gives it to Black has no need of a pass.
    let said = client
        .ask_xboard("force\nsetboard qqqqqqqq/qqqqqqqq/8/8/8/8/QQQQQQQQ/QQQQQQQQ b - - 0 1\ngo");
    assert!(said.len() == 1 && !said[0].contains(','), "{said:?}");
    // With another board, White does begin.
    let said = client.ask_xboard(&format!("force\nsetboard {BOTH_GAIN}\ngo"));
    assert!(!said[0].contains(','), "{said:?}");
}

#[test]
fn a_new_queen_is_dropped_after_a_pass() {
    // A person's queens, where the engine plays neither side.
    let mut client = playing();
    client.ask_xboard(&format!("force\nsetboard {BOTH_GAIN}"));
    let said = client.ask_xboard("lift b7\nput b8\nusermove b7b8");
    assert_eq!(said[1..], ["move d4c3,c3d4", "move Q@b1"]);
    let said = client.ask_xboard("lift d4\nput d1\nusermove d4d1");
    assert_eq!(said[1..], ["move a1a2,a2a1", "move Q@d8"]);
    // Where it plays Black, it answers after that. A person may also type the move.
    let mut client = playing();
    let said = client.ask_xboard(&format!("setboard {BOTH_GAIN}\nusermove b7b8"));
    assert_eq!(said[..2], ["move d4c3,c3d4", "move Q@b1"]);
    assert!(said[2].starts_with("move d4"), "{said:?}");
    // Its own queen.
    let said = client.ask_xboard("force\nsetboard 8/8/8/8/7Q/8/q7/8 b - - 0 1\ngo");
    let file = said[0].strip_prefix("move a2").unwrap().split_at(1).0;
    assert_eq!(said[0], format!("move a2{file}1"));
    assert!(said[1].starts_with("move h4") && said[1].contains(','), "{said:?}");
    assert_eq!(said[2..], [format!("move Q@{file}8")]);
}

/// An engine plays the pass and the drop itself. They may come while this one thinks, or after its answer. XBoard
/// writes a pass in one of two ways.
#[test]
fn another_engine_completes_its_moves() {
    for pass in ["d4c3,c3d4", "d4d4,c3e4"] {
        for (depth, reason) in
            [(1, "Illegal move: "), (99, "Error (it is not your turn): usermove ")]
        {
            let is_late = depth == 1;
            let mut client = playing();
            client.ask_xboard(&format!("computer\nlevel 0 60 0\nsd {depth}\nsetboard {BOTH_GAIN}"));
            client.send("usermove b7b8");
            // The plies of that move, and all that are heard.
            let mut plies = 3;
            if is_late {
                client.expect_line("move d4");
                plies += 1;
            }
            for filler in [pass, "Q@b1"] {
                // Each is taken once.
                client.send(&format!("usermove {filler}\nusermove {filler}"));
                plies += client.lines_to(&format!("{reason}{filler}")).len() - 1;
            }
            let said = client.ask_xboard("?");
            assert!(is_late || said[0].starts_with("move d4"), "{said:?}");
            plies += said.len();
            let undone = client.ask_xboard(&"undo\n".repeat(plies + 1));
            assert_eq!(undone, ["Error (no move to take back): undo"], "{pass}");
        }
    }
}

/// A pass has two sides, but the last move of a game may leave only one.
#[test]
fn a_side_without_a_piece_passes_too() {
    let last = "q7/8/8/8/8/8/8/Q7 w - - 0 1";
    let mut client = playing();
    let said = client.ask_xboard(&format!("setboard {last}\nusermove a1a8"));
    assert_eq!(said, ["move @@@@", "move Q@a1", "1-0 {no-pieces}"]);
    // XBoard sends another engine a position instead.
    let mut client = playing();
    let said = client.ask_xboard(&format!("computer\nsetboard {last}\nusermove a1a8"));
    assert_eq!(said, ["1-0 {no-pieces}"]);
    let said = client.ask_xboard("setboard Q7/8/8/8/8/8/8/8 w - - 1 2\nusermove Q@a1");
    assert_eq!(said, [""; 0]);
}

/// XBoard takes back two plies at a time, and so may stop within a move. A person who then lifts a
/// piece completes it.
#[test]
fn moves_are_taken_back_by_plies() {
    let mut client = playing();
    client.ask_xboard(&format!("setboard {BOTH_GAIN}"));
    let both = ["move d4c3,c3d4", "move Q@b1", "move d4a1", "move b1c1,c1b1", "move Q@a8"];
    assert_eq!(client.ask_xboard("usermove b7b8"), both);
    // Without the pass and the drop after the engine's move.
    let said = client.ask_xboard("remove\nlift b1");
    assert_eq!(said[..2], both[3..]);
    assert_eq!(said[2], "highlight 8/1Y5Y/1Y4Y1/1Y3Y2/1Y2Y3/1Y1Y4/YYY5/R1YYYYYY");
    // Without that move and the drop after the person's, too: it is the engine's turn again.
    let said = client.ask_xboard("remove\nremove\nlift b8");
    assert_eq!(said[0], "click b8");
    assert_eq!(said[1..], both[1..]);
    // Without any move.
    assert_eq!(client.ask_xboard("remove\nremove\nremove"), [""; 0]);
    let said = client.ask_xboard("undo");
    assert_eq!(said, ["Error (no move to take back): undo"]);
    assert_eq!(client.ask_xboard("usermove b7b8"), both);
}

/// While XBoard steps through a game, it plays all plies itself.
#[test]
fn stepping_back_and_forth_adds_nothing() {
    let mut client = playing();
    client.ask_xboard(&format!("force\nsetboard {BOTH_GAIN}"));
    client.ask_xboard("lift b7\nput b8\nusermove b7b8");
    assert_eq!(client.ask_xboard("undo"), [""; 0]);
    let nothing = "highlight 8/8/8/8/8/8/8/8";
    assert_eq!(client.ask_xboard("lift a1"), [nothing]);
    assert_eq!(client.ask_xboard("undo\nundo"), [""; 0]);
    let said = client.ask_xboard("usermove b7b8\nusermove d4d4,c3e4\nusermove Q@b1");
    assert_eq!(said, [""; 0]);
    assert_ne!(client.ask_xboard("lift d4"), [nothing]);
    // The engine helps again a person who plays on from an earlier position.
    client.ask_xboard("undo\nundo\nundo");
    let said = client.ask_xboard("lift b7\nput b8\nusermove b7b8");
    assert_eq!(said[1..], ["move d4c3,c3d4", "move Q@b1"]);
}

/// Clients with a true board of their own play moves alone.
#[test]
fn what_is_left_out_is_not_missed() {
    let mut client = playing();
    client.ask_xboard("force");
    for mv in ["d7d5", "a2a3", "d5d2"] {
        assert_eq!(client.ask_xboard(&format!("usermove {mv}")), [""; 0]);
    }
    assert_eq!(client.ask_xboard("undo\nundo\nundo"), [""; 0]);
    client.ask_xboard(&format!("setboard {BOTH_GAIN}"));
    let said = client.ask_xboard("usermove b7b8\nusermove d4d1\nundo\nundo");
    assert_eq!(said, [""; 0]);
    let said = client.ask_xboard("undo");
    assert_eq!(said, ["Error (no move to take back): undo"]);
}

/// A dropped piece is the piece that a side has more after its own move, in every game.
#[test]
fn newcomers_are_gained_pieces() {
    let mut gained = Vec::new();
    for variant in VARIANTS {
        let mut session = variant.open();
        let mut random = Random::new(1, 0);
        while session.outcome().is_none() {
            let mv = random.pick(&session.moves()).unwrap().clone();
            let mv = mv.as_str();
            let (side, dropped_piece) = (session.to_move(), session.board_view().dropped_piece(mv));
            let count = |fen: &str| {
                let placement = fen.split(' ').next().unwrap();
                let own = |c: char| match side {
                    Side::White => c.is_ascii_uppercase(),
                    Side::Black => c.is_ascii_lowercase(),
                };
                placement.matches(own).count()
            };
            let before = count(&session.fen());
            session.play(mv).unwrap();
            let more = count(&session.fen()) - before;
            assert_eq!(more, usize::from(dropped_piece.is_some()), "{mv}");
            if let Some(dropped_piece) = dropped_piece {
                // It is dropped on its own home row.
                let row = ['1', '8'][side.index()];
                assert!(dropped_piece.starts_with("Q@") && dropped_piece.ends_with(row));
                gained.push(variant.info.name);
            }
        }
    }
    gained.dedup();
    assert_eq!(gained, ["pressman"]);
}
