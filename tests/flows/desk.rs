//! What a window does, without a window: files, runs, further questions, history, exports.

#![allow(clippy::unwrap_used, clippy::expect_used, reason = "a test ends where its own set-up fails")]

use std::ops::ControlFlow;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

use assay_engine::{
    Desk, KeyPlace, LeaveOut, ModelSettings, RemoteModel, RunAsk, Settings, StopToken, WindowEvent,
};
use assay_testkit::{Reply, ScriptedServer};
use assay_tests::{docker, skip};
use serde_json::{Value, json};

/// A desk with a home of its own, and what its runs have told.
struct Window {
    home: tempfile::TempDir,
    desk: Desk,
    heard: Arc<Mutex<Vec<Value>>>,
}

impl Window {
    fn open() -> Self {
        let home = tempfile::tempdir().unwrap();
        let desk = Desk::new(Some(home.path().join("home")));
        Self { home, desk, heard: Arc::default() }
    }

    /// The same folder after the app was started anew.
    fn restart(&mut self) {
        self.desk = Desk::new(Some(self.home.path().join("home")));
    }

    fn file(&self, name: &str, content: &str) -> PathBuf {
        let path = self.home.path().join(name);
        std::fs::write(&path, content).unwrap();
        path
    }

    fn use_model(&self, server: &ScriptedServer) {
        let model = ModelSettings::Remote(RemoteModel {
            base_url: server.url(),
            model: ScriptedServer::MODEL.into(),
            key: Some("sk-desk-secret".into()),
            key_place: Some(KeyPlace::Session),
            ..RemoteModel::default()
        });
        self.desk.save_settings(Settings { model, ..Settings::default() }).unwrap();
    }

    fn sink(&self) -> Box<dyn Fn(Vec<WindowEvent>) + Send> {
        let heard = self.heard.clone();
        Box::new(move |events| {
            let events = events.iter().map(|event| serde_json::to_value(event).unwrap());
            heard.lock().unwrap().extend(events);
        })
    }

    fn heard(&self, event: &str) -> Vec<Value> {
        self.heard.lock().unwrap().iter().filter(|heard| heard["event"] == event).cloned().collect()
    }

    /// Waits for the nth end of a question.
    async fn closed(&self, count: usize) -> Value {
        let begun = Instant::now();
        loop {
            if let Some(closed) = self.heard("run_closed").get(count - 1) {
                return closed.clone();
            }
            assert!(begun.elapsed() < Duration::from_secs(90), "{:?}", self.heard.lock().unwrap().last());
            tokio::time::sleep(Duration::from_millis(50)).await;
        }
    }

    async fn start(&self, path: &Path, ask: &str) -> String {
        let added = self.desk.add_files(&[path.to_owned()]);
        assert_eq!(added.problems, []);
        let ask = RunAsk {
            files: vec![added.files[0].id.clone()],
            ask: ask.into(),
            meaning: "amounts are in thousands".into(),
            ..RunAsk::default()
        };
        self.desk.start_run(&ask, self.sink()).await.unwrap()
    }
}

fn python(title: &str, code: &str) -> Reply {
    Reply::call("run_python", json!({"title": title, "code": code}))
}

fn report(answer: &str) -> Reply {
    let content =
        format!("# {answer}\n\n{}", "This is what was found in the table, step by step. ".repeat(3));
    Reply::call("write_file", json!({"path": "output/report.md", "content": content}))
}

