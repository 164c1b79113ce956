//! Who may ask. A page of any site can make its reader's browser send requests here, and a name of its own can be made to mean this
//! machine; so a request must name this place as its host, must not come from another one, and must not be given by a form of one.

use hyper::HeaderMap;
use hyper::header::{CONTENT_TYPE, HOST, HeaderName, ORIGIN};
use hyper::http::request::Parts;

use super::answer::Answer;

/// Names that mean this machine, and nothing else.
const NAMES: [&str; 3] = ["localhost", "127.0.0.1", "[::1]"];

/// Refuses a request that is not of this place.
pub(super) fn admit(head: &Parts, port: u16) -> Result<(), Answer> {
    let path = head.uri.path();
    let refuse = |title: &str, words: &str| Err(Answer::wrong(path, 403, title, words));
    let host = one(&head.headers, &HOST);
    let named = match (head.uri.authority(), host) {
        (_, None) => return Err(Answer::wrong(path, 400, "No host", "A request must have one `Host` header.")),
        // Of a request with a whole address, that address counts; both must be of this place.
        (Some(authority), Some(host)) => is_here(authority.as_str(), port) && is_here(host, port),
        (None, Some(host)) => is_here(host, port),
    };
    if !named {
        let words = format!(
            "This address is not that of this page. Open http://127.0.0.1:{port}/ instead: another name that leads here may \
             be that of a site that wants to read along."
        );
        return refuse("Wrong host", &words);
    }
    if head.headers.contains_key(ORIGIN) {
        let origin = one(&head.headers, &ORIGIN).and_then(|origin| origin.strip_prefix("http://"));
        if !origin.is_some_and(|origin| is_here(origin, port)) {
            return refuse("Wrong origin", "A page of another site asked for this; only the pages of this place may.");
        }
    }
    let site = header(&head.headers, "sec-fetch-site");
    if matches!(site, Some("cross-site" | "same-site")) {
        let follows = header(&head.headers, "sec-fetch-mode") == Some("navigate")
            && header(&head.headers, "sec-fetch-dest") == Some("document")
            && head.method == hyper::Method::GET
            && !path.starts_with("/api/");
        if !follows {
            return refuse("Wrong origin", "A page of another site asked for this; only the pages of this place may.");
        }
    }
    if head.method == hyper::Method::POST {
        // What a form of another site can send without being asked: those three kinds, and none at all.
        let kind = one(&head.headers, &CONTENT_TYPE).unwrap_or_default();
        let kind = kind.split(';').next().unwrap_or_default().trim().to_ascii_lowercase();
        if !matches!(kind.as_str(), "application/octet-stream" | "application/json" | "application/x-ndjson") {
            let words = "Send the bytes of the session with `Content-Type: application/octet-stream`.";
            return Err(Answer::wrong(path, 415, "Wrong content type", words));
        }
    }
    Ok(())
}

/// A header that stands exactly once.
fn one<'h>(headers: &'h HeaderMap, name: &HeaderName) -> Option<&'h str> {
    let mut values = headers.get_all(name).iter();
    let value = values.next()?;
    if values.next().is_some() { None } else { value.to_str().ok() }
}

fn header<'h>(headers: &'h HeaderMap, name: &'static str) -> Option<&'h str> {
    headers.get(name).and_then(|value| value.to_str().ok())
}

/// Whether a host with its port is this place. A browser leaves port 80 out.
fn is_here(host: &str, port: u16) -> bool {
    let (name, given) = match host.rsplit_once(':') {
        // The colons of an address of IPv6 stand in brackets.
        Some((name, digits)) if !digits.ends_with(']') => {
            (name, digits.parse().ok().filter(|_| digits.bytes().all(|byte| byte.is_ascii_digit())))
        }
        _ => (host, Some(80)),
    };
    given == Some(port) && NAMES.iter().any(|known| known.eq_ignore_ascii_case(name))
}

#[cfg(test)]
mod tests {
    use super::*;
    use hyper::Request;

