//! Failures that read like successes, and the other way round.

use wirecanon_core::transcript::{Role, Transcript};

use crate::mutant::{Mutant, Wrong, steps};
use crate::walk;

pub(crate) const MUTANTS: &[Mutant] = &[
    Mutant {
        id: "error-flag-dropped",
        does: "A result that says it is an error is written as a success.",
        source: "zed-industries/zed#47095",
        breaks: "P4",
        wrong: Wrong::Steps(steps![After("repair", "pairing", no_errors)]),
    },
    Mutant {
        id: "error-flag-guessed",
        does: "A result whose words sound like a failure is called one.",
        source: "intersystems-community/iris-agentic-dev#95",
        breaks: "P4",
        wrong: Wrong::Steps(steps![After("repair", "pairing", guess)]),
    },
    Mutant {
        id: "errors-not-said-in-words",
        does: "Where a server has no error flag, a failure is written as a plain result.",
        source: "Cloudgeni-ai/opengeni#262",
        breaks: "P2",
        wrong: Wrong::Steps(steps![Without("write", "errors")]),
    },
];

fn no_errors(transcript: &mut Transcript<'_>) {
    walk::results(transcript, |head| !head.synthetic && std::mem::replace(&mut head.is_error, false));
}

fn guess(transcript: &mut Transcript<'_>) {
    for message in transcript.messages.iter_mut().filter(|message| message.role == Role::ToolResult) {
        let sounds = message.blocks.iter().filter_map(wirecanon_core::Block::as_text).any(|text| {
            let text = text.to_lowercase();
            ["error", "fail", "not found", "\"success\":false"].iter().any(|word| text.contains(word))
        });
        let Some(head) = &mut message.result else { continue };
        message.dirty |= sounds && !head.is_error;
        head.is_error |= sounds;
    }
}
