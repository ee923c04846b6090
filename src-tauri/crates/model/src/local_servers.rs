//! Model servers on this computer, found by asking at their usual ports.

use std::time::Duration;

use futures_util::future::join_all;
use serde::{Deserialize, Serialize};
use serde_json::Value;
use tokio::time::timeout;
use ts_rs::TS;

use crate::config::RemoteConfig;
use crate::listing::{self, ListedModel};
use crate::preset::PRESETS;
use crate::transport::{Transport, read_json};
use crate::wire::{Wire, list, text};

/// A server that answers on this computer.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, TS)]
pub struct LocalServer {
    /// The preset of its kind.
    pub preset: String,
    /// Its address.
    pub base_url: String,
    /// What it has.
    pub models: Vec<ListedModel>,
}

/// Ports of servers that have no preset of their own: `Jan`, `KoboldCpp`, `text-generation-webui`, and the next
/// one for those whose usual port was taken.
const OTHER_PORTS: &[u16] = &[1337, 5001, 5000, 8081, 8001];

/// How long a server may take to say what it has.
const FIND_LIMIT: Duration = Duration::from_secs(1);

/// Asks at every usual port at the same time; ends within about a second.
pub async fn find_local_servers() -> Vec<LocalServer> {
    let ports = PRESETS.iter().filter_map(|preset| preset.port).chain(OTHER_PORTS.iter().copied());
    find_local_servers_at(&ports.collect::<Vec<_>>()).await
}

/// Asks at these ports only.
pub async fn find_local_servers_at(ports: &[u16]) -> Vec<LocalServer> {
    let found = join_all(ports.iter().map(|port| timeout(FIND_LIMIT, ask(*port)))).await;
    found.into_iter().filter_map(|found| found.ok().flatten()).collect()
}

async fn ask(port: u16) -> Option<LocalServer> {
    let base_url = format!("http://127.0.0.1:{port}/v1");
    let transport = Transport::new(&RemoteConfig::new(Wire::ChatCompletions, &base_url, "")).ok()?;
    let response = transport.get(transport.address().below(&["models"])).await.ok()?;
    if !response.status().is_success() {
        return None;
    }
    let answer = read_json(response).await.ok()?;
    // Any program may listen at such a port; a list of models says that it is one.
    if text(&answer, "object") != "list" {
        return None;
    }
    Some(LocalServer { preset: kind(&answer, port).into(), base_url, models: listing::read_rows(&answer) })
}

/// What a server is, by the owner that it gives its models, otherwise by its port.
fn kind(answer: &Value, port: u16) -> &'static str {
    let owner = list(answer, "data").first().map(|row| text(row, "owned_by")).unwrap_or_default();
    match owner {
        "library" => "ollama",
        "organization_owner" => "lm_studio",
        "llamacpp" => "llama_cpp",
        "vllm" => "vllm",
        _ => PRESETS.iter().find(|preset| preset.port == Some(port)).map_or("other", |preset| preset.id),
    }
}
