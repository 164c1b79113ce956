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
        self.out.push_str("{\"messages\":[");
        self.items(1, item);
        self.out.push_str("]}");
    }

    /// As many items as fit until this part of the bytes is full, in 1/parts; at least one.
    fn items(&mut self, parts: usize, item: fn(&mut String, usize)) {
        let end = self.out.len() + self.bytes / parts;
        let first = self.number;
        while self.out.len() < end || self.number == first {
            if self.number > first {
                self.out.push(',');
            }
            item(&mut self.out, self.number);
            self.number += 1;
        }
    }

    /// A text that stands around items.
    fn around(&mut self, before: &str, parts: usize, item: fn(&mut String, usize), after: &str) {
        self.out.push_str(before);
        self.items(parts, item);
        self.out.push_str(after);
    }
}

/// Writes formatted text; writing into a string cannot fail.
macro_rules! put {
    ($out:expr, $($text:tt)+) => {{ let _ = write!($out, $($text)+); }};
}

const USER: &str = r#"{"role":"user","content":"go"}"#;
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

/// Every attack.
pub const ALL: &[Attack] = &[
    Attack {
        name: "one id for every turn",
        dialect: "openai.chat",
        make: |maker| {
            maker.messages(|out, _| {
                turn(out, "a");
                out.push(',');
                result(out, "a");
            });
        },
    },
    Attack {
        name: "one id for every call of one turn",
        dialect: "openai.chat",
        make: |maker| {
            maker.around(&format!("{{\"messages\":[{USER},{CALLS}"), 2, |out, _| call(out, "a"), "]}");
            maker.around(",", 2, |out, _| result(out, "a"), "]}");
        },
    },
    Attack {
        name: "one id, results only at the end",
        dialect: "openai.chat",
        make: |maker| {
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
        },
    },
    Attack {
        name: "open calls, a turn each",
        dialect: "openai.chat",
        make: |maker| maker.messages(|out, at| turn(out, &format!("c{at}"))),
    },
    Attack {
        name: "open calls in one turn",
        dialect: "openai.chat",
        make: |maker| {
            maker.around(&format!("{{\"messages\":[{USER},{CALLS}"), 1, |out, at| call(out, &format!("c{at}")), "]}]}");
        },
    },
    Attack {
        name: "orphans",
        dialect: "openai.chat",
        make: |maker| maker.messages(|out, at| result(out, &format!("c{at}"))),
    },
    Attack {
        name: "orphans behind a turn of many calls",
        dialect: "openai.chat",
        make: |maker| {
            maker.around(
                &format!("{{\"messages\":[{USER},{CALLS}"),
                2,
                |out, at| call(out, &format!("c{at}|fc{at}")),
                "]}",
            );
            maker.around(",", 2, |out, at| result(out, &format!("d{at}|fc{at}")), "]}");
        },
    },
    Attack {
        name: "results without ids",
        dialect: "openai.chat",
        make: |maker| {
            maker.around(&format!("{{\"messages\":[{USER},{CALLS}"), 2, |out, at| call(out, &format!("c{at}")), "]}");
            maker.around(",", 2, |out, _| out.push_str(r#"{"role":"tool","content":"ok"}"#), "]}");
        },
    },
    Attack {
        name: "results before their calls",
        dialect: "openai.chat",
        make: |maker| {
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
        },
    },
    Attack {
        name: "a thousand parallel calls, answered backwards",
        dialect: "openai.chat",
        make: |maker| {
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
        },
    },
    Attack {
        name: "parallel calls answered backwards, one turn",
        dialect: "openai.chat",
        make: |maker| {
            maker.around(
                &format!("{{\"messages\":[{USER},{CALLS}"),
                2,
                |out, at| call(out, &format!("c{:07}", 9_999_999 - at)),
                "]}",
            );
            maker.out.push(',');
            let last = maker.number;
            for at in 0..last {
                if at > 0 {
                    maker.out.push(',');
                }
                result(&mut maker.out, &format!("c{:07}", 9_999_999 - (last - 1 - at)));
            }
            maker.out.push_str("]}");
        },
    },
    Attack {
        name: "one call answered many times",
        dialect: "openai.chat",
        make: |maker| {
            maker.out.push_str("{\"messages\":[");
            turn(&mut maker.out, "a");
            maker.around(",", 1, |out, _| result(out, "a"), "]}");
        },
    },
    Attack {
        name: "depth of ten thousand",
        dialect: "anthropic.messages",
        make: |maker| {
            maker.messages(|out, at| {
        put!(out, r#"{{"role":"assistant","content":[{{"type":"tool_use","id":"t{at}","name":"look","input":{{"a":"#);
        nested(out, 10_000);
        put!(out, r#"}}}}]}},{{"role":"user","content":[{{"type":"tool_result","tool_use_id":"t{at}","content":"ok"}}]}}"#);
    });
        },
    },
    Attack {
        name: "one huge string",
        dialect: "openai.chat",
        make: |maker| {
            maker.around(
                r#"{"messages":[{"role":"user","content":""#,
                1,
                |out, _| out.push_str(&"a line of words and no escape ".repeat(8)),
                "\"}]}",
            );
        },
    },
    Attack {
        name: "every character escaped",
        dialect: "openai.chat",
        make: |maker| {
            maker.messages(|out, _| {
                put!(out, r#"{{"role":"user","content":"{}"}}"#, r"\u0061\n\u4f60\ud83d\ude00".repeat(100));
            });
        },
    },
    Attack {
        name: "half surrogates",
        dialect: "openai.chat",
        make: |maker| maker.messages(|out, _| out.push_str(r#"{"role":"user","content":"a\ud83db"}"#)),
    },
    Attack {
        name: "tiny messages",
        dialect: "openai.chat",
        make: |maker| maker.messages(|out, _| out.push_str(r#"{"role":"user","content":"a"}"#)),
    },
    Attack {
        name: "tiny lines",
        dialect: "openai.chat",
        make: |maker| {
            while maker.out.len() < maker.bytes {
                maker.out.push_str("{\"role\":\"user\",\"content\":\"a\"}\n");
            }
        },
    },
    Attack {
        name: "tiny blocks",
        dialect: "anthropic.messages",
        make: |maker| {
            maker.around(
                r#"{"messages":[{"role":"user","content":["#,
                1,
                |out, _| out.push_str(r#"{"type":"text","text":"a"}"#),
                "]}]}",
            );
        },
    },
    Attack {
        name: "blank blocks",
        dialect: "anthropic.messages",
        make: |maker| {
            maker.around(
                r#"{"messages":[{"role":"user","content":["#,
                1,
                |out, _| out.push_str(r#"{"type":"text","text":" "}"#),
                "]}]}",
            );
        },
    },
    Attack {
        name: "unknown blocks",
        dialect: "anthropic.messages",
        make: |maker| {
            maker.around(
                r#"{"messages":[{"role":"user","content":["#,
                1,
                |out, at| put!(out, r#"{{"type":"x{at}"}}"#),
                "]}]}",
            );
        },
    },
    Attack {
        name: "members of a message",
        dialect: "openai.chat",
        make: |maker| {
            maker.around(
                r#"{"messages":[{"role":"user","content":"go","#,
                1,
                |out, at| put!(out, "\"m{at}\":{at}"),
                "}]}",
            );
        },
    },
    Attack {
        name: "members of a block",
        dialect: "anthropic.messages",
        make: |maker| {
            maker.around(
                r#"{"messages":[{"role":"user","content":[{"type":"text","text":"go","#,
                1,
                |out, at| put!(out, "\"m{at}\":{at}"),
                "}]}]}",
            );
        },
    },
    Attack {
        name: "members of a call",
        dialect: "openai.chat",
        make: |maker| {
            maker.around(&format!("{{\"messages\":[{USER},{CALLS}{{\"id\":\"a\",\"type\":\"function\",\"function\":{{\"name\":\"look\",\"arguments\":\"{{}}\"}},"), 1,
            |out, at| put!(out, "\"m{at}\":{at}"), "}]},");
            result(&mut maker.out, "a");
            maker.out.push_str("]}");
        },
    },
    Attack {
        name: "members of the document",
        dialect: "openai.chat",
        make: |maker| maker.around(&format!("{{\"messages\":[{USER}],"), 1, |out, at| put!(out, "\"m{at}\":{at}"), "}"),
    },
    Attack {
        name: "members of arguments",
        dialect: "anthropic.messages",
        make: |maker| {
            maker.around(r#"{"messages":[{"role":"user","content":"go"},{"role":"assistant","content":[{"type":"tool_use","id":"t","name":"look","input":{"#, 1,
            |out, at| put!(out, "\"m{at}\":{at}"), r#"}}]},{"role":"user","content":[{"type":"tool_result","tool_use_id":"t","content":"ok"}]}]}"#);
        },
    },
    Attack {
        name: "one key again and again",
        dialect: "openai.chat",
        make: |maker| {
            maker.around(r#"{"messages":[{"role":"user","content":"go","#, 1, |out, at| put!(out, "\"m\":{at}"), "}]}");
        },
    },
    Attack {
        name: "the list of messages again and again",
        dialect: "openai.chat",
        make: |maker| maker.around("{", 1, |out, _| put!(out, "\"messages\":[{USER}]"), "}"),
    },
    Attack {
        name: "messages that are none",
        dialect: "openai.chat",
        make: |maker| maker.messages(|out, _| out.push('0')),
    },
    Attack {
        name: "empty turns",
        dialect: "openai.chat",
        make: |maker| maker.messages(|out, _| out.push_str(r#"{"role":"assistant","content":""}"#)),
    },
    Attack {
        name: "arguments that are objects",
        dialect: "openai.chat",
        make: |maker| {
            maker.messages(|out, at| {
        put!(out, r#"{CALLS}{{"id":"c{at}","type":"function","function":{{"name":"look","arguments":{{"a":[1,2]}}}}}}]}},"#);
        result(out, &format!("c{at}"));
    });
        },
    },
    Attack {
        name: "arguments that are no JSON",
        dialect: "openai.chat",
        make: |maker| {
            maker.messages(|out, at| {
                put!(
                    out,
                    r#"{CALLS}{{"id":"c{at}","type":"function","function":{{"name":"look","arguments":"{{\"a"}}}}]}},"#
                );
                result(out, &format!("c{at}"));
            });
        },
    },
    Attack {
        name: "ids that no server takes",
        dialect: "openai.chat",
        make: |maker| {
            maker.messages(|out, at| {
                turn(out, &format!("c d:{at}"));
                out.push(',');
                result(out, &format!("c d:{at}"));
            });
        },
    },
    Attack {
        name: "names that no server takes",
        dialect: "openai.chat",
        make: |maker| {
            maker.messages(|out, at| {
        put!(out, r#"{CALLS}{{"id":"c{at}","type":"function","function":{{"name":"l k:{at}","arguments":"{{}}"}}}}]}},"#);
        result(out, &format!("c{at}"));
    });
        },
    },
    Attack {
        name: "tools with names that no server takes",
        dialect: "openai.chat",
        make: |maker| {
            maker.around(
                &format!("{{\"messages\":[{USER}],\"tools\":["),
                1,
                |out, at| {
                    put!(
                        out,
                        r#"{{"type":"function","function":{{"name":"l k:{at}","parameters":{{"type":"object"}}}}}}"#
                    );
                },
                "]}",
            );
        },
    },
    Attack {
        name: "pictures that are none",
        dialect: "openai.chat",
        make: |maker| {
            maker.messages(|out, _| {
        out.push_str(r#"{"role":"user","content":[{"type":"image_url","image_url":{"url":"data:image/png;base64,AAAA"}}]}"#);
    });
        },
    },
    Attack {
        name: "pictures in one message",
        dialect: "anthropic.messages",
        make: |maker| {
            maker.around(r#"{"messages":[{"role":"user","content":["#, 1, |out, _| {
        out.push_str(r#"{"type":"image","source":{"type":"base64","media_type":"image/png","data":"iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=="}}"#);
    }, "]}]}");
        },
    },
    Attack {
        name: "system messages",
        dialect: "openai.chat",
        make: |maker| maker.messages(|out, _| out.push_str(r#"{"role":"system","content":"be kind"}"#)),
    },
    Attack {
        name: "system messages between turns",
        dialect: "openai.chat",
        make: |maker| {
            maker.messages(|out, _| {
                put!(out, r#"{USER},{{"role":"system","content":"be kind"}},{{"role":"assistant","content":"well"}}"#);
            });
        },
    },
    Attack {
        name: "calls and results of a turn, by name",
        dialect: "gemini.contents",
        make: |maker| {
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
        },
    },
    Attack {
        name: "reasoning",
        dialect: "anthropic.messages",
        make: |maker| {
            maker.messages(|out, at| {
        put!(out, r#"{{"role":"user","content":"go"}},{{"role":"assistant","content":[{{"type":"thinking","thinking":"hm","signature":"s{at}"}},{{"type":"text","text":"well"}}]}}"#);
    });
        },
    },
    Attack {
        name: "items of a turn",
        dialect: "openai.responses",
        make: |maker| {
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
        },
    },
    Attack {
        name: "reasoning items",
        dialect: "openai.responses",
        make: |maker| {
            maker.around(
                r#"{"input":[{"role":"user","content":"go"},"#,
                1,
                |out, at| put!(out, r#"{{"type":"reasoning","id":"rs_{at}","summary":[]}}"#),
                "]}",
            );
        },
    },
    Attack {
        name: "blocks of one result",
        dialect: "mcp.tool-result",
        make: |maker| {
            maker.around(
                r#"{"content":["#,
                1,
                |out, _| out.push_str(r#"{"type":"text","text":"a","annotations":{"priority":2}}"#),
                "]}",
            );
        },
    },
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
