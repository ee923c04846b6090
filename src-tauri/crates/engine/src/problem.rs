//! Trouble as a person reads it: one sentence, and the next thing to do.

use assay_agent::AgentError;
use assay_model::{ModelError, Obstacle};
use assay_sandbox::{HostedError, LocalObstacle, ManifestError, SandboxError};
use assay_store::{KeyError, StoreError};
use assay_tabular::TableError;
use serde::{Deserialize, Serialize};
use ts_rs::TS;

/// What went wrong, for a front to show.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, TS)]
pub struct Problem {
    /// The class, for exit codes and buttons.
    pub code: Code,
    /// One plain sentence.
    pub message: String,
    /// The next thing to do.
    pub hint: String,
    /// The technical reason, for a fold and the log; may be empty.
    pub detail: String,
    /// What else helps whoever works at the command line; may be empty. A window shows no commands.
    #[serde(skip)]
    pub at_a_prompt: &'static str,
}

/// The class of a problem.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, TS)]
#[serde(rename_all = "snake_case")]
#[ts(rename = "ProblemCode")]
pub enum Code {
    /// A file or another part of the request cannot be used.
    Input,
    /// The folder for the results cannot be used.
    Output,
    /// The engine is not installed.
    EngineMissing,
    /// The engine does not run.
    EngineStopped,
    /// This user may not use the engine.
    EngineForbidden,
    /// The engine is there, and something else is in the way.
    EngineUnusable,
    /// The person has not agreed that files leave this computer for the sandbox that is chosen.
    ConsentMissing,
    /// Assay's own sandbox image has to be made first.
    Image,
    /// The image that was chosen is not there, or is not usable.
    OtherImage,
    /// The sandbox failed while it was in use.
    Sandbox,
    /// The model cannot be used as it is set up: key, name, credit, address.
    Model,
    /// The model's server failed while it was in use.
    ModelFailed,
    /// The system's keychain cannot be used.
    Keychain,
    /// The app's own files cannot be read or written.
    Storage,
    /// The person stopped it.
    Stopped,
}

impl Problem {
    /// A problem without technical detail.
    pub fn new(code: Code, message: impl Into<String>, hint: impl Into<String>) -> Self {
        Self { code, message: message.into(), hint: hint.into(), detail: String::new(), at_a_prompt: "" }
    }

    /// The same, with more that helps at the command line.
    pub(crate) fn at_a_prompt(self, at_a_prompt: &'static str) -> Self {
        Self { at_a_prompt, ..self }
    }

    fn because(mut self, detail: &dyn std::error::Error) -> Self {
        let mut text = detail.to_string();
        let mut source = detail.source();
        while let Some(cause) = source {
            let cause_text = cause.to_string();
            if !text.contains(&cause_text) {
                text.push_str(": ");
                text.push_str(&cause_text);
            }
            source = cause.source();
        }
        self.detail = text;
        self
    }

    /// A part of the app broke; a fault to be mended, told without drama.
    pub fn internal(error: &dyn std::error::Error) -> Self {
        Self::new(Code::Storage, "Something in Assay broke.", "Try again; what was finished is kept.")
            .because(error)
    }

    /// A file is in the way of what is to be written.
    pub fn exists(place: &std::path::Path) -> Self {
        let message = format!("{} is there already.", place.display());
        Self::new(Code::Output, message, "Choose another place, or take away what is there.")
            .at_a_prompt("Name the place with --out, or add --replace.")
    }

    /// The app's own files cannot be used.
    pub(crate) fn storage(error: &dyn std::error::Error) -> Self {
        let problem = Self::new(
            Code::Storage,
            "The app's own folder could not be written.",
            "Check that the folder may be written.",
        )
        .at_a_prompt("ASSAY_HOME names another folder.")
        .because(error);
        problem.or_disk_full()
    }

    /// Names a full disk, whichever part of the app has met it.
    pub(crate) fn or_disk_full(mut self) -> Self {
        if FULL_DISK.iter().any(|words| self.detail.contains(words)) {
            self.code = Code::Storage;
            self.message = "The disk of this computer is full.".into();
            self.hint =
                "Make room on it, then go on: everything up to the last finished step is kept.".into();
        }
        self
    }
}

/// How systems and the database say that there is no room left.
const FULL_DISK: [&str; 4] = [
    "No space left on device",
    "not enough space on the disk",
    "database or disk is full",
    "Disk quota exceeded",
];

