//! Which addresses of a report become links.

/// Longer than any that a reader of PDF takes.
const LONGEST_ADDRESS: usize = 2000;

/// Whether an address can be a link of its own: of the web or of mail, and of a length that readers take.
pub(super) fn is_address(address: &str) -> bool {
    let scheme = address.split(':').next().unwrap_or_default().to_ascii_lowercase();
    matches!(scheme.as_str(), "http" | "https" | "mailto") && address.len() <= LONGEST_ADDRESS
}

/// The computer that an address leads to, or whom its mail goes to.
pub(super) fn host(address: &str) -> Option<&str> {
    let (_, rest) = address.split_once(':')?;
    let rest = rest.trim_start_matches('/');
    let end = rest.find(['/', '?', '#', '\\']).unwrap_or(rest.len());
    let host = &rest[..end];
    let is_mail = address.get(..7).is_some_and(|scheme| scheme.eq_ignore_ascii_case("mailto:"));
    let host = if is_mail { host } else { host.rsplit('@').next().unwrap_or(host) };
    Some(host).filter(|host| !host.is_empty())
}
