//! The contexts of Docker's client: named engines, kept in files below `~/.docker`.
//!
//! The form is that of the client's own store: `contexts/meta/ID/meta.json` and
//! `contexts/tls/ID/docker/{ca,cert,key}.pem`, where `ID` is the SHA-256 of the name.

use std::path::Path;

use serde_json::Value;
use sha2::{Digest, Sha256};

use super::candidates::{Candidate, Certificates, Origin};
use crate::docker::stage::hex;

/// The name that means no context: the engine at the usual place.
const DEFAULT: &str = "default";

/// The context in use: the one that the environment names, or the one that the client has chosen.
pub(super) fn current(folder: &Path, variable: Option<String>) -> Option<Candidate> {
    let (name, origin): (String, fn(String) -> Origin) = if let Some(name) = variable {
        (name, Origin::ContextVariable)
    } else {
        let client = read(&folder.join("config.json"))?;
        (client.get("currentContext")?.as_str()?.to_owned(), Origin::Context)
    };
    (name != DEFAULT && !name.is_empty()).then(|| candidate(folder, &name, origin(name.clone())))
}

/// The engine of a context.
pub(super) fn candidate(folder: &Path, name: &str, origin: Origin) -> Candidate {
    let id = hex(&Sha256::digest(name));
    let meta = read(&folder.join("contexts/meta").join(&id).join("meta.json"));
    let endpoint = meta.as_ref().and_then(|meta| meta.pointer("/Endpoints/docker"));
    let Some(address) = endpoint.and_then(|endpoint| endpoint.get("Host")?.as_str()) else {
        let obstacle = Some(format!("there is no context with the name {name}"));
        return Candidate { address: String::new(), origin, certificates: None, obstacle };
    };
    let skips_check =
        endpoint.and_then(|endpoint| endpoint.get("SkipTLSVerify")?.as_bool()).unwrap_or_default();
    let tls = folder.join("contexts/tls").join(&id).join("docker");
    let is_secure = address.starts_with("tcp://") && tls.is_dir();
    Candidate {
        address: address.to_owned(),
        origin,
        certificates: is_secure.then(|| Certificates::in_folder(&tls)),
        obstacle: (is_secure && skips_check)
            .then(|| format!("the context {name} asks not to check who answers, which is not safe")),
    }
}

fn read(path: &Path) -> Option<Value> {
    serde_json::from_slice(&std::fs::read(path).ok()?).ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn keep(folder: &Path, name: &str, meta: &str) -> String {
        let id = hex(&Sha256::digest(name));
        let place = folder.join("contexts/meta").join(&id);
        std::fs::create_dir_all(&place).unwrap();
        std::fs::write(place.join("meta.json"), meta).unwrap();
        id
    }

    #[test]
    fn field_055_the_current_context_is_read_from_the_clients_files() {
        let folder = tempfile::tempdir().unwrap();
        let folder = folder.path();
        assert_eq!(current(folder, None), None);
        std::fs::write(folder.join("config.json"), r#"{"currentContext":"desktop-linux"}"#).unwrap();
        keep(
            folder,
            "desktop-linux",
            r#"{"Name":"desktop-linux","Endpoints":{"docker":{"Host":"unix:///home/x/.docker/desktop/docker.sock"}}}"#,
        );
        let found = current(folder, None).unwrap();
        assert_eq!(found.address, "unix:///home/x/.docker/desktop/docker.sock");
        assert_eq!(found.origin.to_string(), "the context desktop-linux");
        assert!(!found.origin.is_named(), "a client's old choice must not hide a living engine");
        assert_eq!(current(folder, Some("default".into())), None);
        let unknown = current(folder, Some("gone".into())).unwrap();
        assert!(unknown.origin.is_named());
        assert_eq!(unknown.obstacle.as_deref(), Some("there is no context with the name gone"));
    }

    #[test]
    fn a_contexts_certificates_lie_beside_it() {
        let folder = tempfile::tempdir().unwrap();
        let folder = folder.path();
        let meta = |skip| {
            format!(
                r#"{{"Name":"box","Endpoints":{{"docker":{{"Host":"tcp://box:2376","SkipTLSVerify":{skip}}}}}}}"#
            )
        };
        // The SHA-256 of `box`, as `printf box | sha256sum` says it.
        let id = keep(folder, "box", &meta(false));
        assert_eq!(id, "26f8567f2569182294c3fa5b9f9cb2270b554eef628b4c149cf82a42888ff4ae");
        let read = || current(folder, Some("box".into())).unwrap();
        assert_eq!(read().certificates, None);
        let tls = folder.join("contexts/tls").join(&id).join("docker");
        std::fs::create_dir_all(&tls).unwrap();
        assert_eq!(read().certificates, Some(Certificates::in_folder(&tls)));
        assert_eq!(read().obstacle, None);
        keep(folder, "box", &meta(true));
        assert!(read().obstacle.unwrap().contains("not safe"));
    }
}
