//! Training data read from files, prepared for training.

use super::file::{GameReader, Header};
use super::record::{Label, PackedPosition};
use super::score_model::{self, on_network_scale};
use crate::cli::{Console, Failure};
use crate::search::ScoreModel;
use std::collections::HashSet;
use std::fs;
use std::ops::Range;
use std::path::{Path, PathBuf};

/// Share of the positions held out to measure the loss: one in this many, from each file's last games.
const HELD_OUT: usize = 50;
/// Greatest number of positions held out, of all files together.
const HELD_OUT_POSITIONS: usize = 100_000;

/// Positions of some files. Their scores are on the network's scale, by the score model
/// fitted to the results of each file.
#[derive(Default)]
pub(super) struct Data {
    /// Positions to learn from.
    pub records: Vec<PackedPosition>,
    pub held_out: Vec<PackedPosition>,
    pub files: Vec<DataFile>,
}

/// Summary of a file.
pub(super) struct DataFile {
    pub path: PathBuf,
    pub header: Header,
    /// Numbers of its games.
    numbers: HashSet<u64>,
    /// Number of positions to learn from.
    pub positions: usize,
    /// Range of its positions in [`Data::held_out`].
    pub held_out: Range<usize>,
    /// Chances to win, draw and lose with its scores.
    pub score_model: ScoreModel,
}

impl Data {
    /// Reads the positions that `keeps` accepts, of files that have no game in common with each other and with
    /// some `others`.
    pub(super) fn read(
        game: &'static str,
        paths: &[PathBuf],
        others: &[DataFile],
        keeps: fn(&Label) -> bool,
        console: &mut dyn Console,
    ) -> Result<Self, Failure> {
        let mut data = Self::default();
        for path in paths {
            let mut games = GameReader::of(game, path)?;
            let (mut records, ends) = read(&mut games, keeps, console)?;
            let GameReader { header, numbers, .. } = games;
            let is_shared = |other: &&DataFile| {
                header.has_games_of(&other.header) && !numbers.is_disjoint(&other.numbers)
            };
            if let Some(other) = others.iter().chain(&data.files).find(is_shared) {
                let fault = format!("it has games of {}", other.path.display());
                return Err(Failure::file(path)(fault));
            }
            let most = (records.len() / HELD_OUT).min(HELD_OUT_POSITIONS / paths.len());
            let mut held_out = records.split_off(first_held_out(&ends, most));
            let score_model = fit(&records);
            for record in records.iter_mut().chain(&mut held_out) {
                let score = record.label().score;
                *record = record.with_score(on_network_scale(score, score_model));
            }
            let first = data.held_out.len();
            data.files.push(DataFile {
                path: path.clone(),
                header,
                numbers,
                positions: records.len(),
                held_out: first..first + held_out.len(),
                score_model,
            });
            data.records.extend(records);
            data.held_out.extend(held_out);
        }
        Ok(data)
    }
}

/// Lists the files of training data in a folder, called `.dat`. Their names sort by age.
pub(super) fn data_files(folder: &Path) -> Result<Vec<PathBuf>, Failure> {
    let entries = fs::read_dir(folder).map_err(Failure::file(folder))?;
    let paths = entries.filter_map(|entry| Some(entry.ok()?.path()));
    let is_data = |path: &PathBuf| path.extension().is_some_and(|extension| extension == "dat");
    let mut paths: Vec<_> = paths.filter(is_data).collect();
    paths.sort();
    Ok(paths)
}

/// Finds the newest files of a game's training data with this many positions together, the oldest
/// first. Warns of files that it cannot read, and leaves them out.
pub(super) fn newest(
    game: &'static str,
    folder: &Path,
    positions: u64,
    console: &mut dyn Console,
) -> Result<Vec<PathBuf>, Failure> {
    let mut newest = Vec::new();
    let mut found = 0;
    for path in data_files(folder)?.into_iter().rev() {
        if found >= positions {
            break;
        }
        match GameReader::of(game, &path) {
            Ok(games) if games.header.label_nodes > 0 => {
                let path = path.display();
                console.warn(&format!("{path}: it is a test set; training leaves it out"));
            }
            Ok(games) => {
                found += games.most_positions();
                newest.push(path);
            }
            Err(error) => console.warn(&format!("{error}; training leaves it out")),
        }
    }
    newest.reverse();
    Ok(newest)
}

/// Fits a score model to the games of a file.
pub(super) fn score_model(
    game: &'static str,
    path: &Path,
    console: &mut dyn Console,
) -> Result<ScoreModel, Failure> {
    let (records, _) = read(&mut GameReader::of(game, path)?, is_quiet, console)?;
    Ok(fit(&records))
}

fn fit(records: &[PackedPosition]) -> ScoreModel {
    let labels = records.iter().map(PackedPosition::label).filter(|label| !label.leaf);
    score_model::fit(labels.map(|label| (label.score, label.result)))
}

/// Returns true for the positions that networks learn from.
pub(super) fn is_quiet(label: &Label) -> bool {
    label.quiet
}

/// Reads positions of a file, and the index at which each game ends.
fn read(
    games: &mut GameReader<'_>,
    keeps: fn(&Label) -> bool,
    console: &mut dyn Console,
) -> Result<(Vec<PackedPosition>, Vec<usize>), Failure> {
    let (mut kept, mut ends) = (Vec::new(), Vec::new());
    while let Some((_, records)) = games.next_game(console)? {
        kept.extend(records.into_iter().filter(|record| keeps(&record.label())));
        ends.push(kept.len());
    }
    Ok((kept, ends))
}

/// Returns the index at which the last games begin that have at most this many positions together,
/// or the last game if it has more. The first game is never held out.
fn first_held_out(ends: &[usize], most: usize) -> usize {
    let Some((&all, starts)) = ends.split_last() else {
        return 0;
    };
    let fitting = starts.iter().copied().find(|start| all - start <= most);
    fitting.or(starts.last().copied()).unwrap_or(all)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_last_games_are_held_out() {
        assert_eq!(first_held_out(&[], 10), 0);
        assert_eq!(first_held_out(&[40], 10), 40);
        assert_eq!(first_held_out(&[10, 40], 10), 10);
        assert_eq!(first_held_out(&[10, 20, 30, 40], 25), 20);
        assert_eq!(first_held_out(&[10, 20, 30, 40], 100), 10);
    }
}
