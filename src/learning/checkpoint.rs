//! The state of an interrupted training run, in a sealed file: the identity of the run, the steps
//! done, every number of the trainer, and a checksum of all that.

use super::trainer::Trainer;
use crate::cli::Failure;
use crate::system::sealed::{Format, SealedFault, SealedReader, SealedWriter};
use std::io::{self, ErrorKind};
use std::path::Path;

static FORMAT: Format = Format {
    what: "a checkpoint",
    magic: b"quadrille train2",
    remedy: "remove it to train from the beginning",
};

pub(super) struct Checkpoint<'c> {
    pub path: &'c Path,
    /// Identity of the run; a checkpoint of another run is refused.
    pub run: u64,
}

impl Checkpoint<'_> {
    pub(super) fn save(&self, trainer: &mut Trainer) -> Result<(), Failure> {
        self.write(trainer).map_err(Failure::file(self.path))
    }

    fn write(&self, trainer: &mut Trainer) -> io::Result<()> {
        let mut file = SealedWriter::create(&FORMAT, self.path)?;
        file.write(&self.run.to_le_bytes())?;
        file.write(&trainer.steps.to_le_bytes())?;
        for value in trainer.state_mut() {
            file.write(&value.to_le_bytes())?;
        }
        file.finish()
    }

    /// Restores the trainer; `false` if there is no file.
    pub(super) fn load(&self, trainer: &mut Trainer) -> Result<bool, Failure> {
        match self.restore(trainer) {
            Err(SealedFault::Unreadable(error)) if error.kind() == ErrorKind::NotFound => Ok(false),
            restored => restored.map(|()| true).map_err(Failure::file(self.path)),
        }
    }

    fn restore(&self, trainer: &mut Trainer) -> Result<(), SealedFault> {
        let mut file = SealedReader::open(&FORMAT, self.path)?;
        let (run, steps) = (file.number()?, file.number()?);
        let values = file.rest()?;
        if run != self.run {
            let fault = "it belongs to a run with other data or settings";
            return Err(SealedFault::Refused(fault.into()));
        }
        let values = values.as_chunks::<4>().0.iter();
        let values: Vec<_> = values.map(|&bytes| f32::from_le_bytes(bytes)).collect();
        let are_finite = values.iter().all(|value| value.is_finite());
        if !are_finite || trainer.state_mut().count() != values.len() {
            return Err(SealedFault::Damaged(&FORMAT));
        }
        for (value, restored) in trainer.state_mut().zip(values) {
            *value = restored;
        }
        trainer.steps = steps;
        Ok(())
    }
}
