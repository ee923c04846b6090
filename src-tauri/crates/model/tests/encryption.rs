//! Encrypted connections to a server whose certificate comes from an authority of its own, as in company
//! networks.

// Apple refuses certificates that are valid for years, whoever signed them, and these are.
#![cfg(not(target_os = "macos"))]
#![allow(clippy::expect_used, reason = "a failure here is a failed test")]

use std::path::{Path, PathBuf};
use std::sync::Arc;

use assay_model::{ModelError, Obstacle, RemoteConfig, Wire, connect};
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpListener;
use tokio_rustls::TlsAcceptor;
use tokio_rustls::rustls::ServerConfig;
use tokio_rustls::rustls::pki_types::pem::PemObject;
use tokio_rustls::rustls::pki_types::{CertificateDer, PrivateKeyDer};

const ANSWER: &str = "HTTP/1.1 200 OK\r\ncontent-type: application/json\r\ncontent-length: 28\r\n\
                      connection: close\r\n\r\n{\"data\":[{\"id\":\"scripted\"}]}";

fn certificate(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/certificates").join(name)
}

/// Starts a server that lists one model. Returns its base URL.
async fn encrypted_server() -> String {
    let chain = vec![CertificateDer::from_pem_file(certificate("server.pem")).expect("a certificate")];
    let key = PrivateKeyDer::from_pem_file(certificate("server.key")).expect("a key");
    let config = ServerConfig::builder().with_no_client_auth().with_single_cert(chain, key);
    let acceptor = TlsAcceptor::from(Arc::new(config.expect("a server's configuration")));
    let listener = TcpListener::bind("127.0.0.1:0").await.expect("a port");
    let port = listener.local_addr().expect("an address").port();
    tokio::spawn(async move {
        while let Ok((stream, _)) = listener.accept().await {
            let Ok(mut stream) = acceptor.accept(stream).await else { continue };
            let mut asked = [0; 4096];
            let _ = stream.read(&mut asked).await;
            let _ = stream.write_all(ANSWER.as_bytes()).await;
            let _ = stream.shutdown().await;
        }
    });
    format!("https://localhost:{port}/v1")
}

async fn check(base_url: &str, extra_ca: Option<PathBuf>) -> Result<(), ModelError> {
    let config = RemoteConfig::new(Wire::ChatCompletions, base_url, "scripted");
    connect(RemoteConfig { extra_ca, ..config })?.check().await
}

fn obstacle(result: Result<(), ModelError>) -> (Obstacle, String) {
    let Err(ModelError::Unreachable { obstacle, reason, .. }) = result else { panic!("{result:?}") };
    (obstacle, reason)
}

#[tokio::test]
async fn an_authority_is_trusted_when_it_is_named() {
    let base_url = encrypted_server().await;
    let folder = tempfile::tempdir().expect("a folder");
    assert_eq!(check(&base_url, Some(certificate("authority.pem"))).await, Ok(()));
    let (met, reason) = obstacle(check(&base_url, None).await);
    assert_eq!(met, Obstacle::Encryption, "{reason}");

    let empty = folder.path().join("empty.pem");
    std::fs::write(&empty, "nothing").expect("a file");
    for (path, expected) in [
        (folder.path().join("absent.pem"), "absent.pem cannot be used"),
        (empty, "it holds no certificate in PEM form"),
    ] {
        let (met, reason) = obstacle(check(&base_url, Some(path)).await);
        assert_eq!(met, Obstacle::Encryption);
        assert!(reason.contains(expected), "{reason}");
    }
}

/// The variable is read by a process of its own: it cannot be set in this one without touching others.
#[tokio::test]
async fn an_authority_is_trusted_when_the_environment_names_it() {
    const ADDRESS: &str = "ASSAY_TEST_ENCRYPTED_SERVER";
    if let Ok(base_url) = std::env::var(ADDRESS) {
        assert_eq!(check(&base_url, None).await, Ok(()));
        return;
    }
    let base_url = encrypted_server().await;
    let myself = std::env::current_exe().expect("this program");
    let mut again = tokio::process::Command::new(myself);
    again.args(["--exact", "an_authority_is_trusted_when_the_environment_names_it"]);
    let output = again
        .env(ADDRESS, base_url)
        .env("SSL_CERT_FILE", certificate("authority.pem"))
        .output()
        .await
        .expect("a run");
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stdout));
}
