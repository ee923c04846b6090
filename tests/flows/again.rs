//! An earlier run done again on a new file: without a model, and with one that mends.

#![allow(clippy::unwrap_used, clippy::expect_used, reason = "a test ends where its own set-up fails")]

use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex};
use std::time::Duration;

use assay_engine::{
    AgainRequest, ApiKey, Change, Code, Desk, DockerSettings, Engine, Event, ModelChoice, MovedColumn,
    RemoteConfig, RunEvent, RunRequest, RunResult, RunStatus, Wire,
};
use assay_testkit::{Reply, ScriptedServer};
use assay_tests::docker;
use serde_json::json;
use tokio_util::sync::CancellationToken;

const SAMPLE: &str =
    concat!(env!("CARGO_MANIFEST_DIR"), "/../src-tauri/crates/engine/sample/building_energy.csv");

/// An engine with a home of its own, and what its runs have told.
struct Bench {
    folder: tempfile::TempDir,
    events: Vec<RunEvent>,
}

impl Bench {
    async fn open() -> Option<Self> {
        docker().await?;
        Some(Self { folder: tempfile::tempdir().unwrap(), events: Vec::new() })
    }

    fn engine(&self) -> Engine {
        Engine::new(Some(self.folder.path().join("home")), DockerSettings::default()).unwrap()
    }

    fn file(&self, name: &str, content: &str) -> PathBuf {
        let path = self.folder.path().join(name);
        std::fs::write(&path, content).unwrap();
        path
    }

    async fn run(&mut self, file: &Path, ask: &str, script: Vec<Reply>) -> RunResult {
        let server = ScriptedServer::start(script);
        let model = if server.remaining() == 0 { ModelChoice::BuiltIn } else { remote(&server) };
        let request =
            RunRequest { files: vec![file.to_owned()], ask: ask.into(), model, ..RunRequest::default() };
        let result = self.engine().run(&request, |_| {}, &CancellationToken::new()).await.unwrap();
        assert_eq!((result.status, server.remaining()), (RunStatus::Done, 0), "{result:?}");
        result
    }

    fn request(run: &RunResult, file: &Path) -> AgainRequest {
        AgainRequest { run: run.id.clone(), file: file.to_owned(), ..AgainRequest::default() }
    }

    async fn again(&mut self, request: &AgainRequest) -> RunResult {
        let engine = self.engine();
        self.events.clear();
        let events = &mut self.events;
        let watch = |event: &RunEvent| events.push(event.clone());
        engine.run_again(request, watch, &CancellationToken::new()).await.unwrap()
    }

    /// The titles of the steps that were run, each with whether it worked.
    fn steps(&self) -> Vec<(String, bool)> {
        let mut steps = Vec::new();
        for event in &self.events {
            match event {
                RunEvent::Agent(Event::StepStarted { title, .. }) => steps.push((title.clone(), false)),
                RunEvent::Agent(Event::StepEnded { ok, .. }) => steps.last_mut().unwrap().1 = *ok,
                _ => {}
            }
        }
        steps
    }

    /// How many requests left.
    fn sent(&self) -> usize {
        let is_sent = |event: &&RunEvent| matches!(event, RunEvent::Agent(Event::RequestSent { .. }));
        self.events.iter().filter(is_sent).count()
    }
}

fn remote(server: &ScriptedServer) -> ModelChoice {
    ModelChoice::Remote(Box::new(RemoteConfig {
        api_key: ApiKey::new("sk-flow-secret"),
        ..RemoteConfig::new(Wire::ChatCompletions, server.url(), ScriptedServer::MODEL)
    }))
}

fn python(title: &str, code: &str) -> Reply {
    Reply::call("run_python", json!({"title": title, "code": code}))
}

fn report(result: &RunResult) -> String {
    std::fs::read_to_string(result.report.as_ref().unwrap()).unwrap()
}

const SALES: &str = "region,amount\nNorth,10\nSouth,20\nNorth,30\n";
const ADD_UP: &str = "import pandas as pd\nimport matplotlib.pyplot as plt\ndf = pd.read_csv('input/sales.csv')\nt = df.groupby('region')['amount'].sum()\nprint(t)\nprint(f'total {t.sum()}')\nt.to_csv('output/totals.csv')\nt.plot.bar()\nplt.savefig('output/charts/regions.png')";
const REPORT: &str = "# Sales by region\n\nNorth sells **40** and South 20, together 60, so North has 66.7 % of it all. Last year it was 31.7.\n\n![Sales of each region](charts/regions.png)\n\nThe [totals](totals.csv) of sales.csv were counted in full.\n";

