//! The provider's interface: containers, their files, and a model that runs code in them.
//!
//! Written after OpenAI's API reference (containers, container files, responses). Everything that comes back is
//! bounded, and shown to nobody before it is printable.

use std::path::Path;
use std::time::Duration;

use futures_util::StreamExt;
use reqwest::header::{HeaderValue, RETRY_AFTER};
use reqwest::{Certificate, Client, Method, RequestBuilder, Response, Url, multipart, redirect};
use serde::Deserialize;
use serde::de::DeserializeOwned;
use serde_json::{Value, json};

use super::error::HostedError;
use super::{HostedKey, HostedSettings, Outgoing};
use crate::runtime::Sent;
use crate::text::printable;

/// How long a connection may take to be made.
const CONNECT_LIMIT: Duration = Duration::from_secs(15);
/// How long a server may say nothing. A model that runs a line says nothing until it has run.
const SILENCE_LIMIT: Duration = Duration::from_mins(3);
/// How often a request is sent before the provider's trouble is taken for lasting.
const TRIES: u32 = 4;
/// The wait before the second try; it doubles with each.
const FIRST_WAIT: Duration = Duration::from_millis(500);
/// The longest wait that a provider may ask for.
const LONGEST_WAIT: Duration = Duration::from_secs(30);
/// The longest body of an answer that is not a file, in bytes.
const BODY_LIMIT: usize = 8 << 20;
/// The longest text that is taken over from a provider, in characters.
const TEXT_LIMIT: usize = 300;
/// Pages of a list that are looked at, of 100 rows each.
const MAX_PAGES: usize = 20;

/// A container as the provider lists it.
#[derive(Debug, Deserialize)]
pub(super) struct ContainerRow {
    pub(super) id: String,
    #[serde(default)]
    pub(super) name: Option<String>,
    #[serde(default)]
    pub(super) status: Option<String>,
}

/// A file of a container as the provider lists it.
#[derive(Debug, Deserialize)]
pub(super) struct FileRow {
    pub(super) id: String,
    #[serde(default)]
    pub(super) path: Option<String>,
}

/// What the provider's model ran in answer to one request.
#[derive(Debug)]
pub(super) struct Call {
    pub(super) code: String,
    pub(super) container: Option<String>,
    /// What was printed, where the provider tells.
    pub(super) logs: String,
}

#[derive(Debug, Deserialize)]
struct Page<T> {
    data: Vec<T>,
    #[serde(default)]
    has_more: bool,
    #[serde(default)]
    last_id: Option<String>,
}

/// The account with one provider.
#[derive(Debug)]
pub(super) struct Api {
    client: Client,
    base: Url,
    key: HostedKey,
    model: String,
    outgoing: Outgoing,
}

impl Api {
    /// Redirects are not followed: what leaves goes to the host that was chosen and to no other.
    pub(super) fn new(
        settings: &HostedSettings,
        key: HostedKey,
        outgoing: Outgoing,
    ) -> Result<Self, HostedError> {
        let base = base_url(&settings.base_url)?;
        let mut client = Client::builder()
            .user_agent(concat!("Assay/", env!("CARGO_PKG_VERSION")))
            .connect_timeout(CONNECT_LIMIT)
            .read_timeout(SILENCE_LIMIT)
            .redirect(redirect::Policy::none());
        if let Some(path) = &settings.extra_ca {
            client = client.tls_certs_merge(certificates(path)?);
        }
        if is_loopback(&base) {
            client = client.no_proxy();
        }
        let client = client.build().map_err(|error| HostedError::Settings(chain(&error)))?;
        Ok(Self { client, base, key, model: settings.model.clone(), outgoing })
    }

    /// The host, with the port where it is not the usual one.
    pub(super) fn host(&self) -> String {
        host_of(&self.base)
    }

