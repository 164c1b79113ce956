//! Transcripts that are made to be slow: each is one thing, as often as fits. What reads them must stay linear.

use std::fmt::Write;

/// A transcript that is made to be slow.
#[derive(Clone, Copy, Debug)]
pub struct Attack {
    /// What it holds
    pub name: &'static str,
    /// The dialect that it is in
    pub dialect: &'static str,
    /// Makes about so many bytes of it
    pub(crate) make: fn(&mut Maker),
}

impl Attack {
    /// About this many bytes of it.
    pub fn make(&self, bytes: usize) -> Vec<u8> {
        let mut maker = Maker { out: String::with_capacity(bytes + bytes / 8 + 1024), bytes, number: 0 };
        (self.make)(&mut maker);
        maker.out.into_bytes()
    }
}

/// What an attack is made with.
pub(crate) struct Maker {
    pub(crate) out: String,
    pub(crate) bytes: usize,
    number: usize,
}

impl Maker {
    /// The list of messages: `item` writes one, or several with commas between, from its number.
    fn messages(&mut self, item: fn(&mut String, usize)) {
        self.fill("{\"messages\":[", item, "]}");
    }

    /// As many items as fit until this part of the bytes is full, in 1/parts, and at least one; with a text around them.
    fn around(&mut self, before: &str, parts: usize, item: fn(&mut String, usize), after: &str) {
        self.out.push_str(before);
        let end = self.out.len() + self.bytes / parts;
        let first = self.number;
        while self.out.len() < end || self.number == first {
            if self.number > first {
                self.out.push(',');
            }
            item(&mut self.out, self.number);
            self.number += 1;
        }
        self.out.push_str(after);
    }

    /// The same, of all the bytes.
    fn fill(&mut self, before: &str, item: fn(&mut String, usize), after: &str) {
        self.around(before, 1, item, after);
    }
}

/// Writes formatted text; writing into a string cannot fail.
macro_rules! put {
    ($out:expr, $($text:tt)+) => {{ let _ = write!($out, $($text)+); }};
}

const USER: &str = r#"{"role":"user","content":"go"}"#;
const OPEN_TURN: &str =
    r#"{"messages":[{"role":"user","content":"go"},{"role":"assistant","content":null,"tool_calls":["#;
const OPEN_BLOCKS: &str = r#"{"messages":[{"role":"user","content":["#;
const CALLS: &str = r#"{"role":"assistant","content":null,"tool_calls":["#;

