//! A long transcript, written section by section.
//!
//! Of a long text as a whole, reading, mending and writing each ask memory for what the one before had near, and an index and a
//! transcript of all of it are as large as a half of it. So it is cut where the user speaks behind words of the model, and each section
//! goes the whole way as a document of its own, of which only the list is kept. That counts where the sections are apart: no call or
//! result of one has an id that another one knows, nothing in them is counted over the whole, and the words at their ends stay there. All
//! else goes the long way at once. A test goes both ways, to every target.

use std::collections::HashMap;
use std::collections::hash_map::{Entry as Place, RandomState};
use std::hash::BuildHasher;
use std::ops::Range;

use super::plain::Plain;
use super::{From, How, Mode, Options, asked, is_changed, mend, name_ends, parse, readable, with_each_key_once};
use crate::dialect::{self, Dialect, SystemField};
use crate::json::{Json, Limits, Listed, Unproved, Value};
use crate::report::Report;
use crate::target::Target;
use crate::transcript::{BlockKind, Container, Message, Role, Transcript};
use crate::write::{self, Items, Written};

/// Bytes of a section: what is made of it should still be near when it is asked for.
const SECTION: usize = if cfg!(test) { 400 } else { 1 << 17 };

/// What is shorter stays near as a whole.
const LEAST: usize = if cfg!(test) { 2 * SECTION } else { 1 << 24 };

/// Where a list of messages can be cut.
#[derive(Debug, Default)]
pub(super) struct Sections {
    /// From the first message to the last
    messages: Range<usize>,
    count: usize,
    cuts: Vec<Cut>,
    /// Who said the last message, if it seems to be nothing but words
    by: Option<Role>,
}

/// Where one section ends and the next begins.
#[derive(Clone, Debug)]
struct Cut {
    /// What stands between two messages
    gap: Range<usize>,
    /// How many messages stand before it
    behind: usize,
}

/// Some of the messages, one behind the other.
struct Part {
    /// What stands between them and those before
    gap: Range<usize>,
    messages: Range<usize>,
    count: usize,
    /// How many stand before them
    behind: usize,
    is_last: bool,
}

impl Sections {
    /// Those of a text that is proved here and not kept.
    pub(super) fn prove(input: &[u8], dialect: Dialect, limits: Limits) -> Result<Self, Unproved> {
        let ([list], SystemField::InList) = (dialect.spec().lists, dialect.spec().system) else { return Err(Unproved) };
        let mut listed = Listed::open(input, list, limits)?;
        let mut sections = Self::default();
        while let Some(message) = listed.item()? {
            sections.note(listed.place(&message), message.root());
            listed.drop(message);
        }
        listed.close()?;
        Ok(sections)
    }

    /// Those of a text that is proved. None where its messages are in no list, or more than them is said.
    pub(super) fn of(json: &Json<'_>, dialect: Dialect) -> Self {
        let mut sections = Self::default();
        if let Ok(layout) = dialect::layout(json, dialect)
            && matches!(layout.container, Container::Object { .. } | Container::List { .. })
            && layout.system.is_none()
            && !json.has_lone_surrogates()
        {
            for message in layout.messages {
                sections.note(message.span(), message);
            }
        }
        sections
    }

    /// How many messages there are.
    pub(super) fn count(&self) -> usize {
        self.count
    }

    /// Notes the next message, and where it stands.
    fn note(&mut self, at: Range<usize>, message: Value<'_>) {
        let by = speaker(message);
        let since = self.cuts.last().map_or(self.messages.start, |cut| cut.gap.end);
        if (self.by, by) == (Some(Role::Assistant), Some(Role::User)) && self.messages.end - since >= SECTION {
            self.cuts.push(Cut { gap: self.messages.end..at.start, behind: self.count });
        }
        if self.count == 0 {
            self.messages.start = at.start;
        }
        self.messages.end = at.end;
        self.count += 1;
        self.by = by;
    }

