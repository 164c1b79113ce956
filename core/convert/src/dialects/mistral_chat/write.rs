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
    let mut object = Object::new();
    match &block.kind {
        BlockKind::Thinking(thinking) => {
            object.str("type", "thinking");
            // References among the words, or words in several pieces.
            let whole = block.native_field(view.target.dialect.name(), "thinking");
            object.set(
                "thinking",
                match whole {
                    Some(list) => Out::Text(Cow::Borrowed(list)),
                    None => {
                        let mut text = Object::new();
                        text.str("type", "text");
                        text.str("text", &*thinking.text);
                        Out::List(vec![text.out()], None)
                    }
                },
            );
            if let Some(signature) = &thinking.signature {
                object.str("signature", &**signature);
            }
        }
        BlockKind::File(file) => match file.mime_type.strip_prefix("audio/") {
            Some(_) => {
                object.str("type", "input_audio");
                object.str("input_audio", &*file.data);
            }
            None => {
                object.str("type", "document_url");
                object.str("document_url", format!("data:{};base64,{}", file.mime_type, file.data));
                if let Some(name) = &file.name {
                    object.str("document_name", &**name);
                }
            }
        },
        _ => return None,
    }
    add_native(view, &mut object, block.native.as_deref(), |key| key != "type");
    Some(object.out())
}
