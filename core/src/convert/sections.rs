//! A long transcript that is plain throughout, written in another dialect section by section.
//!
//! Of a long text as a whole, reading, mending and writing each ask memory for what the one before had near. So it is cut where
//! the user speaks behind words of the model, which leave nothing open, and each section goes the whole way as a document of
//! its own, of which only the list is kept. That counts where no more than one of them has anything to say of its messages, such as
//! the last of how a conversation may end, and no two know a call by the same id; all else goes the long way at once. A test goes
//! both ways, to every target.

use std::collections::HashSet;
use std::ops::Range;

use super::plain::Plain;
use super::{From, How, Mode, Options, asked, convert_all_but, mended, parse};
use crate::dialect::Dialect;
use crate::report::{Entry, Report, Stage};
use crate::target::Target;
use crate::transcript::Role;
use crate::write::{self, Items, Written};

/// Bytes of a section: what is made of it should still be near when it is asked for.
const SECTION: usize = if cfg!(test) { 400 } else { 1 << 17 };

/// What is shorter stays near as a whole.
const LEAST: usize = if cfg!(test) { 2 * SECTION } else { 1 << 24 };

/// Where a transcript of plain messages can be cut.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Sections {
    /// From the first message to the last
    messages: Range<usize>,
    count: usize,
    cuts: Vec<Cut>,
    /// Who said the last message, if it holds nothing but what is said
    by: Option<Role>,
    has_user: bool,
    /// Instructions stand behind the user's words, or the model opens
    is_out_of_order: bool,
    pictures: usize,
}

/// Where one section ends and the next begins.
#[derive(Clone, Debug, PartialEq, Eq)]
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
    /// How many stand before them
    behind: usize,
}

impl Sections {
    /// Notes the next message, where it stands, and who says it, if it holds nothing but what is said.
    pub(super) fn note(&mut self, at: Range<usize>, by: Option<Role>, pictures: usize) {
        let since = self.cuts.last().map_or(self.messages.start, |cut| cut.gap.end);
        match by {
            Some(Role::User) => {
                if self.by == Some(Role::Assistant) && self.messages.end - since >= SECTION {
                    self.cuts.push(Cut { gap: self.messages.end..at.start, behind: self.count });
                }
                self.has_user = true;
            }
            Some(Role::System) => self.is_out_of_order |= self.has_user,
            _ => self.is_out_of_order |= !self.has_user,
        }
        if self.messages.is_empty() {
            self.messages.start = at.start;
        }
        self.messages.end = at.end;
        self.count += 1;
        self.by = by;
        self.pictures += pictures;
    }

    /// Whether each section says of itself all that is said of it in the whole, if these are the ids of all calls.
    fn are_apart(&self, ids: &[&str], target: &Target) -> bool {
        let media = &target.media;
        let counted = [media.max_media, media.many].into_iter().flatten().min();
        let mut known = HashSet::with_capacity(ids.len());
        !self.is_out_of_order
            && counted.is_none_or(|most| self.pictures <= most)
            && ids.iter().all(|id| known.insert(id))
    }

    /// Each section, of at least so many bytes but the last.
    fn parts(&self, least: usize) -> Vec<Part> {
        let mut parts = Vec::new();
        let mut since = Cut { gap: self.messages.start..self.messages.start, behind: 0 };
        let part = |Cut { gap, behind }, end| Part { messages: gap.end..end, gap, behind };
        for cut in &self.cuts {
            if cut.gap.start - since.gap.end >= least {
                parts.push(part(std::mem::replace(&mut since, cut.clone()), cut.gap.start));
            }
        }
        parts.push(part(since, self.messages.end));
        parts
    }
}

/// Whether it is known of a text of this length that it could be cut.
pub(super) fn may_be_cut(length: usize, dialect: Dialect, target: &Target) -> bool {
    length > LEAST
        && dialect == Dialect::OpenAiChat
        && target.dialect != dialect
        && !target.dialect.is_fragment()
        && !write::are_numbered(target.dialect)
}

