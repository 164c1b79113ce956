//! Arguments that are no object, are wrapped too often or cut off, and fields under other names.

use super::dialects::{calls, object_arguments, own, text_arguments, with_arguments};
use super::place::{call_at, exchange, outcome_part, part};
use super::{Defect, Site, exact, instead};
use crate::Draw;
use crate::node::{COMPACT, Node, object, print, raw};
use crate::plan::{Field, Part};

const MISSING: &[&str] = &["tool-call-arguments-missing"];
const INVALID: &[&str] = &["tool-call-arguments-invalid"];
const TWICE: &[&str] = &["tool-call-arguments-encoded-twice"];
const ALIAS: &[&str] = &["field-alias"];
const CONFLICT: &[&str] = &["alias-conflict"];

pub(super) const ROWS: &[Defect] = &[
    exact("arguments-missing", MISSING, "A call has no arguments.", with_arguments, |on| empty(on, Field::Missing)),
    exact("arguments-null", MISSING, "A call's arguments are null.", calls, |on| empty(on, instead(Node::Null))),
    exact("arguments-empty", MISSING, "A call's arguments are an empty string.", calls, |on| empty(on, instead(""))),
    exact("arguments-empty-list", MISSING, "A call's arguments are an empty list.", calls, |on| {
        let list = if on.draw.pick(&[true, false]) { Node::from("[]") } else { raw("[]") };
        empty(on, instead(list))
    }),
    exact("arguments-blank", MISSING, "A call's arguments are white space.", calls, |on| {
        let blank = on.draw.pick(&[" ", "\n", "\t  "]);
        empty(on, instead(blank))
    }),
    exact("arguments-null-text", MISSING, "A call's arguments are the text null.", calls, |on| {
        empty(on, instead("null"))
    }),
    exact("arguments-number", INVALID, "A call's arguments are a number.", calls, |on| {
        let number = on.draw.pick(&["17", "0", "-1.50", "1e400"]);
        invalid(on, raw(number), number)
    }),
    exact("arguments-boolean", INVALID, "A call's arguments are true or false.", calls, |on| {
        let (value, raw) = on.draw.pick(&[(true, "true"), (false, "false")]);
        invalid(on, Node::Bool(value), raw)
    }),
    exact("arguments-list", INVALID, "A call's arguments are a list.", calls, |on| {
        let list = on.draw.pick(&["[1,2]", "[null]", "[{}]"]);
        invalid(on, raw(list), list)
    }),
    exact("arguments-list-text", INVALID, "A call's arguments are a list in a string.", calls, |on| {
        let list = on.draw.pick(&["[1, 2]", "[[]]", " [{}] "]);
        invalid(on, Node::from(list), list)
    }),
    exact("arguments-number-text", INVALID, "A call's arguments are a number in a string.", calls, |on| {
        let text = on.draw.pick(&["17", "true", "-0"]);
        invalid(on, Node::from(text), text)
    }),
    exact("arguments-not-json", INVALID, "A call's arguments are words.", calls, |on| {
        let text = on.draw.pick(&[r#"C:\bin "x""#, "ls -l", "{q: 1}", "{'q': 1}", "undefined", "}"]);
        invalid(on, Node::from(text), text)
    }),
    exact("arguments-cut-off", INVALID, "A call's arguments end too early, at any place.", calls, |on| {
        ruined(on, |draw, exact| {
            let ends: Vec<_> = exact.char_indices().map(|(at, _)| at).skip(1).collect();
            exact[..draw.pick(&ends)].to_owned()
        })
    }),
    exact("arguments-run-on", INVALID, "Something stands behind the object.", calls, |on| {
        ruined(on, |draw, exact| exact.to_owned() + draw.pick(&["}", "{}", " done", ",", "\u{0}"]))
    }),
    exact("arguments-trailing-comma", INVALID, "A comma stands in front of the last brace.", calls, |on| {
        ruined(on, |_, exact| format!("{},}}", &exact[..exact.len() - 1]))
    }),
    exact("arguments-fenced", INVALID, "A call's arguments stand in a Markdown fence.", calls, |on| {
        ruined(on, |_, exact| format!("```json\n{exact}\n```"))
    }),
    exact(
        "arguments-as-text",
        &["tool-call-arguments-not-an-object"],
        "A call's arguments are a string where an object is due.",
        object_arguments,
        |on| kept(on, |exact| exact.into()),
    ),
    exact(
        "arguments-as-object",
        &["tool-call-arguments-not-a-string"],
        "A call's arguments are an object where a string is due.",
        text_arguments,
        |on| kept(on, |exact| raw(exact)),
    ),
    exact("arguments-encoded-twice", TWICE, "A call's arguments are encoded once too often.", calls, |on| {
        kept(on, |exact| quoted(exact).into())
    }),
    exact("arguments-encoded-three-times", TWICE, "A call's arguments are encoded twice too often.", calls, |on| {
        kept(on, |exact| quoted(&quoted(exact)).into())
    }),
    exact(
        "arguments-encoded-four-times",
        INVALID,
        "A call's arguments are encoded more often than anybody does by mistake.",
        calls,
        |on| ruined(on, |_, exact| quoted(&quoted(&quoted(exact)))),
    ),
    exact(
        "arguments-cut-off-encoded-twice",
        INVALID,
        "A call's arguments end too early, and are encoded once too often.",
        calls,
        |on| ruined(on, |_, exact| quoted(&exact[..exact.len() - 1])),
    ),
    exact(
        "arguments-half-surrogate",
        &[],
        "Half of a surrogate pair stands in the arguments of a call: they keep their text.",
        text_arguments,
        |on| odd(on, r#""half":"\ud83d","#),
    ),
    exact(
        "arguments-equal-keys",
        &[],
        "A key stands twice in the arguments of a call: they keep their text.",
        text_arguments,
        |on| odd(on, r#""twice":1,"twice":2,"#),
    ),
    exact("call-type-alias", &["tool-call-alias"], "A call's type is another program's.", own, |on| {
        let kinds = "toolUse tool_use tool-use functionCall function_call tool_call tool-call";
        let kind = on.draw.pick(&kinds.split(' ').collect::<Vec<_>>());
        let (place, part) = part(on, |_, part| matches!(part, Part::Call(call) if call.alias.is_none()))?;
        call_at(on.plan, place, part)?.alias = Some((kind, "arguments"));
        Some(())
    }),
    exact("arguments-key-alias", ALIAS, "A call's arguments stand under another program's key.", own, |on| {
        let key = on.draw.pick(&["input", "args", "toolInput", "tool_input", "parameters"]);
        let (place, part) = part(on, |_, part| matches!(part, Part::Call(call) if call.alias.is_none()))?;
        call_at(on.plan, place, part)?.alias = Some(("toolCall", key));
        Some(())
    }),
    exact("arguments-under-two-names", CONFLICT, "A call has arguments under two names, and they differ.", own, |on| {
        let key = on.draw.pick(&["input", "args", "parameters"]);
        let (place, part) = part(on, |_, part| matches!(part, Part::Call(_)))?;
        call_at(on.plan, place, part)?.extra.push((key.to_owned(), object([("other", Node::Bool(true))])));
        Some(())
    }),
    exact("result-id-key-alias", ALIAS, "The id of a result stands under another program's key.", own, |on| {
        let key = on.draw.pick(&["toolUseId", "tool_use_id", "tool_call_id", "call_id", "callId"]);
        let exchange = exchange(on, 1)?;
        let place = on.draw.pick(&exchange.results);
        on.plan.messages[place].answer.as_mut()?.id_key = Some(key);
        Some(())
    }),
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
fn spell(on: &mut Site<'_, '_>, make: impl FnOnce(&mut Draw<'_, '_>, &str) -> (Field, String)) -> Option<()> {
    let (place, part) = part(on, |_, part| matches!(part, Part::Call(_)))?;
    let call = call_at(on.plan, place, part)?;
    let (token, whole) = (call.token.clone(), call.arguments.clone());
    let (written, out) = make(&mut on.draw, &whole);
    call.spelled_arguments = written;
    if out != whole {
        on.plan.forget_call(&token);
    }
    if let Part::Call(call) = outcome_part(on.plan, place, part)? {
        call.arguments = out;
    }
    Some(())
}

fn empty(on: &mut Site<'_, '_>, written: Field) -> Option<()> {
    spell(on, |_, _| (written, "{}".to_owned()))
}

fn invalid(on: &mut Site<'_, '_>, written: Node, raw: &str) -> Option<()> {
    spell(on, |_, _| (instead(written), wrapped(raw)))
}

/// Writes a text that is no object any more.
fn ruined(on: &mut Site<'_, '_>, text: impl FnOnce(&mut Draw<'_, '_>, &str) -> String) -> Option<()> {
    spell(on, |draw, exact| {
        let text = text(draw, exact);
        (instead(&text), wrapped(&text))
    })
}

/// Writes the arguments in another way, and they stay what they are.
fn kept(on: &mut Site<'_, '_>, written: impl FnOnce(&str) -> Node) -> Option<()> {
    spell(on, |_, exact| (instead(written(exact)), exact.to_owned()))
}

/// Puts odd but legal members in front of the others.
fn odd(on: &mut Site<'_, '_>, members: &str) -> Option<()> {
    spell(on, |_, exact| {
        let text = exact.replacen('{', &format!("{{{members}"), 1);
        (instead(&text), text)
    })
}