impl From<TableError> for Problem {
    fn from(error: TableError) -> Self {
        let problem = Self::new(Code::Input, error.to_string(), error.hint());
        match std::error::Error::source(&error) {
            Some(source) => problem.because(source),
            None => problem,
        }
    }
}

impl From<ManifestError> for Problem {
    fn from(error: ManifestError) -> Self {
        let hint = match &error {
            ManifestError::Missing(_) => "Check the name, or choose the file again from where it is now.",
            ManifestError::Duplicate(_) | ManifestError::CaseClash(..) => {
                "Rename one of the two files and try again."
            }
            ManifestError::Unreadable { .. } => "Check that you may read the file, then try again.",
            _ => "Rename the file, or copy it to another folder, and try again.",
        };
        let mut message = error.to_string();
        // A file is told by its name; where it lies on this computer is nobody's business in a window.
        if let ManifestError::Missing(path)
        | ManifestError::NotOrdinary(path)
        | ManifestError::LinkLeaves(path)
        | ManifestError::Unreadable { path, .. } = &error
            && let Some(name) = path.file_name()
        {
            message = message.replace(&*path.to_string_lossy(), &name.to_string_lossy());
        }
        Self::new(Code::Input, sentence(&message), hint)
    }
}

impl From<StoreError> for Problem {
    fn from(error: StoreError) -> Self {
        match error {
            StoreError::Newer { .. } => Self::new(
                Code::Storage,
                "The app's history was written by a newer version of Assay.",
                "Install the newer version again.",
            )
            .at_a_prompt("ASSAY_HOME names another folder.")
            .because(&error),
            StoreError::Database(_) => Self::storage(&error),
        }
    }
}

impl From<SandboxError> for Problem {
    fn from(error: SandboxError) -> Self {
        Self::from(&error)
    }
}