/// Writes a text that is plain throughout; `None` where its sections might not say all that is said of the whole.
pub(super) fn write(
    text: &[u8],
    plain: &Plain<'_>,
    dialect: Dialect,
    options: &Options<'_>,
    target: &Target,
    report: &mut Report<'static>,
) -> Option<Written> {
    let sections = &plain.sections;
    let (in_front, behind) = (&text[..sections.messages.start], &text[sections.messages.end..]);
    // All that stands around the list is gone through with each of them.
    let parts = sections.parts(SECTION.max(4 * (in_front.len() + behind.len())));
    let [first, middle @ .., last] = parts.as_slice() else { return None };
    if !sections.are_apart(&plain.ids, target) {
        return None;
    }
    // Each is a history to all that follows.
    let options = Options { from: From::Dialect(dialect), to: Some(target), ..options.clone() };
    let history = Options { mode: Mode::History, ..options.clone() };
    let mut document = Vec::new();
    let mut made = |part: &Part, options: &Options<'_>| {
        document.clear();
        for piece in [in_front, &text[part.messages.clone()], behind] {
            document.extend_from_slice(piece);
        }
        let json = parse(simdutf8::basic::from_utf8(&document).ok()?, options).ok()?;
        let mut own = Report::default();
        let written = if part.behind == 0 {
            mended(&json, Some(Plain::default()), options, How::WHOLE, &mut own)
        } else {
            // What stands around the messages was mended with the first, or it is said there.
            convert_all_but(Plain::default(), &json, dialect, &asked(target, options, How::WHOLE), &mut own)
        };
        own.quote_copied(json.text());
        let Written { text, list, .. } = written.ok()??;
        Some((text, list?, own))
    };
    let (first_text, of_first, own) = made(first, &history)?;
    let read = if in_front.trim_ascii_start().starts_with(b"{") { "/messages" } else { "" };
    let mut told = Told { read, written: of_first.list.clone(), ..Told::default() };
    told.add(first, &of_first, own)?;
    let (last_text, of_last, own_of_last) = made(last, &options)?;
    let between = |gap: &Range<usize>| {
        if of_first.as_read { std::str::from_utf8(&text[gap.clone()]).ok() } else { Some(",") }
    };
    let mut whole = String::with_capacity(text.len() + text.len() / 2);
    whole.push_str(&first_text[..of_first.span.end]);
    for part in middle {
        let (section, list, own) = made(part, &history)?;
        told.add(part, &list, own)?;
        whole.push_str(between(&part.gap)?);
        whole.push_str(&section[list.span]);
    }
    told.add(last, &of_last, own_of_last)?;
    whole.push_str(between(&last.gap)?);
    whole.push_str(&last_text[of_last.span]);
    whole.push_str(&first_text[of_first.span.end..]);
    let said = told.of_messages.or(told.around)?;
    (report.from, report.to) = (said.from, said.to);
    // As of any text that another dialect had written.
    report.changed |= said.repairs.iter().any(|entry| entry.stage != Stage::Write);
    report.repairs.extend(said.repairs);
    report.notes.extend(said.notes);
    Some(Written::whole(whole))
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
    /// The same, and what one of them says of its messages
    of_messages: Option<Report<'static>>,
}