fn sales_script() -> Vec<Reply> {
    vec![
        python("Adding up", ADD_UP),
        Reply::call("write_file", json!({"path": "output/report.md", "content": REPORT})),
        Reply::text("North sells most: 40."),
        Reply::text("North sells most: 40."),
    ]
}

/// The last half of the sample's rows, a year later and with other values.
fn shifted_sample() -> String {
    let text = std::fs::read_to_string(SAMPLE).unwrap();
    let mut lines = text.lines();
    let mut new = vec![lines.next().unwrap().to_owned()];
    let rows: Vec<&str> = lines.collect();
    for row in &rows[rows.len() / 2..] {
        let cells: Vec<&str> = row.split(',').collect();
        let energy =
            cells[1].parse::<f64>().map_or(String::new(), |value| format!("{:.1}", value * 1.5 + 3.0));
        new.push(format!("{},{energy},{}", cells[0].replace("2025-", "2026-"), cells[2]));
    }
    new.join("\n") + "\n"
}

#[tokio::test]
async fn the_built_in_analysts_run_is_done_again_on_a_new_file() {
    let Some(mut bench) = Bench::open().await else { return };
    let first = bench.run(Path::new(SAMPLE), "Find unusual energy use and explain it", vec![]).await;
    let (earlier, earlier_row) = (report(&first), bench.engine().check_report(&first.id).unwrap());
    let content = shifted_sample();
    let file = bench.file("energy 2026.csv", &content);

    let check = bench.engine().check_new_file(&first.id, &file, None).unwrap();
    assert_eq!(check.instead_of, "building_energy.csv");
    assert_eq!(check.needed, ["timestamp", "energy_kwh", "outdoor_temp_c"]);
    assert_eq!((check.missing.len(), check.remarks), (0, vec![]));

    let result = bench.again(&Bench::request(&first, &file)).await;
    assert_eq!(result.status, RunStatus::Done, "{result:?}");
    assert_eq!(bench.sent(), 0, "nothing was sent");
    let now = report(&result);
    assert!(now.contains("energy 2026.csv") && !now.contains("building_energy.csv"), "{now}");
    assert!(now.contains("2026") && !now.contains("2025-"), "{now}");
    assert!(bench.steps().iter().all(|(_, ok)| *ok), "{:?}", bench.steps());
    assert!(result.answer.contains("were done again on energy 2026.csv."), "{}", result.answer);

    let compared = bench.engine().compare(&result.id).unwrap();
    let changed = |pair: &&assay_engine::FigurePair| matches!(pair.change, Change::Changed { .. });
    assert!(compared.figures.pairs.iter().filter(changed).count() > 5, "{compared:?}");
    let table = compared.tables.iter().find(|table| table.path == "anomalies.csv").unwrap();
    assert!(table.rows_before.is_some() && table.rows_now.is_some(), "{table:?}");

    // The earlier run and the files are as they were.
    assert_eq!(report(&first), earlier);
    assert_eq!(bench.engine().check_report(&first.id).unwrap(), earlier_row);
    assert_eq!(std::fs::read_to_string(&file).unwrap(), content);
}

#[tokio::test]
async fn a_report_that_was_written_as_a_text_gets_the_new_figures() {
    let Some(mut bench) = Bench::open().await else { return };
    let file = bench.file("sales.csv", SALES);
    let first = bench.run(&file, "Which region sells most?", sales_script()).await;
    let new = bench.file("sales b.csv", "region,amount\nNorth,15\nSouth,45\nNorth,60\nSouth,5\n");
    let result = bench.again(&Bench::request(&first, &new)).await;
    assert_eq!(result.status, RunStatus::Done, "{result:?}");
    assert_eq!(bench.sent(), 0);
    let titles: Vec<String> = bench.steps().into_iter().map(|(title, _)| title).collect();
    assert_eq!(titles, ["Adding up", "Writing the report", "Writing the report"]);
    let now = report(&result);
    assert!(
        now.contains("North sells **75** and South 50, together 125, so North has 60.0 % of it all."),
        "{now}"
    );
    assert!(now.contains("Last year it was 31.7 (earlier value)."), "{now}");
    assert!(now.contains("of sales b.csv were counted"), "{now}");
    assert!(
        now.contains("`sales.csv`") && now.contains("written for"),
        "it says whose words these are: {now}"
    );
    assert!(result.answer.contains("1 figure") && !result.answer.contains("40"), "{}", result.answer);

    // Once more, from that run: nothing is marked or said twice.
    let third = bench.file("sales c.csv", "region,amount\nNorth,1\nSouth,3\n");
    let result = bench.again(&Bench::request(&result, &third)).await;
    assert_eq!(result.status, RunStatus::Done, "{result:?}");
    let now = report(&result);
    assert!(
        now.contains("North sells **1** and South 3, together 4, so North has 25.0 % of it all."),
        "{now}"
    );
    assert!(now.contains("Last year it was 31.7 (earlier value)."), "{now}");
    assert_eq!(now.matches("written for").count(), 1, "{now}");
}

