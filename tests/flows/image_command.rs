//! `assay image`, and the room on the disk that a run needs.

#![allow(clippy::unwrap_used, clippy::expect_used, reason = "a test ends where its own set-up fails")]

use std::path::Path;
use std::process::{Command, Output};

use assay_tests::{docker, skip};
use serde_json::Value;

fn ready() -> bool {
    tokio::runtime::Runtime::new().unwrap().block_on(docker()).is_some()
}

fn assay(home: &Path, arguments: &[&str]) -> Output {
    let mut command = Command::new(env!("CARGO_BIN_EXE_assay"));
    for name in ["ASSAY_MODEL", "ASSAY_BASE_URL", "ASSAY_API_KEY", "ASSAY_LOG"] {
        command.env_remove(name);
    }
    command.env("ASSAY_HOME", home).args(arguments).output().unwrap()
}

fn text(bytes: &[u8]) -> String {
    String::from_utf8(bytes.to_vec()).unwrap()
}

#[test]
fn the_images_are_listed_with_their_size_and_origin() {
    if !ready() {
        return;
    }
    let home = tempfile::tempdir().unwrap();
    let listed = assay(home.path(), &["image"]);
    assert_eq!(listed.status.code(), Some(0), "{}", text(&listed.stderr));
    let said = text(&listed.stdout);
    let line = said.lines().find(|line| line.contains("assay-sandbox:")).unwrap();
    assert!(
        line.starts_with("in use  ") && line.contains(" MB, for ") && line.contains(", made here on "),
        "{line}"
    );
    let json = assay(home.path(), &["image", "--json"]);
    let images: Value = serde_json::from_slice(&json.stdout).unwrap();
    let own = images.as_array().unwrap().iter().find(|image| image["is_present"] == true).unwrap();
    assert!(own["bytes"].as_u64().unwrap() > 100_000_000, "{own}");
}

#[test]
fn what_is_no_image_or_no_package_is_told_in_a_sentence() {
    if !ready() {
        return;
    }
    let home = tempfile::tempdir().unwrap();
    let file = home.path().join("x.tar");
    std::fs::write(&file, "no image").unwrap();
    let loaded = assay(home.path(), &["image", "load", file.to_str().unwrap()]);
    assert_eq!(loaded.status.code(), Some(2));
    assert!(
        text(&loaded.stderr).starts_with("x.tar holds no image that Docker can load."),
        "{}",
        text(&loaded.stderr)
    );
    let refused = assay(home.path(), &["image", "build", "--package", "--index-url=http://x"]);
    assert_eq!(refused.status.code(), Some(2));
    let refused = assay(home.path(), &["image", "build", "--package=git+https://x/y"]);
    assert_eq!(refused.status.code(), Some(2), "{}", text(&refused.stderr));
    assert!(text(&refused.stderr).starts_with("`git+https://x/y` is not the name of a package."));
}

/// A disk of 40 MB in a file; it is taken away when this is dropped.
struct SmallDisk(tempfile::TempDir);

impl SmallDisk {
    fn mount() -> Option<Self> {
        let folder = tempfile::tempdir().unwrap();
        let script = "truncate -s 40M disk && mkfs.ext4 -q disk && mkdir home && mount -o loop disk home";
        let mounted = Command::new("sh").args(["-ec", script]).current_dir(folder.path()).output().unwrap();
        mounted.status.success().then_some(Self(folder))
    }
}

impl Drop for SmallDisk {
    fn drop(&mut self) {
        let _ = Command::new("umount").arg(self.0.path().join("home")).output();
    }
}

#[test]
fn field_073_a_run_that_would_fill_the_disk_is_not_begun() {
    if !ready() {
        return;
    }
    let Some(disk) = SmallDisk::mount() else { return skip("no small disk can be mounted here") };
    let home = disk.0.path().join("home");
    let table = disk.0.path().join("t.csv");
    std::fs::write(&table, "a,b\n1,2\n").unwrap();
    let run = assay(&home, &["run", table.to_str().unwrap(), "--ask", "Overview"]);
    assert_eq!(run.status.code(), Some(1), "{}", text(&run.stderr));
    let said = text(&run.stderr);
    assert!(
        said.contains("There is too little room on the disk:") && said.contains("104 MB are needed"),
        "{said}"
    );
    assert!(!home.join("assay.db").exists() || !home.join("runs").exists(), "nothing was begun");
}