    /// Each section, of at least so many bytes but the last.
    fn parts(&self, least: usize) -> Vec<Part> {
        let mut parts = Vec::new();
        let mut since = Cut { gap: self.messages.start..self.messages.start, behind: 0 };
        let end = Cut { gap: self.messages.end..self.messages.end, behind: self.count };
        for (cut, is_last) in self.cuts.iter().map(|cut| (cut, false)).chain([(&end, true)]) {
            if is_last || cut.gap.start - since.gap.end >= least {
                let Cut { gap, behind } = std::mem::replace(&mut since, cut.clone());
                let messages = gap.end..cut.gap.start;
                parts.push(Part { gap, messages, count: cut.behind - behind, behind, is_last });
            }
        }
        parts
    }
}

/// Who seems to say a message, and nothing but words. Only who reads it knows.
fn speaker(message: Value<'_>) -> Option<Role> {
    let role = message.get("role")?;
    if role.is_str("user") {
        return Some(Role::User);
    }
    let is_turn = role.is_str("assistant") || role.is_str("model");
    (is_turn && message.get("tool_calls").is_none()).then_some(Role::Assistant)
}

/// Whether it is known of a text of this length that it could be cut.
pub(super) fn may_be_cut(length: usize, dialect: Dialect, target: &Target) -> bool {
    // Servers of its own dialect may ask of each turn what another one has (DeepSeek: reasoning, where a turn before has calls).
    let is_known = target.dialect != dialect || std::ptr::eq(target, Target::of_dialect(dialect));
    length > LEAST
        && dialect == Dialect::OpenAiChat
        && is_known
        && !target.dialect.is_fragment()
        && !write::are_numbered(target.dialect)
}

/// Writes a text by its sections; `None` where they are not apart. What it says quotes the text.
pub(super) fn write(
    text: &str,
    sections: &Sections,
    dialect: Dialect,
    options: &Options<'_>,
    target: &Target,
) -> Option<(Written, Report<'static>)> {
    let (in_front, behind) = (&text[..sections.messages.start], &text[sections.messages.end..]);
    // All that stands around the list is gone through with each of them.
    let parts = sections.parts(SECTION.max(4 * (in_front.len() + behind.len())));
    if parts.len() < 2 {
        return None;
    }
    // Each is a history to all that follows.
    let options = Options { from: From::Dialect(dialect), to: Some(target), ..options.clone() };
    let history = Options { mode: Mode::History, ..options.clone() };
    let read_from = if in_front.trim_start().starts_with('{') { "/messages" } else { "" };
    let mut apart = Apart::of(target);
    let mut whole =
        String::with_capacity(text.len() + if dialect == target.dialect { text.len() / 8 } else { text.len() / 2 });
    let mut document = String::new();
    let mut first: Option<(Told, Items, String)> = None;
    for part in &parts {
        document.clear();
        document.extend([in_front, &text[part.messages.clone()], behind]);
        let mut own = Report::default();
        let made =
            section(&document, part, dialect, if part.is_last { &options } else { &history }, &mut apart, &mut own)?;
        let all = part.messages.start - in_front.len();
        for entry in own.all_mut() {
            entry.quote_elsewhere(|start| match start as usize {
                start if start < in_front.len() => start as u32,
                start if start < in_front.len() + part.messages.len() => (start + all) as u32,
                start => (start + text.len() - document.len()) as u32,
            });
        }
        // What was not written is as it was read.
        let (made, list) = match &made {
            Some(Written { text, list, .. }) => (text, list.clone()?),
            None => {
                let span = in_front.len()..in_front.len() + part.messages.len();
                (&document, Items { span, as_read: true, list: read_from.to_owned(), count: part.count })
            }
        };
        match &mut first {
            None => {
                whole.push_str(&made[..list.span.end]);
                let mut told = Told { read: read_from, written: list.list.clone(), ..Told::default() };
                told.add(part, &list, own)?;
                first = Some((told, list.clone(), made[list.span.end..].to_owned()));
            }
            Some((told, of_first, _)) => {
                told.add(part, &list, own)?;
                whole.push_str(if of_first.as_read { &text[part.gap.clone()] } else { "," });
                whole.push_str(&made[list.span]);
            }
        }
    }
    let (told, _, tail) = first?;
    whole.push_str(&tail);
    let mut report = told.said()?;
    report.changed = is_changed(&report, dialect, target);
    Some((Written::whole(whole), report))
}

