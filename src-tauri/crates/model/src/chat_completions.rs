//! The Chat Completions format, as the OpenAI API reference defines it and as the servers that
//! call themselves compatible with it really speak it.

mod arguments;
mod assembly;
mod dialect;
mod request;
mod written_calls;

use std::sync::{Mutex, PoisonError};
use std::time::Duration;

use async_trait::async_trait;
use futures_util::StreamExt;
use reqwest::Response;
use reqwest::header::CONTENT_TYPE;
use serde_json::Value;
use tokio::time::{Instant, timeout, timeout_at};
use tokio_util::sync::CancellationToken;

use crate::api_key::ApiKey;
use crate::endpoint::{Endpoint, chain, read_at_most, read_failure};
use crate::failure::Failure;
use crate::model::{Capabilities, DeltaSink, Model, ModelCard, ModelError, Obstacle, Turn, TurnRequest};
use crate::sse::{Oversized, SseReader};
use assembly::Assembly;
use dialect::Dialect;

const CHECK_LIMIT: Duration = Duration::from_secs(15);

/// How long the last pieces (the token counts) may take after the answer's end.
const TAIL_LIMIT: Duration = Duration::from_secs(5);

/// The most that is read of a body that is not a stream.
const BODY_LIMIT: usize = 8 * 1024 * 1024;

/// Where a model is and how to ask it.
#[derive(Debug, Clone)]
pub struct ChatCompletionsConfig {
    /// The address up to and with its version, for example `http://127.0.0.1:11434/v1`.
    pub base_url: String,
    /// The account's key; servers nearby need none, see [`needs_key`](crate::needs_key).
    pub api_key: Option<ApiKey>,
    /// The model's name as the server knows it.
    pub model: String,
    /// Whether the model looks at pictures. When it does not, pictures are left out.
    pub images: bool,
    /// How long the first piece of an answer may take; a local model reads a long conversation
    /// for minutes.
    pub first_token_limit: Duration,
    /// How long each further piece may take.
    pub idle_limit: Duration,
}

impl ChatCompletionsConfig {
    /// A model without a key that does not look at pictures: five minutes to the first piece,
    /// one for each further one.
    pub fn new(base_url: impl Into<String>, model: impl Into<String>) -> Self {
        Self {
            base_url: base_url.into(),
            api_key: None,
            model: model.into(),
            images: false,
            first_token_limit: Duration::from_mins(5),
            idle_limit: Duration::from_mins(1),
        }
    }
}

/// A model behind a Chat Completions endpoint. It learns from a server's refusals how that server
/// wants its requests written, and keeps to it.
#[derive(Debug)]
pub struct ChatCompletions {
    config: ChatCompletionsConfig,
    endpoint: Endpoint,
    dialect: Mutex<Dialect>,
}

impl ChatCompletions {
    /// Asks nothing of the network yet; refuses a base URL that is no web address.
    pub fn new(config: ChatCompletionsConfig) -> Result<Self, ModelError> {
        let endpoint = Endpoint::new(&config.base_url, config.api_key.clone())?;
        Ok(Self { config, endpoint, dialect: Mutex::default() })
    }

    async fn answer(&self, request: &TurnRequest, sink: &mut DeltaSink<'_>) -> Result<Turn, ModelError> {
        let deadline = Instant::now() + self.config.first_token_limit;
        let late = |_| ModelError::Server(silent(self.config.first_token_limit));
        let response = timeout_at(deadline, self.open(request)).await.map_err(late)??;
        let mut assembly = Assembly::new(request);
        match content_type(&response) {
            "application/json" => {
                let body = timeout_at(deadline, read_at_most(response, BODY_LIMIT)).await.map_err(late)?;
                self.take(&body.map_err(broke_off)?, &mut assembly, sink)?;
            }
            "text/html" => return Err(ModelError::Protocol(WEB_PAGE.into())),
            _ => self.read_stream(response, deadline, &mut assembly, sink).await?,
        }
        Ok(assembly.finish(sink))
    }

    /// Sends the request, once more for each point of form that the server points out.
    async fn open(&self, request: &TurnRequest) -> Result<Response, ModelError> {
        loop {
            let dialect = *self.dialect.lock().unwrap_or_else(PoisonError::into_inner);
            let sees = Capabilities { images: self.config.images, ..Capabilities::default() };
            let body = request::body(&self.config.model, sees, request, dialect);
            let response = self.endpoint.post(&["chat", "completions"], &body).await?;
            if response.status().is_success() {
                return Ok(response);
            }
            let failure = read_failure(response).await;
            let Some(next) = dialect.after(&failure, &body) else {
                return Err(failure.into_error(self.endpoint.key()));
            };
            tracing::debug!(?next, "the server wants its requests written otherwise");
            *self.dialect.lock().unwrap_or_else(PoisonError::into_inner) = next;
        }
    }

