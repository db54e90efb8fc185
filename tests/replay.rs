//! `replay`: games of the program and of others.

use crate::common::positions::Random;
use crate::common::program::{Run, quadrille, scratch};
use quadrille::engine::{VARIANTS, Variant, find_variant};
use quadrille::games::result;
use quadrille::records::pgn::{PlayedMove, Record};

/// A random game from the start or a FEN until it is over.
fn random_game(variant: Variant, fen: Option<&str>, seed: u64) -> Record {
    let mut random = Random(seed);
    let mut session = variant.open();
    session.set_position(fen, &[]).unwrap();
    let mut record = Record::default();
    let outcome = loop {
        if let Some(outcome) = session.outcome() {
            break outcome;
        }
        let moves = session.moves();
        let text = moves[random.below(moves.len())].clone();
        session.play(&text).unwrap();
        let comment = (random.below(2) == 0).then(|| "+0.34/12 0.51s".to_string());
        record.moves.push(PlayedMove { text, comment, ..PlayedMove::default() });
    };
    record.result = result(outcome.winner).into();
    let plies = record.moves.len().to_string();
    let mut tags = vec![
        ("Event", "random \"games\""),
        ("Result", &record.result),
        ("Variant", variant.info.name),
        ("PlyCount", &plies),
        ("Reason", outcome.reason.name()),
    ];
    if let Some(fen) = fen {
        tags.extend([("SetUp", "1"), ("FEN", fen)]);
    }
    record.tags = tags.into_iter().map(|(name, value)| (name.into(), value.into())).collect();
    record
}

/// Random games of a variant, from the start and elsewhere.
fn random_games(variant: Variant) -> Vec<Record> {
    let samples = variant.info.samples;
    std::iter::once(None)
        .chain(samples.iter().copied().map(Some))
        .zip(1..)
        .map(|(fen, seed)| random_game(variant, fen, seed))
        .collect()
}

/// Replays a text on standard input, and returns the lines and the exit status.
fn replay(text: &str) -> (Vec<String>, i32) {
    let ended = quadrille(["replay", "-"]).run_with(text);
    let lines = ended.stdout.lines().map(str::to_string);
    (lines.collect(), ended.code().unwrap())
}

fn all_games() -> Vec<Record> {
    VARIANTS.iter().flat_map(|&variant| random_games(variant)).collect()
}

#[test]
fn good_games_have_no_faults() {
    let games = all_games();
    let moves: usize = games.iter().map(|game| game.moves.len()).sum();
    let summary = format!("{} games, {moves} moves, 0 faults", games.len());
    let text: String = games.iter().map(Record::to_string).collect();
    assert_eq!(replay(&text), (vec![summary.clone()], 0));
    // The same games as other programs may write them.
    let text = text.replace(" {", " $1 (1. a1a1) {").replace('\n', "\r\n");
    assert_eq!(replay(&format!("\u{feff}{text}")), (vec![summary], 0));
}

#[test]
fn the_start_may_be_named() {
    let game = "[Variant \"pressman\"]\n[FEN \"startpos\"]\n\n1... a7a5 *\n";
    assert_eq!(replay(game), (vec!["1 game, 1 move, 0 faults".into()], 0));
}

/// A game with its moves in algebraic notation.
fn in_san(game: &Record) -> Record {
    let variant = find_variant(VARIANTS, game.tag("Variant").unwrap()).unwrap();
    let mut session = game.open(variant).unwrap();
    let mut game = game.clone();
    for mv in &mut game.moves {
        let coordinates = std::mem::take(&mut mv.text);
        mv.text = session.san(&coordinates).unwrap();
        session.play(&coordinates).unwrap();
    }
    game
}

#[test]
fn algebraic_notation_is_replayed() {
    let games: Vec<_> = all_games().iter().map(in_san).collect();
    let moves: usize = games.iter().map(|game| game.moves.len()).sum();
    let summary = format!("{} games, {moves} moves, 0 faults", games.len());
    let text: String = games.iter().map(Record::to_string).collect();
    assert_eq!(replay(&text), (vec![summary.clone()], 0));
    // Other programs have these names, marks and castlings.
    let text = text
        .replace("\"crosseyed\"", "\"Cross-Eyed Chess\"")
        .replace("\"gothic\"", "\"Gothic\"")
        .replace("O-O", "0-0")
        .replace(['+', '#'], "")
        .replace("1/2-1/2", "1/2");
    let text = text.replace(" {", "!? $14 {");
    let (lines, status) = replay(&text.replace("[Result \"1/2\"]", "[Result \"1/2-1/2\"]"));
    assert_eq!((lines, status), (vec![summary], 0));
}

