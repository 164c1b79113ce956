//! Writing the messages into what they stand in: the same container as in the source, with its other fields untouched.

use std::ops::Range;

use crate::dialects::anthropic_messages::write;
use crate::dialects::{Described as _, renderer};
use crate::print::group::{Unit, group};
use crate::print::out::{self, Out, Places, Printer, Wanted};
use crate::print::{Member, View, Writer, Written, tools};
use crate::read::container::layout;
use crate::read::definitions::foreign_items;
use crate::read::spec::SystemField;
use wirecanon_json::{PointerCursor, Value};
use wirecanon_model::Dialect;
use wirecanon_model::report::Severity;
use wirecanon_model::transcript::{Block, Container, Message, Role, Tool, Transcript};

/// Writes the transcript; `None` when it would be the text that was read.
pub(crate) fn write(
    transcript: &Transcript<'_>,
    in_pieces: Option<usize>,
    writer: &Writer<'_, '_>,
) -> Option<(Written, Places)> {
    let same = writer.same;
    let (system, messages) = split_system(transcript, writer);
    let units = group(messages, renderer(writer.target.dialect).joins, same);
    let source = source_items(transcript, writer);
    let as_read = same
        && !writer.json.has_lone_surrogates()
        && !wraps(transcript, writer)
        && system_untouched(transcript, system)
        && transcript.edits.is_empty()
        && missing(transcript, writer).next().is_none()
        && transcript.tools.iter().all(|tool| !tool.renamed && !tool.foreign)
        && units.iter().all(|unit| matches!(unit, Unit::Copy { .. }))
        && one_for_one(&units, messages, &source);
    if as_read {
        return None;
    }
    let wanted = wanted(writer);
    // In its own dialect a text grows by little, in another one by no more than half unless all messages are tiny. The larger
    // the room, the sooner it is asked of the system anew for each text, and pages that are touched first cost microseconds.
    let length = writer.json.text().len();
    let room = length.saturating_add(if same { length / 8 } else { length / 2 });
    let is_lines = matches!(transcript.container, Container::Lines);
    let mut printer = Printer::new(writer.json, room, &wanted).on_as_many_lines(is_lines);
    if let Some(longest_copy) = in_pieces
        && same
    {
        printer = printer.in_pieces(longest_copy);
    }
    let view = View::new(writer.json, writer.target, same, &wanted);
    let mut body = Body { printer, view, messages, units, source, writer, cursor: PointerCursor::default() };
    body.container(transcript, system);
    let (text, pieces, places) = body.printer.finish();
    Some((Written { text, pieces }, places))
}

/// The canonical dialect is always an object with `messages`, or a lone result.
fn wraps(transcript: &Transcript<'_>, writer: &Writer<'_, '_>) -> bool {
    writer.target.dialect == Dialect::Canonical
        && !transcript.fragment
        && !matches!(transcript.container, Container::Object { .. })
        || matches!(transcript.container, Container::Response | Container::Built)
}

fn source_items(transcript: &Transcript<'_>, writer: &Writer<'_, '_>) -> Vec<u32> {
    layout(writer.json, transcript.dialect)
        .map(|layout| layout.messages.map(Value::index).collect())
        .unwrap_or_default()
}

/// System messages in front that the dialect keeps beside the list.
fn split_system<'w, 'a>(
    transcript: &'w Transcript<'a>,
    writer: &Writer<'_, '_>,
) -> (&'w [Message<'a>], &'w [Message<'a>]) {
    let in_front = || transcript.messages.iter().take_while(|message| message.role == Role::System).count();
    let count = match writer.target.dialect.spec().system {
        SystemField::Beside(_) => in_front(),
        SystemField::Either(_) if writer.same => in_front().min(transcript.top_system),
        SystemField::InList | SystemField::Nowhere | SystemField::Either(_) => 0,
    };
    transcript.messages.split_at(count)
}

/// Whether the units are the source's wire messages, one for one.
fn one_for_one(units: &[Unit], messages: &[Message<'_>], source: &[u32]) -> bool {
    let mut at = 0;
    for unit in units {
        if source.get(at).copied() != unit.value(messages) {
            return false;
        }
        at += unit.values();
    }
    at == source.len()
}

fn system_untouched(transcript: &Transcript<'_>, system: &[Message<'_>]) -> bool {
    let is_whole = !transcript.system_changed && system.len() == transcript.top_system;
    is_whole && system.iter().all(|message| !message.dirty)
}

