//! Signatures on calls: Gemini 3 wants one on the first call of each step since the user last spoke. A call of another
//! provider has none; it gets the value that the documentation gives for histories that the model did not write. What
//! OpenRouter signed, and a program kept, goes to no other server of Chat Completions.

use crate::print::Writer;
use crate::read::thought_signature::DETAILS as REASONING_DETAILS;
use wirecanon_model::transcript::{Block, BlockKind, Message, Role, Transcript};
use wirecanon_model::{Dialect, Mode, rule};

/// Documented for calls that the model did not sign. Source: Gemini API reference, "Thought signatures".
const UNSIGNED: &str = "\"skip_thought_signature_validator\"";
const KEYS: [&str; 2] = ["thoughtSignature", "thought_signature"];

pub(crate) fn run<'a>(transcript: &mut Transcript<'a>, writer: &mut Writer<'a, '_>) {
    let target = writer.target;
    let refused = target.dialect == Dialect::OpenAiChat && !target.reasoning.details;
    if refused && transcript.dialect == Dialect::OpenClaw {
        for native in transcript.messages.iter_mut().filter_map(|message| message.native.as_deref_mut()) {
            native.remove(Dialect::OpenAiChat.name(), REASONING_DETAILS);
        }
    }
    if !writer.target.reasoning.signed_calls || writer.mode == Mode::History {
        return;
    }
    let from = transcript.messages.iter().rposition(speaks).unwrap_or_default();
    for message in &mut transcript.messages[from..] {
        let Some(block) = message.blocks.iter_mut().find(|block| matches!(block.kind, BlockKind::ToolCall(_))) else {
            continue;
        };
        if is_signed(block) {
            continue;
        }
        let native = block.native.get_or_insert_default();
        for key in KEYS {
            native.remove(Dialect::GeminiContents.name(), key);
        }
        native.add(Dialect::GeminiContents.name(), KEYS[0], UNSIGNED);
        let what = "the first call of the step has no signature; it was marked as not signed by the model";
        writer.adapt(&rule::THOUGHT_SIGNATURE_MISSING, block, what);
    }
}

/// Whether the user speaks: words in a content with results are no new turn for certain.
fn speaks(message: &Message<'_>) -> bool {
    message.role == Role::User && message.origin.is_none_or(|origin| origin.parts == 1)
}

fn is_signed(block: &Block<'_>) -> bool {
    let mut fields = block.native_of(Dialect::GeminiContents.name()).iter();
    fields.any(|(key, value)| KEYS.contains(&&**key) && value != "null")
}
