//! What outlives the app: runs and their events, in one SQLite file, and the keys of model providers, in the
//! system's keychain.
//!
//! An append returns only when the row is on disk. The crate stores events as JSON text and does not know
//! what they mean.

mod keys;

pub use keys::{KeyError, KeyPlace, Keys};

use std::path::Path;
use std::time::Duration;

use rusqlite::{Connection, OptionalExtension, params};
use serde::{Deserialize, Serialize};

/// The tables' version. A database of a later version is refused, one of an earlier is brought up.
const SCHEMA_VERSION: i64 = 1;

const SCHEMA: &str = "
CREATE TABLE run (
    id TEXT PRIMARY KEY,
    started_at TEXT NOT NULL,
    ended_at TEXT,
    status TEXT,
    title TEXT,
    request TEXT NOT NULL,
    record TEXT NOT NULL
) STRICT;
CREATE TABLE setting (
    name TEXT PRIMARY KEY,
    value TEXT NOT NULL
) STRICT;
CREATE TABLE event (
    run TEXT NOT NULL REFERENCES run(id) ON DELETE CASCADE,
    number INTEGER NOT NULL,
    at TEXT NOT NULL,
    body TEXT NOT NULL,
    PRIMARY KEY (run, number)
) STRICT;
";

/// The database could not be read or written.
#[derive(Debug, thiserror::Error)]
pub enum StoreError {
    /// SQLite's own error.
    #[error("the database failed: {0}")]
    Database(#[from] rusqlite::Error),
    /// The file was written by a newer version of the app.
    #[error("the database is of version {found}, this app knows {SCHEMA_VERSION}")]
    Newer {
        /// The version found.
        found: i64,
    },
}

/// A run as it is listed. Times are RFC 3339 in UTC.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct RunRow {
    /// The run's id.
    pub id: String,
    /// When it began.
    pub started_at: String,
    /// When it ended; `None` while it runs, or when the app died.
    pub ended_at: Option<String>,
    /// How it ended.
    pub status: Option<String>,
    /// What the person called it.
    pub title: Option<String>,
    /// What was asked.
    pub request: String,
    /// What was in force: files, model, policy, budget, as JSON.
    pub record: String,
}

/// An event of a run.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct EventRow {
    /// Number in the run, from 1.
    pub number: u64,
    /// When it happened.
    pub at: String,
    /// The event as JSON.
    pub body: String,
}

/// An open database.
#[derive(Debug)]
pub struct Store {
    connection: Connection,
}

impl Store {
    /// Opens the file, making it and its tables where they are not there.
    pub fn open(path: &Path) -> Result<Self, StoreError> {
        let connection = Connection::open(path)?;
        connection.busy_timeout(Duration::from_secs(10))?;
        connection.pragma_update(None, "journal_mode", "WAL")?;
        connection.pragma_update(None, "synchronous", "FULL")?;
        connection.pragma_update(None, "foreign_keys", true)?;
        let mut store = Self { connection };
        store.migrate()?;
        Ok(store)
    }

    fn migrate(&mut self) -> Result<(), StoreError> {
        let transaction =
            self.connection.transaction_with_behavior(rusqlite::TransactionBehavior::Immediate)?;
        let version: i64 = transaction.pragma_query_value(None, "user_version", |row| row.get(0))?;
        match version {
            0 => {
                transaction.execute_batch(SCHEMA)?;
                transaction.pragma_update(None, "user_version", SCHEMA_VERSION)?;
                transaction.commit()?;
                Ok(())
            }
            SCHEMA_VERSION => Ok(()),
            found => Err(StoreError::Newer { found }),
        }
    }

    /// Adds a run that begins now.
    pub fn begin(&self, id: &str, started_at: &str, request: &str, record: &str) -> Result<(), StoreError> {
        self.connection.execute(
            "INSERT INTO run (id, started_at, request, record) VALUES (?1, ?2, ?3, ?4)",
            params![id, started_at, request, record],
        )?;
        Ok(())
    }

    /// Adds the run's next event; it is on disk when this returns. Returns its number.
    pub fn append(&self, run: &str, at: &str, body: &str) -> Result<u64, StoreError> {
        let mut statement = self.connection.prepare_cached(
            "INSERT INTO event (run, number, at, body)
             SELECT ?1, coalesce(max(number), 0) + 1, ?2, ?3 FROM event WHERE run = ?1 RETURNING number",
        )?;
        Ok(statement.query_row(params![run, at, body], |row| row.get::<_, i64>(0))?.unsigned_abs())
    }

    /// Marks a run as ended.
    pub fn end(&self, id: &str, ended_at: &str, status: &str) -> Result<(), StoreError> {
        self.connection.execute(
            "UPDATE run SET ended_at = ?2, status = ?3 WHERE id = ?1",
            params![id, ended_at, status],
        )?;
        Ok(())
    }

