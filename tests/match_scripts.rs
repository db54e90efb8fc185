//! `match` with engines that are shell scripts: their faults, claims, options and pondering; and the
//! interrupts of a match.

#![cfg(unix)]

use crate::common::matches::{COPIES, last, refused_match, run_match, start_match};
use crate::common::program::{
    Ended, Program, Run, interruptible, path, quadrille, scratch, shell, wait_for,
};
use crate::common::rows;
use std::io::{BufRead, BufReader, Read, Write};
use std::os::unix::process::ExitStatusExt;
use std::path::Path;
use std::process::Command;
use std::time::{Duration, Instant};

const SIGINT: i32 = 2;

/// Time limit for an interrupted match, with its first games.
const SOON: Duration = Duration::from_secs(60);

/// Cases of a script for the questions that UCI asks before a game.
const UCI: &str = "uci) echo uciok;; isready) echo readyok;;";

/// Writes a shell script that speaks just enough of a protocol, and returns the words for it as an
/// engine. `cases` are the commands that it answers; `$rest` is the text after the first word.
fn script(folder: &Path, name: &str, cases: &str) -> String {
    let text =
        format!("while read -r word rest; do case $word in {cases} quit) exit 0;; esac; done");
    std::fs::write(folder.join(format!("{name}.sh")), text).unwrap();
    format!("-engine name={name} cmd=sh arg={name}.sh")
}

/// Writes a shell script that answers `go`, and returns the words for a match of it against this
/// program. `words` begin with the time of a move.
fn script_match(folder: &Path, answer: &str, words: &str) -> String {
    let script = script(folder, "fake", &format!("{UCI} go) {answer};;"));
    format!("-variant gothic {script} -engine name=real cmd=self nodes=50 -each {words}")
}

/// Runs a match that might hang.
#[track_caller]
fn soon(folder: &Path, words: &str) -> Ended {
    start_match(folder, words).output().succeeded()
}

