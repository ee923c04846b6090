//! Puts the decisions about a file into words, each with what speaks for it and what else it could be.

use crate::column::Described;
use crate::date::DayOrder;
use crate::decision::{Alternative, Decision};
use crate::dialect::{self, Delimiter, Dialect};
use crate::encoding::TextEncoding;
use crate::header::Header;
use crate::note;
use crate::packing::Member;
use crate::profile::Profiled;
use crate::settings::Settings;
use crate::table::Kind;
use crate::timeline::OrderReason;

/// Files of an archive that are offered.
const MEMBERS: usize = 50;

/// Encodings that are offered instead of the one that was decided on.
const ENCODINGS: [&str; 10] = [
    "utf-8",
    "windows-1252",
    "utf-16le",
    "gb18030",
    "shift_jis",
    "euc-kr",
    "big5",
    "windows-1251",
    "windows-1250",
    "macintosh",
];

/// Delimiters that are offered, with their names.
const DELIMITERS: [(u8, &str, &str); 4] = [
    (b',', "comma", "Comma"),
    (b';', "semicolon", "Semicolon"),
    (b'\t', "tab", "Tab"),
    (b'|', "pipe", "Vertical bar"),
];

/// Which file of a zip archive is read, with a note where there are others.
pub(crate) fn member(member: &Member, settings: &Settings) -> (Decision, Option<String>) {
    let evidence = match member.others.len() {
        0 => "It is the only file in the archive.".to_owned(),
        _ => "It is the first table file in the archive.".to_owned(),
    };
    let note = (!member.others.is_empty()).then(|| {
        format!(
            "Only `{}` of the archive is read. Not read: {}.",
            member.name,
            note::listed(&member.others, 5)
        )
    });
    let others = member.others.iter().take(MEMBERS).map(|name| Alternative::new(name, name)).collect();
    let chosen = (member.name.clone(), member.name.clone());
    (decision(settings, "member", "File in the archive", chosen, evidence, others), note)
}

/// How the bytes of a text are read.
pub(crate) fn encoding(encoding: TextEncoding, damaged: u64, settings: &Settings) -> Decision {
    let name = encoding.encoding.name();
    let label = encoding.plain_name().unwrap_or("UTF-8").to_owned();
    let evidence = match (encoding.mark, name) {
        (true, _) => format!("The file begins with the byte-order mark of {label}."),
        (false, "UTF-8") if damaged == 0 => "All of it is valid UTF-8.".to_owned(),
        (false, "UTF-8") => format!(
            "It is valid UTF-8 but for {}.",
            note::count(damaged, "damaged character", "damaged characters")
        ),
        (false, "UTF-16LE" | "UTF-16BE") => "Zeros stand between its letters, as in UTF-16.".to_owned(),
        _ => format!("It is not valid UTF-8, and {label} makes most sense of its letters."),
    };
    let same = |label: &str| encoding_rs::Encoding::for_label(label.as_bytes()) == Some(encoding.encoding);
    let alternatives = ENCODINGS.into_iter().filter(|other| !same(other)).map(|other| {
        let plain = encoding_rs::Encoding::for_label(other.as_bytes()).and_then(|encoding| {
            TextEncoding { encoding, mark: false, broken: crate::encoding::Broken::Replace }.plain_name()
        });
        Alternative::new(other, plain.unwrap_or("UTF-8"))
    });
    decision(
        settings,
        "encoding",
        "Encoding",
        (name.to_ascii_lowercase(), label),
        evidence,
        alternatives.collect(),
    )
}

