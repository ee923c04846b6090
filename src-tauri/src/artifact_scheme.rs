//! `artifact://localhost/RUN/PATH?v=N`: the files of runs, with ranges, and nothing else.

use std::io::{Read, Seek, SeekFrom};
use std::ops::RangeInclusive;
use std::sync::Arc;

use assay_engine::Desk;
use percent_encoding::percent_decode_str;
use tauri::http::{Request, Response, StatusCode, header};
use tauri::{Manager, Runtime, UriSchemeContext, UriSchemeResponder};

/// A file is answered in pieces of at most this size; the web view asks for the rest.
const MAX_PIECE: u64 = 64 << 20;
/// What an answered file may do when it is opened by itself: nothing.
const SEALED: &str = "default-src 'none'; style-src 'unsafe-inline'; img-src data:; sandbox";

#[expect(clippy::needless_pass_by_value, reason = "a handler is given its request by value")]
pub(crate) fn answer<R: Runtime>(
    context: UriSchemeContext<'_, R>,
    request: Request<Vec<u8>>,
    responder: UriSchemeResponder,
) {
    let desk = context.app_handle().state::<Arc<Desk>>().inner().clone();
    tauri::async_runtime::spawn_blocking(move || responder.respond(respond(&desk, &request)));
}

fn respond(desk: &Desk, request: &Request<Vec<u8>>) -> Response<Vec<u8>> {
    let Some((run, path, version)) = parse(request.uri()) else { return empty(StatusCode::NOT_FOUND) };
    let Ok(file) = desk.artifact(&run, &path, version) else { return empty(StatusCode::NOT_FOUND) };
    let Ok(mut opened) = std::fs::File::open(&file.path) else { return empty(StatusCode::NOT_FOUND) };
    let Ok(size) = opened.metadata().map(|metadata| metadata.len()) else {
        return empty(StatusCode::NOT_FOUND);
    };
    let asked = request.headers().get(header::RANGE).and_then(|value| value.to_str().ok());
    let range = match asked.map(|asked| parse_range(asked, size)) {
        Some(None) => {
            let mut refused = empty(StatusCode::RANGE_NOT_SATISFIABLE);
            if let Ok(value) = format!("bytes */{size}").parse() {
                refused.headers_mut().insert(header::CONTENT_RANGE, value);
            }
            return refused;
        }
        Some(Some(range)) => Some(range),
        None => None,
    };
    let (start, length) =
        range.as_ref().map_or((0, size), |range| (*range.start(), range.end() - range.start() + 1));
    let mut body = Vec::new();
    let read = opened.seek(SeekFrom::Start(start)).and_then(|_| opened.take(length).read_to_end(&mut body));
    if read.is_err() {
        return empty(StatusCode::INTERNAL_SERVER_ERROR);
    }
    let mut answer = Response::builder()
        .header(header::CONTENT_TYPE, file.media_type)
        .header(header::CONTENT_LENGTH, body.len())
        .header(header::ACCEPT_RANGES, "bytes")
        .header(header::X_CONTENT_TYPE_OPTIONS, "nosniff")
        .header(header::CONTENT_SECURITY_POLICY, SEALED)
        .header(header::CACHE_CONTROL, "no-cache");
    if let Some(origin) = request.headers().get(header::ORIGIN).filter(|origin| is_own(origin.as_bytes())) {
        answer = answer.header(header::ACCESS_CONTROL_ALLOW_ORIGIN, origin);
    }
    if range.is_some() {
        let end = (start + length).saturating_sub(1);
        answer = answer
            .status(StatusCode::PARTIAL_CONTENT)
            .header(header::CONTENT_RANGE, format!("bytes {start}-{end}/{size}"));
    }
    answer.body(body).unwrap_or_else(|_| empty(StatusCode::INTERNAL_SERVER_ERROR))
}

fn empty(status: StatusCode) -> Response<Vec<u8>> {
    let mut response = Response::new(Vec::new());
    *response.status_mut() = status;
    response
}

fn is_own(origin: &[u8]) -> bool {
    matches!(origin, b"tauri://localhost" | b"http://tauri.localhost" | b"https://tauri.localhost")
}

