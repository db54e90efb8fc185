//! A game as learning sees it, without its type. What needs the type, to play games or evaluate
//! positions, is called through a pointer, so that all else is compiled once.

use super::datagen::{DatagenOptions, generate};
use super::features::FeatureMap;
use super::file::GameAppender;
use super::gate::{Gate, GateResult};
use super::record::PackedPosition;
use super::selfplay::{endings, network};
use crate::cli::interrupt::Interrupt;
use crate::cli::tool::Tool;
use crate::cli::{Console, Failure};
use crate::endings::Endings;
use crate::engine::{self, Entry, Sheet};
use crate::eval::{Evaluator, Network, Shape};
use crate::games::Placement;
use std::path::Path;
use std::process::ExitCode;
use std::sync::Arc;

/// A tool of learning that is compiled once for all games.
pub(super) trait TraineeTool {
    fn work(
        trainee: &Trainee,
        words: &[&str],
        interrupt: &Interrupt,
        console: &mut dyn Console,
    ) -> Result<ExitCode, Failure>;
}

impl<T: TraineeTool> Tool for T {
    fn run<G: Entry>(
        words: &[&str],
        interrupt: &Interrupt,
        console: &mut dyn Console,
    ) -> Result<ExitCode, Failure> {
        T::work(&Trainee::of::<G>(), words, interrupt, console)
    }
}

// The types are the signatures of single functions.
#[allow(clippy::type_complexity)]
pub(super) struct Trainee {
    pub sheet: Sheet,
    pub map: FeatureMap,
    /// Returns the shape of a network with this size of the hidden layer.
    pub shape: fn(usize) -> Shape,
    /// Returns the network compiled in.
    pub shipped: fn() -> Option<Arc<Network>>,
    /// Returns the network of a name, or the game's own.
    pub network: fn(Option<&str>) -> Result<Option<Arc<Network>>, Failure>,
    read_network: fn(&Path) -> std::io::Result<Network>,
    evaluate: fn(&Network, &[PackedPosition], &FeatureMap) -> Vec<i32>,
    /// Solves the endings of three pieces on some threads.
    pub endings: fn(usize, &Interrupt) -> Arc<Endings>,
    /// Plays games for a file.
    pub generate: fn(
        &DatagenOptions,
        &mut GameAppender,
        &Arc<Endings>,
        &Interrupt,
        &mut dyn Console,
    ) -> Result<(), Failure>,
    /// Plays the match of two networks.
    pub gate: fn(&Gate<'_>, &Interrupt, &mut dyn Console) -> Result<Option<GateResult>, Failure>,
}

impl Trainee {
    pub(super) fn of<G: Entry>() -> Self {
        Self {
            sheet: G::SHEET,
            map: FeatureMap::of::<G>(),
            shape: Shape::of::<G>,
            shipped: engine::shipped::<G>,
            network: network::<G>,
            read_network: engine::read_network::<G>,
            evaluate: evaluate::<G>,
            endings: endings::<G>,
            generate: generate::<G>,
            gate: |gate, interrupt, console| gate.play::<G>(interrupt, console),
        }
    }

    /// Returns the name of the game.
    pub(super) fn name(&self) -> &'static str {
        self.sheet.name
    }

    pub(super) fn read_network(&self, path: &str) -> Result<Network, Failure> {
        (self.read_network)(path.as_ref()).map_err(Failure::file(path))
    }

    /// Computes the outputs of a network for packed positions, in centipawns for the side to move.
    pub(super) fn outputs(&self, network: &Network, records: &[PackedPosition]) -> Vec<i32> {
        (self.evaluate)(network, records, &self.map)
    }
}

fn evaluate<G: Entry>(network: &Network, records: &[PackedPosition], map: &FeatureMap) -> Vec<i32> {
    let mut evaluator = Evaluator::new::<G>(Some(Arc::new(network.clone())), 1);
    let output = |record: &PackedPosition| {
        let mut placement = Placement::empty(record.label().side);
        for (square, piece) in map.codec.pieces(record) {
            placement.put(square, piece);
        }
        evaluator.invalidate(0);
        evaluator.output(&placement, 0)
    };
    records.iter().map(output).collect()
}