/// Members that a document of the target's own dialect lacks, and that the target asks for.
fn missing<'w>(
    transcript: &Transcript<'_>,
    writer: &'w Writer<'_, '_>,
) -> impl Iterator<Item = &'static Member> + use<'w> {
    let document = match transcript.container {
        Container::Object { object, .. } if writer.same => Some(writer.json.value(object)),
        _ => None,
    };
    let members = (renderer(writer.target.dialect).beside)(writer.target).iter();
    members.filter(move |member| {
        member.rule.is_some() && document.is_some_and(|document| !document.get(member.key).is_some_and(member.is_said))
    })
}

/// Says what a document of the target's own dialect is given beside its messages.
pub(crate) fn report_members(transcript: &Transcript<'_>, writer: &mut Writer<'_, '_>) {
    let Container::Object { object, .. } = transcript.container else { return };
    let missing: Vec<_> = missing(transcript, writer).collect();
    for member in missing {
        let Some(rule) = member.rule else { continue };
        let words = format!("the document did not say its `{}`; it is {}", member.key, member.value);
        writer.entry(rule, Severity::Adapt, Some(object), None, words);
    }
}

struct Body<'w, 'a, 'r> {
    printer: Printer<'w>,
    view: View<'w, 'a>,
    messages: &'w [Message<'a>],
    units: Vec<Unit>,
    /// The wire messages of the source
    source: Vec<u32>,
    writer: &'w Writer<'a, 'r>,
    /// Finds where parts of copied messages stand, in the order of the text
    cursor: PointerCursor,
}

