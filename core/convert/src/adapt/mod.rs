//! A target's limits, applied to the transcript on its way out: one file a limit, in this order.

mod alternation;
mod arguments;
mod beside_results;
mod bridge;
mod cache;
mod callers;
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
mod labels;
mod media;
mod member;
mod named;
mod nameless;
mod names;
mod open_calls;
mod participants;
mod protocol;
mod removal;
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
mod unique_tools;
mod unnamed;
mod unnumbered;
mod whole_results;
mod words;

use std::collections::HashSet;

use crate::print::{Writer, mark_changed};
use crate::step::Steps;
use wirecanon_model::report::Severity;
use wirecanon_model::rule;
use wirecanon_model::transcript::{Block, Message, Transcript};
use wirecanon_observe::Equivalence;

/// One limit.
type Adapt = for<'a> fn(&mut Transcript<'a>, &mut Writer<'a, '_>);

/// The limits by name, in their order: what leaves blocks out comes before what looks at what is left. Each names the equivalences
/// by which a model is still told the same.
const ADAPTATIONS: &[(&str, Adapt, &[Equivalence])] = &[
    // What follows looks at blocks, at calls and at names.
    ("definitions", definitions::run, &[Equivalence::Definitions, Equivalence::ProviderItem]),
    ("unique-tools", unique_tools::run, &[Equivalence::Definitions]),
    ("whole-results", whole_results::run, &[Equivalence::ResultJson]),
    ("item-calls", item_calls::run, &[Equivalence::ProviderItem]),
    ("stored", stored::run, &[Equivalence::ProviderItem]),
    ("responses", responses::run, &[Equivalence::Reasoning, Equivalence::ProviderItem, Equivalence::Settings]),
    ("thinking", thinking::run, &[Equivalence::Reasoning]),
    ("items", items::run, &[Equivalence::ProviderItem, Equivalence::Reasoning, Equivalence::Address]),
    ("server-ids", server_ids::run, &[Equivalence::Ids]),
    ("callers", callers::run, &[Equivalence::ProviderItem]),
    ("client-calls", client_calls::run, &[Equivalence::TextsAndCalls]),
    ("tools", tools::run, &[Equivalence::ToolsAsText]),
    (
        "protocol",
        protocol::run,
        &[Equivalence::MediaNote, Equivalence::Resource, Equivalence::StructuredContent, Equivalence::Settings],
    ),
    ("documents", documents::run, &[Equivalence::DocumentText, Equivalence::MediaNote]),
    ("sizes", sizes::run, &[Equivalence::MediaNote]),
    (
        "media",
        media::run,
        &[Equivalence::ResultMedia, Equivalence::MediaNote, Equivalence::DocumentText, Equivalence::Address],
    ),
    ("counts", counts::run, &[Equivalence::MediaNote]),
    ("system", system::run, &[Equivalence::MarkedInstructions]),
    ("bridge", bridge::run, &[Equivalence::Filler]),
    ("calls", calls::run, &[Equivalence::CustomTool]),
    ("arguments", arguments::run, &[Equivalence::JsonLayout]),
    ("ids", ids::run, &[Equivalence::Ids]),
    ("names", names::run, &[Equivalence::Names]),
    ("labels", labels::run, &[Equivalence::ResultMedia]),
    ("open-calls", open_calls::run, &[Equivalence::StandIn]),
    ("participants", participants::run, &[Equivalence::Settings]),
    ("errors", errors::run, &[Equivalence::ErrorText]),
    ("content", content::run, &[Equivalence::EmptyText, Equivalence::Filler, Equivalence::Characters]),
    ("words", words::run, &[Equivalence::Turns, Equivalence::Filler]),
    ("beside-results", beside_results::run, &[Equivalence::Turns]),
    ("turns", turns::run, &[Equivalence::Turns]),
    ("fields", fields::run, &[Equivalence::Settings, Equivalence::Texts]),
    ("nameless", nameless::run, &[Equivalence::Ids]),
    ("alternation", alternation::run, &[Equivalence::Turns, Equivalence::Texts]),
    ("files", files::run, &[Equivalence::FileNames, Equivalence::Filler]),
    ("cache", cache::run, &[Equivalence::Settings]),
    ("result-parts", result_parts::run, &[Equivalence::Texts]),
    ("steps", steps::run, &[Equivalence::Turns, Equivalence::ResultOrder]),
    ("signatures", signatures::run, &[Equivalence::Settings]),
    ("unnumbered", unnumbered::run, &[Equivalence::Ids]),
    ("unnamed", unnamed::run, &[Equivalence::Ids]),
    ("followers", responses::followers, &[Equivalence::Settings]),
    ("roles", roles::run, &[Equivalence::Settings]),
    ("request", request::run, &[Equivalence::Filler, Equivalence::Texts, Equivalence::Reasoning]),
];

/// Their names.
pub(crate) fn steps() -> impl Iterator<Item = &'static str> {
    ADAPTATIONS.iter().map(|(name, ..)| *name)
}

/// Leaves out items of a provider whose partner is gone.
fn leave_out_alone(message: &mut Message<'_>, alone: &HashSet<u32>, what: &'static str, writer: &mut Writer<'_, '_>) {
    keep_blocks(message, |block| {
        let keep = !alone.contains(&block.id);
        if !keep {
            writer.entry(&rule::PROVIDER_ITEM_WITHOUT_PARTNER, Severity::Loss, block.source, None, what);
        }
        keep
    });
}

/// Keeps the blocks of a message that `keeps` says yes to.
fn keep_blocks<'a>(message: &mut Message<'a>, keeps: impl FnMut(&mut Block<'a>) -> bool) {
    let had = message.blocks.len();
    message.blocks.retain_mut(keeps);
    message.dirty |= message.blocks.len() < had;
}

pub(crate) fn adapt<'a>(transcript: &mut Transcript<'a>, steps: Steps, writer: &mut Writer<'a, '_>) {
    for (name, run, _) in ADAPTATIONS {
        steps.go("write", name, transcript, |transcript| run(transcript, writer));
        mark_changed(&mut writer.changed, &mut transcript.messages);
    }
    removal::remove_tools(transcript, writer);
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;

    #[test]
    fn every_adaptation_tells_a_model_the_same_by_an_equivalence() {
        for (name, _, equivalences) in ADAPTATIONS {
            let once: BTreeSet<_> = equivalences.iter().collect();
            assert!(!equivalences.is_empty() && once.len() == equivalences.len(), "{name}");
        }
    }
}