    /// The newest runs first.
    pub fn runs(&self, limit: u32) -> Result<Vec<RunRow>, StoreError> {
        let mut statement = self.connection.prepare_cached(
            "SELECT id, started_at, ended_at, status, title, request, record FROM run
             ORDER BY started_at DESC, id DESC LIMIT ?1",
        )?;
        let rows = statement.query_map([limit], run_row)?.collect::<Result<_, _>>()?;
        Ok(rows)
    }

    /// One run.
    pub fn run(&self, id: &str) -> Result<Option<RunRow>, StoreError> {
        let sql = "SELECT id, started_at, ended_at, status, title, request, record FROM run WHERE id = ?1";
        Ok(self.connection.query_row(sql, [id], run_row).optional()?)
    }

    /// Gives a run a name; an empty one takes the name away.
    pub fn rename(&self, id: &str, title: &str) -> Result<(), StoreError> {
        let title = (!title.is_empty()).then_some(title);
        self.connection.execute("UPDATE run SET title = ?2 WHERE id = ?1", params![id, title])?;
        Ok(())
    }

    /// Deletes a run with its events.
    pub fn delete(&self, id: &str) -> Result<(), StoreError> {
        self.connection.execute("DELETE FROM run WHERE id = ?1", [id])?;
        Ok(())
    }

    /// A setting, as text.
    pub fn setting(&self, name: &str) -> Result<Option<String>, StoreError> {
        let sql = "SELECT value FROM setting WHERE name = ?1";
        Ok(self.connection.query_row(sql, [name], |row| row.get(0)).optional()?)
    }

    /// Keeps a setting.
    pub fn set_setting(&self, name: &str, value: &str) -> Result<(), StoreError> {
        self.connection.execute(
            "INSERT INTO setting (name, value) VALUES (?1, ?2) ON CONFLICT (name) DO UPDATE SET value = ?2",
            params![name, value],
        )?;
        Ok(())
    }

    /// A run's events in order.
    pub fn events(&self, run: &str) -> Result<Vec<EventRow>, StoreError> {
        let mut statement = self
            .connection
            .prepare_cached("SELECT number, at, body FROM event WHERE run = ?1 ORDER BY number")?;
        let rows = statement
            .query_map([run], |row| {
                Ok(EventRow {
                    number: row.get::<_, i64>(0)?.unsigned_abs(),
                    at: row.get(1)?,
                    body: row.get(2)?,
                })
            })?
            .collect::<Result<_, _>>()?;
        Ok(rows)
    }
}

fn run_row(row: &rusqlite::Row<'_>) -> Result<RunRow, rusqlite::Error> {
    Ok(RunRow {
        id: row.get(0)?,
        started_at: row.get(1)?,
        ended_at: row.get(2)?,
        status: row.get(3)?,
        title: row.get(4)?,
        request: row.get(5)?,
        record: row.get(6)?,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn runs_and_events_survive_a_restart_in_order() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("assay.db");
        {
            let store = Store::open(&path).unwrap();
            store.begin("a", "2026-01-01T00:00:00Z", "first", "{}").unwrap();
            store.begin("b", "2026-01-02T00:00:00Z", "second", "{}").unwrap();
            assert_eq!(store.append("b", "t1", "{\"n\":1}").unwrap(), 1);
            assert_eq!(store.append("a", "t2", "{}").unwrap(), 1);
            assert_eq!(store.append("b", "t3", "{\"n\":2}").unwrap(), 2);
            store.end("a", "2026-01-01T00:01:00Z", "done").unwrap();
        }
        let store = Store::open(&path).unwrap();
        let ids: Vec<_> = store.runs(10).unwrap().into_iter().map(|run| (run.id, run.status)).collect();
        assert_eq!(ids, [("b".to_owned(), None), ("a".to_owned(), Some("done".to_owned()))]);
        let bodies: Vec<_> =
            store.events("b").unwrap().into_iter().map(|event| (event.number, event.body)).collect();
        assert_eq!(bodies, [(1, "{\"n\":1}".to_owned()), (2, "{\"n\":2}".to_owned())]);
        assert_eq!(store.run("none").unwrap(), None);
        assert!(store.append("none", "t", "{}").is_err(), "an event needs its run");
        store.rename("b", "Second").unwrap();
        assert_eq!(store.run("b").unwrap().unwrap().title.as_deref(), Some("Second"));
        store.delete("b").unwrap();
        assert_eq!(store.events("b").unwrap(), []);
        store.set_setting("theme", "light").unwrap();
        store.set_setting("theme", "dark").unwrap();
        assert_eq!(store.setting("theme").unwrap().as_deref(), Some("dark"));
    }

    #[test]
    fn a_database_of_a_newer_app_is_left_alone() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("assay.db");
        Connection::open(&path).unwrap().pragma_update(None, "user_version", 99).unwrap();
        assert!(matches!(Store::open(&path), Err(StoreError::Newer { found: 99 })));
    }
}
