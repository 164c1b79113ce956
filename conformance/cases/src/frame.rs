//! Frames: a conversation around the messages of a case, so that a fault elsewhere in the answer is seen.
//!
//! A frame has instructions, two tool definitions, two parallel calls of different tools with their results (one failed, one with an
//! image) before the case, and a text of the user behind it. Where the case begins with the assistant, the user says something before
//! it, and where it does not end with the assistant, the assistant says something behind it: no frame adds two turns of one speaker in
//! a row. A case is framed where the input with the frame means the frame and the case, with the same rules broken; otherwise with the
//! largest part of the frame for which that is so. A lone tool result of MCP gets a text and an image before its blocks and a text
//! behind them, or the texts alone.

use std::sync::OnceLock;

use serde_json::value::RawValue;
use serde_json::{Value as Out, json};
use wirecanon_core::json::{Json, Limits, Value, parse_lines, quote};
use wirecanon_core::observe::{Grade, compare, observe_for};
use wirecanon_core::{Dialect, Options, Target, fix};
use wirecanon_judge::case::{Case, Expect, ExpectedRepair, Form, TargetExpect, violations};
use wirecanon_judge::judge;

/// A part of the whole frame.
#[expect(clippy::struct_excessive_bools, reason = "each part is there or not")]
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Frame {
    instructions: bool,
    definitions: bool,
    calls: bool,
    error: bool,
    image: bool,
}

const WHOLE: Frame = Frame { instructions: true, definitions: true, calls: true, error: true, image: true };
const BARE: Frame = Frame { instructions: false, definitions: false, calls: false, error: false, image: false };

impl Frame {
    /// The parts of the frame, the largest first.
    pub const ALL: [Self; 10] = [
        WHOLE,
        Self { image: false, ..WHOLE },
        Self { definitions: false, ..WHOLE },
        Self { instructions: false, ..WHOLE },
        Self { definitions: false, image: false, ..WHOLE },
        Self { instructions: false, definitions: false, ..WHOLE },
        Self { instructions: false, definitions: false, image: false, ..WHOLE },
        Self { calls: true, ..BARE },
        Self { instructions: true, ..BARE },
        BARE,
    ];

    /// Returns whether the frame has calls and nothing else that a testee may be unable to convert.
    pub fn is_of_calls(self) -> bool {
        self == Self { calls: true, ..BARE }
    }

    /// Returns whether the frame has calls.
    pub fn has_calls(self) -> bool {
        self.calls
    }

