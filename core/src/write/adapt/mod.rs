//! A target's limits, applied to the transcript on its way out: one file a limit, in this order.

mod alternation;
mod arguments;
mod bridge;
mod cache;
mod calls;
mod content;
mod errors;
mod fields;
mod files;
mod ids;
mod item_fields;
mod items;
mod media;
mod nameless;
mod names;
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
mod system;
mod thinking;
mod tools;
mod turns;
mod unnamed;
mod unnumbered;
mod words;

use super::Writer;
use crate::transcript::Transcript;

/// One limit.
type Adapt = for<'a> fn(&mut Transcript<'a>, &mut Writer<'a, '_>);

/// The limits, in their order: what leaves blocks out comes before what looks at what is left.
const ADAPTATIONS: &[Adapt] = &[
    responses::run,
    thinking::run,
    items::run,
    server_ids::run,
    tools::run,
    protocol::run,
    sizes::run,
    media::run,
    system::run,
    bridge::run,
    calls::run,
    arguments::run,
    ids::run,
    names::run,
    participants::run,
    errors::run,
    content::run,
    words::run,
    turns::run,
    fields::run,
    nameless::run,
    alternation::run,
    files::run,
    cache::run,
    result_parts::run,
    steps::run,
    signatures::run,
    unnumbered::run,
    unnamed::run,
    roles::run,
    request::run,
];

pub(super) fn adapt<'a>(transcript: &mut Transcript<'a>, writer: &mut Writer<'a, '_>) {
    for run in ADAPTATIONS {
        run(transcript, writer);
    }
}