/// Answers of a script to `go`, the words of the match, and lines of its output.
const FAULTS: &str = r"
echo bestmove e2e5|st=5 -games 2|Finished game 1 (fake vs real): 0-1 {White makes an illegal move: e2e5}|Finished game 2 (real vs fake): 1-0 {Black makes an illegal move: e2e5}|Fault in game 1: fake: played `e2e5`, which is illegal, in rnbqckabnr/pppppppppp/10/10/10/10/PPPPPPPPPP/RNBQCKABNR w KQkq - 0 1|Faults of fake: 0 time losses, 2 illegal moves, 0 crashes, 0 hangs|Faults of real: 0 time losses, 0 illegal moves, 0 crashes, 0 hangs|Score of fake vs real: 0 - 2 - 0  [0.000] 2
printf 'b\303\050\000\ninfo depth x score cp\nbestmove\n'|st=5|0-1 {White makes an illegal move: }
sleep 0.4; echo bestmove e2e4|st=0.1 -games 2|Finished game 1 (fake vs real): 0-1 {White loses on time}|Fault in game 1: fake: lost on time in rnbq|Faults of fake: 2 time losses, 0 illegal moves, 0 crashes, 0 hangs
sleep 0.4; echo bestmove e2e4|st=0.1 -each timemargin=3000 -maxmoves 1|Faults of fake: 0 time losses
exec sleep 60|st=0.1 -games 2 -recover -concurrency 2|{White's connection stalls}|Faults of fake: 0 time losses, 0 illegal moves, 0 crashes, 2 hangs
while :; do echo y; done|st=0.1 -games 2 -recover -concurrency 2|Faults of fake: 0 time losses, 0 illegal moves, 0 crashes, 2 hangs
exit 3|st=5 -games 3 -recover|0-1 {White disconnects}|Faults of fake: 0 time losses, 0 illegal moves, 3 crashes, 0 hangs
exit 3|st=5 -games 3|The match ends: an engine died or hung|Score of fake vs real: 0 - 1 - 0  [0.000] 1";

#[test]
fn a_fault_of_an_engine_loses_its_game() {
    std::thread::scope(|scope| {
        for (number, row) in FAULTS.lines().skip(1).enumerate() {
            // They wait for one another's clocks.
            scope.spawn(move || {
                let folder = scratch(&format!("match_scripts/fault-{number}"));
                let fields: Vec<_> = row.split('|').collect();
                let [answer, words, wanted @ ..] = &fields[..] else { panic!("{row}") };
                let said = run_match(&folder, &script_match(&folder, answer, words)).stdout;
                for wanted in wanted {
                    assert!(said.contains(wanted), "{answer}, {words}: no `{wanted}` in {said}");
                }
            });
        }
    });
}

/// The engine answers without reading until the pipe to it is full.
#[test]
fn an_engine_that_does_not_read_hangs() {
    let folder = scratch("match_scripts/deaf");
    let deaf = "while :; do echo readyok; echo bestmove a1a1; done";
    let words = script_match(&folder, deaf, "st=5 -games 3000 -scoreinterval 0 -ratinginterval 0");
    let said = soon(&folder, &words).stdout;
    assert!(said.contains("The match ends: an engine died or hung"), "{said}");
    let faults = last(&said, "Faults of fake");
    assert!(faults.ends_with(" illegal moves, 0 crashes, 1 hangs"), "{faults}");
}

/// Neither terminal codes nor endless text reach the terminal.
#[test]
fn what_an_engine_writes_is_made_visible_and_bounded() {
    // A process that it leaves behind keeps nobody waiting.
    let noise = "sleep 100 & yes \"$(printf 'a\\033[31mred')\" | head -n 200000 >&2; \
                 printf 'bestmove \\033[31mred\\n'";
    let folder = scratch("match_scripts/noise");
    let said = soon(&folder, &script_match(&folder, noise, "st=20")).said();
    let wanted =
        "Finished game 1 (fake vs real): 0-1 {White makes an illegal move: \u{fffd}[31mred}";
    assert!(said.contains(wanted), "{said}");
    assert_eq!(said.matches("quadrille: match: fake: a\u{fffd}[31mred\n").count(), 20, "{said}");
    assert!(said.contains("quadrille: match: fake: and so on\n"), "{said}");
    assert!(!said.contains('\u{1b}'), "{said}");
}

#[test]
fn what_is_no_move_need_not_be_kept() {
    let folder = scratch("match_scripts/no-move");
    let long = "printf 'bestmove '; head -c 2000000 /dev/zero | tr '\\0' a; echo";
    let words = script_match(&folder, long, "st=5 -pgnout games.pgn");
    let said = run_match(&folder, &words).stdout;
    assert!(said.contains(" 1 illegal moves"), "{said}");
    assert!(said.len() < 10_000);
    let mut replay = quadrille(["replay", "games.pgn"]);
    let replayed = replay.current_dir(&folder).run().succeeded();
    assert!(replayed.stdout.starts_with("1 game, "));
}

#[test]
fn the_first_interrupt_lets_the_game_end() {
    let folder = scratch("match_scripts/first-interrupt");
    let words = script_match(&folder, "sleep 2; echo bestmove a1a1", "st=20 -games 2");
    let mut program = start_match(&folder, &words);
    let mut said = String::new();
    let mut output = BufReader::new(program.stdout.take().unwrap());
    output.read_line(&mut said).unwrap();
    assert_eq!(said, "Started game 1 of 2 (fake vs real)\n");
    program.signal("INT");
    output.read_to_string(&mut said).unwrap();
    let finished = "Finished game 1 (fake vs real): 0-1 {White makes an illegal move: a1a1}";
    assert!(said.contains(finished), "{said}");
    assert!(!said.contains("Started game 2"), "{said}");
    assert!(said.contains("The match was interrupted."), "{said}");
    assert_eq!(program.wait().signal(), Some(SIGINT));
}

/// The first interrupt lets the games under way finish, the second ends them.
#[test]
fn the_second_interrupt_ends_long_searches() {
    let endless = "-variant congress -each nodes=18446744073709551615 \
                   -engine cmd=self -engine cmd=self";
    let mut program = start_match(Path::new("."), endless);
    let mut said = String::new();
    let mut output = BufReader::new(program.stdout.take().unwrap());
    output.read_line(&mut said).unwrap();
    program.signal("INT");
    let mut told = String::new();
    let mut errors = BufReader::new(program.stderr.take().unwrap());
    errors.read_line(&mut told).unwrap();
    let wanted = "finishing the games in progress";
    assert!(told.contains(wanted), "{told}");
    assert!(program.is_running());
    program.signal("INT");
    let status = program.wait_within(Duration::from_secs(10));
    assert_eq!(status.signal(), Some(SIGINT));
    output.read_to_string(&mut said).unwrap();
    assert!(said.contains("The match was interrupted."), "{said}");
}

/// A match that cannot wind up, since its output is a full pipe, ends all the same.
#[test]
fn a_later_interrupt_ends_a_match_that_hangs() {
    let folder = scratch("match_scripts/full-pipe");
    let (_output, mut full) = std::io::pipe().unwrap();
    full.write_all(&[b' '; 1 << 16]).unwrap();
    let mut command = interruptible();
    command.arg("match").args(format!("-variant congress {COPIES} -pgnout games.pgn").split(' '));
    let mut program = Program::start_for(command.current_dir(&folder).stdout(full), SOON);
    wait_for("the file of games", SOON, || folder.join("games.pgn").exists());
    let begun = Instant::now();
    wait_for("the end of the match", SOON, || {
        program.signal("INT");
        std::thread::sleep(Duration::from_millis(200));
        !program.is_running()
    });
    assert!(begun.elapsed() > Duration::from_secs(2));
    assert_eq!(program.wait().signal(), Some(SIGINT));
}

/// The engines, which do not ignore the signal, do not get it.
#[test]
#[ignore = "needs script"]
fn the_ctrl_c_of_a_terminal_reaches_the_match_alone() {
    let folder = scratch("match_scripts/terminal");
    let words = script_match(&folder, "sleep 2; echo bestmove a1a1", "st=20 -games 2");
    for (times, end) in [(1, "0-1 {White makes an illegal move: a1a1}"), (2, "")] {
        let line = format!("{:?} match {words}", interruptible());
        let mut command = Command::new("script");
        command.args(["-qec", &line, "/dev/null"]);
        command.env("PATH", path()).current_dir(&folder);
        let mut program = Program::piped(&mut command, SOON);
        let mut output = BufReader::new(program.stdout.take().unwrap());
        let mut said = String::new();
        for awaited in ["Started game 1 ", "interrupted: "].into_iter().take(times) {
            while !said.contains(awaited) {
                assert!(output.read_line(&mut said).unwrap() > 0, "{said}");
            }
            program.stdin.as_mut().unwrap().write_all(b"\x03").unwrap();
        }
        output.read_to_string(&mut said).unwrap();
        assert_eq!(said.contains("Finished game 1 "), times == 1, "{said}");
        assert!(said.contains(end), "{said}");
        assert!(said.contains("The match was interrupted."), "{said}");
        assert_eq!(program.wait().code(), Some(128 + SIGINT));
    }
}

#[test]
fn an_engine_that_does_not_play_the_game_is_refused() {
    let folder = scratch("match_scripts/other-game");
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

/// Runs a match of two games of a script against this program. `words` follow the script's.
#[track_caller]
fn against(folder: &Path, cases: &str, words: &str) -> Ended {
    let script = script(folder, "fake", cases);
    let other = "-engine name=real cmd=self depth=1 -games 2";
    run_match(folder, &format!("-variant gothic {script} {words} {other}"))
}

#[test]
fn engines_start_anew_when_wanted() {
    let folder = scratch("match_scripts/restart");
    let cases = format!("{UCI} go) echo bestmove a1a1;;");
    for (restart, starts) in [("off", 2), ("on", 3), ("auto", 2)] {
        let _ = std::fs::remove_file(folder.join("log.txt"));
        against(&folder, &cases, &format!("st=5 restart={restart} -log file=log.txt"));
        let log = std::fs::read_to_string(folder.join("log.txt")).unwrap();
        // One of them is before the first game.
        assert_eq!(log.matches(" >fake: uci\n").count(), starts, "{restart}");
    }
}

/// A value may be empty. `false` leaves a button alone, and all else that is no button's is refused.
#[test]
fn options_are_set_and_buttons_pressed() {
    let folder = scratch("match_scripts/options");
    let uci = "uci) echo option name Clear Hash type button; \
               echo option name Log File type string default x; \
               echo option name Own Book type check default true; echo uciok;; \
               isready) echo readyok;; go) echo bestmove a1a1;;";
    let cecp = "protover) echo 'feature ping=1 memory=1 option=\"Clear Hash -button\" \
                option=\"Log File -file x\" option=\"Own Book -check 1\" done=1';; \
                ping) echo pong $rest;; go) echo resign;;";
    for (option, in_uci, in_cecp) in [
        ("Log File=", "setoption name Log File value ", "option Log File="),
        ("log file=a b", "setoption name Log File value a b", "option Log File=a b"),
        ("Own Book=False", "setoption name Own Book value false", "option Own Book=0"),
        ("Clear Hash=", "setoption name Clear Hash", "option Clear Hash"),
        ("Clear Hash=true", "setoption name Clear Hash", "option Clear Hash"),
        (
            "Log File=a\nquit\r\u{1b}",
            "setoption name Log File value a\u{fffd}quit\u{fffd}\u{fffd}",
            "option Log File=a\u{fffd}quit\u{fffd}\u{fffd}",
        ),
        ("Clear Hash=false", "", ""),
        ("Memory=64", "fault", "memory 64"),
        ("Clear Hash=now", "fault", "fault"),
        ("Own Book=", "fault", "fault"),
    ] {
        for (cases, protocol, wanted) in [(uci, "uci", in_uci), (cecp, "xboard", in_cecp)] {
            let engine = script(&folder, "fake", cases);
            let words = format!(
                "-variant gothic {engine} proto={protocol} st=5 'option.{option}' \
                 -engine cmd=self depth=1 -log file=log.txt append=false"
            );
            if wanted == "fault" {
                let name = option.split('=').next().unwrap();
                assert!(refused_match(&folder, &words).contains(name), "{option}");
                continue;
            }
            run_match(&folder, &words);
            let log = std::fs::read_to_string(folder.join("log.txt")).unwrap();
            let sent = log.lines().filter_map(|line| line.split_once(" >fake: "));
            let mut sent = sent.map(|(_, line)| line);
            let is_option = |line: &&str| {
                ["setoption", "option", "memory"].contains(&line.split(' ').next().unwrap())
            };
            assert_eq!(sent.find(is_option).unwrap_or_default(), wanted, "{option}");
        }
    }
}

#[test]
fn what_is_said_before_and_beside_is_heard() {
    let folder = scratch("match_scripts/init");
    let cases = format!("{UCI} hello) echo \"got $rest\" >&2;; go) echo bestmove a1a1;;");
    let two = "st=5 initstr='hello\\none\\nhello\\ntwo' stderr=err.txt";
    assert_eq!(against(&folder, &cases, two).stderr, "");
    let warned = against(&folder, &cases, "st=5 initstr=hello").stderr;
    assert!(warned.contains("quadrille: match: fake: got\n"), "{warned}");
    let heard = std::fs::read_to_string(folder.join("err.txt")).unwrap();
    assert_eq!(heard, "got \ngot \n".repeat(2), "one before the first game");
}

/// Its standard error may have the reason.
#[test]
fn an_engine_that_does_not_start_is_heard() {
    let folder = scratch("match_scripts/broken");
    std::fs::write(folder.join("broken.sh"), "echo no library >&2; exit 3").unwrap();
    let error = refused_match(
        &folder,
        "-engine name=fake cmd=sh arg=broken.sh st=5 -engine cmd=self depth=1",
    );
    let wanted = "quadrille: match: fake: no library\n\
                  quadrille: match: fake: ended before it was ready: exit status: 3\n";
    assert_eq!(error, wanted);
}

/// What an engine has started may hold its pipes: its own end is seen all the same.
#[test]
fn the_end_of_an_engine_is_seen_behind_its_children() {
    let folder = scratch("match_scripts/orphans");
    let run = |cases: &str| {
        let engine = script(&folder, "fake", cases);
        let words = format!(
            "-variant gothic {engine} nodes=9 -engine name=real cmd=self nodes=50 -games 1"
        );
        let begun = Instant::now();
        let ended = start_match(&folder, &words).output();
        assert!(begun.elapsed() < Duration::from_secs(15), "{cases}: {ended:?}");
        ended
    };
    let apart = cfg!(target_os = "linux").then_some("setsid sleep 30 & exit 7");
    for end in ["sleep 300 & exit 7"].into_iter().chain(apart) {
        let said = run(&format!("{UCI} go) {end};;")).stdout;
        let fault = "0-1 {White disconnects}\nFault in game 1: fake: died (exit status: 7) in ";
        assert!(said.contains(fault), "{said}");
        let refused = run(&format!("uci) {end};;")).stderr;
        let fault = "fake: ended before it was ready: exit status: 7\n";
        assert!(refused.ends_with(fault), "{refused}");
    }
}

/// A program that cannot be started again ends the match, even with -recover: it has lost no game.
#[test]
fn a_program_that_is_gone_ends_the_match() {
    for (number, (command, loss, why)) in [
        ("./gone.sh", "rm gone.sh", "cannot be started: ./gone.sh: No such file"),
        (
            "./gone.sh",
            "rm gone.sh; echo > gone.sh",
            "cannot be started: ./gone.sh: Permission denied",
        ),
        ("sh arg=gone.sh", "rm gone.sh", "ended before it was ready: exit status: "),
        ("sh arg=gone.sh", "echo exit 5 > gone.sh", "ended before it was ready: exit status: 5"),
    ]
    .into_iter()
    .enumerate()
    {
        let folder = scratch(&format!("match_scripts/gone{number}"));
        // The third start is that of the second game.
        let text = format!(
            "#!/bin/sh\nwhile read -r word rest; do case $word in\n\
             uci) echo x >> starts; [ `wc -l < starts` -ge 3 ] && ({loss}); echo uciok;;\n\
             isready) echo readyok;; go) echo bestmove a1a1;; quit) exit;; esac; done\n"
        );
        std::fs::write(folder.join("text"), text).unwrap();
        let restore = || shell(&folder, "cp text gone.sh; chmod +x gone.sh").succeeded();
        restore();
        let words = format!(
            "-variant gothic -engine name=fake cmd={command} restart=on nodes=9 \
             -engine name=real cmd=self nodes=50 -rounds 3 -recover -pgnout g.pgn"
        );
        let ended = start_match(&folder, &words).output();
        assert_eq!(ended.status.code(), Some(2), "{ended:#?}");
        let told = ended.stderr.contains(&format!("match: fake: {why}"));
        assert!(told && ended.stderr.contains("with -resume continues"), "{ended:#?}");
        let faults = last(&ended.stdout, "Faults of fake: ");
        assert!(faults.ends_with("2 illegal moves, 0 crashes, 0 hangs"), "{ended:#?}");
        let games = std::fs::read_to_string(folder.join("g.pgn")).unwrap();
        assert_eq!(games.matches("[Event ").count(), 2, "{games}");
        // With the program back, the match is resumed.
        std::fs::remove_file(folder.join("starts")).unwrap();
        restore();
        let said = start_match(&folder, &format!("{words} -resume")).output().stdout;
        assert!(last(&said, "Score of").ends_with(" 3"), "{said}");
    }
}

/// Scores from White's point of view are negated for Black.
#[test]
fn scores_can_be_whites() {
    let folder = scratch("match_scripts/whitepov");
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
    assert!(said.contains("Finished game 2 (real vs fake): 1/2-1/2 {Draw"), "{said}");
}

const CECP: &str = "protover) echo feature ping=1 usermove=1 done=1;; ping) echo pong $rest;;";

/// What a script says when it is to move, its words, and the ends of the first and of the second game. A
/// claim is judged unless the engine is trusted.
const ANSWERS: &str = "
echo '1-0 {I win}'|st=5|0-1 {Black wins by adjudication: White makes a wrong result claim}|1-0 {Black resigns}
echo '1/2-1/2 {enough}'|st=5|0-1 {Black wins by adjudication: White makes|1-0 {White wins by adjudication: Black makes
echo '1/2-1/2 {enough}'|st=5 trust|1/2-1/2 {Draw by adjudication}|1/2-1/2 {Draw by adjudication}
echo '1-0 {I win}'|st=5 trust|1-0 {White wins by adjudication}|1-0 {Black resigns}
echo '1-0{I win}'|st=5 trust|1-0 {White wins|1-0 {Black resigns}
echo resign|st=5|0-1 {White resigns}|1-0 {Black resigns}
echo '  Resign. '|st=5|0-1 {White resigns}|1-0 {Black resigns}
echo tellics resign|st=5|0-1 {White resigns}|1-0 {Black resigns}
echo computer resigns|st=5|0-1 {White resigns}|1-0 {Black resigns}
echo move e2e5|st=5|0-1 {White makes an illegal move: e2e5}|1-0 {Black makes an illegal move: e2e5}
sleep 0.4; echo move e2e4|st=0.1|0-1 {White loses on time}|1-0 {Black loses on time}
exit 3|st=5 -recover|0-1 {White disconnects}|1-0 {Black disconnects}
echo 'Illegal move: e7e5'|st=5|0-1 {Black wins by adjudication: White makes|1-0 {White wins by adjudication: Black makes
echo '1. ... i1h3'|st=9 -maxmoves 1|1/2-1/2 {Draw|1-0 {Black makes an illegal move
echo 'My move is: i1h3'|st=9 -maxmoves 1|1/2-1/2 {Draw|1-0 {Black makes an illegal move
echo '12. ... i1h3'|st=9 -maxmoves 1|1/2-1/2 {Draw|1-0 {Black makes an illegal move
echo 'move  i1h3'|st=9 -maxmoves 1|1/2-1/2 {Draw|1-0 {Black makes an illegal move";

#[test]
fn answers_in_cecp_end_the_game() {
    let folder = scratch("match_scripts/answers");
    for [answer, words, first, second] in rows(&ANSWERS[1..]) {
        let cases = format!("{CECP} go|usermove) {answer};;");
        let said = against(&folder, &cases, &format!("proto=xboard {words}")).stdout;
        for (game, end) in [("1 (fake vs real)", first), ("2 (real vs fake)", second)] {
            let line = format!("Finished game {game}: {end}");
            assert!(said.contains(&line), "{answer}, {words}: no `{line}` in {said}");
        }
    }
}

/// A move that is said twice, or while the other side thinks, is none.
#[test]
fn a_move_out_of_turn_is_dropped() {
    let folder = scratch("match_scripts/twice");
    std::fs::write(
        folder.join("twice.sh"),
        "quadrille | while read -r line; do echo \"$line\"; case $line in move*) echo \"$line\";; esac; done",
    )
    .unwrap();
    let knight = "go|usermove) mv=${next:-i1h3}; echo move $mv; echo move $mv; \
                  case $mv in i1h3) next=h3i1;; *) next=i1h3;; esac;;";
    let plain =
        script(&folder, "fake", &format!("protover) echo feature usermove=1 done=1;; {knight}"));
    let ping = script(&folder, "ping", &format!("{CECP} {knight}"));
    for engine in ["-engine name=fake cmd=sh arg=twice.sh", &plain, &ping] {
        let words = format!(
            "-variant gothic {engine} proto=xboard depth=1 -engine name=real cmd=self \
             nodes=300000 -games 1 -maxmoves 3"
        );
        let ended = run_match(&folder, &words);
        assert!(!ended.stdout.contains("Fault in game"), "{ended:#?}");
        assert!(ended.stdout.contains(": 1/2-1/2 {Draw"), "{ended:#?}");
        let dropped = "is ignored: it is not its turn\n";
        assert!(ended.stderr.contains(dropped), "{ended:#?}");
    }
}

/// An engine that answers while it ponders, and again at the hit, has moved once.
#[test]
fn what_came_before_a_ponder_search_is_dropped() {
    let folder = scratch("match_scripts/premature");
    let cases = "uci) echo option name Ponder type check default false; echo uciok;; \
                 isready) echo readyok;; stop) ;; \
                 go|ponderhit) case $word in go) if [ \"$mv\" = i1h3 ]; then mv=h3i1 re=h6i8; \
                 else mv=i1h3 re=i8h6; fi;; esac; echo bestmove $mv ponder $re;;";
    let engine = script(&folder, "fake", cases);
    let replies = format!(
        "{UCI} go) sleep 0.1; if [ \"$mv\" = i8h6 ]; then mv=h6i8; else mv=i8h6; fi; \
         echo bestmove $mv;;"
    );
    let other = script(&folder, "other", &replies);
    let words = format!("-variant gothic {engine} ponder {other} -each tc=60 -games 1 -maxmoves 4");
    let said = run_match(&folder, &words).stdout;
    assert!(said.contains("Finished game 1 (fake vs other): 1/2-1/2 {Draw"), "{said}");
}

/// An engine searches the expected move on its opponent's time.
#[test]
fn pondering_uses_the_opponents_time() {
    let folder = scratch("match_scripts/ponder");
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
    assert_eq!(log.matches(" >fake: setoption name Ponder value true").count(), 2, "{log}");
    assert_eq!(log.matches(" >fake: go ponder wtime ").count(), 2, "{log}");
    assert_eq!(log.matches(" >fake: ponderhit").count(), 1, "{log}");
    assert_eq!(log.matches(" >fake: stop").count(), 1, "{log}");
    assert!(log.contains("position startpos moves i1h3 i8h6\n"), "{log}");
    assert!(said.contains("Finished game 1 "), "{said}");
}

/// No output can hold up a match, or keep it from ending.
#[test]
fn no_output_blocks_a_match() {
    let folder = scratch("match_scripts/pipes");
    let games = "-variant congress -engine name=A cmd=self -engine name=B cmd=self -each nodes=20 \
                 -openings random seed=1 -games 2";
    let engine = script(&folder, "fake", &format!("{UCI} go) echo bestmove a1a1;;"));
    shell(&folder, "mkfifo ff").succeeded();
    let refusals = [
        ("-pgnout ff", "-pgnout: ff: nobody reads this pipe"),
        ("-epdout ff", "-epdout: ff: nobody reads this pipe"),
        ("-log file=ff", "-log: ff: nobody reads this pipe"),
        (&format!("{engine} st=1 stderr=ff"), "fake: cannot be started: stderr: ff: nobody reads"),
        ("-json ff", "-json: ff: it is not a file"),
        ("-html ff", "-html: ff: it is not a file"),
        ("-pgnout ff -resume", "-pgnout: ff: nobody reads this pipe"),
    ];
    // Each waits for a reader.
    std::thread::scope(|scope| {
        for (words, fault) in refusals {
            let folder = &folder;
            scope.spawn(move || {
                let error = refused_match(folder, &format!("{games} {words}"));
                assert!(error.contains(fault), "{words}: {error}");
            });
        }
    });
    // Pipes with a reader and devices are outputs like others.
    for (line, count) in [
        ("cat ff >got & quadrille match WORDS -pgnout ff; wait", 2),
        ("quadrille match WORDS -pgnout ff & cat ff >got; wait", 2),
        ("quadrille match WORDS -pgnout /dev/stdout | cat >got", 2),
        ("(quadrille match WORDS -pgnout /dev/fd/3 3>&1 >/dev/null) | cat >got", 2),
        ("quadrille match WORDS -pgnout /dev/null >/dev/null; : >got", 0),
    ] {
        let ended = shell(&folder, &line.replace("WORDS", games)).succeeded();
        let got = std::fs::read_to_string(folder.join("got")).unwrap();
        assert_eq!(got.matches("[Event ").count(), count, "{line}: {ended:?}");
    }
}

/// True if one of the processes runs whose ids are in a file.
fn is_one_running(folder: &Path) -> bool {
    let line = "for id in $(cat pids); do kill -0 $id 2>/dev/null && exit 1; done; exit 0";
    !shell(folder, line).status.success()
}

/// Engines that fork, wrap, hang and leave something behind, as words of `match`, with their controls.
fn engines_with_children(folder: &Path) -> [(String, &'static str); 4] {
    let hang = "echo $$ >>pids; trap '' INT TERM HUP; while :; do sleep 1; done";
    std::fs::write(folder.join("hang.sh"), hang).unwrap();
    let left = |name: &str, start: &str, go: &str| {
        let cases = format!("{UCI} go) {go};;");
        let words = script(folder, name, &cases);
        let path = folder.join(format!("{name}.sh"));
        let text = std::fs::read_to_string(&path).unwrap();
        std::fs::write(&path, format!("{start}\n{text}\n:")).unwrap();
        words
    };
    let inner = left("inner", "echo $$ >>pids", "sh hang.sh");
    let wrapper = inner.replace("inner.sh", "wrapper.sh");
    std::fs::write(folder.join("wrapper.sh"), "sh inner.sh; echo over >&2").unwrap();
    let forks = left("forks", "sh hang.sh & sh hang.sh </dev/null >&2 &", "echo bestmove a1a1");
    let dies = left("dies", "", "sh hang.sh & exit 3");
    [(inner, "st=0.1"), (wrapper, "st=0.1"), (forks, "st=5"), (dies, "st=5")]
}

#[test]
fn all_that_an_engine_has_started_ends_with_it() {
    // Each engine in a match of its own: they wait for one another's clocks.
    let play = |number: usize, restart: &str| {
        let folder = scratch(&format!("match_scripts/groups-{number}-{restart}"));
        let (engine, control) = &engines_with_children(&folder)[number];
        let words = format!(
            "-variant gothic {engine} restart={restart} -engine name=S cmd=self nodes=9 \
             -each {control} -games 2 -recover"
        );
        let said = soon(&folder, &words).said();
        assert!(said.contains("Finished game 2 "), "{said}");
        // Each of them was there.
        assert!(folder.join("pids").exists(), "{engine}");
        // What is killed is gone a moment later.
        wait_for(engine, Duration::from_secs(5), || !is_one_running(&folder));
    };
    std::thread::scope(|scope| {
        for number in 0..4 {
            for restart in ["on", "off"] {
                scope.spawn(move || play(number, restart));
            }
        }
    });
}

#[test]
fn all_that_an_engine_has_started_ends_with_the_match() {
    let folder = scratch("match_scripts/group-ends");
    let [_, (wrapper, _), ..] = engines_with_children(&folder);
    let words = format!("-variant gothic {wrapper} -engine cmd=self nodes=9 -each tc=600");
    for (signal, is_read) in [("INT", true), ("INT", false), ("TERM", true)] {
        let _ = std::fs::remove_file(folder.join("pids"));
        let mut program = start_match(&folder, &words);
        let mut output = BufReader::new(program.stdout.take().unwrap());
        let mut errors = BufReader::new(program.stderr.take().unwrap());
        let mut started = String::new();
        output.read_line(&mut started).unwrap();
        assert!(started.starts_with("Started game 1 "), "{started}");
        wait_for("a hanging engine", Duration::from_secs(20), || {
            std::fs::read_to_string(folder.join("pids")).is_ok_and(|pids| pids.lines().count() == 3)
        });
        program.signal(signal);
        if signal == "INT" {
            // Two at once count as one.
            let mut warned = String::new();
            while !warned.contains("interrupted: ") {
                assert!(errors.read_line(&mut warned).unwrap() > 0, "{warned}");
            }
            let output = Some(output).filter(|_| is_read);
            program.signal(signal);
            drop(output);
        }
        wait_for("the end of all", Duration::from_secs(20), || !is_one_running(&folder));
    }
}

/// An engine may put any white space before, between and after its words.
#[test]
fn white_space_of_engines_does_not_matter() {
    let folder = scratch("match_scripts/white-space");
    // A script without `exec`.
    let text = "quadrille | while read -r line; do
        set -f; set -- $line; printf ' \\t'; printf '%s \\t ' \"$@\"; printf '\\r\\n'; done";
    std::fs::write(folder.join("loose.sh"), text).unwrap();
    for protocol in ["uci option.Hash=2", "xboard option.memory=2"] {
        let words = format!(
            "-variant gothic -engine name=loose cmd=sh arg=loose.sh proto={protocol} depth=1 \
             -engine name=S cmd=self depth=1 -openings random seed=3 -games 2 -maxmoves 6 \
             -pgnout games.pgn append=false min=false"
        );
        let said = soon(&folder, &words).said();
        assert_eq!(said.matches("maximal game length").count(), 2 + 2, "{said}");
        let pgn = std::fs::read_to_string(folder.join("games.pgn")).unwrap();
        // Every move that was thought about has a score.
        assert_eq!(pgn.matches("/1 0.").count(), 2 * (12 - 8), "{pgn}");
    }
}

/// A bound is no score: neither the match nor the PGN takes it for one.
#[test]
fn bounds_decide_nothing() {
    let folder = scratch("match_scripts/bounds");
    let position = "position) case $rest in *moves*) mv=i8h6;; *) mv=i1h3;; esac;;";
    for (lines, is_lost) in [
        ("info depth 7 score cp -900", true),
        ("info depth 7 score cp -900\\ninfo depth 8 score cp 0 lowerbound", true),
        ("info depth 7 score cp -900 lowerbound", false),
        ("info lowerbound depth 7 score cp -900 pv i1h3", false),
        ("info depth 7 score mate -1 upperbound", false),
        ("info depth 6 score cp 5\\ninfo depth 7 score cp -900 nodes 1 upperbound", false),
        ("info depth 7 multipv 2 score cp -900", false),
    ] {
        let cases = format!("{UCI} {position} go) printf '{lines}\\n'; echo bestmove $mv;;");
        let more = "st=5 -resign movecount=1 score=500 -maxmoves 1 -pgnout games.pgn append=false";
        let said = against(&folder, &cases, more).stdout;
        let ending = if is_lost {
            "0-1 {Black wins by adjudication}"
        } else {
            "1/2-1/2 {Draw by adjudication: maximal game length}"
        };
        assert!(last(&said, "Finished game 1 ").ends_with(ending), "{lines}: {said}");
        let pgn = std::fs::read_to_string(folder.join("games.pgn")).unwrap();
        assert_eq!(pgn.contains("-9.00/7 "), is_lost, "{lines}: {pgn}");
        assert!(!pgn.contains("M1"), "{lines}: {pgn}");
    }
    let cases =
        format!("{UCI} {position} go) echo 'info score cp 0 lowerbound'; echo bestmove $mv;;");
    let draw = "st=5 -draw movecount=1 score=10000 -maxmoves 1";
    let said = against(&folder, &cases, draw).stdout;
    assert!(said.contains("maximal game length"), "{said}");
}
