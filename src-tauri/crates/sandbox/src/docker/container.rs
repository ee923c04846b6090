//! One container: made from the policy, attached to before it starts, gone with its connection.

use std::collections::HashMap;
use std::convert::Infallible;
use std::time::Duration;

use async_trait::async_trait;
use bollard::Docker;
use bollard::container::LogOutput;
use bollard::models::{ContainerCreateBody, HostConfig, HostConfigLogConfig, ResourcesUlimits};
use bollard::query_parameters::{
    AttachContainerOptionsBuilder, EventsOptionsBuilder, StartContainerOptions, WaitContainerOptionsBuilder,
};
use futures_util::StreamExt;
use tokio::sync::mpsc;

use super::images::check_architecture;
use super::seccomp::{self, Created};
use super::{Engine, Product, inspect_image, ownership, remove, stage, status_of};
use crate::error::SandboxError;
use crate::kernel_session::{Enclosure, KernelSession};
use crate::link::{BOOTSTRAP, ByteStream, Bytes, Link};
use crate::policy::{NewPrivileges, Policy, RootFileSystem};
use crate::runtime::{OpenRequest, Staging};
use crate::text::printable;

/// A supervisor that was asked to end, and the engine after it, take less than this.
const ENDS_BY_ITSELF: Duration = Duration::from_millis(500);
/// Signals and timers that may wait at one time.
const PENDING_SIGNALS: i64 = 1024;
/// A container that ended for want of memory did so within this time of the engine's word on it, in seconds.
const OOM_BEFORE_END_S: i64 = 5;
/// How long the engine is asked why a container ended.
const EVENTS_LIMIT: Duration = Duration::from_secs(2);
/// What the system says of a program for another kind of processor.
const OTHER_PROCESSOR: &str = "exec format error";
/// The user inside when the app itself runs as root or on a system without such numbers.
const NOBODY: (u32, u32) = (65532, 65532);
/// Processes that one user may have on the engine's computer, all sandboxes and programs together.
const USERS_PROCESSES: i64 = 32768;
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
    presence: &Presence,
) -> Result<KernelSession, SandboxError> {
    let docker = &engine.docker;
    let (container, gaps) = create(engine, image, engine_runtime, request, staging, presence).await?;
    let options =
        AttachContainerOptionsBuilder::default().stdin(true).stdout(true).stderr(true).stream(true).build();
    let attached = docker.attach_container(&container.id, Some(options)).await?;
    // Podman gives a volume to the user inside when it attaches; what comes later keeps its owner.
    if staging == Staging::Uploaded && !request.manifest.files().is_empty() {
        stage::upload(docker, &container.id, request.manifest).await?;
    }
    if let Err(error) = docker.start_container(&container.id, None::<StartContainerOptions>).await {
        if error.to_string().contains(OTHER_PROCESSOR) {
            check_architecture(docker, image).await?;
        }
        return Err(if is_missing_python(&error) {
            SandboxError::ImageWithoutPython { image: image.into(), detail: error.to_string() }
        } else {
            error.into()
        });
    }
    let output: ByteStream = Box::pin(attached.output.map(|item| match item {
        Ok(LogOutput::StdErr { message }) => Ok(Bytes::Complaint(printable(&message))),
        Ok(other) => Ok(Bytes::Events(other.into_bytes())),
        // The engine went away with the connection.
        Err(error) => Err(SandboxError::Vanished(error.to_string())),
    }));
    let grace_s = request.policy.interrupt_grace_s;
    let image_name = container.image.clone();
    let (link, python) = match Link::start(attached.input, output, request.policy).await {
        Err(SandboxError::Vanished(said)) if said.contains(OTHER_PROCESSOR) => {
            check_architecture(docker, image).await?;
            return Err(SandboxError::Vanished(said));
        }
        started => started?,
    };
    Ok(KernelSession::new(link, Box::new(container), "docker", image_name, python, grace_s).with_gaps(gaps))
}

