//! Whole runs whose code is run by a provider: nothing leaves unasked, all that leaves is on record, nothing stays there.

#![allow(clippy::unwrap_used, clippy::expect_used, reason = "a test ends where its own set-up fails")]

use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

use assay_engine::{
    ApiKey, Code, Consent, Desk, Engine, Event, Give, HostedKey, HostedProvider, HostedSettings, KeyPlace,
    ModelChoice, ModelSettings, RemoteConfig, RemoteModel, Rows, RunAsk, RunEvent, RunRequest, RunStatus,
    RuntimeChoice, SandboxSettings, Settings, StopToken, WindowEvent, Wire,
};
use assay_testkit::{HostedServer, HostedTrouble, Reply, ScriptedServer};
use serde_json::{Value, json};

/// A table with a word that stands nowhere else.
const TABLE: &str = "region,amount\nNorth,10\nSouth,20\nZanzibar,30\n";

fn python(code: &str) -> Reply {
    Reply::call("run_python", json!({"title": "Working", "code": code}))
}

fn table(folder: &Path) -> PathBuf {
    let table = folder.join("sales 2025.csv");
    std::fs::write(&table, TABLE).unwrap();
    table
}

/// An app whose code runs at that provider.
fn engine(home: &Path, provider: &HostedServer, consent: Consent) -> Engine {
    let hosted = HostedSettings { base_url: provider.url(), consent, ..HostedSettings::default() };
    let sandbox = SandboxSettings {
        runtime: RuntimeChoice::Hosted,
        hosted,
        hosted_key: HostedKey::new(HostedServer::KEY),
        ..SandboxSettings::default()
    };
    Engine::new(Some(home.to_owned()), sandbox).unwrap()
}

fn request(folder: &Path, model: &ScriptedServer) -> RunRequest {
    RunRequest {
        files: vec![table(folder)],
        ask: "How much is it?".into(),
        model: ModelChoice::Remote(Box::new(RemoteConfig {
            api_key: ApiKey::new("sk-model"),
            ..RemoteConfig::new(Wire::ChatCompletions, model.url(), ScriptedServer::MODEL)
        })),
        give: Give::ANSWER,
        ..RunRequest::default()
    }
}

fn posts(provider: &HostedServer) -> usize {
    provider.requests().iter().filter(|request| request.line.starts_with("POST")).count()
}

