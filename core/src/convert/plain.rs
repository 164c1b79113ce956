//! Whether a transcript is so plain that the whole way through would change nothing: then nothing is read into a transcript,
//! and its own bytes are the answer.
//!
//! Only the commonest shapes of the commonest dialect are known here, each member of them looked at where it stands. What is
//! not among them may be clean all the same; it goes the long way, which alone decides what is wrong. A test goes both ways
//! with generated transcripts.

use crate::dialect::{self, Dialect};
use crate::json::{Json, Limits, Value};
use crate::target::Target;
use crate::transcript::Container;
use crate::{media, text};

/// Calls of one turn that are compared with each other; a turn of more goes the long way.
const FEW: usize = 16;

/// Whether reading, mending and writing this text would find nothing to do and nothing to say. False says nothing.
pub(super) fn is_plain(json: &Json<'_>, dialect: Dialect, target: &Target) -> bool {
    if dialect != Dialect::OpenAiChat
        || !std::ptr::eq(target, Target::of_dialect(dialect))
        || json.has_lone_surrogates()
    {
        return false;
    }
    let Ok(layout) = dialect::layout(json, dialect) else { return false };
    let is_list = matches!(layout.container, Container::Object { .. } | Container::List { .. } | Container::Lines);
    if !is_list || layout.system.is_some() || layout.messages.clone().next().is_none() {
        return false;
    }
    // The ids of the last turn's calls, and how many of them were answered.
    let (mut called, mut answered): (Vec<&str>, usize) = (Vec::new(), 0);
    for message in layout.messages {
        let keys = ["role", "content", "tool_calls", "tool_call_id"];
        let Some([Some(role), Some(content), calls, id]) = members(message, keys) else { return false };
        let is_plain = match (role.raw(), calls, id) {
            (r#""tool""#, None, Some(id)) => {
                answered += 1;
                word(id).is_some_and(|id| called.get(answered - 1) == Some(&id)) && says(content)
            }
            _ if answered < called.len() => false,
            (role, calls, None) => {
                called.clear();
                answered = 0;
                match (role, calls) {
                    (r#""user""#, None) if content.is_array() => is_list_of_parts(content),
                    (r#""system""# | r#""user""# | r#""assistant""#, None) => says(content),
                    (r#""assistant""#, Some(calls)) => {
                        (content.is_null() || says(content)) && are_calls(calls, &mut called)
                    }
                    _ => false,
                }
            }
            _ => false,
        };
        if !is_plain {
            return false;
        }
    }
    answered == called.len()
}

/// The members with these keys, if the object has no others and none twice.
fn members<'a, const N: usize>(object: Value<'a>, keys: [&str; N]) -> Option<[Option<Value<'a>>; N]> {
    if !object.is_object() {
        return None;
    }
    let mut found = [None; N];
    for (key, value) in object.members() {
        let at = keys.iter().position(|known| key.is_str(known))?;
        if found[at].replace(value).is_some() {
            return None;
        }
    }
    Some(found)
}

/// Whether it is a string that says something, and nothing that this project or another one writes in place of something.
fn says(value: Value<'_>) -> bool {
    let raw = value.raw().as_bytes();
    let indent = raw.iter().skip(1).take_while(|byte| **byte == b' ').count();
    // Nearly all show their first character.
    match raw.get(1 + indent) {
        Some(b'"' | b'\\') => {}
        Some(b'[') if indent == 0 => {}
        Some(b'!'..=b'~') if raw[0] == b'"' => return true,
        _ => {}
    }
    value.as_str().is_some_and(|words| {
        !words.trim().is_empty() && !words.starts_with(OURS) && !text::SYNTHETIC_OF_OTHERS.contains(&&*words)
    })
}

/// How all texts open that this project writes.
const OURS: &str = "[wirecanon";

/// An id or a name: a string without escapes, and without white space around it.
fn word(value: Value<'_>) -> Option<&str> {
    let word = value.raw().strip_prefix('"')?.strip_suffix('"')?;
    let (first, last) = (word.as_bytes().first()?, word.as_bytes().last()?);
    (first.is_ascii_graphic() && last.is_ascii_graphic() && !word.contains('\\')).then_some(word)
}

/// Whether these are calls, each with an id of its own.
fn are_calls<'a>(calls: Value<'a>, called: &mut Vec<&'a str>) -> bool {
    for call in calls.items() {
        let Some([Some(id), Some(kind), Some(function)]) = members(call, ["id", "type", "function"]) else {
            return false;
        };
        let Some([Some(name), Some(arguments)]) = members(function, ["name", "arguments"]) else { return false };
        let Some(id) = word(id).filter(|id| called.len() < FEW && !called.contains(id)) else { return false };
        called.push(id);
        if kind.raw() != r#""function""# || word(name).is_none() || !are_arguments(arguments) {
            return false;
        }
    }
    calls.is_array() && !called.is_empty()
}

/// Whether it is the JSON text of an object.
fn are_arguments(value: Value<'_>) -> bool {
    value.raw() == r#""{}""#
        || value
            .as_str()
            .is_some_and(|text| Json::parse(&text, &Limits::default()).is_ok_and(|json| json.root().is_object()))
}

/// Whether these are texts and pictures.
fn is_list_of_parts(content: Value<'_>) -> bool {
    let mut parts = content.items();
    content.items().next().is_some()
        && parts.all(|part| match members(part, ["type", "text", "image_url"]) {
            Some([Some(kind), Some(text), None]) => kind.raw() == r#""text""# && says(text),
            Some([Some(kind), None, Some(image)]) => kind.raw() == r#""image_url""# && is_picture(image),
            _ => false,
        })
}

