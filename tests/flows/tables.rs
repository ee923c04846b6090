//! What steps do to the tables in the kernel: which rows went, which values were filled, and that looking at
//! it changes nothing.

#![allow(clippy::unwrap_used, clippy::expect_used, reason = "a test ends where its own set-up fails")]

use assay_sandbox::{ChangeKind, Manifest, Policy, StepOutcome, StepStatus, TableChange};
use assay_tests::{Bench, docker};

/// A table of 2,000 rows, 500 of them without `x` and 500 with a `t` that is no number.
const TABLE: &str = "import pandas as pd, numpy as np\n\
df = pd.DataFrame({'g': list('abcd') * 500, 'x': [1.0, None, 3, 4] * 500, 'y': range(2000), 't': ['1', '2', 'x', '4'] * 500})";

async fn bench() -> Option<Bench> {
    let runtime = docker().await?;
    let mut bench = Bench::open(&runtime, &Manifest::default(), &Policy::default()).await.unwrap();
    assert_eq!(bench.python(TABLE).await.unwrap().tables, []);
    Some(bench)
}

/// A change in short: `kind name before->after`, with `missing before->after` where they were counted.
fn short(change: &TableChange) -> String {
    let kind = serde_json::to_value(change.kind).unwrap();
    let before = change.rows_before.map_or("-".into(), |rows| rows.to_string());
    let name = change.name.as_deref().unwrap_or("-");
    let missing = match (change.missing_before, change.missing_after) {
        (Some(before), Some(after)) => format!(" missing {before}->{after}"),
        _ => String::new(),
    };
    format!("{} {name} {before}->{}{missing}", kind.as_str().unwrap(), change.rows_after)
}

fn shorts(outcome: &StepOutcome) -> Vec<String> {
    assert_eq!(outcome.status, StepStatus::Ok, "{outcome:?}");
    outcome.tables.iter().map(short).collect()
}

#[tokio::test]
async fn what_filters_drops_fills_or_joins_is_seen_with_its_rows() {
    let Some(mut bench) = bench().await else { return };
    for (code, expected) in [
        ("a = df.dropna()", vec!["drop_missing a 2000->1500 missing 500->0"]),
        ("b = df[df.y > 99]", vec!["filter b 2000->1900"]),
        ("mask = df.y < 50\nb = df.loc[mask, ['g', 'x']]", vec!["filter b 2000->50"]),
        ("c, d = df[df.g == 'a'], df.query('y < 10')", vec!["filter c 2000->500", "filter d 2000->10"]),
        ("e = df['x'].fillna(0)", vec!["fill e 2000->2000 missing 500->0"]),
        // In place, and one statement in a loop.
        ("f = df.copy()\nf.dropna(inplace=True)", vec!["drop_missing f 2000->1500 missing 500->0"]),
        (
            "f = df.copy()\nf['x'] = f['x'].fillna(f['x'].mean())\nf.loc[f.y < 10, 'x'] = np.nan",
            vec!["fill f['x'] 2000->2000 missing 500->0", "lost f 2000->2000 missing 0->10"],
        ),
        (
            "f = df.copy()\nfor name in ['y']:\n    f = f[f[name] < f[name].quantile(0.9)]",
            vec!["filter f 2000->1800"],
        ),
        ("f['n'] = pd.to_numeric(f['t'], errors='coerce')", vec!["lost f['n'] 1800->1800 missing 0->450"]),
        // Each link of a chain, and what never gets a name.
        (
            "h = (df.query('y >= 1000')\n  .dropna(subset=['x'])\n  .drop_duplicates('g'))",
            vec!["filter h 2000->1000", "drop_missing h 1000->750 missing 250->0", "drop_repeats h 750->3"],
        ),
        ("print(len(df.dropna()))", vec!["drop_missing - 2000->1500 missing 500->0"]),
        ("m = df[df.g == 'a'].x.mean()", vec!["filter - 2000->500"]),
        // In a function, named by what it is called for.
        (
            "def clean(d):\n    d = d[d.y >= 1000]\n    return d.dropna()\nout = clean(df)",
            vec!["filter d 2000->1000", "drop_missing out 1000->750 missing 250->0"],
        ),
        ("two = df.merge(pd.DataFrame({'g': ['a', 'b']}), on='g')", vec!["join two 2000->1000"]),
        ("all = pd.concat([df, df])", vec!["join all -->4000"]),
        (
            "df.to_csv('work/t.csv', index=False)\nr = pd.read_csv('work/t.csv').dropna()",
            vec!["read r -->2000", "drop_missing r 2000->1500 missing 500->0"],
        ),
        ("import duckdb\nq = duckdb.sql('select * from df where y < 7').df()", vec!["filter q 2000->7"]),
    ] {
        assert_eq!(shorts(&bench.python(code).await.unwrap()), expected, "{code}");
    }
    let outcome = bench.python("x = 1\nkept = df.dropna(subset=['x'])").await.unwrap();
    let expected = TableChange {
        kind: ChangeKind::DropMissing,
        line: 2,
        code: "kept = df.dropna(subset=['x'])".into(),
        name: Some("kept".into()),
        from: vec![assay_sandbox::TableRows { name: "df".into(), rows: 2000 }],
        rows_before: Some(2000),
        rows_after: 1500,
        columns_before: Some(4),
        columns_after: Some(4),
        missing_before: Some(500),
        missing_after: Some(0),
    };
    assert_eq!(outcome.tables, [expected]);
    bench.session.close().await.unwrap();
}

