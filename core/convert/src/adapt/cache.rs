//! Cache marks: `cache_control` of Anthropic, `cachePoint` of Bedrock. A request may have four ("A maximum of 4 blocks with
//! `cache_control` may be provided"), of which the last ones are what the next turn builds on; one that holds for an hour
//! does not stand behind one that holds for five minutes; and a mark says no more than its type and how long it holds.

use std::borrow::Cow;
use std::collections::HashSet;
use std::ops::Range;

use crate::adapt::files;
use crate::adapt::member::{member_of, set_field, set_member};
use crate::dialects::anthropic_messages::item::is_marker as is_anthropic_marker;
use crate::media;
use crate::print::Writer;
use crate::read::definitions::{foreign_items, list_of};
use wirecanon_json::{Json, Limits, Value};
use wirecanon_model::Dialect;
use wirecanon_model::report::Severity;
use wirecanon_model::rule::{self, Rule};
use wirecanon_model::transcript::{Block, BlockKind, Container, Edit, Native, Role, Transcript};

const MOST: usize = 4;
/// What a mark of Anthropic's may say ("`cache_control.ephemeral.scope`: Extra inputs are not permitted").
const SAYS: &[&str] = &["type", "ttl"];

pub(crate) fn run<'a>(transcript: &mut Transcript<'a>, writer: &mut Writer<'a, '_>) {
    let dialect = writer.target.dialect;
    if !matches!(dialect, Dialect::AnthropicMessages | Dialect::BedrockConverse) {
        return;
    }
    let mut tools = marks_of_tools(transcript, writer);
    if dialect == Dialect::AnthropicMessages {
        each(transcript, &mut tools, writer, |mark, _| shortened(mark));
        each(transcript, &mut tools, writer, |mark, _| malformed(mark));
    } else {
        behind_reasoning(transcript, writer);
        if !writer.target.media.marks_behind_files {
            behind_files(transcript, writer);
        }
        if !writer.target.content.marks_among_tools {
            let what = "the server takes no cache mark among the definitions of tools; taken off";
            each_of_tools(&mut tools, writer, |_| Some(misplaced(None, what)));
        }
    }
    surplus(transcript, &mut tools, writer);
    lifetimes(transcript, &mut tools, writer);
    write_marks_of_tools(transcript, tools, writer);
}

/// The member that is a mark.
fn key_of(dialect: Dialect) -> &'static str {
    if dialect == Dialect::BedrockConverse { "cachePoint" } else { "cache_control" }
}

/// What becomes of a mark, and why.
struct Change {
    /// What stands there now, if anything
    mark: Option<String>,
    rule: &'static Rule,
    severity: Severity,
    what: &'static str,
}

/// A mark among the definitions of tools.
struct ToolMark<'a> {
    /// The member of a definition of Anthropic's, or the item of Bedrock's list
    place: Value<'a>,
    /// JSON text of the mark, none once it is taken off
    text: Option<Cow<'a, str>>,
}

/// Goes over all marks in the order of the request, and over those within the content of a result, of which it says so.
fn each<'a>(
    transcript: &mut Transcript<'a>,
    tools: &mut [ToolMark<'a>],
    writer: &mut Writer<'a, '_>,
    mut change: impl FnMut(&str, bool) -> Option<Change>,
) {
    let dialect = writer.target.dialect;
    each_of_tools(tools, writer, |mark| change(mark, false));
    for message in &mut transcript.messages {
        let within = message.role == Role::ToolResult;
        for block in &mut message.blocks {
            let Some(mark) = mark_of(block, dialect) else { continue };
            let Some(change) = change(&mark, within) else { continue };
            writer.change(change.rule, change.severity, block, change.what);
            set_member(block, dialect, key_of(dialect), change.mark);
            block.source = None;
        }
        let Some(mark) = native_mark(message.native.as_deref(), dialect).map(str::to_owned) else { continue };
        let Some(change) = change(&mark, false) else { continue };
        writer.change(change.rule, change.severity, message, change.what);
        set_field(message.native.as_deref_mut(), dialect, key_of(dialect), change.mark);
        message.source = None;
    }
}

/// Goes over the marks among the definitions of tools.
fn each_of_tools<'a>(
    tools: &mut [ToolMark<'a>],
    writer: &mut Writer<'a, '_>,
    mut change: impl FnMut(&str) -> Option<Change>,
) {
    for tool in tools {
        let Some(change) = tool.text.as_deref().and_then(&mut change) else { continue };
        writer.entry(change.rule, change.severity, Some(tool.place.index()), None, change.what);
        tool.text = change.mark.map(Cow::Owned);
    }
}

