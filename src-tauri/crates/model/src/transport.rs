//! The way to a server, the same for every wire format: one client with the key, the trust and the
//! limits in time, and the reading of what streams back.

use std::sync::{Mutex, PoisonError};
use std::time::Duration;

use futures_util::StreamExt;
use reqwest::header::{AUTHORIZATION, CONTENT_TYPE, HeaderName, HeaderValue};
use reqwest::{Client, RequestBuilder, Response, Url, redirect};
use serde_json::Value;
use tokio::time::{Instant, timeout_at};

use crate::address::{Address, Reach};
use crate::api_key::ApiKey;
use crate::config::{Limits, RemoteConfig};
use crate::failure::{Failure, retry_after};
use crate::model::{ModelError, Obstacle, Sending};
use crate::obstacle::{chain, unreachable};
use crate::sse::{Oversized, SseReader};
use crate::trust::trusted_besides;
use crate::wire::{Progress, Wire};

/// How long a connection may take to be made, name look-up and encryption included.
const CONNECT_LIMIT: Duration = Duration::from_secs(15);

/// How long the last pieces (the token counts) may take after the answer's end.
const TAIL_LIMIT: Duration = Duration::from_secs(5);

/// The most that is read of a body that is not a stream.
const BODY_LIMIT: usize = 8 * 1024 * 1024;

/// As much of a refusal's body as is read.
const FAILURE_LIMIT: usize = 64 * 1024;

/// The version of Anthropic's interface.
const ANTHROPIC_VERSION: &str = "2023-06-01";

/// One server, ready for requests.
#[derive(Debug)]
pub(crate) struct Transport {
    client: Client,
    address: Address,
    wire: Wire,
    key: Option<ApiKey>,
    limits: Limits,
    asides: Mutex<Vec<Sending>>,
}

/// How an answer came.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Delivery {
    pub(crate) form: Form,
    /// When its first piece was there.
    pub(crate) first_piece: Instant,
}

/// In one piece or in many.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Form {
    Stream,
    Whole,
}

/// Takes the pieces of an answer.
pub(crate) type Take<'a> = dyn FnMut(&Value) -> Result<Progress, ModelError> + Send + 'a;

impl Transport {
    /// Redirects are not followed: the conversation goes to the host the user chose and to no other.
    /// A server on this computer is asked directly, any other by way of the system's proxy.
    pub(crate) fn new(config: &RemoteConfig) -> Result<Self, ModelError> {
        let address = Address::new(&config.base_url, config.wire)?;
        let mut client = Client::builder()
            .user_agent(concat!("Assay/", env!("CARGO_PKG_VERSION")))
            .connect_timeout(CONNECT_LIMIT)
            .redirect(redirect::Policy::none())
            .tls_certs_merge(trusted_besides(config.extra_ca.as_deref(), &address)?);
        if address.reach() == Reach::ThisComputer {
            client = client.no_proxy();
        }
        let client = client.build().map_err(|error| unreachable(address.host(), error))?;
        let limits = config.limits.unwrap_or_else(|| Limits::for_reach(address.reach()));
        let (wire, key, asides) = (config.wire, config.api_key.clone(), Mutex::default());
        Ok(Self { client, address, wire, key, limits, asides })
    }

    pub(crate) fn address(&self) -> &Address {
        &self.address
    }

    /// Whether its lists come in pages, unless asked otherwise.
    pub(crate) fn is_paged(&self) -> bool {
        self.wire == Wire::Messages
    }

    pub(crate) fn key(&self) -> Option<&ApiKey> {
        self.key.as_ref()
    }

    /// By when the first piece of an answer that is asked for now has to come.
    pub(crate) fn first_piece_deadline(&self) -> Instant {
        Instant::now() + self.limits.first_token
    }

    /// Posts these bytes; what comes back may be a refusal.
    pub(crate) async fn post(
        &self,
        url: Url,
        body: String,
        deadline: Instant,
    ) -> Result<Response, ModelError> {
        let request = self.client.post(url).header(CONTENT_TYPE, "application/json").body(body);
        timeout_at(deadline, self.send(request)).await.map_err(|_| self.silent(self.limits.first_token))?
    }

    /// Asks the server something that is no part of a conversation.
    pub(crate) async fn get(&self, url: Url) -> Result<Response, ModelError> {
        self.note_aside(format!("GET {url}"));
        self.send(self.client.get(url)).await
    }

    /// The same with a body.
    pub(crate) async fn post_aside(
        &self,
        url: Url,
        body: String,
        deadline: Instant,
    ) -> Result<Response, ModelError> {
        self.note_aside(format!("POST {url}\n\n{body}"));
        self.post(url, body, deadline).await
    }

    fn note_aside(&self, body: String) {
        let host = self.address.host();
        self.asides.lock().unwrap_or_else(PoisonError::into_inner).push(Sending { host, body });
    }

    /// What has left beside the conversation since this was last asked.
    pub(crate) fn take_asides(&self) -> Vec<Sending> {
        std::mem::take(&mut *self.asides.lock().unwrap_or_else(PoisonError::into_inner))
    }

    async fn send(&self, mut request: RequestBuilder) -> Result<Response, ModelError> {
        if self.wire == Wire::Messages {
            request = request.header("anthropic-version", ANTHROPIC_VERSION);
        }
        if let Some(key) = &self.key {
            let (name, value) = self.credentials(key);
            let mut value = HeaderValue::from_str(&value)
                .map_err(|_| ModelError::WrongKey("it has characters that no key has".into()))?;
            value.set_sensitive(true);
            request = request.header(name, value);
        }
        let response = request.send().await.map_err(|error| unreachable(self.address.host(), error))?;
        if response.status().as_u16() == 407 {
            let (host, reason) = (self.address.host(), "the proxy asks for a password".into());
            return Err(ModelError::Unreachable { host, obstacle: Obstacle::Proxy, reason });
        }
        Ok(response)
    }

