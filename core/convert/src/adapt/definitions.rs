//! Tools of a request body on the way to another dialect: what is no function of the client's is told and left out, and those
//! of a space of names, with their calls, are called by both names.

use std::borrow::Cow;
use std::collections::{HashMap, HashSet};

use crate::adapt::ids::{Form, Taken};
use crate::print::{Writer, left_out};
use crate::read::definitions::{is_nothing, items, list_of, name_of, of_item, of_namespace, others};
use wirecanon_json::{Json, Limits, Value};
use wirecanon_model::report::{Renamed, Severity};
use wirecanon_model::transcript::{Block, BlockKind, Container, Edit, Tool, Transcript};
use wirecanon_model::{Dialect, rule};

/// The member of a call, in JSON text, that says in which space its tool is.
const NAMESPACE: &str = "namespace";

pub(crate) fn run<'a>(transcript: &mut Transcript<'a>, writer: &mut Writer<'a, '_>) {
    if writer.same {
        if transcript.dialect == Dialect::OpenAiChat && !writer.target.content.builtin_calls {
            builtin(transcript, writer);
        }
        leave_out_nothing(transcript, writer);
        return;
    }
    let mut spaces = Spaces::new(transcript);
    define(transcript, &mut spaces, writer);
    if transcript.dialect == Dialect::OpenAiResponses {
        calls(transcript, &mut spaces);
    }
    spaces.report(writer);
}

/// Adds what is defined elsewhere than as a function in the list of tools.
fn define<'a>(transcript: &mut Transcript<'a>, spaces: &mut Spaces, writer: &mut Writer<'a, '_>) {
    let Container::Object { object, .. } = transcript.container else { return };
    if transcript.dialect == Dialect::OpenAiResponses {
        additional(transcript, spaces, writer);
    }
    let body = writer.json.value(object);
    for (item, _) in others(body, transcript.dialect) {
        let read = tools_of(item, transcript.dialect, spaces, writer);
        transcript.tools.extend(read);
    }
    if writer.target.dialect != Dialect::Canonical {
        found_by_search(transcript, spaces, writer);
    }
}

/// Adds the tools that a search for tools found, which the model may call from then on (CommandCodeAI/command-code#893).
fn found_by_search<'a>(transcript: &mut Transcript<'a>, spaces: &mut Spaces, writer: &mut Writer<'a, '_>) {
    let is_canonical = transcript.dialect == Dialect::Canonical;
    let outputs: Vec<_> = transcript
        .messages
        .iter()
        .flat_map(|message| &message.blocks)
        .filter(|block| {
            matches!(&block.kind, BlockKind::Opaque(opaque) if opaque.dialect == Dialect::OpenAiResponses.name())
        })
        .filter_map(|block| {
            let item = writer.json.value(block.source?);
            if is_canonical { item.get("value") } else { Some(item) }
        })
        .filter(|item| item.get("type").is_some_and(|kind| kind.is_str("tool_search_output")))
        .collect();
    // A tool that was found twice is defined once.
    add_tools(&outputs, transcript, spaces, writer, |_, _, _| {});
}

/// Adds the tools that items define, and gives each that is defined already to `again`, with its definition.
fn add_tools<'a>(
    items_with_tools: &[Value<'a>],
    transcript: &mut Transcript<'a>,
    spaces: &mut Spaces,
    writer: &mut Writer<'a, '_>,
    again: impl Fn(&Tool<'a>, Value<'a>, &mut Writer<'a, '_>),
) {
    if items_with_tools.is_empty() {
        return;
    }
    let mut known: HashSet<_> = transcript.tools.iter().map(|tool| tool.name.clone()).collect();
    for item in items_with_tools.iter().filter_map(|item| item.get("tools")).flat_map(items) {
        for tool in tools_of(item, Dialect::OpenAiResponses, spaces, writer) {
            if known.insert(tool.name.clone()) {
                transcript.tools.push(tool);
            } else {
                again(&tool, item, writer);
            }
        }
    }
}

