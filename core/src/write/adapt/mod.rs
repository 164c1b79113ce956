//! A target's limits, applied to the transcript on its way out: one file a limit, in this order.

mod arguments;
mod cache;
mod content;
mod errors;
mod ids;
mod items;
mod joined;
mod media;
mod names;
mod participants;
mod pictures;
mod system;
mod thinking;
mod turns;

use super::Writer;
use crate::transcript::Transcript;

/// One limit.
type Adapt = for<'a> fn(&mut Transcript<'a>, &mut Writer<'a, '_>);

/// The limits, in their order: what leaves blocks out comes before what looks at what is left.
const ADAPTATIONS: &[Adapt] = &[
    thinking::run,
    items::run,
    pictures::run,
    media::run,
    system::run,
    arguments::run,
    ids::run,
    names::run,
    participants::run,
    errors::run,
    content::run,
    turns::run,
    cache::run,
    joined::run,
];

pub(super) fn adapt<'a>(transcript: &mut Transcript<'a>, writer: &mut Writer<'a, '_>) {
    for run in ADAPTATIONS {
        run(transcript, writer);
    }
}