/// How the cells of a text are told apart, as far as its beginning tells.
pub(crate) fn dialect(text: &str, complete: bool, dialect: Dialect, settings: &Settings) -> Vec<Decision> {
    let named = DELIMITERS.iter().find(|(byte, ..)| dialect.delimiter == Delimiter::Byte(*byte));
    let chosen = match (named, dialect.delimiter) {
        (Some((_, value, label)), _) => ((*value).to_owned(), (*label).to_owned()),
        (None, Delimiter::Blanks) => ("blanks".to_owned(), "Blanks".to_owned()),
        (None, Delimiter::Byte(byte)) => {
            let shown = char::from(byte).escape_default().to_string();
            (char::from(byte).to_string(), format!("The character {shown}"))
        }
    };
    let agreement = dialect::agreement(text, complete, dialect);
    let evidence = if dialect.declared {
        "The first line of the file says so.".to_owned()
    } else if agreement.width == 1 {
        "The file has one column.".to_owned()
    } else {
        format!(
            "{} of the first {} have {} cells.",
            note::grouped(agreement.alike as u64),
            note::count(agreement.rows as u64, "row", "rows"),
            agreement.width
        )
    };
    let others = DELIMITERS.iter().filter(|(byte, ..)| dialect.delimiter != Delimiter::Byte(*byte));
    let alternatives = others.filter_map(|(byte, value, label)| {
        let other = Dialect { delimiter: Delimiter::Byte(*byte), ..dialect };
        let agreement = dialect::agreement(text, complete, other);
        (agreement.widest > 1).then(|| {
            let columns = note::count(agreement.width as u64, "column", "columns");
            Alternative::new(*value, format!("{label} ({columns})"))
        })
    });
    let delimiter =
        decision(settings, "delimiter", "Between the cells", chosen, evidence, alternatives.collect());
    let mut decisions = vec![delimiter];
    if dialect.quote != Some(b'"') || settings.get("quote").is_some() {
        let (value, label) = match dialect.quote {
            None => ("none".to_owned(), "No quotation marks".to_owned()),
            Some(byte) => (char::from(byte).to_string(), format!("Quoted with {}", char::from(byte))),
        };
        let evidence = "Rows hang together best this way.".to_owned();
        let alternatives = [("\"", "Quoted with \""), ("'", "Quoted with '"), ("none", "No quotation marks")];
        let alternatives = alternatives.into_iter().filter(|(other, _)| *other != value);
        let alternatives = alternatives.map(|(value, label)| Alternative::new(value, label)).collect();
        decisions.push(decision(
            settings,
            "quote",
            "Quotation marks",
            (value, label),
            evidence,
            alternatives,
        ));
    }
    if let Some(escape) = dialect.escape {
        let escape = char::from(escape).to_string();
        let label = format!("{} before a character takes it as it is", escape.escape_default());
        let evidence = "Rows hang together best this way.".to_owned();
        let alternatives = vec![Alternative::new("none", "No such character")];
        decisions.push(decision(settings, "escape", "Escapes", (escape, label), evidence, alternatives));
    }
    decisions
}

/// Where the names of the columns are.
pub(crate) fn header(header: &Header, settings: &Settings) -> Decision {
    let row = header.row.map_or(0, |row| row + 1);
    let label = |row: u64| match row {
        0 => "No header".to_owned(),
        row => format!("Header in row {row}"),
    };
    let first_data = header.data_row + 1;
    let others = [0, row.saturating_sub(1), row + 1, first_data];
    let mut rows: Vec<u64> = others.into_iter().filter(|other| *other != row).collect();
    rows.sort_unstable();
    rows.dedup();
    let alternatives = rows.into_iter().map(|row| Alternative::new(row.to_string(), label(row))).collect();
    let chosen = (row.to_string(), label(row));
    decision(settings, "header", "Header", chosen, header.evidence.clone(), alternatives)
}

/// How the values of the columns are read.
pub(crate) fn values(profiled: &Profiled, settings: &Settings) -> Vec<Decision> {
    let mut decisions = Vec::new();
    let comma = profiled.format.decimal == ',';
    let open: u64 = profiled.columns.iter().map(|column| column.open_numbers.0).sum();
    if comma || open > 0 || settings.get("decimal").is_some() {
        let label = |comma: bool| if comma { "1.234,5 is a number" } else { "1,234.5 is a number" };
        let value = |comma: bool| if comma { "," } else { "." };
        decisions.push(decision(
            settings,
            "decimal",
            "Decimal mark",
            (value(comma).to_owned(), label(comma).to_owned()),
            profiled.format_evidence.clone(),
            vec![Alternative::new(value(!comma), label(!comma))],
        ));
    }
    decisions.extend(profiled.columns.iter().filter_map(|column| order(column, settings)));
    decisions.extend(profiled.columns.iter().filter_map(|column| kind(column, settings)));
    decisions
}

