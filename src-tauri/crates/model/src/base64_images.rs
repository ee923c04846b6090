//! Pictures written out as text, which fill a conversation and say nothing.

use std::borrow::Cow;

const START: &str = "data:image/";

/// The text with every `data:image/…;base64,…` address replaced by a short marker.
pub(crate) fn without_base64_images(text: &str) -> Cow<'_, str> {
    if !text.contains(START) {
        return Cow::Borrowed(text);
    }
    let mut kept = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(start) = rest.find(START) {
        let (before, address) = rest.split_at(start);
        kept.push_str(before);
        let kind = address[START.len()..]
            .split(|letter: char| !letter.is_ascii_alphanumeric() && !matches!(letter, '+' | '-' | '.'))
            .next()
            .unwrap_or_default();
        let head = format!("{START}{kind};base64,");
        if let Some(content) = address.strip_prefix(head.as_str()) {
            let is_base64 =
                |letter: char| letter.is_ascii_alphanumeric() || matches!(letter, '+' | '/' | '=');
            let length = content.find(|letter| !is_base64(letter)).unwrap_or(content.len());
            kept.extend(["[image/", kind, ", ", &length.to_string(), " characters of base64 left out]"]);
            rest = &content[length..];
        } else {
            kept.push_str(START);
            rest = &address[START.len()..];
        }
    }
    kept.push_str(rest);
    Cow::Owned(kept)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn field_052_base64_pictures_become_a_short_marker() {
        let text = "![a](data:image/png;base64,iVBORw0KGgo=) and data:image/svg+xml;base64,PHN2Zz4 end";
        assert_eq!(
            without_base64_images(text),
            "![a]([image/png, 12 characters of base64 left out]) and \
             [image/svg+xml, 7 characters of base64 left out] end"
        );
        for same in ["plain", "data:image/ is a prefix", "data:image/svg+xml,%3Csvg%3E", "data:image/"] {
            assert_eq!(without_base64_images(same), same);
        }
    }
}