#[tokio::test]
async fn a_run_whose_container_ends_goes_on_with_its_variables_and_records_all_that_left() {
    let provider = HostedServer::start(30.0);
    let model = ScriptedServer::start(vec![
        python("import csv\nrows = list(csv.DictReader(open('input/sales 2025.csv')))\nprint(len(rows))"),
        python("print(sum(int(row['amount']) for row in rows))"),
        python(
            "import time\ntime.sleep(3)\nopen('output/n.txt', 'w').write(str(len(rows)))\nprint('kept', len(rows))",
        ),
        Reply::text("60 in all."),
    ]);
    let folder = tempfile::tempdir().unwrap();
    let home = folder.path().join("home");
    let mut events = Vec::new();
    let watch = |event: &RunEvent| {
        match event {
            RunEvent::Agent(Event::StepEnded { step: 1, .. }) => provider.expire(),
            RunEvent::Agent(Event::StepEnded { step: 2, .. }) => {
                provider.plan(HostedTrouble::ExpiresMeanwhile);
            }
            _ => {}
        }
        events.push(event.clone());
    };
    let engine = engine(&home, &provider, Consent::FilesMayLeave);
    let request = request(folder.path(), &model);
    let result = engine.run(&request, watch, &StopToken::new()).await.unwrap();
    assert_eq!((result.status, result.answer.as_str()), (RunStatus::Done, "60 in all."), "{result:?}");
    let restored: Vec<_> = events
        .iter()
        .filter_map(|event| match event {
            RunEvent::Agent(Event::SandboxRestored { steps, different }) => Some((*steps, different.len())),
            _ => None,
        })
        .collect();
    assert_eq!(restored, [(1, 0), (2, 0)], "before a step, and during one");
    let told: Vec<String> = model.requests().iter().map(|request| request.body.to_string()).collect();
    assert!(told[2].contains("60") && told[3].contains("kept 3"), "{}", told[3]);
    assert_eq!(std::fs::read_to_string(result.folder.join("n.txt")).unwrap(), "3");
    assert_eq!(provider.names(), [""; 0], "nothing is left at the provider");

    let desk = Desk::new(Some(home));
    let host = provider.url().trim_start_matches("http://").trim_end_matches("/v1").to_owned();
    let sent = desk.sent(&result.id).unwrap();
    let to_provider: Vec<usize> = sent.iter().filter(|one| one.host == host).map(|one| one.number).collect();
    assert_eq!(to_provider.len(), posts(&provider), "each is on record");
    let texts: Vec<String> = sent.iter().map(|one| text_of(&desk, &result.id, one.number)).collect();
    let uploads = to_provider.iter().filter(|number| texts[**number].contains("assay-files-0, ")).count();
    assert_eq!(uploads, 3, "the files, once for each container");
    assert!(
        to_provider.iter().all(|number| !texts[*number].contains("Zanzibar")),
        "their content is not kept"
    );
    assert!(to_provider.iter().all(|number| !texts[*number].contains(HostedServer::KEY)));
    let last = texts.iter().rev().find(|text| text.contains("kept 3")).unwrap();
    let last: Value = serde_json::from_str(last).unwrap();
    assert_eq!(&last, &model.requests().last().unwrap().body, "what the model was sent is whole in between");
    let view = desk.open_run(&result.id).unwrap();
    assert_eq!(view.sent.requests as usize, sent.len());
    assert!(view.sent.hosts.contains(&host));
    let tar = sent.iter().find(|one| texts[one.number].contains("assay-files-0, ")).unwrap();
    assert!(tar.bytes > TABLE.len() as u64, "counted as what it is");
}

fn text_of(desk: &Desk, run: &str, number: usize) -> String {
    desk.sent_text(run, number).unwrap().into_iter().map(|part| part.text).collect()
}

#[tokio::test]
async fn what_left_for_a_sandbox_that_did_not_open_is_on_record_too() {
    let provider = HostedServer::start(30.0);
    (0..2).for_each(|_| provider.plan(HostedTrouble::NoCall));
    let model = ScriptedServer::start(Vec::new());
    let folder = tempfile::tempdir().unwrap();
    let home = folder.path().join("home");
    let engine = engine(&home, &provider, Consent::FilesMayLeave);
    let result = engine.run(&request(folder.path(), &model), |_| {}, &StopToken::new()).await.unwrap();
    assert_eq!(result.status, RunStatus::Failed);
    assert_eq!(result.problem.unwrap().message, "The provider did not run the code as it was asked to.");
    let desk = Desk::new(Some(home));
    let sent = desk.sent(&result.id).unwrap();
    let is_upload = |number: &usize| text_of(&desk, &result.id, *number).contains("assay-files-0, ");
    assert_eq!(sent.iter().map(|one| one.number).filter(is_upload).count(), 1);
    assert_eq!(provider.names(), [""; 0]);
}

#[tokio::test]
async fn rows_that_are_to_stay_here_do_not_go_to_a_provider() {
    let provider = HostedServer::start(30.0);
    let model = ScriptedServer::start(Vec::new());
    let folder = tempfile::tempdir().unwrap();
    let engine = engine(&folder.path().join("home"), &provider, Consent::FilesMayLeave);
    let request = RunRequest { rows: Rows::KeptHere, ..request(folder.path(), &model) };
    let problem = engine.run(&request, |_| {}, &StopToken::new()).await.unwrap_err();
    assert_eq!(problem.code, Code::Input, "{problem:?}");
    assert!((provider.requests().len(), model.requests().len()) == (0, 0));
}