#[tokio::test]
async fn columns_that_moved_are_proposed_and_mapped() {
    let Some(mut bench) = Bench::open().await else { return };
    let file = bench.file("sales.csv", SALES);
    let first = bench.run(&file, "Which region sells most?", sales_script()).await;
    let new = bench.file("new.csv", "id;Amount (EUR);Region\n1;15,5;North\n2;4,5;South\n");
    let engine = bench.engine();
    let check = engine.check_new_file(&first.id, &new, None).unwrap();
    let missing: Vec<(&str, Vec<&str>)> = check
        .missing
        .iter()
        .map(|missing| (missing.name.as_str(), missing.proposals.iter().map(String::as_str).collect()))
        .collect();
    assert_eq!(missing, [("region", vec!["Region"]), ("amount", vec!["Amount (EUR)"])]);

    let mut request = Bench::request(&first, &new);
    let problem = engine.run_again(&request, |_| {}, &CancellationToken::new()).await.unwrap_err();
    assert_eq!(problem.code, Code::Input);
    assert_eq!(problem.message, "new.csv lacks what the steps use: `region`, `amount`.");

    let moved = |before: &str, now: &str| MovedColumn { before: before.into(), now: now.into() };
    request.columns = vec![moved("region", "Region"), moved("amount", "Amount (EUR)")];
    let result = bench.again(&request).await;
    assert_eq!(result.status, RunStatus::Done, "{result:?}");
    assert_eq!(bench.steps()[0], ("Naming the columns as before".to_owned(), true));
    let totals = std::fs::read_to_string(result.folder.join("totals.csv")).unwrap();
    assert_eq!(totals, "region,amount\nNorth,15.5\nSouth,4.5\n");
}

const FRAGILE: &str = "import pandas as pd\ndf = pd.read_csv('input/sales.csv')\nbest = df[df['region'] == 'North']['amount'].iloc[0]\nprint('first', best)";

fn fragile_script() -> Vec<Reply> {
    let write = "import matplotlib.pyplot as plt\ndf['amount'].plot()\nplt.savefig('output/charts/a.png')\nopen('output/report.md', 'w').write(f'# Sales\\n\\nThe first sale of the best region was {best}, and all of it was counted in full, nothing left out.\\n\\n![Sales](charts/a.png)\\n')\nprint(best)";
    vec![python("Finding the first sale", FRAGILE), python("Writing", write), Reply::text("Done.")]
}

#[tokio::test]
async fn a_step_that_fails_on_the_new_file_ends_the_run_in_one_plain_sentence() {
    let Some(mut bench) = Bench::open().await else { return };
    let file = bench.file("sales.csv", SALES);
    let first = bench.run(&file, "What was the first sale?", fragile_script()).await;
    let new = bench.file("new.csv", "region,amount\nEast,7\nWest,9\n");
    let result = bench.again(&Bench::request(&first, &new)).await;
    assert_eq!(result.status, RunStatus::Incomplete, "{result:?}");
    assert_eq!(
        result.answer,
        "The steps could not be done again on new.csv: step 1, “Finding the first sale”, did not work there \
         (IndexError: single positional indexer is out-of-bounds). Choose a model in the settings that may \
         mend it, or ask the question anew on this file."
    );
    assert_eq!(result.remarks.len(), 1, "{:?}", result.remarks);
    assert_eq!(bench.steps(), [("Finding the first sale".to_owned(), false)], "nothing after it is run");
    let broken = |event: &&RunEvent| matches!(event, RunEvent::Agent(Event::ContractBroken { .. }));
    assert_eq!(bench.events.iter().filter(broken).count(), 0);
}

