//! Libraries that check less of a file than a stranger's file needs.

use crate::TableError;
use crate::source::Source;
use std::panic::{AssertUnwindSafe, catch_unwind};

/// What the library makes of the file. Where it cannot go on, that is an error here and not the end of the
/// program; `what` says it, as a clause.
pub(crate) fn guarded<T>(
    source: &Source,
    what: &str,
    read: impl FnOnce() -> Result<T, TableError>,
) -> Result<T, TableError> {
    catch_unwind(AssertUnwindSafe(read))
        .unwrap_or_else(|_| Err(TableError::Broken { file: source.file_name(), what: what.to_owned() }))
}
