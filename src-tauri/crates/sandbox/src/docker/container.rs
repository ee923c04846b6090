//! One container: made from the policy, attached to before it starts, gone with its connection.

use std::collections::HashMap;
use std::time::Duration;

use async_trait::async_trait;
use bollard::Docker;
use bollard::container::LogOutput;
use bollard::models::{ContainerCreateBody, HostConfig, HostConfigLogConfig, ResourcesUlimits};
use bollard::query_parameters::{
    AttachContainerOptionsBuilder, StartContainerOptions, WaitContainerOptionsBuilder,
};
use futures_util::StreamExt;

use super::{Engine, inspect_image, remove, seccomp, stage, status_of};
use crate::error::SandboxError;
use crate::kernel_session::{Enclosure, KernelSession};
use crate::link::{BOOTSTRAP, ByteStream, Bytes, Link};
use crate::owner::Owner;
use crate::policy::{NewPrivileges, Policy, RootFileSystem};
use crate::runtime::{OpenRequest, Staging};
use crate::text::printable;

pub(super) const APP_LABEL: &str = "app=assay";
pub(super) const OWNER_LABEL: &str = "assay.owner";
const RUN_LABEL: &str = "assay.run";
/// A supervisor that was asked to end, and the engine after it, take less than this.
const ENDS_BY_ITSELF: Duration = Duration::from_millis(500);
/// Signals and timers that may wait at one time.
const PENDING_SIGNALS: i64 = 1024;
/// The user inside when the app itself runs as root or on a system without such numbers.
const NOBODY: (u32, u32) = (65532, 65532);
/// Variables with which numeric libraries are told how many threads to start.
const THREAD_VARIABLES: [&str; 4] =
    ["OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS", "NUMEXPR_NUM_THREADS"];

/// Creates the container, brings the inputs in, attaches, starts it and waits for the supervisor.
pub(super) async fn start(
    engine: &Engine,
    image: &str,
    engine_runtime: Option<String>,
    request: OpenRequest<'_>,
    staging: Staging,
) -> Result<KernelSession, SandboxError> {
    let docker = &engine.docker;
    let container = create(docker, image, engine_runtime, request, staging).await?;
    if staging == Staging::Uploaded && !request.manifest.files().is_empty() {
        stage::upload(docker, &container.id, request.manifest).await?;
    }
    let options =
        AttachContainerOptionsBuilder::default().stdin(true).stdout(true).stderr(true).stream(true).build();
    let attached = docker.attach_container(&container.id, Some(options)).await?;
    docker.start_container(&container.id, None::<StartContainerOptions>).await.map_err(|error| {
        if is_missing_python(&error) {
            SandboxError::ImageWithoutPython { image: image.into(), detail: error.to_string() }
        } else {
            error.into()
        }
    })?;
    let output: ByteStream = Box::pin(attached.output.map(|item| match item {
        Ok(LogOutput::StdErr { message }) => Ok(Bytes::Complaint(printable(&message))),
        Ok(other) => Ok(Bytes::Events(other.into_bytes())),
        Err(error) => Err(error.into()),
    }));
    let grace_s = request.policy.interrupt_grace_s;
    let image_name = container.image.clone();
    let (link, python) = Link::start(attached.input, output, grace_s).await?;
    Ok(KernelSession::new(link, Box::new(container), "docker", image_name, python, grace_s))
}

async fn create(
    docker: &Docker,
    image: &str,
    engine_runtime: Option<String>,
    request: OpenRequest<'_>,
    staging: Staging,
) -> Result<Container, SandboxError> {
    let mut body = body(image, request, staging)?;
    if let Some(host) = &mut body.host_config {
        host.runtime = engine_runtime;
    }
    let id = match seccomp::create(docker, &body, request.policy.seccomp).await {
        Err(SandboxError::Engine(error)) if status_of(&error) == Some(404) => {
            return Err(SandboxError::ImageMissing(image.into()));
        }
        other => other?,
    };
    let mut container = Container { docker: docker.clone(), id, image: image.into(), removed: false };
    let id = inspect_image(docker, image).await?.id;
    container.image = format!("{image} {id}");
    Ok(container)
}

fn is_missing_python(error: &bollard::errors::Error) -> bool {
    status_of(error) == Some(400) || error.to_string().contains("executable file not found")
}

/// The policy in the engine's words.
fn body(
    image: &str,
    request: OpenRequest<'_>,
    staging: Staging,
) -> Result<ContainerCreateBody, SandboxError> {
    let policy = request.policy;
    let (uid, gid) = user();
    let mounts = match staging {
        Staging::Mounted => stage::mounts(request.manifest)?,
        Staging::Uploaded => vec![stage::input_volume()],
    };
    let [app, app_value] = APP_LABEL.split('=').collect::<Vec<_>>()[..] else { unreachable!("a constant") };
    let labels = HashMap::from([
        (app.to_owned(), app_value.to_owned()),
        (RUN_LABEL.to_owned(), request.run.to_owned()),
        (OWNER_LABEL.to_owned(), Owner::current().to_string()),
    ]);
    Ok(ContainerCreateBody {
        image: Some(image.into()),
        user: Some(format!("{uid}:{gid}")),
        entrypoint: Some(vec!["python3".into(), "-u".into(), "-c".into(), BOOTSTRAP.into()]),
        cmd: Some(Vec::new()),
        working_dir: Some("/workspace".into()),
        env: Some(environment(policy)),
        labels: Some(labels),
        hostname: Some("sandbox".into()),
        attach_stdin: Some(true),
        attach_stdout: Some(true),
        attach_stderr: Some(true),
        open_stdin: Some(true),
        // The engine closes the supervisor's input when this process goes, however it goes.
        stdin_once: Some(true),
        tty: Some(false),
        network_disabled: Some(true),
        host_config: Some(host_config(policy, mounts, uid, gid)),
        ..ContainerCreateBody::default()
    })
}

