//! The name of a lone result, which no call around it can tell, where results must have one.

use std::borrow::Cow;

use crate::print::Writer;
use wirecanon_model::transcript::Transcript;
use wirecanon_model::{Dialect, rule, text};

pub(crate) fn run<'a>(transcript: &mut Transcript<'a>, writer: &mut Writer<'a, '_>) {
    if !transcript.fragment || writer.target.dialect != Dialect::GeminiContents {
        return;
    }
    for message in &mut transcript.messages {
        let Some(head) = message.result.as_mut().filter(|head| head.tool_name.is_none()) else { continue };
        head.tool_name = Some(Cow::Borrowed(text::UNNAMED_TOOL));
        let words = "the target wants the name of the tool, and nothing tells it";
        writer.adapt(&rule::TOOL_RESULT_NAME_MISSING, message, words);
    }
}
