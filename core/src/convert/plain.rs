//! What of a transcript is so plain that the whole way through would leave it as it is: that is not read into a transcript,
//! and its own bytes are the answer.
//!
//! Only the commonest shapes of the commonest dialect are known here, each member of them looked at where it stands. What is
//! not among them may be clean all the same; it goes the long way, which alone decides what is wrong. Where something is not
//! plain, of the plain messages before and behind it only roles, ids and names are read, and long runs of them become one
//! message, which stands for them. A test goes both ways with generated transcripts.

use std::collections::HashSet;

use crate::dialect::{self, Dialect, Run};
use crate::json::{Json, Room, Value};
use crate::target::Target;
use crate::transcript::{Container, Message, Transcript};
use crate::{media, text};

/// Calls of one turn that are compared with each other; a turn of more goes the long way.
const FEW: usize = 16;

/// For fewer messages than this no other one stands.
const SHORT: usize = 4;

/// What is plain of a transcript.
#[derive(Debug, Default, PartialEq, Eq)]
pub(super) struct Plain<'a> {
    /// Reading, mending and writing all of it would find nothing to do and nothing to say
    pub(super) whole: bool,
    /// Runs of plain messages with others around them, in order
    pub(super) runs: Vec<Run>,
    /// The ids of all calls that are plain
    pub(super) ids: Vec<&'a str>,
}

/// What a plain message is.
enum Shape {
    /// Words of the user, or of anyone else
    Words { of_user: bool },
    /// A turn with calls
    Calls,
    /// The result of the next call of that turn
    Result,
}

/// Finds what is plain. What it does not find may be so as well. Linear in the messages, and it looks into hardly any text.
pub(super) fn find<'a>(json: &'a Json<'a>, dialect: Dialect, target: &Target) -> Plain<'a> {
    let nothing = Plain::default();
    if dialect != Dialect::OpenAiChat
        || !std::ptr::eq(target, Target::of_dialect(dialect))
        || json.has_lone_surrogates()
    {
        return nothing;
    }
    let Ok(layout) = dialect::layout(json, dialect) else { return nothing };
    let is_list = matches!(layout.container, Container::Object { .. } | Container::List { .. } | Container::Lines);
    if !is_list || layout.system.is_some() {
        return nothing;
    }
    let mut look = Look { plain: Plain { whole: true, ..nothing }, ..Look::default() };
    let mut messages = 0;
    for message in layout.messages {
        look.at(message);
        messages += 1;
    }
    look.close();
    look.plain.whole &= messages > 0;
    look.plain
}

/// One look at all messages in order.
#[derive(Default)]
struct Look<'a> {
    plain: Plain<'a>,
    /// The ids of the last turn's calls
    called: Vec<&'a str>,
    /// How many of them were answered
    answered: usize,
    open: Open,
    room: Room,
    buffer: String,
}

/// The run of plain messages that the last one belongs to.
#[derive(Default)]
struct Open {
    messages: usize,
    /// Index of the first
    first: u32,
    /// How many of its messages stand before the first that nothing around the run has to do with
    from: Option<usize>,
    /// How many of its messages stand before the last turn with calls, and before the one before that
    turns: [Option<usize>; 2],
    has_user: bool,
}

impl<'a> Look<'a> {
    fn at(&mut self, message: Value<'a>) {
        let is_whole = self.answered == self.called.len();
        let Some(shape) = self.shape(message).filter(|shape| is_whole || matches!(shape, Shape::Result)) else {
            self.plain.whole = false;
            return self.close();
        };
        let open = &mut self.open;
        if open.messages == 0 {
            open.first = message.index();
        } else if !matches!(shape, Shape::Result) {
            open.from.get_or_insert(open.messages);
        }
        match shape {
            Shape::Result => self.answered += 1,
            Shape::Words { of_user } => open.has_user |= of_user,
            Shape::Calls => {
                open.turns = [Some(open.messages), open.turns[0]];
                self.plain.ids.extend(&self.called);
            }
        }
        open.messages += 1;
    }

