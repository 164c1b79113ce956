//! Arguments that are no object, are wrapped too often or cut off, and fields under other names.

use super::dialects::{calls, object_arguments, own, text_arguments, with_arguments};
use super::place::{call_at, exchange, outcome_part, part};
use super::{Defect, exact};
use crate::Draw;
use crate::node::{COMPACT, Node, object, print};
use crate::plan::{Field, Part, Plan};

const CLASS: &str = "tool-args";
const MISSING: &[&str] = &["tool-call-arguments-missing"];
const INVALID: &[&str] = &["tool-call-arguments-invalid"];
const TWICE: &[&str] = &["tool-call-arguments-encoded-twice"];

pub(super) const ROWS: &[Defect] = &[
    exact(CLASS, "arguments-missing", MISSING, "A call has no arguments.", with_arguments, |draw, plan, _| {
        empty(draw, plan, Field::Missing)
    }),
    exact(CLASS, "arguments-null", MISSING, "A call's arguments are null.", calls, |draw, plan, _| {
        empty(draw, plan, Field::Instead(Node::Null))
    }),
    exact(CLASS, "arguments-empty", MISSING, "A call's arguments are an empty string.", calls, |draw, plan, _| {
        empty(draw, plan, Field::Instead(Node::from("")))
    }),
    exact(CLASS, "arguments-empty-list", MISSING, "A call's arguments are an empty list.", calls, |draw, plan, _| {
        let list = if draw.pick(&[true, false]) { Node::from("[]") } else { Node::Raw("[]".to_owned()) };
        empty(draw, plan, Field::Instead(list))
    }),
    exact(CLASS, "arguments-blank", MISSING, "A call's arguments are white space.", calls, |draw, plan, _| {
        let blank = draw.pick(&[" ", "\n", "\t  "]);
        empty(draw, plan, Field::Instead(Node::from(blank)))
    }),
    exact(CLASS, "arguments-null-text", MISSING, "A call's arguments are the text null.", calls, |draw, plan, _| {
        empty(draw, plan, Field::Instead(Node::from("null")))
    }),
    exact(CLASS, "arguments-number", INVALID, "A call's arguments are a number.", calls, |draw, plan, _| {
        let number = draw.pick(&["17", "0", "-1.50", "1e400"]);
        invalid(draw, plan, Node::Raw(number.to_owned()), number)
    }),
    exact(CLASS, "arguments-boolean", INVALID, "A call's arguments are true or false.", calls, |draw, plan, _| {
        let (value, raw) = draw.pick(&[(true, "true"), (false, "false")]);
        invalid(draw, plan, Node::Bool(value), raw)
    }),
    exact(CLASS, "arguments-list", INVALID, "A call's arguments are a list.", calls, |draw, plan, _| {
        let list = draw.pick(&["[1,2]", "[null]", "[{}]"]);
        invalid(draw, plan, Node::Raw(list.to_owned()), list)
    }),
    exact(
        CLASS,
        "arguments-list-text",
        INVALID,
        "A call's arguments are a list in a string.",
        calls,
        |draw, plan, _| {
            let list = draw.pick(&["[1, 2]", "[[]]", " [{}] "]);
            invalid(draw, plan, Node::from(list), list)
        },
    ),
    exact(
        CLASS,
        "arguments-number-text",
        INVALID,
        "A call's arguments are a number in a string.",
        calls,
        |draw, plan, _| {
            let text = draw.pick(&["17", "true", "-0"]);
            invalid(draw, plan, Node::from(text), text)
        },
    ),
    exact(CLASS, "arguments-not-json", INVALID, "A call's arguments are words.", calls, |draw, plan, _| {
        let text = draw.pick(&[r#"C:\bin "x""#, "ls -l", "{q: 1}", "{'q': 1}", "undefined", "}"]);
        invalid(draw, plan, Node::from(text), text)
    }),
    exact(
        CLASS,
        "arguments-cut-off",
        INVALID,
        "A call's arguments end too early, at any place.",
        calls,
        |draw, plan, _| {
            spell(draw, plan, |draw, exact| {
                let ends: Vec<_> = exact.char_indices().map(|(at, _)| at).skip(1).collect();
                let cut = &exact[..draw.pick(&ends)];
                (Field::Instead(Node::from(cut)), wrapped(cut))
            })
        },
    ),
    exact(CLASS, "arguments-run-on", INVALID, "Something stands behind the object.", calls, |draw, plan, _| {
        spell(draw, plan, |draw, exact| {
            let more = draw.pick(&["}", "{}", " done", ",", "\u{0}"]);
            let text = format!("{exact}{more}");
            (Field::Instead(Node::from(text.as_str())), wrapped(&text))
        })
    }),
    exact(
        CLASS,
        "arguments-trailing-comma",
        INVALID,
        "A comma stands in front of the last brace.",
        calls,
        |draw, plan, _| {
            spell(draw, plan, |_, exact| {
                let text = format!("{},}}", &exact[..exact.len() - 1]);
                (Field::Instead(Node::from(text.as_str())), wrapped(&text))
            })
        },
    ),
    exact(
        CLASS,
        "arguments-fenced",
        INVALID,
        "A call's arguments stand in a Markdown fence.",
        calls,
        |draw, plan, _| {
            spell(draw, plan, |_, exact| {
                let text = format!("```json\n{exact}\n```");
                (Field::Instead(Node::from(text.as_str())), wrapped(&text))
            })
        },
    ),
    exact(
        CLASS,
        "arguments-as-text",
        &["tool-call-arguments-not-an-object"],
        "A call's arguments are a string where an object is due.",
        object_arguments,
        |draw, plan, _| spell(draw, plan, |_, exact| (Field::Instead(Node::from(exact)), exact.to_owned())),
    ),
    exact(
        CLASS,
        "arguments-as-object",
        &["tool-call-arguments-not-a-string"],
        "A call's arguments are an object where a string is due.",
        text_arguments,
        |draw, plan, _| spell(draw, plan, |_, exact| (Field::Instead(Node::Raw(exact.to_owned())), exact.to_owned())),
    ),
    exact(
        CLASS,
        "arguments-encoded-twice",
        TWICE,
        "A call's arguments are encoded once too often.",
        calls,
        |draw, plan, _| spell(draw, plan, |_, exact| (Field::Instead(Node::from(quoted(exact))), exact.to_owned())),
    ),
    exact(
        CLASS,
        "arguments-encoded-three-times",
        TWICE,
        "A call's arguments are encoded twice too often.",
        calls,
        |draw, plan, _| {
            spell(draw, plan, |_, exact| (Field::Instead(Node::from(quoted(&quoted(exact)))), exact.to_owned()))
        },
    ),
    exact(
        CLASS,
        "arguments-encoded-four-times",
        INVALID,
        "A call's arguments are encoded more often than anybody does by mistake.",
        calls,
        |draw, plan, _| {
            spell(draw, plan, |_, exact| {
                let text = quoted(&quoted(&quoted(exact)));
                (Field::Instead(Node::from(text.as_str())), wrapped(&text))
            })
        },
    ),
    exact(
        CLASS,
        "arguments-cut-off-encoded-twice",
        INVALID,
        "A call's arguments end too early, and are encoded once too often.",
        calls,
        |draw, plan, _| {
            spell(draw, plan, |_, exact| {
                let text = quoted(&exact[..exact.len() - 1]);
                (Field::Instead(Node::from(text.as_str())), wrapped(&text))
            })
        },
    ),
    exact(
        CLASS,
        "arguments-half-surrogate",
        &[],
        "Half of a surrogate pair stands in the arguments of a call: they keep their text.",
        text_arguments,
        |draw, plan, _| odd(draw, plan, r#""half":"\ud83d","#),
    ),
    exact(
        CLASS,
        "arguments-equal-keys",
        &[],
        "A key stands twice in the arguments of a call: they keep their text.",
        text_arguments,
        |draw, plan, _| odd(draw, plan, r#""twice":1,"twice":2,"#),
    ),
    exact(
        CLASS,
        "call-type-alias",
        &["tool-call-alias"],
        "A call's type is another program's.",
        own,
        |draw, plan, _| {
            let kind = draw.pick(&[
                "toolUse",
                "tool_use",
                "tool-use",
                "functionCall",
                "function_call",
                "tool_call",
                "tool-call",
            ]);
            let (place, part) = part(draw, plan, |_, part| matches!(part, Part::Call(call) if call.alias.is_none()))?;
            call_at(plan, place, part)?.alias = Some((kind, "arguments"));
            Some(())
        },
    ),
    exact(
        CLASS,
        "arguments-key-alias",
        &["field-alias"],
        "A call's arguments stand under another program's key.",
        own,
        |draw, plan, _| {
            let key = draw.pick(&["input", "args", "toolInput", "tool_input", "parameters"]);
            let (place, part) = part(draw, plan, |_, part| matches!(part, Part::Call(call) if call.alias.is_none()))?;
            call_at(plan, place, part)?.alias = Some(("toolCall", key));
            Some(())
        },
    ),
    exact(
        CLASS,
        "arguments-under-two-names",
        &["alias-conflict"],
        "A call has arguments under two names, and they differ.",
        own,
        |draw, plan, _| {
            let key = draw.pick(&["input", "args", "parameters"]);
            let (place, part) = part(draw, plan, |_, part| matches!(part, Part::Call(_)))?;
            call_at(plan, place, part)?.extra.push((key.to_owned(), object([("other", Node::Bool(true))])));
            Some(())
        },
    ),
    exact(
        CLASS,
        "result-id-key-alias",
        &["field-alias"],
        "The id of a result stands under another program's key.",
        own,
        |draw, plan, _| {
            let key = draw.pick(&["toolUseId", "tool_use_id", "tool_call_id", "call_id", "callId"]);
            let exchange = exchange(draw, plan, 1)?;
            let place = draw.pick(&exchange.results);
            plan.messages[place].answer.as_mut()?.id_key = Some(key);
            Some(())
        },
    ),
];

/// The JSON string of a text.
fn quoted(text: &str) -> String {
    print(&Node::from(text), COMPACT)
}

/// What becomes of arguments that are none.
fn wrapped(raw: &str) -> String {
    print(&object([("INVALID_JSON", Node::from(raw))]), COMPACT)
}

/// Spells the arguments of one call in another way. `make` is given the exact text, and says what is written and what
/// must come out.
fn spell(
    draw: &mut Draw<'_, '_>,
    plan: &mut Plan,
    make: impl FnOnce(&mut Draw<'_, '_>, &str) -> (Field, String),
) -> Option<()> {
    let (place, part) = part(draw, plan, |_, part| matches!(part, Part::Call(_)))?;
    let call = call_at(plan, place, part)?;
    let (token, whole) = (call.token.clone(), call.arguments.clone());
    let (written, out) = make(draw, &whole);
    call.spelled_arguments = written;
    if out != whole {
        plan.forget_call(&token);
    }
    if let Part::Call(call) = outcome_part(plan, place, part)? {
        call.arguments = out;
    }
    Some(())
}

fn empty(draw: &mut Draw<'_, '_>, plan: &mut Plan, written: Field) -> Option<()> {
    spell(draw, plan, |_, _| (written, "{}".to_owned()))
}

fn invalid(draw: &mut Draw<'_, '_>, plan: &mut Plan, written: Node, raw: &str) -> Option<()> {
    spell(draw, plan, |_, _| (Field::Instead(written), wrapped(raw)))
}

/// Puts odd but legal members in front of the others.
fn odd(draw: &mut Draw<'_, '_>, plan: &mut Plan, members: &str) -> Option<()> {
    spell(draw, plan, |_, exact| {
        let text = exact.replacen('{', &format!("{{{members}"), 1);
        (Field::Instead(Node::from(text.as_str())), text)
    })
}
