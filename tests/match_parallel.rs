//! `match`, `analyse` and `datagen`, spread over cores and machines by other programs.

#![cfg(unix)]

use crate::common::matches::{MATCH, figures, run_match};
use crate::common::program::{Run, scratch, shell};
use std::path::Path;
use std::process::Command;

/// The output of a command line of a shell, which must succeed.
fn run(folder: &Path, line: &str) -> String {
    shell(folder, line).succeeded().stdout
}

/// GNU parallel with a list of hosts, here this machine twice.
#[test]
#[ignore = "needs GNU parallel"]
fn parallel_spreads_the_work() {
    let folder = scratch("match_parallel/parallel");
    let version = Command::new("parallel").arg("--version").run().stdout;
    assert!(version.starts_with("GNU parallel"), "{version}");
    let parallel = "parallel --will-cite";
    // Match: the same games as in one piece.
    let whole = run_match(&folder, &format!("{MATCH} -rounds 4 -pgnout whole.pgn")).stdout;
    run(
        &folder,
        &format!(
            "{parallel} --sshlogin 1/:,1/: 'quadrille match {MATCH} -openings random seed=3 start={{}} -rounds 2 \
             -pgnout part{{}}.pgn' ::: 1 3"
        ),
    );
    let merged = run_match(&folder, "--merge part1.pgn part3.pgn").stdout;
    assert_eq!(figures(&whole), figures(&merged));
    // Analysis: the same lines in the same order, except for their number and time.
    let positions = "rnbqckabnr/pppppppppp/10/10/4P5/10/PPPP1PPPPP/RNBQCKABNR b KQkq - 0 1\n\
                     rnbqckabnr/pppppppppp/10/10/3P6/10/PPP1PPPPPP/RNBQCKABNR b KQkq - 0 1\n";
    std::fs::write(folder.join("p.epd"), positions.repeat(3)).unwrap();
    let analyse = "quadrille analyse --variant gothic --depth 2 --jobs 1";
    let timeless = |text: &str| {
        let lines = text.lines().map(|line| {
            let fields = line.split(", ").filter(|field| {
                !["\"line\"", "\"time_ms\"", "\"nps\""].iter().any(|key| field.contains(key))
            });
            fields.collect::<Vec<_>>().join(", ")
        });
        lines.collect::<Vec<_>>()
    };
    let alone = run(&folder, &format!("{analyse} < p.epd"));
    let spread = run(&folder, &format!("{parallel} --pipe -k -N 2 {analyse} < p.epd"));
    assert_eq!(timeless(&alone).len(), 6);
    assert_eq!(timeless(&alone), timeless(&spread));
    // Data: a file for each seed.
    run(
        &folder,
        &format!(
            "{parallel} 'quadrille datagen congress --out d{{}}.dat --seed {{}} --positions 60 \
             --nodes 10 --threads 1 --eval \"<material>\"' ::: 1 2"
        ),
    );
    assert_ne!(
        std::fs::read(folder.join("d1.dat")).unwrap(),
        std::fs::read(folder.join("d2.dat")).unwrap()
    );
}

/// The template for Slurm in src/tournament/README.md, which numbers the tasks. A task that is
/// queued again plays nothing twice.
#[test]
fn the_template_for_slurm_runs() {
    let folder = scratch("match_parallel/slurm");
    let readme = concat!(env!("CARGO_MANIFEST_DIR"), "/src/tournament/README.md");
    let readme = std::fs::read_to_string(readme).unwrap();
    let begin = readme.find("#!/bin/sh\n#SBATCH").unwrap();
    let script = readme[begin..].split("```").next().unwrap();
    let small = [
        ("./new", "self"),
        ("./old", "self"),
        ("tc=10+0.1", "nodes=15"),
        ("-rounds 100", "-rounds 1"),
    ];
    let script = small.into_iter().fold(script.to_string(), |script, (from, to)| {
        assert!(script.contains(from), "{from}");
        script.replace(from, to)
    });
    std::fs::write(folder.join("task.sh"), script).unwrap();
    for task in [0, 1, 1] {
        run(&folder, &format!("SLURM_ARRAY_TASK_ID={task} sh task.sh"));
    }
    let merged = run_match(&folder, "--merge part0.pgn part1.pgn").stdout;
    assert!(
        merged.starts_with("Score of new vs old: ") && !merged.contains("Repeated"),
        "{merged}"
    );
    assert!(merged.lines().next().unwrap().ends_with("] 4"), "{merged}");
}