#[test]
fn a_drop_gives_cards_at_once_and_plain_words_for_what_is_no_table() {
    let window = Window::open();
    let table = window.file("sales.csv", "region,amount\nNorth,10\nSouth,20\nNorth,30\n");
    let added = window.desk.add_files(&[table.clone(), window.home.path().to_owned(), table]);
    assert_eq!(added.files.len(), 2);
    assert_eq!(added.files[0].id, added.files[1].id, "the same file is one card");
    let preview = &added.files[0].preview;
    assert_eq!(
        (&preview.columns[..], preview.rows.len()),
        (&["region".to_owned(), "amount".to_owned()][..], 3)
    );
    assert_eq!(added.problems.len(), 1);
    assert!(added.problems[0].message.contains("is a folder"), "{:?}", added.problems);
    let id = &added.files[0].id;
    let profile = window.desk.file_profile(id, &mut |_, _| ControlFlow::Continue(())).unwrap();
    assert_eq!((profile.table.rows, profile.shapes.len()), (3, 2));
    assert!(!profile.findings.is_empty());
    assert!((3..=5).contains(&profile.suggestions.len()), "{:?}", profile.suggestions);
    assert!(
        profile.suggestions.iter().any(|question| question.contains("amount")),
        "{:?}",
        profile.suggestions
    );
    let page = window.desk.file_page(id, 1, 1).unwrap();
    assert_eq!((page.rows, page.total_rows), (vec![vec!["South".to_owned(), "20".to_owned()]], Some(3)));
    window.desk.save_file_note(id, " amounts are in thousands ").unwrap();
    let again = window.desk.add_files(&[window.home.path().join("sales.csv")]);
    assert_eq!(again.files[0].note, "amounts are in thousands", "kept with the file");
    let sample = window.desk.add_sample().unwrap();
    assert_eq!(sample.files[0].name, "building_energy.csv");
}

#[tokio::test]
async fn a_further_question_goes_on_in_the_same_sandbox_with_its_variables() {
    if docker().await.is_none() {
        return;
    }
    let mut window = Window::open();
    let server = ScriptedServer::start(vec![
        python("Counting", "kept = 42\n_ = open('output/t.csv', 'w').write('a\\n1\\n')"),
        report("Forty-two"),
        Reply::text("It is 42."),
        python("Using what is there", "print(kept + 1)\n_ = open('output/t.csv', 'w').write('a\\n2\\n')"),
        Reply::text("And 43."),
        // After a restart the steps are run again, so the variable is there once more.
        python("Using what is there", "print(kept + 2)"),
        Reply::text("And 44."),
    ]);
    window.use_model(&server);
    let table = window.file("sales.csv", "region,amount\nNorth,10\n");
    let run = window.start(&table, "How many?").await;
    assert_eq!(window.closed(1).await["problem"], Value::Null);
    let opening = server.requests()[0].body["messages"][1]["content"].as_str().unwrap().to_owned();
    assert!(opening.contains("<notes>\namounts are in thousands\n</notes>"), "{opening}");
    assert!(window.desk.open_run(&run).unwrap().live);

    window.desk.follow_up(&run, Some("And one more?"), window.sink()).await.unwrap();
    window.closed(2).await;
    assert_eq!(window.heard("output").last().unwrap()["text"], "43\n");
    assert_eq!(window.heard("sandbox_ready").len(), 1, "the same sandbox");
    let view = window.desk.open_run(&run).unwrap();
    assert_eq!(view.asks, ["How many?", "And one more?"]);
    let versions: Vec<(&str, usize)> =
        view.artifacts.iter().map(|artifact| (artifact.path.as_str(), artifact.versions)).collect();
    assert_eq!(versions, [("report.md", 1), ("t.csv", 2)]);
    let read = |version| {
        let file = window.desk.artifact(&run, "t.csv", version).unwrap();
        std::fs::read_to_string(file.path).unwrap()
    };
    assert_eq!(
        (read(Some(1)), read(Some(2)), read(None)),
        ("a\n1\n".into(), "a\n2\n".into(), "a\n2\n".into())
    );

    window.desk.close().await;
    window.restart();
    window.use_model(&server);
    assert!(!window.desk.open_run(&run).unwrap().live);
    window.desk.follow_up(&run, Some("And another?"), window.sink()).await.unwrap();
    window.closed(3).await;
    let titles: Vec<String> =
        window.heard("replaying").iter().map(|event| event["title"].as_str().unwrap().to_owned()).collect();
    assert_eq!(titles, ["Counting", "Using what is there"]);
    assert_eq!(window.heard("output").last().unwrap()["text"], "44\n");
    window.desk.close().await;
}

