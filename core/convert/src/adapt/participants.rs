//! Names of participants, which OpenAI spells in the characters of tool names.

use crate::adapt::ids::{Form, Taken, respell};
use crate::print::Writer;
use wirecanon_json::quote;
use wirecanon_model::transcript::{Role, Transcript};
use wirecanon_model::{Dialect, rule, target};

pub(crate) fn run<'a>(transcript: &mut Transcript<'a>, writer: &mut Writer<'a, '_>) {
    let limits = writer.target.names.clone();
    if writer.target.dialect != Dialect::OpenAiChat || limits.also.is_none() {
        return;
    }
    for message in transcript.messages.iter_mut().filter(|message| message.role != Role::ToolResult) {
        let Some(native) = &mut message.native else { continue };
        let Some(value) = native.get_mut(Dialect::OpenAiChat.name(), "name") else { continue };
        let Ok(name) = serde_json::from_str::<String>(value) else { continue };
        if limits.accepts(&name) {
            continue;
        }
        let form = Form::up_to(limits.max_length, limits.also.as_deref());
        let new = Taken::default().fresh(&respell(&name, limits.also.as_deref()), form);
        *value = quote(&new).into();
        let rule = if target::charset(limits.also.as_deref(), &name) {
            &rule::TOOL_NAME_LENGTH
        } else {
            &rule::TOOL_NAME_CHARACTERS
        };
        writer.adapt(rule, message, format!("the participant's name `{name}` became `{new}`"));
    }
}
