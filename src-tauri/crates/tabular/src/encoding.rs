//! Which encoding a text is in: byte-order mark, strict UTF-8, UTF-16 without a mark, then legacy
//! encodings by evidence. A legacy reading is never accepted where strict UTF-8 works.

use chardetng::{EncodingDetector, Iso2022JpDetection, Utf8Detection};
use encoding_rs::{EUC_KR, Encoding, GBK, UTF_8, UTF_16BE, UTF_16LE};
use std::io::Read;

/// How much text outside ASCII the detector of legacy encodings is shown.
const EVIDENCE_BYTES: usize = 4 * 1024 * 1024;

/// How much of the text is read to tell Korean from Chinese.
const SAMPLE_BYTES: usize = 64 * 1024;

/// The syllables that most Korean text is made of, those of names and tables among them.
const KOREAN: &str = "이다는의에가을로고하지도기사시인자리어서한해그나수정대일부전제스상보주아라장소원성과있들은를\
    구동여만국비공연조위니내면모오개물세금용신적경중발방관안치실생계거유반당호선업재화월년명번름날짜합량액울산품격";

/// How bytes become text.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct TextEncoding {
    pub(crate) encoding: &'static Encoding,
    /// Whether the file begins with a byte-order mark, which is no part of the text.
    pub(crate) mark: bool,
    pub(crate) broken: Broken,
}

/// What to do about bytes that are no text in the encoding.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Broken {
    /// The decision was wrong; another one has to be made.
    Refuse,
    /// The file is damaged; a replacement character stands for them.
    Replace,
}

impl TextEncoding {
    fn strict(encoding: &'static Encoding, mark: bool) -> Self {
        let broken = if encoding == UTF_8 { Broken::Refuse } else { Broken::Replace };
        Self { encoding, mark, broken }
    }

    /// The Python codec that reads the file, its mark included.
    pub(crate) fn python_codec(self) -> String {
        let name = self.encoding.name();
        match (name, self.mark) {
            ("UTF-8", false) => "utf-8".to_owned(),
            ("UTF-8", true) => "utf-8-sig".to_owned(),
            ("UTF-16LE" | "UTF-16BE", true) => "utf-16".to_owned(),
            ("UTF-16LE", false) => "utf-16-le".to_owned(),
            ("UTF-16BE", false) => "utf-16-be".to_owned(),
            ("GBK", _) => "gb18030".to_owned(),
            ("Big5", _) => "big5hkscs".to_owned(),
            ("Shift_JIS", _) => "cp932".to_owned(),
            ("EUC-KR", _) => "cp949".to_owned(),
            ("IBM866", _) => "cp866".to_owned(),
            ("ISO-2022-JP", _) => "iso2022_jp".to_owned(),
            ("ISO-8859-8-I", _) => "iso8859_8".to_owned(),
            ("macintosh", _) => "mac_roman".to_owned(),
            ("x-mac-cyrillic", _) => "mac_cyrillic".to_owned(),
            _ => match name.strip_prefix("windows-") {
                Some(number) => format!("cp{number}"),
                None => name.to_ascii_lowercase().replace("iso-", "iso").replace('-', "_"),
            },
        }
    }

    /// The name that people know the encoding by, when it is worth a word.
    pub(crate) fn plain_name(self) -> Option<&'static str> {
        match self.encoding.name() {
            "UTF-8" => None,
            "UTF-16LE" | "UTF-16BE" => Some("UTF-16"),
            "GBK" => Some("GB18030 (Chinese)"),
            "Big5" => Some("Big5 (Chinese)"),
            "Shift_JIS" => Some("Shift-JIS (Japanese)"),
            "EUC-JP" => Some("EUC-JP (Japanese)"),
            "EUC-KR" => Some("EUC-KR (Korean)"),
            "windows-1252" => Some("Windows-1252"),
            "windows-1251" => Some("Windows-1251 (Cyrillic)"),
            name => Some(name),
        }
    }
}

/// Decides from the first bytes; `complete` says that they are the whole file.
pub(crate) fn decide(head: &[u8], complete: bool) -> TextEncoding {
    if let Some((encoding, _)) = Encoding::for_bom(head) {
        return TextEncoding::strict(encoding, true);
    }
    match std::str::from_utf8(head) {
        Ok(text) if !text.contains('\0') => return TextEncoding::strict(UTF_8, false),
        Err(error) if error.error_len().is_none() && !complete && !is_utf16(head) => {
            return TextEncoding::strict(UTF_8, false);
        }
        _ => {}
    }
    if let Some(encoding) = utf16_without_mark(head) {
        return TextEncoding::strict(encoding, false);
    }
    let mut evidence = Evidence::new();
    evidence.show(head);
    evidence.decide(complete)
}

