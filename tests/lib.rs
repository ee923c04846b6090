//! What the flows in `flows/` share: a real engine or a loud skip, and short ways to run a step.

use assay_sandbox::{
    Action, DockerRuntime, DockerSettings, Manifest, OpenRequest, Policy, Runtime, SandboxError, Session,
    Step, StepOutcome,
};
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