#[tokio::test]
async fn summaries_and_looks_are_no_changes() {
    let Some(mut bench) = bench().await else { return };
    for code in [
        "s = df.groupby('g').x.sum()\nt = s.nlargest(2)\nd = df.describe()\nv = df.g.value_counts().head(3)",
        "p = df.pivot_table(index='g', values='x')\nc = pd.crosstab(df.g, df.t)\nn = df.g.nunique()\nl = df.melt(id_vars='g')",
        "df['z'] = df['y'] * 2\ncolumns = df[['g', 'x']]\nrow = df.iloc[3]\nsame = df.sort_values('y').reset_index(drop=True)",
        "del same\ndf[df.x.isna()]",
        "df.head()\nprint(df.sample(3), ', '.join(['a']), 'a'.replace('a', 'b'))",
        "whole = same_again = df[df.y >= 0]",
    ] {
        assert_eq!(shorts(&bench.python(code).await.unwrap()), [""; 0], "{code}");
    }
    bench.session.close().await.unwrap();
}

#[tokio::test]
async fn looking_at_tables_changes_nothing_of_a_step() {
    let Some(mut bench) = bench().await else { return };
    // Nothing runs of a step that cannot run as a whole.
    let broken = bench.python("print('ran')\nreturn 5").await.unwrap();
    assert_eq!((broken.error.unwrap().kind.as_str(), broken.stdout.head.as_str()), ("SyntaxError", ""));
    // A failed statement keeps its line, and what was done before it is told of.
    let failed = bench.python("k = df.dropna()\n\nk.query(\n    'nope > 3')").await.unwrap();
    assert_eq!(
        failed.tables.iter().map(short).collect::<Vec<_>>(),
        ["drop_missing k 2000->1500 missing 500->0"]
    );
    let error = failed.error.unwrap();
    assert_eq!((error.line, error.traceback.contains("kernel")), (Some(3), false), "{}", error.traceback);
    // Code of its own is not called, by whatever name a table answers.
    let own = "class Own(pd.DataFrame):\n    @property\n    def _constructor(self):\n        return Own\n    def isna(self):\n        print('asked')\n        return super().isna()\no = Own({'x': [1, None]})\nfor i in [1]:\n    o['x'] = o['x'].fillna(0)";
    let outcome = bench.python(own).await.unwrap();
    assert_eq!((shorts(&outcome), outcome.stdout.head.as_str()), (vec![], ""));
    // No table is held.
    let gone = "import gc, weakref\nw = df.copy()\nseen = weakref.ref(w)\nw2 = w.dropna()\ndel w\ngc.collect()\nprint(seen() is None)";
    assert_eq!(bench.python(gone).await.unwrap().stdout.head, "True\n");
    // What Python and pandas say of a line stays with that line; names stay as they are.
    let rest = "from __future__ import annotations\ndef f(a: Nope): pass\nprint(f.__annotations__, [n for n in dir() if 'assay' in n])";
    assert_eq!(bench.python(rest).await.unwrap().stdout.head, "{'a': 'Nope'} []\n");
    let chained = bench.python("df['x'].fillna(0, inplace=True)").await.unwrap();
    assert!(chained.stderr.head.starts_with("<step 7>:1: FutureWarning"), "{}", chained.stderr.head);
    bench.session.close().await.unwrap();
}

#[tokio::test]
async fn what_a_kernel_says_of_its_tables_is_cut_to_its_form() {
    let Some(mut bench) = bench().await else { return };
    let forged = "import os, json, struct
good = {'kind': 'filter', 'rows_before': 9, 'rows_after': 7, 'line': 2, 'code': 'c' * 900, 'name': 'n\\x1b[31m' + 'n' * 900, 'from': [{'name': 'a', 'rows': 9}, {'name': 'b', 'rows': -1}, 5] * 9}
bad = [dict(good, kind='made up'), dict(good, rows_after=-7), dict(good, rows_after=1e3), dict(good, rows_after=1 << 60), 'text', None, [good]]
m = json.dumps({'op': 'done', 'step': 2, 'ok': True, 'error': None, 'tables': bad + [good] * 90}).encode()
for fd in range(3, 64):
    try: os.write(fd, struct.pack('>I', len(m)) + m)
    except OSError: pass
os._exit(0)";
    let outcome = bench.python(forged).await.unwrap();
    assert_eq!(outcome.tables.len(), 43);
    let change = &outcome.tables[0];
    assert_eq!(change.code, "c".repeat(200));
    assert_eq!(change.name.as_deref(), Some(format!("n{}", "n".repeat(54)).as_str()));
    assert_eq!(change.from.iter().map(|table| table.rows).collect::<Vec<_>>(), [9, 9]);
    assert_eq!((change.rows_before, change.missing_before), (Some(9), None));
    bench.session.close().await.unwrap();
}
