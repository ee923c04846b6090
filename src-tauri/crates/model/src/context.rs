//! How long a conversation may be, as the server itself says it.

use std::time::Duration;

use reqwest::Url;
use serde_json::{Value, json};
use tokio::time::{Instant, timeout};

use crate::address::Reach;
use crate::listing;
use crate::transport::{Transport, read_json};

/// How long each question may take.
const ASK_LIMIT: Duration = Duration::from_secs(3);

/// How long Ollama may take to load a model, which it would do for the first request anyway. Only then does
/// it know how much of the model's context it gives.
const LOAD_LIMIT: Duration = Duration::from_secs(30);

/// The tokens that a conversation and its answer may have together; `None` where nobody says.
pub(crate) async fn context_tokens(transport: &Transport, model: &str) -> Option<u64> {
    if transport.address().reach() == Reach::Internet {
        return listed(transport, model).await;
    }
    let (llama_cpp, ollama, lm_studio, list) = tokio::join!(
        llama_cpp(transport),
        ollama(transport, model),
        lm_studio(transport, model),
        listed(transport, model),
    );
    llama_cpp.or(ollama).or(lm_studio).or(list)
}

async fn listed(transport: &Transport, model: &str) -> Option<u64> {
    let rows = timeout(ASK_LIMIT, listing::rows(transport)).await.ok()?.ok()??;
    rows.into_iter().find(|row| listing::is_same_model(&row.name, model))?.context_tokens
}

async fn llama_cpp(transport: &Transport) -> Option<u64> {
    let properties = ask(transport, transport.address().at_root(&["props"])).await?;
    let settings = properties.get("default_generation_settings").unwrap_or(&properties);
    settings["n_ctx"].as_u64().filter(|tokens| *tokens > 0)
}

async fn lm_studio(transport: &Transport, model: &str) -> Option<u64> {
    let list = ask(transport, transport.address().at_root(&["api", "v0", "models"])).await?;
    let rows = list["data"].as_array()?;
    let row =
        rows.iter().find(|row| row["id"].as_str().is_some_and(|id| listing::is_same_model(id, model)))?;
    listing::context_tokens(row)
}

/// A loaded model has the context that it was loaded with; the one that its file states is only the most
/// it could have.
async fn ollama(transport: &Transport, model: &str) -> Option<u64> {
    let loaded = ask(transport, transport.address().at_root(&["api", "ps"])).await?;
    if let Some(tokens) = loaded_context(&loaded, model) {
        return Some(tokens);
    }
    let about = json!({"model": model}).to_string();
    let load = transport.address().at_root(&["api", "generate"]);
    transport.post_aside(load, about.clone(), Instant::now() + LOAD_LIMIT).await.ok()?;
    let loaded = ask(transport, transport.address().at_root(&["api", "ps"])).await?;
    if let Some(tokens) = loaded_context(&loaded, model) {
        return Some(tokens);
    }
    let show = transport.address().at_root(&["api", "show"]);
    let shown = transport.post_aside(show, about, Instant::now() + ASK_LIMIT).await.ok()?;
    stated_parameter(&read_json(shown).await.ok()?)
}

fn loaded_context(list: &Value, model: &str) -> Option<u64> {
    let rows = list["models"].as_array()?;
    let row = rows.iter().find(|row| {
        ["name", "model"]
            .iter()
            .any(|name| row[*name].as_str().is_some_and(|listed| listing::is_same_model(listed, model)))
    })?;
    listing::context_tokens(row)
}

/// The `num_ctx` that a model's file asks for.
fn stated_parameter(shown: &Value) -> Option<u64> {
    let lines = shown["parameters"].as_str()?.lines();
    lines.filter_map(|line| line.trim().strip_prefix("num_ctx")).find_map(|value| value.trim().parse().ok())
}

async fn ask(transport: &Transport, url: Url) -> Option<Value> {
    let answer = async {
        let response = transport.get(url).await.ok()?;
        if response.status().is_success() { read_json(response).await.ok() } else { None }
    };
    timeout(ASK_LIMIT, answer).await.ok()?
}