    /// Makes a container without a network. It ends after 20 minutes without use, the provider's longest.
    pub(super) async fn create(&self, name: &str, memory: &str) -> Result<String, HostedError> {
        let body = json!({
            "name": name,
            "expires_after": { "anchor": "last_active_at", "minutes": 20 },
            "memory_limit": memory,
            "network_policy": { "type": "disabled" },
        });
        let row: ContainerRow = self.ask(Method::POST, &["containers"], &[], Some(&body)).await?;
        Ok(row.id)
    }

    /// Deletes a container; whether it was still there.
    pub(super) async fn delete(&self, container: &str) -> Result<bool, HostedError> {
        let deleted: Result<Value, _> = self.ask(Method::DELETE, &["containers", container], &[], None).await;
        match deleted {
            Ok(_) => Ok(true),
            Err(HostedError::Gone(_)) => Ok(false),
            Err(error) => Err(error),
        }
    }

    /// The containers of the account. Those that have ended may be among them for a while.
    pub(super) async fn containers(&self) -> Result<Vec<ContainerRow>, HostedError> {
        self.list(&["containers"], |_| false).await
    }

    /// Whether the key is good for containers.
    pub(super) async fn check(&self) -> Result<(), HostedError> {
        let _: Page<ContainerRow> = self.ask(Method::GET, &["containers"], &[("limit", "1")], None).await?;
        Ok(())
    }

    /// Uploads bytes as a file of this name; where it lies in the container.
    pub(super) async fn upload(
        &self,
        container: &str,
        name: &str,
        content: bytes::Bytes,
    ) -> Result<String, HostedError> {
        let url = self.url(&["containers", container, "files"], &[]);
        self.note(format!("POST {url}\n\n{name}, {} bytes", content.len()), content.len() as u64);
        let request = || {
            let part = multipart::Part::stream_with_length(content.clone(), content.len() as u64);
            let form = multipart::Form::new().part("file", part.file_name(name.to_owned()));
            self.client.post(url.clone()).multipart(form)
        };
        let row: FileRow = read_json(self.send(request).await?).await?;
        Ok(row.path.unwrap_or_default())
    }

    /// The file at exactly this path of the container, if the provider lists it.
    pub(super) async fn find(&self, container: &str, path: &str) -> Result<Option<FileRow>, HostedError> {
        let is_it = |row: &FileRow| row.path.as_deref() == Some(path);
        let rows = self.list(&["containers", container, "files"], is_it).await?;
        Ok(rows.into_iter().find(is_it))
    }

    /// The content of a file, not yet read.
    pub(super) async fn content(&self, container: &str, file: &str) -> Result<Response, HostedError> {
        let url = self.url(&["containers", container, "files", file, "content"], &[]);
        self.send(|| self.client.get(url.clone())).await
    }

    /// Asks the model to run one line in a container; what it ran. What it says is not looked at.
    pub(super) async fn run_line(&self, container: &str, line: &str) -> Result<Vec<Call>, HostedError> {
        let body = json!({
            "model": self.model,
            "instructions": INSTRUCTIONS,
            "input": format!("Run this line:\n\n```python\n{line}\n```"),
            "tools": [{ "type": "code_interpreter", "container": container }],
            "tool_choice": { "type": "code_interpreter" },
            "max_tool_calls": 1,
            "parallel_tool_calls": false,
            "include": ["code_interpreter_call.outputs"],
            "store": false,
        });
        let answer: Value = self.ask(Method::POST, &["responses"], &[], Some(&body)).await?;
        let items = answer["output"].as_array().map(Vec::as_slice).unwrap_or_default();
        Ok(items.iter().filter(|item| item["type"] == "code_interpreter_call").map(call).collect())
    }

