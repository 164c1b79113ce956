//! What is answered, and the headers that every answer has.

use askama::Template;
use http_body_util::Full;
use hyper::Response;
use hyper::body::Bytes;
use hyper::header::{HeaderName, HeaderValue};
use serde::Serialize;
use serde_json::json;

/// What holds the pages of this place: their own scripts and style, requests to themselves, nothing from anywhere else, and no text that
/// becomes markup.
pub(super) const POLICY: &str = "default-src 'none'; style-src 'self'; script-src 'self'; connect-src 'self'; img-src data:; \
                                 base-uri 'none'; form-action 'self'; frame-ancestors 'none'; \
                                 require-trusted-types-for 'script'; trusted-types 'none'";

/// An answer.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Answer {
    /// The status of HTTP
    pub status: u16,
    /// The media type
    pub kind: &'static str,
    /// What it holds
    pub body: Vec<u8>,
    /// Headers beside those that all have
    pub headers: Vec<(&'static str, String)>,
}

/// A page that says something in a few words.
#[derive(Template)]
#[template(path = "local/said.html")]
struct Said<'s> {
    at: &'static str,
    title: &'s str,
    words: &'s str,
}

impl Answer {
    pub(super) fn new(status: u16, kind: &'static str, body: impl Into<Vec<u8>>) -> Self {
        Self { status, kind, body: body.into(), headers: Vec::new() }
    }

    pub(super) fn with(mut self, name: &'static str, value: impl Into<String>) -> Self {
        self.headers.push((name, value.into()));
        self
    }

    pub(super) fn json(status: u16, value: &impl Serialize) -> Self {
        match serde_json::to_vec(value) {
            Ok(mut text) => {
                text.push(b'\n');
                Self::new(status, "application/json", text)
            }
            Err(error) => Self::error(500, "internal-error", &format!("the answer cannot be written: {error}"), None),
        }
    }

    /// An error of the API: what is wrong, and what to do.
    pub(super) fn error(status: u16, kind: &str, message: &str, hint: Option<&str>) -> Self {
        Self::json(status, &json!({"error": {"kind": kind, "message": message, "hint": hint}}))
    }

    /// A page from its template.
    pub(super) fn page(status: u16, page: &impl Template) -> Self {
        match page.render() {
            Ok(text) => Self::new(status, "text/html; charset=utf-8", text),
            Err(error) => Self::new(500, "text/plain; charset=utf-8", format!("The page cannot be made: {error}\n")),
        }
    }

    /// A page that says what is wrong.
    pub(super) fn said(status: u16, title: &str, words: &str) -> Self {
        Self::page(status, &Said { at: "", title, words })
    }

    /// What is wrong with a request, for whoever asked: a program or a person.
    pub(super) fn wrong(path: &str, status: u16, title: &str, words: &str) -> Self {
        if path.starts_with("/api/") {
            let kind: String = title.chars().map(|c| if c == ' ' { '-' } else { c.to_ascii_lowercase() }).collect();
            Self::error(status, &kind, words, None)
        } else {
            Self::said(status, title, words)
        }
    }

    pub(super) fn into_response(self) -> Response<Full<Bytes>> {
        let length = self.body.len();
        let mut response = Response::new(Full::new(Bytes::from(self.body)));
        *response.status_mut() =
            hyper::StatusCode::from_u16(self.status).unwrap_or(hyper::StatusCode::INTERNAL_SERVER_ERROR);
        let headers = response.headers_mut();
        for (name, value) in [
            ("content-type", self.kind),
            ("content-security-policy", POLICY),
            ("x-content-type-options", "nosniff"),
            ("x-frame-options", "DENY"),
            ("referrer-policy", "same-origin"),
            ("cross-origin-resource-policy", "same-origin"),
            ("cross-origin-opener-policy", "same-origin"),
            ("cache-control", "no-store"),
        ] {
            headers.insert(HeaderName::from_static(name), HeaderValue::from_static(value));
        }
        headers.insert("content-length", HeaderValue::from(length));
        for (name, value) in self.headers {
            if let Ok(value) = HeaderValue::from_str(&value) {
                headers.insert(HeaderName::from_static(name), value);
            }
        }
        response
    }
}
