//! What the `assay` command says of engines.

#![cfg(unix)]
#![allow(clippy::unwrap_used, clippy::expect_used, reason = "a test ends where its own set-up fails")]

use std::os::unix::net::UnixListener;
use std::path::Path;
use std::process::{Command, Output};

use serde_json::{Value, json};

/// The command with a home of its own, and no engine named but by the test.
fn assay(home: &Path, arguments: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_assay"));
    for name in ["DOCKER_HOST", "DOCKER_CONTEXT", "DOCKER_CONFIG", "DOCKER_TLS_VERIFY", "ASSAY_MODEL"] {
        command.env_remove(name);
    }
    command.env("ASSAY_HOME", home).env("HOME", home).args(arguments);
    command
}

fn read(output: &Output) -> Value {
    serde_json::from_slice(&output.stdout).unwrap_or_else(|_| panic!("{output:?}"))
}

/// A socket file that nobody listens on any more.
fn stale(folder: &Path) -> String {
    let socket = folder.join("stale.sock");
    drop(UnixListener::bind(&socket));
    format!("unix://{}", socket.display())
}

#[test]
fn field_056_076_a_stale_address_is_named_with_what_it_is_and_nothing_takes_its_place() {
    let home = tempfile::tempdir().unwrap();
    let stale = stale(home.path());
    let listed = assay(home.path(), &["engines", "--json"]).env("DOCKER_HOST", &stale).output().unwrap();
    let found = read(&listed)["found"].clone();
    assert_eq!(
        found[0],
        json!({"address": stale, "origin": "DOCKER_HOST", "state": "stopped", "reason": "it does not answer", "facts": null})
    );
    for other in found.as_array().unwrap() {
        assert_ne!(other["state"], "chosen", "{other}");
    }
    let doctor =
        assay(home.path(), &["doctor", "--runtime", "docker"]).env("DOCKER_HOST", &stale).output().unwrap();
    assert_eq!(doctor.status.code(), Some(3));
    let told = String::from_utf8(doctor.stdout).unwrap();
    assert!(told.contains("not ready  Engine") && told.contains("stopped    DOCKER_HOST"), "{told}");
}

#[test]
fn field_055_056_a_context_that_is_gone_is_passed_over_unless_it_is_named() {
    let home = tempfile::tempdir().unwrap();
    let stale = stale(home.path());
    let client = home.path().join(".docker");
    // The SHA-256 of `old`.
    let id = "cba06b5736faf67e54b07b561eae94395e774c517a7d910a54369e1263ccfbd4";
    std::fs::create_dir_all(client.join("contexts/meta").join(id)).unwrap();
    std::fs::write(client.join("config.json"), r#"{"currentContext":"old"}"#).unwrap();
    let meta = json!({"Name": "old", "Endpoints": {"docker": {"Host": stale}}}).to_string();
    std::fs::write(client.join("contexts/meta").join(id).join("meta.json"), meta).unwrap();

    let found = read(&assay(home.path(), &["engines", "--json"]).output().unwrap())["found"].clone();
    assert_eq!((&found[0]["origin"], &found[0]["state"]), (&json!("the context old"), &json!("stopped")));
    let answering = |one: &&Value| ["chosen", "answers"].contains(&one["state"].as_str().unwrap());
    if let Some(first) = found.as_array().unwrap().iter().find(answering) {
        assert_eq!(first["state"], "chosen", "the first that answers is in use");
    }
    let named = assay(home.path(), &["engines", "--json"]).env("DOCKER_CONTEXT", "gone").output().unwrap();
    let named = read(&named)["found"][0].clone();
    assert_eq!(
        (&named["state"], &named["reason"]),
        (&json!("unusable"), &json!("there is no context with the name gone"))
    );
}

#[test]
fn engines_get_names_and_lose_them() {
    let home = tempfile::tempdir().unwrap();
    let run = |arguments: &[&str]| assay(home.path(), arguments).output().unwrap();
    let add = ["engines", "--add", "Box", "--address", "tcp://127.0.0.1:1", "--runs", "3", "--json"];
    let listed = read(&run(&add))["listed"].clone();
    assert_eq!(listed[0]["engine"]["runs_at_once"], 3);
    assert_eq!((&listed[0]["runs"], &listed[0]["seen"]["state"]), (&json!(0), &json!("stopped")));

    let doctor = String::from_utf8(run(&["doctor", "--engine", "box"]).stdout).unwrap();
    assert!(doctor.contains("The sandbox engine at tcp://127.0.0.1:1 does not answer."), "{doctor}");
    let unknown = run(&["doctor", "--engine", "other"]);
    assert_eq!(unknown.status.code(), Some(2));
    assert!(
        String::from_utf8(unknown.stderr)
            .unwrap()
            .starts_with("No engine with the name other is in the list.")
    );

    assert_eq!(run(&["engines", "--remove", "other"]).status.code(), Some(2));
    assert_eq!(read(&run(&["engines", "--remove", "BOX", "--json"]))["listed"], json!([]));
    let bad = run(&["engines", "--add", "../x", "--address", "ssh://box"]);
    assert_eq!(bad.status.code(), Some(2));
    let bad = run(&["engines", "--add", "x", "--address", "box"]);
    assert!(String::from_utf8(bad.stderr).unwrap().contains("ssh://ann@box"));
}
