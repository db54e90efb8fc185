//! A game that the program does not know, defined here. Search, protocol and tools play it without
//! a change.

use crate::common::checks::Seen;
use crate::common::client::{Client, score};
use crate::common::console::TestConsole;
use crate::common::endings::{solve_all, values_are_consistent, values_are_those_of_a_search};
use crate::common::finishing::{self, Extent};
use crate::common::program::scratch;
use quadrille::board::{Bitboard, Geometry, KING_LEAPS, Square, SquareTable};
use quadrille::cli::interrupt::Interrupt;
use quadrille::cli::sources::Source;
use quadrille::cli::tool::Tool;
use quadrille::endings::Endings;
use quadrille::engine::{Engine, Entry, Sheet, Variant};
use quadrille::games::*;
use quadrille::proof::Prove;
use quadrille::tools::{perft, play, replay};
use quadrille::tournament;

static BOARD: Geometry = Geometry::new(&["...."; 4]);
static REACH: SquareTable<Bitboard> = BOARD.leaper(KING_LEAPS);
/// Goals of White's runner and of Black's.
static GOALS: [Bitboard; 2] = [BOARD.rank_set(3, 3), BOARD.rank_set(0, 0)];

/// Each side has one runner, which moves one step at a time onto an empty square. The first
/// one on the far side of the board wins. After `CLOCK` plies the game is drawn, if it is not 0.
#[derive(Clone)]
struct Runners<const CLOCK: u32> {
    placement: Placement,
}

type Race = Runners<20>;

impl<const CLOCK: u32> Game for Runners<CLOCK> {
    const NAME: &'static str = "race";
    const START: &'static str = "k3/4/4/3K w - - 0 1";
    const FIRST: Side = Side::White;
    const GEOMETRY: &'static Geometry = &BOARD;
    const KINDS: &'static [KindInfo] = &[KindInfo::new('K', 100, Figure::King)];
    const CLOCK_LIMIT: Option<u32> = if CLOCK == 0 { None } else { Some(CLOCK) };

    fn from_fields(fields: Fields<'_>) -> Result<Self, FenError> {
        fields.refuse_castling_and_en_passant()?;
        let placement = fields.placement;
        if Side::BOTH.map(|side| placement.side(side).count()) != [1; 2] {
            return Err(FenError::new(FenField::Placement, "not one runner each"));
        }
        Ok(Self { placement })
    }

    fn placement(&self) -> &Placement {
        &self.placement
    }

    fn generate<S: MoveSink>(&self, class: MoveClass, from: Bitboard, sink: &mut S) {
        if class != MoveClass::Tactical {
            for square in self.placement.side(self.to_move()) & from {
                sink.piece(square, REACH[square.index()].without(self.placement.occupied()));
            }
        }
    }

    fn play(&mut self, mv: Move) {
        if let Some(runner) = self.placement.take(mv.from()) {
            self.placement.put(mv.to(), runner);
        }
        self.placement.end_turn(false);
    }

    fn pass(&mut self) {
        self.placement.end_turn(false);
    }

    fn board_outcome(&self) -> Option<Outcome> {
        Side::BOTH
            .into_iter()
            .find(|&side| (self.placement.side(side) & GOALS[side.index()]).any())
            .map(|winner| Outcome::win(winner, Reason::NoMoves))
    }

    fn no_move_outcome(&self) -> Outcome {
        Outcome::draw(Reason::Stalemate)
    }

    fn draw_reason(&self) -> Option<Reason> {
        self.clock_has_run_out().then_some(Reason::Clock)
    }

    /// True if the enemy's runner is one step from an empty goal.
    fn in_check(&self) -> bool {
        let them = !self.to_move();
        let goals = GOALS[them.index()].without(self.placement.occupied());
        let mut runners = self.placement.side(them).into_iter();
        runners.any(|runner| (REACH[runner.index()] & goals).any())
    }

    fn null_move_is_sound(&self) -> bool {
        true
    }

    fn material_gain(&self, _: Move) -> i32 {
        0
    }

    fn attackers(&self, _: Square, _: Bitboard) -> Bitboard {
        Bitboard::EMPTY
    }
}

impl<const CLOCK: u32> Entry for Runners<CLOCK> {
    const SHEET: Sheet = Sheet {
        samples: &["4/1k2/2K1/4 b - - 3 4"],
        ..Sheet::new::<Self>("The first runner on the far side wins.")
    };
}

static VARIANTS: [Variant; 1] = [Variant::of::<Race>()];

fn client() -> Client {
    Client::of(Engine::new(&VARIANTS, VARIANTS[0]))
}

#[test]
fn it_is_announced() {
    let mut client = client();
    let options = client.ask("uci");
    let variant = "option name UCI_Variant type combo default race var race";
    assert!(options.iter().any(|line| line == variant), "{options:?}");
    assert_eq!(
        client.ask("setoption name UCI_Variant value race"),
        [format!(
            "info string variant race files 4 ranks 4 pocket 0 template fairy startpos {}",
            Race::START
        )]
    );
}

#[test]
fn its_rules_are_kept() {
    let mut client = client();
    assert_eq!(client.query("moves"), "d1c1 d1c2 d1d2");
    client.tell("position startpos moves d1d2 a4a3 d2d3 a3b2");
    assert_eq!(client.query("fen"), "4/3K/1k2/4 w - - 4 3");
    assert_eq!(client.query("gameover"), "false");
    client.refused("position startpos moves d1d3");
    client.refused("position fen k3/4/4/4 w");
    client.tell("position fen 4/3K/1k2/4 w - - 4 3 moves d3c4");
    assert_eq!(client.query("result"), "p1win");
    assert_eq!(client.search("go depth 3"), ["info depth 0 score mate 0", "bestmove (none)"]);
    client.tell("position fen 4/k3/3K/4 w - - 20 30");
    assert_eq!(client.query("reason"), "clock");
}

