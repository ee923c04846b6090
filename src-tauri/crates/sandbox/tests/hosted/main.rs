//! Sessions in a provider's containers: a server on loopback, whose interpreter really runs the code.

#![allow(clippy::unwrap_used, clippy::expect_used, reason = "a test ends where its own set-up fails")]

mod session;
mod trouble;

use assay_sandbox::{
    Action, Consent, Entry, HostedKey, HostedRuntime, HostedSettings, Manifest, OpenRequest, Policy, Runtime,
    SandboxError, Session, Source, Step, StepOutcome,
};
use assay_testkit::HostedServer;
use tokio_util::sync::CancellationToken;

fn runtime(server: &HostedServer) -> HostedRuntime {
    let settings = HostedSettings {
        base_url: server.url(),
        model: "small".into(),
        extra_ca: None,
        consent: Consent::FilesMayLeave,
    };
    HostedRuntime::new(settings, HostedKey::new(HostedServer::KEY))
}

fn manifest(files: &[(&str, &str)]) -> Manifest {
    let entry = |(destination, content): &(&str, &str)| Entry {
        destination: (*destination).into(),
        source: Source::Inline(content.as_bytes().to_vec()),
    };
    Manifest::new(files.iter().map(entry).collect()).unwrap()
}

/// A session with steps numbered by itself.
struct Bench {
    runtime: HostedRuntime,
    session: Box<dyn Session>,
    streamed: Vec<String>,
    step: u32,
}

impl Bench {
    async fn open(server: &HostedServer, manifest: &Manifest) -> Result<Self, SandboxError> {
        let request = OpenRequest { run: "r-1", manifest, policy: &Policy::default() };
        let runtime = runtime(server);
        let session = runtime.open(request, &CancellationToken::new()).await?;
        Ok(Self { runtime, session, streamed: Vec::new(), step: 0 })
    }

    async fn python(&mut self, code: &str) -> StepOutcome {
        self.act(code, 20.0, &CancellationToken::new()).await.unwrap()
    }

    async fn act(
        &mut self,
        code: &str,
        limit_s: f64,
        stop: &CancellationToken,
    ) -> Result<StepOutcome, SandboxError> {
        self.step += 1;
        let step = Step { number: self.step, action: Action::Python { code: code.into() }, limit_s };
        let streamed = &mut self.streamed;
        self.session.run(&step, &mut |chunk| streamed.push(chunk.text), stop).await
    }

    /// A file of the workspace as text.
    async fn fetched(&mut self, path: &str) -> Result<String, SandboxError> {
        let folder = tempfile::tempdir().unwrap();
        let to = folder.path().join("copy");
        let size = self.session.fetch(path, &to, 1 << 20).await?;
        let content = std::fs::read_to_string(&to).unwrap();
        assert_eq!(content.len() as u64, size);
        Ok(content)
    }
}
