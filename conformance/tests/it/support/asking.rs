//! Requests to the local page, byte for byte.

use std::io::{Read, Write};
use std::net::{Ipv4Addr, TcpStream};
use std::time::Duration;

use crate::support::local::Server;

/// What came back.
pub(crate) struct Said {
    pub(crate) status: u16,
    pub(crate) head: String,
    pub(crate) body: Vec<u8>,
}

impl Said {
    pub(crate) fn text(&self) -> String {
        String::from_utf8_lossy(&self.body).into_owned()
    }

    pub(crate) fn json(&self) -> serde_json::Value {
        serde_json::from_slice(&self.body).unwrap_or_else(|error| panic!("{error}: {}", self.text()))
    }

    pub(crate) fn header(&self, name: &str) -> Option<&str> {
        let mut lines = self.head.lines().skip(1).filter_map(|line| line.split_once(": "));
        lines.find(|(key, _)| key.eq_ignore_ascii_case(name)).map(|(_, value)| value)
    }
}

impl Server {
    /// Sends these bytes and reads to the end of the connection.
    pub(crate) fn raw(&self, parts: &[&[u8]]) -> Said {
        let mut stream = TcpStream::connect((Ipv4Addr::LOCALHOST, self.port)).expect("a connection");
        stream.set_read_timeout(Some(Duration::from_mins(4))).expect("a limit");
        for part in parts {
            stream.write_all(part).expect("it reads what is sent");
        }
        let mut said = Vec::new();
        stream.read_to_end(&mut said).expect("an answer");
        let end = said.windows(4).position(|four| four == b"\r\n\r\n").expect("an end of the head");
        let head = String::from_utf8_lossy(&said[..end]).into_owned();
        let status = head.split(' ').nth(1).and_then(|status| status.parse().ok()).expect("a status");
        Said { status, head, body: said[end + 4..].to_vec() }
    }

    /// A request with these headers beside its host.
    pub(crate) fn ask(&self, method: &str, path: &str, headers: &[(&str, &str)], body: &[u8]) -> Said {
        let mut lines = vec![format!("{method} {path} HTTP/1.1"), "Connection: close".to_owned()];
        lines.extend(headers.iter().map(|(name, value)| format!("{name}: {value}")));
        if !headers.iter().any(|(name, _)| *name == "Host") {
            lines.push(format!("Host: 127.0.0.1:{}", self.port));
        }
        if !body.is_empty() {
            lines.push(format!("Content-Length: {}", body.len()));
        }
        let head = lines.join("\r\n") + "\r\n\r\n";
        self.raw(&[head.as_bytes(), body])
    }

    pub(crate) fn get(&self, path: &str) -> Said {
        self.ask("GET", path, &[], b"")
    }

    pub(crate) fn post(&self, path: &str, body: &[u8]) -> Said {
        self.ask("POST", path, &[("Content-Type", "application/octet-stream")], body)
    }
}