async fn create(
    engine: &Engine,
    image: &str,
    engine_runtime: Option<String>,
    request: OpenRequest<'_>,
    staging: Staging,
    presence: &Presence,
) -> Result<(Container, Vec<String>), SandboxError> {
    let docker = &engine.docker;
    let mut body = body(engine.product, image, request, staging)?;
    if let Some(host) = &mut body.host_config {
        host.runtime = engine_runtime;
    }
    let volumes_of = (staging == Staging::Uploaded).then(|| request.run.to_owned());
    let (own_docker, own_image, presence) = (docker.clone(), image.to_owned(), presence.clone());
    let filter = request.policy.seccomp;
    // A task of its own, so that a container whose opening is given up meanwhile is known, and removed.
    let creating = tokio::spawn(async move {
        match seccomp::create(&own_docker, &body, filter).await {
            Ok(Created { id, gaps }) => {
                let (docker, image) = (own_docker, own_image);
                Ok((Container { docker, id, image, volumes_of, removed: false, presence }, gaps))
            }
            Err(SandboxError::Engine(error)) if status_of(&error) == Some(404) => {
                Err(SandboxError::ImageMissing(own_image))
            }
            Err(error) => Err(error),
        }
    });
    let (mut container, gaps) =
        creating.await.map_err(|error| SandboxError::Protocol(error.to_string()))??;
    let id = inspect_image(docker, image).await?.id;
    container.image = format!("{image} {id}");
    Ok((container, gaps))
}

fn is_missing_python(error: &bollard::errors::Error) -> bool {
    status_of(error) == Some(400) || error.to_string().contains("executable file not found")
}

/// The policy in the engine's words.
fn body(
    product: Product,
    image: &str,
    request: OpenRequest<'_>,
    staging: Staging,
) -> Result<ContainerCreateBody, SandboxError> {
    let policy = request.policy;
    let (uid, gid) = user();
    let mounts = match staging {
        Staging::Mounted => stage::mounts(request.manifest)?,
        Staging::Uploaded => vec![stage::input_volume(ownership::labels(request.run))],
    };
    Ok(ContainerCreateBody {
        image: Some(image.into()),
        user: Some(format!("{uid}:{gid}")),
        entrypoint: Some(vec!["python3".into(), "-u".into(), "-c".into(), BOOTSTRAP.into()]),
        cmd: Some(Vec::new()),
        working_dir: Some("/workspace".into()),
        env: Some(environment(policy)),
        labels: Some(ownership::labels(request.run)),
        hostname: Some("sandbox".into()),
        attach_stdin: Some(true),
        attach_stdout: Some(true),
        attach_stderr: Some(true),
        open_stdin: Some(true),
        // The engine closes the supervisor's input when this process goes, however it goes.
        stdin_once: Some(true),
        tty: Some(false),
        // An engine that is stopped need not wait for a first process that takes no other signal.
        stop_signal: Some("SIGKILL".into()),
        network_disabled: Some(true),
        host_config: Some(host_config(product, policy, mounts, (uid, gid))),
        ..ContainerCreateBody::default()
    })
}

fn host_config(
    product: Product,
    policy: &Policy,
    mounts: Vec<bollard::models::Mount>,
    (uid, gid): (u32, u32),
) -> HostConfig {
    let mib = |count: u64| i64::try_from(count << 20).unwrap_or(i64::MAX);
    let memory = mib(policy.memory_mib);
    #[expect(clippy::cast_possible_truncation, reason = "a number of processors in billionths fits")]
    let nano_cpus = (policy.cpus * 1e9) as i64;
    let place = |size_mib: u64, mode: &str| {
        let common = format!("rw,nosuid,nodev,noexec,size={size_mib}m");
        match product {
            Product::Docker => {
                format!("{common},nr_inodes={},uid={uid},gid={gid},mode={mode}", policy.files)
            }
            // Podman takes neither an owner nor a number of files: who is inside is alone there, and each file
            // counts towards the memory.
            Product::Podman => format!("{common},mode=1777,notmpcopyup"),
        }
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
        ulimits: Some(ulimits(product, policy)),
        ipc_mode: Some("private".into()),
        log_config: Some(HostConfigLogConfig { typ: Some("none".into()), config: None }),
        auto_remove: Some(true),
        init: Some(false),
        ..HostConfig::default()
    }
}

