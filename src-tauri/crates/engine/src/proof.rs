//! What the sandbox is like from inside, for a person who wants to see it.

use assay_sandbox::{Finding, Policy, Verdict, prove};
use serde::{Deserialize, Serialize};
use tokio_util::sync::CancellationToken;
use ts_rs::TS;

use crate::engine::Engine;
use crate::problem::Problem;

/// A sandbox as it was found, limit by limit.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, TS)]
pub struct SandboxProof {
    /// The runtime's name.
    pub runtime: String,
    /// The programs with which its engine can run sandboxes, the default first; empty where there is no choice.
    pub engine_runtimes: Vec<String>,
    /// Each limit, as it was asked for and as it was found.
    pub findings: Vec<Finding>,
}

impl SandboxProof {
    /// Whether all holds that the runtime claims to enforce.
    pub fn holds(&self) -> bool {
        self.findings.iter().all(|finding| finding.verdict != Verdict::Broken)
    }
}

impl Engine {
    /// Opens a sandbox with this policy, holds what is found inside against it, and closes it.
    ///
    /// # Errors
    /// What keeps a sandbox from being opened.
    pub async fn prove_sandbox(
        &self,
        policy: &Policy,
        stop: &CancellationToken,
    ) -> Result<SandboxProof, Problem> {
        let chosen = self.runtimes().swap_remove(0);
        let (runtime, ready) = chosen.find().await;
        ready?;
        Ok(SandboxProof {
            findings: prove(runtime, policy, stop).await?,
            runtime: runtime.name().into(),
            engine_runtimes: runtime.engine_runtimes().await?,
        })
    }
}
