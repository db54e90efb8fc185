//! Engines of a `match`: their protocols, their options, and the ends of those that misbehave.

use crate::common::matches::{UCI, last, refused_match, run_match, script};
use crate::common::program::{Ended, scratch};
use std::path::Path;

/// Asserts that all games were played and no engine was at fault.
#[track_caller]
fn assert_clean(said: &str, games: usize) {
    let finished = said
        .lines()
        .filter(|line| line.starts_with("Finished game "));
    assert_eq!(finished.count(), games, "{said}");
    let faults = said.lines().filter(|line| line.starts_with("Faults of "));
    for faults in faults {
        assert!(
            faults.ends_with(": 0 time losses, 0 illegal moves, 0 crashes, 0 hangs"),
            "{said}"
        );
    }
}

/// This program speaks CECP in the games whose moves CECP can express.
#[test]
fn this_program_plays_through_cecp() {
    for variant in ["gothic", "congress", "crosseyed"] {
        let words = format!(
            "-variant {variant} -engine name=X cmd=quadrille proto=xboard depth=1 option.memory=1 \
             -engine name=S cmd=self depth=1 -games 2 -openings random seed=1 -maxmoves 40"
        );
        let folder = scratch(&format!("match_engines/{variant}"));
        let said = run_match(&folder, &words).stdout;
        assert_clean(&said, 2);
    }
}

/// The engine gets a clock and a position.
#[test]
fn cecp_knows_the_clock_and_positions() {
    let folder = scratch("match_engines/clock");
    std::fs::write(
        folder.join("book.epd"),
        "rnbqckabnr/pppppppppp/10/10/4P5/10/PPPP1PPPPP/RNBQCKABNR b KQkq - 0 1\n",
    )
    .unwrap();
    let said = run_match(
        &folder,
        "-variant gothic -engine name=X cmd=quadrille proto=xboard tc=40/1:01+0.5 ponder \
         timemargin=5000 -engine name=S cmd=self depth=1 -games 1 -openings file=book.epd \
         -maxmoves 2 -log file=log.txt -resign movecount=1 score=90000",
    )
    .stdout;
    assert_clean(&said, 1);
    let log = std::fs::read_to_string(folder.join("log.txt")).unwrap();
    for told in [
        "xboard",
        "protover 2",
        "accepted ping",
        "new",
        "variant gothic",
        "force",
        "setboard rnbqckabnr/pppppppppp/10/10/4P5/10/PPPP1PPPPP/RNBQCKABNR b KQkq - 0 1",
        "level 40 1:01 0.5",
        "post",
        "hard",
        "time 6100",
        "go",
        "result 1/2-1/2 {Draw",
    ] {
        assert!(
            log.contains(&format!(" >X: {told}")),
            "no `{told}` in {log}"
        );
    }
}

/// Path of a program of a Debian package.
fn program(name: &str) -> String {
    let path = format!("/usr/games/{name}");
    assert!(
        Path::new(&path).exists(),
        "{path} is missing; install the package {name}"
    );
    path
}

#[test]
#[ignore = "needs fairymax and sjaakii"]
fn fairy_max_and_sjaak_play_gothic_chess() {
    for name in ["fairymax", "sjaakii"] {
        let words = format!(
            "-variant gothic -engine name=P cmd={} proto=xboard depth=1 \
             -engine name=S cmd=self nodes=40 -games 2 -openings random seed=4 plies=4 \
             -concurrency 2 -recover",
            program(name)
        );
        let Ended { stdout, stderr, .. } =
            run_match(&scratch(&format!("match_engines/{name}")), &words);
        assert_clean(&stdout, 2);
        assert_eq!(stderr, "", "{name}");
    }
}

#[test]
fn options_are_checked_before_the_first_game() {
    let folder = scratch("match_engines/options");
    for (engine, fault) in [
        (
            "cmd=quadrille option.Hsah=5",
            "P: there is no option `Hsah`; there are ",
        ),
        (
            "cmd=quadrille option.Hash=0",
            "P: option Hash: `0` is not a whole number from 1 to ",
        ),
        (
            "cmd=self option.Theads=2",
            "P: there is no option `Theads`; there are ",
        ),
        (
            "cmd=quadrille proto=xboard option.Hash=5",
            "P: there is no option `Hash`",
        ),
        (
            "cmd=quadrille proto=xboard nodes=5",
            "P: cannot count nodes; give it depth= or a time",
        ),
        (
            "cmd=/nonexistent",
            "P: cannot be started: /nonexistent: No such file",
        ),
        ("cmd=false", "P: cannot be started: "),
        (
            "cmd=quadrille stderr=/nonexistent/x",
            "P: cannot be started: stderr: /nonexistent/x: No such file",
        ),
        (
            "cmd=x proto=cecp",
            "-engine: proto: `cecp` is not one of uci, xboard; see match --help",
        ),
        (
            "cmd=x restart=maybe",
            "-engine: restart: `maybe` is not one of on, off, auto",
        ),
    ] {
        let words = format!(
            "-variant gothic -engine name=P depth=1 {engine} -engine name=S cmd=self depth=1"
        );
        let error = refused_match(&folder, &words);
        assert!(error.contains(fault), "{engine}: {error}");
    }
}

