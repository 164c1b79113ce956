//! Writing the messages into what they stand in: the same container as in the source, with its other fields untouched.

use std::borrow::Cow;
use std::collections::HashSet;
use std::ops::Range;

use super::group::{Unit, group};
use super::out::{Object, Out, Printer};
use super::{View, Writer, render};
use crate::dialect::{Dialect, layout};
use crate::json::Value;
use crate::report::Severity;
use crate::rule::{self, Rule};
use crate::transcript::{Block, Container, Message, Role, Tool, Transcript};

/// Writes the transcript; `None` when it would be the text that was read.
pub(super) fn write(transcript: &Transcript<'_>, writer: &Writer<'_, '_>) -> Option<Printer> {
    let same = writer.same;
    let (system, messages) = split_system(transcript, writer.target.dialect);
    let units = group(messages, writer.target.dialect, same);
    let source = source_items(transcript, writer);
    let as_read = same
        && !writer.json.has_lone_surrogates()
        && !wraps(transcript, writer)
        && system_untouched(transcript, system)
        && transcript.tools.iter().all(|tool| !tool.renamed)
        && units.len() == source.len()
        && units.iter().zip(&source).all(|(unit, item)| matches!(unit, Unit::Copy { value, .. } if value == item));
    if as_read {
        return None;
    }
    let printer = Printer::new(writer.json.has_lone_surrogates(), writer.json.text().len(), wanted(writer));
    let view = View { json: writer.json, target: writer.target, same };
    let mut body = Body { printer, view, messages, units, source, writer };
    body.container(transcript, system);
    Some(body.printer)
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
fn split_system<'w, 'a>(transcript: &'w Transcript<'a>, dialect: Dialect) -> (&'w [Message<'a>], &'w [Message<'a>]) {
    let count = if dialect == Dialect::AnthropicMessages {
        transcript.messages.iter().take_while(|message| message.role == Role::System).count()
    } else {
        0
    };
    transcript.messages.split_at(count)
}

fn system_untouched(transcript: &Transcript<'_>, system: &[Message<'_>]) -> bool {
    system.len() == transcript.top_system && system.iter().all(|message| !message.dirty)
}

