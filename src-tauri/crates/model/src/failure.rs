//! What a provider's refusal means, from its status, headers and body.

use std::time::Duration;

use reqwest::header::HeaderMap;
use serde_json::Value;

use crate::api_key::ApiKey;
use crate::model::ModelError;

/// The longest text taken over from a provider, in characters.
const TEXT_LIMIT: usize = 300;

/// A refusal as it came.
#[derive(Debug)]
pub(crate) struct Failure {
    pub(crate) status: u16,
    pub(crate) retry_after: Option<Duration>,
    pub(crate) body: String,
}

impl Failure {
    /// A refusal inside a stream that had begun well; its code stands in for the status.
    pub(crate) fn in_stream(event: &Value) -> Self {
        let told = Told::read(&event.to_string());
        let status = told.number.or_else(|| told.codes.iter().find_map(|code| status_of(code)));
        let retry_after = told.retry_after();
        Self { status: status.unwrap_or(500), retry_after, body: event.to_string() }
    }

    /// Whether the server found fault with the request's form, so that another form may do.
    pub(crate) fn is_about_the_form(&self) -> bool {
        matches!(self.status, 400..500) && !matches!(self.status, 401 | 402 | 403 | 404 | 408 | 413 | 429)
    }

    /// Whether the model, or its server, knows no tool calls. Servers say so with many a status.
    pub(crate) fn is_about_tools(&self) -> bool {
        let body = self.body.to_lowercase();
        matches!(self.status, 400 | 404 | 422 | 500 | 501)
            && NO_TOOLS.iter().any(|words| body.contains(words))
    }

    /// Whether the model takes no pictures, or not these.
    pub(crate) fn is_about_images(&self) -> bool {
        let body = self.body.to_lowercase();
        matches!(self.status, 400 | 404 | 415 | 422 | 500 | 501)
            && ["image", "vision", "multimodal"].iter().any(|word| body.contains(word))
    }

    /// Whether the conversation was too long.
    pub(crate) fn is_too_long(&self) -> bool {
        let Told { message, codes, .. } = Told::read(&self.body);
        let message = message.to_lowercase();
        self.status == 413
            || codes.iter().any(|code| TOO_LONG.contains(&code.as_str()))
            || (self.status != 429 && TOO_LONG_WORDS.iter().any(|words| message.contains(words)))
    }

    /// The class of the refusal. The key the request was sent with never gets into the text.
    pub(crate) fn into_error(self, key: Option<&ApiKey>) -> ModelError {
        let is_too_long = self.is_too_long();
        let told = Told::read(&self.body);
        let retry_after = self.retry_after.or_else(|| told.retry_after());
        let Told { message, codes, .. } = told;
        let redacted = key.map_or_else(|| message.clone(), |key| key.redact(&message));
        let text = match cut(redacted.trim()) {
            text if text.is_empty() => format!("HTTP {}", self.status),
            text => format!("HTTP {}: {text}", self.status),
        };
        let message = message.to_lowercase();
        let says = |phrases: &[&str]| phrases.iter().any(|phrase| message.contains(phrase));
        let has_code = |known: &[&str]| codes.iter().any(|code| known.contains(&code.as_str()));

        if has_code(REFUSED_CONTENT) || says(REFUSED_CONTENT_WORDS) {
            return ModelError::ContentRefused(text);
        }
        // A web page with this status is a gate before the provider, which has not seen the key.
        if self.status == 403 && self.body.trim_start().starts_with('<') {
            return ModelError::Rejected(text);
        }
        if matches!(self.status, 401 | 403) || has_code(WRONG_KEY) || says(WRONG_KEY_WORDS) {
            return if key.is_some() { ModelError::WrongKey(text) } else { ModelError::MissingKey };
        }
        if self.status == 402 || has_code(NO_CREDIT) || says(NO_CREDIT_WORDS) {
            return ModelError::NoCredit(text);
        }
        if is_too_long {
            return ModelError::TooLong(text);
        }
        if has_code(UNKNOWN_MODEL)
            || (self.status == 404 && says(&["model"]))
            || (self.status == 400 && says(UNKNOWN_MODEL_WORDS))
        {
            return ModelError::UnknownModel(text);
        }
        match self.status {
            429 => ModelError::RateLimited { retry_after },
            503 if says(LOADING_WORDS) => ModelError::Loading(text),
            408 | 500.. => ModelError::Server(text),
            404 => ModelError::Rejected(format!("nothing answers chat requests at this address ({text})")),
            _ => ModelError::Rejected(text),
        }
    }
}

/// A local server answers so for as long as it reads a model from its disk, which can be minutes.
const LOADING_WORDS: &[&str] = &["loading model", "model is loading", "currently loading"];
const NO_TOOLS: &[&str] = &[
    "not support tool",
    "not support function",
    "support tool use",
    "tool choice requires",
    "tools param requires",
    "tool calling` is not supported",
    "tool use is not supported",
    "tools are not supported",
    "tools is not supported",
    "function calling is not enabled",
    "function calling is not supported",
];

const WRONG_KEY: &[&str] = &["invalid_api_key", "api_key_invalid", "authentication_error", "unauthenticated"];

/// Google refuses a wrong key with status 400.
const WRONG_KEY_WORDS: &[&str] = &["api key not valid", "api key expired", "invalid authorization header"];

const NO_CREDIT: &[&str] =
    &["insufficient_quota", "billing_hard_limit_reached", "insufficient_balance", "billing_error"];

/// `limit: 0` is how Google says that a plan has no quota at all for a model.
const NO_CREDIT_WORDS: &[&str] =
    &["insufficient balance", "credit balance", "insufficient credits", "billing not active", "limit: 0,"];

