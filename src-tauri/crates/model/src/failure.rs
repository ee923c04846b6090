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
    pub(crate) fn in_stream(chunk: &Value) -> Self {
        let code = chunk["error"]["code"].as_u64().and_then(|code| u16::try_from(code).ok());
        let status = code.filter(|code| (400..600).contains(code)).unwrap_or(500);
        Self { status, retry_after: None, body: chunk.to_string() }
    }

    /// Whether the server found fault with the request's form, so that another form may do.
    pub(crate) fn is_about_the_form(&self) -> bool {
        matches!(self.status, 400..500) && !matches!(self.status, 401 | 402 | 403 | 404 | 408 | 413 | 429)
    }

    /// The class of the refusal. The key the request was sent with never gets into the text.
    pub(crate) fn into_error(self, key: Option<&ApiKey>) -> ModelError {
        let Told { message, codes } = Told::read(&self.body);
        let redacted = key.map_or_else(|| message.clone(), |key| key.redact(&message));
        let text = match cut(redacted.trim()) {
            text if text.is_empty() => format!("HTTP {}", self.status),
            text => format!("HTTP {}: {text}", self.status),
        };
        let message = message.to_lowercase();
        let says = |phrases: &[&str]| phrases.iter().any(|phrase| message.contains(phrase));
        let has_code = |known: &[&str]| codes.iter().any(|code| known.contains(&code.as_str()));

        if matches!(self.status, 401 | 403) || has_code(&["invalid_api_key"]) {
            return if key.is_some() { ModelError::WrongKey(text) } else { ModelError::MissingKey };
        }
        if self.status == 402 || has_code(NO_CREDIT) || says(&["insufficient balance", "credit balance"]) {
            return ModelError::NoCredit(text);
        }
        if self.status == 413 || has_code(TOO_LONG) || (self.status != 429 && says(TOO_LONG_WORDS)) {
            return ModelError::TooLong(text);
        }
        if has_code(&["model_not_found"]) || (self.status == 404 && says(&["model"])) {
            return ModelError::UnknownModel(text);
        }
        match self.status {
            429 => ModelError::RateLimited { retry_after: self.retry_after },
            408 | 500.. => ModelError::Server(text),
            404 => ModelError::Rejected(format!("nothing answers chat requests at this address ({text})")),
            _ => ModelError::Rejected(text),
        }
    }
}

const NO_CREDIT: &[&str] = &["insufficient_quota", "billing_hard_limit_reached", "insufficient_balance"];

const TOO_LONG: &[&str] = &[
    "context_length_exceeded",
    "exceed_context_size_error",
    "context_window_exceeded",
    "model_max_prompt_tokens_exceeded",
    "string_above_max_length",
];

const TOO_LONG_WORDS: &[&str] = &[
    "context length",
    "context size",
    "context window",
    "maximum context",
    "prompt is too long",
    "input is too long",
    "too many tokens",
    "reduce the length of the messages",
];

/// What a body says: its message, and the machine-readable code and type where there are some.
struct Told {
    message: String,
    codes: Vec<String>,
}

