//! A target's limits, applied to the transcript on its way out: one file a limit, in this order.

mod alternation;
mod arguments;
mod bridge;
mod cache;
mod calls;
mod client_calls;
mod content;
mod counts;
mod definitions;
mod documents;
mod errors;
mod fields;
mod files;
mod ids;
mod item_calls;
mod item_fields;
mod items;
mod media;
mod nameless;
mod names;
mod open_calls;
mod participants;
mod protocol;
mod request;
mod responses;
mod result_parts;
mod roles;
mod server_ids;
mod signatures;
mod sizes;
mod steps;
mod stored;
mod system;
mod thinking;
mod tools;
mod turns;
mod unnamed;
mod unnumbered;
mod whole_results;
mod words;

use super::Writer;
use crate::step::Steps;
use crate::transcript::Transcript;

/// One limit.
type Adapt = for<'a> fn(&mut Transcript<'a>, &mut Writer<'a, '_>);

/// The limits by name, in their order: what leaves blocks out comes before what looks at what is left.
const ADAPTATIONS: &[(&str, Adapt)] = &[
    // What follows looks at blocks, at calls and at names.
    ("definitions", definitions::run),
    ("whole-results", whole_results::run),
    ("item-calls", item_calls::run),
    ("stored", stored::run),
    ("responses", responses::run),
    ("thinking", thinking::run),
    ("items", items::run),
    ("server-ids", server_ids::run),
    ("client-calls", client_calls::run),
    ("tools", tools::run),
    ("protocol", protocol::run),
    ("documents", documents::run),
    ("sizes", sizes::run),
    ("media", media::run),
    ("counts", counts::run),
    ("system", system::run),
    ("bridge", bridge::run),
    ("calls", calls::run),
    ("arguments", arguments::run),
    ("ids", ids::run),
    ("names", names::run),
    ("open-calls", open_calls::run),
    ("participants", participants::run),
    ("errors", errors::run),
    ("content", content::run),
    ("words", words::run),
    ("turns", turns::run),
    ("fields", fields::run),
    ("nameless", nameless::run),
    ("alternation", alternation::run),
    ("files", files::run),
    ("cache", cache::run),
    ("result-parts", result_parts::run),
    ("steps", steps::run),
    ("signatures", signatures::run),
    ("unnumbered", unnumbered::run),
    ("unnamed", unnamed::run),
    ("roles", roles::run),
    ("request", request::run),
];

/// Their names.
pub(super) fn steps() -> impl Iterator<Item = &'static str> {
    ADAPTATIONS.iter().map(|(name, _)| *name)
}

pub(super) fn adapt<'a>(transcript: &mut Transcript<'a>, steps: Steps, writer: &mut Writer<'a, '_>) {
    for (name, run) in ADAPTATIONS {
        steps.go("write", name, transcript, |transcript| run(transcript, writer));
    }
}
