//! Reasoning that is not what its provider signed.

use wirecanon_core::transcript::{BlockKind, Thinking, Transcript};

use crate::mutant::{Mutant, Wrong, steps};
use crate::walk;

pub(crate) const MUTANTS: &[Mutant] = &[
    Mutant {
        id: "signatures-dropped",
        does: "Reasoning is stored without the signature that its provider wants back.",
        source: "openclaw/openclaw#120596",
        breaks: "P4",
        wrong: Wrong::Steps(steps![Before("repair", "pairing", drop_signatures)]),
    },
    Mutant {
        id: "signatures-shortened",
        does: "Long opaque fields are cut, signatures too.",
        source: "openclaw/openclaw#131790",
        breaks: "P4",
        wrong: Wrong::Steps(steps![Before("repair", "pairing", shorten)]),
    },
    Mutant {
        id: "redacted-reasoning-dropped",
        does: "Reasoning whose words are sealed is left out, as it says nothing.",
        source: "BerriAI/litellm#9058",
        breaks: "P4",
        wrong: Wrong::Steps(steps![Before("repair", "pairing", drop_redacted)]),
    },
    Mutant {
        id: "reasoning-sent-to-everyone",
        does: "Reasoning is replayed to a provider that did not sign it.",
        source: "openclaw/openclaw#107221",
        breaks: "P1",
        wrong: Wrong::Steps(steps![Without("write", "thinking")]),
    },
];

fn reasoning<'a>(transcript: &mut Transcript<'a>, change: impl Fn(&mut Thinking<'a>) -> bool) {
    walk::blocks(transcript, |_, block| match &mut block.kind {
        BlockKind::Thinking(thinking) => change(thinking),
        _ => false,
    });
}

fn drop_signatures(transcript: &mut Transcript<'_>) {
    reasoning(transcript, |thinking| !thinking.redacted && thinking.signature.take().is_some());
}

fn shorten(transcript: &mut Transcript<'_>) {
    reasoning(transcript, |thinking| {
        let Some(signature) = &thinking.signature else { return false };
        let short: String = signature.chars().take(16).collect();
        if short.len() == signature.len() {
            return false;
        }
        thinking.signature = Some((short + "…").into());
        true
    });
}

fn drop_redacted(transcript: &mut Transcript<'_>) {
    walk::without_blocks(
        transcript,
        |_, block| matches!(&block.kind, BlockKind::Thinking(thinking) if thinking.redacted),
    );
}