/// Which of `03/04` is the day.
fn order(described: &Described, settings: &Settings) -> Option<Decision> {
    let dates = described.dates.as_ref()?;
    let order = dates.order?;
    let name = &described.column.name;
    let day_first = order == DayOrder::DayFirst;
    let value = |day_first: bool| if day_first { "day-first" } else { "month-first" };
    let label = |day_first: bool| if day_first { "03/04 is 3 April" } else { "03/04 is 4 March" };
    let words = if day_first { "day first" } else { "month first" };
    let because = match dates.reason {
        OrderReason::Values => {
            format!("the other {} can only be read {words}", note::grouped(dates.count - dates.either))
        }
        OrderReason::Rows => format!("the rows only follow each other when they are read {words}"),
        OrderReason::Hint => format!("other columns of the file speak for {words}"),
        OrderReason::Custom => format!("dates with that mark are mostly written {words}"),
        OrderReason::Chosen => "that was chosen".to_owned(),
    };
    let evidence = format!(
        "{} of {} could be either; they are read {words} because {because}.",
        note::grouped(dates.either),
        note::count(dates.count, "date", "dates")
    );
    let mut decision = decision(
        settings,
        &format!("dates:{name}"),
        &format!("Dates in `{name}`"),
        (value(day_first).to_owned(), label(day_first).to_owned()),
        evidence,
        vec![Alternative::new(value(!day_first), label(!day_first))],
    );
    decision.chosen |= settings.get("dates").is_some();
    Some(decision)
}

/// What the values are, where something speaks against it or a person said so.
fn kind(described: &Described, settings: &Settings) -> Option<Decision> {
    let column = &described.column;
    let id = format!("type:{}", column.name);
    let chosen = settings.get(&id).is_some();
    if column.kind == Kind::Empty || (!chosen && described.flagged.count == 0 && described.mark.is_none()) {
        return None;
    }
    let evidence = match (described.flagged.count, described.mark) {
        (0, Some("%")) => "A percent sign stands at every value.".to_owned(),
        (0, Some(mark)) => format!("{mark} stands at the values."),
        (0, None) => "That was chosen.".to_owned(),
        (count, _) => format!("All but {} are.", note::count(count, "value", "values")),
    };
    let kinds = [Kind::Text, Kind::Category, Kind::Identifier, Kind::Integer, Kind::Decimal, Kind::Date];
    let others = kinds.into_iter().filter(|kind| *kind != column.kind);
    Some(decision(
        settings,
        &id,
        &format!("Type of `{}`", column.name),
        (column.kind.name().to_owned(), words(column.kind).to_owned()),
        evidence,
        others.map(|kind| Alternative::new(kind.name(), words(kind))).collect(),
    ))
}

fn words(kind: Kind) -> &'static str {
    match kind {
        Kind::Integer => "Whole numbers",
        Kind::Decimal => "Numbers",
        Kind::Boolean => "Yes or no",
        Kind::Date => "Dates",
        Kind::Timestamp => "Dates with times",
        Kind::Time => "Times of day",
        Kind::Duration => "Spans of time",
        Kind::Category => "Categories",
        Kind::Text => "Text",
        Kind::Identifier => "Names of things",
        Kind::Empty => "Nothing",
    }
}

pub(crate) fn decision(
    settings: &Settings,
    id: &str,
    about: &str,
    (value, label): (String, String),
    evidence: String,
    alternatives: Vec<Alternative>,
) -> Decision {
    let chosen = settings.get(id).is_some();
    let evidence = if chosen { format!("Chosen by a person. {evidence}") } else { evidence };
    Decision { id: id.to_owned(), about: about.to_owned(), value, label, evidence, chosen, alternatives }
}
