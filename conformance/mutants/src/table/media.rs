//! Pictures that are lost, spoilt or in the wrong place.

use std::mem;

use wirecanon_core::Dialect;
use wirecanon_core::normalizer::Request;
use wirecanon_core::text;
use wirecanon_core::transcript::{Block, BlockKind, Message, Role, Transcript};

use crate::mutant::{Mutant, Wrong, steps};
use crate::walk;

pub(crate) const MUTANTS: &[Mutant] = &[
    Mutant {
        id: "media-after-each-result",
        does: "The pictures of each result follow it in a user message, in the middle of the batch.",
        source: "mindsdb/anton#230",
        breaks: "P1",
        wrong: Wrong::StepsFor(none_in_results, steps![Before("write", "media", after_each)]),
    },
    Mutant {
        id: "media-before-the-results",
        does: "The pictures of a batch stand in a user message before its results.",
        source: "bagofwords1/bagofwords#901",
        breaks: "P1",
        wrong: Wrong::StepsFor(none_in_results, steps![Before("write", "media", before_all)]),
    },
    Mutant {
        id: "pictures-of-results-dropped",
        does: "Where a result may hold no picture, a few words take its place and the picture is gone.",
        source: "BerriAI/litellm#23814",
        breaks: "P2",
        wrong: Wrong::StepsFor(none_in_results, steps![Before("write", "media", drop_from_results)]),
    },
    Mutant {
        id: "data-url-for-base64",
        does: "A picture is written as a data URL where bare base64 is wanted.",
        source: "ollama/ollama-js#68",
        breaks: "P1",
        wrong: Wrong::Steps(steps![After("repair", "media", as_data_url)]),
    },
    Mutant {
        id: "every-picture-is-a-jpeg",
        does: "Pictures are called `image/jpeg`, whatever their bytes are.",
        source: "vybestack/llxprt-code#2130",
        breaks: "P1",
        wrong: Wrong::Steps(steps![After("repair", "media", all_jpeg)]),
    },
    Mutant {
        id: "pictures-not-looked-into",
        does: "What says that it is a picture is sent, whether or not there are bytes of one.",
        source: "anthropics/claude-code#28684",
        breaks: "promises",
        wrong: Wrong::Steps(steps![Without("repair", "media/images")]),
    },
    Mutant {
        id: "declared-type-believed",
        does: "The type that a picture declares is sent, although its bytes are another.",
        source: "zed-industries/zed#47167",
        breaks: "P1",
        wrong: Wrong::Steps(steps![
            Before("repair", "media", remember_the_type),
            After("repair", "media", use_the_remembered),
        ]),
    },
    Mutant {
        id: "pictures-of-every-kind-sent",
        does: "Pictures of a kind that the server does not take are sent.",
        source: "anomalyco/opencode#21114",
        breaks: "P1",
        wrong: Wrong::StepsFor(some_in_results, steps![Without("write", "media")]),
    },
];

fn none_in_results(request: &Request<'_>) -> bool {
    !request.to.media.in_results && request.to.dialect != Dialect::Canonical
}

fn some_in_results(request: &Request<'_>) -> bool {
    request.to.media.in_results
}

fn is_picture(block: &Block<'_>) -> bool {
    matches!(block.kind, BlockKind::Image(_))
}

/// Takes the pictures out of a result.
fn taken<'a>(message: &mut Message<'a>) -> Vec<BlockKind<'a>> {
    let mut pictures = Vec::new();
    if message.role != Role::ToolResult {
        return pictures;
    }
    for block in message.blocks.iter_mut().filter(|block| is_picture(block)) {
        let stub = BlockKind::Text(text::IMAGE_FOLLOWS.into());
        pictures.push(mem::replace(&mut block.kind, BlockKind::Text("".into())));
        walk::becomes(block, stub);
        message.dirty = true;
    }
    pictures
}

fn of_user<'a>(transcript: &mut Transcript<'a>, label: &str, pictures: Vec<BlockKind<'a>>) -> Message<'a> {
    let label = Block::new(transcript.mint(), BlockKind::Text(text::media_label(label, None).into()));
    let pictures: Vec<_> = pictures.into_iter().map(|picture| Block::new(transcript.mint(), picture)).collect();
    Message::new(transcript.mint(), Role::User, std::iter::once(label).chain(pictures).collect())
}

fn after_each(transcript: &mut Transcript<'_>) {
    for mut message in mem::take(&mut transcript.messages) {
        let pictures = taken(&mut message);
        let id = message.result.as_ref().and_then(|head| head.call_id.clone()).unwrap_or_default();
        transcript.messages.push(message);
        if !pictures.is_empty() {
            let user = of_user(transcript, &id, pictures);
            transcript.messages.push(user);
        }
    }
}

fn before_all(transcript: &mut Transcript<'_>) {
    let mut batch: Vec<Message<'_>> = Vec::new();
    let mut pictures = Vec::new();
    let mut messages = mem::take(&mut transcript.messages).into_iter().peekable();
    while let Some(mut message) = messages.next() {
        pictures.extend(taken(&mut message));
        let is_result = message.role == Role::ToolResult;
        batch.push(message);
        if is_result && messages.peek().is_some_and(|next| next.role == Role::ToolResult) {
            continue;
        }
        if !pictures.is_empty() {
            let first = batch.first().and_then(|first| first.result.as_ref());
            let id = first.and_then(|head| head.call_id.clone()).unwrap_or_default();
            let user = of_user(transcript, &id, mem::take(&mut pictures));
            transcript.messages.push(user);
        }
        transcript.messages.append(&mut batch);
    }
}

fn drop_from_results(transcript: &mut Transcript<'_>) {
    walk::blocks(transcript, |role, block| {
        let gone = role == Role::ToolResult && is_picture(block);
        if gone {
            walk::becomes(block, BlockKind::Text("[image]".into()));
        }
        gone
    });
}

fn as_data_url(transcript: &mut Transcript<'_>) {
    walk::pictures(transcript, |picture| {
        let Some(data) = &picture.data else { return false };
        picture.data =
            Some(format!("data:{};base64,{data}", picture.mime_type.as_deref().unwrap_or("image/png")).into());
        true
    });
}

fn all_jpeg(transcript: &mut Transcript<'_>) {
    walk::pictures(transcript, |picture| {
        let other = picture.mime_type.as_deref() != Some("image/jpeg");
        picture.mime_type = Some("image/jpeg".into());
        other
    });
}

/// Where a picture's field survives the pass: a field of a dialect that there is not.
const MEMORY: &str = "memory";

fn remember_the_type(transcript: &mut Transcript<'_>) {
    for block in transcript.messages.iter_mut().flat_map(|message| &mut message.blocks) {
        let BlockKind::Image(picture) = &block.kind else { continue };
        let Some(declared) = picture.mime_type.clone().filter(|declared| !declared.trim().is_empty()) else { continue };
        block.native.get_or_insert_default().add(MEMORY, MEMORY, declared);
    }
}

fn use_the_remembered(transcript: &mut Transcript<'_>) {
    walk::blocks(transcript, |_, block| {
        let Some(native) = &mut block.native else { return false };
        let Some(declared) = native.get_mut(MEMORY, MEMORY).cloned() else { return false };
        native.dialects.retain(|(name, _)| name != MEMORY);
        if native.dialects.is_empty() {
            block.native = None;
        }
        let BlockKind::Image(picture) = &mut block.kind else { return false };
        let other = picture.mime_type.as_deref() != Some(&*declared);
        picture.mime_type = Some(declared);
        other
    });
}
