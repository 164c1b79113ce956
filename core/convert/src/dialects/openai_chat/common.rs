//! Messages of Chat Completions in the shapes that nearly all have. Nothing in them has to be looked for under another name, so
//! they are read at once; all others are read by `openai_chat`, which would read these to the same.

use crate::read::call::read_arguments;
use crate::read::reader::Reader;
use wirecanon_json::Value;
use wirecanon_model::transcript::{BlockKind, ResultHead, Role, ToolCall};

/// Calls of one turn that are compared with each other.
const FEW: usize = 16;

/// What a message of a common shape has.
const KEYS: [&str; 4] = [r#""role""#, r#""content""#, r#""tool_calls""#, r#""tool_call_id""#];

/// The role and the content of a message, its calls, and the id of the call that it answers, if it has nothing else.
fn members(wire: Value<'_>) -> Option<(Value<'_>, Value<'_>, Option<Value<'_>>, Option<Value<'_>>)> {
    let [role, content, calls, id] = wire.only(KEYS)?;
    Some((role?, content?, calls, id))
}

/// Reads a message; false of one that has no such shape, of which nothing is read then.
pub(crate) fn read<'a>(cx: &mut Reader<'a, '_>, wire: Value<'a>) -> bool {
    let Some((role, content, calls, id)) = members(wire) else { return false };
    let (role, id, calls) = match (role.raw(), calls, id) {
        (r#""system""#, None, None) => (Role::System, None, Vec::new()),
        (r#""user""#, None, None) => (Role::User, None, Vec::new()),
        (r#""assistant""#, None, None) => (Role::Assistant, None, Vec::new()),
        (r#""assistant""#, Some(list), None) => match calls_in(list) {
            Some(calls) => (Role::Assistant, None, calls),
            None => return false,
        },
        (r#""tool""#, None, Some(id)) if !may_be_ours(content) => match id.word() {
            Some(id) => (Role::ToolResult, Some(id), Vec::new()),
            None => return false,
        },
        _ => return false,
    };
    let is_silent = content.is_null() && !calls.is_empty();
    // What is empty is read as what is missing.
    if !is_silent && (content.span().len() <= 2 || !content.is_string()) {
        return false;
    }
    let mut message = cx.message(role, Vec::with_capacity(calls.len() + usize::from(!is_silent)));
    if !is_silent {
        message.blocks.push(cx.block(BlockKind::Text(content.words().unwrap_or_default()), content));
    }
    for Call { item, id, name, arguments, .. } in calls {
        let arguments = read_arguments(Some(arguments));
        let call = ToolCall { id: Some(id.into()), name: Some(name.into()), arguments, unfinished: false };
        message.blocks.push(cx.block(BlockKind::ToolCall(Box::new(call)), item));
    }
    message.result = id.map(|id| Box::new(ResultHead { call_id: Some(id.into()), ..ResultHead::default() }));
    cx.finish_one(wire, message);
    true
}

/// Whether a result may open with words that this project writes.
fn may_be_ours(content: Value<'_>) -> bool {
    matches!(content.bytes().get(1), Some(b'[' | b'\\'))
}

/// A call of a function, with an id and a name.
struct Call<'a> {
    item: Value<'a>,
    id: &'a str,
    name: &'a str,
    arguments: Value<'a>,
}

impl<'a> Call<'a> {
    /// The call that this is, if it has nothing else.
    fn of(item: Value<'a>) -> Option<Self> {
        let [id, kind, function] = item.only([r#""id""#, r#""type""#, r#""function""#])?;
        let [name, arguments] = function?.only([r#""name""#, r#""arguments""#])?;
        let (id, name) = (id?.word()?, name?.word()?);
        let call = Self { item, id, name, arguments: arguments? };
        (kind?.raw() == r#""function""#).then_some(call)
    }
}

/// The calls of a list, if each has an id of its own.
fn calls_in(list: Value<'_>) -> Option<Vec<Call<'_>>> {
    let mut calls: Vec<Call<'_>> = Vec::with_capacity(list.items().take(FEW).count());
    for item in list.items() {
        let call = Call::of(item)?;
        if calls.len() == FEW || calls.iter().any(|other| other.id == call.id) {
            return None;
        }
        calls.push(call);
    }
    (!calls.is_empty()).then_some(calls)
}

#[cfg(test)]
mod tests {
    use wirecanon_generate::Dialect as Generated;

    use super::*;
    use crate::dialects::openai_chat::read as openai_chat;
    use crate::generated::transcript;
    use crate::read::container::layout;
    use wirecanon_json::{Json, Limits};
    use wirecanon_model::Dialect;
    use wirecanon_model::report::Report;

    /// Reads each message of a text by itself in both ways, which must read the same; gives how many have a common shape, and how
    /// many have not.
    fn read_in_both_ways(text: &str) -> (usize, usize) {
        let Ok(json) = Json::parse(text, &Limits::default()) else { return (0, 0) };
        let Ok(layout) = layout(&json, Dialect::OpenAiChat) else { return (0, 0) };
        let (mut common, mut others) = (0, 0);
        for wire in layout.messages.clone().filter(|wire| wire.is_object()) {
            let [mut report, mut other_report] = [Report::default(), Report::default()];
            let mut cx = Reader::new(&json, Dialect::OpenAiChat, &mut report);
            if !read(&mut cx, wire) {
                assert!(cx.messages.is_empty() && cx.last_id() == 0, "{}", wire.raw());
                others += 1;
                continue;
            }
            common += 1;
            let mut other = Reader::new(&json, Dialect::OpenAiChat, &mut other_report);
            openai_chat::read_any(&mut other, wire, &openai_chat::WIRE);
            assert_eq!(format!("{:?}", cx.messages), format!("{:?}", other.messages), "{}", wire.raw());
            assert_eq!(cx.last_id(), other.last_id(), "{}", wire.raw());
            assert_eq!(report, other_report, "{}", wire.raw());
        }
        (common, others)
    }

    #[test]
    fn what_is_common_is_read_as_all_else() {
        let (mut common, mut others) = (0, 0);
        for round in 0..2000 {
            let made = transcript(Generated::OpenAiChat, round, 700, 2);
            let Ok(text) = String::from_utf8(made.bytes) else { continue };
            let counts = read_in_both_ways(&text);
            (common, others) = (common + counts.0, others + counts.1);
        }
        assert!(common > 2000 && others > 2000, "{common} {others}");
    }

    /// What stands at the edge of a common shape.
    #[test]
    fn what_is_nearly_common_is_not_taken_for_it() {
        let call = r#"{"id":"a","type":"function","function":{"name":"look","arguments":"{}"}}"#;
        for (message, is_common) in [
            (r#"{"role":"user","content":" "}"#.to_owned(), true),
            (r#"{"content":"\u4f60","role":"assistant"}"#.to_owned(), true),
            (r#"{"role":"user","content":""}"#.to_owned(), false),
            (r#"{"role":"user","content":null}"#.to_owned(), false),
            (r#"{"role":"user","content":"a","content":"b"}"#.to_owned(), false),
            (r#"{"rol\u0065":"user","content":"a"}"#.to_owned(), false),
            (r#"{"role":"us\u0065r","content":"a"}"#.to_owned(), false),
            (r#"{"role":"model","content":"a"}"#.to_owned(), false),
            (r#"{"role":"user","content":"a","name":null}"#.to_owned(), false),
            (format!(r#"{{"role":"assistant","content":null,"tool_calls":[{call}]}}"#), true),
            (format!(r#"{{"role":"assistant","content":"a","tool_calls":[{call}]}}"#), true),
            (format!(r#"{{"role":"assistant","content":"","tool_calls":[{call}]}}"#), false),
            (format!(r#"{{"role":"assistant","content":null,"tool_calls":[{call},{call}]}}"#), false),
            (format!(r#"{{"role":"assistant","content":null,"tool_calls":{call}}}"#), false),
            (r#"{"role":"assistant","content":null,"tool_calls":[]}"#.to_owned(), false),
            (format!(r#"{{"role":"user","content":"a","tool_calls":[{call}]}}"#), false),
            (
                format!(r#"{{"role":"assistant","content":null,"tool_calls":[{}]}}"#, call.replace(r#""{}""#, "{}")),
                true,
            ),
            (format!(r#"{{"role":"assistant","content":null,"tool_calls":[{}]}}"#, call.replace(r#""{}""#, "7")), true),
            (
                format!(r#"{{"role":"assistant","content":null,"tool_calls":[{}]}}"#, call.replace("\"a\"", "\" a\"")),
                false,
            ),
            (
                format!(
                    r#"{{"role":"assistant","content":null,"tool_calls":[{}]}}"#,
                    call.replace("\"a\"", "\"a__thought__QUJD\"")
                ),
                true,
            ),
            (r#"{"role":"tool","tool_call_id":"a","content":"ok"}"#.to_owned(), true),
            (r#"{"role":"tool","tool_call_id":"a","content":"[wirecanon: tool error] no"}"#.to_owned(), false),
            (r#"{"role":"tool","tool_call_id":"a","content":"\u005bwirecanon: tool error] no"}"#.to_owned(), false),
            (r#"{"role":"tool","tool_call_id":7,"content":"ok"}"#.to_owned(), false),
            (r#"{"role":"tool","content":"ok"}"#.to_owned(), false),
        ] {
            let counts = read_in_both_ways(&format!("[{message}]"));
            assert_eq!(counts, (usize::from(is_common), usize::from(!is_common)), "{message}");
        }
    }
}
