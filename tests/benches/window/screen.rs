//! What the virtual screen shows, read from the file in which it keeps its pixels.

use std::collections::HashSet;
use std::fs::File;
use std::os::unix::fs::FileExt;
use std::path::Path;
use std::time::Instant;

use crate::stage::{SCREEN, wait_for};

/// Text is drawn in many shades; a window without content has one or two colours.
const CONTENT_COLOURS: usize = 8;
/// The part of the screen that is looked at: inside of both windows, whatever frame they get.
const ROWS: std::ops::Range<usize> = 90..820;
const COLUMNS: std::ops::Range<usize> = 70..1210;
/// Rows that are looked at, one of so many: a line of text is taller.
const EVERY: usize = 5;

/// The pixels of a screen.
pub(crate) struct Screen {
    file: File,
    start: u64,
    line: u64,
}

impl Screen {
    /// Opens the file, which is an X window dump that changes with the screen.
    pub(crate) fn open(pixels: &Path) -> Self {
        let file = File::open(pixels).unwrap();
        let mut head = [0; 100];
        file.read_exact_at(&mut head, 0).unwrap();
        let word =
            |index: usize| u64::from(u32::from_be_bytes(head[index * 4..index * 4 + 4].try_into().unwrap()));
        let (head_size, colours, line) = (word(0), word(19), word(12));
        Self { file, start: head_size + colours * 12, line }
    }

    /// Waits until a window shows content; when that was.
    pub(crate) fn wait_for_content(&self) -> Instant {
        wait_for("content on the screen", || self.colours() >= CONTENT_COLOURS);
        Instant::now()
    }

    /// Waits until no window shows content.
    pub(crate) fn wait_for_nothing(&self) {
        wait_for("an empty screen", || self.colours() < CONTENT_COLOURS);
    }

    fn colours(&self) -> usize {
        let mut line = vec![0; SCREEN.0 * 4];
        let mut colours = HashSet::new();
        for row in ROWS.step_by(EVERY) {
            self.file.read_exact_at(&mut line, self.start + row as u64 * self.line).unwrap();
            let mut before = None;
            for pixel in line.chunks_exact(4).take(COLUMNS.end).skip(COLUMNS.start) {
                if before != Some(pixel) {
                    colours.insert(u32::from_le_bytes(pixel.try_into().unwrap()));
                    before = Some(pixel);
                }
            }
            if colours.len() >= CONTENT_COLOURS {
                break;
            }
        }
        colours.len()
    }
}