    fn credentials(&self, key: &ApiKey) -> (HeaderName, String) {
        if self.wire == Wire::Messages {
            (HeaderName::from_static("x-api-key"), key.expose().to_owned())
        } else if self.address.is_azure() {
            (HeaderName::from_static("api-key"), key.expose().to_owned())
        } else {
            (AUTHORIZATION, format!("Bearer {}", key.expose()))
        }
    }

    /// Reads an answer to its end, be it a stream or one value.
    pub(crate) async fn read_answer(
        &self,
        response: Response,
        deadline: Instant,
        take: &mut Take<'_>,
    ) -> Result<Delivery, ModelError> {
        match content_type(&response) {
            "application/json" => {
                let body = timeout_at(deadline, read_at_most(response, BODY_LIMIT)).await;
                let body = body.map_err(|_| self.silent(self.limits.first_token))?.map_err(broke_off)?;
                self.take_json(&body, take)?;
                Ok(Delivery { form: Form::Whole, first_piece: Instant::now() })
            }
            "text/html" => Err(ModelError::Protocol(WEB_PAGE.into())),
            _ => self.read_stream(response, deadline, take).await,
        }
    }

    async fn read_stream(
        &self,
        response: Response,
        mut deadline: Instant,
        take: &mut Take<'_>,
    ) -> Result<Delivery, ModelError> {
        let mut first_piece = None;
        let mut limit = self.limits.first_token;
        let mut progress = Progress::Going;
        let mut reader = SseReader::default();
        let mut pieces = response.bytes_stream();
        loop {
            let piece = timeout_at(deadline, pieces.next()).await;
            let (events, failure) = match piece {
                Ok(Some(Ok(bytes))) => (reader.push(&bytes)?, None),
                Ok(Some(Err(error))) => (Vec::new(), Some(broke_off(error))),
                Ok(None) => {
                    let failure = ModelError::Server("the answer broke off before its end".into());
                    (reader.finish()?.into_iter().collect(), Some(failure))
                }
                Err(_) => (Vec::new(), Some(self.silent(limit))),
            };
            for event in events {
                let first_piece = *first_piece.get_or_insert_with(Instant::now);
                let delivery = Delivery { form: Form::Stream, first_piece };
                if event.trim() == "[DONE]" {
                    return Ok(delivery);
                }
                progress = self.take_json(event.as_bytes(), take)?.unwrap_or(progress);
                limit = match progress {
                    Progress::Going => self.limits.idle,
                    Progress::Whole => TAIL_LIMIT,
                    Progress::Over => return Ok(delivery),
                };
                deadline = Instant::now() + limit;
            }
            match failure {
                Some(_) if progress == Progress::Whole => {
                    let first_piece = first_piece.unwrap_or_else(Instant::now);
                    return Ok(Delivery { form: Form::Stream, first_piece });
                }
                Some(failure) => return Err(failure),
                None => {}
            }
        }
    }

    fn take_json(&self, json: &[u8], take: &mut Take<'_>) -> Result<Option<Progress>, ModelError> {
        if json.trim_ascii().is_empty() {
            return Ok(None);
        }
        let piece: Value = serde_json::from_slice(json)
            .map_err(|error| ModelError::Protocol(format!("a piece of it is not JSON: {error}")))?;
        if piece.get("error").is_some_and(|error| !error.is_null()) {
            return Err(Failure::in_stream(&piece).into_error(self.key()));
        }
        take(&piece).map(Some)
    }

    fn silent(&self, limit: Duration) -> ModelError {
        tracing::debug!(host = self.address.host(), "the server is silent");
        ModelError::Server(silence(limit))
    }
}

/// The body of an answer to a short question, as JSON.
pub(crate) async fn read_json(response: Response) -> Result<Value, ModelError> {
    let body = read_at_most(response, BODY_LIMIT).await.map_err(broke_off)?;
    serde_json::from_slice(&body).map_err(|_| ModelError::Protocol(WEB_PAGE.into()))
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

/// The words for a server that says nothing for so long.
pub(crate) fn silence(limit: Duration) -> String {
    format!("nothing came for {} seconds", limit.as_secs_f64())
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

impl From<Oversized> for ModelError {
    fn from(error: Oversized) -> Self {
        Self::Protocol(error.to_string())
    }
}

const WEB_PAGE: &str = "the address answers with something else than a model's interface; \
                        is the base URL complete, with /v1 at its end where the provider asks for it?";

fn broke_off(error: reqwest::Error) -> ModelError {
    ModelError::Server(format!("the connection broke off: {}", chain(error)))
}

fn content_type(response: &Response) -> &str {
    let value = response.headers().get(CONTENT_TYPE).and_then(|value| value.to_str().ok());
    value.and_then(|value| value.split(';').next()).unwrap_or_default().trim()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_key_goes_where_each_provider_looks_for_it() {
        for (wire, base_url, header, value) in [
            (Wire::ChatCompletions, "https://h.example/v1", "authorization", "Bearer sk-x"),
            (Wire::Messages, "https://h.example", "x-api-key", "sk-x"),
            (Wire::Responses, "https://r.openai.azure.com/openai/v1", "api-key", "sk-x"),
        ] {
            let transport = Transport::new(&RemoteConfig::new(wire, base_url, "m")).expect("an address");
            let key = ApiKey::new("sk-x").expect("a key");
            assert_eq!(transport.credentials(&key), (HeaderName::from_static(header), value.to_owned()));
        }
    }
}
