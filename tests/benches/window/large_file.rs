//! From the drop of a table of 1 GB to its first rows in the window, and how smooth the window stays while the
//! whole table is read behind them.

use std::fs::File;
use std::io::{BufWriter, Write};
use std::path::{Path, PathBuf};
use std::time::UNIX_EPOCH;

use fantoccini::Client;
use serde_json::{Value, json};

use crate::drag::drag;
use crate::frames::{Frames, WATCH};
use crate::stage::Stage;
use crate::table::Row;

const BYTES: u64 = 1_000_000_000;
const ROUNDS: usize = 5;

/// Notes the time at which cells are on the screen, and the time at which the profile is.
const NOTICE: &str = "
    const [name] = arguments;
    const seen = {};
    window.seen = seen;
    const note = () => {
        const sheet = [...document.querySelectorAll('section, article, div[aria-label]')]
            .find((part) => part.getAttribute('aria-label') === name);
        const now = Date.now();
        if (sheet?.querySelector('[role=cell]')) seen.rows ??= now;
        if (sheet?.textContent.includes('Seen at a glance')) seen.profile ??= now;
    };
    new MutationObserver(() => requestAnimationFrame(() => setTimeout(note)))
        .observe(document.body, { childList: true, subtree: true, characterData: true });
";

/// A table of sales, the same each time.
fn write_table(path: &Path, bytes: u64) {
    let mut file = BufWriter::with_capacity(1 << 20, File::create(path).unwrap());
    writeln!(file, "order,day,region,product,quantity,price,note").unwrap();
    let (mut written, mut row) = (0, 0_u64);
    while written < bytes {
        let (day, region) = (row % 28 + 1, ["North", "South", "East", "West"][row as usize % 4]);
        let (product, quantity, cents) = (row * 7919 % 500, row * 31 % 40 + 1, row * 104_729 % 100_000);
        let line = format!(
            "{row},2025-{:02}-{day:02},{region},product {product},{quantity},{}.{:02},{}\n",
            row / 1_000_000 % 12 + 1,
            cents / 100,
            cents % 100,
            if row.is_multiple_of(9) { "" } else { "delivered in time" },
        );
        written += line.len() as u64;
        file.write_all(line.as_bytes()).unwrap();
        row += 1;
    }
    file.flush().unwrap();
}

async fn seen(client: &Client, what: &str) -> f64 {
    let wait = format!(
        "const done = arguments[0];
         const look = () => window.seen.{what} ? done(window.seen.{what}) : setTimeout(look, 50);
         look();"
    );
    client.execute_async(&wait, Vec::new()).await.unwrap().as_f64().unwrap()
}

/// Milliseconds from the drop to the rows, and from the rows to the profile.
async fn open(stage: &Stage, client: &Client, table: &Path) -> (f64, f64) {
    let name = table.file_name().unwrap().to_str().unwrap();
    client.execute(NOTICE, vec![json!(name)]).await.unwrap();
    let dropped = drag(&|program| stage.command(Path::new(program)), &[table]);
    let dropped = dropped.duration_since(UNIX_EPOCH).unwrap().as_secs_f64() * 1000.0;
    let rows = seen(client, "rows").await;
    let profile = seen(client, "profile").await;
    (rows - dropped, profile - rows)
}

fn middle(mut numbers: Vec<f64>) -> f64 {
    numbers.sort_by(f64::total_cmp);
    numbers[numbers.len() / 2]
}

/// The same table with the first 10,000 rows is the floor: nothing of its size can count.
pub(crate) async fn measure(stage: &mut Stage) -> Vec<Row> {
    let client = stage.drive(&[]).await;
    let (mut large, mut small, mut reading) = (vec![], vec![], vec![]);
    let mut frames = None;
    // The app knows a file by its place, so each round has its own.
    let place = |name: &str, round: usize| -> PathBuf { stage.folder().join(format!("{name} {round}.csv")) };
    write_table(&place("small", 0), 1_000_000);
    write_table(&place("large", 0), BYTES);
    for round in 1..=ROUNDS {
        let table = place("small", round);
        std::fs::rename(place("small", round - 1), &table).unwrap();
        small.push(open(stage, &client, &table).await.0);

        let table = place("large", round);
        std::fs::rename(place("large", round - 1), &table).unwrap();
        client.execute(WATCH, vec![Value::Null]).await.unwrap();
        let (rows, profile) = open(stage, &client, &table).await;
        large.push(rows);
        reading.push(profile);
        frames = Some(Frames::taken(&client).await);
    }
    std::fs::remove_file(place("large", ROUNDS)).unwrap();
    client.execute(WATCH, vec![Value::Null]).await.unwrap();
    tokio::time::sleep(std::time::Duration::from_secs(10)).await;
    let idle = Frames::taken(&client).await;
    client.close().await.unwrap();
    let (large, small) = (middle(large), middle(small));
    vec![
        Row::new(
            "1 GB of CSV dropped, to its first rows",
            format!("{large:.0} ms"),
            format!("{small:.0} ms, with 1 MB"),
            large / small,
        ),
        Row::new("all rows of it read", format!("{:.1} s", middle(reading) / 1000.0), "", None),
        frames.unwrap().beside("while it is read", &idle, "idle"),
    ]
}
