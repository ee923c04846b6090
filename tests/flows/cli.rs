//! The `assay` command as a person runs it.

#![allow(clippy::unwrap_used, clippy::expect_used, reason = "a test ends where its own set-up fails")]

use std::io::{BufRead, BufReader};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Output, Stdio};
use std::time::{Duration, Instant};

use assay_testkit::{Reply, ScriptedServer};
use assay_tests::{docker, local, local_home, skip};
use serde_json::{Value, json};

const SAMPLE: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../engine/sample/building_energy.csv");
const TRUTH: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../engine/sample/truth.json");
const SHARED: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../../../../shared/data");

/// The command with a home of its own and none of this machine's settings.
fn assay(home: &Path) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_assay"));
    for name in ["ASSAY_MODEL", "ASSAY_BASE_URL", "ASSAY_API_KEY", "ASSAY_LOG"] {
        command.env_remove(name);
    }
    command.env("ASSAY_HOME", home).stdin(Stdio::null());
    command
}

fn text(bytes: &[u8]) -> String {
    String::from_utf8(bytes.to_vec()).unwrap()
}

fn ready() -> bool {
    tokio::runtime::Runtime::new().unwrap().block_on(docker()).is_some()
}

fn lines(output: &Output) -> Vec<Value> {
    text(&output.stdout).lines().map(|line| serde_json::from_str(line).unwrap()).collect()
}

/// Rows of a CSV file as maps.
fn rows(path: &Path) -> Vec<std::collections::HashMap<String, String>> {
    let mut reader = csv::Reader::from_path(path).unwrap();
    reader.deserialize().map(Result::unwrap).collect()
}

fn containers_of(run: &str) -> String {
    let filter = format!("label=assay.run={run}");
    let listed = Command::new("docker").args(["ps", "-aq", "--filter", &filter]).output().unwrap();
    text(&listed.stdout)
}

#[test]
fn the_reference_case_finds_what_was_placed_in_the_sample() {
    if !ready() {
        return;
    }
    let home = tempfile::tempdir().unwrap();
    let out = home.path().join("out");
    let before = std::fs::read(SAMPLE).unwrap();
    let output = assay(home.path())
        .args(["run", SAMPLE, "--ask", "Find unusual energy use and explain it", "--out"])
        .arg(&out)
        .output()
        .unwrap();
    let said = text(&output.stderr);
    assert_eq!(output.status.code(), Some(0), "{said}");
    assert!(said.contains("building_energy.csv: 8,760 rows, 3 columns"), "{said}");
    assert!(said.contains("built-in analyst (rules, no AI"), "{said}");
    assert!(text(&output.stdout).contains(out.join("report.md").to_str().unwrap()));
    assert_eq!(std::fs::read(SAMPLE).unwrap(), before, "the person's file is never changed");

    let report = std::fs::read_to_string(out.join("report.md")).unwrap();
    assert!(report.contains("](charts/") && report.contains("](anomalies.csv)"), "{report}");
    let anomalies = rows(&out.join("anomalies.csv"));
    let truth: Value = serde_json::from_str(&std::fs::read_to_string(TRUTH).unwrap()).unwrap();
    let mut explained = 0;
    for placed in truth["events"].as_array().unwrap() {
        let (start, end) = (placed["start"].as_str().unwrap(), placed["end"].as_str().unwrap());
        if placed["column"] != "energy_kwh" {
            assert!(report.contains(&start[..10]) || report.contains("temperature"), "{placed}");
            continue;
        }
        let hits = anomalies.iter().filter(|row| (start..=end).contains(&row["timestamp"].as_str())).count();
        assert!(hits > 0, "not found: {placed}");
        explained += hits;
    }
    let others = anomalies.len() - explained;
    assert!(others * 5 <= anomalies.len(), "{others} of {} readings were not placed", anomalies.len());
    for row in &anomalies {
        for column in ["timestamp", "energy_kwh", "expected", "score", "event"] {
            assert!(!row[column].is_empty(), "{row:?}");
        }
    }
    let events = rows(&out.join("events.csv")).len();
    assert!(events < 25, "{events} events in a year");
}