/// One section as a document of its own, if it is apart from all before; nothing in it where that is the text itself.
#[expect(clippy::option_option, reason = "nothing to write, or no answer")]
fn section(
    document: &str,
    part: &Part,
    dialect: Dialect,
    options: &Options<'_>,
    apart: &mut Apart,
    own: &mut Report<'static>,
) -> Option<Option<Written>> {
    let target = options.to?;
    let json = parse(document, options).ok()?;
    let is_respelled = with_each_key_once(&json, own).is_some()
        || readable(&json, dialect, &Plain::default(), options, target, own).ok()?.is_some();
    if is_respelled {
        return None;
    }
    let asked = asked(target, options, How::WHOLE);
    name_ends(own, dialect, target);
    let mut transcript = dialect::read_by(&json, dialect, asked.steps, &[], own).ok()?;
    apart.add(&transcript)?;
    let mut wires = dialect::layout(&json, dialect).ok()?.messages.map(Value::index);
    let ends = [wires.next()?, wires.last()?];
    mend(&mut transcript, &json, &asked, own);
    let sources = [transcript.messages.first()?.source?, transcript.messages.last()?.source?];
    let (is_first, is_last) = (part.behind == 0, part.is_last);
    let are_kept = (is_first || sources[0] == ends[0]) && (is_last || sources[1] == ends[1]);
    let written = write::write(&mut transcript, &json, &asked, own).ok()?;
    let [first, last] = [transcript.messages.first()?, transcript.messages.last()?];
    let opens = is_first || first.role == Role::User && !first.blocks.is_empty();
    let closes = is_last || last.role == Role::Assistant && !last.blocks.is_empty() && last.calls().next().is_none();
    (are_kept && opens && closes).then_some(written)
}

/// What sections know that others must not.
struct Apart {
    hasher: RandomState,
    /// The section that knows an id, by a number of the id: two ids of one number are taken for one
    ids: HashMap<u64, u32>,
    sections: u32,
    /// How many more pictures may come before the target counts them
    pictures: usize,
}

impl Apart {
    fn of(target: &Target) -> Self {
        let counted = [target.media.max_media, target.media.many].into_iter().flatten().min();
        let pictures = counted.unwrap_or(usize::MAX);
        Self { hasher: RandomState::new(), ids: HashMap::new(), sections: 0, pictures }
    }

    /// Adds what the next section was read to; `None` where it is not apart from those before, or that is not known.
    fn add(&mut self, transcript: &Transcript<'_>) -> Option<()> {
        let is_first = self.sections == 0;
        self.sections += 1;
        // Whether a request may open so is asked where it ends as well.
        let opens = transcript.messages.iter().find(|message| message.role != Role::System)?;
        if opens.role != Role::User {
            return None;
        }
        transcript.messages.iter().all(|message| self.is_apart(message, is_first)).then_some(())
    }

    fn is_apart(&mut self, message: &Message<'_>, is_first: bool) -> bool {
        // Instructions may go in front of all.
        if message.native.is_some() || message.role == Role::System && !is_first {
            return false;
        }
        let answers =
            message.result.as_ref().is_none_or(|head| head.call_id.as_deref().is_some_and(|id| self.owns(id)));
        answers
            && message.blocks.iter().all(|block| {
                let is_known = match &block.kind {
                    BlockKind::Text(_) => true,
                    BlockKind::ToolCall(call) => call.id.as_deref().is_some_and(|id| self.owns(id)),
                    BlockKind::Image(_) => {
                        let is_left = self.pictures > 0;
                        self.pictures = self.pictures.saturating_sub(1);
                        is_left
                    }
                    _ => false,
                };
                is_known && block.native.is_none()
            })
    }