fn native_mark<'n>(native: Option<&'n Native<'_>>, dialect: Dialect) -> Option<&'n str> {
    native?.get(dialect.name(), key_of(dialect)).filter(|mark| *mark != "null")
}

/// The mark of a block. An item that only Anthropic has holds it within.
fn mark_of<'b>(block: &'b Block<'_>, dialect: Dialect) -> Option<Cow<'b, str>> {
    member_of(block, dialect, key_of(dialect)).filter(|mark| mark != "null")
}

/// The mark without what the server refuses in it.
fn shortened(mark: &str) -> Option<Change> {
    let json = Json::parse(mark, &Limits { max_depth: usize::MAX }).ok()?;
    let root = json.root();
    if root.members().all(|(key, _)| SAYS.iter().any(|known| key.is_str(known))) {
        return None;
    }
    let kept: Vec<_> = SAYS.iter().filter_map(|key| Some(format!("\"{key}\":{}", root.get(key)?.raw()))).collect();
    Some(Change {
        mark: Some(format!("{{{}}}", kept.join(","))),
        rule: &rule::UNKNOWN_FIELD,
        severity: Severity::Loss,
        what: "the server refuses what the cache mark says beside `type` and `ttl`; left out",
    })
}

/// What stands in place of a mark and is none goes.
fn malformed(mark: &str) -> Option<Change> {
    let is_mark =
        Json::parse(mark, &Limits { max_depth: usize::MAX }).is_ok_and(|json| is_anthropic_marker(json.root()));
    (!is_mark).then_some(Change {
        mark: None,
        rule: &rule::UNKNOWN_FIELD,
        severity: Severity::Loss,
        what: "this is no cache mark that the server knows; left out",
    })
}

fn misplaced(mark: Option<String>, what: &'static str) -> Change {
    Change { mark, rule: &rule::CACHE_MARKER_MISPLACED, severity: Severity::Adapt, what }
}

/// Takes off the first marks of too many.
fn surplus<'a>(transcript: &mut Transcript<'a>, tools: &mut [ToolMark<'a>], writer: &mut Writer<'a, '_>) {
    let dialect = writer.target.dialect;
    let marks = transcript.messages.iter().map(|message| {
        usize::from(native_mark(message.native.as_deref(), dialect).is_some())
            + message.blocks.iter().filter(|block| mark_of(block, dialect).is_some()).count()
    });
    let beside = tools.iter().filter(|tool| tool.text.is_some()).count();
    let mut surplus = (marks.sum::<usize>() + beside).saturating_sub(MOST);
    if surplus == 0 {
        return;
    }
    each(transcript, tools, writer, |_, _| {
        surplus = surplus.checked_sub(1)?;
        Some(misplaced(None, "the request has more than four cache marks; the first were taken off"))
    });
}

/// Where a mark says that it holds for an hour, if it does.
fn hour(mark: &str) -> Option<Range<usize>> {
    let json = Json::parse(mark, &Limits::default()).ok()?;
    json.root().get("ttl").filter(|ttl| ttl.is_str("1h")).map(Value::span)
}

/// "A ttl='1h' `cache_control` block must not come after a ttl='5m' `cache_control` block": it holds for five minutes then. Where
/// a mark within a result stands in this order is not known.
fn lifetimes<'a>(transcript: &mut Transcript<'a>, tools: &mut [ToolMark<'a>], writer: &mut Writer<'a, '_>) {
    let mut short = false;
    each(transcript, tools, writer, |mark, within| {
        if within {
            return None;
        }
        let hour = hour(mark);
        short |= hour.is_none();
        let hour = hour.filter(|_| short)?;
        let shorter = format!("{}\"5m\"{}", &mark[..hour.start], &mark[hour.end..]);
        let what = "a cache mark of an hour stood behind one of five minutes; it holds for five minutes";
        Some(misplaced(Some(shorter), what))
    });
}

/// The marks among the definitions of tools, those that the server runs too: a definition that is written anew has none.
fn marks_of_tools<'a>(transcript: &Transcript<'a>, writer: &Writer<'a, '_>) -> Vec<ToolMark<'a>> {
    let Container::Object { object, .. } = transcript.container else { return Vec::new() };
    if !writer.same {
        return Vec::new();
    }
    let list = list_of(writer.json.value(object), transcript.dialect);
    let rewritten = foreign_items(list, &transcript.tools, transcript.dialect);
    let rewritten: HashSet<u32> = rewritten.iter().map(|item| item.value.index()).collect();
    let goes = |item: &Value<'_>| [&writer.removed_tools, &rewritten].iter().any(|set| set.contains(&item.index()));
    let marks = list.into_iter().flat_map(Value::items).filter(|item| !goes(item)).filter_map(|item| {
        let mark = item.get(key_of(transcript.dialect)).filter(|mark| !mark.is_null())?;
        let place = if transcript.dialect == Dialect::BedrockConverse { item } else { mark };
        Some(ToolMark { place, text: Some(Cow::Borrowed(mark.raw())) })
    });
    marks.collect()
}