struct Body<'w, 'a, 'r> {
    printer: Printer,
    view: View<'w, 'a>,
    messages: &'w [Message<'a>],
    units: Vec<Unit>,
    /// The wire messages of the source
    source: Vec<u32>,
    writer: &'w Writer<'a, 'r>,
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
                self.printer.text.push_str(&json.text()[..list.span().start]);
                self.list(Some(list), "");
                self.printer.text.push_str(&json.text()[list.span().end..]);
            }
            Container::Lines if !canonical && system.is_empty() && !self.units.is_empty() => self.lines(),
            Container::Single { object }
                if self.units.len() == 1 && system.is_empty() && (transcript.fragment || !canonical) =>
            {
                let value = json.value(object);
                let (start, end) = if self.view.same { (value.span().start, value.span().end) } else { (0, 0) };
                let pointer = if self.view.same { value.pointer() } else { String::new() };
                self.printer.text.push_str(&json.text()[..start]);
                self.unit(0, &pointer);
                if self.view.same {
                    self.printer.text.push_str(&json.text()[end..]);
                } else if json.text().ends_with('\n') {
                    self.printer.text.push('\n');
                }
            }
            _ => self.fresh(transcript, system),
        }
    }

    /// A new object, in the white space of the source's.
    fn fresh(&mut self, transcript: &'w Transcript<'a>, system: &'w [Message<'a>]) {
        self.printer.text.push('{');
        if !system.is_empty() {
            self.printer.text.push_str("\"system\":");
            self.printer.write_at("/system", &system_value(&self.view, system));
            self.printer.text.push(',');
        }
        self.printer.text.push_str("\"messages\":");
        let list = match transcript.container {
            Container::List { list } => Some(self.writer.json.value(list)),
            _ => None,
        };
        self.list(list, "/messages");
        if !transcript.tools.is_empty() {
            self.printer.text.push_str(",\"tools\":");
            let tools = transcript.tools.iter().map(|tool| render_tool(tool, self.writer.target.dialect)).collect();
            self.printer.write_at("/tools", &Out::List(tools, None));
        }
        self.printer.text.push('}');
        if self.writer.json.text().ends_with('\n') {
            self.printer.text.push('\n');
        }
    }

    /// The source's object with its list of messages, and what else changed, replaced.
    fn object(&mut self, object: Value<'w>, key: &str, transcript: &'w Transcript<'a>, system: &'w [Message<'a>]) {
        enum Part {
            Messages,
            System,
            Tool(usize),
        }
        let text = self.writer.json.text();
        let mut parts: Vec<(Range<usize>, Part)> = Vec::new();
        if let Some(list) = object.get(key) {
            parts.push((list.span(), Part::Messages));
        }
        let mut new_system = false;
        if !system_untouched(transcript, system) {
            match object.get("system") {
                Some(value) => parts.push((value.span(), Part::System)),
                None => new_system = true,
            }
        }
        for (at, tool) in transcript.tools.iter().enumerate().filter(|(_, tool)| tool.renamed) {
            let item = self.writer.json.value(tool.source);
            let holder = item.get("function").unwrap_or(item);
            if let Some(name) = holder.get("name") {
                parts.push((name.span(), Part::Tool(at)));
            }
        }
        parts.sort_by_key(|(range, _)| range.start);
        let mut from = 0;
        if new_system {
            from = object.span().start + 1;
            self.printer.copy(&text[..from]);
            self.printer.text.push_str("\"system\":");
            self.printer.write_at("/system", &system_value(&self.view, system));
            self.printer.text.push(',');
        }
        for (range, part) in parts {
            self.printer.copy(&text[from..range.start]);
            match part {
                Part::Messages => self.list(object.get(key), &format!("/{key}")),
                Part::System => self.printer.write_at("/system", &system_value(&self.view, system)),
                Part::Tool(at) => self.printer.write_at("", &Out::Str(Cow::Borrowed(&transcript.tools[at].name))),
            }
            from = range.end;
        }
        self.printer.copy(&text[from..]);
    }

    /// Whether the units are the source's wire messages, one for one.
    fn one_for_one(&self) -> bool {
        self.units.len() == self.source.len()
            && self.units.iter().zip(&self.source).all(|(unit, item)| match unit {
                Unit::Copy { value, .. } => value == item,
                Unit::Anew { from, like, .. } => {
                    let origin = self.messages[*from as usize].origin.map(|origin| origin.value);
                    like.or(origin) == Some(*item)
                }
            })
    }

    fn list(&mut self, like: Option<Value<'w>>, pointer: &str) {
        let text = self.writer.json.text();
        let one_for_one = self.one_for_one();
        let Some(list) = like.filter(|list| list.is_array() && one_for_one) else {
            let (lead, tail) = like.map_or(("", ""), super::out::margins);
            self.printer.text.push('[');
            for at in 0..self.units.len() {
                if at > 0 {
                    self.printer.text.push(',');
                }
                self.printer.text.push_str(lead);
                self.unit(at, &format!("{pointer}/{at}"));
            }
            if !self.units.is_empty() {
                self.printer.text.push_str(tail);
            }
            self.printer.text.push(']');
            return;
        };
        let mut from = list.span().start;
        for at in 0..self.units.len() {
            let span = self.writer.json.value(self.source[at]).span();
            self.printer.text.push_str(&text[from..span.start]);
            self.unit(at, &format!("{pointer}/{at}"));
            from = span.end;
        }
        self.printer.text.push_str(&text[from..list.span().end]);
    }

    fn lines(&mut self) {
        let text = self.writer.json.text();
        if self.one_for_one() {
            let mut from = 0;
            for at in 0..self.units.len() {
                let span = self.writer.json.value(self.source[at]).span();
                self.printer.text.push_str(&text[from..span.start]);
                self.unit(at, &format!("/{at}"));
                from = span.end;
            }
            self.printer.text.push_str(&text[from..]);
            return;
        }
        for at in 0..self.units.len() {
            if at > 0 {
                self.printer.text.push('\n');
            }
            self.unit(at, &format!("/{at}"));
        }
        if text.ends_with('\n') {
            self.printer.text.push('\n');
        }
    }

    /// Where the parts of a copied wire message stand.
    fn place_copied(&mut self, from: usize, value: u32, pointer: &str) {
        for message in &self.messages[from..] {
            let Some(origin) = message.origin.filter(|origin| origin.value == value) else { return };
            if !self.printer.wants(message.id) {
                continue;
            }
            let as_block = message.role == Role::ToolResult && message.source != Some(value);
            let place = if as_block { format!("{pointer}/content/{}", origin.part) } else { pointer.to_owned() };
            self.printer.places.insert(message.id, place);
        }
    }

    fn unit(&mut self, at: usize, pointer: &str) {
        match self.units[at] {
            Unit::Copy { from, value } => {
                self.printer.copy(self.writer.json.value(value).raw());
                self.place_copied(from as usize, value, pointer);
            }
            Unit::Anew { from, to, like } => {
                let messages: Vec<&'w Message<'a>> = self.messages[from as usize..to as usize].iter().collect();
                let like = like.map(|like| self.writer.json.value(like));
                let out = render(&self.view, &messages, like);
                self.printer.write_at(pointer, &out);
            }
        }
    }
}

