//! Files in tool results, which only Gemini 3 and later take: elsewhere the text that stands for them is all that is left.

use crate::print::Writer;
use wirecanon_json::{Json, Limits, Value};
use wirecanon_model::report::Severity;
use wirecanon_model::target::Media;
use wirecanon_model::transcript::{Native, Transcript};
use wirecanon_model::{Dialect, rule};

pub(crate) fn run<'a>(transcript: &mut Transcript<'a>, writer: &mut Writer<'a, '_>) {
    if writer.target.dialect != Dialect::GeminiContents || writer.target.is_dialect() {
        return;
    }
    let media = writer.target.media.clone();
    for message in transcript.messages.iter_mut().filter(|message| message.result.is_some()) {
        for block in &mut message.blocks {
            if !block.is_text() || !is_refused(block.native.as_deref(), &media) {
                continue;
            }
            block.native = None;
            block.projected = false;
            let what = "the target takes no files in results; a text stands for it";
            writer.change(&rule::MEDIA_IN_TOOL_RESULT, Severity::Loss, block, what);
        }
    }
}

/// Whether a block stands for a file that the target does not take; nothing is said of one that stands elsewhere.
fn is_refused(native: Option<&Native<'_>>, media: &Media) -> bool {
    let fields = native.map_or(&[][..], |native| native.of(Dialect::GeminiContents.name()));
    let held = |key: &str| matches!(key, "inlineData" | "inline_data" | "fileData" | "file_data");
    let Some((key, value)) = fields.iter().find(|(key, _)| held(key)) else { return false };
    if !media.in_results || key.starts_with("file") {
        return !media.in_results;
    }
    let Ok(json) = Json::parse(value, &Limits::default()) else { return true };
    let kind = json.root().get("mimeType").or_else(|| json.root().get("mime_type"));
    !kind.and_then(Value::as_str).is_some_and(|kind| media.takes_file(&kind))
}
