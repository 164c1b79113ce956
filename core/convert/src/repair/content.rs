//! Content: blank blocks go, empty results say so, turns with nothing left go.

use crate::dialects::Described as _;
use crate::repair::Repairs;
use wirecanon_json::{Json, Limits, Value};
use wirecanon_model::report::Severity;
use wirecanon_model::transcript::{Block, BlockKind, Message, Role, StopReason, Transcript};
use wirecanon_model::{Dialect, rule, text};

pub(crate) fn run<'a>(transcript: &mut Transcript<'a>, repairs: &mut Repairs<'a, '_>) {
    let (dialect, steps) = (transcript.dialect, repairs.steps);
    let mut emptied = Vec::new();
    for at in 0..transcript.messages.len() {
        if transcript.messages[at].blocks.is_empty() && transcript.messages[at].role != Role::Assistant {
            // A turn without a word stays a turn.
            let id = transcript.mint();
            transcript.messages[at].blocks.push(Block::new(id, BlockKind::Text("".into())));
            transcript.messages[at].dirty = true;
        }
        let message = &mut transcript.messages[at];
        if steps.repair("content/blank-text") {
            blank_blocks(message, dialect, repairs);
        }
        match message.role {
            Role::ToolResult if steps.repair("content/empty-result") => empty_result(message, dialect, repairs),
            Role::Assistant if message.blocks.iter().all(Block::is_blank) => emptied.push(at),
            _ => {}
        }
        if steps.repair("content/stop-reason") {
            stop_reason(message, dialect, repairs);
        }
    }
    if emptied.is_empty() || !steps.repair("content/empty-turn") {
        return;
    }
    for at in &emptied {
        let message = &transcript.messages[*at];
        let (severity, words) = if says_more(message, dialect) {
            (Severity::Loss, "a turn of the assistant without content was left out, with what its other fields say")
        } else {
            (Severity::Mend, "a turn of the assistant with nothing in it was left out")
        };
        repairs.entry(&rule::EMPTY_MESSAGE, severity, message.source, None, words);
    }
    let mut emptied = emptied.into_iter().peekable();
    let mut at = 0;
    transcript.messages.retain(|_| {
        let gone = emptied.next_if_eq(&at).is_some();
        at += 1;
        !gone
    });
}

/// Returns whether a field that only its dialect knows holds a list of objects, as frameworks keep calls beside the content, or
/// is named as what a message says.
fn says_more(message: &Message<'_>, dialect: Dialect) -> bool {
    let fields = || message.native_of(dialect.name()).iter();
    if fields().any(|(key, raw)| WORDS.contains(&&**key) && !matches!(&**raw, "null" | "\"\"" | "[]" | "{}")) {
        return true;
    }
    let list = |value: Value<'_>| value.items().any(Value::is_object);
    fields().filter_map(|(_, raw)| Json::parse(raw, &Limits::default()).ok()).any(|json| {
        let root = json.root();
        list(root) || root.members().any(|(_, member)| list(member))
    })
}

/// Names under which programs keep what a message says.
const WORDS: [&str; 7] = ["parts", "contents", "blocks", "items", "text", "output", "result"];

/// Takes blank texts out from among others.
fn blank_blocks<'a>(message: &mut Message<'a>, dialect: Dialect, repairs: &mut Repairs<'a, '_>) {
    let blank = message.blocks.iter().filter(|block| block.is_blank()).count();
    if blank == 0 || message.blocks.len() == 1 {
        return;
    }
    // Where they may stand they do, until the result is written elsewhere.
    let allowed = dialect.spec().blank_in_results && message.role == Role::ToolResult && is_as_read(message);
    if allowed && blank < message.blocks.len() {
        return;
    }
    // White space as the whole text beside calls is how a dialect with calls outside its content says nothing.
    let outside = dialect.spec().calls_beside_content && message.role == Role::Assistant;
    let mut keep_one = blank == message.blocks.len();
    let id = message.id;
    message.blocks.retain(|block| {
        if !block.is_blank() || std::mem::take(&mut keep_one) {
            return true;
        }
        let silent = allowed || outside && block.source.is_some_and(|source| repairs.json.value(source).is_string());
        if !silent {
            let what = "a blank text beside other blocks was left out";
            repairs.entry(&rule::BLANK_TEXT, Severity::Mend, block.source, Some(id), what);
            message.dirty = true;
        }
        false
    });
}

/// Whether the blank texts of a message stood in it so.
fn is_as_read(message: &Message<'_>) -> bool {
    message.blocks.iter().filter(|block| block.is_blank()).all(|block| !block.dirty && block.source.is_some())
}

/// A result whose only text is blank says that there was no output. Dialects that accept it get their own bytes back.
fn empty_result<'a>(message: &mut Message<'a>, dialect: Dialect, repairs: &mut Repairs<'a, '_>) {
    let [block] = message.blocks.as_mut_slice() else { return };
    if !block.is_blank() {
        return;
    }
    let accepted = dialect.spec().blank_results && !block.dirty;
    block.kind = BlockKind::Text(text::NO_OUTPUT.into());
    if accepted {
        block.projected = true;
        return;
    }
    block.dirty = true;
    message.dirty = true;
    let what = format!("the result holds nothing; `{}` says so", text::NO_OUTPUT);
    repairs.entry(&rule::EMPTY_TOOL_RESULT, Severity::Mend, block.source.or(message.source), Some(message.id), what);
}

/// A turn that stopped for its tools, and calls none, stopped.
fn stop_reason<'a>(message: &mut Message<'a>, dialect: Dialect, repairs: &mut Repairs<'a, '_>) {
    if message.stop_reason != Some(StopReason::ToolUse) || message.calls().next().is_some() {
        return;
    }
    message.stop_reason = Some(StopReason::Stop);
    if dialect.spec().stop_reasons {
        let what = "the turn stopped for its tools but calls none; its stop reason became `stop`";
        repairs.mend(&rule::STOP_REASON_WITHOUT_CALL, message, what);
    }
}