/// Returns the search for tools that the client runs, as a function.
fn client_search(item: Value<'_>) -> Option<Tool<'_>> {
    let is = |key: &str, text: &str| item.get(key).is_some_and(|value| value.is_str(text));
    let parameters = item.get("parameters").filter(|schema| schema.is_object())?;
    (is("type", "tool_search") && is("execution", "client")).then(|| Tool {
        name: Cow::Borrowed("tool_search"),
        description: item.get("description").and_then(Value::as_str),
        parameters: Some(Cow::Borrowed(parameters.raw())),
        source: item.index(),
        renamed: false,
        foreign: false,
    })
}

/// Leaves out items that define no tool, where that is allowed.
fn leave_out_nothing<'a>(transcript: &Transcript<'a>, writer: &mut Writer<'a, '_>) {
    let Container::Object { object, .. } = transcript.container else { return };
    let list = list_of(writer.json.value(object), transcript.dialect).filter(|_| transcript.dialect.is_of_provider());
    for item in list.into_iter().flat_map(items).filter(|item| is_nothing(*item)) {
        let what = format!(
            "tool `{}` is neither a function nor a tool of the server; left out",
            name_of(item, &mut writer.cursor)
        );
        writer.entry(&rule::TOOL_DEFINITION_MALFORMED, Severity::Loss, Some(item.index()), None, what);
        writer.removed_tools.insert(item.index());
    }
}

/// Built-in functions of another server are functions here.
fn builtin<'a>(transcript: &mut Transcript<'a>, writer: &mut Writer<'a, '_>) {
    let Container::Object { object, .. } = transcript.container else { return };
    let tools = writer.json.value(object).get("tools").into_iter().flat_map(items);
    for kind in tools.filter_map(|item| item.get("type")).filter(|kind| kind.is_str("builtin_function")) {
        transcript.edits.push(Edit { at: kind.span(), text: r#""function""#.to_owned() });
        let words = "a built-in function of another server became a function";
        writer.entry(&rule::FIELD_ALIAS, Severity::Adapt, Some(kind.index()), None, words);
    }
}

/// The tools of an item of a list of tools: those of a space of names have both names, and one that is no function of the client's is
/// told.
fn tools_of<'a>(item: Value<'a>, dialect: Dialect, spaces: &mut Spaces, writer: &mut Writer<'a, '_>) -> Vec<Tool<'a>> {
    if let Some((space, tools)) = of_namespace(item) {
        return tools
            .into_iter()
            .map(|tool| Tool { name: spaces.name(&space, &tool.name, Some(tool.source)).into(), ..tool })
            .collect();
    }
    if let Some(search) = client_search(item).filter(|_| dialect == Dialect::OpenAiResponses) {
        return vec![search];
    }
    let read = of_item(item, dialect);
    if read.is_empty() && item.get("cachePoint").is_none() {
        let what = format!("tool `{}` is no function of the client's; left out", name_of(item, &mut writer.cursor));
        left_out::note(writer, &rule::NATIVE_FIELD_LEFT_OUT, item.index(), None, what);
    }
    read
}

/// Tools that an item of the input defines are tools of the request.
fn additional<'a>(transcript: &mut Transcript<'a>, spaces: &mut Spaces, writer: &mut Writer<'a, '_>) {
    let mut found = Vec::new();
    transcript.messages.retain_mut(|message| {
        let before = message.blocks.len();
        message.blocks.retain(|block| {
            let BlockKind::Opaque(opaque) = &block.kind else { return true };
            let item = block.source.map(|source| writer.json.value(source));
            let item = item.filter(|item| {
                opaque.dialect == Dialect::OpenAiResponses.name()
                    && item.get("type").is_some_and(|kind| kind.is_str("additional_tools"))
            });
            found.extend(item);
            item.is_none()
        });
        let has_lost = message.blocks.len() != before;
        message.dirty |= has_lost;
        !(has_lost && message.blocks.is_empty())
    });
    add_tools(&found, transcript, spaces, writer, |tool, item, writer| {
        let what = format!("tool `{}` is defined already; this definition was left out", tool.name);
        left_out::note(writer, &rule::NATIVE_FIELD_LEFT_OUT, item.index(), None, what);
    });
}

