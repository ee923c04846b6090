//! Files that are packed into others: gzip, zstd and zip, unpacked while they are read.

use crate::progress::Stopped;
use flate2::read::{DeflateDecoder, MultiGzDecoder};
use std::fs::File;
use std::io::{self, BufReader, Read, Seek, SeekFrom};

/// What is unpacked of any file, however small it is.
const ALWAYS: u64 = 1 << 30;

/// How many times its size a file may unpack to beyond that.
const LARGEST_RATIO: u64 = 1000;

/// Largest window of zstd that memory is given to, as a power of two.
const ZSTD_WINDOW: u32 = 27;

/// Entries of a zip archive that are looked at.
const ENTRIES: usize = 10_000;

/// How the content of a file is packed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Packing {
    None,
    Gzip,
    Zstd,
    Zip(Member),
}

/// One file of a zip archive.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Member {
    pub(crate) name: String,
    /// The other files in the archive.
    pub(crate) others: Vec<String>,
    start: u64,
    packed: u64,
    deflated: bool,
}

/// What is wrong with a packed file.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub(crate) enum PackingTrouble {
    #[error("the packed content is damaged or ends too early")]
    Damaged,
    #[error("it unpacks to more than a thousand times its size")]
    TooLarge,
    #[error("a file in it is protected by a password")]
    Password,
    #[error("it is packed in a way that is not read")]
    Unknown,
    #[error("no table file is in it")]
    NothingInside,
}

impl PackingTrouble {
    /// The trouble inside an error of reading.
    pub(crate) fn inside(error: &io::Error) -> Option<Self> {
        error.get_ref().and_then(|inner| inner.downcast_ref::<Self>()).copied()
    }
}

impl From<PackingTrouble> for io::Error {
    fn from(trouble: PackingTrouble) -> Self {
        Self::other(trouble)
    }
}

impl Packing {
    /// Whether the first bytes are those of a file that is packed by gzip or zstd.
    pub(crate) fn of(head: &[u8]) -> Self {
        if head.starts_with(b"\x1F\x8B\x08") {
            Self::Gzip
        } else if head.starts_with(b"\x28\xB5\x2F\xFD") {
            Self::Zstd
        } else {
            Self::None
        }
    }

    /// The file of a zip archive that is read: the one of that name, or the first that `is_table` says is
    /// the name of a table.
    pub(crate) fn in_zip(
        file: &File,
        wish: Option<&str>,
        is_table: impl Fn(&str) -> bool,
    ) -> Result<Self, io::Error> {
        let mut archive = zip::ZipArchive::new(file).map_err(|_| PackingTrouble::Damaged)?;
        let mut names = Vec::new();
        let mut found = None;
        for index in 0..archive.len().min(ENTRIES) {
            let entry = archive.by_index_raw(index).map_err(|_| PackingTrouble::Damaged)?;
            let name = entry.name().map_err(|_| PackingTrouble::Damaged)?.into_owned();
            // What some systems store beside each file.
            let hidden =
                name.starts_with("__MACOSX/") || name.rsplit('/').next().is_some_and(|n| n.starts_with('.'));
            if entry.is_dir() || hidden {
                continue;
            }
            let wanted = wish.map_or_else(|| is_table(&name), |wish| wish == name);
            if wanted && found.is_none() {
                if entry.encrypted() {
                    return Err(PackingTrouble::Password.into());
                }
                let deflated = match entry.compression() {
                    zip::CompressionMethod::Deflated => true,
                    zip::CompressionMethod::Stored => false,
                    _ => return Err(PackingTrouble::Unknown.into()),
                };
                let start = entry.data_start().ok_or(PackingTrouble::Damaged)?;
                found = Some((name, start, entry.compressed_size(), deflated));
            } else {
                names.push(name);
            }
        }
        let (name, start, packed, deflated) = found.ok_or(PackingTrouble::NothingInside)?;
        Ok(Self::Zip(Member { name, others: names, start, packed, deflated }))
    }

    /// The content of a file, unpacked while it is read. `packed` is the size of the file, and `watch`
    /// wraps its bytes as they are on the disk.
    pub(crate) fn open<'a, R: Read + 'a>(
        &self,
        mut file: File,
        packed: u64,
        watch: impl FnOnce(File) -> R,
    ) -> io::Result<Box<dyn Read + 'a>> {
        Ok(match self {
            Self::None => Box::new(watch(file)),
            Self::Gzip => Box::new(Bounded::new(MultiGzDecoder::new(BufReader::new(watch(file))), packed)),
            Self::Zstd => {
                let mut decoder = zstd::stream::read::Decoder::new(watch(file))?;
                decoder.window_log_max(ZSTD_WINDOW)?;
                Box::new(Bounded::new(decoder, packed))
            }
            Self::Zip(member) => {
                file.seek(SeekFrom::Start(member.start))?;
                let content = BufReader::new(watch(file)).take(member.packed);
                if member.deflated {
                    Box::new(Bounded::new(DeflateDecoder::new(content), member.packed))
                } else {
                    Box::new(content)
                }
            }
        })
    }
}

/// A reader of unpacked bytes that gives up where they are too many.
struct Bounded<R> {
    reader: R,
    left: u64,
}

impl<R> Bounded<R> {
    fn new(reader: R, packed: u64) -> Self {
        Self { reader, left: ALWAYS.max(packed.saturating_mul(LARGEST_RATIO)) }
    }
}

impl<R: Read> Read for Bounded<R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let length = self.reader.read(buffer).map_err(|error| {
            let ours = Stopped::is_inside(&error);
            if ours || error.kind() == io::ErrorKind::Interrupted {
                error
            } else {
                PackingTrouble::Damaged.into()
            }
        })?;
        self.left = self.left.checked_sub(length as u64).ok_or(PackingTrouble::TooLarge)?;
        Ok(length)
    }
}

/// Refuses a zip file, such as a workbook, that unpacks to more than `most` bytes.
pub(crate) fn check_zip(file: &File, most: u64) -> io::Result<()> {
    let mut archive = zip::ZipArchive::new(file).map_err(|_| PackingTrouble::Damaged)?;
    let mut left = most;
    for index in 0..archive.len() {
        let entry = archive.by_index(index).map_err(|_| PackingTrouble::Damaged)?;
        // What an entry says of its size may be a lie.
        let length =
            io::copy(&mut entry.take(left + 1), &mut io::sink()).map_err(|_| PackingTrouble::Damaged)?;
        left = left.checked_sub(length).ok_or(PackingTrouble::TooLarge)?;
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::{Bounded, PackingTrouble};
    use std::io::Read;

    #[test]
    fn what_unpacks_to_too_much_is_given_up() {
        let mut read = Vec::new();
        let mut bomb = Bounded { reader: std::io::repeat(0), left: 100_000 };
        let error = bomb.read_to_end(&mut read).unwrap_err();
        assert_eq!(PackingTrouble::inside(&error), Some(PackingTrouble::TooLarge));
        assert!(read.len() <= 100_000);
    }
}
