//! The games of this program, each with a sheet: its rules for people, and all that is not a rule.

use super::tuned;
use crate::games::{Congress, CrossEyed, Game, Gothic, Pressman, Side};
use crate::search::{Params, ScoreModel, SkillElo};

/// Registry of the games: `for_all_games!(m args)` expands to
/// `m! { args Gothic, Congress, Pressman, CrossEyed }`. The program starts in the first.
#[macro_export]
macro_rules! for_all_games {
    ($then:ident $($first:tt)*) => {
        $then! { $($first)* Gothic, Congress, Pressman, CrossEyed }
    };
}

/// The description of a game for XBoard, which draws boards that an engine describes.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum XBoard {
    /// A piece of XBoard for each piece of the game, as an argument of its `setup` command.
    Pieces(&'static str),
    /// The same for a game that it knows.
    Known(&'static str),
    /// The same for a game with moves that bring in a new piece, which is then dropped on its
    /// board.
    PiecesAndDrops(&'static str),
    /// It cannot show the game.
    Unfit,
}

/// When a game of self-play ends before its end: one side was far ahead for so long that it wins 98 of 100 such
/// games.
#[derive(Clone, Copy)]
pub struct Adjudication {
    /// A side is far ahead if its score exceeds the lead of the score model by this many spreads.
    pub spreads: f64,
    /// The plies in a row.
    pub plies: usize,
}

/// Facts about a game, seen without its type: some of its [`Game`], and all that is not a rule.
#[derive(Clone, Copy)]
pub struct Sheet {
    /// The variant's name.
    pub name: &'static str,
    /// The width of the grid.
    pub files: usize,
    /// The height of the grid.
    pub ranks: usize,
    /// The start position.
    pub start: &'static str,
    /// The side that moves first: player 1.
    pub first: Side,
    /// False if every game has a winner.
    pub has_draws: bool,
    /// The rules for people, as text that a terminal shows and GitHub renders.
    pub rules: &'static str,
    /// The rules in short, for a page: a block with `win`, `more` and `draw`, and one for each of
    /// four boards, with its `name`, a `text`, a `fen` and the `square` of the piece that is shown.
    /// A block has a line `name: text` for each; empty lines part blocks.
    pub in_short: &'static str,
    /// Names of games with the same rules and another start, which a FEN then gives.
    pub other_starts: &'static [&'static str],
    /// Positions that show how each piece moves, for pictures beside the rules: the name of the
    /// piece, its square, and the FEN.
    pub examples: &'static [(&'static str, &'static str, &'static str)],
    /// Tasks for somebody who learns the game: blocks of `name: text`, one after the other.
    pub first_steps: &'static str,
    /// Positions of all phases of the game, for benchmarks.
    pub samples: &'static [&'static str],
    /// The file of the network that evaluates positions; without one pieces are counted.
    pub network: Option<&'static [u8]>,
    /// The parameters of its search, found by `quadrille tune` and matches.
    pub params: Params,
    /// Its description for XBoard.
    pub xboard: XBoard,
    /// The chances that a value stands for, in games of the program with itself at about 25,000
    /// nodes a move.
    pub score_model: ScoreModel,
    /// The end of its games of self-play.
    pub adjudication: Adjudication,
    /// The Elo of play with each of [`HANDICAPS`](crate::search::HANDICAPS), at 20,000 nodes a move.
    pub skill_elo: SkillElo,
    /// The first file of a second wing, where the board has two.
    pub second_wing: Option<usize>,
}

impl Sheet {
    /// Creates the sheet of a game of which only the rules are known.
    pub const fn new<G: Game>(rules: &'static str) -> Self {
        Self {
            name: G::NAME,
            files: G::GEOMETRY.files(),
            ranks: G::GEOMETRY.ranks(),
            start: G::START,
            first: G::FIRST,
            has_draws: !G::IS_ACYCLIC,
            rules,
            in_short: "",
            other_starts: &[],
            examples: &[],
            first_steps: "",
            samples: &[],
            network: None,
            params: Params::DEFAULT,
            xboard: XBoard::Unfit,
            score_model: ScoreModel::GUESS,
            adjudication: Adjudication { spreads: 8.0, plies: 6 },
            skill_elo: [
                300, 500, 700, 900, 1100, 1300, 1500, 1700, 1900, 2100, 2300, 2500, 2700, 3000,
            ],
            second_wing: None,
        }
    }
}

/// Includes a file in the program once: a constant would be copied to each of its uses.
macro_rules! network {
    ($file:literal) => {{
        static BYTES: [u8; include_bytes!($file).len()] = *include_bytes!($file);
        &BYTES
    }};
}

