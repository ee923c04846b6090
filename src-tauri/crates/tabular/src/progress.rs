//! How far reading has come, and the way to end it.

use std::io::{self, Read};
use std::ops::ControlFlow;

/// Bytes between two reports.
const INTERVAL: u64 = 1024 * 1024;

/// The person no longer wants the file to be read.
#[derive(Debug, thiserror::Error)]
#[error("reading was stopped")]
pub(crate) struct Stopped;

impl Stopped {
    /// Whether the error says that reading was stopped.
    pub(crate) fn is_inside(error: &io::Error) -> bool {
        matches!(error.get_ref(), Some(inner) if inner.is::<Self>())
    }
}

/// Who is told how far reading has come, and may end it.
pub(crate) struct Progress<'a> {
    pub(crate) total: u64,
    pub(crate) report: &'a mut dyn FnMut(u64, u64) -> ControlFlow<()>,
}

impl Progress<'_> {
    /// Tells that `bytes` have been read; fails with [`Stopped`] inside when reading shall end.
    pub(crate) fn tell(&mut self, bytes: u64) -> io::Result<()> {
        match (self.report)(bytes.min(self.total), self.total) {
            ControlFlow::Continue(()) => Ok(()),
            ControlFlow::Break(()) => Err(io::Error::other(Stopped)),
        }
    }
}

/// A reader that tells how far it has come.
pub(crate) struct Watched<'a, 'b, R> {
    reader: R,
    bytes: u64,
    told: u64,
    progress: &'a mut Progress<'b>,
}

impl<'a, 'b, R> Watched<'a, 'b, R> {
    pub(crate) fn new(reader: R, progress: &'a mut Progress<'b>) -> Self {
        Self { reader, bytes: 0, told: 0, progress }
    }
}

impl<R: Read> Read for Watched<'_, '_, R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        if self.bytes == 0 || self.bytes - self.told >= INTERVAL {
            self.told = self.bytes;
            self.progress.tell(self.bytes)?;
        }
        let length = self.reader.read(buffer)?;
        self.bytes += length as u64;
        if length == 0 && self.told < self.bytes {
            self.told = self.bytes;
            self.progress.tell(self.bytes)?;
        }
        Ok(length)
    }
}
