//! Reads Parquet, one row after the other.

use crate::TableError;
use crate::guard::guarded;
use crate::named::Visit;
use crate::progress::Progress;
use crate::records::Record;
use crate::source::Source;
use jiff::SignedDuration;
use jiff::civil::DateTime;
use parquet::basic::{LogicalType, TimeUnit};
use parquet::errors::ParquetError;
use parquet::file::reader::{FileReader, SerializedFileReader};
use parquet::record::Field;
use parquet::schema::types::Type;
use std::fs::File;

/// Largest packed file of which an unpacked copy is made.
const LARGEST_COPY: u64 = 4 << 30;

/// What the columns of one group of rows may unpack to.
const LARGEST_GROUP: i64 = 2 << 30;

/// What is said of a file that breaks the rules of the format.
const DAMAGED: &str = "the Parquet file is damaged";

/// Rows between two reports.
const REPORTED: u64 = 4096;

/// The names of the columns.
pub(crate) fn names(source: &Source) -> Result<Vec<String>, TableError> {
    guarded(source, DAMAGED, || {
        let reader = open(source)?;
        let schema = reader.metadata().file_metadata().schema();
        Ok(schema.get_fields().iter().map(|field| field.name().to_owned()).collect())
    })
}

/// Shows every row.
pub(crate) fn each_record(
    source: &Source,
    width: usize,
    progress: &mut Progress,
    visit: Visit,
) -> Result<(), TableError> {
    guarded(source, DAMAGED, || {
        let reader = open(source)?;
        let metadata = reader.metadata();
        let rows = u64::try_from(metadata.file_metadata().num_rows()).unwrap_or_default().max(1);
        let schema = metadata.file_metadata().schema().clone();
        let nanoseconds: Vec<bool> = schema.get_fields().iter().map(|field| in_nanoseconds(field)).collect();
        for (number, row) in
            (0_u64..).zip(reader.get_row_iter(None).map_err(|error| damaged(source, &error))?)
        {
            let row = row.map_err(|error| damaged(source, &error))?;
            if number.is_multiple_of(REPORTED) {
                let share = u128::from(number) * u128::from(source.length()) / u128::from(rows);
                let share = u64::try_from(share).unwrap_or(u64::MAX);
                progress.tell(share).map_err(|error| source.trouble(error))?;
            }
            let cells = row.get_column_iter().zip(&nanoseconds).take(width);
            let cells: Vec<String> =
                cells.map(|((_, field), nanoseconds)| text(field, *nanoseconds)).collect();
            let record = Record::from_texts(number, cells.iter().map(String::as_str));
            if !visit(&record).map_err(|error| source.trouble(error))? {
                break;
            }
        }
        progress.tell(source.length()).map_err(|error| source.trouble(error))
    })
}

fn open(source: &Source) -> Result<SerializedFileReader<File>, TableError> {
    let file = source.seekable(LARGEST_COPY)?;
    let reader = SerializedFileReader::new(file).map_err(|error| damaged(source, &error))?;
    let too_large = |group: &parquet::file::metadata::RowGroupMetaData| {
        let sizes =
            group.columns().iter().map(parquet::file::metadata::ColumnChunkMetaData::uncompressed_size);
        sizes.fold(0_i64, i64::saturating_add) > LARGEST_GROUP
    };
    if reader.metadata().row_groups().iter().any(too_large) {
        let what = "a group of its rows is larger than 2 GB";
        return Err(TableError::Unsupported { file: source.file_name(), what });
    }
    Ok(reader)
}

fn damaged(source: &Source, error: &ParquetError) -> TableError {
    let what = match error {
        ParquetError::NYI(_) => "its Parquet is of a kind that is not read",
        _ => DAMAGED,
    };
    TableError::Broken { file: source.file_name(), what: what.to_owned() }
}

/// The library gives such moments as plain numbers.
fn in_nanoseconds(field: &Type) -> bool {
    matches!(
        field.get_basic_info().logical_type_ref(),
        Some(LogicalType::Timestamp(kind)) if kind.unit == TimeUnit::NANOS
    )
}

/// The value as it would be written in a text file.
fn text(field: &Field, nanoseconds: bool) -> String {
    match field {
        Field::Null => String::new(),
        Field::Bool(value) => value.to_string(),
        Field::Str(text) => text.clone(),
        Field::Float(value) => value.to_string(),
        Field::Double(value) => value.to_string(),
        Field::Long(value) if nanoseconds => moment(*value, 9),
        Field::TimestampMillis(value) => moment(*value, 3),
        Field::TimestampMicros(value) => moment(*value, 6),
        Field::Date(days) => moment(i64::from(*days) * 86_400, 0)[..10].to_owned(),
        Field::TimeMillis(value) => moment(i64::from(*value), 3)[11..].to_owned(),
        Field::TimeMicros(value) => moment(*value, 6)[11..].to_owned(),
        Field::Bytes(bytes) => String::from_utf8_lossy(bytes.data()).into_owned(),
        other => other.to_string(),
    }
}

/// A count of parts of a second since 1970, of which there are 10 to the power of `digits` in one.
fn moment(count: i64, digits: u32) -> String {
    let parts = 10_i64.pow(digits);
    let (seconds, part) = (count.div_euclid(parts), count.rem_euclid(parts));
    let epoch = DateTime::constant(1970, 1, 1, 0, 0, 0, 0);
    let whole =
        epoch.saturating_add(SignedDuration::from_secs(seconds)).strftime("%Y-%m-%d %H:%M:%S").to_string();
    if part == 0 { whole } else { format!("{whole}.{part:0width$}", width = digits as usize) }
}