fn host_config(policy: &Policy, mounts: Vec<bollard::models::Mount>, uid: u32, gid: u32) -> HostConfig {
    let mib = |count: u64| i64::try_from(count << 20).unwrap_or(i64::MAX);
    let memory = mib(policy.memory_mib);
    #[expect(clippy::cast_possible_truncation, reason = "a number of processors in billionths fits")]
    let nano_cpus = (policy.cpus * 1e9) as i64;
    let place = |size_mib: u64, mode: &str| {
        format!(
            "rw,nosuid,nodev,noexec,size={size_mib}m,nr_inodes={},uid={uid},gid={gid},mode={mode}",
            policy.files
        )
    };
    let security = match policy.new_privileges {
        NewPrivileges::Forbidden => vec!["no-new-privileges:true".to_owned()],
    };
    HostConfig {
        mounts: Some(mounts),
        tmpfs: Some(HashMap::from([
            ("/workspace/output".into(), place(policy.output_mib, "0755")),
            ("/workspace/work".into(), place(policy.work_mib, "0755")),
            ("/tmp".into(), place(policy.temporary_mib, "1777")),
            // The engine's own has a size, but no limit on the number of files.
            ("/dev/shm".into(), place(policy.temporary_mib, "1777")),
        ])),
        network_mode: Some("none".into()),
        readonly_rootfs: Some(policy.root == RootFileSystem::ReadOnly),
        cap_drop: Some(vec!["ALL".into()]),
        cap_add: (!policy.capabilities.is_empty()).then(|| policy.capabilities.clone()),
        security_opt: Some(security),
        memory: Some(memory),
        memory_swap: Some(memory),
        nano_cpus: Some(nano_cpus),
        pids_limit: Some(i64::from(policy.processes)),
        ulimits: Some(vec![
            ulimit("nofile", i64::from(policy.open_files)),
            ulimit("core", 0),
            // The system counts both for a user, inside and outside together.
            ulimit("msgqueue", 0),
            ulimit("sigpending", PENDING_SIGNALS),
        ]),
        ipc_mode: Some("private".into()),
        log_config: Some(HostConfigLogConfig { typ: Some("none".into()), config: None }),
        auto_remove: Some(true),
        init: Some(false),
        ..HostConfig::default()
    }
}

fn ulimit(name: &str, limit: i64) -> ResourcesUlimits {
    ResourcesUlimits { name: Some(name.into()), soft: Some(limit), hard: Some(limit) }
}

fn environment(policy: &Policy) -> Vec<String> {
    let mut variables = vec![
        "HOME=/workspace/work".to_owned(),
        "TMPDIR=/tmp".to_owned(),
        "LANG=C.UTF-8".to_owned(),
        "MPLBACKEND=Agg".to_owned(),
        "MPLCONFIGDIR=/tmp/matplotlib".to_owned(),
        "PYTHONDONTWRITEBYTECODE=1".to_owned(),
        "PYTHONUNBUFFERED=1".to_owned(),
    ];
    let threads = policy.cpus.ceil().max(1.0);
    variables.extend(THREAD_VARIABLES.iter().map(|name| format!("{name}={threads}")));
    variables
}

/// The user inside: the one who runs the app, so that mounted files can be read; never root.
#[cfg(unix)]
fn user() -> (u32, u32) {
    use std::os::unix::fs::MetadataExt;
    match std::fs::metadata("/proc/self").or_else(|_| std::fs::metadata(std::env::temp_dir())) {
        Ok(own) if own.uid() != 0 && std::path::Path::new("/proc/self").exists() => (own.uid(), own.gid()),
        _ => NOBODY,
    }
}

#[cfg(not(unix))]
fn user() -> (u32, u32) {
    NOBODY
}

/// A container of this process; removed when it is closed, and by the engine when the process ends.
struct Container {
    docker: Docker,
    id: String,
    /// The image's name and id.
    image: String,
    removed: bool,
}

#[async_trait]
impl Enclosure for Container {
    async fn close(mut self: Box<Self>) -> Result<(), SandboxError> {
        self.removed = true;
        let options = WaitContainerOptionsBuilder::default().condition("removed").build();
        let mut gone = self.docker.wait_container(&self.id, Some(options));
        match tokio::time::timeout(ENDS_BY_ITSELF, gone.next()).await {
            Ok(Some(Ok(_))) => Ok(()),
            _ => remove(&self.docker, &self.id).await,
        }
    }
}

impl Drop for Container {
    /// For the ways out that do not close: an error on the way, a panic, a cancelled opening. A container
    /// that was never started has no process that could notice the lost connection.
    fn drop(&mut self) {
        if self.removed {
            return;
        }
        let (docker, id) = (self.docker.clone(), self.id.clone());
        if let Ok(runtime) = tokio::runtime::Handle::try_current() {
            runtime.spawn(async move {
                let _ = remove(&docker, &id).await;
            });
        }
    }
}