    /// Reads a list page by page, newest first, until a row is the one that was looked for.
    async fn list<T: DeserializeOwned>(
        &self,
        path: &[&str],
        is_last: impl Fn(&T) -> bool,
    ) -> Result<Vec<T>, HostedError> {
        let mut rows: Vec<T> = Vec::new();
        let mut after: Option<String> = None;
        for _ in 0..MAX_PAGES {
            let mut query = vec![("limit", "100"), ("order", "desc")];
            query.extend(after.as_deref().map(|after| ("after", after)));
            let page: Page<T> = self.ask(Method::GET, path, &query, None).await?;
            let found = page.data.iter().any(&is_last);
            rows.extend(page.data);
            after = page.last_id;
            if found || !page.has_more || after.is_none() {
                break;
            }
        }
        Ok(rows)
    }

    async fn ask<T: DeserializeOwned>(
        &self,
        method: Method,
        path: &[&str],
        query: &[(&str, &str)],
        body: Option<&Value>,
    ) -> Result<T, HostedError> {
        let url = self.url(path, query);
        // What only asks or deletes carries nothing.
        if let Some(body) = body.map(Value::to_string) {
            self.note(format!("{method} {url}\n\n{body}"), body.len() as u64);
        }
        let request = || {
            let request = self.client.request(method.clone(), url.clone());
            if let Some(body) = body { request.json(body) } else { request }
        };
        read_json(self.send(request).await?).await
    }

    /// Sends a request, again where the trouble may pass.
    async fn send(&self, request: impl Fn() -> RequestBuilder) -> Result<Response, HostedError> {
        let mut wait = FIRST_WAIT;
        let mut tries = 0;
        loop {
            tries += 1;
            let (error, asked) = match self.with_key(request())?.send().await {
                Ok(response) if response.status().is_success() => return Ok(response),
                Ok(response) => {
                    let asked = retry_after(&response);
                    let passing = matches!(response.status().as_u16(), 408 | 429 | 500..);
                    let error = self.refusal(response).await;
                    if !passing {
                        return Err(error);
                    }
                    (error, asked)
                }
                Err(error) => (HostedError::Unreachable { host: self.host(), reason: chain(&error) }, None),
            };
            if tries == TRIES {
                return Err(error);
            }
            tracing::info!(%error, tries, "the provider is asked again");
            tokio::time::sleep(asked.unwrap_or(wait).min(LONGEST_WAIT)).await;
            wait *= 2;
        }
    }

    fn with_key(&self, request: RequestBuilder) -> Result<RequestBuilder, HostedError> {
        let mut value = HeaderValue::from_str(&format!("Bearer {}", self.key.expose()))
            .map_err(|_| HostedError::Settings("the key has characters that no key has".into()))?;
        value.set_sensitive(true);
        Ok(request.header(reqwest::header::AUTHORIZATION, value))
    }

    async fn refusal(&self, response: Response) -> HostedError {
        let status = response.status().as_u16();
        let about_container = response.url().path().contains("/containers/");
        let body = read_at_most(response, 64 << 10).await.unwrap_or_default();
        let told: Value = serde_json::from_slice(&body).unwrap_or_default();
        let told = told["error"]["message"].as_str().map(str::to_owned);
        let text = told.unwrap_or_else(|| String::from_utf8_lossy(&body).into_owned());
        let reason = short(&self.key.redact(&text));
        let words = reason.to_lowercase();
        // That a file is not there says nothing of its container.
        let names_container = (words.contains("container") || about_container) && !words.starts_with("file");
        let has_ended = ["expired", "not found", "does not exist", "deleted", "container_id"];
        match status {
            401 | 403 => HostedError::WrongKey { host: self.host() },
            410 => HostedError::Gone(reason),
            404 if names_container => HostedError::Gone(reason),
            400 if names_container && has_ended.iter().any(|said| words.contains(said)) => {
                HostedError::Gone(reason)
            }
            _ => HostedError::Refused { status, reason },
        }
    }

    fn url(&self, path: &[&str], query: &[(&str, &str)]) -> Url {
        let mut url = self.base.clone();
        if let Ok(mut segments) = url.path_segments_mut() {
            segments.pop_if_empty().extend(path);
        }
        if !query.is_empty() {
            url.query_pairs_mut().extend_pairs(query);
        }
        url
    }