    /// The messages around those of a case, as a canonical document: the last three are [`Messages::question`], [`Messages::reply`] and
    /// [`Messages::tail`]. A dialect without an error flag has no failed result.
    fn document(self, dialect: Dialect) -> Out {
        let text = |text: &str| json!([{"type": "text", "text": text}]);
        let mut messages = Vec::new();
        if self.instructions {
            messages.push(json!({"role": "system", "content": text("Answer in short sentences.")}));
        }
        messages.push(json!({"role": "user", "content": text("Open the notebook, and show the window.")}));
        if self.calls {
            messages.push(json!({"role": "assistant", "content": [
                {"type": "toolCall", "id": IDS[0], "name": "frame_open", "arguments": "{\"notebook\":\"green\",\"page\":17}"},
                {"type": "toolCall", "id": IDS[1], "name": "frame_show", "arguments": "{\"window\":\"left\"}"},
            ], "stopReason": "toolUse"}));
            let is_error = self.error && Target::of_dialect(dialect).content.error_flag;
            let first = if self.error { "the notebook is locked" } else { "the notebook is open" };
            messages.push(json!({"role": "toolResult", "toolCallId": IDS[0], "toolName": "frame_open",
                "content": text(first), "isError": is_error}));
            let mut shown = vec![json!({"type": "text", "text": "the left window shows a tree"})];
            if self.image {
                shown.push(json!({"type": "image", "data": IMAGE, "mimeType": "image/png"}));
            }
            messages.push(json!({"role": "toolResult", "toolCallId": IDS[1], "toolName": "frame_show",
                "content": shown, "isError": false}));
        }
        let reply = |said: &str| json!({"role": "assistant", "content": text(said), "stopReason": "stop"});
        messages.push(reply("I see a tree, and no page of the notebook."));
        messages.push(json!({"role": "user", "content": text("Go on with the next window.")}));
        messages.push(reply("Nothing else is in this window."));
        messages.push(json!({"role": "user", "content": text("Thanks, that is all for the green notebook.")}));
        if dialect == Dialect::GeminiContents {
            // Most programs send Gemini no ids, and a conversation has them on all calls or on none.
            let without_id = json!({dialect.name(): {"id": null}});
            for message in &mut messages {
                if message["role"] == "toolResult" {
                    message["native"] = without_id.clone();
                }
                let blocks = message["content"].as_array_mut().into_iter().flatten();
                for call in blocks.filter(|block| block["type"] == "toolCall") {
                    call["native"] = without_id.clone();
                }
            }
        }
        if dialect == Dialect::AiSdkUi {
            // Programs take two messages of one id for one message, and those of a case have ids, too.
            for (at, message) in messages.iter_mut().enumerate() {
                message["native"] = json!({dialect.name(): {"id": format!("frame-{at}")}});
            }
        }
        let mut document = json!({"messages": messages});
        if self.definitions {
            let schema = |key: &str| json!({"type": "object", "properties": {key: {"type": "string"}}});
            document["tools"] = json!([
                {"name": "frame_open", "description": "Opens a notebook", "parameters": schema("notebook")},
                {"name": "frame_show", "description": "Shows a window", "parameters": schema("window")},
            ]);
        }
        document
    }

    /// The blocks before and behind those of a lone result, as canonical blocks; `None` where another frame has the same.
    fn blocks(self) -> Option<[Vec<String>; 2]> {
        let text = |text: &str| json!({"type": "text", "text": text}).to_string();
        let mut head = vec![text("the left window shows a tree")];
        if self == WHOLE {
            head.push(json!({"type": "image", "data": IMAGE, "mimeType": "image/png"}).to_string());
        } else if !self.is_of_calls() {
            return None;
        }
        Some([head, vec![text("the right window is dark")]])
    }
}

/// The ids of the calls of the frame. Mistral accepts nine letters and digits.
const IDS: [&str; 2] = ["framecal1", "framecal2"];

const IMAGE: &str =
    "iVBORw0KGgoAAAANSUhEUgAAAAMAAAADCAYAAABWKLW/AAAAEUlEQVR42mNk+M/wn4EIwAgABQ8B/bXh+N8AAAAASUVORK5CYII=";

/// The messages of a frame, as JSON texts.
struct Messages {
    head: Vec<String>,
    /// A text of the user, for a case that begins with the assistant
    question: Option<String>,
    /// A text of the assistant, for a case that does not end with one
    reply: Option<String>,
    tail: Vec<String>,
}

impl Messages {
    /// Cuts the messages of [`Frame::document`].
    fn cut(mut messages: Vec<String>) -> Option<Self> {
        let tail = vec![messages.pop()?];
        let reply = messages.pop()?;
        let question = messages.pop()?;
        Some(Self { head: messages, question: Some(question), reply: Some(reply), tail })
    }

    /// The messages before those of a case.
    fn before(&self, turns: Turns) -> impl Iterator<Item = &str> {
        self.head.iter().chain(self.question.iter().filter(move |_| turns.opens_with_assistant)).map(String::as_str)
    }

    /// The messages behind those of a case.
    fn behind(&self, turns: Turns) -> impl Iterator<Item = &str> {
        self.reply.iter().filter(move |_| !turns.ends_with_assistant).chain(&self.tail).map(String::as_str)
    }
}

/// The first and the last speaker of a case.
#[derive(Clone, Copy)]
struct Turns {
    opens_with_assistant: bool,
    ends_with_assistant: bool,
}

