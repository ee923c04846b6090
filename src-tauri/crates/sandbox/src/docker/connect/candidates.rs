//! Where an engine may be found, best first. Only names and paths: nothing is connected to here.

use std::fmt;
use std::path::{Path, PathBuf};

use super::contexts;
use crate::docker::DockerSettings;

/// The kind of system, as far as engines put their sockets elsewhere on it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Platform {
    Linux,
    MacOs,
    Windows,
}

/// What of a computer decides where its engines are.
pub(super) struct Computer<'a> {
    pub(super) platform: Platform,
    /// The person's own folder.
    pub(super) home: Option<PathBuf>,
    /// The number of the user who runs the app.
    pub(super) user: Option<u32>,
    /// Reads a variable of the environment.
    pub(super) variable: &'a dyn Fn(&str) -> Option<String>,
}

/// An address that may lead to an engine.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Candidate {
    pub(super) address: String,
    pub(super) origin: Origin,
    /// Files for a secure connection, where the address needs one.
    pub(super) certificates: Option<Certificates>,
    /// Why it cannot even be tried.
    pub(super) obstacle: Option<String>,
}

/// Who says that there is an engine.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Origin {
    /// The person's setting, or the command line.
    Setting,
    /// `DOCKER_HOST`.
    HostVariable,
    /// The context that `DOCKER_CONTEXT` names.
    ContextVariable(String),
    /// The current context of Docker's client.
    Context(String),
    /// The place that a product uses.
    Usual(&'static str),
}

impl Origin {
    /// Whether the person has named this engine. Then no other one takes its place.
    pub(super) fn is_named(&self) -> bool {
        matches!(self, Self::Setting | Self::HostVariable | Self::ContextVariable(_))
    }
}

impl fmt::Display for Origin {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Setting => write!(f, "the setting"),
            Self::HostVariable => write!(f, "DOCKER_HOST"),
            Self::ContextVariable(name) => write!(f, "the context {name} (DOCKER_CONTEXT)"),
            Self::Context(name) => write!(f, "the context {name}"),
            Self::Usual(product) => write!(f, "{product}"),
        }
    }
}

/// The files of a secure connection, in the form of Docker's client.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Certificates {
    /// The authority that has signed the engine's certificate.
    pub(super) ca: PathBuf,
    /// This client's certificate.
    pub(super) certificate: PathBuf,
    /// Its private key.
    pub(super) key: PathBuf,
}

impl Certificates {
    /// The files with the names that Docker's client gives them.
    pub(super) fn in_folder(folder: &Path) -> Self {
        Self { ca: folder.join("ca.pem"), certificate: folder.join("cert.pem"), key: folder.join("key.pem") }
    }
}

impl Computer<'_> {
    fn variable(&self, name: &str) -> Option<String> {
        (self.variable)(name).filter(|value| !value.trim().is_empty())
    }

    /// The folder of Docker's client.
    fn client_folder(&self) -> Option<PathBuf> {
        let named = self.variable("DOCKER_CONFIG").map(PathBuf::from);
        named.or_else(|| Some(self.home.as_ref()?.join(".docker")))
    }

    /// The certificates that the environment names.
    fn certificates(&self) -> Option<Certificates> {
        self.variable("DOCKER_TLS_VERIFY")?;
        let named = self.variable("DOCKER_CERT_PATH").map(PathBuf::from);
        Some(Certificates::in_folder(&named.or_else(|| self.client_folder())?))
    }
}

