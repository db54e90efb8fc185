//! Every command fails in the same form: `quadrille: COMMAND: FAULT` in one line, with status 2, and
//! after a wrong command line a pointer to its help. Commands, operands and options are those that
//! `--help` lists, so a new command is tested too.

use crate::command_line::{commands, said};
use crate::common::program::{Ended, Run, quadrille, scratch};
#[cfg(unix)]
use std::io::ErrorKind;
use std::path::{Path, PathBuf};
use std::process::Command;

/// Words for an operand in the usage of a command.
fn sample(name: &str) -> &[&str] {
    match name {
        "VARIANT" | "NAME" => &["congress"],
        "DEPTH" => &["1"],
        "QUESTION" => &["fen"],
        "PIECES" => &["KHk"],
        "FILE" => &["games.pgn"],
        "DATA" => &["data"],
        "DIR" => &["folder"],
        "WORDS" => &["cmd=self", "nodes=9"],
        _ => panic!("{name} is new: how does it look?"),
    }
}

/// Options that stand in the place of a command's operands, with the words that they need.
fn instead(command: &str, option: &str) -> Option<&'static [&'static str]> {
    match (command, option) {
        ("match", "--merge") => Some(&[]),
        ("board", "--html") => Some(&["--engine", "module"]),
        ("board", "--engine") => Some(&["--html", "page"]),
        ("annotate", "--engine") => Some(&["games.pgn", "--html", "page"]),
        ("prove", "--check") => Some(&["congress"]),
        _ => None,
    }
}

/// The words of a command's usage: all, and those that it needs.
fn usage(command: &str) -> [Vec<String>; 2] {
    let help = said(&[command, "--help"]);
    let line = help.lines().next().unwrap();
    let all = line.strip_prefix(&format!("quadrille {command}")).unwrap();
    let mut depth = 0;
    let mut needed = String::new();
    for letter in all.chars() {
        depth += usize::from(letter == '[');
        if depth == 0 {
            needed.push(letter);
        }
        depth -= usize::from(letter == ']');
    }
    [all, &needed].map(|text| {
        let words = text.split([' ', '[', ']']);
        let words = words.map(|word| word.trim_end_matches('.'));
        let words = words.filter(|word| !word.is_empty());
        words.map(str::to_string).collect()
    })
}

/// The options of a command that take a value, with the name of the value.
fn options(command: &str) -> Vec<(String, String)> {
    let help = said(&[command, "--help"]);
    let words: Vec<_> = help.split([' ', '\n', '[', ']']).collect();
    let options = words.windows(2).filter_map(|pair| {
        let name = pair[0].trim_start_matches('-');
        let value = pair[1].split(['.', ',']).next()?;
        let is_option = pair[0].starts_with('-') && name.starts_with(char::is_lowercase);
        let is_value =
            value.chars().all(char::is_uppercase) && !["", "M", "WORDS"].contains(&value);
        (is_option && is_value).then(|| (pair[0].to_string(), value.to_string()))
    });
    let mut options: Vec<_> = options.collect();
    options.sort();
    options.dedup();
    options
}

/// A command line without a fault, but for a word in the place of one of the usage.
fn words(command: &str, replaced: &str, by: &str) -> Vec<String> {
    let [_, needed] = usage(command);
    let word = |name: &String| match &**name {
        name if name == replaced => vec![by.to_string()],
        name if name.starts_with('-') => vec![name.to_string()],
        name => sample(name).iter().map(ToString::to_string).collect(),
    };
    needed.iter().flat_map(word).collect()
}

/// A command line that ends with an option.
fn words_with(command: &str, option: &[&str]) -> Vec<String> {
    let mut words = match instead(command, option[0]) {
        Some(others) => others.iter().map(ToString::to_string).collect(),
        None => words(command, "", ""),
    };
    words.extend(option.iter().map(ToString::to_string));
    words
}

/// The program with a command.
fn program(command: &str, words: &[String], folder: &Path) -> Command {
    let mut program = quadrille([command]);
    program.args(words).current_dir(folder);
    program
}

