//! A file as UTF-8 text, decoded while it is read.

use crate::encoding::{Broken, TextEncoding};
use encoding_rs::{Decoder, DecoderResult};
use std::io::{self, BufRead, Read};

const CHUNK_BYTES: usize = 64 * 1024;

/// The text of a file in UTF-8, in bounded memory. A read fails with [`io::ErrorKind::InvalidData`]
/// where the bytes break an encoding that [refuses](Broken::Refuse) that.
pub(crate) struct Decoded<R> {
    reader: R,
    decoder: Decoder,
    broken: Broken,
    input: Vec<u8>,
    input_range: std::ops::Range<usize>,
    output: Vec<u8>,
    output_range: std::ops::Range<usize>,
    finished: bool,
    replaced: u64,
    controls: Controls,
    repaired: u64,
}

/// What becomes of the control characters U+0080 to U+009F, which no program writes into tables: they are
/// Windows-1252 that was taken for Latin-1 on its way into Unicode.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Controls {
    /// They stay, as they do for other readers.
    Kept,
    /// They become what they were.
    Repaired,
}

impl<R: Read> Decoded<R> {
    pub(crate) fn new(reader: R, encoding: TextEncoding, controls: Controls) -> Self {
        Self {
            reader,
            decoder: encoding.encoding.new_decoder_with_bom_removal(),
            broken: encoding.broken,
            input: vec![0; CHUNK_BYTES],
            input_range: 0..0,
            output: vec![0; CHUNK_BYTES * 2],
            output_range: 0..0,
            finished: false,
            replaced: 0,
            controls,
            repaired: 0,
        }
    }

    /// Control characters so far that became what they were before.
    pub(crate) fn repaired(&self) -> u64 {
        self.repaired
    }

    /// Characters so far that a strict decoder would have refused.
    pub(crate) fn replaced(&self) -> u64 {
        self.replaced
    }

    fn decode_more(&mut self) -> io::Result<()> {
        let mut last = false;
        if self.input_range.is_empty() {
            let length = loop {
                match self.reader.read(&mut self.input) {
                    Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
                    result => break result?,
                }
            };
            self.input_range = 0..length;
            last = length == 0;
        }
        let input = &self.input[self.input_range.clone()];
        let (result, read, mut written) =
            self.decoder.decode_to_utf8_without_replacement(input, &mut self.output, last);
        self.input_range.start += read;
        match result {
            DecoderResult::InputEmpty => self.finished = last,
            DecoderResult::OutputFull => {}
            DecoderResult::Malformed(..) if self.broken == Broken::Refuse => {
                return Err(io::Error::from(io::ErrorKind::InvalidData));
            }
            DecoderResult::Malformed(..) => {
                let mark = "\u{FFFD}".as_bytes();
                if written + mark.len() > self.output.len() {
                    self.output.resize(written + mark.len(), 0);
                }
                self.output[written..written + mark.len()].copy_from_slice(mark);
                written += mark.len();
                self.replaced += 1;
            }
        }
        if self.decoder.encoding() != encoding_rs::UTF_8 {
            self.replaced += control_characters(&self.output[..written]);
        }
        // In a code page they stand for bytes that it leaves undefined.
        if self.controls == Controls::Repaired && self.decoder.encoding() == encoding_rs::UTF_8 {
            written = self.repair(written);
        }
        self.output_range = 0..written;
        Ok(())
    }
}

impl<R> Decoded<R> {
    /// Repairs the first `written` bytes of the output, and tells how many there are then. Characters are
    /// whole in it.
    fn repair(&mut self, written: usize) -> usize {
        let text = &self.output[..written];
        if !text.contains(&0xC2) || control_characters(text) == 0 {
            return written;
        }
        let mut repaired = Vec::with_capacity(written + 64);
        let mut rest = text;
        while let Some(at) = rest.windows(2).position(is_control) {
            let (before, control) = (&rest[..at], &rest[at..at + 2]);
            repaired.extend_from_slice(before);
            let byte = [control[1]];
            let (character, ..) = encoding_rs::WINDOWS_1252.decode(&byte);
            let known = !character.chars().all(char::is_control);
            repaired.extend_from_slice(if known { character.as_bytes() } else { control });
            self.repaired += u64::from(known);
            rest = &rest[at + 2..];
        }
        repaired.extend_from_slice(rest);
        self.output = repaired;
        let length = self.output.len();
        // The decoder is given as much room as before.
        self.output.resize(length.max(CHUNK_BYTES * 2), 0);
        length
    }
}

fn is_control(pair: &[u8]) -> bool {
    pair[0] == 0xC2 && (0x80..0xA0).contains(&pair[1])
}

/// Bytes that single-byte code pages leave undefined come out as control characters of the second
/// set, which strict decoders refuse.
fn control_characters(text: &[u8]) -> u64 {
    text.windows(2).filter(|pair| is_control(pair)).count() as u64
}

impl<R: Read> BufRead for Decoded<R> {
    fn fill_buf(&mut self) -> io::Result<&[u8]> {
        while self.output_range.is_empty() && !self.finished {
            self.decode_more()?;
        }
        Ok(&self.output[self.output_range.clone()])
    }

    fn consume(&mut self, amount: usize) {
        self.output_range.start = (self.output_range.start + amount).min(self.output_range.end);
    }
}

impl<R: Read> Read for Decoded<R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let length = self.fill_buf()?.read(buffer)?;
        self.consume(length);
        Ok(length)
    }
}
