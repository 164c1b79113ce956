//! The name of a lone result, which no call around it can tell, where results must have one.

use std::borrow::Cow;

use super::super::Writer;
use crate::dialect::Dialect;
use crate::report::Severity;
use crate::rule;
use crate::text;
use crate::transcript::Transcript;

pub(super) fn run<'a>(transcript: &mut Transcript<'a>, writer: &mut Writer<'a, '_>) {
    if !transcript.fragment || writer.target.dialect != Dialect::GeminiContents {
        return;
    }
    for message in &mut transcript.messages {
        let Some(head) = message.result.as_mut().filter(|head| head.tool_name.is_none()) else { continue };
        head.tool_name = Some(Cow::Borrowed(text::UNNAMED_TOOL));
        message.dirty = true;
        let (source, about) = (message.source, Some(message.id));
        let words = "the target wants the name of the tool, and nothing tells it";
        writer.entry(&rule::TOOL_RESULT_NAME_MISSING, Severity::Adapt, source, about, words);
    }
}