/// The addresses to try, best first, each once.
pub(super) fn candidates(computer: &Computer<'_>, settings: &DockerSettings) -> Vec<Candidate> {
    let mut found = Vec::new();
    if let Some(address) = &settings.address {
        let own = settings.certificates.as_deref().map(Certificates::in_folder);
        found.push(named(address, Origin::Setting, own.or_else(|| computer.certificates())));
    }
    if let Some(address) = computer.variable("DOCKER_HOST") {
        found.push(named(&address, Origin::HostVariable, computer.certificates()));
    }
    if let Some(folder) = computer.client_folder() {
        found.extend(contexts::current(&folder, computer.variable("DOCKER_CONTEXT")));
    }
    found.extend(usual_places(computer).into_iter().map(|(product, address)| Candidate {
        address,
        origin: Origin::Usual(product),
        certificates: None,
        obstacle: None,
    }));
    let mut seen: Vec<String> = Vec::new();
    found.retain(|candidate| {
        let is_new = candidate.obstacle.is_some() || !seen.contains(&candidate.address);
        seen.push(candidate.address.clone());
        is_new
    });
    found
}

fn named(address: &str, origin: Origin, certificates: Option<Certificates>) -> Candidate {
    let address = address.trim();
    let certificates = certificates.filter(|_| address.starts_with("tcp://"));
    Candidate { address: address.into(), origin, certificates, obstacle: None }
}