    /// Whether no section before knows this id.
    fn owns(&mut self, id: &str) -> bool {
        match self.ids.entry(self.hasher.hash_one(id)) {
            Place::Occupied(known) => *known.get() == self.sections,
            Place::Vacant(free) => {
                free.insert(self.sections);
                true
            }
        }
    }
}

/// What sections say, one behind the other.
#[derive(Default)]
struct Told<'l> {
    /// JSON Pointers to the list of messages where it was read, and where it is written
    read: &'l str,
    written: String,
    /// How many messages were written
    count: usize,
    /// What each section says of what stands around the messages
    around: Option<Report<'static>>,
    /// What they say of their messages
    of_messages: Report<'static>,
}

impl Told<'_> {
    /// Adds what the next section says, whose messages were written to `list`. `None` where it says other things of what stands around
    /// them.
    fn add(&mut self, part: &Part, list: &Items, own: Report<'static>) -> Option<()> {
        // A new id or name may be another one where all are known.
        if !own.ids.is_empty() || !own.names.is_empty() {
            return None;
        }
        let read = Further { lists: [self.read; 2], before: part.behind };
        let written = Further { lists: [&list.list, &self.written], before: self.count };
        self.count += list.count;
        let mut around = Report { from: own.from, to: own.to, ..Report::default() };
        for mut entry in own.repairs.into_iter().chain(own.notes) {
            let mut is_of_messages = false;
            for (place, in_whole) in [(&mut entry.input, &read), (&mut entry.output, &written)] {
                let moved = place.as_deref().and_then(|place| in_whole.place(place));
                is_of_messages |= moved.is_some();
                *place = moved.or(place.take());
            }
            if is_of_messages { self.of_messages.add(entry) } else { around.add(entry) }
        }
        let is_same = self.around.as_ref().is_none_or(|known| *known == around);
        self.around.get_or_insert(around);
        is_same.then_some(())
    }

    fn said(self) -> Option<Report<'static>> {
        let mut report = self.around?;
        report.repairs.extend(self.of_messages.repairs);
        report.notes.extend(self.of_messages.notes);
        Some(report)
    }
}

/// Where the messages of a section stand in the whole.
struct Further<'l> {
    /// The list in its own document, and in the whole
    lists: [&'l str; 2],
    /// How many messages stand before them in the whole
    before: usize,
}