impl Turns {
    /// The turns of a frame that nothing stands in.
    const OF_FRAME: Self = Self { opens_with_assistant: false, ends_with_assistant: true };

    /// Reads the turns of canonical messages.
    fn of(messages: &[String]) -> Self {
        let is_of_assistant = |message: &String| {
            Json::parse(message, &Limits::default())
                .is_ok_and(|json| json.root().get("role").is_some_and(|role| role.is_str("assistant")))
        };
        match messages {
            [] => Self::OF_FRAME,
            [first, ..] => Self {
                opens_with_assistant: is_of_assistant(first),
                ends_with_assistant: messages.last().is_some_and(is_of_assistant),
            },
        }
    }
}

/// A frame in one dialect.
struct Written {
    has_instructions: bool,
    /// The other fields of the request, as JSON texts of members
    fields: Fields,
    messages: Messages,
    /// What they read to
    canonical: Messages,
    /// The definitions of tools in canonical form
    canonical_fields: Fields,
}

fn converted(text: &str, from: Dialect, to: Dialect) -> Option<String> {
    let fixed = fix(text.as_bytes(), &Options::new().from(from).to(to)).ok()?;
    String::from_utf8(fixed.output.into_owned()).ok()
}

/// The names and the JSON texts of fields.
type Fields = Vec<(String, String)>;

/// The list of a document that a frame goes into, and the other fields.
fn parts(text: &str, keys: &[&str]) -> Option<(Vec<String>, Fields)> {
    let json = Json::parse(text, &Limits::default()).ok()?;
    let list = list_of(json.root(), keys)?;
    let mut fields = Vec::new();
    for (key, value) in json.root().members() {
        if value.index() != list.index() {
            fields.push((key.as_str()?.into_owned(), value.raw().to_owned()));
        }
    }
    Some((list.items().map(|item| item.raw().to_owned()).collect(), fields))
}

fn list_of<'a>(root: Value<'a>, keys: &[&str]) -> Option<Value<'a>> {
    if root.is_array() {
        return Some(root);
    }
    keys.iter().find_map(|key| root.get(key)).filter(|list| list.is_array())
}

/// The names of the list that a frame goes into: the messages of a conversation, or the blocks of a lone result.
fn list_keys(dialect: Dialect) -> &'static [&'static str] {
    if dialect.is_fragment() { &["content"] } else { dialect.list_keys() }
}

/// The name of that list in a canonical document that is read from a dialect.
fn canonical_key(from: Dialect) -> &'static str {
    if from.is_fragment() { "content" } else { "messages" }
}

impl Written {
    fn new(frame: Frame, dialect: Dialect) -> Option<Self> {
        if dialect.is_fragment() {
            // Texts and images of MCP are canonical blocks.
            let [head, tail] = frame.blocks()?;
            let messages = || Messages { head: head.clone(), question: None, reply: None, tail: tail.clone() };
            return Some(Self {
                has_instructions: false,
                fields: Vec::new(),
                messages: messages(),
                canonical: messages(),
                canonical_fields: Vec::new(),
            });
        }
        if frame.calls && !Target::of_dialect(dialect).content.tools {
            return None;
        }
        let document = frame.document(dialect).to_string();
        let text = converted(&document, Dialect::Canonical, dialect)?;
        let canonical = converted(&text, dialect, Dialect::Canonical)?;
        let (messages, fields) = parts(&text, list_keys(dialect))?;
        let (canonical, canonical_fields) = parts(&canonical, &[canonical_key(dialect)])?;
        Some(Self {
            has_instructions: frame.instructions,
            fields,
            messages: Messages::cut(messages)?,
            canonical: Messages::cut(canonical)?,
            canonical_fields,
        })
    }

    /// The frame of a dialect, written once.
    fn of(frame: Frame, dialect: Dialect) -> Option<&'static Self> {
        static ALL: OnceLock<Vec<OnceLock<Option<Written>>>> = OnceLock::new();
        let count = Frame::ALL.len();
        let all = ALL.get_or_init(|| (0..count * Dialect::ALL.len()).map(|_| OnceLock::new()).collect());
        let at = Frame::ALL.iter().position(|other| *other == frame)?;
        all.get(dialect as usize * count + at)?.get_or_init(|| Self::new(frame, dialect)).as_ref()
    }
}