/// Waits until so many questions have come to their end.
async fn closed(heard: &Mutex<Vec<Value>>, count: usize) -> Value {
    let begun = Instant::now();
    loop {
        let ends: Vec<Value> =
            heard.lock().unwrap().iter().filter(|event| event["event"] == "run_closed").cloned().collect();
        if let Some(end) = ends.get(count - 1) {
            return end.clone();
        }
        assert!(begun.elapsed() < Duration::from_mins(2), "{:?}", heard.lock().unwrap().last());
        tokio::time::sleep(Duration::from_millis(50)).await;
    }
}

#[tokio::test]
async fn at_a_window_nothing_leaves_before_consent_or_after_it_was_withdrawn_and_no_container_waits() {
    let provider = HostedServer::start(30.0);
    let report = format!("# Sales\n\n{}", "This is what was found in the table, step by step. ".repeat(3));
    let model = ScriptedServer::start(vec![
        python("x = 40\nprint(x)"),
        Reply::call("write_file", json!({"path": "output/report.md", "content": report})),
        Reply::text("It is done."),
        python("print(x + 2)"),
        Reply::text("42"),
    ]);
    let folder = tempfile::tempdir().unwrap();
    let home = folder.path().join("home");
    let desk = Desk::new(Some(home.clone()));
    let hosted = HostedProvider {
        base_url: provider.url(),
        key: Some(HostedServer::KEY.into()),
        key_place: Some(KeyPlace::Session),
        ..HostedProvider::default()
    };
    let thinker = ModelSettings::Remote(RemoteModel {
        base_url: model.url(),
        model: ScriptedServer::MODEL.into(),
        key: Some("sk-model".into()),
        key_place: Some(KeyPlace::Session),
        ..RemoteModel::default()
    });
    let settings = Settings { model: thinker, runtime: RuntimeChoice::Hosted, hosted, ..Settings::default() };
    desk.save_settings(settings).unwrap();
    let kept = desk.settings().unwrap();
    assert_eq!((kept.hosted.key_place, kept.hosted.key), (Some(KeyPlace::Session), None));

    let heard = Arc::new(Mutex::new(Vec::new()));
    let sink = || -> Box<dyn Fn(Vec<WindowEvent>) + Send> {
        let heard = heard.clone();
        Box::new(move |events| {
            let events = events.iter().map(|event| serde_json::to_value(event).unwrap());
            heard.lock().unwrap().extend(events);
        })
    };
    let file = desk.add_files(&[table(folder.path())]).files.remove(0);
    let ask = RunAsk { files: vec![file.id], ask: "How much?".into(), ..RunAsk::default() };
    let refused = desk.start_run(&ask, sink()).await.unwrap_err();
    assert!(refused.message.starts_with("The files of a run would leave this computer"), "{refused:?}");
    let doctor = desk.diagnose(&assay_engine::EngineChoice::Usual).await.unwrap();
    assert!(doctor.checks[0].problem.as_ref().is_some_and(|problem| problem.message == refused.message));
    assert_eq!(provider.requests().len(), 0, "nothing at all was asked");

    let terms = desk.hosted_terms(&provider.url()).unwrap();
    assert!(terms.agreed_at.is_none() && terms.caveats.len() == 10, "{terms:?}");
    desk.agree_to_hosted(&provider.url()).unwrap();
    assert!(desk.hosted_terms(&format!("{}/", provider.url())).unwrap().agreed_at.is_some());
    assert!(desk.hosted_terms("https://elsewhere.example/v1").unwrap().agreed_at.is_none());

    let run = desk.start_run(&ask, sink()).await.unwrap();
    assert_eq!(closed(&heard, 1).await["problem"], Value::Null);
    assert_eq!(provider.names(), [""; 0], "no container waits for a further question");
    let view = desk.open_run(&run).unwrap();
    assert!(!view.live && view.sent.rows == Rows::Shown, "{:?}", view.sent);

    desk.follow_up(&run, Some("And two more?"), sink()).await.unwrap();
    assert_eq!(closed(&heard, 2).await["problem"], Value::Null);
    let told = model.requests().last().unwrap().body.to_string();
    assert!(told.contains("42"), "the variables were there again: {told}");
    assert_eq!(provider.names(), [""; 0]);

    desk.withdraw_from_hosted(&provider.url()).unwrap();
    let before = provider.requests().len();
    assert!(desk.follow_up(&run, Some("More?"), sink()).await.is_err());
    assert!(desk.start_run(&ask, sink()).await.is_err());
    assert_eq!(provider.requests().len(), before);
    desk.close().await;
    let everything = Command::new("grep").args(["-r", HostedServer::KEY]).arg(&home).output().unwrap();
    assert_eq!(everything.status.code(), Some(1), "the key is in no file: {everything:?}");
}

