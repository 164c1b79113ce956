//! Transcripts that only get longer: as much of one hard thing as ever comes, in front of or behind more and more ordinary talk.
//! The time that each byte takes should stay what it is.

use std::fmt::Write;

use crate::attack::{call, nested, result};
use crate::data::{self, Content, DataSet, Fault};

/// Open calls and orphans that there are at most. They fill half of the text at most.
const MANY: usize = 100_000;

/// Calls in one turn.
const PARALLEL: usize = 1000;

/// Levels of one argument.
const DEPTH: usize = 10_000;

/// A transcript that only gets longer, in `openai.chat`.
#[derive(Clone, Copy, Debug)]
pub struct Long {
    /// What it holds
    pub name: &'static str,
    make: fn(&mut String, usize),
}

impl Long {
    /// About this many bytes of it.
    pub fn make(&self, bytes: usize) -> Vec<u8> {
        let mut out = String::with_capacity(bytes + bytes / 8 + 1024);
        (self.make)(&mut out, bytes);
        out.into_bytes()
    }
}

/// Every one of them.
pub const ALL: &[Long] = &[
    Long { name: "long: nothing but talk", make: |out, bytes| out.push_str(&talk(bytes)) },
    Long {
        name: "long: a fault in a hundred messages",
        make: |out, bytes| out.push_str(&text(Fault::OneInAHundred, bytes)),
    },
    Long {
        name: "long: a hundred thousand open calls",
        make: |out, bytes| {
            let mut calls = String::new();
            listed(&mut calls, bytes / 2, MANY, |out, at| call(out, &format!("c{at}")));
            behind(out, bytes, &format!(r#"{{"role":"assistant","content":null,"tool_calls":[{calls}]}}"#));
        },
    },
    Long {
        name: "long: a hundred thousand orphans",
        make: |out, bytes| {
            let mut results = String::new();
            listed(&mut results, bytes / 2, MANY, |out, at| result(out, &format!("c{at}")));
            behind(out, bytes, &results);
        },
    },
    Long {
        name: "long: a turn of a thousand parallel calls, answered backwards",
        make: |out, bytes| {
            let (mut calls, mut results) = (String::new(), String::new());
            listed(&mut calls, bytes / 4, PARALLEL, |out, at| call(out, &format!("c{at}")));
            let count = calls.matches("\"id\"").count();
            listed(&mut results, bytes, count, |out, at| result(out, &format!("c{}", count - 1 - at)));
            behind(out, bytes, &format!(r#"{{"role":"assistant","content":null,"tool_calls":[{calls}]}},{results}"#));
        },
    },
    Long {
        name: "long: depth of ten thousand",
        make: |out, bytes| {
            let mut deep = String::new();
            nested(&mut deep, DEPTH.min(bytes / 8));
            behind(out, bytes, &format!(r#"{{"role":"user","content":"go","deep":{deep}}}"#));
        },
    },
];

/// Ordinary exchanges.
fn talk(bytes: usize) -> String {
    text(Fault::None, bytes)
}

fn text(fault: Fault, bytes: usize) -> String {
    let (bytes, _) = data::make(DataSet { name: "", content: Content::Text, fault }, bytes);
    String::from_utf8(bytes).unwrap_or_default()
}

/// Messages behind ordinary ones, all together about so many bytes.
fn behind(out: &mut String, bytes: usize, messages: &str) {
    out.push_str(talk(bytes.saturating_sub(messages.len())).trim_end().trim_end_matches("]}"));
    // Writing into a string cannot fail.
    let _ = write!(out, ",{messages}]}}");
}

/// Items with commas between, until there are so many bytes or so many of them; at least one.
fn listed(out: &mut String, bytes: usize, most: usize, item: impl Fn(&mut String, usize)) {
    for at in 0..most {
        if at > 0 {
            if out.len() >= bytes {
                return;
            }
            out.push(',');
        }
        item(out, at);
    }
}