#[test]
fn its_wins_are_found() {
    let mut client = client();
    for (position, expected) in [
        ("startpos", 3),
        ("startpos moves d1d2", -2),
        ("startpos moves d1d2 a4a3", 2),
        ("fen 4/3K/1k2/4 w - - 4 3", 1),
    ] {
        client.tell(&format!("position {position}"));
        let lines = client.search("go depth 8");
        let last = lines.iter().filter_map(|line| score(line)).next_back();
        assert_eq!(last, Some(("mate", expected)), "{position}: {lines:#?}");
    }
}

/// The game defines no rule for its checks, so each move is tried.
#[test]
fn its_checks_are_known() {
    let seen = Seen::in_random_games::<Race>(10);
    assert!(seen.checks > 100 && seen.checks < seen.moves, "{seen:?}");
    assert_eq!(seen.tried, seen.moves);
}

#[test]
fn its_repetitions_are_seen() {
    let [count, across] =
        finishing::third_occurrences_are_worth_a_draw::<Race>(VARIANTS[0].open(), 40);
    assert!(count >= 20 && across == 0, "{count}, {across}");
}

#[test]
fn its_wins_are_carried_out() {
    let extent = Extent { games: 50, positions: 100, nodes: &[100, 1_000] };
    finishing::announced_mates_are_carried_out(VARIANTS[0].open(), extent);
}

#[test]
fn the_tools_take_it() {
    let mut lines = Vec::new();
    perft::run(VARIANTS[0], 2, None, &mut |line: &str| lines.push(line.to_string())).unwrap();
    // After every move of White, Black's runner has its three squares in the corner.
    assert_eq!(lines[..3], ["d1c1: 3", "d1c2: 3", "d1d2: 3"]);
    assert!(lines[3].contains("total 9 "), "{lines:?}");

    let mut client = client();
    let mut bench = || {
        client.send("bench 6");
        let lines = client.lines_to("total");
        let nodes = |line: &String| line.split(" nodes ").next().unwrap().to_string();
        lines.iter().map(nodes).collect::<Vec<_>>()
    };
    let first = bench();
    assert!(first.len() == 2 && first[0].starts_with("race "), "{first:?}");
    assert_eq!(first, bench());
}

#[test]
fn a_person_plays_it() {
    let pgn = scratch("toy_game/person").join("games.pgn");
    let save = pgn.to_str().unwrap();
    let words = ["race", "--level", "0", "--time", "0.01", "--save", save];
    let options = play::PlayOptions::read(&VARIANTS, &words).unwrap();
    // The runner goes straight ahead: nothing can block it in time.
    let mut typed = ["c2c1", "moves", "d2", "Kd3", "kd4", "why"].into_iter();
    let mut lines = Vec::new();
    let mut console = TestConsole {
        say: &mut |text| lines.extend(text.lines().map(str::to_string)),
        progress: &mut |_| {},
        ask: &mut || typed.next().map(str::to_string),
    };
    play::run(options, None, &mut console).unwrap();
    let said = lines.join("\n");
    for part in [
        "race: you play White",
        "c2c1 is not legal; no piece stands on c2",
        "\nd1c1 d1c2 d1d2\n",
        "\nGame over: 1-0, White has won: ",
    ] {
        assert!(said.contains(part), "{part}: {said}");
    }
    let game = std::fs::read_to_string(&pgn).unwrap();
    assert!(game.contains("[PlyCount \"5\"]"), "{game}");
    let rules = VARIANTS[0].rules();
    assert!(rules.starts_with("The first runner "), "{rules}");
}

#[test]
fn its_endings_are_solved() {
    let endings = Endings::default();
    let sets = solve_all::<Race>(&endings, 2);
    let [material] = sets.as_slice() else { panic!("{sets:?}") };
    assert!(values_are_consistent::<Race>(&endings, material) > 100);
    assert!(values_are_those_of_a_search::<Race>(&endings, material, 6) > 10);
}

/// The runners can go to and fro, whether or not a clock ends that.
#[test]
fn its_winner_cannot_be_proven() {
    let mut console =
        TestConsole { say: &mut |line| panic!("{line}"), progress: &mut |_| {}, ask: &mut || None };
    let never = Interrupt::default();
    for refused in [
        Prove::run::<Race>(&[], &never, &mut console),
        Prove::run::<Runners<0>>(&[], &never, &mut console),
    ] {
        let reason = refused.unwrap_err().to_string();
        assert!(reason.contains("race can be drawn or repeat a position"), "{reason}");
    }
}

#[test]
fn its_matches_are_played_and_replayed() {
    let pgn = scratch("toy_game/match").join("games.pgn");
    let words = format!(
        "-variant race -engine cmd=self name=one -engine cmd=self name=two -each nodes=200 \
         -openings random plies=2 seed=3 -games 2 -rounds 10 -pgnout {}",
        pgn.display()
    );
    let words: Vec<_> = words.split(' ').collect();
    let mut lines = Vec::new();
    let mut say = |line: &str| lines.push(line.to_string());
    tournament::run(&VARIANTS, &words, &Interrupt::default(), &mut say).unwrap();
    assert!(lines.iter().any(|line| line.contains("[0.500] 20")), "{lines:#?}");
    let games = std::fs::read(pgn).unwrap();
    let mut lines = Vec::new();
    let mut say = |line: &str| lines.push(line.to_string());
    let options = replay::ReplayOptions::read(&VARIANTS, &["-"]).unwrap();
    let sources = vec![Source::new(&games[..])];
    assert!(replay::run(&options, sources, &mut say).unwrap());
    assert!(lines[0].starts_with("20 games, "), "{lines:?}");
}