/// Returns a position of Cross-Eyed Chess with these middle ranks, and a king at each end.
macro_rules! crosseyed {
    ($ranks:literal) => {
        concat!(
            "****k3****/****4****/****4****/***6***/",
            $ranks,
            "/***6***/****4****/****4****/****3K**** w - - 0 1"
        )
    };
}

/// A game in the catalogue.
pub trait Entry: Game {
    /// Its sheet.
    const SHEET: Sheet;
}

impl Entry for Gothic {
    const SHEET: Sheet = Sheet {
        other_starts: &["Capablanca", "Caparandom"],
        examples: &[
            ("king", "e4", "9k/p9/10/10/4K5/10/P9/10 w - - 0 1"),
            ("queen", "e4", "9k/p9/10/10/4Q5/10/P9/9K w - - 0 1"),
            ("rook", "e4", "9k/p9/10/10/4R5/10/P9/9K w - - 0 1"),
            ("bishop", "e4", "9k/p9/10/10/4B5/10/P9/9K w - - 0 1"),
            ("knight", "e4", "9k/p9/10/10/4N5/10/P9/9K w - - 0 1"),
            ("archbishop", "e4", "9k/p9/10/10/4A5/10/P9/9K w - - 0 1"),
            ("chancellor", "e4", "9k/p9/10/10/4C5/10/P9/9K w - - 0 1"),
            ("pawn", "e2", "k9/10/10/10/10/3n1n4/4P5/9K w - - 0 1"),
            ("en passant", "e5", "k9/10/10/3pP5/10/10/10/9K w - d6 0 1"),
            ("promotion", "e7", "3n5k/4P5/10/10/10/10/10/9K w - - 0 1"),
            ("castling", "f1", "5k4/10/10/10/10/10/10/R4K3R w KQ - 0 1"),
        ],
        samples: &[
            "rnb1ck2n1/pp1qpppab1/2pp4A1/7ppP/6rP2/N1C1PP4/PPPP2P2P/R1BQK2BNR w q - 2 16",
            "n4k2r1/p1r7/CQ2p1p1p1/5p3p/b9/N2P5P/PP2P1P1K1/1Ra5N1 w - - 4 51",
            "2bqcka1C1/1r3B3r/p1Q1pp1pp1/3P1Cp2p/pPn1P1P2P/B4P4/7P1N/2RNK2A1R b - - 2 37",
            "3k5a/6Q3/1NP1p1P3/p1P2p3p/3P1P2p1/1PnK6/10/10 w - - 4 78",
        ],
        network: Some(network!("../eval/networks/gothic.net")),
        params: tuned::GOTHIC,
        xboard: XBoard::Known("PNBRQ..ACKpnbrq..ack"),
        score_model: ScoreModel { lead: 79, spread: 101 },
        skill_elo: [
            235, 660, 1030, 1330, 1550, 1830, 2035, 2235, 2430, 2770, 2895, 3045, 3215, 3695,
        ],
        in_short: include_str!("../games/in_short/gothic.txt"),
        first_steps: include_str!("../games/first_steps/gothic.txt"),
        ..Sheet::new::<Self>(include_str!("../games/gothic.md"))
    };
}

impl Entry for Congress {
    const SHEET: Sheet = Sheet {
        examples: &[
            ("junior horse", "c2", "k6k/8/8/1p1p4/2H5/K6K w - - 0 1"),
            ("senior horse", "c4", "k6k/1p6/2H5/p3p3/1p1p4/K6K w - - 0 1"),
            ("junior bishop", "f2", "k6k/8/7p/8/5B2/K6K w - - 0 1"),
            ("senior bishop", "f4", "k6k/8/5B2/8/3p4/K6p w - - 0 1"),
            ("pawn", "c3", "k6k/8/1p1p4/2P5/8/K6K w - - 0 1"),
            ("king, left wing", "c1", "k6k/8/8/8/8/2K2K2 w - - 0 1"),
            ("king, right wing", "f1", "k6k/8/8/8/8/2K2K2 w - - 0 1"),
        ],
        samples: &[
            "hhHkk2b/1p1p2pb/4Pp2/1pP5/3PP1P1/HH1KK2B b - - 0 6",
            "h2kk2b/1pp1p3/6P1/HHpP1p2/1P1hP1b1/2K3KB w - - 0 11",
            "1kP2k1b/4p1p1/1p3p2/1HHh1P2/4P1P1/1p3K1B w - - 0 15",
            "1k5k/8/1H3bB1/2h5/P7/2K4K w - - 0 1",
        ],
        network: Some(network!("../eval/networks/congress.net")),
        params: tuned::CONGRESS,
        xboard: XBoard::Pieces(".HB..P.....K.hb..p.....k"),
        score_model: ScoreModel { lead: 0, spread: 88 },
        skill_elo: [
            220, 555, 800, 1015, 1080, 1270, 1415, 1595, 1770, 2080, 2165, 2205, 2245, 2435,
        ],
        second_wing: Some(4),
        in_short: include_str!("../games/in_short/congress.txt"),
        first_steps: include_str!("../games/first_steps/congress.txt"),
        ..Sheet::new::<Self>(include_str!("../games/congress.md"))
    };
}