/// A game of Gothic Chess as people and programs write it.
#[test]
fn games_of_others_are_replayed() {
    let text = "[Event \"?\"]\n[Variant \"Gothic Chess\"]\n[Result \"*\"]\n\n\
        {A beginning} 1.e4 f5 $1 {[%clk 0:01:00]} 2. e5 (2. exf5 {what else?}) 2... d5 3. exd6 e.p. \
        exd6 4. Nj3 Nj6; the wing\n5. g3!? g6 6. Bg2 Bg7 7. Ah3 Ah6 8. O-O 0-0 9. d2-d3 Nb8-c6 *\n";
    assert_eq!(replay(text), (vec!["1 game, 18 moves, 0 faults".into()], 0));
}

/// Games that XBoard played and saved, of this program against itself and of Fairy-Max.
#[test]
fn games_of_xboard_are_replayed() {
    let games = include_str!("data/xboard.pgn");
    let summary = "5 games, 617 moves, 0 faults";
    assert_eq!(replay(games), (vec![summary.into()], 0));
}

/// All positions of the games, as `analyse` reads them.
#[test]
fn positions_of_games_are_listed() {
    let games = all_games();
    let mut wanted = Vec::new();
    for game in &games {
        let name = game.tag("Variant").unwrap();
        let mut session = game.open(find_variant(VARIANTS, name).unwrap()).unwrap();
        wanted.push(format!("{name} {}", session.fen()));
        for mv in &game.moves {
            session.play(&mv.text).unwrap();
            wanted.push(format!("{name} {}", session.fen()));
        }
    }
    let folder = scratch("replay/fens");
    let text: String = games.iter().map(Record::to_string).collect();
    std::fs::write(folder.join("fens.pgn"), text + "[Variant \"gothic\"]\n\n1. e4 e4 *").unwrap();
    let mut command = quadrille(["replay", "--fens", "fens.pgn"]);
    let output = command.current_dir(folder).run();
    let lines = &output.stdout;
    let (fens, broken) = lines.trim_end().rsplit_once("\ngothic rnb").unwrap();
    assert!(broken.ends_with("/10/10/4P5/10/PPPP1PPPPP/RNBQCKABNR b KQkq - 0 1"));
    let (fens, _) = fens.rsplit_once('\n').unwrap();
    assert_eq!(fens.lines().collect::<Vec<_>>(), wanted);
    let complaint = &output.stderr;
    assert!(complaint.contains(": move 2: `e4` is illegal in "), "{complaint}");
    assert_eq!(output.code(), Some(1));
}

/// Every game is spoiled in every way; each gives one line that names the fault.
#[test]
fn spoiled_games_name_their_fault() {
    type Spoil = fn(&mut Record);
    let spoils: [(Spoil, &str); 7] = [
        (|game| drop(game.moves.pop()), "the tag PlyCount says"),
        (|game| game.moves[0].text = "e5e5".into(), "is illegal in"),
        (
            |game| game.moves.push(game.moves.last().unwrap().clone()),
            "follows the end of the game by",
        ),
        (
            |game| game.result = if game.result == "1-0" { "0-1" } else { "1-0" }.into(),
            "the tag Result says",
        ),
        (
            |game| {
                game.result = "*".into();
                game.tags.retain(|(name, _)| name != "Result");
            },
            "but `*` is stated",
        ),
        (
            |game| {
                game.tags.iter_mut().find(|tag| tag.0 == "Reason").unwrap().1 =
                    "time forfeit".into()
            },
            "but its tag Reason says `time forfeit`",
        ),
        (|game| game.tags.retain(|(name, _)| name != "Variant"), "there is no tag Variant"),
    ];
    for (spoil, fault) in spoils {
        let mut games = all_games();
        games.iter_mut().for_each(spoil);
        let text: String = games.iter().map(Record::to_string).collect();
        let (lines, status) = replay(&text);
        assert_eq!(status, 1, "{fault}");
        assert_eq!(lines.len(), games.len() + 1, "{fault}: {lines:?}");
        for (number, line) in (1..).zip(&lines[..games.len()]) {
            assert!(line.starts_with(&format!("game {number}, line ")), "{line}");
            assert!(line.contains(fault), "{fault}: {line}");
        }
        let summary = lines.last().unwrap();
        assert!(summary.starts_with(&format!("{} games, ", games.len())));
        assert!(summary.ends_with(&format!(" moves, {} faults", games.len())));
    }
}