impl Told<'_> {
    /// Adds what the next section says, whose messages were written to `list`. `None` where it says other things of what stands around
    /// them, or if another one had something to say of its messages, since all of them at once might say it in another order.
    fn add(&mut self, part: &Part, list: &Items, mut own: Report<'static>) -> Option<()> {
        if !own.ids.is_empty() || !own.names.is_empty() {
            return None;
        }
        let read = Further { lists: [self.read; 2], before: part.behind };
        let written = Further { lists: [&list.list, &self.written], before: self.count };
        let mut place = |entry: &mut Entry<'static>| {
            let mut is_of_messages = false;
            for (place, in_whole) in [(&mut entry.input, &read), (&mut entry.output, &written)] {
                let moved = place.as_deref().and_then(|place| in_whole.place(place));
                is_of_messages |= moved.is_some();
                *place = moved.or(place.take());
            }
            is_of_messages
        };
        let of_messages: Vec<bool> = own.repairs.iter_mut().chain(&mut own.notes).map(&mut place).collect();
        self.count += list.count;
        let (of_repairs, of_notes) = of_messages.split_at(own.repairs.len());
        let others = |entries: &[Entry<'static>], of_messages: &[bool]| {
            let entries = entries.iter().zip(of_messages);
            entries.filter(|(_, of_messages)| !**of_messages).map(|(entry, _)| entry.clone()).collect()
        };
        let around = Report {
            from: own.from.clone(),
            to: own.to.clone(),
            repairs: others(&own.repairs, of_repairs),
            notes: others(&own.notes, of_notes),
            ..Report::default()
        };
        let is_same = self.around.as_ref().is_none_or(|known| *known == around);
        self.around.get_or_insert(around);
        let is_one = !of_messages.contains(&true) || self.of_messages.replace(own).is_none();
        (is_same && is_one).then_some(())
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
    use crate::convert::{fix, fix_by, plain};
    use crate::json::{Json, Limits, Value};
    use crate::step::Steps;

    /// The names of the targets to which it is written in sections; both ways give the same to all.
    fn written_in_sections(text: &str) -> Vec<&'static str> {
        let mut targets = Vec::new();
        for target in Target::all().iter().filter(|target| !target.dialect.is_fragment()) {
            for (from, mode) in [Mode::Request, Mode::History]
                .map(|mode| (From::Dialect(Dialect::OpenAiChat), mode))
                .into_iter()
                .chain([(From::Auto, Mode::Request)])
            {
                let options = Options { from, to: Some(target), mode, ..Options::default() };
                let short = fix(text.as_bytes(), &options).expect("a transcript");
                let long = fix_by(text.as_bytes(), &options, Steps::Changed(&[])).expect("a transcript");
                let [short_text, long_text] = [&short, &long].map(|fixed| String::from_utf8_lossy(&fixed.output));
                assert_eq!(short_text, long_text, "{}: {text}", target.name);
                let said = |report: &Report<'_>| {
                    let mut entries: Vec<_> = report.entries().cloned().map(Entry::into_owned).collect();
                    // The numbers of messages are other ones.
                    for entry in &mut entries {
                        entry.about = None;
                    }
                    let renamed: Vec<_> = report.ids.iter().chain(&report.names).cloned().collect();
                    (report.from.clone(), report.to.clone(), report.changed, entries, renamed)
                };
                assert_eq!(said(&short.report), said(&long.report), "{}: {text}", target.name);
            }
            let options = Options { mode: Mode::History, ..Options::default() };
            let plain = plain::prove_throughout(text.as_bytes(), Dialect::OpenAiChat, Limits::default());
            if let Ok(plain) = plain
                && may_be_cut(text.len(), Dialect::OpenAiChat, target)
                && write(text.as_bytes(), &plain, Dialect::OpenAiChat, &options, target, &mut Report::default())
                    .is_some()
            {
                targets.push(target.name.as_str());
            }
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
        // What is not plain, in front or far behind.
        for text in [
            format!("[{{\"role\":\"user\",\"content\":7}},{talk}]"),
            format!("[{talk},{{\"role\":\"tool\",\"tool_call_id\":\"a3\",\"content\":\"late\"}}]"),
            format!("[{talk},{}", &CALL.replace("CALLED", "a1")[1..]),
        ] {
            if let Ok(json) = Json::parse(&text, &Limits::default()) {
                assert_eq!(written_in_sections(json.text()), [""; 0], "{text}");
            }
        }
    }

    /// Generated transcripts, one behind the other, some of which are plain throughout.
    #[test]
    fn both_ways_give_the_same() {
        use wirecanon_schemas::generate::Dialect as Generated;

        let mut plain_ones = Vec::new();
        for round in 0..4000 {
            let made = crate::generated::transcript(Generated::OpenAiChat, round, 300, 1);
            if plain::prove_throughout(&made.bytes, Dialect::OpenAiChat, Limits::default()).is_ok() {
                plain_ones.extend(String::from_utf8(made.bytes));
            }
        }
        let (mut cut, mut whole) = (0, 0);
        for (round, some) in plain_ones.chunks(3).enumerate() {
            let mut messages = Vec::new();
            for (part, text) in some.iter().enumerate() {
                let json = Json::parse(text, &Limits::default()).expect("JSON");
                let list = if json.root().is_array() { Some(json.root()) } else { json.root().get("messages") };
                let mut list: String =
                    list.into_iter().flat_map(Value::items).map(|item| item.raw().to_owned() + ",").collect();
                // In some rounds ids come again.
                for id in plain::find_throughout(&json, Dialect::OpenAiChat).ids.iter().filter(|_| round % 4 > 0) {
                    list = list.replace(&format!("\"{id}\""), &format!("\"{id}-{part}\""));
                }
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
