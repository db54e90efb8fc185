//! Doc comments are plain English: they begin with a verb or a noun of the field.

use crate::common::files;
use std::fmt::Write as _;

/// Words that begin a clause, with which no doc comment begins.
const BEGINNINGS: [&str; 8] = [
    "Whether", "What", "Who", "How", "Where", "Since", "That", "Those",
];
/// Phrases with plainer words, such as `count` and "continues".
const PHRASES: [&str; 3] = ["so many", "how manieth", "goes on"];

/// Doc comments of a source text with the numbers of their first lines, each in one line.
fn doc_comments(text: &str) -> Vec<(usize, String)> {
    let mut comments: Vec<(usize, String)> = Vec::new();
    let mut last = None;
    for (number, line) in (1..).zip(text.lines()) {
        let line = line.trim_start();
        let mark = ["///", "//!"]
            .into_iter()
            .find(|mark| line.starts_with(mark));
        if let Some(mark) = mark {
            if last != Some(mark) {
                comments.push((number, String::new()));
            }
            let (_, comment) = comments.last_mut().unwrap();
            comment.push_str(line[mark.len()..].trim());
            comment.push(' ');
        }
        last = mark;
    }
    comments
}

fn fault(comment: &str) -> Option<&'static str> {
    let first = comment.split(|letter: char| !letter.is_alphabetic()).next();
    let begins = BEGINNINGS.into_iter().find(|&word| first == Some(word));
    begins.or_else(|| PHRASES.into_iter().find(|&phrase| comment.contains(phrase)))
}

#[test]
fn clauses_begin_no_doc_comment() {
    let (mut faults, mut total) = (String::new(), 0);
    for name in ["src", "tests"]
        .into_iter()
        .flat_map(|folder| files(folder, "rs"))
    {
        let path = format!("{}/{name}", env!("CARGO_MANIFEST_DIR"));
        let comments = doc_comments(&std::fs::read_to_string(path).unwrap());
        let found: Vec<_> = comments
            .iter()
            .filter_map(|(line, comment)| Some(format!("{line} ({})", fault(comment)?)))
            .collect();
        if !found.is_empty() {
            total += found.len();
            let _ = write!(faults, "\n{name}: {}", found.join(", "));
        }
    }
    assert!(
        total == 0,
        "{total} doc comments, by file and line:{faults}"
    );
}

#[test]
fn faults_of_doc_comments_are_seen() {
    let text =
        "/// Whether it is.\nfn a() {}\n/// True if it\n    /// goes on.\n//! Whatever\n// What";
    let comments = doc_comments(text);
    let found: Vec<_> = comments
        .iter()
        .map(|(line, comment)| (*line, fault(comment)))
        .collect();
    assert_eq!(
        found,
        [(1, Some("Whether")), (3, Some("goes on")), (5, None)]
    );
}
