//! What of a transcript is so plain that the whole way through would leave it as it is: that is not read into a transcript,
//! and its own bytes are the answer.
//!
//! Only the commonest shapes of the commonest dialect are known here, each member of them looked at where it stands. What is
//! not among them may be clean all the same; it goes the long way, which alone decides what is wrong. Where something is not
//! plain, of the plain messages before and behind it only roles, ids and names are read, and long runs of them become one
//! message, which stands for them. A test goes both ways with generated transcripts.

use crate::dialect::Described as _;
use std::collections::HashSet;

use super::shape::{are_parts, says};
use crate::dialect::common_chat::{self, Call};
use crate::dialect::{self, Dialect, Run, SystemField, definitions};
use crate::json::{Json, Limits, Listed, Room, Unproved, Value};
use crate::target::Target;
use crate::transcript::{Container, Message, Role, Transcript};

/// Calls of one turn that are compared with each other; a turn of more goes the long way.
const FEW: usize = 16;

/// For fewer messages than this no other one stands.
const SHORT: usize = 4;

/// Values that are taken up at once: what follows them is moved, and they are still near.
const ENOUGH: u32 = if cfg!(test) { 40 } else { 4096 };

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

impl Plain<'_> {
    /// How many messages are plain, if not all are.
    pub(super) fn messages(&self) -> usize {
        self.runs.iter().map(Run::messages).sum()
    }
}

/// What a plain message is.
enum Shape {
    /// Words, and pictures beside those of the user
    Words(Role),
    /// A turn with calls
    Calls,
    /// The result of the next call of that turn
    Result,
}

/// Finds what is plain. What it does not find may be so as well. Linear in the messages, and it looks into hardly any text.
pub(super) fn find<'a>(json: &'a Json<'a>, dialect: Dialect, target: &Target) -> Plain<'a> {
    let nothing = Plain::default();
    if !is_known(dialect, target) || json.has_lone_surrogates() {
        return nothing;
    }
    let Ok(layout) = dialect::layout(json, dialect) else { return nothing };
    let is_list = matches!(layout.container, Container::Object { .. } | Container::List { .. } | Container::Lines);
    if !is_list || layout.system.is_some() || holds_odd_tools(json, dialect) {
        return nothing;
    }
    let mut look = Look::new();
    for message in layout.messages {
        look.at(json.text(), message, message.index());
    }
    look.finish()
}

/// The same while the bytes are proved, each message when it is: its bytes are near then, and of most messages nothing needs
/// to be known later. The document, of which messages in the midst of long runs look empty, unless all of it is plain.
pub(super) fn prove<'a>(
    input: &'a [u8],
    dialect: Dialect,
    target: &Target,
    limits: Limits,
) -> Result<(Plain<'a>, Option<Json<'a>>), Unproved> {
    let (lists, system) = (dialect.list_keys(), dialect.spec().system);
    let ([list], SystemField::InList, true) = (lists, system, is_known(dialect, target)) else { return Err(Unproved) };
    let mut listed = Listed::open(input, list, limits)?;
    let mut look = Look::new();
    while let Some(message) = listed.item()? {
        let is_plain = look.at(message.text(), message.root(), listed.next());
        listed.keep(message, is_plain);
        if !is_plain {
            listed.prove_text()?;
        }
        look.fold_in(&mut listed);
    }
    look.close();
    look.fold_in(&mut listed);
    let (plain, proved) = (look.finish(), listed.close()?);
    if plain.whole && !TOOLS.iter().any(|key| proved.may_hold(key)) {
        return Ok((plain, None));
    }
    let json = proved.into_json()?;
    if holds_odd_tools(&json, dialect) {
        return Err(Unproved);
    }
    let json = (!plain.whole).then_some(json);
    Ok((plain, json))
}

/// Keys under which request bodies define tools.
const TOOLS: [&str; 2] = ["tools", "toolConfig"];