fn write_marks_of_tools<'a>(transcript: &mut Transcript<'a>, tools: Vec<ToolMark<'a>>, writer: &mut Writer<'a, '_>) {
    let is_item = transcript.dialect == Dialect::BedrockConverse;
    for ToolMark { place, text } in tools {
        let text = match text {
            Some(Cow::Borrowed(_)) => continue,
            None if is_item => {
                writer.removed_tools.insert(place.index());
                continue;
            }
            Some(Cow::Owned(mark)) if is_item => format!(r#"{{"cachePoint":{mark}}}"#),
            Some(Cow::Owned(mark)) => mark,
            None => "null".to_owned(),
        };
        transcript.edits.push(Edit { at: place.span(), text });
    }
}

/// "Cache point cannot be inserted after reasoning block" (0xPlaygrounds/rig#1673).
fn behind_reasoning<'a>(transcript: &mut Transcript<'a>, writer: &mut Writer<'a, '_>) {
    for message in &mut transcript.messages {
        for block in message.blocks.iter_mut().filter(|block| matches!(block.kind, BlockKind::Thinking(_))) {
            if !take(block) {
                continue;
            }
            let what = "the server takes no cache mark right behind reasoning; taken off";
            writer.entry(&rule::CACHE_MARKER_MISPLACED, Severity::Adapt, block.source, Some(block.id), what);
            message.dirty = true;
        }
    }
}

fn take(block: &mut Block<'_>) -> bool {
    let dialect = Dialect::BedrockConverse;
    let taken = block.native.as_mut().is_some_and(|native| native.remove(dialect.name(), key_of(dialect)));
    block.dirty |= taken;
    taken
}

/// A mark right behind a document that is no PDF goes in front of it, and of others there (strands-agents/harness-sdk#1966);
/// without anything in front, or where a mark is there already, it goes.
fn behind_files<'a>(transcript: &mut Transcript<'a>, writer: &mut Writer<'a, '_>) {
    let dialect = Dialect::BedrockConverse;
    for message in transcript.messages.iter_mut().filter(|message| message.role == Role::User) {
        for at in 0..message.blocks.len() {
            if !is_converted(&message.blocks[at]) {
                continue;
            }
            let Some(mark) = native_mark(message.blocks[at].native.as_deref(), dialect).map(str::to_owned) else {
                continue;
            };
            take(&mut message.blocks[at]);
            message.dirty = true;
            let (source, about) = (message.blocks[at].source, message.blocks[at].id);
            let before = message.blocks[..at].iter_mut().rev().find(|block| !is_converted(block));
            let free = before.filter(|before| native_mark(before.native.as_deref(), dialect).is_none());
            let what = if let Some(before) = free {
                before.native.get_or_insert_default().add(dialect.name(), key_of(dialect), mark);
                before.dirty = true;
                "the server takes no cache mark right behind a document that is no PDF; put in front of it"
            } else {
                "the server takes no cache mark right behind a document that is no PDF; taken off"
            };
            writer.entry(&rule::CACHE_MARKER_MISPLACED, Severity::Adapt, source, Some(about), what);
        }
    }
}

/// Whether a block is a document that Bedrock itself turns into what the model reads.
fn is_converted(block: &Block<'_>) -> bool {
    let says_another = |text: &str, key: Option<&str>| {
        Json::parse(text, &Limits { max_depth: usize::MAX }).is_ok_and(|json| {
            let document = key.map_or(Some(json.root()), |key| json.root().get(key));
            document.and_then(|document| document.get("format")).is_some_and(|format| !format.is_str("pdf"))
        })
    };
    match &block.kind {
        BlockKind::File(file) => files::is_document(file) && !media::says_pdf(&file.mime_type),
        BlockKind::Opaque(item) => says_another(&item.value, Some("document")),
        BlockKind::Text(_) => block
            .native_field(Dialect::BedrockConverse.name(), "document")
            .is_some_and(|document| says_another(document, None)),
        _ => false,
    }
}