/// A text that is no PGN is a fault, and the games around it are replayed.
#[test]
fn broken_games_are_faults() {
    let good = random_game(VARIANTS[0], None, 1);
    let broken = "[Event \"x\"]\n\n1. e2e4 { *\n\n";
    let (lines, status) = replay(&format!("{good}{broken}{good}"));
    let line = good.to_string().lines().count() + 3;
    assert_eq!(status, 1);
    assert_eq!(
        lines,
        [
            format!("game 2, line {line}: a comment is not closed"),
            format!("3 games, {} moves, 1 fault", 2 * good.moves.len()),
        ]
    );
    let (lines, status) = replay("no chess at all\u{0}\n");
    assert_eq!(lines.len(), 2, "{lines:?}");
    assert_eq!(status, 1);
    // The wrong file passes no check.
    for (nothing, faults) in [("", 0), ("\n% quadrille match\n", 0)] {
        let counts = format!("0 games, 0 moves, {faults} faults");
        assert_eq!(replay(nothing), (vec![counts], 1));
        let said = quadrille(["replay", "-"]).run_with(nothing).stderr;
        assert_eq!(said, "quadrille: replay: -: there is no game in it\n");
    }
}

#[test]
fn files_are_replayed() {
    let folder = scratch("replay/files");
    let replay = |words: &str| {
        let words = words.split_whitespace();
        quadrille(["replay"]).args(words).current_dir(&folder).run()
    };
    let game = random_game(VARIANTS[1], None, 1).to_string();
    std::fs::write(folder.join("games.pgn"), game).unwrap();
    let ended = replay("games.pgn").succeeded();
    assert!(ended.stdout.ends_with(" moves, 0 faults\n"));
    // Two files, the second without the game's name.
    std::fs::write(folder.join("bare.pgn"), "1. b1c3 Hc4 2. b1c3 *\n").unwrap();
    let ended = replay("--variant congress games.pgn bare.pgn");
    assert_eq!(ended.code(), Some(1));
    let text = ended.stdout;
    let fault = "bare.pgn: game 1, line 1: move 3: `b1c3`";
    assert!(text.starts_with(fault), "{text}");
    assert!(text.contains("\n2 games, ") && text.ends_with(" moves, 1 fault\n"));
}

#[test]
fn the_limit_of_plies_is_named() {
    let moves = ["b1c3", "b8c6", "c3b1", "c6b8"].into_iter().cycle();
    for (count, fault) in [(50_000, ""), (50_001, "a game has 50000 plies at most")] {
        let moves: Vec<_> = moves.clone().take(count).collect();
        let game = format!("[Variant \"gothic\"]\n\n{} *\n", moves.join("\n"));
        let said = quadrille(["replay", "-"]).run_with(game).said();
        assert!(said.contains(fault), "{said}");
        assert_eq!(said.contains(", 0 faults"), fault.is_empty(), "{said}");
    }
}

/// White mates with a1a8.
const MATE: &str = "9k/10/8K1/10/10/10/10/Q9 w - - 0 1";
/// cutegames calls player 1 White, and `1-0` is his win. In Pressman he has Black.
#[test]
fn the_first_player_of_cutegames_has_the_side_that_begins() {
    let folder = scratch("replay/cutegames");
    let game = |variant: &str, fen: &str, mv: &str| {
        let tags = "[Site \"CuteGames\"]\n[White \"One\"]\n[Black \"Two\"]\n[Result \"1-0\"]";
        std::fs::write(folder.join("games.pgn"), format!("{tags}\n[FEN \"{fen}\"]\n\n{mv} 1-0\n"))
            .unwrap();
        let run = |words: &str| {
            let mut command = quadrille(words.split(' '));
            command.current_dir(&folder).run().succeeded().stdout
        };
        run(&format!("replay --variant {variant} games.pgn"));
        let words = format!("--variant {variant} --nodes 9 games.pgn --out again.pgn");
        run(&format!("annotate {words}"));
        let again = std::fs::read_to_string(folder.join("again.pgn")).unwrap();
        run(&format!("replay --variant {variant} again.pgn"));
        again
    };
    for (variant, fen, mv, result, winner) in [
        ("pressman", "8/8/8/8/8/q7/8/Q7 b - - 0 1", "a3a1", "0-1", "Black"),
        ("gothic", MATE, "a1a8", "1-0", "White"),
    ] {
        let again = game(variant, fen, mv);
        for line in [format!("[{winner} \"One\"]"), format!("[Result \"{result}\"]")] {
            assert!(again.contains(&line), "{again}");
        }
    }
}