    fn status(headers: &[(&str, &str)], method: &str, path: &str) -> u16 {
        let mut request = Request::builder().method(method).uri(path);
        for (name, value) in headers {
            request = request.header(*name, *value);
        }
        let (head, ()) = request.body(()).unwrap().into_parts();
        admit(&head, 8737).map_or_else(|answer| answer.status, |()| 200)
    }

    #[test]
    fn only_the_names_of_loopback_are_hosts() {
        for good in ["127.0.0.1:8737", "localhost:8737", "LOCALHOST:8737", "[::1]:8737"] {
            assert_eq!(status(&[("host", good)], "GET", "/"), 200, "{good}");
        }
        for bad in [
            "127.0.0.1",
            "127.0.0.1:80",
            "127.0.0.1:8738",
            "localhost.evil.example:8737",
            "evil.example",
            "evil.example:8737",
            "localhost.:8737",
            "127.0.0.2:8737",
            "0.0.0.0:8737",
            "[::]:8737",
            "::1:8737",
            "user@127.0.0.1:8737",
            "127.0.0.1:8737:8737",
            "127.0.0.1:+8737",
            "",
        ] {
            assert_eq!(status(&[("host", bad)], "GET", "/"), 403, "{bad}");
        }
        assert_eq!(status(&[], "GET", "/"), 400);
        assert_eq!(status(&[("host", "127.0.0.1:8737"), ("host", "evil.example")], "GET", "/"), 400);
        assert_eq!(status(&[("host", "127.0.0.1:8737")], "GET", "http://evil.example/"), 403);
        assert!(is_here("localhost", 80) && is_here("[::1]", 80) && !is_here("localhost", 8737));
    }

    #[test]
    fn no_other_site_may_ask() {
        let host = ("host", "127.0.0.1:8737");
        let bytes = ("content-type", "application/octet-stream");
        for origin in ["http://127.0.0.1:8737", "http://localhost:8737", "http://[::1]:8737"] {
            assert_eq!(status(&[host, bytes, ("origin", origin)], "POST", "/api/fix"), 200, "{origin}");
        }
        for origin in ["https://127.0.0.1:8737", "http://127.0.0.1:1", "null", "http://evil.example", "file://", ""] {
            assert_eq!(status(&[host, bytes, ("origin", origin)], "POST", "/api/fix"), 403, "{origin}");
            assert_eq!(status(&[host, ("origin", origin)], "GET", "/"), 403, "{origin}");
        }
        assert_eq!(status(&[host, bytes], "POST", "/api/fix"), 200, "a program has no origin");
        for site in ["cross-site", "same-site"] {
            let sent = [host, bytes, ("sec-fetch-site", site)];
            assert_eq!(status(&sent, "POST", "/api/fix"), 403, "{site}");
            assert_eq!(status(&sent, "GET", "/assets/make.js"), 403, "{site}");
            let followed =
                [host, ("sec-fetch-site", site), ("sec-fetch-mode", "navigate"), ("sec-fetch-dest", "document")];
            assert_eq!(status(&followed, "GET", "/corpus"), 200, "a link may lead here");
            assert_eq!(status(&followed, "GET", "/api/about"), 403, "{site}");
            assert_eq!(status(&[&followed[..3], &[("sec-fetch-dest", "iframe")]].concat(), "GET", "/"), 403, "{site}");
        }
        assert_eq!(status(&[host, ("sec-fetch-site", "same-origin")], "GET", "/api/about"), 200);
        assert_eq!(status(&[host, ("sec-fetch-site", "none")], "GET", "/"), 200);
    }

    #[test]
    fn what_a_form_can_send_is_refused() {
        let host = ("host", "127.0.0.1:8737");
        for kind in ["text/plain", "application/x-www-form-urlencoded", "multipart/form-data; boundary=x", ""] {
            assert_eq!(status(&[host, ("content-type", kind)], "POST", "/api/fix"), 415, "{kind}");
        }
        assert_eq!(status(&[host], "POST", "/api/fix"), 415);
        assert_eq!(status(&[host, ("content-type", "application/json; charset=utf-8")], "POST", "/api/fix"), 200);
    }
}