#[test]
fn an_engine_that_does_not_play_the_game_is_refused() {
    let folder = scratch("match_engines/other-game");
    for (variant, cases, protocol, fault) in [
        (
            "gothic",
            "uci) echo option name UCI_Variant type combo default chess var chess; echo uciok;;",
            "uci",
            "P: does not play gothic",
        ),
        (
            "congress",
            "protover) echo 'feature variants=\"normal,gothic\" done=1';;",
            "xboard",
            "P: plays normal,gothic, but not congress",
        ),
    ] {
        let engine = script(&folder, "P", cases);
        let words =
            format!("-variant {variant} {engine} proto={protocol} -engine cmd=self -each depth=1");
        let error = refused_match(&folder, &words);
        assert!(error.contains(fault), "{error}");
    }
}

/// CECP has no words for a piece that a move brings in.
#[test]
fn a_game_that_cecp_cannot_tell_is_refused() {
    let error = refused_match(
        &scratch("match_engines/pressman"),
        "-variant pressman -engine name=P cmd=quadrille proto=xboard -engine cmd=self \
         -each depth=1",
    );
    assert!(
        error.contains("P: cannot be told in CECP of the pieces that moves of pressman bring in"),
        "{error}"
    );
}

/// Runs a match of two games of a script against this program. `words` follow the script's.
#[track_caller]
fn against(folder: &Path, cases: &str, words: &str) -> Ended {
    let script = script(folder, "fake", cases);
    let other = "-engine name=real cmd=self depth=1 -games 2";
    run_match(folder, &format!("-variant gothic {script} {words} {other}"))
}

#[test]
fn engines_start_anew_when_wanted() {
    let folder = scratch("match_engines/restart");
    let cases = format!("{UCI} go) echo bestmove a1a1;;");
    for (restart, starts) in [("off", 2), ("on", 3), ("auto", 2)] {
        let _ = std::fs::remove_file(folder.join("log.txt"));
        against(
            &folder,
            &cases,
            &format!("st=5 restart={restart} -log file=log.txt"),
        );
        let log = std::fs::read_to_string(folder.join("log.txt")).unwrap();
        // One of them is before the first game.
        assert_eq!(log.matches(" >fake: uci\n").count(), starts, "{restart}");
    }
}

#[test]
fn what_is_said_before_and_beside_is_heard() {
    let folder = scratch("match_engines/init");
    let cases = format!("{UCI} hello) echo \"got $rest\" >&2;; go) echo bestmove a1a1;;");
    let two = "st=5 initstr='hello\\none\\nhello\\ntwo' stderr=err.txt";
    assert_eq!(against(&folder, &cases, two).stderr, "");
    let warned = against(&folder, &cases, "st=5 initstr=hello").stderr;
    assert!(warned.contains("quadrille: fake: got\n"), "{warned}");
    let heard = std::fs::read_to_string(folder.join("err.txt")).unwrap();
    assert_eq!(heard, "got \ngot \n".repeat(2), "one before the first game");
}

/// Its standard error may have the reason.
#[test]
fn an_engine_that_does_not_start_is_heard() {
    let folder = scratch("match_engines/broken");
    std::fs::write(folder.join("broken.sh"), "echo no library >&2; exit 3").unwrap();
    let error = refused_match(
        &folder,
        "-engine name=fake cmd=sh arg=broken.sh st=5 -engine cmd=self depth=1",
    );
    let wanted = "quadrille: fake: no library\n\
                  quadrille: fake: cannot be started: exit status: 3\n";
    assert_eq!(error, wanted);
}

