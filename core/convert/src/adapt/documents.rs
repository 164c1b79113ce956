//! Documents in tool results, for which canonical content has a text alone: where the target takes files, they go along, in
//! the result or behind its batch as pictures do; those that are words go as their words.

use crate::print::Writer;
use crate::read::carried_document::{Carried, carried_document};
use wirecanon_model::Dialect;
use wirecanon_model::report::Severity;
use wirecanon_model::rule::{self, Rule};
use wirecanon_model::target::Media;
use wirecanon_model::transcript::{BlockKind, Message, Native, Transcript};

pub(crate) fn run<'a>(transcript: &mut Transcript<'a>, writer: &mut Writer<'a, '_>) {
    if writer.target.dialect == Dialect::Canonical {
        return;
    }
    let source = transcript.dialect;
    for message in transcript.messages.iter_mut().filter(|message| message.result.is_some()) {
        let taken = takes_files(message, &writer.target.media);
        for block in &mut message.blocks {
            let Some(native) = block.native.as_deref().filter(|_| block.is_text()) else { continue };
            if is_at_home(native, taken, writer) {
                continue;
            }
            let Some((document, is_resource)) = carried_document(native) else { continue };
            let rule: &'static Rule =
                if is_resource { &rule::RESOURCE_IN_TOOL_RESULT } else { &rule::FILE_NOT_ACCEPTED };
            match document {
                Carried::Words(words) => {
                    let what = "a document of the result was kept as its words";
                    writer.entry(rule, Severity::Adapt, block.source, Some(block.id), what);
                    block.kind = BlockKind::Text(words.into());
                }
                Carried::File(file) if writer.target.media.takes_file(&file.mime_type) => {
                    if is_resource {
                        let what = "the target has no place for a `resource` block; the document in it stands alone";
                        writer.entry(rule, Severity::Adapt, block.source, Some(block.id), what);
                    }
                    block.kind = BlockKind::File(Box::new(file));
                }
                // A file that was found in an image block, of which no other entry tells.
                Carried::File(_) if source != Dialect::Canonical && native.of(source.name()).is_empty() => {
                    let what = "the target takes no such file in a result; a text stands for it";
                    writer.entry(rule, Severity::Loss, block.source, Some(block.id), what);
                }
                Carried::File(_) => continue,
            }
            (block.native, block.projected, block.dirty) = (None, false, true);
            message.dirty = true;
        }
    }
}

/// Whether the target takes documents in this result.
pub(crate) fn takes_files(result: &Message<'_>, limits: &Media) -> bool {
    let failed = result.result.as_ref().is_some_and(|head| head.is_error);
    limits.files_in_results && if failed { limits.in_error_results } else { limits.in_results }
}

/// Whether the document goes back to its own dialect as it was.
fn is_at_home(native: &Native<'_>, taken: bool, writer: &Writer<'_, '_>) -> bool {
    let target = writer.target;
    let is_server = !target.is_dialect() && !target.is_revision();
    let own = !native.of(target.dialect.name()).is_empty();
    own && (taken || !target.media.files_in_results && !is_server)
}
