//! A game with rules alone, defined here. `learn` plays it better than material does.

use crate::common::program::scratch;
use quadrille::board::{Bitboard, Geometry, Square, SquareTable};
use quadrille::cli::interrupt::Interrupt;
use quadrille::cli::tool::Tool;
use quadrille::engine::{Entry, Sheet};
use quadrille::eval::Network;
use quadrille::games::*;
use quadrille::learning::learn::Learn;

static BOARD: Geometry = Geometry::new(&["....."; 6]);
/// Straight ahead, for White and for Black.
static STEPS: [SquareTable<Bitboard>; 2] = [BOARD.leaper(&[(0, 1)]), BOARD.leaper(&[(0, -1)])];
/// Ahead and to a side.
static SLANTS: [SquareTable<Bitboard>; 2] =
    [BOARD.leaper(&[(-1, 1), (1, 1)]), BOARD.leaper(&[(-1, -1), (1, -1)])];
/// Goals of White's pawns and of Black's.
static GOALS: [Bitboard; 2] = [BOARD.rank_set(5, 5), BOARD.rank_set(0, 0)];

/// Breakthrough (Dan Troyka, 2000), on a small board: pawns go one step ahead, straight or
/// slanting, and capture on the slant. The first one on the far side of the board wins, or whoever
/// has captured all.
#[derive(Clone)]
struct Breakthrough {
    placement: Placement,
}

impl Breakthrough {
    /// Squares that a pawn of a side can reach.
    fn reach(&self, side: Side, square: Square) -> Bitboard {
        let (side, square, own) = (side.index(), square.index(), self.placement.side(side));
        STEPS[side][square].without(self.placement.occupied()) | SLANTS[side][square].without(own)
    }
}

impl Game for Breakthrough {
    const NAME: &'static str = "breakthrough";
    const START: &'static str = "ppppp/ppppp/5/5/PPPPP/PPPPP w - - 0 1";
    const FIRST: Side = Side::White;
    const GEOMETRY: &'static Geometry = &BOARD;
    const KINDS: &'static [KindInfo] = &[KindInfo::new('P', 100, Figure::Pawn)];

    fn from_fields(fields: Fields<'_>) -> Result<Self, FenError> {
        fields.refuse_castling_and_en_passant()?;
        let placement = fields.placement;
        Ok(Self { placement })
    }

    fn placement(&self) -> &Placement {
        &self.placement
    }

    fn generate<S: MoveSink>(&self, class: MoveClass, from: Bitboard, sink: &mut S) {
        let us = self.to_move();
        let (own, enemy) = (self.placement.side(us), self.placement.side(!us));
        for square in own & from {
            sink.piece(square, self.reach(us, square) & class.targets(own, enemy));
        }
    }

    fn play(&mut self, mv: Move) {
        self.placement.take(mv.to());
        if let Some(pawn) = self.placement.take(mv.from()) {
            self.placement.put(mv.to(), pawn);
        }
        self.placement.end_turn(true);
    }

    fn pass(&mut self) {
        self.placement.end_turn(true);
    }

    fn board_outcome(&self) -> Option<Outcome> {
        Side::BOTH
            .into_iter()
            .find(|&side| {
                let pawns = self.placement.side(side);
                (pawns & GOALS[side.index()]).any() || !self.placement.side(!side).any()
            })
            .map(|winner| Outcome::win(winner, Reason::NoPieces))
    }

    fn no_move_outcome(&self) -> Outcome {
        Outcome::win(!self.to_move(), Reason::NoMoves)
    }

    fn draw_reason(&self) -> Option<Reason> {
        None
    }

    fn in_check(&self) -> bool {
        let us = self.to_move();
        let mut pawns = self.placement.side(!us).into_iter();
        let own = self.placement.side(us);
        pawns.any(|pawn| {
            let reach = self.reach(!us, pawn);
            (reach & GOALS[(!us).index()]).any() || own.without(reach) == Bitboard::EMPTY
        })
    }

    fn null_move_is_sound(&self) -> bool {
        true
    }

    fn material_gain(&self, _: Move) -> i32 {
        0
    }

    fn attackers(&self, square: Square, occupied: Bitboard) -> Bitboard {
        let of = |side: Side| {
            // A pawn attacks whence the other side's pawns would be attacked.
            self.placement.side(side) & SLANTS[(!side).index()][square.index()]
        };
        (of(Side::White) | of(Side::Black)) & occupied
    }
}

impl Entry for Breakthrough {
    const SHEET: Sheet = Sheet::new::<Self>("The first pawn on the last rank wins.");
}

#[test]
fn it_learns_from_nothing() {
    let folder = scratch("toy_learning/learn");
    let words = format!(
        "--dir {} --rounds 1 --positions 30000 --nodes 40 --hidden 64 --pairs 300 --epochs 60",
        folder.display()
    );
    let words: Vec<_> = words.split(' ').collect();
    let mut lines = Vec::new();
    let mut say = |line: &str| lines.push(line.to_string());
    Learn::run::<Breakthrough>(&words, &Interrupt::default(), &mut say).unwrap();
    let log = std::fs::read_to_string(folder.join("log")).unwrap();
    let stages: Vec<Vec<_>> = log.lines().map(|line| line.split('\t').collect()).collect();
    assert_eq!(stages.len(), 3, "{log}");
    // At equal time, against counting pawns.
    assert!(stages[2].contains(&"stage=gate"), "{log}");
    assert!(stages[2].contains(&"against=0"), "{log}");
    assert!(stages[2].contains(&"promoted=yes"), "{log}");
    let best = std::fs::read(folder.join("best.net")).unwrap();
    assert!(best == std::fs::read(folder.join("0001.net")).unwrap());
    Network::from_bytes::<Breakthrough>(&best).unwrap();
    assert!(lines.iter().any(|line| line == "done after 1 round"), "{lines:?}");
}
