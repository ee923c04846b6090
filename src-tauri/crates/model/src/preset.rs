//! The services and servers that people use: one row each, which fills in what is known of it.

use serde::Serialize;
use ts_rs::TS;

use crate::wire::Wire;

/// A service, or a kind of local server.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, TS)]
pub struct Preset {
    /// For settings and records.
    pub id: &'static str,
    /// For people.
    pub name: &'static str,
    /// Its address; empty where the person has to know it. A part in capitals is the person's own.
    pub base_url: &'static str,
    /// The format it is best asked in.
    pub wire: Wire,
    /// Where it runs, and so whether it wants a key.
    pub place: Place,
    /// The port it usually listens on, for servers that run on this computer.
    pub port: Option<u16>,
    /// The web page where a person gets a key.
    pub key_page: Option<&'static str>,
    /// What a person has to know beforehand.
    pub note: Option<&'static str>,
}

/// Where a model runs.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, TS)]
#[serde(rename_all = "snake_case")]
pub enum Place {
    /// At a service that wants a key.
    Hosted,
    /// On a computer of the person's own, usually without a key.
    Local,
    /// Only the person knows.
    Anywhere,
}

/// Every preset, in the order in which people are shown them.
pub const PRESETS: &[Preset] = &[
    Preset {
        wire: Wire::Responses,
        key_page: Some("https://platform.openai.com/api-keys"),
        ..hosted("openai", "OpenAI", "https://api.openai.com/v1")
    },
    Preset {
        key_page: Some("https://ai.azure.com"),
        note: Some(
            "Put the name of your resource in place of RESOURCE. The model's name is the one of your deployment.",
        ),
        ..hosted("azure", "Azure OpenAI", "https://RESOURCE.openai.azure.com/openai/v1")
    },
    Preset {
        wire: Wire::Messages,
        key_page: Some("https://console.anthropic.com/settings/keys"),
        ..hosted("anthropic", "Anthropic", "https://api.anthropic.com/v1")
    },
    Preset {
        key_page: Some("https://aistudio.google.com/apikey"),
        ..hosted("gemini", "Google Gemini", "https://generativelanguage.googleapis.com/v1beta/openai")
    },
    Preset {
        key_page: Some("https://console.mistral.ai/api-keys"),
        ..hosted("mistral", "Mistral", "https://api.mistral.ai/v1")
    },
    Preset {
        key_page: Some("https://platform.deepseek.com/api_keys"),
        ..hosted("deepseek", "DeepSeek", "https://api.deepseek.com/v1")
    },
    Preset {
        key_page: Some("https://console.groq.com/keys"),
        ..hosted("groq", "Groq", "https://api.groq.com/openai/v1")
    },
    Preset {
        key_page: Some("https://openrouter.ai/settings/keys"),
        ..hosted("openrouter", "OpenRouter", "https://openrouter.ai/api/v1")
    },
    Preset {
        note: Some(
            "Ollama reads only the end of a long conversation unless it is told otherwise: set \
             OLLAMA_CONTEXT_LENGTH to 16384 or more before it starts.",
        ),
        ..local("ollama", "Ollama", "http://127.0.0.1:11434/v1", 11434)
    },
    Preset {
        note: Some("Start the server in its Developer view, and load the model with a long context."),
        ..local("lm_studio", "LM Studio", "http://127.0.0.1:1234/v1", 1234)
    },
    Preset {
        note: Some("Start llama-server with --jinja, so that it knows tools, and with -c 16384 or more."),
        ..local("llama_cpp", "llama.cpp", "http://127.0.0.1:8080/v1", 8080)
    },
    Preset {
        note: Some(
            "Start vLLM with --enable-auto-tool-choice and the --tool-call-parser of the model, so that it knows tools.",
        ),
        ..local("vllm", "vLLM", "http://127.0.0.1:8000/v1", 8000)
    },
    Preset { place: Place::Anywhere, ..hosted("other", "Another server", "") },
];

/// The preset of this id.
pub fn preset(id: &str) -> Option<&'static Preset> {
    PRESETS.iter().find(|preset| preset.id == id)
}

const fn hosted(id: &'static str, name: &'static str, base_url: &'static str) -> Preset {
    Preset {
        id,
        name,
        base_url,
        wire: Wire::ChatCompletions,
        place: Place::Hosted,
        port: None,
        key_page: None,
        note: None,
    }
}

const fn local(id: &'static str, name: &'static str, base_url: &'static str, port: u16) -> Preset {
    Preset { place: Place::Local, port: Some(port), ..hosted(id, name, base_url) }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::address::{Address, needs_key};

    #[test]
    fn each_row_is_usable_as_it_stands() {
        for row in PRESETS {
            assert_eq!(preset(row.id), Some(row));
            if row.place == Place::Anywhere {
                continue;
            }
            assert!(Address::new(row.base_url, row.wire).is_ok(), "{}", row.id);
            assert_eq!(needs_key(row.base_url), row.place == Place::Hosted, "{}", row.id);
            assert_eq!(row.key_page.is_some(), row.place == Place::Hosted, "{}", row.id);
            assert!(row.port.is_none_or(|port| row.base_url.contains(&format!(":{port}/"))), "{}", row.id);
        }
        assert_eq!(preset("nobody"), None);
    }
}