/// An object with members and a list of messages.
fn document<'t>(key: &str, fields: &[(String, String)], messages: impl Iterator<Item = &'t str>) -> String {
    let mut text = String::from("{");
    for (name, value) in fields {
        text.push_str(&quote(name));
        text.push(':');
        text.push_str(value);
        text.push(',');
    }
    text.push_str(&quote(key));
    text.push_str(":[");
    text.push_str(&messages.collect::<Vec<_>>().join(","));
    text.push_str("]}");
    text
}

/// Inserts a frame into an input; `None` where the input is not a list of messages.
fn inserted(input: &str, dialect: Dialect, written: &Written, turns: Turns) -> Option<String> {
    let Ok(json) = Json::parse(input, &Limits::default()) else { return between_lines(input, written, turns) };
    let root = json.root();
    let list = list_of(root, list_keys(dialect))?;
    let items = || list.items().map(Value::raw);
    let leading = list.items().take_while(|item| is_system(*item)).count();
    if leading > 0 && written.has_instructions {
        return None;
    }
    let (before, behind) = (written.messages.before(turns), written.messages.behind(turns));
    let all: Vec<&str> = items().take(leading).chain(before).chain(items().skip(leading)).chain(behind).collect();
    let messages = format!("[{}]", all.join(","));
    let mut text = String::with_capacity(input.len() + messages.len());
    let mut start = 0;
    if root.is_object() {
        // The fields of the case stay. Where it has one of the frame, the frame has none there.
        start = root.span().start + 1;
        text.push_str(&input[..start]);
        for (name, value) in &written.fields {
            match root.get(name) {
                // The protocol demands it of each request, and it is no part of the frame.
                Some(_) if name == "maxTokens" => continue,
                Some(_) => return None,
                None => {}
            }
            text.push_str(&quote(name));
            text.push(':');
            text.push_str(value);
            text.push(',');
        }
    } else if !written.fields.is_empty() {
        return None;
    }
    text.push_str(&input[start..list.span().start]);
    text.push_str(&messages);
    text.push_str(&input[list.span().end..]);
    Some(text)
}

/// Puts a frame of messages around JSON Lines.
fn between_lines(input: &str, written: &Written, turns: Turns) -> Option<String> {
    let lines = parse_lines(input, &Limits::default()).ok()?;
    let has_instructions = lines.root().items().next().is_some_and(is_system);
    if !written.fields.is_empty() || has_instructions && written.has_instructions {
        return None;
    }
    let (before, behind) = (written.messages.before(turns), written.messages.behind(turns));
    let lines: Vec<&str> = before.chain([input.trim_end_matches('\n')]).chain(behind).collect();
    Some(lines.join("\n") + "\n")
}

/// Returns whether a message is one of instructions.
fn is_system(message: Value<'_>) -> bool {
    ["role", "type"]
        .iter()
        .filter_map(|key| message.get(key))
        .any(|role| role.is_str("system") || role.is_str("developer"))
}

