//! What stands between this computer and a server, read from an error's chain of causes.

use std::error::Error as _;

use crate::model::{ModelError, Obstacle};

/// What a failed attempt to reach `host` means.
pub(crate) fn unreachable(host: String, error: reqwest::Error) -> ModelError {
    let is_about_name = error.is_dns();
    let reason = chain(error);
    ModelError::Unreachable { host, obstacle: obstacle(is_about_name, &reason), reason }
}

/// An error and its causes in one line, without the address, which may hold a secret.
pub(crate) fn chain(error: reqwest::Error) -> String {
    let error = error.without_url();
    let mut text = error.to_string();
    let mut source = error.source();
    while let Some(cause) = source {
        text = format!("{text}: {cause}");
        source = cause.source();
    }
    text
}

/// The libraries below hide their errors' types, so their words have to do.
fn obstacle(is_about_name: bool, reason: &str) -> Obstacle {
    let reason = reason.to_lowercase();
    let says = |words: &[&str]| words.iter().any(|word| reason.contains(word));
    if says(&["tunnel error", "proxy authentication", "socks"]) {
        Obstacle::Proxy
    } else if is_about_name {
        Obstacle::UnknownHost
    } else if says(&["certificate", "tls", "handshake", "fatal alert", "corrupt message"]) {
        Obstacle::Encryption
    } else {
        Obstacle::NoAnswer
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::io::{Read, Write};
    use std::net::{Ipv4Addr, TcpListener};

    async fn met(client: reqwest::ClientBuilder, url: &str) -> Obstacle {
        let client = client.build().expect("a client");
        let error = client.get(url).send().await.expect_err("no answer");
        let ModelError::Unreachable { obstacle, .. } = unreachable("h".into(), error) else {
            panic!("another error")
        };
        obstacle
    }

    /// A server that answers one connection with these words.
    fn saying(words: &'static str) -> u16 {
        let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).expect("a port");
        let port = listener.local_addr().expect("an address").port();
        std::thread::spawn(move || {
            let (mut stream, _) = listener.accept().expect("a connection");
            let mut asked = [0; 4096];
            let _ = stream.read(&mut asked);
            let _ = stream.write_all(words.as_bytes());
        });
        port
    }

    #[tokio::test]
    async fn each_obstacle_is_told_apart() {
        let direct = || reqwest::Client::builder().no_proxy();
        assert_eq!(met(direct(), "http://127.0.0.1:1/").await, Obstacle::NoAnswer);
        assert_eq!(met(direct(), "http://nobody.invalid/").await, Obstacle::UnknownHost);
        let plain = saying("HTTP/1.1 400 Bad Request\r\n\r\n");
        assert_eq!(met(direct(), &format!("https://127.0.0.1:{plain}/")).await, Obstacle::Encryption);
        for refusal in
            ["HTTP/1.1 407 Proxy Authentication Required\r\n\r\n", "HTTP/1.1 403 Forbidden\r\n\r\n"]
        {
            let proxy =
                reqwest::Proxy::all(format!("http://127.0.0.1:{}", saying(refusal))).expect("a proxy");
            let client = reqwest::Client::builder().proxy(proxy);
            assert_eq!(met(client, "https://api.example.com/").await, Obstacle::Proxy, "{refusal}");
        }
        let nobody = reqwest::Proxy::all("http://127.0.0.1:1").expect("a proxy");
        let client = reqwest::Client::builder().proxy(nobody);
        assert_eq!(met(client, "https://api.example.com/").await, Obstacle::Proxy);
    }
}