#[test]
fn a_run_is_checked_exported_and_done_again() {
    if !ready() {
        return;
    }
    let home = tempfile::tempdir().unwrap();
    let run = |arguments: &[&str]| {
        let output = assay(home.path()).args(arguments).current_dir(home.path()).output().unwrap();
        (output.status.code(), text(&output.stdout), text(&output.stderr))
    };
    let (code, _, said) = run(&["run", SAMPLE, "--ask", "Find unusual energy use and explain it"]);
    assert_eq!(code, Some(0), "{said}");
    let (code, told, _) = run(&["check", "latest"]);
    assert_eq!(code, Some(0), "{told}");
    assert!(
        told.contains("figures were computed or given.") && told.contains("Rows before and after"),
        "{told}"
    );

    let name = "Find unusual energy use and explain it";
    for (form, file, start) in [
        ("pdf", format!("{name}.pdf"), "%PDF-"),
        ("html", format!("{name}.html"), "<!DOCTYPE html>"),
        ("docx", format!("{name}.docx"), "PK"),
        ("xlsx", format!("{name}.xlsx"), "PK"),
        ("notebook", format!("{name}.ipynb"), "{"),
        ("bundle", format!("{name}.zip"), "PK"),
    ] {
        let (code, told, said) = run(&["export", "latest", "--to", form]);
        assert_eq!((code, told.trim()), (Some(0), file.as_str()), "{said}");
        assert!(std::fs::read(home.path().join(file)).unwrap().starts_with(start.as_bytes()), "{form}");
    }
    let (code, _, said) = run(&["export", "latest", "--to", "markdown"]);
    assert!(code == Some(2) && said.contains("is there already") && said.contains("--replace"), "{said}");
    let (code, ..) = run(&["export", "latest", "--to", "markdown", "--replace"]);
    assert_eq!(code, Some(0));
    let (code, _, said) = run(&["export", "latest", "--to", "papyrus"]);
    assert!(code == Some(2) && said.contains("[possible values: pdf, "), "{said}");

    // The first half of the year, with the columns named otherwise.
    let sample = std::fs::read_to_string(SAMPLE).unwrap();
    let half: Vec<&str> = sample.lines().skip(1).take(4380).collect();
    let half = format!("timestamp,energy (kWh),outdoor_temp_c\n{}\n", half.join("\n"));
    std::fs::write(home.path().join("half.csv"), half).unwrap();
    let (code, _, said) = run(&["rerun", "latest", "half.csv"]);
    assert!(code == Some(2) && said.contains("--column 'energy_kwh=energy (kWh)'"), "{said}");
    let (code, told, said) = run(&["rerun", "latest", "half.csv", "--column", "energy_kwh=energy (kWh)"]);
    assert_eq!(code, Some(0), "{said}");
    assert!(told.contains("What changed, from building_energy.csv to half.csv:"), "{told}");
    let report = told.lines().find_map(|line| line.strip_prefix("Report  ")).unwrap();
    let report = std::fs::read_to_string(report).unwrap().replace('\\', "");
    assert!(report.contains("4,380 rows of input/half.csv were read"), "{report}");
}

#[test]
fn real_buildings_show_their_outages_and_a_clean_one_stays_quiet() {
    let shared = Path::new(SHARED).join("energy");
    let Ok(windows) = std::fs::read_to_string(shared.join("fault_windows.json")) else {
        eprintln!("SKIPPED: {} is not there", shared.display());
        return;
    };
    if !ready() {
        return;
    }
    let windows: Value = serde_json::from_str(&windows).unwrap();
    for (file, faults) in windows.as_object().unwrap() {
        let home = tempfile::tempdir().unwrap();
        let out = home.path().join("out");
        let output = assay(home.path())
            .arg("run")
            .arg(shared.join(file))
            .args(["--ask", "Find unusual energy use and explain it", "--out"])
            .arg(&out)
            .output()
            .unwrap();
        assert_eq!(output.status.code(), Some(0), "{file}: {}", text(&output.stderr));
        let anomalies = rows(&out.join("anomalies.csv"));
        for window in faults.as_array().unwrap() {
            let (start, end) = (window[0].as_str().unwrap(), window[1].as_str().unwrap());
            let hits =
                anomalies.iter().filter(|row| (start..=end).contains(&row["timestamp"].as_str())).count();
            assert!(hits > 0, "{file}: the outage {window} was not found");
        }
        let events = rows(&out.join("events.csv")).len();
        if file == "cam_b51_2010.csv" {
            assert!(events <= 5, "{file}: {events} events in a clean year");
        }
    }
}