/// Puts a case into a frame; `None` where the case cannot be framed with it.
pub fn framed(case: &Case, frame: Frame) -> Option<Case> {
    let is_lone_message = case.is_fragment() && !case.from.is_fragment();
    if is_lone_message || case.form == Form::Base64 {
        return None;
    }
    let own = case.expect.canonical.as_deref()?.get();
    let written = Written::of(frame, case.from)?;
    let (messages, mut fields) = parts(own, &[canonical_key(case.from)])?;
    fields.extend(written.canonical_fields.iter().cloned());
    let is_leading =
        |message: &&String| Json::parse(message, &Limits::default()).is_ok_and(|json| is_system(json.root()));
    let (leading, behind) = messages.split_at(messages.iter().take_while(is_leading).count());
    let turns = Turns::of(behind);
    let input = inserted(std::str::from_utf8(&case.input).ok()?, case.from, written, turns)?;
    let (before, after) = (written.canonical.before(turns), written.canonical.behind(turns));
    let (leading, behind) = (leading.iter().map(String::as_str), behind.iter().map(String::as_str));
    let messages = leading.chain(before).chain(behind).chain(after);
    let together = document(canonical_key(case.from), &fields, messages);
    let fixed = fix(input.as_bytes(), &Options::new().from(case.from).to(Dialect::Canonical)).ok()?;
    let outcome = std::str::from_utf8(&fixed.output).ok()?;
    if !is_same(&together, outcome) {
        return None;
    }
    let repairs = judge::reported(&fixed.report, true);
    if let Some(own) = &case.expect.repairs {
        let rules = |repairs: &[ExpectedRepair]| {
            let mut rules: Vec<String> = repairs.iter().map(|repair| repair.rule.clone()).collect();
            rules.sort();
            rules
        };
        if rules(own) != rules(&repairs) {
            return None;
        }
    }
    // Then the expected conversation is read from another document.
    if case.facts().is_valid && !is_valid(&input, case.from) {
        return None;
    }
    let targets = case.expect.targets.iter().filter_map(|(name, own)| {
        let may_refuse = own.may_refuse.clone()?;
        Some((name.clone(), TargetExpect { may_refuse: Some(may_refuse), ..TargetExpect::default() }))
    });
    let expect = Expect {
        canonical: RawValue::from_string(outcome.to_owned()).ok(),
        repairs: Some(repairs),
        must_keep: case.expect.must_keep.clone(),
        may_refuse: case.expect.may_refuse.clone(),
        targets: targets.collect(),
        outcomes: case.expect.outcomes.clone(),
        ..Expect::default()
    };
    let tags = case.tags.iter().filter(|tag| *tag != "identity").cloned().collect();
    Some(Case { input: input.into_bytes(), form: Form::Text, expect, tags, ..case.clone() })
}

fn is_valid(input: &str, dialect: Dialect) -> bool {
    violations(input.as_bytes(), Target::of_dialect(dialect), false).is_some_and(|broken| broken.is_empty())
}

/// The bare frame as a case: only its own messages.
pub fn bare(frame: Frame, dialect: Dialect) -> Option<Case> {
    let written = Written::of(frame, dialect)?;
    let around = |messages: &'static Messages| messages.before(Turns::OF_FRAME).chain(messages.behind(Turns::OF_FRAME));
    let input = document(list_keys(dialect).first()?, &written.fields, around(&written.messages));
    let lone = [("role".to_owned(), "\"toolResult\"".to_owned()), ("isError".to_owned(), "false".to_owned())];
    let fields = if dialect.is_fragment() { &lone[..] } else { &written.canonical_fields };
    let canonical = document(canonical_key(dialect), fields, around(&written.canonical));
    let expect = Expect { canonical: RawValue::from_string(canonical).ok(), ..Expect::default() };
    let title = "A conversation around the messages of each case.";
    Some(Case::made("frame", title, "pairing", dialect, input.into_bytes(), expect))
}

