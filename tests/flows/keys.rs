//! Keys of model providers, with a real keychain and with none.

#![allow(clippy::unwrap_used, clippy::expect_used, reason = "a test ends where its own set-up fails")]

use std::process::{Command, Stdio};

use assay_engine::{Code, Desk, KeyPlace, ModelSettings, RemoteModel, Settings, StopToken};
use assay_testkit::{Reply, ScriptedServer};
use assay_tests::skip;

const SECRET: &str = "sk-keychain-secret";

const EMPTY_BUS: &str = r#"<busconfig>
  <type>session</type>
  <listen>unix:tmpdir=/tmp</listen>
  <policy context="default"><allow send_destination="*" eavesdrop="true"/><allow eavesdrop="true"/><allow own="*"/></policy>
</busconfig>"#;

/// Says which of the tests below a program that was started anew shall be.
const PART: &str = "ASSAY_KEYS_PART";

fn with_key(server: &ScriptedServer, place: KeyPlace) -> Settings {
    let remote = RemoteModel {
        base_url: server.url(),
        model: ScriptedServer::MODEL.into(),
        key_place: Some(place),
        key: Some(SECRET.into()),
        ..RemoteModel::default()
    };
    Settings { model: ModelSettings::Remote(remote), ..Settings::default() }
}

fn place_of(desk: &Desk) -> Option<KeyPlace> {
    match desk.settings().unwrap().model {
        ModelSettings::Remote(remote) => remote.key_place,
        ModelSettings::BuiltIn => None,
    }
}

/// Whether the key goes out with a request to the model.
fn is_sent(desk: &Desk, server: &ScriptedServer) -> bool {
    let ModelSettings::Remote(remote) = desk.settings().unwrap().model else { return false };
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
    let _ = runtime.block_on(desk.test_model(&remote, &StopToken::new()));
    let asked = server.requests().pop().expect("a request");
    asked.headers.get("authorization").is_some_and(|value| value.contains(SECRET))
}

fn server() -> ScriptedServer {
    ScriptedServer::start((0..20).map(|_| Reply::text("no")).collect())
}

/// Runs this very program again in a session with a bus of its own, in which `before` was done first.
fn in_a_session(part: &str, bus: &[&str], before: &str) {
    if Command::new("dbus-run-session").arg("--version").stdout(Stdio::null()).status().is_err() {
        return skip("dbus-run-session is not installed");
    }
    let this = std::env::current_exe().unwrap();
    let script = format!("{before}; exec '{}' --exact --nocapture {part}", this.display());
    let done = Command::new("dbus-run-session")
        .args(bus)
        .args(["--", "sh", "-c", &script])
        .env(PART, part)
        .env_remove("DBUS_SESSION_BUS_ADDRESS")
        .env("XDG_DATA_HOME", tempfile::tempdir().unwrap().path())
        .output()
        .unwrap();
    assert!(
        done.status.success(),
        "{}{}",
        String::from_utf8_lossy(&done.stdout),
        String::from_utf8_lossy(&done.stderr)
    );
}

fn is_part(part: &str) -> bool {
    std::env::var(PART).is_ok_and(|wanted| wanted == part)
}

#[test]
fn a_key_lies_in_the_system_s_keychain_and_nowhere_in_the_app_s_folder() {
    let part = "a_key_lies_in_the_system_s_keychain_and_nowhere_in_the_app_s_folder";
    if !is_part(part) {
        if Command::new("gnome-keyring-daemon").arg("--version").stdout(Stdio::null()).status().is_err() {
            return skip("no keychain is installed (gnome-keyring)");
        }
        in_a_session(
            part,
            &[],
            "printf password | gnome-keyring-daemon --unlock --components=secrets >/dev/null",
        );
        return;
    }
    let (home, server) = (tempfile::tempdir().unwrap(), server());
    let desk = Desk::new(Some(home.path().to_owned()));
    desk.save_settings(with_key(&server, KeyPlace::Keychain)).unwrap();
    let later = Desk::new(Some(home.path().to_owned()));
    assert_eq!(place_of(&later), Some(KeyPlace::Keychain));
    assert!(is_sent(&later, &server), "a later start finds it");
    for entry in std::fs::read_dir(home.path()).unwrap() {
        let bytes = std::fs::read(entry.unwrap().path()).unwrap_or_default();
        assert!(!bytes.windows(SECRET.len()).any(|window| window == SECRET.as_bytes()));
    }
    let mut settings = with_key(&server, KeyPlace::Keychain);
    if let ModelSettings::Remote(remote) = &mut settings.model {
        remote.key = Some(String::new());
    }
    desk.save_settings(settings).unwrap();
    assert_eq!(place_of(&later), None);
    assert!(!is_sent(&later, &server), "a key that is forgotten is gone");
}

#[test]
fn field_106_without_a_keychain_the_person_is_told_what_to_choose() {
    let part = "field_106_without_a_keychain_the_person_is_told_what_to_choose";
    if !is_part(part) {
        // A bus on which nothing offers to keep secrets.
        let file = tempfile::NamedTempFile::new().unwrap();
        std::fs::write(file.path(), EMPTY_BUS).unwrap();
        return in_a_session(part, &["--config-file", file.path().to_str().unwrap()], ":");
    }
    let (home, server) = (tempfile::tempdir().unwrap(), server());
    let desk = Desk::new(Some(home.path().to_owned()));
    let problem = desk.save_settings(with_key(&server, KeyPlace::Keychain)).unwrap_err();
    assert_eq!(problem.code, Code::Keychain);
    assert!(!format!("{problem:?}").contains(SECRET));
    for place in [KeyPlace::Session, KeyPlace::File] {
        desk.save_settings(with_key(&server, place)).unwrap();
        assert_eq!(place_of(&desk), Some(place));
        assert!(is_sent(&desk, &server));
    }
    let later = Desk::new(Some(home.path().to_owned()));
    assert!(is_sent(&later, &server), "the file outlives the app");
    desk.save_settings(with_key(&server, KeyPlace::Session)).unwrap();
    assert_eq!(place_of(&Desk::new(Some(home.path().to_owned()))), None, "a session's key is gone with it");
}

#[test]
fn a_language_model_is_remembered_while_the_built_in_analyst_thinks() {
    let (home, server) = (tempfile::tempdir().unwrap(), server());
    let desk = Desk::new(Some(home.path().to_owned()));
    desk.save_settings(with_key(&server, KeyPlace::File)).unwrap();
    desk.save_settings(Settings::default()).unwrap();
    let later = Desk::new(Some(home.path().to_owned()));
    let kept = later.settings().unwrap();
    assert_eq!(kept.model, ModelSettings::BuiltIn);
    let remote = kept.last_remote.unwrap();
    assert_eq!((remote.model.as_str(), remote.key_place), (ScriptedServer::MODEL, Some(KeyPlace::File)));
    assert_eq!(remote.key, None);
    later.save_settings(Settings { model: ModelSettings::Remote(remote), ..Settings::default() }).unwrap();
    assert!(is_sent(&later, &server), "and so is its key");
}
