//! Standard input and output that wait, also where another program has left them non-blocking.

use std::io::{BufRead, ErrorKind, Read, Result, Write};
use std::thread::sleep;
use std::time::Duration;

/// Time between two attempts.
const PAUSE: Duration = Duration::from_millis(2);

/// A stream whose operations are repeated as long as they would block.
#[derive(Debug)]
pub struct Patient<S>(pub S);

fn repeat<T>(mut act: impl FnMut() -> Result<T>) -> Result<T> {
    loop {
        match act() {
            Err(error) if error.kind() == ErrorKind::WouldBlock => sleep(PAUSE),
            done => return done,
        }
    }
}

impl<S: Read> Read for Patient<S> {
    fn read(&mut self, buffer: &mut [u8]) -> Result<usize> {
        repeat(|| self.0.read(buffer))
    }
}

impl<S: BufRead> BufRead for Patient<S> {
    fn fill_buf(&mut self) -> Result<&[u8]> {
        repeat(|| self.0.fill_buf().map(drop))?;
        self.0.fill_buf()
    }

    fn consume(&mut self, count: usize) {
        self.0.consume(count);
    }
}

impl<S: Write> Write for Patient<S> {
    fn write(&mut self, bytes: &[u8]) -> Result<usize> {
        repeat(|| self.0.write(bytes))
    }

    fn flush(&mut self) -> Result<()> {
        repeat(|| self.0.flush())
    }
}