fn ulimits(product: Product, policy: &Policy) -> Vec<ResourcesUlimits> {
    let limit =
        |name: &str, most| ResourcesUlimits { name: Some(name.into()), soft: Some(most), hard: Some(most) };
    let mut limits = vec![
        limit("nofile", i64::from(policy.open_files)),
        limit("core", 0),
        // The system counts both for a user, inside and outside together.
        limit("msgqueue", 0),
        limit("sigpending", PENDING_SIGNALS),
    ];
    if product == Product::Podman {
        // Podman would set a number that its host may not allow. It counts a user's processes everywhere, so the
        // sandbox's own limit is `pids_limit`.
        limits.push(limit("nproc", USERS_PROCESSES));
    }
    limits
}

pub(crate) fn environment(policy: &Policy) -> Vec<String> {
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
    /// The run, where the container has a volume.
    volumes_of: Option<String>,
    removed: bool,
    presence: Presence,
}

/// Held by whatever is still there of a session, so that somebody can wait until nothing is.
pub(super) type Presence = mpsc::Sender<Infallible>;

impl Container {
    /// Removes what is there of it, by force.
    fn removal(&mut self) -> impl Future<Output = Result<(), SandboxError>> + Send + use<> {
        let (docker, id, presence) = (self.docker.clone(), self.id.clone(), self.presence.clone());
        let volumes_of = self.volumes_of.take();
        self.removed = true;
        async move {
            let removed = remove(&docker, &id).await;
            if let Some(run) = volumes_of {
                ownership::remove_volumes(&docker, &run).await?;
            }
            drop(presence);
            removed
        }
    }
}

#[async_trait]
impl Enclosure for Container {
    /// The engine takes an ended container away at once, but tells of its last events for a while: the want of
    /// memory, then the end by signal 9 that nobody has asked for.
    async fn ran_out_of_memory(&mut self) -> bool {
        let filters = HashMap::from([("container", vec![self.id.as_str()])]);
        let options = EventsOptionsBuilder::default().since("0").filters(&filters).build();
        let mut events = self.docker.events(Some(options));
        let mut wanted_memory_at = None;
        let told = async {
            while let Some(Ok(event)) = events.next().await {
                let at = event.time.unwrap_or_default();
                let exit_code = event.actor.and_then(|actor| actor.attributes?.get("exitCode").cloned());
                match event.action.as_deref().unwrap_or_default() {
                    "oom" => wanted_memory_at = Some(at),
                    "kill" => return false,
                    "die" => {
                        let was_killed = exit_code.as_deref() == Some("137");
                        return was_killed
                            && wanted_memory_at.is_some_and(|wanted| at - wanted <= OOM_BEFORE_END_S);
                    }
                    _ => {}
                }
            }
            false
        };
        tokio::time::timeout(EVENTS_LIMIT, told).await.unwrap_or(false)
    }

    async fn close(mut self: Box<Self>) -> Result<(), SandboxError> {
        let options = WaitContainerOptionsBuilder::default().condition("removed").build();
        let mut gone = self.docker.wait_container(&self.id, Some(options));
        match tokio::time::timeout(ENDS_BY_ITSELF, gone.next()).await {
            Ok(Some(Ok(_))) => {
                self.removed = true;
                Ok(())
            }
            _ => self.removal().await,
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
        if let Ok(runtime) = tokio::runtime::Handle::try_current() {
            runtime.spawn(self.removal());
        }
    }
}
