//! A provider's address: where requests go, with which key, and what it means when none arrives.

use std::error::Error as _;
use std::net::IpAddr;
use std::time::Duration;

use futures_util::StreamExt;
use reqwest::header::{AUTHORIZATION, HeaderValue};
use reqwest::{Client, RequestBuilder, Response, Url, redirect};
use serde_json::Value;

use crate::api_key::ApiKey;
use crate::failure::{Failure, retry_after};
use crate::model::{ModelError, Obstacle};

/// How long a connection may take to be made, name look-up and encryption included.
const CONNECT_LIMIT: Duration = Duration::from_secs(15);

/// As much of a refusal's body as is read.
const FAILURE_LIMIT: usize = 64 * 1024;

/// One address of the `…/v1` kind, ready for requests.
#[derive(Debug)]
pub(crate) struct Endpoint {
    client: Client,
    base: Url,
    key: Option<ApiKey>,
}

impl Endpoint {
    /// Refuses what is not a web address. Redirects are not followed: the conversation goes to
    /// the host the user chose and to no other. A server on this computer is asked directly, any
    /// other by way of the system's proxy.
    pub(crate) fn new(base_url: &str, key: Option<ApiKey>) -> Result<Self, ModelError> {
        let base = parse(base_url)
            .ok_or_else(|| ModelError::Rejected("the base URL is not an http or https address".into()))?;
        let mut client = Client::builder()
            .user_agent(concat!("Assay/", env!("CARGO_PKG_VERSION")))
            .connect_timeout(CONNECT_LIMIT)
            .redirect(redirect::Policy::none());
        if reach(&base) == Reach::ThisComputer {
            client = client.no_proxy();
        }
        let client = client.build().map_err(|error| unreachable(&base, error))?;
        Ok(Self { client, base, key })
    }

    /// The host, with the port where it is not the usual one.
    pub(crate) fn host(&self) -> String {
        host(&self.base)
    }

    pub(crate) fn key(&self) -> Option<&ApiKey> {
        self.key.as_ref()
    }

    pub(crate) async fn get(&self, path: &[&str]) -> Result<Response, ModelError> {
        self.send(self.client.get(self.url(path))).await
    }

    pub(crate) async fn post(&self, path: &[&str], body: &Value) -> Result<Response, ModelError> {
        self.send(self.client.post(self.url(path)).json(body)).await
    }

    fn url(&self, path: &[&str]) -> Url {
        let mut url = self.base.clone();
        if let Ok(mut segments) = url.path_segments_mut() {
            segments.pop_if_empty().extend(path);
        }
        url
    }

    async fn send(&self, mut request: RequestBuilder) -> Result<Response, ModelError> {
        if let Some(key) = &self.key {
            let mut value = HeaderValue::from_str(&format!("Bearer {}", key.expose()))
                .map_err(|_| ModelError::WrongKey("it has characters that no key has".into()))?;
            value.set_sensitive(true);
            request = request.header(AUTHORIZATION, value);
        }
        request.send().await.map_err(|error| unreachable(&self.base, error))
    }
}

/// Reads a refusal, as much of it as is needed.
pub(crate) async fn read_failure(response: Response) -> Failure {
    let status = response.status().as_u16();
    let retry_after = retry_after(response.headers(), jiff::Timestamp::now());
    let location = response.headers().get("location").and_then(|to| to.to_str().ok());
    let redirect = location.map(|to| format!("the address redirects to {to}"));
    let body = match redirect {
        Some(redirect) => redirect,
        None => String::from_utf8_lossy(&read_at_most(response, FAILURE_LIMIT).await.unwrap_or_default())
            .into_owned(),
    };
    Failure { status, retry_after, body }
}