impl<'w, 'a> Body<'w, 'a, '_> {
    fn container(&mut self, transcript: &'w Transcript<'a>, system: &'w [Message<'a>]) {
        let json = self.writer.json;
        let canonical = self.writer.target.dialect == Dialect::Canonical;
        match transcript.container {
            Container::Object { object, key } if self.view.same => {
                self.object(json.value(object), key, transcript, system);
            }
            Container::List { list } if !canonical && system.is_empty() => {
                let list = json.value(list);
                self.printer.copy_of_source(0..list.span().start);
                self.list(Some(list), &list.pointer());
                self.printer.copy_of_source(list.span().end..json.text().len());
            }
            Container::Lines if !canonical && system.is_empty() && !self.units.is_empty() => self.lines(),
            Container::Single { object }
                if self.is_one_value() && system.is_empty() && (transcript.fragment || !canonical) =>
            {
                let value = json.value(object);
                let (start, end) = if self.view.same { (value.span().start, value.span().end) } else { (0, 0) };
                let pointer = if self.view.same { value.pointer() } else { String::new() };
                self.printer.copy_of_source(0..start);
                match self.units[0] {
                    Unit::Copy { from, value, values } => self.copy(from, value, values, &pointer, None),
                    Unit::Anew { .. } => {
                        let out = self.render(0);
                        self.printer.write_at(&pointer, &out);
                    }
                }
                if self.view.same {
                    self.printer.copy_of_source(end..json.text().len());
                } else if json.text().ends_with('\n') {
                    self.printer.push("\n");
                }
            }
            _ => self.fresh(transcript, system),
        }
    }

    /// Whether there is one unit, and it is one value.
    fn is_one_value(&self) -> bool {
        match self.units.as_slice() {
            [Unit::Copy { values, .. }] => *values == 1,
            [Unit::Anew { .. }] => !matches!(self.render(0), Out::Many(_)),
            _ => false,
        }
    }

    /// A new object, in the white space of the source's.
    fn fresh(&mut self, transcript: &'w Transcript<'a>, system: &'w [Message<'a>]) {
        let spec = self.writer.target.dialect.spec();
        self.printer.push("{");
        if let Some(key) = spec.system.key().filter(|_| !system.is_empty()) {
            self.system("", key, system);
            self.printer.push(",");
        }
        let key = self.writer.target.dialect.list_keys()[0];
        self.key(key);
        let list = match transcript.container {
            Container::List { list } => Some(self.writer.json.value(list)),
            _ => None,
        };
        self.list(list, &format!("/{key}"));
        if !transcript.tools.is_empty() {
            let (key, tools) = tools::list(&transcript.tools, &spec.tools, self.writer.target.dialect);
            self.printer.push(",");
            self.key(key);
            self.printer.write_at(&format!("/{key}"), &tools);
        }
        for member in (renderer(self.writer.target.dialect).beside)(self.writer.target) {
            self.printer.push(",");
            self.key(member.key);
            self.printer.push(member.value);
        }
        self.printer.push("}");
        if self.writer.json.text().ends_with('\n') {
            self.printer.push("\n");
        }
    }

    fn system(&mut self, within: &str, key: &str, system: &'w [Message<'a>]) {
        self.key(key);
        self.system_value(within, key, system);
    }

    /// A key that needs no escapes, in front of its value.
    fn key(&mut self, key: &str) {
        for piece in ["\"", key, "\":"] {
            self.printer.push(piece);
        }
    }

    fn system_value(&mut self, within: &str, key: &str, system: &'w [Message<'a>]) {
        let value = (renderer(self.writer.target.dialect).system)(&self.view, system);
        self.printer.write_at(&format!("{within}/{key}"), &value);
    }

    /// The source's object with its list of messages, and what else changed, replaced.
    fn object(&mut self, object: Value<'w>, key: &str, transcript: &'w Transcript<'a>, system: &'w [Message<'a>]) {
        enum Part {
            Messages,
            System,
            Tool(usize),
            Definitions(Vec<usize>, bool),
            Edit(usize),
            Member(&'static str),
        }
        let text = self.writer.json.text();
        // The object may stand inside another: what a server answered, under `result`.
        let within = object.pointer();
        let mut parts: Vec<(Range<usize>, Part)> = Vec::new();
        if let Some(list) = object.get(key) {
            parts.push((list.span(), Part::Messages));
        }
        let mut new_system = false;
        let system_key = self.writer.target.dialect.spec().system_key(object).unwrap_or_default();
        if !system_untouched(transcript, system) {
            match object.get(system_key) {
                Some(value) => parts.push((value.span(), Part::System)),
                None => new_system = true,
            }
        }
        let dialect = self.writer.target.dialect;
        let tools = layout(self.writer.json, dialect).ok().and_then(|layout| layout.tools);
        for item in foreign_items(tools, &transcript.tools, dialect) {
            parts.push((item.value.span(), Part::Definitions(item.tools, item.is_outside)));
        }
        let renamed = |tool: &Tool<'_>| tool.renamed && !tool.foreign;
        for (at, tool) in transcript.tools.iter().enumerate().filter(|(_, tool)| renamed(tool)) {
            if let Some(name) = self.writer.json.value(tool.source).get("name") {
                parts.push((name.span(), Part::Tool(at)));
            }
        }
        parts.extend(transcript.edits.iter().enumerate().map(|(at, edit)| (edit.at.clone(), Part::Edit(at))));
        let mut new_members = Vec::new();
        for member in missing(transcript, self.writer) {
            match object.get(member.key) {
                Some(value) => parts.push((value.span(), Part::Member(member.value))),
                None => new_members.push(member),
            }
        }
        parts.sort_by_key(|(range, _)| range.start);
        let mut from = 0;
        if new_system {
            from = object.span().start + 1;
            self.printer.copy_of_source(0..from);
            self.system(&within, system_key, system);
            self.printer.push(",");
        }
        for (range, part) in parts {
            // What stands in a text that goes is not written.
            if range.start < from {
                continue;
            }
            self.printer.copy_of_source(from..range.start);
            match part {
                Part::Messages => self.list(object.get(key), &format!("{within}/{key}")),
                Part::System => self.system_value(&within, system_key, system),
                Part::Edit(at) => self.printer.push(&transcript.edits[at].text),
                Part::Definitions(tools, wrap) => {
                    let form = &dialect.spec().tools;
                    for (place, at) in tools.into_iter().enumerate() {
                        if place > 0 {
                            self.printer.push(",");
                        }
                        let definition = tools::alone(&transcript.tools[at], form, wrap, dialect);
                        self.printer.write_at("", &definition);
                    }
                }
                Part::Tool(at) => self.printer.push_string(&transcript.tools[at].name),
                Part::Member(value) => self.printer.push(value),
            }
            from = range.end;
        }
        if let Some((_, last)) = object.members().last().filter(|_| !new_members.is_empty()) {
            self.printer.copy_of_source(from..last.span().end);
            from = last.span().end;
            for member in new_members {
                self.printer.push(",");
                self.key(member.key);
                self.printer.push(member.value);
            }
        }
        self.printer.copy_of_source(from..text.len());
    }

    fn list(&mut self, like: Option<Value<'w>>, pointer: &str) {
        let text = self.writer.json.text();
        let mut place = 0;
        // One string may stand for a whole list of messages.
        if let (Some(like), [Unit::Copy { value, .. }]) = (like, self.units.as_slice())
            && like.index() == *value
        {
            self.printer.copy_of_source(like.span());
            return;
        }
        let list = like.filter(|list| list.is_array());
        let (lead, tail) = list.map_or(("", ""), out::margins);
        let (open, comma, close) = (format!("[{lead}"), format!(",{lead}"), format!("{tail}]"));
        let mut behind = 0;
        for at in 0..self.units.len() {
            let item = list.and_then(|_| self.item(at));
            let start = list.map_or(0, |list| list.span().start);
            match self.gap(place, behind, item, start).filter(|gap| place == 0 || text[gap.clone()].trim() == ",") {
                Some(gap) => self.printer.copy_of_source(gap),
                None => self.printer.push(if place == 0 { &open } else { &comma }),
            }
            place += self.unit(at, pointer, place, &comma);
            behind = item.map_or(0, |item| item + self.units[at].values());
        }
        match list.filter(|_| behind > 0 && behind == self.source.len()) {
            _ if place == 0 => self.printer.push("[]"),
            Some(list) => self.printer.copy_of_source(self.span(behind - 1).end..list.span().end),
            None => self.printer.push(&close),
        }
    }

    /// The place among the source's wire messages of the first that a unit was read from.
    fn item(&self, at: usize) -> Option<usize> {
        self.source.binary_search(&self.units[at].value(self.messages)?).ok()
    }

    /// What stands in the source, from `start` on, between this wire message and the one that was written before it, where
    /// they follow each other there as well: that stays between them.
    fn gap(&self, place: usize, behind: usize, item: Option<usize>, start: usize) -> Option<Range<usize>> {
        match (place, item?) {
            (0, 0) => Some(start..self.span(0).start),
            (1.., item @ 1..) if behind == item => Some(self.span(item - 1).end..self.span(item).start),
            _ => None,
        }
    }

    fn span(&self, item: usize) -> Range<usize> {
        self.writer.json.value(self.source[item]).span()
    }

    fn lines(&mut self) {
        let text = self.writer.json.text();
        let (mut place, mut behind) = (0, 0);
        for at in 0..self.units.len() {
            let item = self.item(at);
            match self.gap(place, behind, item, 0).filter(|gap| text[gap.clone()].trim().is_empty()) {
                Some(gap) => self.printer.copy_of_source(gap),
                None => self.printer.push(if place == 0 { "" } else { "\n" }),
            }
            place += self.unit(at, "", place, "\n");
            behind = item.map_or(0, |item| item + self.units[at].values());
        }
        if behind > 0 && behind == self.source.len() {
            self.printer.copy_of_source(self.span(behind - 1).end..text.len());
        } else if text.ends_with('\n') {
            self.printer.push("\n");
        }
    }

    /// Where the parts of a copied wire message stand.
    fn place_copied(&mut self, from: usize, value: u32, pointer: &str, place: Option<usize>) {
        let json = self.writer.json;
        let mut whole = None;
        for message in &self.messages[from..] {
            if message.origin.is_none_or(|origin| origin.value != value) {
                return;
            }
            if !self.printer.wants(message.id) {
                continue;
            }
            let part = message.source.filter(|source| message.role == Role::ToolResult && *source != value);
            // What was copied stands in the wire message where it stood.
            let inside = part.map(|part| {
                let whole = whole.get_or_insert_with(|| self.cursor.pointer(json.value(value)).len());
                self.cursor.pointer(json.value(part)).split_off(*whole)
            });
            let item = place.map_or_else(String::new, |place| format!("/{place}"));
            self.printer.places.put(message.id, &format!("{pointer}{item}{}", inside.unwrap_or_default()));
        }
    }

    /// Writes one unit, its values apart by `between`; gives how many values it made, the first of which stands at
    /// `pointer`/`place`.
    fn unit(&mut self, at: usize, pointer: &str, place: usize, between: &str) -> usize {
        match self.units[at] {
            Unit::Copy { from, value, values } => {
                self.copy(from, value, values, pointer, Some(place));
                values as usize
            }
            Unit::Anew { .. } => {
                let out = self.render(at);
                let Out::Many(outs) = out else {
                    self.printer.write_item(pointer, place, &out);
                    return 1;
                };
                for (more, out) in outs.iter().enumerate() {
                    if more > 0 {
                        self.printer.push(between);
                    }
                    self.printer.write_item(pointer, place + more, out);
                }
                outs.len()
            }
        }
    }

    /// Copies values that follow each other, with what stands between them.
    fn copy(&mut self, from: u32, value: u32, values: u32, pointer: &str, place: Option<usize>) {
        let json = self.writer.json;
        let first = json.value(value).span();
        let end = match self.source.binary_search(&value) {
            Ok(item) if values > 1 => self.span(item + values as usize - 1).end,
            _ => first.end,
        };
        self.printer.copy_of_source(first.start..end);
        self.place_copied(from as usize, value, pointer, place);
    }

    fn render(&self, at: usize) -> Out<'w> {
        let Unit::Anew { from, to, like, .. } = self.units[at] else { return Out::Null };
        let like = like.map(|like| self.writer.json.value(like));
        let render = renderer(self.writer.target.dialect).render;
        match &self.messages[from as usize..to as usize] {
            [message] => render(&self.view, &[message], like),
            messages => render(&self.view, &messages.iter().collect::<Vec<_>>(), like),
        }
    }
}