impl Told {
    /// Reads the shapes in use: `{"error": {…}}`, `{"error": "…"}`, `[{"error": {…}}]`,
    /// `{"message": …}`, `{"detail": …}`, or any text.
    fn read(body: &str) -> Self {
        let Ok(mut value) = serde_json::from_str::<Value>(body) else {
            return Self { message: body.to_owned(), codes: Vec::new() };
        };
        if let Some(first) = value.get_mut(0) {
            value = first.take();
        }
        let error = value.get("error").filter(|error| !error.is_null()).unwrap_or(&value);
        let message = match error {
            Value::String(message) => message.clone(),
            _ => match error.get("message").or_else(|| error.get("detail")) {
                Some(Value::String(message)) => message.clone(),
                Some(other) => other.to_string(),
                None => body.to_owned(),
            },
        };
        let codes = ["code", "type"].iter().filter_map(|name| error.get(*name)?.as_str());
        Self { message, codes: codes.map(str::to_lowercase).collect() }
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
mod tests {
    use super::*;
    use reqwest::header::HeaderValue;
    use serde_json::json;

    fn error(status: u16, body: &dyn ToString) -> ModelError {
        let failure = Failure { status, retry_after: None, body: body.to_string() };
        failure.into_error(ApiKey::new("sk-secret").as_ref())
    }

    fn openai(message: &str, kind: &str, code: &str) -> Value {
        json!({"error": {"message": message, "type": kind, "param": null, "code": code}})
    }

    #[test]
    fn each_refusal_has_its_class() {
        use ModelError::{NoCredit, Rejected, Server, TooLong, UnknownModel, WrongKey};
        let cases = [
            (
                401,
                openai("Bad key", "invalid_request_error", "invalid_api_key"),
                WrongKey("HTTP 401: Bad key".into()),
            ),
            (403, json!({"message": "no access"}), WrongKey("HTTP 403: no access".into())),
            (402, json!({"error": "pay"}), NoCredit("HTTP 402: pay".into())),
            (
                429,
                openai("quota", "insufficient_quota", "insufficient_quota"),
                NoCredit("HTTP 429: quota".into()),
            ),
            (
                429,
                openai("slow down", "requests", "rate_limit_exceeded"),
                ModelError::RateLimited { retry_after: None },
            ),
            (
                404,
                openai("no x", "invalid_request_error", "model_not_found"),
                UnknownModel("HTTP 404: no x".into()),
            ),
            (
                404,
                json!({"error": {"message": "model 'x' not found"}}),
                UnknownModel("HTTP 404: model 'x' not found".into()),
            ),
            (
                404,
                json!({"error": {"code": 404, "message": "File Not Found", "type": "not_found_error"}}),
                Rejected("nothing answers chat requests at this address (HTTP 404: File Not Found)".into()),
            ),
            (
                400,
                openai("too big", "invalid_request_error", "context_length_exceeded"),
                TooLong("HTTP 400: too big".into()),
            ),
            (
                400,
                json!({"error": {"code": 400, "message": "x", "type": "exceed_context_size_error", "n_ctx": 8192}}),
                TooLong("HTTP 400: x".into()),
            ),
            (
                400,
                json!({"detail": "maximum context length is 4096"}),
                TooLong("HTTP 400: maximum context length is 4096".into()),
            ),
            (400, json!([{"error": {"message": "bad", "code": 400}}]), Rejected("HTTP 400: bad".into())),
            (422, json!({"detail": [{"loc": ["body"]}]}), Rejected(r#"HTTP 422: [{"loc":["body"]}]"#.into())),
            (500, json!({"error": {"message": "oops", "code": 500}}), Server("HTTP 500: oops".into())),
        ];
        for (status, body, expected) in cases {
            assert_eq!(error(status, &body), expected, "{status} {body}");
        }
        assert_eq!(error(503, &""), Server("HTTP 503".into()));
    }

    #[test]
    fn the_key_and_long_bodies_stay_out_of_the_text() {
        let text = error(400, &format!("{}sk-secret{}", "x".repeat(290), "y".repeat(50))).to_string();
        assert!(text.ends_with("xxx[key]yyyyy…"), "{text}");
        assert!(!text.contains("sk-"));
    }

    #[test]
    fn without_a_key_a_refusal_means_that_it_is_missing() {
        let failure = Failure { status: 401, retry_after: None, body: String::new() };
        assert_eq!(failure.into_error(None), ModelError::MissingKey);
    }

    #[test]
    fn an_error_inside_a_stream_keeps_its_code() {
        let chunk = json!({"error": {"code": 502, "message": "upstream"}});
        assert_eq!(
            Failure::in_stream(&chunk).into_error(None),
            ModelError::Server("HTTP 502: upstream".into())
        );
        let chunk = json!({"error": {"code": "context_length_exceeded", "message": "m"}});
        assert_eq!(Failure::in_stream(&chunk).into_error(None), ModelError::TooLong("HTTP 500: m".into()));
    }

    #[test]
    fn field_097_retry_after_is_read_in_every_form() {
        let now = "2015-10-21T07:27:30Z".parse().expect("a timestamp");
        let read = |name: &'static str, value: &'static str| {
            retry_after(
                &HeaderMap::from_iter([(
                    reqwest::header::HeaderName::from_static(name),
                    HeaderValue::from_static(value),
                )]),
                now,
            )
        };
        assert_eq!(read("retry-after", "30"), Some(Duration::from_secs(30)));
        assert_eq!(read("retry-after", "7200"), Some(Duration::from_hours(2)));
        assert_eq!(read("retry-after", "Wed, 21 Oct 2015 07:28:00 GMT"), Some(Duration::from_secs(30)));
        assert_eq!(read("retry-after", "Wed, 21 Oct 2015 07:00:00 GMT"), Some(Duration::ZERO));
        assert_eq!(read("retry-after-ms", "1500"), Some(Duration::from_millis(1500)));
        assert_eq!(read("retry-after", "soon"), None);
        assert_eq!(read("retry-after", "-5"), None);
    }
}
