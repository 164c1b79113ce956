//! Files in tool results, which only Gemini 3 and later take: elsewhere the text that stands for them is all that is left.

use super::super::Writer;
use crate::dialect::Dialect;
use crate::json::{Json, Limits};
use crate::report::Severity;
use crate::rule;
use crate::transcript::{Native, Transcript};

pub(super) fn run<'a>(transcript: &mut Transcript<'a>, writer: &mut Writer<'a, '_>) {
    if writer.target.dialect != Dialect::GeminiContents || writer.target.is_dialect() {
        return;
    }
    let media = writer.target.media.clone();
    for message in transcript.messages.iter_mut().filter(|message| message.result.is_some()) {
        for block in &mut message.blocks {
            let Some(kind) = file_type(block.native.as_deref()).filter(|_| block.text().is_some()) else { continue };
            let taken = kind.is_none_or(|kind| media.takes_file(&kind));
            if media.in_results && taken {
                continue;
            }
            block.native = None;
            block.projected = false;
            block.dirty = true;
            message.dirty = true;
            writer.entry(
                &rule::MEDIA_IN_TOOL_RESULT,
                Severity::Loss,
                block.source,
                Some(block.id),
                "the target takes no files in results; a text stands for it",
            );
        }
    }
}

/// What kind of file a block stands for; nothing is said of one that stands elsewhere.
fn file_type(native: Option<&Native<'_>>) -> Option<Option<String>> {
    let fields = native?.of(Dialect::GeminiContents.name());
    let (key, value) =
        fields.iter().find(|(key, _)| matches!(&**key, "inlineData" | "inline_data" | "fileData" | "file_data"))?;
    if key.starts_with("file") {
        return Some(None);
    }
    let json = Json::parse(value, &Limits::default()).ok()?;
    let kind = json.root().get("mimeType").or_else(|| json.root().get("mime_type"))?;
    Some(kind.as_str().map(std::borrow::Cow::into_owned))
}
