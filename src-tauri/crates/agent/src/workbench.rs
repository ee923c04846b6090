//! Where tools work: one session, the run's copy of `output/`, and the record of what happens.

use std::path::{Path, PathBuf};

use assay_sandbox::{
    Action, Policy, SandboxError, Session, Step, StepOutcome, StepStatus, check_relative_path,
};
use tokio_util::sync::CancellationToken;

use crate::agent::AgentError;
use crate::event::{Event, Recorder};
use crate::stuck::Repeats;

/// One open session with the places its results go to.
pub struct Workbench<'a> {
    session: &'a mut dyn Session,
    policy: &'a Policy,
    output: &'a Path,
    recorder: &'a mut dyn Recorder,
    repeats: Repeats,
}

impl<'a> Workbench<'a> {
    /// `output` is the host's folder that `output/` of the sandbox is copied to after each step.
    pub fn new(
        session: &'a mut dyn Session,
        policy: &'a Policy,
        output: &'a Path,
        recorder: &'a mut dyn Recorder,
    ) -> Self {
        Self { session, policy, output, recorder, repeats: Repeats::default() }
    }

    pub(crate) fn session(&mut self) -> &mut dyn Session {
        self.session
    }

    pub(crate) fn policy(&self) -> &Policy {
        self.policy
    }

    pub(crate) fn output(&self) -> &Path {
        self.output
    }

    /// The calls that were made here.
    pub(crate) fn repeats(&mut self) -> &mut Repeats {
        &mut self.repeats
    }

    pub(crate) fn record(&mut self, event: Event) -> Result<(), AgentError> {
        self.recorder.record(event).map_err(AgentError::Record)
    }

    /// Runs a step in the sandbox and copies what it made out.
    pub(crate) async fn run(
        &mut self,
        number: u32,
        action: Action,
        stop: &CancellationToken,
    ) -> Result<StepOutcome, AgentError> {
        #[expect(clippy::cast_precision_loss, reason = "a limit in seconds is small")]
        let step = Step { number, action, limit_s: self.policy.step_limit_s as f64 };
        let recorder = &mut *self.recorder;
        let mut trouble = None;
        let outcome = self
            .session
            .run(
                &step,
                &mut |chunk| {
                    if let Err(error) = recorder.record(Event::Output(chunk)) {
                        trouble.get_or_insert(error);
                    }
                },
                stop,
            )
            .await?;
        if let Some(error) = trouble {
            return Err(AgentError::Record(error));
        }
        self.collect(&outcome).await?;
        Ok(outcome)
    }

    /// Copies new and changed artifacts to the host, and removes the copies of those that are gone.
    async fn collect(&mut self, outcome: &StepOutcome) -> Result<(), AgentError> {
        let step = outcome.step;
        for path in outcome.removed.iter().filter_map(|path| path.strip_prefix("output/")) {
            if check_relative_path(path).is_ok() && std::fs::remove_file(self.output.join(path)).is_ok() {
                self.record(Event::ArtifactRemoved { step, path: path.into() })?;
            }
        }
        for file in &outcome.refused {
            if let Some(path) = file.path.strip_prefix("output/") {
                self.record(Event::ArtifactRefused { step, path: path.into(), reason: file.reason.clone() })?;
            }
        }
        // The sandbox may be in the middle of a kill; what is there is still copied out.
        for file in &outcome.changed {
            if let Some(path) = file.path.strip_prefix("output/") {
                self.save(step, path).await?;
            }
        }
        Ok(())
    }

    /// Copies one artifact to the host: to a file beside its place first, so that a copy is whole or absent.
    pub(crate) async fn save(&mut self, step: u32, path: &str) -> Result<(), AgentError> {
        let refuse = |reason: String| Event::ArtifactRefused { step, path: shown(path), reason };
        if let Err(error) = check_relative_path(path) {
            return self.record(refuse(error.to_string()));
        }
        let place = self.output.join(path);
        if let Some(folder) = place.parent() {
            std::fs::create_dir_all(folder)?;
        }
        let partial = partial_name(&place);
        let limit = self.policy.output_mib << 20;
        match self.session.fetch(&format!("output/{path}"), &partial, limit).await {
            Ok(size) => {
                std::fs::rename(&partial, &place)?;
                self.record(Event::ArtifactSaved { step, path: path.into(), size })
            }
            Err(SandboxError::File { reason, .. }) => {
                let _ = std::fs::remove_file(&partial);
                self.record(refuse(reason))
            }
            Err(error) => {
                let _ = std::fs::remove_file(&partial);
                Err(error.into())
            }
        }
    }
}

fn partial_name(place: &Path) -> PathBuf {
    let folder = place.parent().unwrap_or(Path::new(""));
    folder.join(".assay-partial")
}

fn shown(path: &str) -> String {
    assay_sandbox::printable(path.as_bytes()).replace(['\n', '\t'], "\u{fffd}")
}

/// Whether a step did what it was meant to.
pub(crate) fn succeeded(outcome: &StepOutcome) -> bool {
    outcome.status == StepStatus::Ok
}

/// A path as the workspace knows it, whether or not it was written from the root.
pub(crate) fn workspace_path(path: &str) -> &str {
    path.strip_prefix("/workspace/").or_else(|| path.strip_prefix("./")).unwrap_or(path)
}