/// Whether it is a picture by a data URL that says what its bytes are.
fn is_picture(image: Value<'_>) -> bool {
    let Some([Some(url)]) = members(image, ["url"]) else { return false };
    let data_url = url.raw().strip_prefix(r#""data:"#).and_then(|rest| rest.strip_suffix('"'));
    data_url.and_then(|rest| rest.split_once(";base64,")).is_some_and(|(kind, data)| {
        media::is_canonical(data) && media::sniff_base64(data).is_some_and(|sniffed| sniffed == kind)
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::convert::{From, Mode, Options, fix_by};
    use crate::step::Steps;

    fn plain(text: &str) -> bool {
        let json = Json::parse(text, &Limits::default()).expect("JSON");
        let is_plain = is_plain(&json, Dialect::OpenAiChat, Target::of_dialect(Dialect::OpenAiChat));
        for mode in [Mode::Request, Mode::History] {
            let options = Options { from: From::Dialect(Dialect::OpenAiChat), mode, ..Options::default() };
            let long = fix_by(text.as_bytes(), &options, Steps::Changed(&[])).expect("a transcript");
            assert!(!is_plain || (long.output == text.as_bytes() && long.report.repairs.is_empty()), "{text}");
            let short = fix_by(text.as_bytes(), &options, Steps::All).expect("a transcript");
            assert_eq!((short.output, short.report), (long.output, long.report), "{text}");
        }
        is_plain
    }

    const TURN: &str = r#"{"role":"user","content":"go"},{"role":"assistant","content":null,"tool_calls":[{"id":"a","type":"function","function":{"name":"look","arguments":"{\"a\":1}"}},{"id":"b","type":"function","function":{"name":"look","arguments":"{}"}}]},{"role":"tool","tool_call_id":"a","content":"[1, 2]"},{"role":"tool","tool_call_id":"b","content":"\u4f60 ok"},{"role":"assistant","content":" well"}"#;
    const PICTURE: &str =
        "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==";

    #[test]
    fn common_shapes_are_plain() {
        for text in [
            format!("{{\"messages\":[{TURN}]}}"),
            format!(" {{ \"model\" : \"m\", \"messages\" : [ {TURN} , {TURN} ] , \"tools\":[] }}\n"),
            format!("[{{\"role\":\"system\",\"content\":\"be kind\"}},{TURN}]"),
            format!(
                r#"[{{"role":"user","content":[{{"type":"text","text":"look"}},{{"type":"image_url","image_url":{{"url":"data:image/png;base64,{PICTURE}"}}}}]}}]"#
            ),
        ] {
            assert!(plain(&text), "{text}");
        }
    }

    /// Each change makes it another thing, whether it is clean or not: both ways must agree on what comes out.
    #[test]
    fn what_is_not_plain_is_not_taken_for_it() {
        for (from, to) in [
            (r#""content":"go""#, r#""content":" ""#),
            (r#""content":"go""#, r#""content":"\u3000""#),
            (r#""content":"go""#, r#""content":"""#),
            (r#""content":"go""#, r#""content":null"#),
            (r#""content":"go""#, r#""content":[]"#),
            (r#""content":"go""#, r#""content":"go","name":"me""#),
            (r#""content":"go""#, r#""content":"go","content":"on""#),
            (r#""content":"go""#, r#""content":"\ud83d""#),
            (r#""content":"go""#, r#""content":[{"type":"text","text":""},{"type":"text","text":"a"}]"#),
            (r#""role":"user""#, r#""role":"model""#),
            (r#""role":"user""#, r#""role":7"#),
            (r#""id":"a""#, r#""id":" a""#),
            (r#""id":"a""#, r#""id":"b""#),
            (r#""id":"a""#, r#""id":"c""#),
            (r#""id":"a""#, r#""id":"""#),
            (r#""id":"a","#, ""),
            (r#""type":"function","#, ""),
            (r#""name":"look""#, r#""name":"look ""#),
            (r#""arguments":"{}""#, r#""arguments":{}"#),
            (r#""arguments":"{}""#, r#""arguments":"[]""#),
            (r#""arguments":"{}""#, r#""arguments":"\"{}\"""#),
            (r#""arguments":"{}""#, r#""arguments":"""#),
            (r#""tool_call_id":"a""#, r#""tool_call_id":"b""#),
            (r#""tool_call_id":"a""#, r#""tool_call_id":"c""#),
            (r#""tool_call_id":"a","#, ""),
            (r#""content":"[1, 2]""#, r#""content":"[wirecanon: tool error] no""#),
            (r#""content":"[1, 2]""#, r#""content":"[wirecanon: no result was recorded for this tool call]""#),
            (r#""content":"[1, 2]""#, r#""content":"""#),
            (r#""content":"[1, 2]""#, r#""content":"a","is_error":true"#),
            (r#"{"role":"tool","tool_call_id":"b","content":"\u4f60 ok"},"#, ""),
            (r#"{"role":"user","content":"go"},"#, r#"{"role":"tool","tool_call_id":"a","content":"x"},"#),
        ] {
            let changed = TURN.replacen(from, to, 1);
            assert_ne!(changed, TURN, "{from}");
            assert!(!plain(&format!("{{\"messages\":[{changed}]}}")), "{to}");
        }
        assert!(!plain(r#"{"messages":[]}"#));
    }
}
