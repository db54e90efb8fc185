//! Command lines that are refused: the rows of `data/refusals.txt`. The fault stands in one line, and no file
//! is changed.

use crate::common::matches::{COPIES, split};
use crate::common::program::{Run, path, quadrille, scratch};
use crate::common::rows;
use crate::prove::MIDDLE;
use std::fs;

#[test]
fn a_refusal_names_its_fault() {
    let folder = scratch("refusals");
    let files = || {
        let entries = fs::read_dir(&folder).unwrap().map(|entry| entry.unwrap().path());
        let mut files: Vec<_> = entries.map(|path| (fs::read(&path).unwrap(), path)).collect();
        files.sort();
        files
    };
    for row in rows(include_str!("data/refusals.txt")) {
        let row = row.map(|text| text.replace("MIDDLE", MIDDLE));
        let [line, fault] = &row;
        if let Some(name) = line.strip_prefix("file ") {
            fs::write(folder.join(name), format!("{fault}\n")).unwrap();
            continue;
        }
        let before = files();
        let words = split(line).into_iter().flat_map(|word| match &*word {
            "COPIES" => split(COPIES),
            "P" => split("-engine name=P depth=1"),
            "S" => split("-engine name=S cmd=self depth=1"),
            _ => vec![word],
        });
        let mut command = quadrille(words);
        let ended = command.env("PATH", path()).current_dir(&folder).run();
        assert_eq!((ended.code(), &*ended.stdout), (Some(2), ""), "{line}: {ended:#?}");
        let said = ended.stderr;
        assert!(said.contains(fault), "{line}: no `{fault}` in {said}");
        assert!(said.starts_with("quadrille: ") && said.lines().count() == 1, "{line}: {said}");
        let after = files();
        assert!(before.iter().all(|file| after.contains(file)), "{line}: a file is changed");
    }
}
