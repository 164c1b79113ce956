//! Labels of media that moved behind their results name the call by the id and the name that the target gets.

use std::collections::HashMap;

use crate::print::Writer;
use wirecanon_model::text;
use wirecanon_model::transcript::{self, BlockKind, Transcript};

/// Rewrites the labels of this run, whose ids and names may have been respelled since.
pub(crate) fn run<'a>(transcript: &mut Transcript<'a>, writer: &mut Writer<'a, '_>) {
    if writer.labels.is_empty() {
        return;
    }
    let results: HashMap<u32, &transcript::ResultHead<'a>> =
        transcript.messages.iter().filter_map(|message| Some((message.id, message.result.as_deref()?))).collect();
    let labels: HashMap<u32, String> = std::mem::take(&mut writer.labels)
        .into_iter()
        .filter_map(|(block, message)| {
            let head = results.get(&message)?;
            Some((block, text::media_label(head.call_id.as_deref()?, head.tool_name.as_deref())))
        })
        .collect();
    for block in transcript.messages.iter_mut().flat_map(|message| &mut message.blocks) {
        if let Some(label) = labels.get(&block.id) {
            block.kind = BlockKind::Text(label.clone().into());
        }
    }
}
