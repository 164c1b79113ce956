//! Words that are lost, changed or left blank.

use std::collections::HashSet;

use wirecanon_core::transcript::{BlockKind, Message, Role, Transcript};

use crate::mutant::{Mutant, Wrong, steps};
use crate::walk;

pub(crate) const MUTANTS: &[Mutant] = &[
    Mutant {
        id: "blank-texts-kept",
        does: "A blank text beside other blocks is sent.",
        source: "anthropics/claude-code#52689",
        breaks: "known",
        wrong: Wrong::Steps(steps![Without("repair", "content/blank-text")]),
    },
    Mutant {
        id: "empty-results-dropped",
        does: "A filter for empty messages takes the results of tools that said nothing, and leaves their calls.",
        source: "posit-dev/positron#7799",
        breaks: "P1",
        wrong: Wrong::Steps(steps![Before("repair", "content", drop_empty_results)]),
    },
    Mutant {
        id: "empty-results-left-empty",
        does: "A result of a tool that said nothing is sent without a word.",
        source: "Just-Curieous/Curie#14",
        breaks: "known",
        wrong: Wrong::Steps(steps![Without("repair", "content/empty-result")]),
    },
    Mutant {
        id: "empty-turns-kept",
        does: "A turn of the model with nothing in it stays in the history.",
        source: "openclaw/openclaw#11986",
        breaks: "known",
        wrong: Wrong::Steps(steps![Without("repair", "content/empty-turn")]),
    },
    Mutant {
        id: "texts-trimmed",
        does: "White space around every text is taken off.",
        source: "openclaw/openclaw#75395",
        breaks: "P4",
        wrong: Wrong::Steps(steps![After("repair", "content", trim)]),
    },
    Mutant {
        id: "words-beside-calls-dropped",
        does: "A turn that calls is written without the words that it says beside its calls.",
        source: "tailcallhq/forgecode#1387",
        breaks: "P2",
        wrong: Wrong::Steps(steps![After("repair", "content", drop_words_beside_calls)]),
    },
    Mutant {
        id: "user-turns-merged-across-results",
        does: "Two messages of the user become one, although a call and its result stand between them.",
        source: "volcengine/OpenViking#1858",
        breaks: "P4",
        wrong: Wrong::Steps(steps![After("repair", "content", merge_users)]),
    },
    Mutant {
        id: "turns-of-one-role-merged-everywhere",
        does: "Two turns of the model in a row become one, where nobody asks for that.",
        source: "FlowiseAI/Flowise#2006",
        breaks: "P4",
        wrong: Wrong::Steps(steps![After("repair", "content", merge_turns)]),
    },
    Mutant {
        id: "later-instructions-dropped",
        does: "Instructions in the middle of a conversation are left out.",
        source: "NousResearch/hermes-agent#54210",
        breaks: "P2",
        wrong: Wrong::Steps(steps![Before("repair", "pairing", drop_later_instructions)]),
    },
    Mutant {
        id: "opening-turn-of-the-model-dropped",
        does: "A conversation that the model opens loses its first turns.",
        source: "RightNow-AI/openfang#1011",
        breaks: "P2",
        wrong: Wrong::Steps(steps![Before("write", "turns", drop_opening)]),
    },
    Mutant {
        id: "closing-turn-of-the-model-dropped",
        does: "A conversation that ends with the model's words loses them.",
        source: "aaif-goose/goose#7425",
        breaks: "P2",
        wrong: Wrong::Steps(steps![Before("write", "turns", drop_closing)]),
    },
];

fn is_blank(message: &Message<'_>) -> bool {
    message.blocks.iter().all(wirecanon_core::Block::is_blank)
}

fn drop_empty_results(transcript: &mut Transcript<'_>) {
    if !transcript.fragment {
        transcript.messages.retain(|message| message.role != Role::ToolResult || !is_blank(message));
    }
}

fn trim(transcript: &mut Transcript<'_>) {
    walk::texts(transcript, |_, text| Some(text.trim().to_owned()));
}

fn drop_words_beside_calls(transcript: &mut Transcript<'_>) {
    walk::without_blocks(transcript, |message, block| message.calls().next().is_some() && block.is_text());
}

/// Puts what the later message says into the earlier one.
fn merge(transcript: &mut Transcript<'_>, pairs: &[(usize, usize)]) {
    let mut gone = HashSet::new();
    for (into, from) in pairs {
        let mut blocks = std::mem::take(&mut transcript.messages[*from].blocks);
        let earlier = &mut transcript.messages[*into];
        earlier.blocks.append(&mut blocks);
        earlier.dirty = true;
        gone.insert(*from);
    }
    walk::without_messages(transcript, &gone);
}

fn merge_users(transcript: &mut Transcript<'_>) {
    let mut pairs = Vec::new();
    let mut user = None;
    let mut answered = false;
    for (at, message) in transcript.messages.iter().enumerate() {
        match message.role {
            Role::User => {
                match user.filter(|_| answered) {
                    Some(into) => pairs.push((into, at)),
                    None => user = Some(at),
                }
                answered = false;
            }
            Role::ToolResult => answered = true,
            Role::Assistant if message.calls().next().is_none() => user = None,
            _ => {}
        }
    }
    merge(transcript, &pairs);
}

fn merge_turns(transcript: &mut Transcript<'_>) {
    let mut pairs = Vec::new();
    let mut turn: Option<usize> = None;
    for (at, message) in transcript.messages.iter().enumerate() {
        match (message.role, turn) {
            (Role::Assistant, Some(into)) if transcript.messages[into].calls().next().is_none() => {
                pairs.push((into, at));
            }
            (Role::Assistant, _) => turn = Some(at),
            _ => turn = None,
        }
    }
    // A message that took a call in is not gone on with.
    let mut took = HashSet::new();
    pairs.retain(|(into, from)| {
        let free = !took.contains(into);
        if transcript.messages[*from].calls().next().is_some() {
            took.insert(*into);
        }
        free
    });
    merge(transcript, &pairs);
}

fn drop_later_instructions(transcript: &mut Transcript<'_>) {
    let mut opened = false;
    transcript.messages.retain(|message| {
        opened |= message.role != Role::System;
        message.role != Role::System || !opened
    });
}

fn drop_opening(transcript: &mut Transcript<'_>) {
    let first = transcript.messages.iter().position(|message| message.role == Role::User);
    let Some(first) = first.filter(|_| !transcript.fragment) else { return };
    let gone = (0..first).filter(|at| transcript.messages[*at].role != Role::System).collect();
    walk::without_messages(transcript, &gone);
}

fn drop_closing(transcript: &mut Transcript<'_>) {
    let last = |transcript: &Transcript<'_>| {
        transcript.messages.last().is_some_and(|last| {
            last.role == Role::Assistant
                && last.calls().next().is_none()
                && !last.blocks.iter().any(|block| matches!(block.kind, BlockKind::Opaque(_)))
        })
    };
    while transcript.messages.len() > 1 && last(transcript) {
        transcript.messages.pop();
    }
}