/// Returns true for a request body with tool definitions that are not spelled as the dialect spells them, or define nothing.
fn holds_odd_tools(json: &Json<'_>, dialect: Dialect) -> bool {
    let root = json.root();
    let list = definitions::list_of(root, dialect);
    definitions::are_foreign(root, dialect)
        || list.into_iter().flat_map(definitions::items).any(definitions::is_nothing)
}

/// Whether plain messages are known of what is asked.
pub(super) fn is_known(dialect: Dialect, target: &Target) -> bool {
    dialect == Dialect::OpenAiChat && std::ptr::eq(target, Target::of_dialect(dialect))
}

/// One look at all messages in order.
#[derive(Default)]
struct Look<'a> {
    plain: Plain<'a>,
    /// The ids of the last turn's calls
    called: Vec<&'a str>,
    /// How many of them were answered
    answered: usize,
    messages: usize,
    open: Open,
    /// What will stand inside a run, and is known to: its first message and how many follow each other
    settled: Option<(u32, usize)>,
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
    /// How many of its messages were settled, and the index of the next one
    settled: (usize, u32),
    /// How many of its messages stand before the last turn with calls, and before the one before that
    turns: [Option<usize>; 2],
    has_user: bool,
}

impl Open {
    /// The first message that was not settled yet, and how many from it on stand inside the run, if it goes on to `until`.
    fn inside(&self, until: usize) -> Option<(u32, usize)> {
        let (settled, next) = self.settled;
        (self.from? + SHORT <= until && settled < until).then(|| (next, until - settled))
    }
}

impl<'a> Look<'a> {
    fn new() -> Self {
        Self { plain: Plain { whole: true, ..Plain::default() }, ..Self::default() }
    }

