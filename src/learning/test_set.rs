//! Test sets: positions of games and leaves of their searches, labelled by deep searches. Their error
//! compares networks better than the loss does, but does not replace a match.

use super::data::{Data, DataFile};
use super::features::target;
use super::model::sigmoid;
use super::record::PackedPosition;
use super::trainee::Trainee;
use crate::cli::{Console, Failure};
use crate::eval::{Network, VALUE_SCALE};
use crate::statistics::sample::mean_and_error;
use std::path::PathBuf;

/// Ratio of two neighbouring scales tried for the outputs.
const SCALE_STEP: f32 = 1.01;
/// Number of scales tried below and above 1.
const SCALES: i32 = 100;
/// Width of the groups of numbers of pieces in the report.
const GROUP: usize = 8;

pub(super) struct TestSet<'t> {
    trainee: &'t Trainee,
    pub files: Vec<DataFile>,
    records: Vec<PackedPosition>,
    /// Expected results by the deep scores alone.
    targets: Vec<f32>,
    /// The network to compare with.
    from: Option<Network>,
}

impl<'t> TestSet<'t> {
    /// Reads the sets of some files, and the network to compare with. Rescales each file's scores by a
    /// fit to its games' results.
    pub(super) fn read(
        trainee: &'t Trainee,
        paths: &[PathBuf],
        from: Option<&str>,
        console: &mut dyn Console,
    ) -> Result<Self, Failure> {
        let data = Data::read(trainee.name(), paths, &[], |_| true, console)?;
        let is_shallow = |file: &&DataFile| file.header.label_nodes == 0;
        if let Some(DataFile { path, .. }) = data.files.iter().find(is_shallow) {
            let fault = "it is no test set: datagen makes one with --label-nodes";
            return Err(Failure::file(path)(fault));
        }
        let records: Vec<_> = data.records.into_iter().chain(data.held_out).collect();
        if records.is_empty() {
            return Err(Failure::refused("--test: there are no positions"));
        }
        let targets = records.iter().map(|record| target(record, 0.0));
        Ok(Self {
            trainee,
            files: data.files,
            targets: targets.collect(),
            records,
            from: from.map(|from| trainee.read_network(from)).transpose()?,
        })
    }

    /// Returns the error of a network in quiet positions of games. Reports it, in other positions too, with
    /// its paired difference from the other network.
    pub(super) fn report(&self, network: &Network, console: &mut dyn Console) -> Option<f64> {
        let errors = self.errors(network);
        let others = self.from.as_ref().map(|other| self.errors(other));
        let labels: Vec<_> = self.records.iter().map(PackedPosition::label).collect();
        let mut say = |name: &str, is_of: &dyn Fn(usize) -> bool| {
            let of: Vec<_> = (0..errors.len()).filter(|index| is_of(*index)).collect();
            let own: Vec<_> = of.iter().map(|index| errors[*index]).collect();
            if own.is_empty() {
                return None;
            }
            let (mean, error) = mean_and_error(&own);
            let mut text = format!("test: error {mean:.5} ± {error:.5} in {} {name}", own.len());
            if let Some(others) = &others {
                let differences: Vec<_> = of.iter().map(|at| errors[*at] - others[*at]).collect();
                let (mean, error) = mean_and_error(&differences);
                text += &format!(", {mean:+.5} ± {error:.5} against --from");
            }
            console.say(&text);
            Some(mean)
        };
        let is_quiet = |at: usize| labels[at].quiet && !labels[at].leaf;
        let own = say("quiet positions", &is_quiet);
        say("other positions", &|at| !labels[at].quiet && !labels[at].leaf);
        say("leaves", &|at| labels[at].leaf);
        let codec = &self.trainee.map.codec;
        let count = |record| codec.pieces(record).count();
        let pieces: Vec<_> = self.records.iter().map(count).collect();
        let most = pieces.iter().copied().max().unwrap_or(0);
        for first in (1..=most).step_by(GROUP) {
            let last = first + GROUP - 1;
            let is_of = |at: usize| is_quiet(at) && (first..=last).contains(&pieces[at]);
            say(&format!("quiet positions with {first} to {last} pieces"), &is_of);
        }
        own
    }

    /// Returns the squared error of the expected result in each position, with the best scale of
    /// the outputs: search does not depend on it.
    fn errors(&self, network: &Network) -> Vec<f64> {
        let outputs = self.trainee.outputs(network, &self.records);
        let errors = |power: i32| -> Vec<f64> {
            let factor = SCALE_STEP.powi(power) / VALUE_SCALE as f32;
            let error = |(&output, &target): (&i32, &f32)| {
                f64::from(sigmoid(output as f32 * factor) - target).powi(2)
            };
            outputs.iter().zip(&self.targets).map(error).collect()
        };
        let sum = |power: i32| errors(power).into_iter().sum::<f64>();
        let powers = -SCALES..=SCALES;
        let best = powers.min_by(|&a, &b| sum(a).total_cmp(&sum(b)));
        errors(best.unwrap_or(0))
    }
}
