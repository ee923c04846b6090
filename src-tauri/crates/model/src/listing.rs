//! The models that a server has.

use serde::{Deserialize, Serialize};
use serde_json::Value;
use ts_rs::TS;

use crate::model::ModelError;
use crate::transport::{Transport, read_failure, read_json};

/// A model that a server offers.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, TS)]
pub struct ListedModel {
    /// Its name, to ask for it.
    pub name: String,
    /// How many tokens a conversation and its answer may have together, where the list says so.
    pub context_tokens: Option<u64>,
    /// What it costs, where the list says so.
    pub price: Option<Price>,
}

/// What a model costs, in US dollars for a million tokens.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize, TS)]
pub struct Price {
    /// For what it reads.
    pub input: f64,
    /// For what it writes.
    pub output: f64,
}

/// The names under which lists give the length of a context.
const CONTEXT_FIELDS: &[&str] = &[
    "loaded_context_length",
    "max_model_len",
    "context_length",
    "context_window",
    "max_context_length",
    "max_input_tokens",
    "inputTokenLimit",
];

/// The rows of the server's list; `None` where it has no list.
pub(crate) async fn rows(transport: &Transport) -> Result<Option<Vec<ListedModel>>, ModelError> {
    let mut url = transport.address().below(&["models"]);
    if transport.is_paged() {
        url.query_pairs_mut().append_pair("limit", "1000");
    }
    let response = transport.get(url).await?;
    if matches!(response.status().as_u16(), 404 | 405 | 501) {
        return Ok(None);
    }
    if !response.status().is_success() {
        return Err(read_failure(response).await.into_error(transport.key()));
    }
    Ok(Some(read_rows(&read_json(response).await?)))
}

/// The models of a list: `{"data": […]}`, `{"models": […]}` or the rows alone, of names or of objects.
pub(crate) fn read_rows(list: &Value) -> Vec<ListedModel> {
    let rows = list.get("data").or_else(|| list.get("models")).unwrap_or(list).as_array();
    rows.into_iter().flatten().filter_map(read_row).collect()
}

fn read_row(row: &Value) -> Option<ListedModel> {
    let name = row.as_str().or_else(|| row.get("id").or_else(|| row.get("name"))?.as_str())?;
    Some(ListedModel {
        name: name.strip_prefix("models/").unwrap_or(name).to_owned(),
        context_tokens: context_tokens(row),
        price: row.get("pricing").and_then(price),
    })
}

/// The length of a model's context, from its row in a list.
pub(crate) fn context_tokens(row: &Value) -> Option<u64> {
    let named = CONTEXT_FIELDS.iter().filter_map(|field| row.get(*field)).chain(row.pointer("/meta/n_ctx"));
    named.filter_map(Value::as_u64).find(|tokens| *tokens > 0)
}

/// Prices as routers write them: dollars for one token, as text. A price below nothing means that it varies.
fn price(pricing: &Value) -> Option<Price> {
    let read = |name: &str| {
        let each = pricing.get(name)?;
        let each = each.as_str().and_then(|text| text.parse().ok()).or_else(|| each.as_f64())?;
        // Cents of a cent are as fine as prices are; the product of such small numbers is not exact.
        (each >= 0.0).then(|| (each * 1e10).round() / 1e4)
    };
    Some(Price { input: read("prompt")?, output: read("completion")? })
}

/// Lists may write a name with a `models/` before it or a `:latest` behind it, and leave out the
/// variants (`name:variant`) that a router offers.
pub(crate) fn is_same_model(listed: &str, asked: &str) -> bool {
    let listed = listed.strip_prefix("models/").unwrap_or(listed);
    let asked = asked.strip_prefix("models/").unwrap_or(asked);
    listed.strip_suffix(":latest").unwrap_or(listed) == asked
        || listed == asked
        || asked.split_once(':').is_some_and(|(name, _)| listed == name)
}

/// Names up to five models that are there, the most alike first.
pub(crate) fn not_among(asked: &str, mut names: Vec<&str>) -> String {
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
    use serde_json::json;

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

    #[test]
    fn lists_are_read_as_each_server_writes_them() {
        let row = |name: &str, context_tokens| ListedModel { name: name.into(), context_tokens, price: None };
        for (list, expected) in [
            (json!({"data": [{"id": "a", "max_model_len": 4096}]}), row("a", Some(4096))),
            (json!({"data": [{"id": "models/b", "object": "model"}]}), row("b", None)),
            (json!({"models": [{"name": "c", "inputTokenLimit": 7}]}), row("c", Some(7))),
            (json!([{"id": "d", "context_length": 0, "context_window": 8}]), row("d", Some(8))),
            (json!(["e"]), row("e", None)),
            (json!({"data": [{"id": "l", "meta": {"n_ctx": 9, "n_ctx_train": 10}}]}), row("l", Some(9))),
            (json!({"data": [{"id": "f", "context_window": 131_072}]}), row("f", Some(131_072))),
        ] {
            assert_eq!(read_rows(&list), [expected], "{list}");
        }
        assert_eq!(read_rows(&json!({"data": [{"object": "model"}, 3]})), []);
        let router = json!({"data": [
            {"id": "x", "context_length": 200_000, "pricing": {"prompt": "0.0000025", "completion": "0.00001"}},
            {"id": "y", "pricing": {"prompt": "-1", "completion": "-1"}},
        ]});
        let price = Some(Price { input: 2.5, output: 10.0 });
        assert_eq!(read_rows(&router), [ListedModel { price, ..row("x", Some(200_000)) }, row("y", None)]);
    }
}
