use super::*;
use crate::evidence::{ColumnFacts, InputFacts, StepSource, TableSource, check};

struct Run {
    markdown: String,
    outputs: Vec<String>,
    table: Vec<u8>,
    rows: u64,
}

fn run(markdown: &str, outputs: &[&str], table: &str, rows: u64) -> Run {
    Run {
        markdown: markdown.into(),
        outputs: outputs.iter().map(|output| (*output).to_owned()).collect(),
        table: table.as_bytes().to_vec(),
        rows,
    }
}

impl Run {
    fn sources(&self) -> Sources<'_> {
        let columns = vec![ColumnFacts { name: "amount".into(), ..ColumnFacts::default() }];
        let steps = self.outputs.iter().enumerate().map(|(at, output)| StepSource {
            number: u32::try_from(at).unwrap() + 1,
            output,
            code: "",
            wrote_report: false,
        });
        Sources {
            request: "limit 12",
            inputs: vec![InputFacts { name: "a.csv".into(), rows: Some(self.rows), columns }],
            steps: steps.collect(),
            tables: vec![TableSource { path: "t.csv", step: 1, content: &self.table }],
        }
    }
}

fn renewed(before: &Run, now: &Run, writer: Option<&str>) -> Option<Renewed> {
    let read = |run: &Run| Document::read(&run.markdown, &|_| true);
    let (old, new) = (read(before), read(now));
    let (old_sources, new_sources) = (before.sources(), now.sources());
    let verdicts = check(&old, &old_sources).verdicts;
    let told = |run, document, sources| Told { markdown: run, document, sources };
    renew(
        told(&before.markdown, &old, &old_sources),
        &verdicts,
        told(&now.markdown, &new, &new_sources),
        &Moved { step: &Some, writer, files: ("a.csv", "b.csv") },
    )
}

const TEXT: &str = "# Sales\n\nNorth sold **1,240** and South 880, together 2,120. The best day was 12 March 2025. The mean price was 3.75. Some 55.5 were lost. The file has 8760 rows. The limit was 12.\n";
const OLD: &[&str] =
    &["North    1240\nSouth     880\ntotal 2120", "best day 2025-03-12 with 310\nprice mean 3.7512"];
const NEW: &[&str] =
    &["North     300\nSouth     950.4\ntotal 1250.4", "best day 2026-07-01 with 99\nprice mean 4.2049"];

#[test]
fn each_figure_is_looked_up_where_it_came_from() {
    let before = run(TEXT, OLD, "k,v\n", 8760);
    let now = run(TEXT, NEW, "k,v\n", 4380);
    let renewed = renewed(&before, &now, None).unwrap();
    let words = renewed.markdown.split("not checked.\n\n").nth(1).unwrap();
    assert_eq!(
        words,
        "North sold **300** and South 950, together 1,250. The best day was 1 July 2026. The mean price was 4.20. Some 55.5 (earlier value) were lost. The file has 4380 rows. The limit was 12.\n"
    );
    assert!(renewed.markdown.starts_with("# Sales\n\n> The words of this report were written for `a.csv`."));
    assert_eq!((renewed.replaced, renewed.kept), (6, 1));
}

#[test]
fn rows_of_tables_are_found_by_their_first_cell() {
    let text = "| Region | Sold |\n|---|---:|\n| North | 141.5 |\n| South | 162.25 |\n\nThe largest share of North was 17.25 %.\n";
    let old = run(text, &["-"], "region,sold,share\nNorth,141.5,0.1725\nSouth,162.25,0.5\n", 3);
    let new = run(text, &["-"], "region,sold,share\nEast,1,0.1\nSouth,77.126,0.5\nNorth,99,0.25\n", 3);
    let renewed = renewed(&old, &new, None).unwrap();
    assert!(renewed.markdown.contains("| North | 99.0 |\n| South | 77.13 |"), "{}", renewed.markdown);
    assert!(renewed.markdown.contains("was 25.00 %"), "{}", renewed.markdown);
}

#[test]
fn what_code_computed_into_the_report_is_not_touched() {
    let code = "open('r').write(f'North sold {n} and {s}. Some 55.5 were lost.')";
    let old = run("North sold 1240 and 880. Some 55.5 were lost.", OLD, "k\n", 1);
    let new = run("North sold 300 and 880. Some 55.5 were lost.", NEW, "k\n", 1);
    let renewed = renewed(&old, &new, Some(code)).unwrap();
    assert!(renewed.markdown.ends_with("North sold 300 and 880. Some 55.5 (earlier value) were lost."));
    let plain = "open('r').write(f'North sold {n} and {s}.')";
    let old = run("North sold 1240 and 880.", OLD, "k\n", 1);
    let new = run("North sold 300 and 880.", NEW, "k\n", 1);
    assert_eq!(super::tests::renewed(&old, &new, Some(plain)), None);
}

#[test]
fn nothing_is_marked_or_remarked_twice() {
    let before = run(TEXT, OLD, "k,v\n", 8760);
    let now = run(TEXT, NEW, "k,v\n", 4380);
    let once = renewed(&before, &now, None).unwrap().markdown;
    let again = renewed(&run(&once, NEW, "k,v\n", 4380), &run(&once, OLD, "k,v\n", 8760), None).unwrap();
    assert_eq!(again.markdown.matches(EARLIER).count(), 1, "{}", again.markdown);
    assert_eq!(again.markdown.matches("were written for").count(), 1);
    assert!(
        again.markdown.contains("**1,240** and South 880, together 2,120. The best day was 12 March 2025."),
        "{}",
        again.markdown
    );
}

#[test]
fn a_direction_that_turned_is_not_told_with_the_words_of_the_other() {
    let text = "It rose from 120 to 150, that is 30 more.";
    let old = run(text, &["first 120\nlast 150"], "k\n", 1);
    let new = run(text, &["first 170\nlast 160"], "k\n", 1);
    let renewed = renewed(&old, &new, None).unwrap();
    assert!(
        renewed.markdown.ends_with("It rose from 170 to 160, that is 30 (earlier value) more."),
        "{}",
        renewed.markdown
    );
}

#[test]
fn a_share_that_equals_a_fact_by_chance_is_computed_again() {
    let text = "North sold 75 and South 50, together 125, so North has 60.0 % of it.";
    let outputs =
        |north: &str, south: &str, all: &str| [format!("North {north}\nSouth {south}\ntotal {all}")];
    let (one, two) = (outputs("75", "50", "125"), outputs("1", "3", "4"));
    let old = run(text, &[&one[0]], "k\n", 60);
    let new = run(text, &[&two[0]], "k\n", 2);
    let renewed = renewed(&old, &new, None).unwrap();
    assert!(
        renewed.markdown.ends_with("North sold 1 and South 3, together 4, so North has 25.0 % of it."),
        "{}",
        renewed.markdown
    );
}