pub(crate) fn call(out: &mut String, id: &str) {
    put!(out, r#"{{"id":"{id}","type":"function","function":{{"name":"look","arguments":"{{}}"}}}}"#);
}

pub(crate) fn result(out: &mut String, id: &str) {
    put!(out, r#"{{"role":"tool","tool_call_id":"{id}","content":"ok"}}"#);
}

fn turn(out: &mut String, id: &str) {
    out.push_str(CALLS);
    call(out, id);
    out.push_str("]}");
}

pub(crate) fn nested(out: &mut String, depth: usize) {
    (0..depth).for_each(|_| out.push('['));
    (0..depth).for_each(|_| out.push(']'));
}

const fn of(dialect: &'static str, name: &'static str, make: fn(&mut Maker)) -> Attack {
    Attack { name, dialect, make }
}

pub(crate) const fn chat(name: &'static str, make: fn(&mut Maker)) -> Attack {
    of("openai.chat", name, make)
}

const fn anthropic(name: &'static str, make: fn(&mut Maker)) -> Attack {
    of("anthropic.messages", name, make)
}

/// Every attack.
pub const ALL: &[Attack] = &[
    chat("one id for every turn", |maker| {
        maker.messages(|out, _| {
            turn(out, "a");
            out.push(',');
            result(out, "a");
        });
    }),
    chat("one id for every call of one turn", |maker| {
        maker.around(OPEN_TURN, 2, |out, _| call(out, "a"), "]}");
        maker.around(",", 2, |out, _| result(out, "a"), "]}");
    }),
    chat("one id, results only at the end", |maker| {
        maker.around("{\"messages\":[", 2, |out, _| turn(out, "a"), ",");
        maker.around(
            USER,
            2,
            |out, _| {
                out.push(',');
                result(out, "a");
                out.push(',');
                out.push_str(USER);
            },
            "]}",
        );
        maker.out = maker.out.replace(",,", ",");
    }),
    chat("open calls, a turn each", |maker| maker.messages(|out, at| turn(out, &format!("c{at}")))),
    chat("open calls in one turn", |maker| {
        maker.fill(OPEN_TURN, |out, at| call(out, &format!("c{at}")), "]}]}");
    }),
    chat("orphans", |maker| maker.messages(|out, at| result(out, &format!("c{at}")))),
    chat("orphans behind a turn of many calls", |maker| {
        maker.around(OPEN_TURN, 2, |out, at| call(out, &format!("c{at}|fc{at}")), "]}");
        maker.around(",", 2, |out, at| result(out, &format!("d{at}|fc{at}")), "]}");
    }),
    chat("results without ids", |maker| {
        maker.around(OPEN_TURN, 2, |out, at| call(out, &format!("c{at}")), "]}");
        maker.around(",", 2, |out, _| out.push_str(r#"{"role":"tool","content":"ok"}"#), "]}");
    }),
    chat("results before their calls", |maker| {
        maker.around("{\"messages\":[", 2, |out, at| result(out, &format!("c{at}")), ",");
        maker.number = 0;
        maker.around(
            USER,
            2,
            |out, at| {
                out.push(',');
                turn(out, &format!("c{at}"));
            },
            "]}",
        );
        maker.out = maker.out.replace(",,", ",");
    }),
    chat("a thousand parallel calls, answered backwards", |maker| {
        maker.messages(|out, at| {
            out.push_str(CALLS);
            for place in 0..1000 {
                if place > 0 {
                    out.push(',');
                }
                call(out, &format!("c{at}_{place}"));
            }
            out.push_str("]}");
            for place in (0..1000).rev() {
                out.push(',');
                result(out, &format!("c{at}_{place}"));
            }
        });
    }),
    chat("parallel calls answered backwards, one turn", |maker| {
        maker.around(OPEN_TURN, 2, |out, at| call(out, &format!("c{:07}", 9_999_999 - at)), "]}");
        maker.out.push(',');
        let last = maker.number;
        for at in 0..last {
            if at > 0 {
                maker.out.push(',');
            }
            result(&mut maker.out, &format!("c{:07}", 9_999_999 - (last - 1 - at)));
        }
        maker.out.push_str("]}");
    }),
    chat("one call answered many times", |maker| {
        maker.out.push_str("{\"messages\":[");
        turn(&mut maker.out, "a");
        maker.fill(",", |out, _| result(out, "a"), "]}");
    }),
    anthropic("depth of ten thousand", |maker| {
        maker.messages(|out, at| {
            put!(
                out,
                r#"{{"role":"assistant","content":[{{"type":"tool_use","id":"t{at}","name":"look","input":{{"a":"#
            );
            nested(out, 10_000);
            put!(
                out,
                r#"}}}}]}},{{"role":"user","content":[{{"type":"tool_result","tool_use_id":"t{at}","content":"ok"}}]}}"#
            );
        });
    }),
    chat("one huge string", |maker| {
        maker.fill(
            r#"{"messages":[{"role":"user","content":""#,
            |out, _| out.push_str(&"a line of words and no escape ".repeat(8)),
            "\"}]}",
        );
    }),
    chat("every character escaped", |maker| {
        maker.messages(|out, _| {
            put!(out, r#"{{"role":"user","content":"{}"}}"#, r"\u0061\n\u4f60\ud83d\ude00".repeat(100));
        });
    }),
    chat("half surrogates", |maker| maker.messages(|out, _| out.push_str(r#"{"role":"user","content":"a\ud83db"}"#))),
    chat("tiny messages", |maker| maker.messages(|out, _| out.push_str(r#"{"role":"user","content":"a"}"#))),
    chat("tiny lines", |maker| {
        while maker.out.len() < maker.bytes {
            maker.out.push_str("{\"role\":\"user\",\"content\":\"a\"}\n");
        }
    }),
    anthropic("tiny blocks", |maker| {
        maker.fill(OPEN_BLOCKS, |out, _| out.push_str(r#"{"type":"text","text":"a"}"#), "]}]}");
    }),
    anthropic("blank blocks", |maker| {
        maker.fill(OPEN_BLOCKS, |out, _| out.push_str(r#"{"type":"text","text":" "}"#), "]}]}");
    }),
    anthropic("unknown blocks", |maker| {
        maker.fill(OPEN_BLOCKS, |out, at| put!(out, r#"{{"type":"x{at}"}}"#), "]}]}");
    }),
    chat("members of a message", |maker| {
        maker.fill(r#"{"messages":[{"role":"user","content":"go","#, |out, at| put!(out, "\"m{at}\":{at}"), "}]}");
    }),
    anthropic("members of a block", |maker| {
        maker.fill(
            r#"{"messages":[{"role":"user","content":[{"type":"text","text":"go","#,
            |out, at| put!(out, "\"m{at}\":{at}"),
            "}]}]}",
        );
    }),
    chat("members of a call", |maker| {
        maker.fill(&format!("{{\"messages\":[{USER},{CALLS}{{\"id\":\"a\",\"type\":\"function\",\"function\":{{\"name\":\"look\",\"arguments\":\"{{}}\"}},"),
            |out, at| put!(out, "\"m{at}\":{at}"), "}]},");
        result(&mut maker.out, "a");
        maker.out.push_str("]}");
    }),
    chat("members of the document", |maker| {
        maker.fill(&format!("{{\"messages\":[{USER}],"), |out, at| put!(out, "\"m{at}\":{at}"), "}");
    }),
    anthropic("members of arguments", |maker| {
        maker.fill(r#"{"messages":[{"role":"user","content":"go"},{"role":"assistant","content":[{"type":"tool_use","id":"t","name":"look","input":{"#,
            |out, at| put!(out, "\"m{at}\":{at}"), r#"}}]},{"role":"user","content":[{"type":"tool_result","tool_use_id":"t","content":"ok"}]}]}"#);
    }),
    chat("one key again and again", |maker| {
        maker.fill(r#"{"messages":[{"role":"user","content":"go","#, |out, at| put!(out, "\"m\":{at}"), "}]}");
    }),
    chat("the list of messages again and again", |maker| {
        maker.fill("{", |out, _| put!(out, "\"messages\":[{USER}]"), "}");
    }),
    chat("messages that are none", |maker| maker.messages(|out, _| out.push('0'))),
    chat("empty turns", |maker| maker.messages(|out, _| out.push_str(r#"{"role":"assistant","content":""}"#))),
    chat("arguments that are objects", |maker| {
        maker.messages(|out, at| {
        put!(out, r#"{CALLS}{{"id":"c{at}","type":"function","function":{{"name":"look","arguments":{{"a":[1,2]}}}}}}]}},"#);
        result(out, &format!("c{at}"));
    });
    }),
    chat("arguments that are no JSON", |maker| {
        maker.messages(|out, at| {
            put!(
                out,
                r#"{CALLS}{{"id":"c{at}","type":"function","function":{{"name":"look","arguments":"{{\"a"}}}}]}},"#
            );
            result(out, &format!("c{at}"));
        });
    }),
    chat("ids that no server takes", |maker| {
        maker.messages(|out, at| {
            turn(out, &format!("c d:{at}"));
            out.push(',');
            result(out, &format!("c d:{at}"));
        });
    }),
    chat("names that no server takes", |maker| {
        maker.messages(|out, at| {
            put!(
                out,
                r#"{CALLS}{{"id":"c{at}","type":"function","function":{{"name":"l k:{at}","arguments":"{{}}"}}}}]}},"#
            );
            result(out, &format!("c{at}"));
        });
    }),
    chat("tools with names that no server takes", |maker| {
        maker.fill(
            &format!("{{\"messages\":[{USER}],\"tools\":["),
            |out, at| {
                put!(out, r#"{{"type":"function","function":{{"name":"l k:{at}","parameters":{{"type":"object"}}}}}}"#);
            },
            "]}",
        );
    }),
    chat("pictures that are none", |maker| {
        maker.messages(|out, _| {
            out.push_str(
                r#"{"role":"user","content":[{"type":"image_url","image_url":{"url":"data:image/png;base64,AAAA"}}]}"#,
            );
        });
    }),
    anthropic("pictures in one message", |maker| {
        maker.fill(OPEN_BLOCKS, |out, _| {
        out.push_str(r#"{"type":"image","source":{"type":"base64","media_type":"image/png","data":"iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=="}}"#);
    }, "]}]}");
    }),
    chat("system messages", |maker| maker.messages(|out, _| out.push_str(r#"{"role":"system","content":"be kind"}"#))),
    chat("system messages between turns", |maker| {
        maker.messages(|out, _| {
            put!(out, r#"{USER},{{"role":"system","content":"be kind"}},{{"role":"assistant","content":"well"}}"#);
        });
    }),
    of("gemini.contents", "calls and results of a turn, by name", |maker| {
        maker.around(
            r#"{"contents":[{"role":"user","parts":[{"text":"go"}]},{"role":"model","parts":["#,
            2,
            |out, _| out.push_str(r#"{"functionCall":{"name":"look","args":{}}}"#),
            "]},",
        );
        maker.around(
            r#"{"role":"user","parts":["#,
            2,
            |out, _| out.push_str(r#"{"functionResponse":{"name":"look","response":{"output":"ok"}}}"#),
            "]}]}",
        );
    }),
    anthropic("reasoning", |maker| {
        maker.messages(|out, at| {
        put!(out, r#"{{"role":"user","content":"go"}},{{"role":"assistant","content":[{{"type":"thinking","thinking":"hm","signature":"s{at}"}},{{"type":"text","text":"well"}}]}}"#);
    });
    }),
    of("openai.responses", "items of a turn", |maker| {
        maker.around(
            r#"{"input":[{"role":"user","content":"go"},"#,
            2,
            |out, at| put!(out, r#"{{"type":"function_call","call_id":"c{at}","name":"look","arguments":"{{}}"}}"#),
            ",",
        );
        maker.number = 0;
        maker.around(
            "",
            2,
            |out, at| put!(out, r#"{{"type":"function_call_output","call_id":"c{at}","output":"ok"}}"#),
            "]}",
        );
    }),
    of("openai.responses", "reasoning items", |maker| {
        maker.fill(
            r#"{"input":[{"role":"user","content":"go"},"#,
            |out, at| put!(out, r#"{{"type":"reasoning","id":"rs_{at}","summary":[]}}"#),
            "]}",
        );
    }),
    of("mcp.tool-result", "blocks of one result", |maker| {
        maker.fill(
            r#"{"content":["#,
            |out, _| out.push_str(r#"{"type":"text","text":"a","annotations":{"priority":2}}"#),
            "]}",
        );
    }),
];

#[cfg(test)]
mod tests {
    use wirecanon_core::json::{Json, Limits};

    use super::*;

    #[test]
    fn each_is_json_of_about_its_size() {
        for attack in ALL {
            let bytes = attack.make(100_000);
            assert!((50_000..250_000).contains(&bytes.len()), "{}: {} bytes", attack.name, bytes.len());
            let text = String::from_utf8(bytes).expect("text");
            let one = Json::parse(&text, &Limits::default()).is_ok();
            let lines = wirecanon_core::json::parse_lines(&text, &Limits::default()).is_ok();
            assert!(one || lines, "{} is no JSON", attack.name);
        }
    }
}
