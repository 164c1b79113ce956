//! Blocks that one protocol has and another has not.

use wirecanon_core::transcript::{Block, BlockKind, Media, Role, Transcript};

use crate::mutant::{Mutant, Wrong, steps};
use crate::walk;

pub(crate) const MUTANTS: &[Mutant] = &[
    Mutant {
        id: "links-cast-to-pictures",
        does: "Every block of a result that is no text is cast to a picture, a link to a resource too.",
        source: "openclaw/openclaw#90710",
        breaks: "promises",
        wrong: Wrong::Steps(steps![After("repair", "media", cast)]),
    },
    Mutant {
        id: "results-with-an-odd-block-dropped",
        does: "One block of an unknown kind costs the whole content of its result.",
        source: "kirodotdev/Kiro#8960",
        breaks: "P2",
        wrong: Wrong::Steps(steps![Before("repair", "pairing", drop_all)]),
    },
    Mutant {
        id: "resources-dropped",
        does: "Links, resources and recordings of a result are left out.",
        source: "agno-agi/agno#10033",
        breaks: "P2",
        wrong: Wrong::Steps(steps![Before("repair", "pairing", drop_odd)]),
    },
    Mutant {
        id: "structured-content-dropped",
        does: "What a result says in its structured content alone is not shown to the model.",
        source: "nicobailon/pi-mcp-adapter#113",
        breaks: "P2",
        wrong: Wrong::Steps(steps![Before("repair", "pairing", drop_structured)]),
    },
    Mutant {
        id: "server-tools-dropped",
        does: "A server's own call and its result are taken for junk and left out.",
        source: "can1357/oh-my-pi#6496",
        breaks: "P4",
        wrong: Wrong::Steps(steps![Before("repair", "pairing", drop_opaque)]),
    },
];

/// Whether a text stands for a link, a resource or a recording.
fn is_odd(role: Role, block: &Block<'_>) -> bool {
    let Some(words) = block.as_text().filter(|_| role == Role::ToolResult) else { return false };
    let Some((label, rest)) = words.strip_prefix('[').and_then(|words| words.split_once(']')) else { return false };
    let names_a_kind = label.starts_with("audio ") || label.starts_with("resource");
    names_a_kind || rest.strip_prefix(' ').is_some_and(|rest| rest.contains("://") && !rest.contains(' '))
}

fn cast(transcript: &mut Transcript<'_>) {
    walk::blocks(transcript, |role, block| {
        let odd = is_odd(role, block);
        if odd {
            walk::becomes(block, BlockKind::Image(Box::new(Media { data: None, mime_type: None })));
        }
        odd
    });
}

fn drop_all(transcript: &mut Transcript<'_>) {
    for message in &mut transcript.messages {
        let role = message.role;
        if message.blocks.iter().any(|block| is_odd(role, block)) {
            message.blocks.truncate(1);
            message.dirty = true;
            for block in &mut message.blocks {
                walk::becomes(block, BlockKind::Text("Unsupported response item type".into()));
            }
        }
    }
}

fn drop_odd(transcript: &mut Transcript<'_>) {
    walk::without_blocks(transcript, |message, block| is_odd(message.role, block));
}

fn drop_structured(transcript: &mut Transcript<'_>) {
    walk::without_blocks(transcript, |message, block| {
        message.role == Role::ToolResult
            && block.projected
            && block.as_text().is_some_and(|words| words.starts_with(['{', '[']) && !is_odd(message.role, block))
    });
}

fn drop_opaque(transcript: &mut Transcript<'_>) {
    walk::without_blocks(transcript, |_, block| matches!(block.kind, BlockKind::Opaque(_)));
}