#[test]
fn an_overview_of_any_table_is_complete() {
    let Ok(entries) = std::fs::read_dir(Path::new(SHARED).join("business")) else {
        eprintln!("SKIPPED: {SHARED}/business is not there");
        return;
    };
    if !ready() {
        return;
    }
    let mut tables: Vec<PathBuf> =
        entries.map(|entry| entry.unwrap().path()).filter(|path| path.is_file()).collect();
    tables.sort();
    for table in tables {
        let home = tempfile::tempdir().unwrap();
        let output = assay(home.path())
            .arg("run")
            .arg(&table)
            .args(["--ask", "What is in here?", "--json"])
            .output()
            .unwrap();
        let result = lines(&output).pop().unwrap();
        assert_eq!(output.status.code(), Some(0), "{}: {result}", table.display());
        let report = result["result"]["report"].as_str().unwrap();
        assert!(std::fs::metadata(report).unwrap().len() > 500, "{}", table.display());
    }
}

#[test]
fn field_006_021_053_bad_input_gets_one_sentence_and_the_next_step() {
    let folder = tempfile::tempdir().unwrap();
    let file = |name: &str, content: &[u8]| {
        let path = folder.path().join(name);
        std::fs::write(&path, content).unwrap();
        path
    };
    let cases = [
        (folder.path().join("none.csv"), "There is no file called"),
        (file("empty.csv", b""), "empty.csv is empty."),
        (file("header.csv", b"a,b,c\n"), "header.csv has a header but no rows."),
        (
            file("picture.csv", b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR\0\0\0\0"),
            "picture.csv is not a table: it looks like a picture.",
        ),
        (file("program.csv", b"\x7fELF\x02\x01\x01\0\0\0\0\0\0\0\0\0\0\0"), "program.csv is not a table"),
        (
            file("x.pdf", b"%PDF-1.7\n%\xe2\xe3\xcf\xd3\n1 0 obj\n"),
            "x.pdf is not a table: it looks like a PDF document.",
        ),
        (folder.path().to_path_buf(), "is a folder, not a table file."),
    ];
    for (path, sentence) in cases {
        let output =
            assay(&folder.path().join("home")).arg("run").arg(&path).args(["--ask", "x"]).output().unwrap();
        let said = text(&output.stderr);
        assert_eq!(output.status.code(), Some(2), "{}: {said}", path.display());
        let lines: Vec<&str> = said.lines().filter(|line| !line.starts_with(' ')).collect();
        assert!(lines[0].contains(sentence), "{}: {said}", path.display());
        assert!(lines.len() >= 2 && lines[1].ends_with('.'), "a next step: {said}");
        assert!(
            !said.contains("panicked") && !said.contains("Traceback") && !said.contains("codec"),
            "{said}"
        );
        assert_eq!(text(&output.stdout), "");
    }
    let good = file("good.csv", b"a,b\n1,2\n");
    let output = assay(folder.path()).arg("run").arg(&good).args(["--ask", " "]).output().unwrap();
    assert_eq!(
        (output.status.code(), text(&output.stderr).lines().next()),
        (Some(2), Some("No question was asked."))
    );
    let full = folder.path().to_str().unwrap();
    let output =
        assay(folder.path()).arg("run").arg(&good).args(["--ask", "x", "--out", full]).output().unwrap();
    assert_eq!(output.status.code(), Some(2));
    assert!(text(&output.stderr).contains("is not empty, and nothing in it is overwritten."));
}

#[test]
fn field_053_056_an_engine_that_does_not_run_is_told_before_anything_is_spent() {
    let folder = tempfile::tempdir().unwrap();
    let table = folder.path().join("t.csv");
    std::fs::write(&table, "a,b\n1,2\n").unwrap();
    let stale = folder.path().join("docker.sock");
    drop(std::os::unix::net::UnixListener::bind(&stale).unwrap());
    let server = ScriptedServer::start(vec![Reply::text("never")]);
    let sentence = "The sandbox engine (Docker) is not running.";
    for socket in [stale.to_str().unwrap(), "/nonexistent/docker.sock"] {
        let output = assay(folder.path())
            .arg("run")
            .arg(&table)
            .args(["--ask", "x", "--model", ScriptedServer::MODEL, "--base-url", &server.url()])
            .args(["--docker-host", &format!("unix://{socket}")])
            .output()
            .unwrap();
        let said = text(&output.stderr);
        assert_eq!(output.status.code(), Some(3), "{said}");
        assert!(said.contains(sentence) && said.contains("Start it with"), "{said}");
        let doctor = assay(folder.path())
            .args(["doctor", "--docker-host", &format!("unix://{socket}")])
            .output()
            .unwrap();
        assert_eq!(doctor.status.code(), Some(3));
        assert!(text(&doctor.stdout).contains(sentence), "{}", text(&doctor.stdout));
    }
    assert_eq!(server.requests().len(), 0, "nothing was sent");
}

/// Where no engine listens.
const NO_ENGINE: &str = "unix:///nonexistent/docker.sock";

/// A home that has the packages of the local runtime; `None` after a loud skip.
#[cfg(unix)]
fn home_with_packages() -> Option<tempfile::TempDir> {
    tokio::runtime::Runtime::new().unwrap().block_on(local())?;
    let home = tempfile::tempdir().unwrap();
    std::fs::create_dir(home.path().join("local")).unwrap();
    let packages = local_home().join("environments");
    std::os::unix::fs::symlink(packages, home.path().join("local/environments")).unwrap();
    Some(home)
}

#[cfg(unix)]
#[test]
fn without_an_engine_this_computer_seals_the_run_itself_and_says_so() {
    let Some(home) = home_with_packages() else { return };
    let out = home.path().join("out");
    let doctor = assay(home.path()).arg("doctor").env("DOCKER_HOST", NO_ENGINE).output().unwrap();
    let told = text(&doctor.stdout);
    assert_eq!(doctor.status.code(), Some(0), "{told}");
    assert!(told.contains("Engine: this computer itself, by bubblewrap"), "{told}");
    assert!(told.contains("The number of files is watched"), "what cannot be held is said: {told}");
    let output = assay(home.path())
        .args(["run", SAMPLE, "--ask", "Find unusual energy use and explain it", "--out"])
        .arg(&out)
        .env("DOCKER_HOST", NO_ENGINE)
        .output()
        .unwrap();
    assert_eq!(output.status.code(), Some(0), "{}", text(&output.stderr));
    let report = std::fs::read_to_string(out.join("report.md")).unwrap();
    assert!(report.contains("](charts/") && rows(&out.join("anomalies.csv")).len() > 10, "{report}");
    let record: Value =
        serde_json::from_str(&std::fs::read_to_string(out.join("assay-run.json")).unwrap()).unwrap();
    assert_eq!(record["run"]["runtime"], "local");
    let again = assay(home.path())
        .args(["run", SAMPLE, "--ask", "Find unusual energy use", "--runtime", "local", "--json"])
        .output()
        .unwrap();
    let events = lines(&again);
    let facts = events.iter().find_map(|event| event.get("facts")).unwrap_or_else(|| panic!("{events:?}"));
    assert_eq!(facts["runtime"], "local");
    assert!(facts["gaps"].as_array().is_some_and(|gaps| !gaps.is_empty()), "{facts}");
    assert!(facts["inventory"]["packages"]["pandas"].is_string(), "{facts}");
}

#[cfg(unix)]
#[test]
fn what_is_chosen_is_used_and_nothing_else() {
    let Some(home) = home_with_packages() else { return };
    let doctor = |home: &Path, arguments: &[&str]| {
        let output =
            assay(home).arg("doctor").args(arguments).env("DOCKER_HOST", NO_ENGINE).output().unwrap();
        (output.status.code(), text(&output.stdout))
    };
    let stopped = "The sandbox";
    for chosen in [&["--runtime", "docker"][..], &["--docker-host", NO_ENGINE], &["--image", "python:3"]] {
        let (code, told) = doctor(home.path(), chosen);
        assert!(code == Some(3) && told.contains(stopped) && told.contains("Docker"), "{told}");
    }
    let bare = tempfile::tempdir().unwrap();
    let (code, told) = doctor(bare.path(), &[]);
    assert!(code == Some(3) && told.contains("ready      Engine: this computer itself"), "{told}");
    assert!(told.contains("The sandbox has not been made on this computer yet."), "{told}");
    assert!(told.contains("assay doctor --make"), "{told}");
    // Without bubblewrap there is neither, and both ways out are named.
    let program = env!("CARGO_BIN_EXE_assay");
    let hidden = Command::new("bwrap")
        .args([
            "--bind",
            "/",
            "/",
            "--dev-bind",
            "/dev",
            "/dev",
            "--ro-bind",
            "/dev/null",
            "/usr/bin/bwrap",
            "--",
        ])
        .args([program, "doctor"])
        .env("ASSAY_HOME", home.path())
        .env("DOCKER_HOST", NO_ENGINE)
        .output()
        .unwrap();
    let told = text(&hidden.stdout);
    assert_eq!(hidden.status.code(), Some(3), "{told}");
    assert!(told.contains("Or do without Docker: Install it") && told.contains("bubblewrap"), "{told}");
}

#[test]
fn a_model_that_cannot_be_used_is_told_before_a_sandbox_is_opened() {
    if !ready() {
        return;
    }
    let folder = tempfile::tempdir().unwrap();
    let table = folder.path().join("t.csv");
    std::fs::write(&table, "a,b\n1,2\n").unwrap();
    let server = ScriptedServer::start(vec![Reply::text("never")]);
    let run = |model: &str, url: &str| {
        let output = assay(folder.path())
            .arg("run")
            .arg(&table)
            .args(["--ask", "x", "--model", model, "--base-url", url])
            .env("ASSAY_API_KEY", "sk-cli-secret")
            .output()
            .unwrap();
        let said = text(&output.stderr);
        assert_eq!(output.status.code(), Some(3), "{said}");
        assert!(!said.contains("sk-cli-secret"), "{said}");
        said
    };
    let unknown = run("gpt-unknown", &server.url());
    assert!(
        unknown.contains("The provider does not know this model") && unknown.contains(ScriptedServer::MODEL),
        "{unknown}"
    );
    server.list_models(Reply::status(401, &[], r#"{"error":{"message":"bad key sk-cli-secret"}}"#));
    assert!(
        run(ScriptedServer::MODEL, &server.url()).contains("The model's provider does not accept the key.")
    );
    let url = server.url();
    drop(server);
    assert!(run(ScriptedServer::MODEL, &url).contains("Nobody answers at 127.0.0.1"));
}

#[test]
fn doctor_says_what_is_ready() {
    if !ready() {
        return;
    }
    let home = tempfile::tempdir().unwrap();
    let output = assay(home.path()).arg("doctor").output().unwrap();
    let said = text(&output.stdout);
    assert_eq!(output.status.code(), Some(0), "{said}");
    for line in [
        "ready      Engine: Docker ",
        "ready      Image: assay-sandbox:",
        "ready      Model: built-in analyst (rules, no AI",
        "Everything is ready.",
    ] {
        assert!(said.contains(line), "{line} is not in\n{said}");
    }
    let missing =
        assay(home.path()).args(["doctor", "--image", "assay-no-such:0", "--json"]).output().unwrap();
    assert_eq!(missing.status.code(), Some(3));
    let diagnosis: Value = serde_json::from_slice(&missing.stdout).unwrap();
    assert_eq!(diagnosis["checks"][1]["problem"]["code"], "other_image");
}

#[test]
fn doctor_looks_into_a_sandbox_and_names_the_runtimes_of_the_engine() {
    if !ready() {
        return;
    }
    let home = tempfile::tempdir().unwrap();
    let doctor = |arguments: &[&str]| {
        assay(home.path()).args(["doctor", "--sandbox"]).args(arguments).output().unwrap()
    };
    let output = doctor(&[]);
    let said = text(&output.stdout);
    assert_eq!(output.status.code(), Some(0), "{said}");
    for line in [
        "ok         Memory: asked at most 2048 MiB; found 2048 MiB",
        "ok         Capabilities: asked none; found none",
        "The engine's runtimes: runc",
    ] {
        assert!(said.contains(line), "{line} is not in\n{said}");
    }
    assert_eq!(said.lines().filter(|line| line.starts_with("ok ")).count(), 15, "{said}");

    let named: Value = serde_json::from_slice(&doctor(&["--json"]).stdout).unwrap();
    for name in named["sandbox"]["engine_runtimes"].as_array().unwrap() {
        let name = name.as_str().unwrap();
        // An old way of starting programs that engines still list, and of which newer ones know nothing.
        if name != "io.containerd.runtime.v1.linux" {
            let chosen = doctor(&["--engine-runtime", name]);
            assert_eq!(chosen.status.code(), Some(0), "{name}: {}", text(&chosen.stderr));
        }
    }
    let unknown = doctor(&["--engine-runtime", "assay-no-such"]);
    assert_eq!(unknown.status.code(), Some(2));
    let complaint = text(&unknown.stderr);
    assert!(
        complaint.contains("has no runtime that is called assay-no-such.\nChoose one that it has (runc"),
        "{complaint}"
    );
}

#[test]
fn json_is_one_event_a_line_and_nothing_else() {
    if !ready() {
        return;
    }
    let folder = tempfile::tempdir().unwrap();
    let table = folder.path().join("t.csv");
    std::fs::write(&table, "name,amount\na,1\nb,2\n").unwrap();
    let output =
        assay(folder.path()).arg("run").arg(&table).args(["--ask", "Overview", "--json"]).output().unwrap();
    assert_eq!(text(&output.stderr), "");
    let events = lines(&output);
    let kinds: Vec<&str> = events.iter().map(|event| event["event"].as_str().unwrap()).collect();
    assert_eq!(kinds[..5], ["reading_file", "file_read", "run_started", "opening_sandbox", "sandbox_ready"]);
    assert_eq!(kinds[kinds.len() - 2..], ["run_ended", "result"]);
    assert!(events.windows(2).all(|pair| pair[0]["at_s"].as_f64() <= pair[1]["at_s"].as_f64()));
    assert_eq!(events.last().unwrap()["result"]["status"], "done");
    let broken =
        assay(folder.path()).args(["run", "/nonexistent.csv", "--ask", "x", "--json"]).output().unwrap();
    assert_eq!(lines(&broken).last().unwrap()["problem"]["code"], "input");
}

/// A run whose only step sleeps, as a process; returns it with its run's id once the step is going on.
fn sleeping_run(folder: &Path, server: &ScriptedServer) -> (Child, String) {
    let table = folder.join("t.csv");
    std::fs::write(&table, "a,b\n1,2\n").unwrap();
    let mut child = assay(folder)
        .arg("run")
        .arg(&table)
        .args(["--ask", "x", "--json", "--model", ScriptedServer::MODEL, "--base-url", &server.url()])
        .stdout(Stdio::piped())
        .spawn()
        .unwrap();
    let mut run = String::new();
    for line in BufReader::new(child.stdout.take().unwrap()).lines() {
        let event: Value = serde_json::from_str(&line.unwrap()).unwrap();
        if event["event"] == "run_started" {
            event["run"].as_str().unwrap().clone_into(&mut run);
        }
        if event["event"] == "output" {
            break;
        }
    }
    assert_ne!(containers_of(&run), "");
    (child, run)
}

fn sleeping_server() -> ScriptedServer {
    let code = "import time\nprint('on', flush=True)\ntime.sleep(600)";
    ScriptedServer::start(vec![Reply::call("run_python", json!({"title": "Sleeping", "code": code}))])
}

#[test]
fn field_063_the_container_is_gone_after_ctrl_c_and_after_kill_9() {
    if !ready() {
        return;
    }
    for (signal, code) in [("-INT", Some(130)), ("-TERM", Some(130)), ("-KILL", None)] {
        let folder = tempfile::tempdir().unwrap();
        let server = sleeping_server();
        let (mut child, run) = sleeping_run(folder.path(), &server);
        let begun = Instant::now();
        assert!(Command::new("kill").args([signal, &child.id().to_string()]).status().unwrap().success());
        let status = child.wait().unwrap();
        assert_eq!(status.code(), code, "{signal}");
        assert!(begun.elapsed() < Duration::from_secs(2), "{signal}: {:?}", begun.elapsed());
        while !containers_of(&run).is_empty() {
            assert!(begun.elapsed() < Duration::from_secs(10), "{signal}: the container is still there");
            std::thread::sleep(Duration::from_millis(50));
        }
    }
}

/// How many processes sleep for this time.
#[cfg(unix)]
fn sleeping(mark: &str) -> usize {
    let all = std::fs::read_dir("/proc").unwrap().flatten();
    let commands = all.filter_map(|entry| std::fs::read(entry.path().join("cmdline")).ok());
    commands.filter(|command| *command == format!("sleep\0{mark}\0").into_bytes()).count()
}

/// A terminal sends Ctrl-C to all processes of the program, but the sandbox is the program's to end.
#[cfg(unix)]
#[test]
fn ctrl_c_interrupts_a_run_that_this_computer_seals_and_leaves_nothing() {
    use std::os::unix::process::CommandExt;
    let Some(home) = home_with_packages() else { return };
    let table = home.path().join("t.csv");
    std::fs::write(&table, "a,b\n1,2\n").unwrap();
    let code = "import subprocess\nprint('on', flush=True)\nsubprocess.run(['sleep', '86303'])";
    let server =
        ScriptedServer::start(vec![Reply::call("run_python", json!({"title": "Sleeping", "code": code}))]);
    let mut child = assay(home.path())
        .arg("run")
        .arg(&table)
        .args(["--ask", "x", "--json", "--runtime", "local"])
        .args(["--model", ScriptedServer::MODEL, "--base-url", &server.url()])
        .stdout(Stdio::piped())
        .process_group(0)
        .spawn()
        .unwrap();
    let mut lines = BufReader::new(child.stdout.take().unwrap()).lines().map_while(Result::ok);
    assert!(lines.any(|line| line.contains("\"output\"")));
    let everybody = format!("-{}", child.id());
    assert!(Command::new("kill").args(["-INT", "--", &everybody]).status().unwrap().success());
    let rest: Vec<String> = lines.collect();
    assert!(rest.iter().any(|line| line.contains("\"status\":\"interrupted\"")), "{rest:#?}");
    assert_eq!(child.wait().unwrap().code(), Some(130), "{rest:#?}");
    let begun = Instant::now();
    while sleeping("86303") > 0 {
        assert!(begun.elapsed() < Duration::from_secs(10));
        std::thread::sleep(Duration::from_millis(50));
    }
}

#[test]
fn another_image_with_python_serves_too() {
    if !ready() {
        return;
    }
    // The base of the project's own image has Python and nothing else: the run goes on and says what is missing.
    let listed = Command::new("docker").args(["images", "-q", "assay-base:debian12"]).output().unwrap();
    if listed.stdout.is_empty() {
        eprintln!("SKIPPED: the image was made on the official base, and no other image is here");
        return;
    }
    let folder = tempfile::tempdir().unwrap();
    let table = folder.path().join("t.csv");
    std::fs::write(&table, "a,b\n1,2\n").unwrap();
    let code = "open('output/report.md', 'w').write('# Two\\n\\n' + 'The sum of both numbers is three, as computed here. ' * 3)\nprint(1 + 2)";
    let server = ScriptedServer::start(vec![
        Reply::call("run_python", json!({"title": "Adding", "code": code})),
        Reply::text("3"),
        Reply::text("3"),
        Reply::text("3"),
    ]);
    let output = assay(folder.path())
        .arg("run")
        .arg(&table)
        .args(["--ask", "x", "--image", "assay-base:debian12", "--json", "--model", ScriptedServer::MODEL])
        .args(["--base-url", &server.url()])
        .output()
        .unwrap();
    assert_eq!(output.status.code(), Some(4), "no chart without matplotlib: {}", text(&output.stderr));
    let system = server.requests()[0].body["messages"][0]["content"].as_str().unwrap().to_owned();
    assert!(system.contains("only the standard library"), "{system}");
}

#[test]
fn skips_fail_where_everything_is_required() {
    let skipped = std::panic::catch_unwind(|| skip("this is a test of the switch"));
    assert_eq!(skipped.is_err(), std::env::var_os(assay_tests::REQUIRE_ALL).is_some());
}