/// The parts that the report asks for the place of.
fn wanted(writer: &Writer<'_, '_>) -> Wanted {
    writer
        .report
        .repairs
        .iter()
        .chain(&writer.report.notes)
        .filter_map(|entry| entry.about)
        .map(std::num::NonZeroU32::get)
        .collect()
}

/// System text as the field beside the list: a string where one plain text is all, else a list of texts.
pub(crate) fn system_as_blocks<'w>(view: &View<'w, '_>, system: &'w [Message<'_>]) -> Out<'w> {
    let blocks: Vec<&'w Block<'_>> = system.iter().flat_map(|message| &message.blocks).collect();
    if let [block] = blocks.as_slice()
        && block.native.is_none()
        && !view.own(block.source).is_some_and(Value::is_object)
    {
        return Out::words(block);
    }
    Out::List(blocks.into_iter().map(|block| write::render_block(view, block)).collect(), None)
}

#[cfg(test)]
mod tests {
    use crate::pipeline::{From, Options, fix};
    use wirecanon_model::Target;

    fn written(input: &str, from: &str, to: &str) -> String {
        let options = Options {
            from: From::Dialect(wirecanon_model::Dialect::by_name(from).unwrap()),
            to: Some(Target::by_name(to).unwrap()),
            ..Options::default()
        };
        String::from_utf8(fix(input.as_bytes(), &options).unwrap().output.into_owned()).unwrap()
    }

    #[test]
    fn a_new_document_has_what_its_kind_must_have() {
        let talk = r#"{"messages":[{"role":"user","content":"go"}]}"#;
        assert!(written(talk, "openai.chat", "mcp.sampling").contains(r#""maxTokens":4096"#));
        assert!(written(talk, "openai.chat", "mcp.prompt@2026-07-28").contains(r#""resultType":"complete""#));
        assert!(!written(talk, "openai.chat", "mcp.prompt@2025-11-25").contains("resultType"));
        // A prompt of an earlier revision is given what this one asks for, and a wrong value gives way.
        let old = r#"{"messages":[ {"role":"user","content":{"type":"text","text":"go"}}], "_meta":{} }"#;
        let out = written(old, "mcp.prompt", "mcp.prompt@2026-07-28");
        assert_eq!(out, old.replace("{} }", r#"{},"resultType":"complete" }"#));
        assert_eq!(written(&out.replace(r#""complete""#, "1"), "mcp.prompt", "mcp.prompt@2026-07-28"), out);
        assert_eq!(written(old, "mcp.prompt", "mcp.prompt"), old);
        // What a request asks for itself stays as it is.
        let own = r#"{"messages":[{"role":"user","content":{"type":"text","text":"go"}}],"maxTokens":7}"#;
        assert_eq!(written(own, "mcp.sampling", "mcp.sampling"), own);
    }

    #[test]
    fn a_copied_result_stands_where_its_dialect_has_it() {
        let talk = r#"{"contents":[{"role":"user","parts":[{"text":"go"}]},{"role":"model","parts":[{"functionCall":{"name":"a","args":{}}}]},{"role":"model","parts":[{"text":"wait"}]},{"role":"user","parts":[{"functionResponse":{"name":"a","response":{"output":"done"}}}]}]}"#;
        let options = Options { from: From::Dialect(wirecanon_model::Dialect::GeminiContents), ..Options::default() };
        let fixed = fix(talk.as_bytes(), &options).unwrap();
        let text = std::str::from_utf8(&fixed.output).unwrap();
        let json = wirecanon_json::Json::parse(text, &wirecanon_json::Limits::default()).unwrap();
        let moved = fixed.report.repairs.iter().find(|entry| entry.rule == "tool-result-displaced").unwrap();
        let place = wirecanon_json::resolve(json.root(), moved.output.as_deref().unwrap()).unwrap();
        assert!(place.get("functionResponse").is_some(), "{:?} in {text}", moved.output);
    }

    #[test]
    fn a_plain_text_is_no_base64_for_anthropic() {
        let file = r#"{"messages":[{"role":"user","content":[{"type":"text","text":"see"},{"type":"file","data":"aGVsbG8=","mimeType":"text/plain"}]}]}"#;
        let out = written(file, "canonical", "anthropic");
        assert!(out.contains(r#""source":{"type":"text","media_type":"text/plain","data":"hello"}"#), "{out}");
    }
}
