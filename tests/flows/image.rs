//! The app makes its sandbox image by itself, tells how it goes on, and can be stopped.

#![allow(clippy::unwrap_used, clippy::expect_used, reason = "a test ends where its own set-up fails")]

use std::process::Command;
use std::time::{Duration, Instant};

use assay_sandbox::{DockerRuntime, DockerSettings, ImageBuild, Runtime, SandboxError};
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