/// Asserts the form of a failure, and returns its line.
#[track_caller]
fn failed(command: &str, ended: Ended) -> String {
    let text = ended.refused();
    let line = text.strip_suffix('\n').unwrap();
    let start = format!("quadrille: {command}: ");
    assert!(line.starts_with(&start) && line.lines().count() == 1, "{text}");
    assert_eq!(text.matches(&format!(": {command}: ")).count(), 1, "{text}");
    line.to_string()
}

/// Asserts that a command line was not understood, and returns the line.
#[track_caller]
fn misunderstood(command: &str, words: &[String]) -> String {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR"));
    let line = failed(command, program(command, words, folder).run());
    let end = format!("; see {command} --help");
    assert!(line.ends_with(&end), "{words:?}: {line}");
    line
}

#[test]
fn a_wrong_command_line_points_to_the_help() {
    for command in commands() {
        misunderstood(&command, &words_with(&command, &["--no-such-option"]));
        for (option, _) in options(&command) {
            // Any number of words follow these.
            if !["-event", "-site"].contains(&&*option) {
                let line = misunderstood(&command, &words_with(&command, &[&option]));
                assert!(line.contains(&option), "{line}");
            }
        }
    }
}

#[test]
fn what_is_missing_is_named() {
    // Engines are counted.
    for command in commands().into_iter().filter(|command| command != "match") {
        let [_, needed] = usage(&command);
        // Without all that follows, which would be taken for it.
        for name in needed.iter().filter(|name| name.starts_with(char::is_uppercase)) {
            let words = words(&command, name, "");
            let words: Vec<_> = words.into_iter().take_while(|word| !word.is_empty()).collect();
            let line = misunderstood(&command, &words);
            let said = [name, " must follow", " is missing"];
            assert!(said.iter().any(|said| line.contains(said)), "{words:?}: {line}");
        }
    }
}

#[test]
fn what_is_no_number_is_named() {
    let mut count = 0;
    for command in commands() {
        let numbers = ["N", "MS", "MB", "H", "R", "T"];
        let options = options(&command).into_iter();
        for (option, _) in options.filter(|(_, value)| numbers.contains(&&**value)) {
            for wrong in ["x", "+1", "1e99", ""] {
                let line = misunderstood(&command, &words_with(&command, &[&option, wrong]));
                assert!(line.contains(&format!("{option}: `{wrong}` is n")), "{line}");
                count += 1;
            }
        }
    }
    assert!(count > 200, "{count}");
}

#[test]
fn an_unknown_variant_is_named() {
    for command in commands() {
        let mut lines = Vec::new();
        let [all, needed] = usage(&command);
        if needed.contains(&"VARIANT".into()) {
            lines.push(words(&command, "VARIANT", "chess"));
        } else if all.contains(&"VARIANT".into()) {
            lines.push(words_with(&command, &["chess"]));
        }
        let options = options(&command).into_iter();
        // With `go` the option stands before the command.
        for (option, _) in
            options.filter(|(option, _)| option.ends_with("-variant") && command != "go")
        {
            lines.push(words_with(&command, &[&option, "chess"]));
        }
        for words in lines {
            let line = misunderstood(&command, &words);
            assert!(line.contains(": the variant `chess` is not one of "), "{line}");
        }
    }
    failed("go", quadrille(["--variant", "chess", "go"]).run());
}

/// Command lines with a path in the place of each file that a command uses, in turn, with the kind of
/// the file.
fn uses(command: &str, path: &str) -> Vec<(String, Vec<String>)> {
    const FILES: [&str; 5] = ["FILE", "DATA", "NETWORK", "MODULE", "DIR"];
    let [all, needed] = usage(command);
    let mut uses = Vec::new();
    for name in &needed {
        uses.push((name.clone(), words(command, name, path)));
    }
    if all.ends_with(&["OPTION".into(), "FILE".into()]) && !needed.contains(&"FILE".into()) {
        uses.push(("FILE".into(), words_with(command, &[path])));
    }
    for (option, value) in options(command) {
        if !needed.contains(&option) {
            uses.push((value, words_with(command, &[&option, path])));
        }
    }
    uses.retain(|(kind, _)| FILES.contains(&&**kind));
    uses
}

