//! Texts that some parser refuses or misreads.

use wirecanon_core::normalizer::{Normalizer, Outcome, Reference, Request};
use wirecanon_core::transcript::Transcript;

use crate::mutant::{Mutant, Wrong, steps};
use crate::walk;

pub(crate) const MUTANTS: &[Mutant] = &[
    Mutant {
        id: "half-surrogates-sent",
        does: "Half of a surrogate pair is written as the escape that it was.",
        source: "anthropics/claude-code#3277",
        breaks: "P1",
        wrong: Wrong::Around(half_surrogates),
    },
    Mutant {
        id: "utf-8-read-as-latin-1",
        does: "Text that is not ASCII is decoded in the wrong way on its way through.",
        source: "grebmann1/workbench#55",
        breaks: "P4",
        wrong: Wrong::Steps(steps![After("repair", "content", mojibake)]),
    },
    Mutant {
        id: "byte-order-mark-is-no-json",
        does: "A file that begins with a byte order mark is refused.",
        source: "NousResearch/hermes-agent#113914",
        breaks: "P7",
        wrong: Wrong::Around(refuse_the_mark),
    },
    Mutant {
        id: "non-ascii-dropped",
        does: "Characters that are not ASCII are left out of texts.",
        source: "simonw/llm#768",
        breaks: "P4",
        wrong: Wrong::Steps(steps![After("repair", "content", ascii_alone)]),
    },
];

fn half_surrogates(request: &Request<'_>) -> Outcome {
    let has_halves = String::from_utf8_lossy(request.input).to_lowercase().contains("\\ud");
    match Reference.convert(request) {
        Outcome::Output { bytes, report } if has_halves => {
            let text = String::from_utf8_lossy(&bytes).replace('\u{fffd}', "\\ud83d");
            Outcome::Output { bytes: text.into_bytes(), report }
        }
        outcome => outcome,
    }
}

fn mojibake(transcript: &mut Transcript<'_>) {
    walk::texts(transcript, |_, text| (!text.is_ascii()).then(|| text.bytes().map(char::from).collect()));
}

fn ascii_alone(transcript: &mut Transcript<'_>) {
    walk::texts(transcript, |_, text| {
        let kept: String = text.chars().filter(char::is_ascii).collect();
        // A text of nothing else would be another mistake.
        Some(kept).filter(|kept| !kept.trim().is_empty())
    });
}

fn refuse_the_mark(request: &Request<'_>) -> Outcome {
    if request.input.starts_with(b"\xEF\xBB\xBF") {
        let message = "unexpected character at line 1 column 1".to_owned();
        return Outcome::Refused { code: "other".to_owned(), message };
    }
    Reference.convert(request)
}
