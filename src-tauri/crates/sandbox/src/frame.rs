//! Frames between the host and the supervisor.
//!
//! A frame is two big-endian 32-bit lengths, that many bytes of JSON, that many bytes of raw body.

use serde::Serialize;
use serde_json::Value;

const HEADER_BYTES: usize = 8;
/// The longest JSON part that is accepted.
const MAX_JSON_BYTES: usize = 8 << 20;
/// The longest body that is accepted.
const MAX_BODY_BYTES: usize = 1 << 20;

/// One message with its raw bytes.
#[derive(Debug, Clone, PartialEq)]
pub struct Frame {
    /// The message.
    pub message: Value,
    /// Bytes that would be wasteful as JSON; often empty.
    pub body: Vec<u8>,
}

/// Why bytes are not a frame. After this nothing more can be read from the stream.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum FrameError {
    /// A length is over the limit.
    #[error("a frame of {json} + {body} bytes is over the limit")]
    TooLong {
        /// Length of the JSON part.
        json: usize,
        /// Length of the body.
        body: usize,
    },
    /// The JSON part cannot be read.
    #[error("a frame's message is not JSON: {0}")]
    NotJson(String),
}

/// Puts a message and its body into one frame.
pub fn encode_frame(message: &impl Serialize, body: &[u8]) -> Result<Vec<u8>, FrameError> {
    let json = serde_json::to_vec(message).map_err(|error| FrameError::NotJson(error.to_string()))?;
    let too_long = || FrameError::TooLong { json: json.len(), body: body.len() };
    let json_length = u32::try_from(json.len()).map_err(|_| too_long())?;
    let body_length = u32::try_from(body.len()).map_err(|_| too_long())?;
    let mut frame = Vec::with_capacity(HEADER_BYTES + json.len() + body.len());
    frame.extend_from_slice(&json_length.to_be_bytes());
    frame.extend_from_slice(&body_length.to_be_bytes());
    frame.extend_from_slice(&json);
    frame.extend_from_slice(body);
    Ok(frame)
}

/// Cuts a stream of bytes, which may arrive in any pieces, into frames.
#[derive(Debug, Default)]
pub struct FrameDecoder {
    buffer: Vec<u8>,
    start: usize,
}

impl FrameDecoder {
    /// Takes more bytes of the stream.
    pub fn push(&mut self, bytes: &[u8]) {
        if self.start > 0 && self.start == self.buffer.len() {
            self.buffer.clear();
            self.start = 0;
        }
        self.buffer.extend_from_slice(bytes);
    }

    /// The next whole frame, or `None` until more bytes have come.
    pub fn next_frame(&mut self) -> Result<Option<Frame>, FrameError> {
        let waiting = &self.buffer[self.start..];
        let Some((json, body)) = lengths(waiting) else { return Ok(None) };
        if json > MAX_JSON_BYTES || body > MAX_BODY_BYTES {
            return Err(FrameError::TooLong { json, body });
        }
        let end = HEADER_BYTES + json + body;
        if waiting.len() < end {
            return Ok(None);
        }
        let message = serde_json::from_slice(&waiting[HEADER_BYTES..HEADER_BYTES + json])
            .map_err(|error| FrameError::NotJson(error.to_string()))?;
        let frame = Frame { message, body: waiting[HEADER_BYTES + json..end].to_vec() };
        self.start += end;
        if self.start > MAX_BODY_BYTES {
            self.buffer.drain(..self.start);
            self.start = 0;
        }
        Ok(Some(frame))
    }
}

fn lengths(bytes: &[u8]) -> Option<(usize, usize)> {
    let length = |at: usize| {
        let four: [u8; 4] = bytes.get(at..at + 4)?.try_into().ok()?;
        usize::try_from(u32::from_be_bytes(four)).ok()
    };
    Some((length(0)?, length(4)?))
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;
    use serde_json::json;

    use super::*;

    fn decode_in_pieces(bytes: &[u8], piece: usize) -> Result<Vec<Frame>, FrameError> {
        let mut decoder = FrameDecoder::default();
        let mut frames = Vec::new();
        for part in bytes.chunks(piece.max(1)) {
            decoder.push(part);
            while let Some(frame) = decoder.next_frame()? {
                frames.push(frame);
            }
        }
        Ok(frames)
    }

    proptest! {
        #[test]
        fn frames_survive_any_cut(
            texts in prop::collection::vec((".{0,40}", prop::collection::vec(any::<u8>(), 0..200)), 0..8),
            piece in 1usize..64,
        ) {
            let frames: Vec<Frame> =
                texts.into_iter().map(|(text, body)| Frame { message: json!({"text": text}), body }).collect();
            let mut bytes = Vec::new();
            for frame in &frames {
                bytes.extend(encode_frame(&frame.message, &frame.body).unwrap());
            }
            prop_assert_eq!(decode_in_pieces(&bytes, piece).unwrap(), frames);
        }

        #[test]
        fn any_bytes_end_in_frames_or_an_error(bytes in prop::collection::vec(any::<u8>(), 0..400), piece in 1usize..64) {
            let held: usize = decode_in_pieces(&bytes, piece)
                .map_or(0, |frames| frames.iter().map(|frame| frame.body.len() + HEADER_BYTES).sum());
            prop_assert!(held <= bytes.len());
        }
    }

    #[test]
    fn a_length_over_the_limit_is_refused_before_it_is_awaited() {
        let mut decoder = FrameDecoder::default();
        decoder.push(&[0xff; 8]);
        assert_eq!(
            decoder.next_frame(),
            Err(FrameError::TooLong { json: u32::MAX as usize, body: u32::MAX as usize })
        );
    }
}