    async fn read_stream(
        &self,
        response: Response,
        mut deadline: Instant,
        assembly: &mut Assembly<'_>,
        sink: &mut DeltaSink<'_>,
    ) -> Result<(), ModelError> {
        let mut limit = self.config.first_token_limit;
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
                Err(_) => (Vec::new(), Some(ModelError::Server(silent(limit)))),
            };
            for event in events {
                if event.trim() == "[DONE]" {
                    return Ok(());
                }
                self.take(event.as_bytes(), assembly, sink)?;
                limit = if assembly.is_finished() { TAIL_LIMIT } else { self.config.idle_limit };
                deadline = Instant::now() + limit;
            }
            match failure {
                Some(_) if assembly.is_finished() => return Ok(()),
                Some(failure) => return Err(failure),
                None => {}
            }
        }
    }

    fn take(
        &self,
        json: &[u8],
        assembly: &mut Assembly<'_>,
        sink: &mut DeltaSink<'_>,
    ) -> Result<(), ModelError> {
        if json.trim_ascii().is_empty() {
            return Ok(());
        }
        let chunk: Value = serde_json::from_slice(json)
            .map_err(|error| ModelError::Protocol(format!("a piece of it is not JSON: {error}")))?;
        if chunk.get("error").is_some_and(|error| !error.is_null()) {
            return Err(Failure::in_stream(&chunk).into_error(self.endpoint.key()));
        }
        assembly.push(&chunk, sink)
    }

    async fn ask_for_models(&self) -> Result<(), ModelError> {
        let response = self.endpoint.get(&["models"]).await?;
        if matches!(response.status().as_u16(), 404 | 405 | 501) {
            return Ok(());
        }
        if !response.status().is_success() {
            return Err(read_failure(response).await.into_error(self.endpoint.key()));
        }
        let body = read_at_most(response, BODY_LIMIT).await.map_err(broke_off)?;
        let list: Value = serde_json::from_slice(&body).map_err(|_| ModelError::Protocol(WEB_PAGE.into()))?;
        let rows = list.get("data").or_else(|| list.get("models")).unwrap_or(&list).as_array();
        let names: Vec<&str> = rows.into_iter().flatten().filter_map(model_name).collect();
        if names.is_empty() || names.iter().any(|name| is_same_model(name, &self.config.model)) {
            return Ok(());
        }
        Err(ModelError::UnknownModel(not_among(&self.config.model, names)))
    }
}

#[async_trait]
impl Model for ChatCompletions {
    fn card(&self) -> ModelCard {
        ModelCard {
            name: self.config.model.clone(),
            host: Some(self.endpoint.host()),
            is_ai: true,
            capabilities: Capabilities { images: self.config.images, ..Capabilities::default() },
        }
    }

    /// Reads the list of models. A server without one cannot be checked and passes.
    async fn check(&self) -> Result<(), ModelError> {
        let answer = timeout(CHECK_LIMIT, self.ask_for_models()).await;
        answer.map_err(|_| ModelError::Unreachable {
            host: self.endpoint.host(),
            obstacle: Obstacle::NoAnswer,
            reason: silent(CHECK_LIMIT),
        })?
    }

    async fn turn(
        &self,
        request: &TurnRequest,
        sink: &mut DeltaSink<'_>,
        stop: &CancellationToken,
    ) -> Result<Turn, ModelError> {
        // Dropping the unfinished answer closes its connection.
        tokio::select! {
            biased;
            () = stop.cancelled() => Err(ModelError::Stopped),
            turn = self.answer(request, sink) => turn,
        }
    }
}

impl From<Oversized> for ModelError {
    fn from(error: Oversized) -> Self {
        Self::Protocol(error.to_string())
    }
}

const WEB_PAGE: &str = "the address answers with something else than a model's interface; \
                        is the base URL complete, with /v1 at its end where the provider asks for it?";

fn silent(limit: Duration) -> String {
    format!("nothing came for {} seconds", limit.as_secs_f64())
}

fn broke_off(error: reqwest::Error) -> ModelError {
    ModelError::Server(format!("the connection broke off: {}", chain(error)))
}

fn content_type(response: &Response) -> &str {
    let value = response.headers().get(CONTENT_TYPE).and_then(|value| value.to_str().ok());
    value.and_then(|value| value.split(';').next()).unwrap_or_default().trim()
}

fn model_name(row: &Value) -> Option<&str> {
    row.as_str().or_else(|| row.get("id").or_else(|| row.get("name"))?.as_str())
}

/// Lists may write a name with a `models/` before it or a `:latest` behind it, and leave out the
/// variants (`name:variant`) that a router offers.
fn is_same_model(listed: &str, asked: &str) -> bool {
    let listed = listed.strip_prefix("models/").unwrap_or(listed);
    let asked = asked.strip_prefix("models/").unwrap_or(asked);
    listed.strip_suffix(":latest").unwrap_or(listed) == asked
        || listed == asked
        || asked.split_once(':').is_some_and(|(name, _)| listed == name)
}

/// Names up to five models that are there, the most alike first.
fn not_among(asked: &str, mut names: Vec<&str>) -> String {
    let alike =
        |name: &str| name.chars().zip(asked.chars()).take_while(|(a, b)| a.eq_ignore_ascii_case(b)).count();
    names.sort_by_key(|name| std::cmp::Reverse(alike(name)));
    let more = if names.len() > 5 { ", …" } else { "" };
    names.truncate(5);
    format!("{asked}; there are {}{more}", names.join(", "))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn listed_names_are_compared_with_tolerance() {
        for (listed, asked, same) in [
            ("gpt-x", "gpt-x", true),
            ("models/gemini-x", "gemini-x", true),
            ("qwen:latest", "qwen", true),
            ("vendor/name", "vendor/name:free", true),
            ("qwen:7b", "qwen:3b", false),
            ("qwen:7b", "qwen", false),
            ("gpt-x-mini", "gpt-x", false),
        ] {
            assert_eq!(is_same_model(listed, asked), same, "{listed} {asked}");
        }
    }

    #[test]
    fn an_unknown_model_is_answered_with_those_most_like_it() {
        let names = vec!["whisper", "tts", "gpt-4o", "dall-e", "gpt-5", "gpt-5-mini", "ada"];
        assert_eq!(
            not_among("gpt-5x", names),
            "gpt-5x; there are gpt-5, gpt-5-mini, gpt-4o, whisper, tts, …"
        );
    }
}