#[tokio::test]
async fn field_098_a_run_that_was_cut_off_is_marked_and_goes_on_from_its_last_finished_step() {
    if docker().await.is_none() {
        return;
    }
    let mut window = Window::open();
    let sleeping = python("Sleeping", "import time\nprint('asleep', flush=True)\ntime.sleep(600)");
    let server = ScriptedServer::start(vec![
        python("Counting", "kept = 42"),
        sleeping,
        python("Using what is there", "print(kept)"),
        report("Forty-two"),
        Reply::text("It is 42."),
    ]);
    window.use_model(&server);
    let table = window.file("sales.csv", "region,amount\nNorth,10\n");
    let run = window.start(&table, "How many?").await;
    while window.heard("output").is_empty() {
        tokio::time::sleep(Duration::from_millis(20)).await;
    }
    // As after a crash: the history is copied at this moment, and the other app works on the copy.
    let copy = tempfile::tempdir().unwrap();
    for entry in ["assay.db", "assay.db-wal"] {
        std::fs::copy(window.home.path().join("home").join(entry), copy.path().join(entry)).unwrap();
    }
    window.desk.stop_run(&run);
    window.closed(1).await;
    window.desk = Desk::new(Some(copy.path().to_owned()));
    window.use_model(&server);
    assert_eq!(window.desk.runs("").unwrap()[0].status, "interrupted");
    window.desk.follow_up(&run, None, window.sink()).await.unwrap();
    assert_eq!(window.closed(2).await["problem"], Value::Null);
    assert_eq!(window.desk.runs("").unwrap()[0].status, "done");
    assert_eq!(window.heard("output").last().unwrap()["text"], "42\n");
    let told = server.requests()[2].body["messages"].as_array().unwrap().clone();
    let last = told.last().unwrap()["content"].as_str().unwrap().to_owned();
    assert!(last.starts_with("status: interrupted\nThis step was cut off before its end."), "{last}");
    window.desk.close().await;
}

#[tokio::test]
async fn history_is_searched_renamed_exported_and_deleted() {
    if docker().await.is_none() {
        return;
    }
    let window = Window::open();
    let server = ScriptedServer::start(vec![report("Yes"), Reply::text("Yes."), Reply::hang()]);
    window.use_model(&server);
    let table = window.file("Отчёт.csv", "region,amount\nNorth,10\n");
    let run = window.start(&table, "Is it so?").await;
    window.closed(1).await;
    let desk = &window.desk;
    assert_eq!(desk.runs("отчёт").unwrap().len(), 1, "found by its file");
    let shown = serde_json::to_string(&desk.open_run(&run).unwrap()).unwrap();
    assert!(shown.contains("Отчёт.csv") && !shown.contains(window.home.path().to_str().unwrap()), "{shown}");
    assert_eq!(desk.runs("nothing like it").unwrap().len(), 0);
    desk.rename_run(&run, "My question").unwrap();
    assert_eq!(desk.runs("my QUESTION").unwrap()[0].title, "My question");

    let folder = window.home.path().join("export");
    let export = |form: &str, place: &Path| desk.export(&run, form, place, &|_, _| {}, &StopToken::new());
    let exported = export("folder", &folder).unwrap();
    assert_eq!(desk.export_place(&exported.id), Some(folder.clone()));
    assert!(folder.join("report.md").is_file() && folder.join("assay-run.json").is_file());
    let record = std::fs::read_to_string(folder.join("assay-run.json")).unwrap();
    assert!(!record.contains(window.home.path().to_str().unwrap()), "no place of this computer: {record}");
    let refused = export("folder", window.home.path()).unwrap_err();
    assert!(refused.message.contains("is not empty"), "{refused:?}");
    let copy = window.home.path().join("copy of the report.md");
    let saved = desk.save_artifact(&run, "report.md", None, &copy).unwrap();
    assert_eq!(desk.export_place(&saved.id), Some(copy.clone()));
    assert!(std::fs::read_to_string(&copy).unwrap().starts_with("# Yes"));
    assert!(desk.save_artifact(&run, "../../assay.db", None, &copy).is_err());
    let zip = window.home.path().join("export.zip");
    export("zip", &zip).unwrap();
    let listed = std::process::Command::new("python3")
        .args(["-c", "import sys, zipfile; print(sorted(zipfile.ZipFile(sys.argv[1]).namelist()))"])
        .arg(&zip)
        .output()
        .unwrap();
    assert_eq!(String::from_utf8(listed.stdout).unwrap(), "['assay-run.json', 'report.md']\n");

    let second = window.start(&table, "And now?").await;
    assert_eq!(desk.runs("").unwrap()[0].status, "running");
    assert!(desk.delete_run(&second).is_err(), "not while it goes on");
    desk.stop_run(&second);
    window.closed(2).await;
    assert_eq!(desk.runs("").unwrap()[0].status, "stopped");
    desk.delete_run(&run).unwrap();
    assert_eq!(desk.runs("").unwrap().len(), 1);
    assert!(desk.open_run(&run).is_err());
    assert!(!window.home.path().join("home/runs").join(&run).exists());
    for bad in ["../x", "", "a/b", "."] {
        assert!(desk.open_run(bad).is_err(), "{bad}");
        assert!(desk.delete_run(bad).is_err(), "{bad}");
    }
    desk.close().await;
    let home = window.home.path().join("home");
    for entry in ["assay.db", "assay.db-wal"] {
        let bytes = std::fs::read(home.join(entry)).unwrap_or_default();
        assert!(!bytes.windows(14).any(|part| part == b"sk-desk-secret"), "the key is not in {entry}");
    }
}