impl From<&SandboxError> for Problem {
    fn from(error: &SandboxError) -> Self {
        let problem = match error {
            SandboxError::EngineMissing => Self::new(
                Code::EngineMissing,
                "The sandbox needs the Docker engine, and none is installed here.",
                if cfg!(target_os = "linux") && std::path::Path::new("/usr/bin/podman").exists() {
                    "Podman is here and can be used instead: let it serve with `systemctl --user enable --now \
                     podman.socket`, then try again. Or install Docker (`sudo apt install docker.io`)."
                } else if cfg!(target_os = "linux") {
                    "Install it (on Debian and Ubuntu: `sudo apt install docker.io`), then try again."
                } else {
                    "Install Docker Desktop from docker.com and start it, then try again."
                },
            ),
            SandboxError::EngineStopped { address } if is_elsewhere(address) => Self::new(
                Code::EngineStopped,
                format!("The sandbox engine at {address} does not answer."),
                "Check the address, the network, and that the engine runs there. Without an address Assay takes \
                 the engine of this computer.",
            ),
            SandboxError::EngineStopped { address } if address.ends_with("/podman.sock") => Self::new(
                Code::EngineStopped,
                "The sandbox engine (Podman) is not running.",
                if address.starts_with("unix:///run/podman/") {
                    "Start it with `sudo systemctl start podman.socket`, then try again."
                } else if cfg!(target_os = "linux") {
                    "Start it with `systemctl --user start podman.socket`, then try again."
                } else {
                    "Start it with `podman machine start`, then try again."
                },
            ),
            SandboxError::EngineStopped { .. } => Self::new(
                Code::EngineStopped,
                "The sandbox engine (Docker) is not running.",
                if cfg!(target_os = "linux") {
                    "Start it with `sudo systemctl start docker`, then try again."
                } else {
                    "Start Docker Desktop, wait until it says that it runs, then try again."
                },
            ),
            SandboxError::EngineForbidden { .. } => Self::new(
                Code::EngineForbidden,
                "The sandbox engine (Docker) runs, but you may not use it.",
                if cfg!(target_os = "linux") {
                    "Add yourself to its group with `sudo usermod -aG docker $USER`, log out and in again."
                } else {
                    "Start Docker Desktop under your own account. On Windows your account must also be in the \
                     group docker-users."
                },
            ),
            SandboxError::EnvironmentMissing => Self::new(
                Code::Image,
                "The sandbox has not been made on this computer yet.",
                "The app makes it; that takes a few minutes, once.",
            )
            .at_a_prompt("`assay doctor --make` makes it."),
            SandboxError::Local(obstacle) => Self::unsealed(obstacle),
            SandboxError::NoRuntime { engine, local } => return Self::no_runtime(engine, local),
            SandboxError::EngineUnusable { address, reason } => Self::new(
                Code::EngineUnusable,
                match address.as_str() {
                    "" => format!("The sandbox engine cannot be used: {reason}."),
                    address => format!("The sandbox engine at {address} cannot be used: {reason}."),
                },
                "Choose another engine in the settings, or mend this one.",
            )
            .at_a_prompt("`assay engines` lists every engine that was found."),
            SandboxError::ImageMissing(image) if image == assay_sandbox::own_image() => Self::new(
                Code::Image,
                "The sandbox has not been made on this computer yet.",
                "The app makes it; that takes a few minutes, once.",
            )
            .at_a_prompt("`assay doctor --make` makes it."),
            SandboxError::ImageMissing(image) => Self::new(
                Code::OtherImage,
                format!("The image {image} is not there."),
                "Name an image that is there, with Python 3.9 or newer, or leave the choice to Assay.",
            ),
            SandboxError::ImageBuild(_) => Self::new(
                Code::Image,
                "The sandbox could not be made.",
                "Check that this computer reaches the internet (through a proxy, if it needs one), then try again.",
            ),
            SandboxError::ImageFile { name, .. } => Self::new(
                Code::Input,
                format!("{name} holds no image that Docker can load."),
                "Choose a file that `docker save` has written.",
            ),
            SandboxError::ImageStalled { .. } => Self::new(
                Code::Image,
                "Nothing has come in for a while, so the download was ended.",
                "If this network has a proxy, set it in Docker's settings and try again; what came in is kept. Or load \
                 the image from a file.",
            )
            .at_a_prompt("`assay image load FILE` loads it."),
            SandboxError::ImageArchitecture { image, architecture, engine } => Self::new(
                Code::OtherImage,
                format!(
                    "The image {image} is for another kind of processor ({architecture}) than this one ({engine})."
                ),
                format!("Get the image for {engine}, or leave the choice to Assay."),
            ),
            SandboxError::ImagePackage(name) => Self::new(
                Code::Input,
                format!("`{name}` is not the name of a package."),
                "Write names as pip knows them, with a version where one is needed: `humanize==4.9.0`.",
            ),
            SandboxError::PackagesRefused(_) => Self::new(
                Code::Input,
                "The packages could not be added to the sandbox.",
                "Check their names and versions, and that this computer reaches the internet; the details say what pip \
                 said.",
            ),
            SandboxError::TooLittleSpace { free_bytes, needed_bytes } => Self::new(
                Code::Storage,
                format!(
                    "There is too little room on the disk: {} MB are free, and {} MB are needed.",
                    free_bytes / 1_000_000,
                    needed_bytes / 1_000_000
                ),
                "Make room, then try again. Images of earlier versions can be removed in the settings.",
            )
            .at_a_prompt("`assay image prune` removes them."),
            SandboxError::ImageWithoutPython { image, .. } => Self::new(
                Code::OtherImage,
                format!("The image {image} has no Python 3.9 or newer."),
                "Name an image that has one, or leave the choice to Assay.",
            ),
            SandboxError::EngineRuntimeUnknown { name, known } => Self::new(
                Code::Input,
                format!("The sandbox engine has no runtime that is called {name}."),
                format!("Choose one that it has ({}), or leave the choice to it.", known.join(", ")),
            ),
            SandboxError::Manifest(_) => {
                Self::new(Code::Input, sentence(&error.to_string()), "Rename the file and try again.")
            }
            SandboxError::Staging { path, .. } => Self::new(
                Code::Sandbox,
                format!("{path} did not arrive in the sandbox as it is on this computer."),
                "Check that no other program is writing the file, then try again.",
            ),
            SandboxError::Vanished(_) => Self::new(
                Code::Sandbox,
                "The sandbox disappeared in the middle of the work.",
                "What was finished is kept. Check that the engine still runs, then start the run again.",
            ),
            SandboxError::OutOfMemory(_) => Self::new(
                Code::Sandbox,
                "The sandbox ran out of memory.",
                "What was finished is kept. Give it more memory in the settings, or ask for less at once.",
            ),
            SandboxError::Stopped => return Self::stopped(),
            SandboxError::Hosted(trouble) => Self::hosted(trouble),
            SandboxError::Protocol(_)
            | SandboxError::File { .. }
            | SandboxError::Engine(_)
            | SandboxError::Io(_) => Self::new(
                Code::Sandbox,
                "The sandbox could not do its work.",
                "What was finished is kept. Check in the settings that the sandbox is ready, then try again.",
            )
            .at_a_prompt("`assay doctor` says what is wrong."),
        };
        problem.because(error).or_disk_full()
    }
}