/// Scores from White's point of view are negated for Black.
#[test]
fn scores_can_be_whites() {
    let folder = scratch("match_engines/whitepov");
    let cases = format!(
        "{UCI} position) case $rest in *moves*) mv=i8h6;; *) mv=i1h3;; esac;; \
         go) echo info depth 1 score cp 900; echo bestmove $mv;;"
    );
    let resign = "-resign movecount=1 score=500 twosided=false -maxmoves 1";
    let said = against(&folder, &cases, &format!("st=5 whitepov {resign}")).stdout;
    // As Black it is 9 pawns behind.
    assert!(
        said.contains("Finished game 2 (real vs fake): 1-0 {White wins by adjudication}"),
        "{said}"
    );
    let said = against(&folder, &cases, &format!("st=5 {resign}")).stdout;
    assert!(
        said.contains("Finished game 2 (real vs fake): 1/2-1/2 {Draw"),
        "{said}"
    );
}

const CECP: &str = "protover) echo feature ping=1 usermove=1 done=1;; ping) echo pong $rest;;";

#[test]
fn claims_are_judged_unless_the_engine_is_trusted() {
    let folder = scratch("match_engines/claims");
    for (claim, words, first, second) in [
        (
            "1-0 {I win}",
            "",
            "0-1 {Black wins by adjudication: White makes a wrong result claim}",
            "1-0 {Black resigns}",
        ),
        (
            "1/2-1/2 {enough}",
            "",
            "0-1 {Black wins by adjudication: White makes",
            "1-0 {White wins by adjudication: Black makes",
        ),
        (
            "1/2-1/2 {enough}",
            " trust",
            "1/2-1/2 {Draw by adjudication}",
            "1/2-1/2 {Draw by adjudication}",
        ),
        (
            "1-0 {I win}",
            " trust",
            "1-0 {White wins by adjudication}",
            "1-0 {Black resigns}",
        ),
        ("resign", "", "0-1 {White resigns}", "1-0 {Black resigns}"),
    ] {
        let cases = format!("{CECP} go|usermove) echo '{claim}';;");
        let said = against(&folder, &cases, &format!("st=5 proto=xboard{words}")).stdout;
        for (game, result) in [
            ("Finished game 1 (fake vs real): ", first),
            ("Finished game 2 (real vs fake): ", second),
        ] {
            assert!(
                last(&said, game)[game.len()..].starts_with(result),
                "{claim}{words}: {said}"
            );
        }
    }
}

/// A wrong move, a late one, and one that never comes, in CECP.
#[test]
fn faults_in_cecp_lose_the_game() {
    let folder = scratch("match_engines/faults");
    for (time, answer, ending) in [
        (
            "st=5",
            "echo move e2e5",
            "0-1 {White makes an illegal move: e2e5}",
        ),
        (
            "st=0.1",
            "sleep 0.4; echo move e2e4",
            "0-1 {White loses on time}",
        ),
        ("st=5", "exit 3", "0-1 {White disconnects}"),
        (
            "st=5",
            "echo 'Illegal move: e7e5'",
            "0-1 {Black wins by adjudication: White makes",
        ),
    ] {
        let cases = format!("{CECP} go|usermove) {answer};;");
        let words = format!("{time} proto=xboard -recover -games 1");
        let said = against(&folder, &cases, &words).stdout;
        assert!(
            last(&said, "Finished game 1 ").contains(ending),
            "{answer}: {said}"
        );
    }
}

/// An engine searches the expected move on its opponent's time.
#[test]
fn pondering_uses_the_opponents_time() {
    let folder = scratch("match_engines/ponder");
    let cases = "uci) echo option name Ponder type check default false; echo uciok;; \
                 isready) echo readyok;; ponderhit) echo bestmove b1c3 ponder a7a6;; stop) echo bestmove a1a1;; \
                 go) case $rest in ponder*) ;; *) echo bestmove ${next:-i1h3} ponder i8h6;; esac; \
                 next=h3i1;;";
    let engine = script(&folder, "fake", cases);
    // The other engine plays the expected move once.
    let replies = format!("{UCI} go) echo bestmove ${{next:-i8h6}}; next=b8c6;;");
    let other = script(&folder, "other", &replies);
    let words = format!(
        "-variant gothic {engine} tc=60 ponder {other} tc=60 -games 1 -maxmoves 3 -log file=log.txt"
    );
    let said = run_match(&folder, &words).stdout;
    let log = std::fs::read_to_string(folder.join("log.txt")).unwrap();
    assert_eq!(
        log.matches(" >fake: setoption name Ponder value true")
            .count(),
        2,
        "{log}"
    );
    assert_eq!(log.matches(" >fake: go ponder wtime ").count(), 2, "{log}");
    assert_eq!(log.matches(" >fake: ponderhit").count(), 1, "{log}");
    assert_eq!(log.matches(" >fake: stop").count(), 1, "{log}");
    assert!(log.contains("position startpos moves i1h3 i8h6\n"), "{log}");
    assert!(said.contains("Finished game 1 "), "{said}");
}