#[tokio::test]
async fn a_model_mends_the_one_step_that_fails() {
    let Some(mut bench) = Bench::open().await else { return };
    let file = bench.file("sales.csv", SALES);
    let first = bench.run(&file, "What was the first sale?", fragile_script()).await;
    let new = bench.file("new.csv", "region,amount\nEast,7\nWest,9\n");
    let mended = "best = df['amount'].iloc[0]\nprint('first', best)";
    let server = ScriptedServer::start(vec![python("Mended", mended)]);
    let mut request = Bench::request(&first, &new);
    request.model = remote(&server);
    let result = bench.again(&request).await;
    assert_eq!((result.status, server.remaining()), (RunStatus::Done, 0), "{result:?}");
    assert_eq!(
        bench.steps(),
        [
            ("Finding the first sale".to_owned(), false),
            ("Finding the first sale (mended for the new file)".to_owned(), true),
            ("Writing".to_owned(), true),
        ]
    );
    assert!(report(&result).contains("best region was 7,"), "{}", report(&result));
    // It was asked once, for this step alone, and that is on record.
    assert!(bench.sent() >= 1);
    let asked = server.requests().last().unwrap().body.clone();
    let tools: Vec<&str> = asked["tools"]
        .as_array()
        .unwrap()
        .iter()
        .map(|tool| tool["function"]["name"].as_str().unwrap())
        .collect();
    assert_eq!(tools, ["run_python"]);
    let said = asked.to_string();
    assert!(said.contains("out-of-bounds") && !said.contains("plt.savefig"), "{said}");
    assert!(result.spent.usage.input_tokens > 0, "what was used counts");
}

#[tokio::test]
async fn a_window_does_a_run_again_and_asks_further() {
    let Some(mut bench) = Bench::open().await else { return };
    let file = bench.file("sales.csv", SALES);
    let first = bench.run(&file, "Which region sells most?", sales_script()).await;
    let new = bench.file("new.csv", "Region,amount\nNorth,15\nSouth,45\n");
    let desk = Desk::new(Some(bench.folder.path().join("home")));
    let id = desk.add_files(&[new]).files[0].id.clone();
    let check = desk.check_new_file(&first.id, &id).unwrap();
    assert_eq!(check.missing.iter().map(|missing| missing.name.as_str()).collect::<Vec<_>>(), ["region"]);

    let heard: Arc<Mutex<Vec<serde_json::Value>>> = Arc::default();
    let sink = || -> Box<dyn Fn(Vec<assay_engine::WindowEvent>) + Send> {
        let heard = heard.clone();
        Box::new(move |events| {
            heard.lock().unwrap().extend(events.iter().map(|event| serde_json::to_value(event).unwrap()));
        })
    };
    let closed = async |count: usize| {
        for _ in 0..1800 {
            let ends = heard.lock().unwrap().iter().filter(|event| event["event"] == "run_closed").count();
            if ends >= count {
                return;
            }
            tokio::time::sleep(Duration::from_millis(50)).await;
        }
        panic!("{:?}", heard.lock().unwrap().last());
    };
    let columns = vec![MovedColumn { before: "region".into(), now: "Region".into() }];
    let run = desk.run_again(&first.id, &id, columns.clone(), sink()).await.unwrap();
    closed(1).await;
    let view = desk.open_run(&run).unwrap();
    assert_eq!(view.summary.status, "done");
    let again = view.record.again.unwrap();
    assert_eq!((again.run, again.columns), (first.id.clone(), columns));
    assert_eq!((again.file.before.as_str(), again.file.now.as_str()), ("sales.csv", "new.csv"));
    assert_eq!(desk.compare(&run).unwrap().before, first.id);

    // A further question is answered by whoever thinks in the settings, here the built-in analyst.
    desk.follow_up(&run, Some("Give me an overview"), sink()).await.unwrap();
    closed(2).await;
    let view = desk.open_run(&run).unwrap();
    assert_eq!(view.summary.status, "done", "{:?}", view.events.last());
    assert!(view.report.unwrap().title().unwrap().contains("Overview of the table"));
    desk.close().await;
}