/// The parts that the report asks for the place of.
fn wanted(writer: &Writer<'_, '_>) -> HashSet<u32> {
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
fn system_value<'w>(view: &View<'w, '_>, system: &'w [Message<'_>]) -> Out<'w> {
    let blocks: Vec<&'w Block<'_>> = system.iter().flat_map(|message| &message.blocks).collect();
    if let [block] = blocks.as_slice()
        && block.native.is_none()
        && !view.own(block.source).is_some_and(Value::is_object)
    {
        return Out::Str(Cow::Borrowed(block.text().unwrap_or_default()));
    }
    Out::List(blocks.into_iter().map(|block| super::anthropic_messages::render_block(view, block)).collect(), None)
}

fn render_tool<'w>(tool: &'w Tool<'_>, dialect: Dialect) -> Out<'w> {
    let mut object = Object::new();
    object.str("name", &*tool.name);
    if let Some(description) = &tool.description {
        object.str("description", &**description);
    }
    let schema = tool.parameters.unwrap_or("{\"type\":\"object\"}");
    object.set(if dialect == Dialect::AnthropicMessages { "input_schema" } else { "parameters" }, Out::Raw(schema));
    if dialect != Dialect::OpenAiChat {
        return object.out();
    }
    let mut outer = Object::new();
    outer.str("type", "function");
    outer.set("function", object.out());
    outer.out()
}

/// Says what the target's dialect has no place for.
pub(super) fn report_left_out(transcript: &Transcript<'_>, writer: &mut Writer<'_, '_>) {
    if writer.same {
        return;
    }
    if let Container::Object { object, key } = transcript.container {
        let known = |name: &str| {
            name == key || name == "tools" || (name == "system" && transcript.dialect == Dialect::AnthropicMessages)
        };
        for (name, value) in writer.json.value(object).members() {
            let name = name.as_str().unwrap_or_default();
            if !known(&name) {
                note(
                    writer,
                    &rule::NATIVE_FIELD_LEFT_OUT,
                    value.index(),
                    None,
                    format!("`{name}` belongs to the request, not to the conversation; left out"),
                );
            }
        }
    }
    if writer.target.dialect == Dialect::Canonical {
        return;
    }
    for message in &transcript.messages {
        let target = writer.target.dialect.name();
        let foreign = |native: &Option<Box<crate::transcript::Native<'_>>>| -> Vec<String> {
            native
                .iter()
                .flat_map(|native| &native.dialects)
                .filter(|(dialect, _)| dialect != target)
                .flat_map(|(_, fields)| fields)
                .map(|(key, _)| format!("`{key}`"))
                .collect()
        };
        let mut left: Vec<String> = foreign(&message.native);
        for block in &message.blocks {
            let fields = foreign(&block.native);
            if block.projected && fields.iter().any(|field| field == "`type`") {
                projection(writer, block);
            } else {
                left.extend(fields);
            }
        }
        if !left.is_empty() {
            left.dedup();
            if let Some(source) = message.source {
                note(
                    writer,
                    &rule::NATIVE_FIELD_LEFT_OUT,
                    source,
                    Some(message.id),
                    format!("only its own dialect knows {}; left out", left.join(", ")),
                );
            }
        }
    }
}

fn note(writer: &mut Writer<'_, '_>, rule: &'static Rule, source: u32, about: Option<u32>, message: String) {
    writer.entry(rule, Severity::Note, Some(source), about, message);
    if let Some(entry) = writer.report.notes.last_mut() {
        entry.lost = true;
    }
}

/// A block of which only a stand-in goes along.
fn projection(writer: &mut Writer<'_, '_>, block: &Block<'_>) {
    let Some(source) = block.source else { return };
    let value = writer.json.value(source);
    let kind = value.get("type").and_then(Value::as_str).unwrap_or_default();
    let (rule, severity): (&'static Rule, _) = match &*kind {
        "resource_link" => (&rule::RESOURCE_LINK_IN_TOOL_RESULT, Severity::Adapt),
        "audio" => (&rule::AUDIO_IN_TOOL_RESULT, Severity::Loss),
        "resource"
            if value.get("resource").is_some_and(|inner| inner.get("text").is_some()) || block.text().is_none() =>
        {
            (&rule::RESOURCE_IN_TOOL_RESULT, Severity::Adapt)
        }
        "resource" => (&rule::RESOURCE_IN_TOOL_RESULT, Severity::Loss),
        _ => (&rule::UNKNOWN_BLOCK, Severity::Adapt),
    };
    writer.entry(
        rule,
        severity,
        Some(source),
        Some(block.id),
        format!("a `{kind}` block stands as what a tool result can hold"),
    );
}
