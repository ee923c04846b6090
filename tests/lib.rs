//! What the flows in `flows/` share: a real engine or a loud skip, and short ways to run a step.

use std::path::PathBuf;

use assay_sandbox::{
    Action, Consent, DockerRuntime, DockerSettings, HostedKey, HostedRuntime, HostedSettings, Limit,
    LocalRuntime, Manifest, OpenRequest, Policy, Readiness, Runtime, SandboxError, Sent, Session, Step,
    StepOutcome,
};
use assay_testkit::HostedServer;
use async_trait::async_trait;
use tokio_util::sync::CancellationToken;

/// Turns every skip into a failure; set by `.ci/run`.
pub const REQUIRE_ALL: &str = "ASSAY_REQUIRE_ALL";

/// Names another image than the project's own, for trying a recipe before it takes the name.
pub const IMAGE: &str = "ASSAY_TEST_IMAGE";

/// Whether a test that lacks `what` may skip. Says so loudly, or fails where skips are forbidden.
///
/// # Panics
/// When [`REQUIRE_ALL`] is set.
pub fn skip(what: &str) {
    assert!(std::env::var_os(REQUIRE_ALL).is_none(), "{REQUIRE_ALL} is set, but {what}");
    eprintln!("SKIPPED: {what}");
}

/// The runtime with the project's image, or `None` after a loud skip.
pub async fn docker() -> Option<DockerRuntime> {
    let settings = DockerSettings { image: std::env::var(IMAGE).ok(), ..DockerSettings::default() };
    let runtime = DockerRuntime::new(settings);
    match runtime.readiness().await {
        Ok(_) => Some(runtime),
        Err(error) => {
            skip(&format!("the sandbox is not ready: {error}"));
            None
        }
    }
}

/// Every runtime that is ready here, for what must hold in all of them. A new one is one line.
pub async fn runtimes() -> Vec<Box<dyn Runtime>> {
    let mut all = sealing_runtimes().await;
    all.extend(hosted().map(|runtime| Box::new(runtime) as Box<dyn Runtime>));
    all
}

/// Those of them whose walls are their own work. Nothing else is attacked: a provider's walls are its own, and the
/// one that stands in for it here has none that are meant to hold.
pub async fn sealing_runtimes() -> Vec<Box<dyn Runtime>> {
    let docker = docker().await.map(|runtime| Box::new(runtime) as Box<dyn Runtime>);
    let local = local().await.map(|runtime| Box::new(runtime) as Box<dyn Runtime>);
    [docker, local].into_iter().flatten().collect()
}

/// The hosted runtime with a provider on this computer, whose code runs within bubblewrap; or `None` after a loud
/// skip.
pub fn hosted() -> Option<Hosted> {
    let Some(server) = HostedServer::start_sealed(30.0) else {
        skip("bubblewrap cannot seal the code of a provider's containers");
        return None;
    };
    let settings = HostedSettings {
        base_url: server.url(),
        consent: Consent::FilesMayLeave,
        ..HostedSettings::default()
    };
    let runtime = HostedRuntime::new(settings, HostedKey::new(HostedServer::KEY));
    Some(Hosted { runtime, server })
}

/// The hosted runtime and its provider, which lives as long.
pub struct Hosted {
    runtime: HostedRuntime,
    /// The provider.
    pub server: HostedServer,
}

#[async_trait]
impl Runtime for Hosted {
    fn name(&self) -> &'static str {
        self.runtime.name()
    }

    async fn readiness(&self) -> Result<Readiness, SandboxError> {
        self.runtime.readiness().await
    }

    async fn open(
        &self,
        request: OpenRequest<'_>,
        stop: &CancellationToken,
    ) -> Result<Box<dyn Session>, SandboxError> {
        self.runtime.open(request, stop).await
    }

    fn unenforced(&self) -> Vec<Limit> {
        self.runtime.unenforced()
    }

    fn take_sent(&self) -> Vec<Sent> {
        self.runtime.take_sent()
    }

    async fn sweep(&self) -> Result<usize, SandboxError> {
        self.runtime.sweep().await
    }
}

/// The files that a step made or changed.
pub fn paths(outcome: &StepOutcome) -> Vec<&str> {
    outcome.changed.iter().map(|change| change.path.as_str()).collect()
}

/// Where the tests keep the packages of the local runtime, which take minutes to make: one place for all of them,
/// to which other users have a way.
pub fn local_home() -> PathBuf {
    std::env::temp_dir().join("assay-test-local")
}

/// The local runtime with its packages, made when they are not there; or `None` after a loud skip.
///
/// # Panics
/// When the packages cannot be made.
pub async fn local() -> Option<LocalRuntime> {
    let runtime = LocalRuntime::new(local_home());
    match runtime.readiness().await {
        Ok(_) => {}
        Err(SandboxError::EnvironmentMissing) => {
            let made =
                runtime.make(&mut |progress| eprintln!("{}", progress.line), &CancellationToken::new()).await;
            assert!(made.is_ok(), "the packages of the local runtime could not be made: {made:?}");
        }
        Err(error) => {
            skip(&format!("the local runtime is not ready: {error}"));
            return None;
        }
    }
    Some(runtime)
}

/// A session with steps numbered by itself.
pub struct Bench {
    /// The open session.
    pub session: Box<dyn Session>,
    /// Everything that was streamed by the steps so far.
    pub streamed: String,
    /// The number of the last step.
    pub step: u32,
}

impl Bench {
    /// Opens a session.
    pub async fn open(
        runtime: &dyn Runtime,
        manifest: &Manifest,
        policy: &Policy,
    ) -> Result<Self, SandboxError> {
        let request = OpenRequest { run: "test", manifest, policy };
        let session = runtime.open(request, &CancellationToken::new()).await?;
        Ok(Self { session, streamed: String::new(), step: 0 })
    }

    /// Runs Python with a limit of 20 seconds.
    pub async fn python(&mut self, code: &str) -> Result<StepOutcome, SandboxError> {
        self.act(Action::Python { code: code.into() }, 20.0, &CancellationToken::new()).await
    }

    /// Runs a shell command with a limit of 20 seconds.
    pub async fn shell(&mut self, command: &str) -> Result<StepOutcome, SandboxError> {
        self.act(Action::Shell { command: command.into() }, 20.0, &CancellationToken::new()).await
    }

    /// Runs anything.
    pub async fn act(
        &mut self,
        action: Action,
        limit_s: f64,
        stop: &CancellationToken,
    ) -> Result<StepOutcome, SandboxError> {
        self.step += 1;
        let step = Step { number: self.step, action, limit_s };
        let streamed = &mut self.streamed;
        self.session.run(&step, &mut |chunk| streamed.push_str(&chunk.text), stop).await
    }
}
