//! The state of an interrupted training run, in a file: [`MAGIC`], the identity of the run, the
//! steps done, then every number of the trainer.

use super::in_file;
use super::trainer::Trainer;
use crate::system::files;
use std::io::ErrorKind;
use std::path::Path;

const MAGIC: &[u8; 16] = b"quadrille train1";

pub(super) struct Checkpoint<'c> {
    pub path: &'c Path,
    /// Identity of the run; a checkpoint of another run is refused.
    pub run: u64,
}

impl Checkpoint<'_> {
    pub(super) fn save(&self, trainer: &mut Trainer) -> Result<(), String> {
        let mut bytes = MAGIC.to_vec();
        bytes.extend(self.run.to_le_bytes());
        bytes.extend(trainer.steps.to_le_bytes());
        bytes.extend(trainer.state_mut().flat_map(|value| value.to_le_bytes()));
        files::write(self.path, &bytes).map_err(in_file(self.path))
    }

    /// Restores the trainer; `false` if there is no file.
    pub(super) fn load(&self, trainer: &mut Trainer) -> Result<bool, String> {
        match files::read(self.path, u64::MAX) {
            Err(error) if error.kind() == ErrorKind::NotFound => Ok(false),
            Err(error) => Err(in_file(self.path)(error)),
            Ok(bytes) => match self.restore(&bytes, trainer) {
                Err(error) => Err(in_file(self.path)(error)),
                Ok(()) => Ok(true),
            },
        }
    }

    fn restore(&self, bytes: &[u8], trainer: &mut Trainer) -> Result<(), &'static str> {
        let rest = bytes.strip_prefix(MAGIC).ok_or("it is no checkpoint")?;
        let (head, values) = rest.split_at_checked(16).ok_or("it is cut off")?;
        let &[run, steps] = head.as_chunks::<8>().0 else {
            return Err("it is cut off");
        };
        if u64::from_le_bytes(run) != self.run {
            return Err("it belongs to a run with other data or settings");
        }
        let values = values.as_chunks::<4>().0;
        if trainer.state_mut().count() != values.len() {
            return Err("it is cut off");
        }
        for (value, &bytes) in trainer.state_mut().zip(values) {
            *value = f32::from_le_bytes(bytes);
        }
        trainer.steps = u64::from_le_bytes(steps);
        Ok(())
    }
}