    fn note(&self, text: String, bytes: u64) {
        self.outgoing.push(Sent { host: self.host(), text, bytes });
    }
}

const INSTRUCTIONS: &str = "You run one line of Python for a program. Call the python tool once, with exactly the \
                            line that you are given: every character the same, nothing added. Run nothing else, and \
                            then answer: done.";

/// The address up to and with its version, checked.
pub(super) fn base_url(text: &str) -> Result<Url, HostedError> {
    let url = Url::parse(text).map_err(|error| HostedError::Settings(format!("`{text}`: {error}")))?;
    if url.scheme() == "https" || (url.scheme() == "http" && is_loopback(&url)) {
        Ok(url)
    } else {
        Err(HostedError::Settings(format!("`{text}` does not begin with https://")))
    }
}

pub(super) fn host_of(url: &Url) -> String {
    let host = url.host_str().unwrap_or_default();
    url.port().map_or(host.to_owned(), |port| format!("{host}:{port}"))
}

fn is_loopback(url: &Url) -> bool {
    match url.host_str() {
        Some("localhost") => true,
        Some(host) => host
            .trim_matches(['[', ']'])
            .parse::<std::net::IpAddr>()
            .is_ok_and(|address| address.is_loopback()),
        None => false,
    }
}

fn certificates(path: &Path) -> Result<Vec<Certificate>, HostedError> {
    let trouble = |reason: String| {
        HostedError::Settings(format!("the certificate file {} cannot be used: {reason}", path.display()))
    };
    let pem = std::fs::read(path).map_err(|error| trouble(error.to_string()))?;
    let certificates = Certificate::from_pem_bundle(&pem).map_err(|error| trouble(chain(&error)))?;
    if certificates.is_empty() { Err(trouble("it holds none in PEM form".into())) } else { Ok(certificates) }
}

fn call(item: &Value) -> Call {
    let outputs = item["outputs"].as_array().map(Vec::as_slice).unwrap_or_default();
    let logs: Vec<&str> = outputs.iter().filter_map(|output| output["logs"].as_str()).collect();
    Call {
        code: item["code"].as_str().unwrap_or_default().to_owned(),
        container: item["container_id"].as_str().map(str::to_owned),
        logs: last_words(&logs.concat()),
    }
}

/// The last line of what was printed, where an exception says what it is.
fn last_words(logs: &str) -> String {
    short(logs.trim().lines().last().unwrap_or_default())
}

fn short(text: &str) -> String {
    printable(text.trim().as_bytes()).replace('\n', " ").chars().take(TEXT_LIMIT).collect()
}

fn retry_after(response: &Response) -> Option<Duration> {
    let seconds = response.headers().get(RETRY_AFTER)?.to_str().ok()?.trim().parse::<f64>().ok()?;
    Duration::try_from_secs_f64(seconds).ok()
}

async fn read_json<T: DeserializeOwned>(response: Response) -> Result<T, HostedError> {
    let status = response.status().as_u16();
    let broke_off = |reason: String| HostedError::Refused { status, reason };
    let body = read_at_most(response, BODY_LIMIT).await.map_err(|error| broke_off(chain(&error)))?;
    serde_json::from_slice(&body).map_err(|error| broke_off(format!("the answer is not as agreed: {error}")))
}

/// Reads a whole body, or its beginning when it is longer than the limit.
async fn read_at_most(response: Response, limit: usize) -> reqwest::Result<Vec<u8>> {
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

/// An error with its causes, without the address: that may hold what nobody should read.
fn chain(error: &dyn std::error::Error) -> String {
    let mut text = error.to_string();
    let mut source = error.source();
    while let Some(cause) = source {
        text.push_str(": ");
        text.push_str(&cause.to_string());
        source = cause.source();
    }
    short(&text)
}
