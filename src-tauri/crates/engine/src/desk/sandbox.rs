//! The engine and the image: what is ready, starting, making.

use std::time::Duration;

use assay_sandbox::{ImageProgress, Runtime};
use tokio_util::sync::CancellationToken;

use super::Desk;
use crate::doctor::Diagnosis;
use crate::engine_list::{EngineChoice, Engines, ListedEngine};
use crate::problem::{Code, Problem};
use crate::proof::SandboxProof;

/// An engine that was told to start answers within this time, or it does not.
const START_LIMIT: Duration = Duration::from_secs(45);

impl Desk {
    /// What is ready for a run that goes where the choice says, and what to do about what is not.
    pub async fn diagnose(&self, engine: &EngineChoice) -> Result<Diagnosis, Problem> {
        let settings = self.settings()?;
        Ok(self.engine_for_runs()?.on(engine)?.doctor(&self.model_choice(&settings)?).await)
    }

    /// Every engine that this computer may use, as it is now.
    pub async fn engines(&self) -> Result<Engines, Problem> {
        self.engine()?.engines().await
    }

    /// Keeps the list of engines, in the order in which they are tried.
    pub fn list_engines(&self, list: &[ListedEngine]) -> Result<(), Problem> {
        self.engine()?.list_engines(list)
    }

    /// Asks the system to start the engine, and waits until it answers.
    pub async fn start_engine(&self) -> Result<(), Problem> {
        let engine = self.engine()?;
        let (program, arguments) = start_command();
        let asked = tokio::process::Command::new(program).args(arguments).output().await;
        let refused = match asked {
            Ok(output) if output.status.success() => None,
            Ok(output) => Some(String::from_utf8_lossy(&output.stderr).trim().to_owned()),
            Err(error) => Some(error.to_string()),
        };
        let begun = tokio::time::Instant::now();
        loop {
            let problem = match engine.runtime().docker().readiness().await {
                Ok(_) => return Ok(()),
                Err(error) => Problem::from(error),
            };
            if matches!(problem.code, Code::Image | Code::OtherImage) {
                return Ok(());
            }
            if refused.is_some() || begun.elapsed() > START_LIMIT {
                return Err(Problem { detail: refused.unwrap_or(problem.detail.clone()), ..problem });
            }
            tokio::time::sleep(Duration::from_millis(500)).await;
        }
    }

    /// Opens a sandbox with the limits of the settings, and tells of each whether it holds inside.
    pub async fn prove_sandbox(&self, stop: &CancellationToken) -> Result<SandboxProof, Problem> {
        let policy = self.settings()?.limits.policy();
        self.engine_for_runs()?.prove_sandbox(&policy, stop).await
    }

    /// Makes what sandboxes start from where the choice says, telling of each step.
    pub async fn build_image(
        &self,
        engine: &EngineChoice,
        progress: &mut (dyn FnMut(ImageProgress) + Send),
        stop: &CancellationToken,
    ) -> Result<(), Problem> {
        self.engine_for_runs()?.on(engine)?.make_sandbox(progress, stop).await
    }
}

/// How this system's engine is started by a person.
fn start_command() -> (&'static str, &'static [&'static str]) {
    if cfg!(target_os = "macos") {
        ("open", &["-a", "Docker"])
    } else if cfg!(windows) {
        ("cmd", &["/C", "start", "", "C:\\Program Files\\Docker\\Docker\\Docker Desktop.exe"])
    } else {
        ("pkexec", &["systemctl", "start", "docker"])
    }
}