    /// Ends the run. Its first message with the results that belong to it, and its last turn with calls and what follows that,
    /// are read one by one: what stands around the run may look at its neighbours, and a result at the turn before it.
    fn close(&mut self) {
        let open = std::mem::take(&mut self.open);
        let [last, before] = open.turns;
        // A turn that is not answered as it should be is not plain.
        let (turn, messages) = match last {
            Some(last) if self.answered < self.called.len() => (before, last),
            turn => (turn, open.messages),
        };
        self.plain.whole &= messages == open.messages;
        self.called.clear();
        self.answered = 0;
        if messages == 0 {
            return;
        }
        let (from, to) = (open.from.unwrap_or(messages), turn.unwrap_or(messages - 1));
        // One message of the user stands for the others, so between two turns the user must have spoken.
        let is_long = from + SHORT <= to && (turn.is_some() || open.has_user);
        let (head, inner) = if is_long { (from, to - from) } else { (messages, 0) };
        self.plain.runs.push(Run { first: open.first, head, inner, tail: messages - head - inner });
    }

    /// What it is, if it is plain where it stands. The ids of calls are noted.
    fn shape(&mut self, message: Value<'a>) -> Option<Shape> {
        const KEYS: [&str; 4] = [r#""role""#, r#""content""#, r#""tool_calls""#, r#""tool_call_id""#];
        let [Some(role), Some(content), calls, id] = members(message, KEYS)? else { return None };
        let (shape, is_plain) = match (role.raw(), calls, id) {
            (r#""tool""#, None, Some(id)) => {
                let is_next = word(id).is_some_and(|id| self.called.get(self.answered) == Some(&id));
                (Shape::Result, is_next && says(content))
            }
            (r#""user""#, None, None) if content.is_array() => {
                (Shape::Words { of_user: true }, is_list_of_parts(content))
            }
            (role @ (r#""system""# | r#""user""# | r#""assistant""#), None, None) => {
                (Shape::Words { of_user: role == r#""user""# }, says(content))
            }
            (r#""assistant""#, Some(calls), None) if self.answered == self.called.len() => {
                self.called.clear();
                self.answered = 0;
                let is_plain = (content.is_null() || says(content)) && self.are_calls(calls);
                if !is_plain {
                    self.called.clear();
                }
                (Shape::Calls, is_plain)
            }
            _ => return None,
        };
        is_plain.then_some(shape)
    }

    /// Whether these are calls, each with an id of its own.
    fn are_calls(&mut self, calls: Value<'a>) -> bool {
        for call in calls.items() {
            let Some([Some(id), Some(kind), Some(function)]) = members(call, [r#""id""#, r#""type""#, r#""function""#])
            else {
                return false;
            };
            let Some([Some(name), Some(arguments)]) = members(function, [r#""name""#, r#""arguments""#]) else {
                return false;
            };
            let Some(id) = word(id).filter(|id| self.called.len() < FEW && !self.called.contains(id)) else {
                return false;
            };
            self.called.push(id);
            if kind.raw() != r#""function""# || word(name).is_none() || !self.are_arguments(arguments) {
                return false;
            }
        }
        calls.is_array() && !self.called.is_empty()
    }

    /// Whether it is the JSON text of an object.
    fn are_arguments(&mut self, value: Value<'a>) -> bool {
        value.raw() == r#""{}""# || value.str_in(&mut self.buffer).is_some_and(|text| self.room.is_object(text))
    }
}

/// Whether what happens to a transcript, of which runs of plain messages were not read, does not depend on them.
pub(super) fn is_independent(transcript: &Transcript<'_>) -> bool {
    if transcript.ids_of_runs.is_empty() {
        return true;
    }
    let results = transcript.messages.iter().filter_map(|message| message.result.as_ref()?.call_id.as_deref());
    let mut strays: HashSet<&str> = results.collect();
    for id in transcript.messages.iter().flat_map(Message::calls).filter_map(|call| call.id.as_deref()) {
        strays.remove(id);
    }
    // A second result for a call in a run is another thing than a result without a call.
    transcript.ids_of_runs.iter().all(|id| !strays.contains(id))
}

/// The members with these keys, as they stand in the text, if the object has no others and none twice.
fn members<'a, const N: usize>(object: Value<'a>, keys: [&str; N]) -> Option<[Option<Value<'a>>; N]> {
    if !object.is_object() {
        return None;
    }
    let mut found = [None; N];
    for (key, value) in object.members() {
        let at = keys.iter().position(|known| key.bytes() == known.as_bytes())?;
        if found[at].replace(value).is_some() {
            return None;
        }
    }
    Some(found)
}

/// Whether it is a string that says something, and nothing that this project or another one writes in place of something.
fn says(value: Value<'_>) -> bool {
    let raw = value.bytes();
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

/// Whether these are texts and pictures.
fn is_list_of_parts(content: Value<'_>) -> bool {
    let mut parts = content.items();
    content.items().next().is_some()
        && parts.all(|part| match members(part, [r#""type""#, r#""text""#, r#""image_url""#]) {
            Some([Some(kind), Some(text), None]) => kind.raw() == r#""text""# && says(text),
            Some([Some(kind), None, Some(image)]) => kind.raw() == r#""image_url""# && is_picture(image),
            _ => false,
        })
}

/// Whether it is a picture by a data URL that says what its bytes are.
fn is_picture(image: Value<'_>) -> bool {
    let Some([Some(url)]) = members(image, [r#""url""#]) else { return false };
    let data_url = url.raw().strip_prefix(r#""data:"#).and_then(|rest| rest.strip_suffix('"'));
    data_url.and_then(|rest| rest.split_once(";base64,")).is_some_and(|(kind, data)| {
        media::is_canonical(data) && media::sniff_base64(data).is_some_and(|sniffed| sniffed == kind)
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::convert::{From, Mode, Options, fix_by};
    use crate::json::Limits;
    use crate::step::Steps;

    /// Whether all of it is plain, and how many runs of it are otherwise. Both ways give the same.
    fn plain(text: &str) -> (bool, usize) {
        let json = Json::parse(text, &Limits::default()).expect("JSON");
        let plain = find(&json, Dialect::OpenAiChat, Target::of_dialect(Dialect::OpenAiChat));
        for mode in [Mode::Request, Mode::History] {
            let options = Options { from: From::Dialect(Dialect::OpenAiChat), mode, ..Options::default() };
            let mut long = fix_by(text.as_bytes(), &options, Steps::Changed(&[])).expect("a transcript");
            assert!(!plain.whole || (long.output == text.as_bytes() && long.report.repairs.is_empty()), "{text}");
            let mut short = fix_by(text.as_bytes(), &options, Steps::All).expect("a transcript");
            // The numbers of messages are other ones.
            for entry in [&mut long, &mut short].into_iter().flat_map(|fixed| &mut fixed.report.repairs) {
                entry.about = None;
            }
            let [short_text, long_text] = [&short, &long].map(|fixed| String::from_utf8_lossy(&fixed.output));
            assert_eq!(short_text, long_text, "{text}");
            assert_eq!(short.report, long.report, "{text}");
        }
        (plain.whole, plain.runs.len())
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
            assert!(plain(&text).0, "{text}");
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
            assert!(!plain(&format!("{{\"messages\":[{changed}]}}")).0, "{to}");
            // Between turns that are plain, with the same ids and with others.
            let others = TURN.replace(r#"id":"a""#, r#"id":"c""#).replace(r#"id":"b""#, r#"id":"d""#);
            let is_lone = changed.contains(r"\ud83d");
            for turn in [TURN, &others] {
                let around = [turn; 3].join(",");
                let (whole, runs) = plain(&format!("{{\"messages\":[{around},{changed},{around}]}}"));
                assert_eq!((whole, runs), (false, if is_lone { 0 } else { 2 }), "{to}");
                let (_, runs) = plain(&format!("[{changed},{around},{changed}, {turn},{turn} ,{changed}]"));
                assert!(runs > 0 || is_lone, "{to}");
            }
        }
        assert!(!plain(r#"{"messages":[]}"#).0);
    }

    /// Generated transcripts, whole and broken, between turns that are plain.
    #[test]
    fn both_ways_give_the_same() {
        use wirecanon_schemas::generate::{self, Dialect as Generated, noise};

        let (mut whole, mut with_runs) = (0, 0);
        for round in 0..1500 {
            let bytes = noise(round, 700);
            let u = &mut arbitrary::Unstructured::new(&bytes);
            let made = match round % 3 {
                0 => generate::valid(u, Generated::OpenAiChat),
                _ => generate::broken(u, Generated::OpenAiChat),
            };
            let Ok(text) = String::from_utf8(made.bytes) else { continue };
            let Ok(json) = Json::parse(&text, &Limits::default()) else { continue };
            let list = if json.root().is_array() { Some(json.root()) } else { json.root().get("messages") };
            let Some(list) = list.filter(|list| list.items().next().is_some()) else { continue };
            let messages: Vec<&str> = list.items().map(Value::raw).collect();
            let half = messages.len() / 2;
            let turns = [TURN; 2].join(",");
            let text =
                format!("[{turns},{},{turns},{},{turns}]", messages[..half].join(","), messages[half..].join(","));
            let (is_whole, runs) = plain(&text.replace("[,", "[").replace(",,", ","));
            whole += usize::from(is_whole);
            with_runs += usize::from(runs > 0);
        }
        assert!(whole > 20 && with_runs > 500, "{whole} {with_runs}");
    }
}