/// Returns whether two canonical documents tell a model the same.
fn is_same(one: &str, other: &str) -> bool {
    let limits = Limits::default();
    let (Ok(one), Ok(other)) = (Json::parse(one, &limits), Json::parse(other, &limits)) else { return false };
    let canonical = Dialect::Canonical;
    let (Ok(one), Ok(other)) = (observe_for(&one, canonical, canonical), observe_for(&other, canonical, canonical))
    else {
        return false;
    };
    let comparison = compare(&one, &other, Target::of_dialect(canonical));
    comparison.differences.iter().all(|difference| difference.reason.grade() == Grade::Setting)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::corpus;

    #[test]
    fn messages_of_a_frame_have_ids_of_their_own() {
        let cases = corpus::load().expect("the corpus");
        let of_ui = cases.iter().filter(|case| case.from == Dialect::AiSdkUi && case.retired.is_none());
        let mut framed_cases = 0;
        for case in of_ui.filter_map(|case| framed(case, BARE)) {
            let Ok(json) = serde_json::from_slice::<Out>(&case.input) else { continue };
            let messages = json["messages"].as_array().or(json.as_array()).expect("messages");
            let ids: Vec<&str> = messages.iter().filter_map(|message| message["id"].as_str()).collect();
            let own: Vec<_> = ids.iter().filter(|id| id.starts_with("frame-")).collect();
            let different: std::collections::BTreeSet<_> = own.iter().collect();
            assert!(own.len() >= 3 && different.len() == own.len(), "{}: {ids:?}", case.id);
            framed_cases += 1;
        }
        assert!(framed_cases > 0);
    }

    #[test]
    fn most_cases_are_framed_whole() {
        let cases = corpus::load().expect("the corpus");
        let cases: Vec<&Case> = cases.iter().filter(|case| case.retired.is_none()).collect();
        let (mut whole, mut any) = (0, 0);
        for case in &cases {
            let first = Frame::ALL.iter().position(|frame| framed(case, *frame).is_some());
            whole += usize::from(first == Some(0));
            any += usize::from(first.is_some());
        }
        // The others have an outcome that nothing stands beside, such as an empty result, or are a message alone.
        assert!(
            whole * 10 > cases.len() * 8 && any * 10 > cases.len() * 9,
            "{whole} whole and {any} of {}",
            cases.len()
        );
    }

    #[test]
    fn a_lone_result_is_framed_within_and_lines_around() {
        let cases = corpus::load().expect("the corpus");
        let framed_input = |case: &Case, frame| framed(case, frame).map(|case| String::from_utf8(case.input).unwrap());
        let result = cases.iter().find(|case| case.from.is_fragment() && framed(case, WHOLE).is_some());
        let text = framed_input(result.expect("a lone result"), WHOLE).expect("a frame");
        let places = ["left window", IMAGE, "right window"].map(|part| text.find(part).expect(part));
        assert!(places.is_sorted(), "{text}");
        let is_lines = |case: &&Case| {
            std::str::from_utf8(&case.input).is_ok_and(|text| Json::parse(text, &Limits::default()).is_err())
        };
        let lines = cases.iter().filter(is_lines).find_map(|case| framed_input(case, Frame { calls: true, ..BARE }));
        let lines = lines.expect("JSON Lines");
        assert!(lines.lines().count() > 6 && lines.lines().all(|line| line.starts_with('{')), "{lines}");
    }

    #[test]
    fn a_frame_adds_no_two_turns_of_one_speaker_in_a_row() {
        let cases = corpus::load().expect("the corpus");
        let of_claude = cases.iter().filter(|case| case.from == Dialect::AnthropicMessages && case.retired.is_none());
        let (mut asked, mut answered) = (0, 0);
        for (case, framed) in of_claude.filter_map(|case| Some((case, framed(case, WHOLE)?))) {
            let roles = |input: &[u8]| -> Vec<String> {
                let json: Out = serde_json::from_slice(input).unwrap_or_default();
                let messages = json["messages"].as_array().or(json.as_array()).cloned().unwrap_or_default();
                messages.iter().filter_map(|message| Some(message["role"].as_str()?.to_owned())).collect()
            };
            let (own, whole) = (roles(&case.input), roles(&framed.input));
            // What the case itself has in a row stays.
            let in_a_row = |roles: &[String]| roles.windows(2).filter(|pair| pair[0] == pair[1]).count();
            let is_repaired = case.expect.repairs.as_ref().is_some_and(|repairs| !repairs.is_empty());
            assert!(is_repaired || in_a_row(&whole) == in_a_row(&own), "{}: {whole:?}", case.id);
            let text = String::from_utf8_lossy(&framed.input);
            asked += usize::from(text.contains("Go on with the next window."));
            answered += usize::from(text.contains("Nothing else is in this window."));
        }
        assert!(asked > 0 && answered > 0, "{asked} {answered}");
    }
}