/// Where products put their sockets and pipes.
fn usual_places(computer: &Computer<'_>) -> Vec<(&'static str, String)> {
    if computer.platform == Platform::Windows {
        return [
            ("Docker Desktop", "docker_engine"),
            ("Docker Desktop", "dockerDesktopLinuxEngine"),
            ("the Podman machine", "podman-machine-default"),
        ]
        .map(|(product, pipe)| (product, format!("npipe:////./pipe/{pipe}")))
        .into();
    }
    let mut sockets: Vec<(&'static str, PathBuf)> = vec![("Docker", "/var/run/docker.sock".into())];
    if let Some(home) = &computer.home {
        let in_home = [
            ("Docker Desktop", ".docker/run/docker.sock"),
            ("Docker Desktop", ".docker/desktop/docker.sock"),
            ("OrbStack", ".orbstack/run/docker.sock"),
            ("Colima", ".colima/default/docker.sock"),
            ("Colima", ".config/colima/default/docker.sock"),
            ("Rancher Desktop", ".rd/docker.sock"),
        ];
        sockets.extend(in_home.map(|(product, place)| (product, home.join(place))));
    }
    if computer.platform == Platform::MacOs {
        if let Some(folder) = computer.variable("TMPDIR") {
            let place = "podman/podman-machine-default-api.sock";
            sockets.push(("the Podman machine", Path::new(&folder).join(place)));
        }
        if let Some(home) = &computer.home {
            let machine = home.join(".local/share/containers/podman/machine");
            sockets.push(("the Podman machine", machine.join("podman.sock")));
            sockets.push(("the Podman machine", machine.join("qemu/podman.sock")));
        }
    } else {
        let named = computer.variable("XDG_RUNTIME_DIR").map(PathBuf::from);
        let usual = || Some(PathBuf::from(format!("/run/user/{}", computer.user?)));
        if let Some(folder) = named.or_else(usual) {
            sockets.push(("rootless Docker", folder.join("docker.sock")));
            sockets.push(("rootless Podman", folder.join("podman/podman.sock")));
        }
        sockets.push(("Podman", "/run/podman/podman.sock".into()));
    }
    sockets.into_iter().map(|(product, path)| (product, format!("unix://{}", path.display()))).collect()
}

#[cfg(test)]
mod tests {
    use std::collections::HashMap;

    use super::*;

    fn places(
        platform: Platform,
        home: &str,
        variables: &[(&str, &str)],
        settings: &DockerSettings,
    ) -> Vec<String> {
        let variables: HashMap<String, String> =
            variables.iter().map(|(name, value)| ((*name).into(), (*value).into())).collect();
        let variable = |name: &str| variables.get(name).cloned();
        let computer = Computer { platform, home: Some(home.into()), user: Some(1000), variable: &variable };
        candidates(&computer, settings)
            .into_iter()
            .map(|candidate| {
                let secure = if candidate.certificates.is_some() { " (secure)" } else { "" };
                format!("{}: {}{secure}", candidate.origin, candidate.address)
            })
            .collect()
    }

    #[test]
    fn field_055_every_products_place_is_known_on_linux() {
        assert_eq!(
            places(Platform::Linux, "/home/ann", &[], &DockerSettings::default()),
            [
                "Docker: unix:///var/run/docker.sock",
                "Docker Desktop: unix:///home/ann/.docker/run/docker.sock",
                "Docker Desktop: unix:///home/ann/.docker/desktop/docker.sock",
                "OrbStack: unix:///home/ann/.orbstack/run/docker.sock",
                "Colima: unix:///home/ann/.colima/default/docker.sock",
                "Colima: unix:///home/ann/.config/colima/default/docker.sock",
                "Rancher Desktop: unix:///home/ann/.rd/docker.sock",
                "rootless Docker: unix:///run/user/1000/docker.sock",
                "rootless Podman: unix:///run/user/1000/podman/podman.sock",
                "Podman: unix:///run/podman/podman.sock",
            ]
        );
        let elsewhere = places(
            Platform::Linux,
            "/home/ann",
            &[("XDG_RUNTIME_DIR", "/tmp/of-ann")],
            &DockerSettings::default(),
        );
        assert!(elsewhere.contains(&"rootless Podman: unix:///tmp/of-ann/podman/podman.sock".to_owned()));
    }

    #[test]
    fn field_054_055_every_products_place_is_known_on_macos_and_windows() {
        let mac = places(
            Platform::MacOs,
            "/Users/ann",
            &[("TMPDIR", "/var/folders/x/T/")],
            &DockerSettings::default(),
        );
        assert_eq!(
            mac,
            [
                "Docker: unix:///var/run/docker.sock",
                "Docker Desktop: unix:///Users/ann/.docker/run/docker.sock",
                "Docker Desktop: unix:///Users/ann/.docker/desktop/docker.sock",
                "OrbStack: unix:///Users/ann/.orbstack/run/docker.sock",
                "Colima: unix:///Users/ann/.colima/default/docker.sock",
                "Colima: unix:///Users/ann/.config/colima/default/docker.sock",
                "Rancher Desktop: unix:///Users/ann/.rd/docker.sock",
                "the Podman machine: unix:///var/folders/x/T/podman/podman-machine-default-api.sock",
                "the Podman machine: unix:///Users/ann/.local/share/containers/podman/machine/podman.sock",
                "the Podman machine: unix:///Users/ann/.local/share/containers/podman/machine/qemu/podman.sock",
            ]
        );
        assert_eq!(
            places(Platform::Windows, r"C:\Users\ann", &[], &DockerSettings::default()),
            [
                "Docker Desktop: npipe:////./pipe/docker_engine",
                "Docker Desktop: npipe:////./pipe/dockerDesktopLinuxEngine",
                "the Podman machine: npipe:////./pipe/podman-machine-default",
            ]
        );
    }

    #[test]
    fn field_076_what_is_named_goes_before_what_is_usual_and_each_address_stands_once() {
        let settings = DockerSettings { address: Some("tcp://box:2376".into()), ..DockerSettings::default() };
        let variables = [("DOCKER_HOST", "unix:///var/run/docker.sock"), ("DOCKER_TLS_VERIFY", "1")];
        let found = places(Platform::Linux, "/home/ann", &variables, &settings);
        assert_eq!(
            found[..3],
            [
                "the setting: tcp://box:2376 (secure)",
                "DOCKER_HOST: unix:///var/run/docker.sock",
                "Docker Desktop: unix:///home/ann/.docker/run/docker.sock",
            ]
        );
        let plain = places(Platform::Linux, "/home/ann", &[], &settings);
        assert_eq!(plain[0], "the setting: tcp://box:2376");
        let empty = places(Platform::Linux, "/home/ann", &[("DOCKER_HOST", " ")], &DockerSettings::default());
        assert_eq!(empty[0], "Docker: unix:///var/run/docker.sock");
    }
}
