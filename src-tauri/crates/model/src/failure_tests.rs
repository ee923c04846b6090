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
    use ModelError::{Loading, NoCredit, Rejected, Server, TooLong, UnknownModel, WrongKey};
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
    let loading = json!({"error": {"code": 503, "message": "Loading model", "type": "unavailable_error"}});
    assert_eq!(error(503, &loading), Loading("HTTP 503: Loading model".into()));
    assert_eq!(error(403, &"<html>No.</html>"), Rejected("HTTP 403: <html>No.</html>".into()));
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
    assert_eq!(Failure::in_stream(&chunk).into_error(None), ModelError::Server("HTTP 502: upstream".into()));
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

#[test]
fn refusals_of_other_providers_have_their_class() {
    use ModelError::{ContentRefused, NoCredit, RateLimited, Server, TooLong, UnknownModel, WrongKey};
    let anthropic =
        |kind: &str, message: &str| json!({"type": "error", "error": {"type": kind, "message": message}});
    let google = |code: u16, status: &str, message: &str, details: Value| json!([{"error": {"code": code, "status": status, "message": message, "details": details}}]);
    let cases = [
        (401, anthropic("authentication_error", "m"), WrongKey("HTTP 401: m".into())),
        (402, anthropic("billing_error", "m"), NoCredit("HTTP 402: m".into())),
        (
            400,
            anthropic("invalid_request_error", "Your credit balance is too low"),
            NoCredit("HTTP 400: Your credit balance is too low".into()),
        ),
        (404, anthropic("not_found_error", "model: x"), UnknownModel("HTTP 404: model: x".into())),
        (413, anthropic("request_too_large", "m"), TooLong("HTTP 413: m".into())),
        (429, anthropic("rate_limit_error", "m"), RateLimited { retry_after: None }),
        (529, anthropic("overloaded_error", "Overloaded"), Server("HTTP 529: Overloaded".into())),
        (
            400,
            anthropic(
                "invalid_request_error",
                "input length and `max_tokens` exceed context limit: 9 + 9 > 9",
            ),
            TooLong("HTTP 400: input length and `max_tokens` exceed context limit: 9 + 9 > 9".into()),
        ),
        (
            400,
            google(400, "INVALID_ARGUMENT", "API key not valid.", json!([{"reason": "API_KEY_INVALID"}])),
            WrongKey("HTTP 400: API key not valid.".into()),
        ),
        (
            429,
            google(429, "RESOURCE_EXHAUSTED", "Slow down.", json!([{"retryDelay": "34.5s"}])),
            RateLimited { retry_after: Some(Duration::from_millis(34_500)) },
        ),
        (
            429,
            google(429, "RESOURCE_EXHAUSTED", "quota, limit: 0, model: x", json!([])),
            NoCredit("HTTP 429: quota, limit: 0, model: x".into()),
        ),
        (
            429,
            openai("Please try again in 250ms.", "tokens", "rate_limit_exceeded"),
            RateLimited { retry_after: Some(Duration::from_millis(250)) },
        ),
        (
            400,
            openai("The response was filtered", "invalid", "content_filter"),
            ContentRefused("HTTP 400: The response was filtered".into()),
        ),
        (
            400,
            json!({"error": {"message": "m", "innererror": {"code": "ResponsibleAIPolicyViolation"}}}),
            ContentRefused("HTTP 400: m".into()),
        ),
        (400, openai("Content Exists Risk", "", ""), ContentRefused("HTTP 400: Content Exists Risk".into())),
        (
            403,
            openai("x requires moderation", "", ""),
            ContentRefused("HTTP 403: x requires moderation".into()),
        ),
        (404, openai("gone", "", "DeploymentNotFound"), UnknownModel("HTTP 404: gone".into())),
        (400, openai("Model Not Exist", "", ""), UnknownModel("HTTP 400: Model Not Exist".into())),
    ];
    for (status, body, expected) in cases {
        assert_eq!(error(status, &body), expected, "{status} {body}");
    }
}

#[test]
fn an_error_inside_a_stream_is_classed_by_its_words() {
    let class = |event: Value| Failure::in_stream(&event).into_error(ApiKey::new("k").as_ref());
    let overloaded = json!({"type": "error", "error": {"type": "overloaded_error", "message": "Overloaded"}});
    assert_eq!(class(overloaded), ModelError::Server("HTTP 529: Overloaded".into()));
    let failed = json!({"type": "response.failed", "response": {"error": {
        "code": "rate_limit_exceeded", "message": "Please try again in 2s",
    }}});
    assert_eq!(class(failed), ModelError::RateLimited { retry_after: Some(Duration::from_secs(2)) });
    let flat = json!({"type": "error", "code": "server_error", "message": "oops"});
    assert_eq!(class(flat), ModelError::Server("HTTP 500: oops".into()));
}