const UNKNOWN_MODEL: &[&str] =
    &["model_not_found", "deploymentnotfound", "invalid_model", "model_not_available"];

const UNKNOWN_MODEL_WORDS: &[&str] =
    &["model not exist", "invalid model", "is not a valid model", "unknown model", "no such model"];

const REFUSED_CONTENT: &[&str] = &[
    "content_filter",
    "content_policy_violation",
    "responsibleaipolicyviolation",
    "data_inspection_failed",
    "invalid_prompt",
];

const REFUSED_CONTENT_WORDS: &[&str] = &[
    "content management policy",
    "flagged as potentially violating",
    "content exists risk",
    "requires moderation",
    "prohibited_content",
];

const TOO_LONG: &[&str] = &[
    "context_length_exceeded",
    "exceed_context_size_error",
    "context_window_exceeded",
    "model_max_prompt_tokens_exceeded",
    "string_above_max_length",
    "request_too_large",
];

const TOO_LONG_WORDS: &[&str] = &[
    "context length",
    "context size",
    "context window",
    "context limit",
    "maximum context",
    "maximum number of tokens allowed",
    "prompt is too long",
    "input is too long",
    "too many tokens",
    "reduce the length of the messages",
];

/// The status that a provider would have answered with, had its stream not begun.
fn status_of(code: &str) -> Option<u16> {
    Some(match code {
        "invalid_request_error" | "invalid_prompt" | "image_content_policy_violation" => 400,
        "authentication_error" | "invalid_api_key" => 401,
        "billing_error" | "insufficient_quota" => 402,
        "permission_error" => 403,
        "not_found_error" | "model_not_found" => 404,
        "request_too_large" => 413,
        "rate_limit_error" | "rate_limit_exceeded" => 429,
        "overloaded_error" => 529,
        _ => return None,
    })
}

/// What a body says: its message, and the machine-readable codes, types and reasons beside it.
struct Told {
    message: String,
    codes: Vec<String>,
    /// A code that is an HTTP status.
    number: Option<u16>,
    /// Google's `retryDelay`, for example `34s`.
    delay: Option<String>,
}

impl Told {
    /// Reads the shapes in use: `{"error": {…}}`, `{"error": "…"}`, `[{"error": {…}}]`,
    /// `{"response": {"error": {…}}}`, `{"message": …}`, `{"detail": …}`, or any text.
    fn read(body: &str) -> Self {
        let Ok(mut value) = serde_json::from_str::<Value>(body) else {
            return Self { message: body.to_owned(), codes: Vec::new(), number: None, delay: None };
        };
        if let Some(first) = value.get_mut(0) {
            value = first.take();
        }
        let whole = value.get("response").unwrap_or(&value);
        let error = whole.get("error").filter(|error| !error.is_null()).unwrap_or(whole);
        let message = match error {
            Value::String(message) => message.clone(),
            _ => match error.get("message").or_else(|| error.get("detail")) {
                Some(Value::String(message)) => message.clone(),
                Some(other) => other.to_string(),
                None => body.to_owned(),
            },
        };
        let details = error.get("details").and_then(Value::as_array).map(Vec::as_slice).unwrap_or_default();
        let codes = [&error["code"], &error["type"], &error["status"], &error["innererror"]["code"]];
        let codes = codes.into_iter().chain(details.iter().map(|detail| &detail["reason"]));
        let number = error["code"].as_u64().and_then(|code| u16::try_from(code).ok());
        Self {
            message,
            codes: codes.filter_map(Value::as_str).map(str::to_lowercase).collect(),
            number: number.filter(|code| (400..600).contains(code)),
            delay: details.iter().find_map(|detail| detail["retryDelay"].as_str()).map(str::to_owned),
        }
    }

    /// How long to wait, where only the body says so: Google's delay, or OpenAI's "try again in 1.2s".
    fn retry_after(&self) -> Option<Duration> {
        let words = self.message.split_once("try again in ").map(|(_, rest)| rest);
        let text = self.delay.as_deref().or(words)?;
        let end = text.find(|letter: char| !letter.is_ascii_digit() && letter != '.')?;
        let number: f64 = text[..end].parse().ok()?;
        let seconds = match &text[end..] {
            unit if unit.starts_with("ms") => number / 1000.0,
            unit if unit.starts_with('s') => number,
            unit if unit.starts_with('m') => number * 60.0,
            unit if unit.starts_with('h') => number * 3600.0,
            _ => return None,
        };
        Duration::try_from_secs_f64(seconds).ok()
    }
}

fn cut(text: &str) -> String {
    match text.char_indices().nth(TEXT_LIMIT) {
        Some((end, _)) => format!("{}…", &text[..end]),
        None => text.to_owned(),
    }
}

/// How long the server asks to wait: `Retry-After` in seconds or as an HTTP date (RFC 9110,
/// section 10.2.3), or `retry-after-ms`.
pub(crate) fn retry_after(headers: &HeaderMap, now: jiff::Timestamp) -> Option<Duration> {
    let header = |name| headers.get(name)?.to_str().ok().map(str::trim);
    if let Some(ms) = header("retry-after-ms").and_then(|ms| ms.parse::<f64>().ok()) {
        return Duration::try_from_secs_f64(ms / 1000.0).ok();
    }
    let value = header("retry-after")?;
    if let Ok(seconds) = value.parse::<f64>() {
        return Duration::try_from_secs_f64(seconds).ok();
    }
    let at = jiff::fmt::rfc2822::parse(value).ok()?.timestamp();
    Some(Duration::try_from(at.duration_since(now)).unwrap_or_default())
}

#[cfg(test)]
#[path = "failure_tests.rs"]
mod tests;