/// The encoding that a person named. A mark at the beginning is no part of the text.
pub(crate) fn chosen(label: &str, head: &[u8]) -> Option<TextEncoding> {
    let encoding = Encoding::for_label(label.as_bytes())?;
    let mark = Encoding::for_bom(head).is_some_and(|(found, _)| found == encoding);
    Some(TextEncoding { encoding, mark, broken: Broken::Replace })
}

/// Decides from the whole content, for a file that is UTF-8 at the beginning and breaks later.
pub(crate) fn decide_again(mut reader: impl Read) -> std::io::Result<TextEncoding> {
    let mut evidence = Evidence::new();
    let mut buffer = vec![0; 1 << 16];
    loop {
        let length = reader.read(&mut buffer)?;
        if length == 0 {
            return Ok(evidence.decide(true));
        }
        evidence.show(&buffer[..length]);
    }
}

/// Whether the bytes are UTF-16, with or without a mark.
pub(crate) fn is_utf16(head: &[u8]) -> bool {
    head.starts_with(b"\xFF\xFE") || head.starts_with(b"\xFE\xFF") || utf16_without_mark(head).is_some()
}

/// UTF-16 leaves a zero byte beside every ASCII character, and delimiters and digits are ASCII.
fn utf16_without_mark(head: &[u8]) -> Option<&'static Encoding> {
    let pairs = head.len() / 2;
    let zeros = |offset: usize| head.iter().skip(offset).step_by(2).filter(|byte| **byte == 0).count();
    let (even, odd) = (zeros(0), zeros(1));
    let encoding = if odd * 20 > pairs && even * 50 <= odd {
        UTF_16LE
    } else if even * 20 > pairs && odd * 50 <= even {
        UTF_16BE
    } else {
        return None;
    };
    encoding.decode_without_bom_handling_and_without_replacement(&head[..pairs * 2]).map(|_| encoding)
}

/// What speaks for one encoding or another.
struct Evidence {
    detector: EncodingDetector,
    shown: usize,
    sample: Vec<u8>,
    legal_sequences: u64,
    broken_sequences: u64,
}

impl Evidence {
    fn new() -> Self {
        Self {
            detector: EncodingDetector::new(Iso2022JpDetection::Deny),
            shown: 0,
            sample: Vec::new(),
            legal_sequences: 0,
            broken_sequences: 0,
        }
    }

    fn show(&mut self, bytes: &[u8]) {
        if self.shown < EVIDENCE_BYTES && !bytes.is_ascii() {
            self.detector.feed(bytes, false);
            self.shown += bytes.len();
            self.sample.extend(bytes.iter().take(SAMPLE_BYTES - self.sample.len().min(SAMPLE_BYTES)));
        }
        for chunk in bytes.utf8_chunks() {
            let non_ascii = chunk.valid().bytes().filter(|byte| *byte >= 0xC0).count();
            self.legal_sequences += non_ascii as u64;
            self.broken_sequences += u64::from(!chunk.invalid().is_empty());
        }
    }

    /// Text in a legacy encoding hardly ever holds a legal UTF-8 sequence, so where those are the rule
    /// the file is UTF-8 with some damage. `complete` says that the text does not end in mid-character.
    fn decide(mut self, complete: bool) -> TextEncoding {
        if self.legal_sequences > self.broken_sequences.saturating_mul(20) {
            return TextEncoding { encoding: UTF_8, mark: false, broken: Broken::Replace };
        }
        if complete && self.shown < EVIDENCE_BYTES {
            self.detector.feed(b"", true);
        }
        let guess = self.detector.guess(None, Utf8Detection::Deny);
        let doubtful = guess == EUC_KR && !reads_like_korean(&self.sample);
        TextEncoding::strict(if doubtful { GBK } else { guess }, false)
    }
}

/// Chinese in GB18030 and Korean in EUC-KR share their bytes, and a short text does not tell the detector
/// enough. Chinese read as Korean is made of rare syllables.
fn reads_like_korean(bytes: &[u8]) -> bool {
    let (text, _) = EUC_KR.decode_without_bom_handling(bytes);
    let syllables = || text.chars().filter(|character| ('가'..='힣').contains(character));
    let common = syllables().filter(|syllable| KOREAN.contains(*syllable)).count();
    common * 3 >= syllables().count()
}