fn assay(home: &Path, arguments: &[&str]) -> Output {
    let mut command = Command::new(env!("CARGO_BIN_EXE_assay"));
    for name in ["ASSAY_MODEL", "ASSAY_BASE_URL", "ASSAY_API_KEY", "ASSAY_LOG"] {
        command.env_remove(name);
    }
    command.env("ASSAY_HOME", home).env("ASSAY_HOSTED_KEY", HostedServer::KEY);
    command.args(arguments).stdin(Stdio::null()).output().unwrap()
}

#[test]
fn the_command_says_what_leaves_and_asks_a_provider_only_after_a_word() {
    let provider = HostedServer::start(30.0);
    let model = ScriptedServer::start(vec![python("print(6 * 7)"), Reply::text("42")]);
    let folder = tempfile::tempdir().unwrap();
    let home = folder.path().join("home");
    let table = table(folder.path()).to_string_lossy().into_owned();
    let (url, model_url) = (provider.url(), model.url());
    let hosted = ["--runtime", "hosted", "--hosted-url", &url];
    let run = [
        &["run", &table, "--ask", "How much?", "--answer-only", "--model", ScriptedServer::MODEL][..],
        &["--base-url", &model_url],
        &hosted,
    ]
    .concat();
    let with = |arguments: &[&str], more: &[&str]| assay(&home, &[arguments, more].concat());
    let said = |output: &Output| {
        String::from_utf8_lossy(&[&output.stdout[..], &output.stderr].concat()).into_owned()
    };

    for arguments in [&run[..], &[&["doctor"][..], &hosted].concat()] {
        let refused = with(arguments, &[]);
        assert_eq!(refused.status.code(), Some(3), "{}", said(&refused));
        let sentence = format!("would leave this computer: they are sent to {url}, where the code runs.");
        assert!(said(&refused).contains(&sentence), "{}", said(&refused));
        assert!(said(&refused).contains("--files-may-leave. What it means:\n- The files, the code"));
    }
    let kept_here = with(&run, &["--files-may-leave", "--keep-rows"]);
    assert_eq!(kept_here.status.code(), Some(2), "{}", said(&kept_here));
    let two_places = with(&run, &["--files-may-leave", "--engine", "box"]);
    assert_eq!(two_places.status.code(), Some(2), "{}", said(&two_places));
    assert_eq!(provider.requests().len(), 0);

    let doctor = with(&["doctor", "--sandbox", "--files-may-leave"], &hosted);
    assert_eq!(doctor.status.code(), Some(0), "{}", said(&doctor));
    for words in ["Engine: code interpreter of 127.0.0.1", "files of a run are sent there", "not here"] {
        assert!(said(&doctor).contains(words), "{words} in {}", said(&doctor));
    }
    let done = with(&run, &["--files-may-leave", "--json"]);
    assert_eq!(done.status.code(), Some(0), "{}", said(&done));
    assert!(said(&done).contains(r#""runtime":"hosted""#) && !said(&done).contains(HostedServer::KEY));
    assert_eq!(provider.names(), [""; 0]);
    let wrong = Command::new(env!("CARGO_BIN_EXE_assay"))
        .args([&["doctor", "--files-may-leave"][..], &hosted].concat())
        .env("ASSAY_HOME", &home)
        .env("ASSAY_HOSTED_KEY", "sk-mistyped")
        .output()
        .unwrap();
    assert!(said(&wrong).contains("does not accept the key") && !said(&wrong).contains("sk-mistyped"));
}