impl Problem {
    /// This computer cannot seal code by itself, so none is run.
    fn unsealed(obstacle: &LocalObstacle) -> Self {
        let (message, hint) = match obstacle {
            LocalObstacle::NotLinux => (
                "This system cannot seal code without the Docker engine, so none is run.".into(),
                "Choose Docker as the place where code runs, and start it.".into(),
            ),
            LocalObstacle::NoBubblewrap => (
                "Sealing code without Docker needs the program bubblewrap, and it is not installed.".into(),
                "Install it (on Debian and Ubuntu: `sudo apt install bubblewrap`), then try again.".into(),
            ),
            LocalObstacle::OldBubblewrap { found } => (
                format!("The program bubblewrap is too old here ({found}; 0.7 is needed)."),
                "Update the system, or use Docker instead.".into(),
            ),
            LocalObstacle::Forbidden(_) => (
                "This system does not let programs seal themselves, so no code is run.".into(),
                "Allow user namespaces for bubblewrap (whoever keeps this computer knows how), or use Docker \
                 instead."
                    .into(),
            ),
            LocalObstacle::NoPython { .. } => (
                "Sealing code without Docker needs a Python from 3.11 to 3.14, and the system has none.".into(),
                "Install one (on Debian and Ubuntu: `sudo apt install python3`), or use Docker instead.".into(),
            ),
            LocalObstacle::NoVenv { python } => (
                format!("Python {python} lacks the part that makes room for packages."),
                format!("Install it (on Debian and Ubuntu: `sudo apt install python{python}-venv`), then try again."),
            ),
        };
        Self::new(Code::EngineMissing, message, hint)
    }

    /// What is wrong with the engine, and that there is a way without one.
    fn no_runtime(engine: &SandboxError, local: &LocalObstacle) -> Self {
        let mut problem = Self::from(engine);
        if cfg!(target_os = "linux") {
            let way = Self::unsealed(local);
            problem.hint = format!("{} Or do without Docker: {}", problem.hint, way.hint);
        }
        problem.detail = format!("{engine}; {local}");
        problem
    }
}

impl Problem {
    /// What a provider that runs the code did not do.
    fn hosted(trouble: &HostedError) -> Self {
        match trouble {
            HostedError::ConsentMissing { host } => Self::new(
                Code::ConsentMissing,
                format!(
                    "The files of a run would leave this computer: they are sent to {host}, where the code runs."
                ),
                "Agree to that in the settings, or choose a sandbox on this computer.",
            )
            .at_a_prompt("Here --files-may-leave says that you agree."),
            HostedError::Settings(_) => Self::new(
                Code::EngineUnusable,
                "The hosted sandbox cannot be used as it is set up.",
                "Check its address in the settings; it begins with https://.",
            ),
            HostedError::WrongKey { host } => Self::new(
                Code::EngineUnusable,
                format!("{host}, where the code runs, does not accept the key, or there is none."),
                "Check the key: copied whole, for this provider, not expired.",
            )
            .at_a_prompt("It is read from ASSAY_HOSTED_KEY."),
            HostedError::Unreachable { host, .. } => Self::new(
                Code::EngineUnusable,
                format!("{host}, where the code runs, cannot be reached."),
                "Check that this computer reaches the internet (through a proxy, if it needs one), then try again.",
            ),
            HostedError::Refused { .. }
            | HostedError::Gone(_)
            | HostedError::Disobeyed(_)
            | HostedError::Unanswered(_) => Self::new(
                Code::Sandbox,
                "The provider did not run the code as it was asked to.",
                "What was finished is kept. Try again in a few minutes, or choose a sandbox on this computer.",
            ),
        }
    }
}

