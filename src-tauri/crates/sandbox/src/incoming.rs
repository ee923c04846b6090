//! A file on its way out of the sandbox.

use std::io;
use std::path::Path;

use tokio::fs::File;
use tokio::io::AsyncWriteExt;

/// A copy that comes in pieces. What fits into one piece is written in one go, and of what does not, no more than a
/// piece is held.
pub(crate) struct Incoming<'a> {
    to: &'a Path,
    size: u64,
    file: Option<File>,
    /// What went wrong on this computer. The pieces come nevertheless.
    disk: io::Result<()>,
}

impl<'a> Incoming<'a> {
    pub(crate) fn new(to: &'a Path) -> Self {
        Self { to, size: 0, file: None, disk: Ok(()) }
    }

    /// How many bytes have come.
    pub(crate) fn size(&self) -> u64 {
        self.size
    }

    /// Takes a piece after which there are more.
    pub(crate) async fn take(&mut self, bytes: &[u8]) {
        self.size += bytes.len() as u64;
        if self.disk.is_ok() {
            self.disk = self.append(bytes).await;
        }
    }

    /// Takes the last piece. Returns the size of the whole.
    pub(crate) async fn finish(mut self, last: Vec<u8>) -> io::Result<u64> {
        let size = self.size + last.len() as u64;
        if self.size == 0 {
            tokio::fs::write(self.to, last).await?;
            return Ok(size);
        }
        self.take(&last).await;
        self.disk?;
        if let Some(mut file) = self.file {
            file.flush().await?;
        }
        Ok(size)
    }

    /// Ends without the rest: nothing is written to the file after this.
    pub(crate) async fn abandon(self) {
        if let Some(mut file) = self.file {
            let _ = file.flush().await;
        }
    }

    async fn append(&mut self, bytes: &[u8]) -> io::Result<()> {
        let file = match &mut self.file {
            Some(file) => file,
            None => self.file.insert(File::create(self.to).await?),
        };
        file.write_all(bytes).await
    }
}
