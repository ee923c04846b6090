//! A server's address, and how far away it is.

use std::net::IpAddr;

use reqwest::Url;

use crate::model::ModelError;
use crate::wire::Wire;

/// The ends of full addresses that people copy in place of the base.
const ROUTES: &[&str] = &["/chat/completions", "/responses", "/messages"];

/// One address of the `…/v1` kind.
#[derive(Debug, Clone)]
pub(crate) struct Address {
    base: Url,
}

impl Address {
    /// Refuses what is not a web address. Anthropic's is usually written without its version.
    pub(crate) fn new(base_url: &str, wire: Wire) -> Result<Self, ModelError> {
        let mut base = parse(base_url)
            .ok_or_else(|| ModelError::Rejected("the base URL is not an http or https address".into()))?;
        if wire == Wire::Messages
            && !base.path().trim_end_matches('/').ends_with("/v1")
            && let Ok(mut segments) = base.path_segments_mut()
        {
            segments.pop_if_empty().push("v1");
        }
        Ok(Self { base })
    }

    /// The host, with the port where it is not the usual one.
    pub(crate) fn host(&self) -> String {
        let name = self.base.host_str().unwrap_or_default();
        self.base.port().map_or_else(|| name.to_owned(), |port| format!("{name}:{port}"))
    }

    /// A place below the base.
    pub(crate) fn below(&self, path: &[&str]) -> Url {
        let mut url = self.base.clone();
        if let Ok(mut segments) = url.path_segments_mut() {
            segments.pop_if_empty().extend(path);
        }
        url
    }

    /// A place of the same server outside the base.
    pub(crate) fn at_root(&self, path: &[&str]) -> Url {
        let mut url = self.base.clone();
        url.set_query(None);
        if let Ok(mut segments) = url.path_segments_mut() {
            segments.clear().extend(path);
        }
        url
    }

    /// Whether it is one of Microsoft's, which want the key in a header of their own.
    pub(crate) fn is_azure(&self) -> bool {
        self.base.host_str().is_some_and(|host| host.ends_with(".azure.com"))
    }

    pub(crate) fn reach(&self) -> Reach {
        reach(&self.base)
    }
}

fn parse(base_url: &str) -> Option<Url> {
    let base_url = base_url.trim().trim_end_matches('/');
    let base_url = ROUTES.iter().find_map(|route| base_url.strip_suffix(route)).unwrap_or(base_url);
    let url = Url::parse(base_url).ok()?;
    (matches!(url.scheme(), "http" | "https") && url.has_host()).then_some(url)
}

/// Whether a service at this address usually wants an API key. Servers on this computer and on
/// the local network usually want none.
pub fn needs_key(base_url: &str) -> bool {
    parse(base_url).is_none_or(|url| reach(&url) == Reach::Internet)
}

/// Whether a host, as [`ModelCard::host`](crate::ModelCard::host) names it, is this computer itself.
pub fn stays_here(host: &str) -> bool {
    parse(&format!("http://{host}")).is_some_and(|url| reach(&url) == Reach::ThisComputer)
}

/// How far away a server is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Reach {
    ThisComputer,
    LocalNetwork,
    Internet,
}

fn reach(url: &Url) -> Reach {
    let name = url.host_str().unwrap_or_default().trim_end_matches('.');
    let address = name.trim_start_matches('[').trim_end_matches(']').parse::<IpAddr>();
    let (loopback, local) = match address.map(|address| address.to_canonical()) {
        Ok(IpAddr::V4(v4)) => {
            (v4.is_loopback() || v4.is_unspecified(), v4.is_private() || v4.is_link_local())
        }
        Ok(IpAddr::V6(v6)) => {
            (v6.is_loopback() || v6.is_unspecified(), v6.is_unique_local() || v6.is_unicast_link_local())
        }
        Err(_) => {
            let ends = |ends: &[&str]| ends.iter().any(|end| name.ends_with(end));
            (
                name == "localhost" || ends(&[".localhost"]),
                !name.contains('.') || ends(&[".local", ".lan", ".internal", ".home.arpa"]),
            )
        }
    };
    match (loopback, local) {
        (true, _) => Reach::ThisComputer,
        (false, true) => Reach::LocalNetwork,
        (false, false) => Reach::Internet,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nearby_servers_need_no_key() {
        for near in [
            "http://127.0.0.1:11434/v1",
            "http://localhost:1234/v1",
            "http://LOCALHOST/v1",
            "http://[::1]:8080/v1",
            "http://[::ffff:127.0.0.1]/v1",
            "http://0.0.0.0:8080",
            "http://192.168.1.20:8080/v1",
            "http://gpu-box:8000/v1",
            "http://gpu-box.local/v1",
            "http://host.docker.internal:11434/v1",
        ] {
            assert!(!needs_key(near), "{near}");
        }
        for far in
            ["https://api.example.com/v1", "http://8.8.8.8/v1", "https://127.0.0.1.example.com", "nonsense"]
        {
            assert!(needs_key(far), "{far}");
        }
    }

    fn address(base_url: &str, wire: Wire) -> Address {
        Address::new(base_url, wire).expect("an address")
    }

    #[test]
    fn addresses_are_joined_whatever_their_end() {
        for base in
            ["https://h.example/v1", "https://h.example/v1/", " https://h.example/v1/chat/completions "]
        {
            let address = address(base, Wire::ChatCompletions);
            assert_eq!(
                address.below(&["chat", "completions"]).as_str(),
                "https://h.example/v1/chat/completions"
            );
            assert_eq!(address.at_root(&["api", "ps"]).as_str(), "https://h.example/api/ps");
            assert_eq!(address.host(), "h.example");
        }
        for base in ["https://h.example", "https://h.example/v1", "https://h.example/v1/messages"] {
            let place = address(base, Wire::Messages).below(&["messages"]);
            assert_eq!(place.as_str(), "https://h.example/v1/messages", "{base}");
        }
        let azure = "https://r.openai.azure.com:8443/openai/v1?api-version=preview";
        let azure = address(azure, Wire::Responses);
        assert_eq!(
            azure.below(&["models"]).as_str(),
            "https://r.openai.azure.com:8443/openai/v1/models?api-version=preview"
        );
        assert_eq!((azure.host().as_str(), azure.is_azure()), ("r.openai.azure.com:8443", true));
    }

    #[test]
    fn what_is_not_a_web_address_is_refused() {
        for base in ["", "api.example.com/v1", "ftp://h.example", "file:///etc/passwd"] {
            assert!(
                matches!(Address::new(base, Wire::ChatCompletions), Err(ModelError::Rejected(_))),
                "{base}"
            );
        }
    }
}