#[tokio::test]
async fn rows_are_left_out_only_when_that_was_chosen_and_the_report_says_so() {
    if docker().await.is_none() {
        return;
    }
    let window = Window::open();
    let rows: Vec<String> =
        (0..40).map(|row| format!("{},{}\n", ["North", "South"][row % 2], row * 3)).collect();
    // Two repeats, and one row without an amount.
    let text = format!("region,amount\n{}North,0\nSouth,3\nNorth,\n", rows.concat());
    let table = window.file("sales.csv", &text);
    let file = window.desk.add_files(std::slice::from_ref(&table)).files[0].id.clone();
    let profile = window.desk.file_profile(&file, &mut |_, _| ControlFlow::Continue(())).unwrap();
    let offered: Vec<&str> = profile.choices.iter().map(|choice| choice.id.as_str()).collect();
    assert_eq!(offered, ["repeats", "gaps:amount"]);

    let ask = RunAsk { files: vec![file.clone()], ask: "Give an overview".into(), ..RunAsk::default() };
    let kept = window.desk.start_run(&ask, window.sink()).await.unwrap();
    window.closed(1).await;
    let leave_out =
        offered.iter().map(|choice| LeaveOut { file: file.clone(), choice: (*choice).into() }).collect();
    let without = window.desk.start_run(&RunAsk { leave_out, ..ask }, window.sink()).await.unwrap();
    window.closed(2).await;
    let report = |run: &str| {
        let file = window.desk.artifact(run, "report.md", None).unwrap();
        std::fs::read_to_string(file.path).unwrap()
    };
    let sentence = "Rows that repeat an earlier one are left out, as was chosen. Rows without `amount` are left out, as was chosen.";
    let plain = |text: String| text.replace('\\', "");
    let (kept, without) = (plain(report(&kept)), plain(report(&without)));
    assert!(kept.contains("43 rows of input/sales.csv were read") && !kept.contains(sentence), "{kept}");
    assert!(
        without.contains("40 rows of input/sales.csv were read") && without.contains(sentence),
        "{without}"
    );
    assert_eq!(std::fs::read_to_string(&table).unwrap(), text, "the person's file is as it was");
}

/// A disk of its own, so small that it is soon full; gone with the value.
struct SmallDisk(PathBuf);

impl SmallDisk {
    fn mount(place: &Path) -> Option<Self> {
        std::fs::create_dir_all(place).unwrap();
        let mounted = std::process::Command::new("mount")
            .args(["-t", "tmpfs", "-o", "size=2m", "assay-small"])
            .arg(place)
            .output()
            .unwrap();
        if !mounted.status.success() {
            skip("a small disk cannot be mounted here (that takes root)");
            return None;
        }
        Some(Self(place.to_owned()))
    }
}

impl Drop for SmallDisk {
    fn drop(&mut self) {
        let _ = std::process::Command::new("umount").arg("--lazy").arg(&self.0).output();
    }
}