/// Run, path and version of an address.
fn parse(uri: &tauri::http::Uri) -> Option<(String, String, Option<usize>)> {
    let (run, path) = uri.path().strip_prefix('/')?.split_once('/')?;
    let decode = |text: &str| percent_decode_str(text).decode_utf8().ok().map(std::borrow::Cow::into_owned);
    let version =
        match uri.query().and_then(|query| query.split('&').find_map(|part| part.strip_prefix("v="))) {
            Some(number) => Some(number.parse().ok()?),
            None => None,
        };
    Some((decode(run)?, decode(path)?, version))
}

/// One range in the form of RFC 9110, section 14.1.2; `None` when it cannot be satisfied.
fn parse_range(text: &str, size: u64) -> Option<RangeInclusive<u64>> {
    let (first, last) = text.strip_prefix("bytes=")?.split_once('-')?;
    let end = size.checked_sub(1)?;
    let (start, end) = match (first, last) {
        ("", suffix) => (size.saturating_sub(suffix.parse().ok().filter(|length| *length > 0)?), end),
        (first, "") => (first.parse().ok()?, end),
        (first, last) => (first.parse().ok()?, last.parse::<u64>().ok()?.min(end)),
    };
    (start <= end).then(|| start..=end.min(start + MAX_PIECE - 1))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parsed(uri: &str) -> Option<(String, String, Option<usize>)> {
        parse(&uri.parse().unwrap())
    }

    #[test]
    fn field_102_names_with_any_characters_are_decoded() {
        assert_eq!(
            parsed("artifact://localhost/r-1/charts/chart%201%20(%C3%A4)%23%25.png?v=2"),
            Some(("r-1".into(), "charts/chart 1 (ä)#%.png".into(), Some(2)))
        );
        assert_eq!(parsed("artifact://localhost/r-1"), None);
        assert_eq!(parsed("artifact://localhost/r-1/x?v=nonsense"), None);
    }

    #[test]
    fn ranges_are_those_of_the_standard() {
        assert_eq!(parse_range("bytes=0-3", 10), Some(0..=3));
        assert_eq!(parse_range("bytes=4-", 10), Some(4..=9));
        assert_eq!(parse_range("bytes=-3", 10), Some(7..=9));
        assert_eq!(parse_range("bytes=-30", 10), Some(0..=9));
        assert_eq!(parse_range("bytes=5-100", 10), Some(5..=9));
        for bad in ["bytes=10-", "bytes=4-2", "bytes=-0", "lines=1-2", "bytes=x-"] {
            assert_eq!(parse_range(bad, 10), None, "{bad}");
        }
        assert_eq!(parse_range("bytes=0-", 0), None);
    }

    #[test]
    fn field_102_115_files_of_a_run_are_served_and_nothing_else() {
        let home = tempfile::tempdir().unwrap();
        let output = home.path().join("runs/r-1/output/charts");
        std::fs::create_dir_all(&output).unwrap();
        std::fs::write(output.join("chart 1 (ä)#%.png"), "picture").unwrap();
        std::fs::write(home.path().join("secret"), "s").unwrap();
        #[cfg(unix)]
        std::os::unix::fs::symlink(home.path().join("secret"), output.join("link.png")).unwrap();
        let desk = Desk::new(Some(home.path().into()));
        let get = |uri: &str, range: Option<&str>| {
            let mut request = Request::builder().uri(uri);
            if let Some(range) = range {
                request = request.header(header::RANGE, range);
            }
            let response = respond(&desk, &request.body(Vec::new()).unwrap());
            (response.status().as_u16(), String::from_utf8(response.body().clone()).unwrap())
        };
        let chart = "artifact://localhost/r-1/charts/chart%201%20(%C3%A4)%23%25.png";
        assert_eq!(get(chart, None), (200, "picture".into()));
        assert_eq!(get(chart, Some("bytes=1-3")), (206, "ict".into()));
        assert_eq!(get(chart, Some("bytes=9-")), (416, String::new()));
        for bad in [
            "artifact://localhost/r-1/../../../secret",
            "artifact://localhost/r-1/%2e%2e/%2e%2e/%2e%2e/secret",
            "artifact://localhost/r-1/..%2f..%2f..%2fsecret",
            "artifact://localhost/%2e%2e/secret",
            "artifact://localhost/r-1/%2fetc%2fpasswd",
            "artifact://localhost/r-1//etc/passwd",
            "artifact://localhost/r-1/charts/link.png",
            "artifact://localhost/r-1/charts",
            "artifact://localhost/r-2/charts/x.png",
        ] {
            assert_eq!(get(bad, None).0, 404, "{bad}");
        }
    }
}
