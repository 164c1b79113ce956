//! Transcripts that only get longer: as much of one hard thing as ever comes, in front of or behind more and more ordinary talk.
//! The time that each byte takes should stay what it is.

use crate::attack::{Attack, Maker, call, chat, nested, result};
use crate::data::{self, Content, DataSet, Fault};

/// Open calls and orphans that there are at most. They fill half of the text at most.
const MANY: usize = 100_000;

/// Calls in one turn.
const PARALLEL: usize = 1000;

/// Levels of one argument.
const DEPTH: usize = 10_000;

/// Every one of them.
pub const ALL: &[Attack] = &[
    chat("long: nothing but talk", |maker| maker.out.push_str(&talk(maker.bytes))),
    chat("long: a fault in a hundred messages", |maker| maker.out.push_str(&text(Fault::OneInAHundred, maker.bytes))),
    chat("long: a hundred thousand open calls", |maker| {
        let mut calls = String::new();
        listed(&mut calls, maker.bytes / 2, MANY, |out, at| call(out, &format!("c{at}")));
        behind(maker, &format!(r#"{{"role":"assistant","content":null,"tool_calls":[{calls}]}}"#));
    }),
    chat("long: a hundred thousand orphans", |maker| {
        let mut results = String::new();
        listed(&mut results, maker.bytes / 2, MANY, |out, at| result(out, &format!("c{at}")));
        behind(maker, &results);
    }),
    chat("long: a turn of a thousand parallel calls, answered backwards", |maker| {
        let (mut calls, mut results) = (String::new(), String::new());
        listed(&mut calls, maker.bytes / 4, PARALLEL, |out, at| call(out, &format!("c{at}")));
        let count = calls.matches("\"id\"").count();
        listed(&mut results, maker.bytes, count, |out, at| result(out, &format!("c{}", count - 1 - at)));
        behind(maker, &format!(r#"{{"role":"assistant","content":null,"tool_calls":[{calls}]}},{results}"#));
    }),
    chat("long: depth of ten thousand", |maker| {
        let mut deep = String::new();
        nested(&mut deep, DEPTH.min(maker.bytes / 8));
        behind(maker, &format!(r#"{{"role":"user","content":"go","deep":{deep}}}"#));
    }),
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
fn behind(maker: &mut Maker, messages: &str) {
    let talk = talk(maker.bytes.saturating_sub(messages.len()));
    maker.out.extend([talk.trim_end().trim_end_matches("]}"), ",", messages, "]}"]);
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