#[tokio::test]
async fn a_full_disk_is_named_and_what_was_finished_is_kept() {
    if docker().await.is_none() {
        return;
    }
    let mut window = Window::open();
    let Some(_disk) = SmallDisk::mount(&window.home.path().join("home")) else { return };
    let table = window.file("sales.csv", "region,amount\nNorth,10\n");
    let server = ScriptedServer::start(vec![
        python("Look", "print('seen')"),
        python("Write much", "open('/workspace/output/much.csv', 'w').write('x' * 4_000_000)"),
    ]);
    window.use_model(&server);
    let run = window.start(&table, "How much?").await;
    let problem = window.closed(1).await["problem"].clone();
    assert_eq!(problem["message"], "The disk of this computer is full.", "{problem}");
    window.restart();
    let view = window.desk.open_run(&run).unwrap();
    assert_eq!(view.summary.status, "failed");
    let ended: Vec<&Value> = view.events.iter().filter(|event| event["event"] == "step_ended").collect();
    assert_eq!(ended.len(), 1);
    assert!(view.artifacts.is_empty(), "{:?}", view.artifacts);
}

/// Sandboxes that `filter` finds, whether they run or not.
fn sandboxes(filter: &str) -> Vec<String> {
    let arguments = ["ps", "--all", "--quiet", "--no-trunc", "--filter", filter];
    let listed = std::process::Command::new("docker").args(arguments).output().unwrap();
    String::from_utf8(listed.stdout).unwrap().lines().map(str::to_owned).collect()
}

/// Waits until the only sandboxes with this file in them are such that `is_so` holds.
async fn sandboxes_with(file: &Path, is_so: impl Fn(&[String]) -> bool) -> Vec<String> {
    let begun = Instant::now();
    loop {
        let found = sandboxes(&format!("volume={}", file.display()));
        if is_so(&found) {
            return found;
        }
        assert!(begun.elapsed() < Duration::from_secs(30), "{found:?}");
        tokio::time::sleep(Duration::from_millis(100)).await;
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn field_062_one_sandbox_is_opened_ahead_for_the_chosen_files_and_goes_when_it_does_not_fit() {
    if docker().await.is_none() {
        return;
    }
    let window = Window::open();
    let desk = &window.desk;
    let content = "region,amount\nNorth,10\nSouth,20\nNorth,30\n";
    let sales = window.file("sales.csv", content);
    let add = |path: &PathBuf| desk.add_files(std::slice::from_ref(path)).files[0].id.clone();
    let ask = |files: &[&String]| RunAsk {
        files: files.iter().map(|&id| id.clone()).collect(),
        ask: "Give an overview".into(),
        ..RunAsk::default()
    };
    let first = add(&sales);
    let ahead = sandboxes_with(&sales, |found| found.len() == 1).await;
    let run = desk.start_run(&ask(&[&first]), window.sink()).await.unwrap();
    window.closed(1).await;
    assert_eq!(sandboxes(&format!("label=assay.run={run}")), ahead, "the run has it, and bears its name");
    assert_eq!(window.heard("opening_sandbox").len(), 1);

    // With a further file it is opened for both, and anew when what it has is no longer what lies there.
    let costs = window.file("costs.csv", content);
    let second = add(&costs);
    let with_both = sandboxes_with(&costs, |found| found.len() == 1).await;
    assert_eq!(
        sandboxes_with(&sales, |found| found.len() == 2).await.iter().filter(|one| **one == ahead[0]).count(),
        1
    );
    std::fs::write(&costs, content.replace("30", "40")).unwrap();
    let run = desk.start_run(&ask(&[&first, &second]), window.sink()).await.unwrap();
    window.closed(2).await;
    let of_run = sandboxes(&format!("label=assay.run={run}"));
    assert!(of_run.len() == 1 && of_run != with_both, "{of_run:?}");
    assert_eq!(sandboxes_with(&costs, |found| found.len() == 1).await, of_run);

    // Other settings are another sandbox; without files there is none.
    let prices = window.file("prices.csv", content);
    let third = add(&prices);
    let roomy = sandboxes_with(&prices, |found| found.len() == 1).await;
    let mut settings = desk.settings().unwrap();
    settings.limits.minutes += 1;
    desk.save_settings(settings).unwrap();
    sandboxes_with(&prices, |found| found.len() == 1 && *found != roomy).await;
    for id in [&first, &second, &third] {
        desk.remove_file(id);
    }
    sandboxes_with(&prices, <[String]>::is_empty).await;

    // At the end nothing is left.
    add(&prices);
    sandboxes_with(&prices, |found| found.len() == 1).await;
    desk.close().await;
    for file in [&sales, &costs, &prices] {
        sandboxes_with(file, <[String]>::is_empty).await;
    }
}
