//! The state of an interrupted training run, in a file: [`MAGIC`], the identity of the run, the
//! steps done, every number of the trainer, then a checksum of all that.

use super::trainer::Trainer;
use crate::cli::Failure;
use crate::system::checksum::checksum;
use crate::system::files;
use std::io::ErrorKind;
use std::path::Path;

const MAGIC: &[u8; 16] = b"quadrille train2";

pub(super) struct Checkpoint<'c> {
    pub path: &'c Path,
    /// Identity of the run; a checkpoint of another run is refused.
    pub run: u64,
}

impl Checkpoint<'_> {
    pub(super) fn save(&self, trainer: &mut Trainer) -> Result<(), Failure> {
        let mut bytes = MAGIC.to_vec();
        bytes.extend(self.run.to_le_bytes());
        bytes.extend(trainer.steps.to_le_bytes());
        bytes.extend(trainer.state_mut().flat_map(|value| value.to_le_bytes()));
        bytes.extend(checksum(&bytes).to_le_bytes());
        files::write(self.path, &bytes).map_err(Failure::file(self.path))
    }

    /// Restores the trainer; `false` if there is no file.
    pub(super) fn load(&self, trainer: &mut Trainer) -> Result<bool, Failure> {
        match files::read(self.path, u64::MAX) {
            Err(error) if error.kind() == ErrorKind::NotFound => Ok(false),
            Err(error) => Err(Failure::file(self.path)(error)),
            Ok(bytes) => {
                let restored = self.restore(&bytes, trainer).map(|()| true);
                restored.map_err(Failure::file(self.path))
            }
        }
    }

    fn restore(&self, bytes: &[u8], trainer: &mut Trainer) -> Result<(), &'static str> {
        const DAMAGED: &str = "it is damaged; remove it to train from the beginning";
        const OTHER: &str = "it is not a checkpoint of this version";
        let (content, &sum) = bytes.split_last_chunk().ok_or(OTHER)?;
        let rest = content.strip_prefix(MAGIC).ok_or(OTHER)?;
        if u64::from_le_bytes(sum) != checksum(content) {
            return Err(DAMAGED);
        }
        let (head, values) = rest.split_at_checked(16).ok_or(DAMAGED)?;
        let &[run, steps] = head.as_chunks::<8>().0 else {
            return Err(DAMAGED);
        };
        if u64::from_le_bytes(run) != self.run {
            return Err("it belongs to a run with other data or settings");
        }
        let values = values.as_chunks::<4>().0.iter();
        let values: Vec<_> = values.map(|&bytes| f32::from_le_bytes(bytes)).collect();
        let are_finite = values.iter().all(|value| value.is_finite());
        if !are_finite || trainer.state_mut().count() != values.len() {
            return Err(DAMAGED);
        }
        for (value, restored) in trainer.state_mut().zip(values) {
            *value = restored;
        }
        trainer.steps = u64::from_le_bytes(steps);
        Ok(())
    }
}