    /// What was seen, once all was.
    fn finish(mut self) -> Plain<'a> {
        self.close();
        self.plain.whole &= self.messages > 0;
        self.plain
    }

    /// Looks at the next message, which stands in this text and has this number in its document; says whether it is plain.
    fn at(&mut self, text: &'a str, message: Value<'_>, index: u32) -> bool {
        self.messages += 1;
        let is_whole = self.answered == self.called.len();
        let Some(shape) = self.shape(text, message).filter(|shape| is_whole || matches!(shape, Shape::Result)) else {
            self.plain.whole = false;
            self.close();
            return false;
        };
        let open = &mut self.open;
        if open.messages == 0 {
            open.first = index;
        } else if open.from.is_none() && !matches!(shape, Shape::Result) {
            open.from = Some(open.messages);
            open.settled = (open.messages, index);
        }
        match shape {
            Shape::Result => self.answered += 1,
            Shape::Words(by) => open.has_user |= by == Role::User,
            Shape::Calls => {
                open.turns = [Some(open.messages), open.turns[0]];
                self.plain.ids.extend(&self.called);
            }
        }
        open.messages += 1;
        let until = match open.turns {
            [_, Some(before)] => before,
            // Whether the last turn is answered is not known yet, so it may be as if there were none.
            [Some(last), None] if open.has_user => last.saturating_sub(1),
            [None, _] if open.has_user => open.messages - 1,
            _ => 0,
        };
        self.settled = open.inside(until).or(self.settled);
        true
    }

    /// Folds messages that will stand inside a run, once they hold so many values that it is worth while.
    fn fold_in(&mut self, listed: &mut Listed<'_>) {
        let is_over = self.open.messages == 0;
        let is_enough = |(first, _): &mut (u32, usize)| is_over || listed.next() - *first >= ENOUGH;
        if let Some((first, messages)) = self.settled.take_if(is_enough) {
            listed.fold(first, messages);
            let (settled, next) = &mut self.open.settled;
            (*settled, *next) = (*settled + messages, first + messages as u32);
        }
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
        self.settled = open.inside(to).filter(|_| is_long);
        let (head, inner) = if is_long { (from, to - from) } else { (messages, 0) };
        self.plain.runs.push(Run { first: open.first, head, inner, tail: messages - head - inner });
    }

    /// What it is, if it is plain where it stands. The ids of calls are noted.
    fn shape(&mut self, text: &'a str, message: Value<'_>) -> Option<Shape> {
        let (role, content, calls, id) = common_chat::members(message)?;
        let (shape, is_plain) = match (role.raw(), calls, id) {
            (r#""tool""#, None, Some(id)) => {
                let is_next = id.word().is_some_and(|id| self.called.get(self.answered) == Some(&id));
                (Shape::Result, is_next && says(content))
            }
            (r#""user""#, None, None) if content.is_array() => (Shape::Words(Role::User), are_parts(content)),
            (role @ (r#""system""# | r#""user""# | r#""assistant""#), None, None) => {
                let by = match role {
                    r#""system""# => Role::System,
                    r#""user""# => Role::User,
                    _ => Role::Assistant,
                };
                (Shape::Words(by), says(content))
            }
            (r#""assistant""#, Some(calls), None) if self.answered == self.called.len() => {
                self.called.clear();
                self.answered = 0;
                let is_plain = (content.is_null() || says(content)) && self.are_calls(text, calls);
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
    fn are_calls(&mut self, text: &'a str, calls: Value<'_>) -> bool {
        for call in calls.items() {
            let Some(call) = Call::of(call) else { return false };
            if self.called.len() == FEW || self.called.contains(&call.id) || !self.are_arguments(call.arguments) {
                return false;
            }
            let place = call.place_of_id.span();
            self.called.push(&text[place.start + 1..place.end - 1]);
        }
        calls.is_array() && !self.called.is_empty()
    }

    /// Whether it is the JSON text of an object.
    fn are_arguments(&mut self, value: Value<'_>) -> bool {
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::convert::{From, Mode, Options, fix_by, fix_in_pieces, fix_unconditionally};
    use crate::generated::transcript;
    use crate::json::Limits;
    use crate::step::Steps;

    /// Whether all of it is plain, and how many runs of it are otherwise. Both ways give the same.
    fn plain(text: &str) -> (bool, usize) {
        let json = Json::parse(text, &Limits::default()).expect("JSON");
        let plain = find(&json, Dialect::OpenAiChat, Target::of_dialect(Dialect::OpenAiChat));
        let folded = is_proved_the_same(text, &json, &plain);
        assert!(folded || plain.runs.iter().all(|run| run.inner == 0), "what stands inside a run is not kept: {text}");
        for mode in [Mode::Request, Mode::History] {
            let options = Options { from: From::Dialect(Dialect::OpenAiChat), mode, ..Options::default() };
            let mut long = fix_by(text.as_bytes(), &options, Steps::Changed(&[])).expect("a transcript");
            assert!(!plain.whole || (long.output == text.as_bytes() && long.report.repairs.is_empty()), "{text}");
            let mut short = fix_unconditionally(text.as_bytes(), &options).expect("a transcript");
            let fixed = fix_by(text.as_bytes(), &options, Steps::All).expect("a transcript");
            let pieces = fix_in_pieces(text.as_bytes(), &options).expect("a transcript");
            assert_eq!((pieces.output.into_bytes(), &pieces.report), (fixed.output.clone(), &fixed.report), "{text}");
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

    /// Whether something was folded: what is found while a text is proved is what is found in the whole index, and the index has
    /// all that is not inside of runs.
    fn is_proved_the_same(text: &str, json: &Json<'_>, plain: &Plain<'_>) -> bool {
        let target = Target::of_dialect(Dialect::OpenAiChat);
        let proved = prove(text.as_bytes(), Dialect::OpenAiChat, target, Limits::default());
        let Ok((found, proved)) = proved else {
            let is_odd = json.has_lone_surrogates() || holds_odd_tools(json, Dialect::OpenAiChat);
            assert!(is_odd, "it can be proved: {text}");
            return true;
        };
        let Some(proved) = proved else {
            assert!(plain.whole && found == *plain, "{text}");
            return true;
        };
        assert_eq!((found.whole, &found.ids), (plain.whole, &plain.ids), "{text}");
        let parts = |run: &Run| (run.head, run.inner, run.tail);
        assert!(found.runs.iter().map(parts).eq(plain.runs.iter().map(parts)), "{text}");
        let messages =
            |json| dialect::layout(json, Dialect::OpenAiChat).expect("messages").messages.collect::<Vec<_>>();
        let (messages, others) = (messages(json), messages(&proved));
        let places = |messages: &[Value<'_>], runs: &[Run]| -> Vec<_> {
            runs.iter().map(|run| messages.iter().position(|message| message.index() == run.first)).collect()
        };
        let places = [places(&messages, &plain.runs), places(&others, &found.runs)];
        assert_eq!(places[0], places[1], "{text}");
        let inside = |at: usize| {
            let runs = found.runs.iter().zip(&places[0]);
            runs.filter_map(|(run, first)| Some((first.as_ref()? + run.head, run.inner)))
                .any(|(from, inner)| (from..from + inner).contains(&at))
        };
        assert_eq!(messages.len(), others.len(), "{text}");
        for (at, (message, other)) in messages.iter().zip(&others).enumerate() {
            assert_eq!(message.span(), other.span(), "{text}");
            let values = |value: &Value<'_>| {
                let json = value.json();
                (value.index()..)
                    .map_while(|index| ((index as usize) < json.len()).then(|| json.value(index)))
                    .take_while(|inner| inner.span().end <= value.span().end)
                    .map(|inner| {
                        (inner.span(), inner.words().is_some_and(|words| words.has_nul()), inner.members().count())
                    })
                    .collect::<Vec<_>>()
            };
            let [all, kept] = [message, other].map(values);
            assert!(if inside(at) { kept.len() == 1 } else { kept == all }, "message {at} of {text}");
        }
        proved.is_folded()
    }

    /// Words of nobody but the model, in front of a turn that is not answered: no message of the user may stand for them.
    #[test]
    fn what_is_read_by_itself_is_kept() {
        let words = [r#"{"role":"assistant","content":"well"}"#; 30].join(",");
        let calls = TURN.split_once("null,").expect("a turn").1.split_once(r#",{"role":"tool""#).expect("a result").0;
        let unanswered = format!(r#"{{"role":"assistant","content":null,{calls}"#);
        for behind in ["", r#",{"role":"user","content":"go"}"#, r#",{"role":"user","content":7}"#] {
            plain(&format!("[{words},{unanswered}{behind}]"));
        }
    }

    /// Whatever is changed in a text: nothing is proved that is no JSON, and what is proved is the same as ever.
    #[test]
    fn no_broken_text_is_proved() {
        let around = [TURN; 4].join(", ");
        let text = format!(
            " {{\"model\":\"m\",\"n\":[{{}},1.5e3], \"messages\": [{around}],\"tools\":[{{\"type\":\"a\"}}]}} "
        );
        let start = text.len() / 2 - 300;
        let places = (0..60).chain(start..start + 600).chain(text.len() - 60..text.len());
        let target = Target::of_dialect(Dialect::OpenAiChat);
        let (mut proved, mut unproved) = (0, 0);
        for (at, new) in places.flat_map(|at| b"\"\\,:[]{}n1 \x00\xff\xc3".iter().map(move |new| (at, *new))) {
            for is_more in [false, true] {
                let mut bytes = text.clone().into_bytes();
                bytes.splice(at..at + usize::from(!is_more), [new]);
                let Ok((found, _)) = prove(&bytes, Dialect::OpenAiChat, target, Limits::default()) else {
                    unproved += 1;
                    continue;
                };
                proved += 1;
                let text = std::str::from_utf8(&bytes).expect("what is proved is UTF-8");
                let json = Json::parse(text, &Limits::default()).expect("what is proved is JSON");
                let doubled = crate::json::doubled(&json, |_, _| false);
                assert!(!found.whole || doubled.is_empty(), "{text}");
                let plain = find(&json, Dialect::OpenAiChat, target);
                is_proved_the_same(text, &json, &plain);
            }
        }
        assert!(proved > 3000 && unproved > 3000, "{proved} {unproved}");
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
        use wirecanon_schemas::generate::Dialect as Generated;

        let (mut whole, mut with_runs) = (0, 0);
        for round in 0..1500 {
            let made = transcript(Generated::OpenAiChat, round, 700, 3);
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
