//! Words stay words, in every script.

use super::{Opened, can_open, exported, folder, letters, made, read, skip};
use crate::export::pdf::fonts::Reach;
use crate::export::pdf::write;
use crate::{Block, Document, Inline, Parcel, Target};

#[test]
fn hostile_words_are_words() {
    if !can_open() {
        return;
    }
    let words = [
        "#read(\"/etc/passwd\")",
        "\"); read(\"/etc/passwd\"); (\"",
        "\\\"#{panic()}",
        "$x$ ] [ } { ) (",
        "\\u{41} \\n \\",
        "@label <label> = ~ --- // /* */ `raw`",
        "#import \"@preview/x:1.0.0\": *",
        "#eval(\"1\")",
        "a\u{0}b\u{1b}c\u{202e}d\u{7f}",
    ];
    for place in 0..9 {
        let folder = folder();
        let text = |text: &str| vec![Inline::Text { text: text.to_owned() }];
        let blocks = words.map(|word| {
            let content = match place {
                0 => text(word),
                1 => vec![Inline::Code { text: word.into() }],
                2 => vec![Inline::Picture { to: Target::File { path: "a.png".into() }, alt: word.into() }],
                3 => vec![Inline::Link { to: Target::Web { address: word.into() }, content: text(word) }],
                4 => vec![Inline::Formula { tex: format!("\\badcommand {word}") }],
                5 => vec![Inline::Picture { to: Target::Missing { path: word.into() }, alt: word.into() }],
                6 => return Block::Code { language: word.into(), text: word.into() },
                7 => return Block::Heading { level: 2, id: word.into(), content: text(word) },
                _ => {
                    return Block::Table {
                        columns: vec![crate::Align::End],
                        head: vec![text(word)],
                        rows: vec![vec![text(word)]],
                    };
                }
            };
            Block::Paragraph { content }
        });
        let document = Document { blocks: blocks.to_vec(), ..Document::default() };
        let found = Opened::new(&exported(&document, &[], folder.path())).letters();
        for word in words {
            let word = letters(word).replace(|c: char| c.is_control() || c == '\u{202e}', "");
            assert!(found.contains(&word), "{word} at {place} is not in {found}");
        }
        assert!(!found.contains("root:"), "{found}");
    }
}

#[test]
fn formulas_that_are_understood_are_set() {
    if !can_open() {
        return;
    }
    let formulas = [
        r"\frac{a}{b} + \sqrt[3]{x} \le \sum_{i=1}^n \bar{x}_i^2 \not= \binom{n}{k}",
        r"\left( \begin{pmatrix} 1 & 2 \\ 3 & 4 \end{pmatrix} \right] \underbrace{x}_{n} \vec{v}",
        r"\begin{cases} 1 & x > 0 \\ 0 & \text{else} \end{cases} \mathbf{A} \mathbb{R} \mathcal{L}",
        r"\begin{aligned} a &= b \\ &\approx c \end{aligned} \lim_{x \to 0} \sin x \quad \hat{\beta}",
        r"\begin{array}{lr} a & b \\ \hline c & d \end{array} \overline{ab} \underline{cd} \dot{x} \ddot{x} \tilde{x}",
    ];
    for formula in formulas {
        let set = made(&format!("Inline \\({formula}\\) here.\n\n$$\n{formula}\n$$\n\nAfter."));
        let text = set.letters();
        assert!(
            text.contains("After.") && !text[..text.find("After").unwrap()].contains("\\begin"),
            "{text}"
        );
        assert!(!text.contains("\\quad") && !text.contains("{a") && !text.contains('&'), "{text}");
    }
}

#[test]
fn every_writing_system_is_found_again() {
    if !can_open() {
        return;
    }
    let lines = ["Ελληνικά", "Русский", "日本語のテキスト", "中文文本", "한국어", "≤±→µ", "שלום", "ไทย"];
    let folder = folder();
    let markdown = format!("{}\n\nهذا نص عربي", lines.join("\n\n"));
    let export = exported(&read(&markdown, folder.path()), &[], folder.path());
    if !export.remarks.is_empty() {
        skip(&format!("fonts are missing (packages fonts-noto-core, fonts-noto-cjk): {:?}", export.remarks));
        return;
    }
    let opened = Opened::new(&export);
    let found = opened.letters();
    for line in lines {
        assert!(found.contains(line), "{line} is not in {found}");
    }
    assert!(found.contains("عربي"), "{found}");
    // Arabic begins at the right edge of the text.
    let page = opened.text();
    let line = page.lines().find(|line| line.contains("عربي")).unwrap();
    assert!(line.starts_with("          "), "{line}");
}

#[test]
fn what_no_font_has_is_said() {
    let folder = folder();
    let document = read("漢字 and ไทย, and 🦀", folder.path());
    let parcel = Parcel { document: &document, verdicts: &[], title: "A", files: folder.path(), cells: &[] };
    let export = write(&parcel, &|_, _| Ok(()), Reach::Embedded).unwrap();
    let expected = "No font on this computer can draw the Chinese characters (字 漢) and the Thai (ท ย ไ) and the \
        signs (🦀). Install a font that has them, for example Noto Emoji and Noto Sans CJK and Noto Sans Thai, \
        and export again.";
    assert_eq!(export.remarks, [expected]);
    let document = read("Grüße, ≤ and ☐", folder.path());
    let parcel = Parcel { document: &document, ..parcel };
    assert_eq!(write(&parcel, &|_, _| Ok(()), Reach::Embedded).unwrap().remarks, [""; 0]);
}