impl Entry for Pressman {
    const SHEET: Sheet = Sheet {
        examples: &[
            ("queen", "d4", "8/8/8/6q1/3Q4/8/1q6/8 w - - 0 1"),
            ("a new piece", "c4", "8/8/2q5/8/2Q5/8/8/8 w - - 0 1"),
        ],
        samples: &[
            "qqqqqq1q/qq1q3q/8/3qq1QQ/2q1Q2q/8/1Q1Q1QQ1/QQQQQQQQ w - - 0 8",
            "2qq2qq/5q2/q1q3Qq/4Q3/6q1/1q6/q2Q1QQ1/3QQ2q b - - 6 41",
            "q1qq2q1/1q1qq1qq/8/q4qQQ/3Q1Qq1/8/1Q2Q2Q/1Q2Q1QQ b - - 17 22",
            "8/8/2Q5/3Q4/2Q1Q3/1Q4Q1/7q/8 b - - 1 142",
        ],
        network: Some(network!("../eval/networks/pressman.net")),
        params: tuned::PRESSMAN,
        xboard: XBoard::PiecesAndDrops("....Q.....q."),
        // Kept from network 7: a fit to games that the adjudication below ends promises too much.
        score_model: ScoreModel { lead: 233, spread: 187 },
        skill_elo: [
            -100, 400, 1070, 1690, 2060, 2330, 2600, 2780, 2945, 3275, 3370, 3395, 3400, 3725,
        ],
        in_short: include_str!("../games/in_short/pressman.txt"),
        // An expected result of 97 %: otherwise half of the moves would be of decided endings.
        adjudication: Adjudication { spreads: 2.75, plies: 4 },
        first_steps: include_str!("../games/first_steps/pressman.txt"),
        ..Sheet::new::<Self>(include_str!("../games/pressman.md"))
    };
}

impl Entry for CrossEyed {
    const SHEET: Sheet = Sheet {
        examples: &[
            ("rook", "f6", crosseyed!("12/12/5R6/12")),
            ("bishop", "f6", crosseyed!("12/12/5B6/12")),
            ("knight", "f6", crosseyed!("12/12/5N6/12")),
            ("camel", "f6", crosseyed!("12/12/5C6/12")),
            (
                "king",
                "f6",
                "****k3****/****4****/****4****/***6***/12/12/5K6/12/***6***/****4****/****4****/****4**** w - - 0 1",
            ),
            ("Nahbi", "f6", crosseyed!("12/5p6/5M6/12")),
            (
                "pawn, own side-board",
                "f3",
                "****k3****/****4****/****4****/***6***/12/12/12/12/***3p2***/****1P2****/****4****/****3K**** w - - 0 1",
            ),
            ("pawn, centre", "f6", crosseyed!("12/4p1p5/5P6/4p7")),
            ("pawn, enemy side-board", "c6", crosseyed!("12/1p10/2P9/12")),
        ],
        samples: &[
            "****1RKB****/****1NC1****/****3P****/***1PPP2***/rn3M6/m1k6pnm/1cp1p2p1pk1/b8p1b/***1MPP2***/****PB2****/****4****/****RK1N**** b - - 8 38",
            "****1MK1****/****4****/****2P1****/***m1P1P1***/2P2R3N2/6m2p1r/1B1p3R4/2k4b2k1/***6***/****3B****/****4****/****1n2**** w - - 12 71",
            "****1RKB****/****2C1****/****P1PP****/***2n3***/1rp5Mpcr/m7pm2/1kppn2N1p1k/b1p1P2C1p1b/***2P3***/****2PP****/****1N1K****/****RM1B**** w - - 2 21",
            "****R1KB****/****4****/****1Pn1****/***pP4***/r3B7/mnp1p3pbCm/12/bkp6P1k/***3P2***/****2P1****/****1K2****/****RM2**** w - - 0 51",
        ],
        network: Some(network!("../eval/networks/crosseyed.net")),
        params: tuned::CROSS_EYED,
        xboard: XBoard::Pieces(".NBR.P.....M............CK.nbr.p.....m............ck"),
        score_model: ScoreModel { lead: 219, spread: 151 },
        skill_elo: [
            170, 675, 1140, 1595, 1875, 2200, 2445, 2740, 2925, 3225, 3385, 3500, 3625, 4190,
        ],
        in_short: include_str!("../games/in_short/crosseyed.txt"),
        first_steps: include_str!("../games/first_steps/crosseyed.txt"),
        ..Sheet::new::<Self>(include_str!("../games/crosseyed.md"))
    };
}