/// Begins a folder with the files that are used.
fn workplace(name: &str) -> PathBuf {
    let folder = scratch(name);
    for (file, bytes) in [
        ("games.pgn", &b"[Variant \"congress\"]\n\n*\n"[..]),
        ("module", &[0x1f, 0x8b]),
        ("broken", b"x\n"),
    ] {
        std::fs::write(folder.join(file), bytes).unwrap();
    }
    std::fs::create_dir(folder.join("a-folder")).unwrap();
    let words = "datagen congress --out data --positions 9 --nodes 9 --eval <material>";
    let words = words.split(' ');
    quadrille(words).current_dir(&folder).run().succeeded();
    folder
}

/// `train` comes to some files only if its data are enough, and these are not.
fn is_late(line: &str) -> bool {
    line.ends_with(" are too few")
}

#[test]
fn a_file_that_cannot_be_used_is_named() {
    let folder = workplace("failures/unusable");
    let mut count = 0;
    for path in ["nowhere/x", "a-folder"] {
        for command in commands() {
            // A folder to write to may be new.
            let uses = uses(&command, path).into_iter();
            for (_, words) in uses.filter(|(kind, _)| kind != "DIR") {
                let line = failed(&command, program(&command, &words, &folder).run());
                assert!(line.contains(path) || is_late(&line), "{words:?}: {line}");
                count += 1;
            }
        }
    }
    assert!(count > 40, "{count}");
}

#[test]
fn a_broken_file_is_named() {
    let mut refused = 0;
    for command in commands() {
        for (_, words) in uses(&command, "broken") {
            let folder = workplace("failures/broken");
            let ended = program(&command, &words, &folder).run();
            match ended.code() {
                // It was overwritten.
                Some(0) => {}
                // The fault of a line is a result.
                Some(1) => assert!(ended.said().contains("line"), "{words:?}: {ended:?}"),
                _ => {
                    let line = failed(&command, ended);
                    let is_named = line.contains("broken") || is_late(&line);
                    assert!(is_named, "{words:?}: {line}");
                    refused += 1;
                }
            }
        }
    }
    assert!(refused > 10, "{refused}");
}

/// The administrator may open everything, so that nobody runs the commands in his place, where nobody may go.
#[cfg(unix)]
#[test]
fn a_file_without_permission_is_named() {
    use crate::common::program::QUADRILLE;
    use std::os::unix::fs::PermissionsExt;
    use std::os::unix::process::CommandExt;
    use std::process::Stdio;
    const NOBODY: u32 = 65_534;
    let mut folder = workplace("failures/locked");
    std::fs::create_dir(folder.join("locked")).unwrap();
    let mode = |folder: &Path, mode| {
        let mode = std::fs::Permissions::from_mode(mode);
        std::fs::set_permissions(folder, mode).unwrap();
    };
    mode(&folder.join("locked"), 0);
    let found = std::fs::metadata(folder.join("locked/x")).unwrap_err();
    let is_administrator = found.kind() == ErrorKind::NotFound;
    if is_administrator {
        // The folder of the build may be the administrator's alone.
        let public = std::env::temp_dir().join(format!("quadrille-{}", std::process::id()));
        let mut copy = Command::new("cp");
        copy.arg("-R").arg(&folder).arg(&public).run().succeeded();
        let mut copy = Command::new("cp");
        copy.arg(QUADRILLE).arg(public.join("quadrille")).run().succeeded();
        mode(&public, 0o777);
        folder = public;
    }
    for command in commands() {
        for (_, words) in uses(&command, "locked/x") {
            let mut program = program(&command, &words, &folder);
            if is_administrator {
                program = Command::new(folder.join("quadrille"));
                program.arg(&command).args(&words).current_dir(&folder).uid(NOBODY);
                program.env_remove("RUST_LOG").stdin(Stdio::null());
            }
            let line = failed(&command, program.run());
            let is_named = line.contains("locked/x: Permission denied");
            assert!(is_named || is_late(&line), "{words:?}: {line}");
        }
    }
    mode(&folder.join("locked"), 0o700);
    if is_administrator {
        std::fs::remove_dir_all(folder).unwrap();
    }
}