fn calls(transcript: &mut Transcript<'_>, spaces: &mut Spaces) {
    for at in 0..transcript.messages.len() {
        let (turn, rest) = transcript.messages[at..].split_at_mut(1);
        let results = rest.iter_mut().take_while(|next| next.result.is_some());
        let mut renamed: Vec<(String, String)> = Vec::new();
        for block in &mut turn[0].blocks {
            let Some(space) = space(block) else { continue };
            let BlockKind::ToolCall(call) = &mut block.kind else { continue };
            let Some(name) = &mut call.name else { continue };
            let whole = spaces.name(&space, name, block.source);
            renamed.extend(call.id.as_deref().map(|id| (id.to_owned(), whole.clone())));
            *name = Cow::Owned(whole);
            if let Some(native) = &mut block.native {
                native.remove(Dialect::OpenAiResponses.name(), NAMESPACE);
            }
        }
        if renamed.is_empty() {
            continue;
        }
        let renamed: HashMap<_, _> = renamed.into_iter().collect();
        for head in results.filter_map(|result| result.result.as_mut()) {
            let whole = head.call_id.as_deref().and_then(|id| renamed.get(id));
            if let (Some(whole), Some(_)) = (whole, &head.tool_name) {
                head.tool_name = Some(Cow::Owned(whole.clone()));
            }
        }
    }
}

/// Names of tools in spaces, each of its own (P10).
struct Spaces {
    names: HashMap<(String, String), String>,
    /// Names that are given
    taken: Taken,
    /// Names that two tools would have, and what the later one is called
    clashes: Vec<(String, String, Option<u32>)>,
}

impl Spaces {
    /// Reserves the names of tools that are in no space.
    fn new(transcript: &Transcript<'_>) -> Self {
        let defined = transcript.tools.iter().map(|tool| tool.name.clone().into_owned());
        let blocks = transcript.messages.iter().flat_map(|message| &message.blocks);
        let called = blocks.filter_map(|block| match &block.kind {
            BlockKind::ToolCall(call) if space(block).is_none() => call.name.clone().map(Cow::into_owned),
            _ => None,
        });
        let taken = Taken::new(defined.chain(called).collect());
        Self { names: HashMap::new(), taken, clashes: Vec::new() }
    }

    /// The name of a tool in a space. OpenAI gives a tool without a space one of its own name.
    fn name(&mut self, space: &str, name: &str, source: Option<u32>) -> String {
        let space = space.trim();
        if space.is_empty() || space == name {
            return name.to_owned();
        }
        let tool = (space.to_owned(), name.to_owned());
        if let Some(known) = self.names.get(&tool) {
            return known.clone();
        }
        let whole = format!("{space}{name}");
        let new = self.taken.fresh(&whole, Form::up_to(None, None));
        if new != whole {
            self.clashes.push((whole, new.clone(), source));
        }
        self.names.insert(tool, new.clone());
        new
    }

    fn report(self, writer: &mut Writer<'_, '_>) {
        for (from, to, source) in self.clashes {
            let what = format!("another tool is called `{from}`; with the name of its space this one became `{to}`");
            writer.entry(&rule::DUPLICATE_TOOL_NAME, Severity::Adapt, source, None, what);
            let input = writer.value(source).map(|value| writer.cursor.pointer(value));
            writer.report.names.push(Renamed { from, to, input });
        }
    }
}

/// Returns the space of names in which the tool of a call is.
fn space(block: &Block<'_>) -> Option<String> {
    space_of(block.native_field(Dialect::OpenAiResponses.name(), NAMESPACE))
}

fn space_of(raw: Option<&str>) -> Option<String> {
    let json = Json::parse(raw?, &Limits::default()).ok()?;
    json.root().as_str().filter(|space| !space.trim().is_empty()).map(Cow::into_owned)
}