impl From<ModelError> for Problem {
    fn from(error: ModelError) -> Self {
        let problem = match &error {
            ModelError::Stopped => return Self::stopped(),
            ModelError::MissingKey => Self::new(
                Code::Model,
                "This model needs a key, and none is set.",
                "Enter it in the settings, or use the built-in analyst.",
            )
            .at_a_prompt("It is read from ASSAY_API_KEY."),
            ModelError::WrongKey(_) => Self::new(
                Code::Model,
                "The model's provider does not accept the key.",
                "Check the key: copied whole, for this provider, not expired.",
            ),
            ModelError::NoCredit(_) => Self::new(
                Code::Model,
                "The account at the model's provider has no credit left.",
                "Add credit there, or choose another model.",
            ),
            ModelError::UnknownModel(text) => Self::new(
                Code::Model,
                format!("The provider does not know this model: {text}."),
                "Choose one of its models.",
            ),
            ModelError::TooLong(_) => Self::new(
                Code::ModelFailed,
                "The work became longer than the model can read.",
                "Ask a narrower question, or choose a model with a larger context.",
            ),
            ModelError::Cut { sent, read } => Self::new(
                Code::ModelFailed,
                format!("The model's server read only {read} of about {sent} tokens and left the rest out."),
                "Let the server read longer texts: raise its context length (in Ollama: OLLAMA_CONTEXT_LENGTH), \
                 then ask again.",
            ),
            ModelError::ContentRefused(_) => Self::new(
                Code::ModelFailed,
                "The model's provider refuses to answer this.",
                "Say the question in other words, or choose another model.",
            ),
            ModelError::RateLimited { retry_after } => Self::new(
                Code::ModelFailed,
                "The model's provider asks to slow down.",
                match retry_after {
                    Some(wait) => format!("Try again in {} minutes.", wait.as_secs().div_ceil(60)),
                    None => "Try again in a few minutes.".into(),
                },
            ),
            ModelError::Unreachable { host, obstacle, .. } => unreachable(host, *obstacle),
            ModelError::Server(_) | ModelError::Loading(_) => Self::new(
                Code::ModelFailed,
                "The model's server failed.",
                "What was finished is kept. Try again later, or choose another model.",
            ),
            ModelError::Rejected(_) => Self::new(
                Code::Model,
                "The model's server refused the request.",
                "Check the address and the model's name; the details say what the server answered.",
            ),
            ModelError::Protocol(_) => Self::new(
                Code::ModelFailed,
                "The model's server gave an answer that is not in the expected form.",
                "Check the address, and the format that the settings name for it.",
            ),
        };
        problem.because(&error)
    }
}

impl From<KeyError> for Problem {
    fn from(error: KeyError) -> Self {
        match &error {
            KeyError::NoKeychain(_) => Self::new(
                Code::Keychain,
                "This system has no keychain that Assay can use.",
                "Keep the key for this session only, or in a private file.",
            )
            .because(&error),
            KeyError::File(_) => Self::storage(&error),
        }
    }
}

impl From<AgentError> for Problem {
    fn from(error: AgentError) -> Self {
        match error {
            AgentError::Model(error) => error.into(),
            AgentError::Sandbox(error) => error.into(),
            AgentError::Record(_) | AgentError::Io(_) => Self::storage(&error),
        }
    }
}

impl Problem {
    /// The person stopped it.
    pub(crate) fn stopped() -> Self {
        Self::new(Code::Stopped, "Stopped.", "What was finished is kept.")
    }
}

fn unreachable(host: &str, obstacle: Obstacle) -> Problem {
    let (message, hint) = match obstacle {
        Obstacle::NoAnswer => (
            format!("Nobody answers at {host}."),
            "Check the address and the network, and that a local server runs.",
        ),
        Obstacle::UnknownHost => (
            format!("There is no computer with the name {host}, or this one is not connected."),
            "Check how the address is written, and the network.",
        ),
        Obstacle::Encryption => (
            format!("The connection to {host} could not be made secure."),
            "In a company network, name the company's certificate in the settings (or SSL_CERT_FILE); elsewhere, \
             check the computer's clock and whether the address begins with https or http.",
        ),
        Obstacle::Proxy => (
            format!("The proxy of this network does not let requests to {host} through."),
            "Ask whoever runs the network, or check HTTPS_PROXY.",
        ),
    };
    Problem::new(Code::Model, message, hint)
}

/// Whether an engine's address leads to another computer, as far as it says.
fn is_elsewhere(address: &str) -> bool {
    ["tcp://", "ssh://", "http://"].iter().any(|kind| address.starts_with(kind))
}

/// A message that begins in lower case, as errors do, as a sentence.
fn sentence(text: &str) -> String {
    let mut characters = text.chars();
    let first: String = characters.next().into_iter().flat_map(char::to_uppercase).collect();
    let mut sentence = first + characters.as_str();
    if !sentence.ends_with('.') {
        sentence.push('.');
    }
    sentence
}