/// Reads a whole body, or its beginning when it is longer than the limit.
pub(crate) async fn read_at_most(response: Response, limit: usize) -> reqwest::Result<Vec<u8>> {
    let mut body = Vec::new();
    let mut pieces = response.bytes_stream();
    while let Some(piece) = pieces.next().await {
        body.extend_from_slice(&piece?);
        if body.len() >= limit {
            body.truncate(limit);
            break;
        }
    }
    Ok(body)
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

fn unreachable(base: &Url, error: reqwest::Error) -> ModelError {
    ModelError::Unreachable { host: host(base), obstacle: Obstacle::NoAnswer, reason: chain(error) }
}

fn host(url: &Url) -> String {
    let name = url.host_str().unwrap_or_default();
    url.port().map_or_else(|| name.to_owned(), |port| format!("{name}:{port}"))
}

/// The base address; the full address of the chat route is understood too.
fn parse(base_url: &str) -> Option<Url> {
    let base_url = base_url.trim().trim_end_matches('/');
    let base_url = base_url.strip_suffix("/chat/completions").unwrap_or(base_url);
    let url = Url::parse(base_url).ok()?;
    (matches!(url.scheme(), "http" | "https") && url.has_host()).then_some(url)
}

/// Whether a service at this address usually wants an API key. Servers on this computer and on
/// the local network usually want none.
pub fn needs_key(base_url: &str) -> bool {
    parse(base_url).is_none_or(|url| reach(&url) == Reach::Internet)
}

#[derive(Debug, PartialEq, Eq)]
enum Reach {
    ThisComputer,
    LocalNetwork,
    Internet,
}

fn reach(url: &Url) -> Reach {
    let name = url.host_str().unwrap_or_default().trim_end_matches('.');
    let address = name.trim_start_matches('[').trim_end_matches(']').parse::<IpAddr>();
    let (loopback, local) = match address.map(|address| address.to_canonical()) {
        Ok(IpAddr::V4(v4)) => {
            (v4.is_loopback() || v4.is_unspecified(), v4.is_private() || v4.is_link_local())
        }
        Ok(IpAddr::V6(v6)) => {
            (v6.is_loopback() || v6.is_unspecified(), v6.is_unique_local() || v6.is_unicast_link_local())
        }
        Err(_) => {
            let ends = |ends: &[&str]| ends.iter().any(|end| name.ends_with(end));
            (
                name == "localhost" || ends(&[".localhost"]),
                !name.contains('.') || ends(&[".local", ".lan", ".internal", ".home.arpa"]),
            )
        }
    };
    match (loopback, local) {
        (true, _) => Reach::ThisComputer,
        (false, true) => Reach::LocalNetwork,
        (false, false) => Reach::Internet,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nearby_servers_need_no_key() {
        for near in [
            "http://127.0.0.1:11434/v1",
            "http://localhost:1234/v1",
            "http://LOCALHOST/v1",
            "http://[::1]:8080/v1",
            "http://[::ffff:127.0.0.1]/v1",
            "http://0.0.0.0:8080",
            "http://192.168.1.20:8080/v1",
            "http://gpu-box:8000/v1",
            "http://gpu-box.local/v1",
            "http://host.docker.internal:11434/v1",
        ] {
            assert!(!needs_key(near), "{near}");
        }
        for far in
            ["https://api.example.com/v1", "http://8.8.8.8/v1", "https://127.0.0.1.example.com", "nonsense"]
        {
            assert!(needs_key(far), "{far}");
        }
    }

    #[test]
    fn addresses_are_joined_whatever_their_end() {
        for base in
            ["https://h.example/v1", "https://h.example/v1/", " https://h.example/v1/chat/completions "]
        {
            let endpoint = Endpoint::new(base, None).expect("an address");
            assert_eq!(
                endpoint.url(&["chat", "completions"]).as_str(),
                "https://h.example/v1/chat/completions"
            );
            assert_eq!(endpoint.host(), "h.example");
        }
        let azure =
            Endpoint::new("https://h.example:8443/openai/v1?api-version=preview", None).expect("an address");
        assert_eq!(
            azure.url(&["models"]).as_str(),
            "https://h.example:8443/openai/v1/models?api-version=preview"
        );
        assert_eq!(azure.host(), "h.example:8443");
    }

    #[test]
    fn what_is_not_a_web_address_is_refused() {
        for base in ["", "api.example.com/v1", "ftp://h.example", "file:///etc/passwd"] {
            assert!(matches!(Endpoint::new(base, None), Err(ModelError::Rejected(_))), "{base}");
        }
    }
}
