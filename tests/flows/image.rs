//! The app makes its sandbox image by itself, tells how it goes on, and can be stopped.

#![allow(clippy::unwrap_used, clippy::expect_used, reason = "a test ends where its own set-up fails")]

use std::process::Command;
use std::time::{Duration, Instant};

use assay_sandbox::{
    DockerRuntime, DockerSettings, ImageBuild, ImageProgress, Images, Packages, Runtime, SandboxError,
};
use assay_tests::docker;
use tokio_util::sync::CancellationToken;

/// An image that only this test knows; removed at the end, and with it nothing that another needs.
struct Image(&'static str);

impl Image {
    fn is_there(&self) -> bool {
        Command::new("docker").args(["image", "inspect", self.0]).output().unwrap().status.success()
    }
}

impl Drop for Image {
    fn drop(&mut self) {
        let _ = Command::new("docker").args(["image", "rm", "--no-prune", self.0]).output();
    }
}

fn runtime(image: &str) -> DockerRuntime {
    DockerRuntime::new(DockerSettings { image: Some(image.into()), ..DockerSettings::default() })
}

#[tokio::test]
async fn the_image_is_made_from_the_recipe_within_the_program() {
    if docker().await.is_none() {
        return;
    }
    let image = Image("assay-test-made:1");
    let runtime = runtime(image.0);
    assert!(matches!(runtime.readiness().await, Err(SandboxError::ImageMissing(name)) if name == image.0));
    let mut lines = Vec::new();
    let build = ImageBuild::new(runtime.clone()).named(image.0);
    build.run(&mut |progress| lines.push(progress.line), &CancellationToken::new()).await.unwrap();
    assert!(lines.iter().any(|line| line.starts_with("Step 1/")), "{lines:?}");
    assert_eq!(runtime.readiness().await.unwrap().image, image.0);
}

#[tokio::test]
async fn the_making_is_stopped_at_once_and_leaves_nothing() {
    if docker().await.is_none() {
        return;
    }
    let image = Image("assay-test-stopped:1");
    let stop = CancellationToken::new();
    let mut stopped = None;
    let build = ImageBuild::new(runtime(image.0)).named(image.0);
    let mut hear = |_| {
        stop.cancel();
        stopped.get_or_insert_with(Instant::now);
    };
    let ended = build.run(&mut hear, &stop).await;
    assert!(matches!(ended, Err(SandboxError::Stopped)), "{ended:?}");
    assert!(stopped.unwrap().elapsed() < Duration::from_secs(2));
    assert!(!image.is_there());
}

/// Makes a tiny image of one file, saves it, and takes it away again.
fn saved(image: &Image, folder: &std::path::Path) -> std::path::PathBuf {
    std::fs::write(folder.join("content"), vec![b'x'; 3 << 20]).unwrap();
    let script = "tar -C \"$1\" -c content | docker import - \"$2\" && docker save -o \"$1/saved.tar\" \"$2\" && docker image rm \"$2\"";
    let folder_name = folder.to_str().unwrap();
    let made = Command::new("sh").args(["-ec", script, "sh", folder_name, image.0]).output().unwrap();
    assert!(made.status.success() && !image.is_there(), "{made:?}");
    folder.join("saved.tar")
}

#[tokio::test]
async fn field_072_an_image_is_loaded_from_a_file_and_what_cannot_be_is_told() {
    let Some(runtime) = docker().await else { return };
    let folder = tempfile::tempdir().unwrap();
    let image = Image("assay-test-loaded:1");
    let file = saved(&image, folder.path());
    let (images, never) = (Images::new(runtime), CancellationToken::new());
    let mut parts = Vec::new();
    let mut hear = |progress: ImageProgress| parts.extend(progress.part);
    let loaded = images.load(&file, &mut hear, &never).await;
    assert_eq!(loaded.unwrap(), [image.0]);
    assert!(image.is_there());
    let size = std::fs::metadata(&file).unwrap().len();
    let last = parts.iter().rfind(|part| part.name == "saved.tar").unwrap();
    assert_eq!((last.done_bytes, last.total_bytes), (size, Some(size)));

    std::fs::write(&file, "no image at all").unwrap();
    let refused = images.load(&file, &mut |_| {}, &never).await;
    assert!(matches!(refused, Err(SandboxError::ImageFile { .. })), "{refused:?}");
    let absent = images.load(&folder.path().join("none.tar"), &mut |_| {}, &never).await;
    assert!(matches!(absent, Err(SandboxError::Io(_))), "{absent:?}");
}

#[tokio::test]
async fn field_068_an_image_for_another_processor_is_told() {
    let Some(runtime) = docker().await else { return };
    let folder = tempfile::tempdir().unwrap();
    let image = Image("assay-test-processor:1");
    let file = saved(&image, folder.path());
    // The name of the processor in what describes the image; another one of the same length.
    let mut content = std::fs::read(&file).unwrap();
    let (own, other) = (&b"\"architecture\":\"amd64\""[..], b"\"architecture\":\"s390x\"");
    let places: Vec<usize> =
        (0..content.len() - own.len()).filter(|at| content[*at..].starts_with(own)).collect();
    if places.is_empty() {
        return assay_tests::skip(
            "this computer's processor is not the one that the test knows how to rename",
        );
    }
    for at in places {
        content[at..at + own.len()].copy_from_slice(other);
    }
    std::fs::write(&file, content).unwrap();
    let loaded = Images::new(runtime).load(&file, &mut |_| {}, &CancellationToken::new()).await;
    assert!(
        matches!(&loaded, Err(SandboxError::ImageArchitecture { architecture, .. }) if architecture == "s390x"),
        "{loaded:?}"
    );
}

#[tokio::test]
async fn field_072_a_registry_that_is_silent_is_given_up_and_a_stop_is_heard() {
    let Some(runtime) = docker().await else { return };
    // It takes connections and never says a word, as behind a proxy that drops what it does not know.
    let silent = std::net::TcpListener::bind("127.0.0.1:0").unwrap();
    let name = format!("127.0.0.1:{}/assay-test-silent:1", silent.local_addr().unwrap().port());
    let images = Images::new(runtime).silent_for(Duration::from_secs(2));
    let begun = Instant::now();
    let pulled = images.pull(&name, &mut |_| {}, &CancellationToken::new()).await;
    assert!(matches!(pulled, Err(SandboxError::ImageStalled { silent_s: 2 })), "{pulled:?}");
    assert!(begun.elapsed() < Duration::from_secs(15), "{:?}", begun.elapsed());

    let stop = CancellationToken::new();
    let own = stop.clone();
    tokio::spawn(async move {
        tokio::time::sleep(Duration::from_millis(300)).await;
        own.cancel();
    });
    let pulled = images.silent_for(Duration::from_mins(1)).pull(&name, &mut |_| {}, &stop).await;
    assert!(matches!(pulled, Err(SandboxError::Stopped)), "{pulled:?}");
}

#[tokio::test]
async fn field_069_chosen_packages_become_an_image_with_a_lock_and_are_used_without_a_network() {
    let Some(runtime) = docker().await else { return };
    let (images, never) = (Images::new(runtime.clone()), CancellationToken::new());
    let packages = Packages::new(&["humanize<5".to_owned()]).unwrap();
    let name = packages.make(&runtime, &mut |_| {}, &never).await.unwrap();
    let again = packages.make(&runtime, &mut |_| panic!("it is there"), &never).await.unwrap();
    assert_eq!(again, name);
    let own = images.own().await.unwrap();
    let made = own.iter().find(|image| image.names.contains(&name)).unwrap();
    assert_eq!((made.packages.as_slice(), made.is_present), (&["humanize<5".to_owned()][..], true));
    assert!(made.lock.iter().any(|line| line.starts_with("humanize==4.")), "{:?}", made.lock);

    let runtime =
        DockerRuntime::new(DockerSettings { image: Some(name.clone()), ..DockerSettings::default() });
    let (manifest, policy) = (assay_sandbox::Manifest::default(), assay_sandbox::Policy::default());
    let mut bench = assay_tests::Bench::open(&runtime, &manifest, &policy).await.unwrap();
    let used =
        bench.python("import humanize, pandas, os\nprint(humanize.intcomma(12345), os.getuid() > 0)").await;
    assert_eq!(used.unwrap().stdout.head, "12,345 True\n");
    bench.session.close().await.unwrap();
    assert!(images.remove(&made.id).await.unwrap());
    let before = images.own().await.unwrap();
    assert!(before.iter().all(|image| image.id != made.id));

    let packages = Packages::new(&["assay-no-such-package==0.0.0".to_owned()]).unwrap();
    let refused = packages.make(&DockerRuntime::default(), &mut |_| {}, &never).await;
    assert!(
        matches!(&refused, Err(SandboxError::PackagesRefused(why)) if why.contains("assay-no-such-package")),
        "{refused:?}"
    );
    // What was done before the refusal has no name, and is kept to go on from.
    for image in images.own().await.unwrap().iter().filter(|image| !before.contains(image)) {
        assert_eq!((image.names.len(), image.is_present), (0, false));
        assert!(images.remove(&image.id).await.unwrap());
    }
}

#[tokio::test]
async fn field_073_only_images_that_assay_has_made_are_removed() {
    let Some(runtime) = docker().await else { return };
    let (own, other) = (Image("assay-test-old:1"), Image("assay-test-other:1"));
    for (image, label) in [(&own, "app=assay"), (&other, "app=another")] {
        let script = "tar -c -T /dev/null | docker import --change \"LABEL $1\" - \"$2\"";
        let made = Command::new("sh").args(["-ec", script, "sh", label, image.0]).output().unwrap();
        assert!(made.status.success(), "{made:?}");
    }
    let id = |image: &Image| {
        let asked =
            Command::new("docker").args(["image", "inspect", "-f", "{{.Id}}", image.0]).output().unwrap();
        String::from_utf8(asked.stdout).unwrap().trim().to_owned()
    };
    let images = Images::new(runtime);
    let listed = images.own().await.unwrap();
    let old = listed.iter().find(|image| image.id == id(&own)).unwrap();
    assert!(!old.is_present);
    assert!(!images.remove(&id(&other)).await.unwrap() && other.is_there(), "it is somebody else's");
    assert!(images.remove(&old.id).await.unwrap() && !own.is_there());
    let present =
        listed.iter().find(|image| image.names.iter().any(|name| name == assay_sandbox::own_image()));
    assert!(present.is_some_and(|image| image.is_present));
}
