//! A test set: quiet positions labelled by deep searches. The error on it tells more about a network
//! than the loss, at a hundredth of the price of a match, but does not replace the match.

use super::data::{Data, DataFile};
use super::features::target;
use super::model::sigmoid;
use super::record::PackedPosition;
use super::trainee::Trainee;
use crate::cli::{Console, Failure};
use crate::eval::{Network, VALUE_SCALE};
use crate::statistics::sample::mean_and_error;
use std::path::PathBuf;

/// Scales of a network's outputs that are tried: powers of this.
const SCALE_STEP: f32 = 1.01;
/// Number of scales tried below and above 1.
const SCALES: i32 = 100;

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
        let data = Data::read(trainee.name(), paths, &[], console)?;
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

    /// Returns the error of a network. Reports it with its paired difference from the other one.
    pub(super) fn report(&self, network: &Network, console: &mut dyn Console) -> f64 {
        let errors = self.errors(network);
        let (own, error) = mean_and_error(&errors);
        let count = errors.len();
        let mut text = format!("test: error {own:.5} ± {error:.5} in {count} positions");
        if let Some(other) = &self.from {
            let others = self.errors(other);
            let differences: Vec<_> = errors.iter().zip(others).map(|(a, b)| a - b).collect();
            let (mean, error) = mean_and_error(&differences);
            text += &format!(", {mean:+.5} ± {error:.5} against --from");
        }
        console.say(&text);
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