impl Further<'_> {
    /// A place of its own document in the whole; `None` where it is in no message.
    fn place(&self, own: &str) -> Option<Box<str>> {
        let in_list = own.strip_prefix(self.lists[0])?.strip_prefix('/')?;
        let (number, within) = in_list.split_at(in_list.find('/').unwrap_or(in_list.len()));
        let number: usize = number.parse().ok()?;
        Some(format!("{}/{}{within}", self.lists[1], number + self.before).into())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::convert::{fix, fix_by};
    use crate::report::Entry;
    use crate::step::Steps;

    /// What a report says, in one order, whatever numbers messages have.
    fn said(report: &Report<'_>) -> (String, String, bool, Vec<Entry<'static>>, usize) {
        let mut entries: Vec<_> = report.entries().cloned().map(Entry::into_owned).collect();
        for entry in &mut entries {
            entry.about = None;
        }
        entries.sort_by_cached_key(|entry| format!("{entry:?}"));
        (report.from.clone(), report.to.clone(), report.changed, entries, report.ids.len() + report.names.len())
    }

    fn assert_same(short: (&[u8], &Report<'_>), long: (&[u8], &Report<'_>), what: &str) {
        let [short_text, long_text] = [short.0, long.0].map(String::from_utf8_lossy);
        assert_eq!(short_text, long_text, "{what}");
        let (short, long) = (said(short.1), said(long.1));
        let only = |these: &[Entry<'static>], others: &[Entry<'static>]| -> Vec<String> {
            these.iter().filter(|entry| !others.contains(entry)).map(|entry| format!("{entry:?}")).collect()
        };
        assert_eq!(only(&short.3, &long.3), only(&long.3, &short.3), "{what}");
        assert_eq!(short, long, "{what}");
    }

    /// The names of the targets to which it is written in sections; all ways give the same to all.
    fn written_in_sections(text: &str) -> Vec<&'static str> {
        let mut targets = Vec::new();
        let dialect = Dialect::OpenAiChat;
        for target in Target::all().iter().filter(|target| !target.dialect.is_fragment()) {
            let what = format!("{}: {text}", target.name);
            for mode in [Mode::Request, Mode::History] {
                let options = Options { from: From::Dialect(dialect), to: Some(target), mode, ..Options::default() };
                let long = fix_by(text.as_bytes(), &options, Steps::Changed(&[])).expect("a transcript");
                let short = fix(text.as_bytes(), &options).expect("a transcript");
                assert_same((&short.output, &short.report), (&long.output, &long.report), &what);
                let sections = Sections::prove(text.as_bytes(), dialect, Limits::default());
                if may_be_cut(text.len(), dialect, target)
                    && let Ok(sections) = sections
                    && let Some((written, report)) = write(text, &sections, dialect, &options, target)
                {
                    let report = report.quoting(text);
                    assert_same((written.text.as_bytes(), &report), (&long.output, &long.report), &what);
                    targets.push(target.name.as_str());
                }
            }
            let options = Options { to: Some(target), ..Options::default() };
            let long = fix_by(text.as_bytes(), &options, Steps::Changed(&[])).expect("a transcript");
            let short = fix(text.as_bytes(), &options).expect("a transcript");
            assert_same((&short.output, &short.report), (&long.output, &long.report), &what);
        }
        targets
    }

    const EXCHANGE: &str = r#"{"role":"user","content":"go on N"},{"role":"assistant","content":"so","tool_calls":[{"id":"aN","type":"function","function":{"name":"look","arguments":"{\"a\":1}"}},{"id":"bN","type":"function","function":{"name":"look","arguments":"{}"}}]},{"role":"tool","tool_call_id":"aN","content":"[1, 2]"},{"role":"tool","tool_call_id":"bN","content":"\u4f60 ok"},{"role":"assistant","content":"well"}"#;
    const SYSTEM: &str = r#"{"role":"system","content":"be kind"}"#;

    fn exchanges(count: usize, between: &str) -> String {
        (0..count).map(|number| EXCHANGE.replace('N', &number.to_string())).collect::<Vec<_>>().join(between)
    }

    #[test]
    fn what_is_plain_throughout_is_written_in_sections() {
        let tools = r#""tools":[{"type":"function","function":{"name":"look","parameters":{"type":"object"}}}]"#;
        for text in [
            format!("{{\"messages\":[{}]}}", exchanges(5, ",")),
            format!("[\n  {SYSTEM},\n  {SYSTEM},\n  {}\n]\n", exchanges(5, ",\n  ")),
            format!("{{ \"model\":\"m\", \"messages\": [ {} ]\n, {tools} }}\n", exchanges(12, " , ")),
            format!("[{},{{\"role\":\"user\",\"content\":\"on\"}}]", exchanges(3, ",")),
            format!("[{},{}]", exchanges(3, ","), CALL.replace("CALLED", "once")),
        ] {
            let targets = written_in_sections(&text);
            for name in ["canonical", "anthropic", "gemini", "openai-responses", "bedrock", "langchain", "openclaw"] {
                assert!(targets.contains(&name), "{name} is not among {targets:?} for {text}");
            }
            assert!(!targets.contains(&"ai-sdk.ui"), "its messages are numbered");
        }
    }

    /// A conversation may not end in white space: the section of its last words says so, of the place that they have in the whole.
    #[test]
    fn what_is_said_of_the_last_message_has_its_place() {
        for (text, input, output) in [
            (end_in_white_space(&exchanges(5, ",")), "/24/content", "/19/content/0"),
            (format!("{SYSTEM},{}", end_in_white_space(&exchanges(7, ","))), "/35/content", "/messages/27/content/0"),
        ] {
            let text = format!("[{text}]");
            let targets = written_in_sections(&text);
            assert!(targets.contains(&"anthropic") && targets.contains(&"gemini"), "{targets:?} for {text}");
            let options = Options { to: Some(Target::by_name("anthropic").expect("a target")), ..Options::default() };
            let report = fix(text.as_bytes(), &options).expect("a transcript").report;
            let places: Vec<_> =
                report.repairs.iter().map(|entry| (entry.input.as_deref(), entry.output.as_deref())).collect();
            assert_eq!(places, [(Some(input), Some(output))], "{text}");
        }
    }

    fn end_in_white_space(exchanges: &str) -> String {
        format!("{}well  \"}}", exchanges.strip_suffix("well\"}").expect("the last words"))
    }

    /// Each of these has something that the sections of it cannot know.
    #[test]
    fn what_belongs_together_is_written_together() {
        let talk = exchanges(5, ",");
        let opening = r#"{"role":"assistant","content":"hi"}"#;
        let picture = r#"{"role":"user","content":[{"type":"image_url","image_url":{"url":"data:image/png;base64,iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=="}}]}"#;
        for text in [
            format!("[{talk},{}]", exchanges(1, ",")),
            format!("[{talk},{SYSTEM},{}]", exchanges(5, ",").replace("\"a", "\"c").replace("\"b", "\"d")),
            format!("[{opening},{talk}]"),
            format!("[{SYSTEM},{opening},{talk}]"),
            format!("{{\"messages\":[{talk}],\"max_tokens\":\"many\",\"model\":\"{}\"}}", "m".repeat(SECTION)),
        ] {
            assert_eq!(written_in_sections(&text), [""; 0], "{text}");
        }
        let pictures = [picture; 120].map(|picture| format!("{picture},{opening}")).join(",");
        let targets = written_in_sections(&format!("[{pictures}]"));
        assert!(targets.contains(&"anthropic.messages") && !targets.contains(&"anthropic"), "{targets:?}");
        // What answers a call of another section.
        for text in [
            format!("[{talk},{{\"role\":\"tool\",\"tool_call_id\":\"a3\",\"content\":\"late\"}}]"),
            format!("[{talk},{}]", CALL.replace("CALLED", "a1")),
        ] {
            assert_eq!(written_in_sections(&text), [""; 0], "{text}");
        }
    }

    /// Whatever is wrong with them: all that is done of it is done in its section.
    #[test]
    fn broken_messages_are_written_in_sections() {
        let talk = exchanges(6, " ,\n");
        for (from, to) in [
            (r#""arguments":"{}""#, r#""arguments":{}"#),
            (r#""arguments":"{}""#, r#""arguments":"{\"a""#),
            (r#""tool_call_id":"a"#, r#""tool_use_id":"a"#),
            (r#""role":"assistant","content":"well""#, r#""role":"model","content":"well""#),
            (r#""content":"\u4f60 ok""#, r#""content":"""#),
            (r#"{"role":"tool","tool_call_id":"b3","content":"\u4f60 ok"},"#, ""),
            (r#""tool_call_id":"b3""#, r#""tool_call_id":"x3""#),
            (
                r#"{"role":"user","content":"go on 2"}"#,
                r#"{"role":"user","content":" "},{"role":"user","content":"go on"}"#,
            ),
            (r#""content":"go on 3""#, r#""content":[{"type":"input_text","text":"go on"}]"#),
        ] {
            let broken = talk.replace(from, to);
            assert_ne!(broken, talk, "{from}");
            for text in [format!("[{broken}]"), format!("{{\"model\":\"m\",\"messages\":[ {broken}\n]\n}}")] {
                let targets = written_in_sections(&text);
                for name in ["openai.chat", "canonical", "anthropic", "gemini", "openai-responses"] {
                    assert!(targets.contains(&name), "{name} is not among {targets:?} for {text}");
                }
            }
        }
    }

    /// The items of a list of messages, each with a comma behind it, in which ids that a part of them has end in this.
    fn messages_of(text: &str, mark: Option<u64>) -> String {
        let Ok(json) = Json::parse(text, &Limits::default()) else { return String::new() };
        let list = if json.root().is_array() { Some(json.root()) } else { json.root().get("messages") };
        let mut ids: Vec<&str> = Vec::new();
        let mut todo: Vec<_> = list.into_iter().collect();
        while let Some(value) = todo.pop() {
            todo.extend(value.items());
            for (key, member) in value.members() {
                let names_a_call =
                    ["id", "tool_call_id", "call_id", "tool_use_id", "toolCallId"].iter().any(|id| key.is_str(id));
                ids.extend(Some(member.raw()).filter(|id| names_a_call && member.is_string() && id.len() > 4));
                todo.push(member);
            }
        }
        // What is never apart would hide all else.
        let never = ["system", "developer", "file", "document", "audio"];
        let is_kept = |item: &Value<'_>| mark == Some(0) || !never.iter().any(|word| item.raw().contains(word));
        let items = list.into_iter().flat_map(Value::items).filter(is_kept);
        let mut items: String = items.map(|item| item.raw().to_owned() + ",").collect();
        ids.sort_unstable();
        ids.dedup();
        for (id, mark) in ids.into_iter().zip(std::iter::repeat(mark)) {
            if let Some(mark) = mark {
                items = items.replace(id, &format!("{}-{mark}\"", &id[..id.len() - 1]));
            }
        }
        items
    }

    /// Generated transcripts, whole and broken, one behind the other; as many as `WIRECANON_SECTIONS` says.
    #[test]
    fn both_ways_give_the_same() {
        use wirecanon_schemas::generate::Dialect as Generated;

        let (mut cut, mut whole) = (0, 0);
        let rounds = std::env::var("WIRECANON_SECTIONS").map_or(60, |rounds| rounds.parse().expect("a number"));
        for round in 0..rounds {
            let mut messages = Vec::new();
            for part in 0..3_u64 {
                let made = crate::generated::transcript(Generated::OpenAiChat, 3 * round + part, 300, 1 + round % 3);
                let Ok(text) = String::from_utf8(made.bytes) else { continue };
                // In some rounds ids come again.
                let list = messages_of(&text, (round % 4 > 0).then_some(part));
                messages.push(list + r#"{"role":"user","content":"and now?"},{"role":"assistant","content":"done"}"#);
            }
            // In some rounds something is to be said of the last words, or of others.
            for (every, at) in [(2, messages.len() - 1), (5, 0)] {
                if round % every == 0 {
                    messages[at] = messages[at].replace("\"done\"", "\"done \"");
                }
            }
            let targets = written_in_sections(&format!("[{}]", messages.join(",")));
            cut += usize::from(!targets.is_empty());
            whole += usize::from(targets.is_empty());
        }
        assert!(cut > 20 && whole > 20, "{cut} {whole}");
    }

    const CALL: &str = r#"{"role":"user","content":"go"},{"role":"assistant","content":null,"tool_calls":[{"id":"CALLED","type":"function","function":{"name":"look","arguments":"{}"}}]},{"role":"tool","tool_call_id":"CALLED","content":"ok"}"#;
}
