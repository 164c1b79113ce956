//! Rendering Mistral: Chat Completions with reasoning, documents and recordings as chunks of its own.

use std::borrow::Cow;

use crate::dialects::openai_chat::write::{Form, render};
use crate::print::block::add_native;
use crate::print::out::{Object, Out};
use crate::print::{Renderer, View};
use wirecanon_model::transcript::{Block, BlockKind};

pub(crate) static RENDERER: Renderer =
    Renderer { render: |view, group, like| render(view, group, like, &FORM), ..Renderer::COMMON };

const FORM: Form = Form { reasoning: &[], part, names_results: true };

fn part<'w>(view: &View<'w, '_>, block: &'w Block<'_>) -> Option<Out<'w>> {
    let mut object = match &block.kind {
        BlockKind::Thinking(thinking) => {
            // References among the words, or words in several pieces.
            // References among the words, or words in several pieces.
            let words = match block.native_field(view.target.dialect.name(), "thinking") {
                Some(list) => Out::Text(Cow::Borrowed(list)),
                None => Out::List(vec![Object::typed("text").with("text", &*thinking.text).out()], None),
            };
            Object::typed("thinking").with("thinking", words).with_some("signature", thinking.signature.as_deref())
        }
        BlockKind::File(file) if file.mime_type.starts_with("audio/") => {
            Object::typed("input_audio").with("input_audio", &*file.data)
        }
        BlockKind::File(file) => Object::typed("document_url")
            .with("document_url", format!("data:{};base64,{}", file.mime_type, file.data))
            .with_some("document_name", file.name.as_deref()),
        _ => return None,
    };
    object = add_native(view, object, block.native.as_deref(), |key| key != "type");
    Some(object.out())
}
