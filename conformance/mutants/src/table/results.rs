//! Results that are given to the wrong call, twice, or not at all.

use std::borrow::Cow;
use std::collections::{HashMap, HashSet};

use wirecanon_core::transcript::Transcript;

use crate::mutant::{Mutant, Wrong, steps};
use crate::walk;

pub(crate) const MUTANTS: &[Mutant] = &[
    Mutant {
        id: "results-matched-by-position",
        does: "The first result behind a turn answers its first call, whatever its id says.",
        source: "MiaAI-Lab/Qwen3.8-27B-DFlash2-EXL3-5.0bpw#10",
        breaks: "P3",
        wrong: Wrong::Steps(steps![Before("repair", "pairing", by_position)]),
    },
    Mutant {
        id: "results-dropped-by-position",
        does: "As many results are kept as the turn has calls, counted from the front.",
        source: "agno-agi/agno#9372",
        breaks: "P2",
        wrong: Wrong::Steps(steps![Before("repair", "pairing", drop_by_position)]),
    },
    Mutant {
        id: "stand-in-wins-over-the-result",
        does: "A made-up result that came first stays, and the real one is dropped as a duplicate.",
        source: "anthropics/claude-code#23937",
        breaks: "known",
        wrong: Wrong::Steps(steps![Without("repair", "pairing/known-stand-ins")]),
    },
    Mutant {
        id: "last-of-two-results-wins",
        does: "Of two results for one call the later one is kept.",
        source: "router-for-me/CLIProxyAPI#4998",
        breaks: "known",
        wrong: Wrong::Steps(steps![Before("repair", "pairing", keep_the_last)]),
    },
    Mutant {
        id: "duplicate-results-kept",
        does: "Both of two results for one call are sent.",
        source: "QwenLM/qwen-code#8163",
        breaks: "P1",
        wrong: Wrong::Steps(steps![
            Before("repair", "pairing", hide_duplicates),
            After("repair", "content", walk::show),
        ]),
    },
    Mutant {
        id: "stand-ins-say-success",
        does: "A made-up result does not say that it is an error.",
        source: "EvoScientist/EvoScientist#360",
        breaks: "P3",
        wrong: Wrong::Steps(steps![After("repair", "pairing", stand_ins_succeed)]),
    },
];

fn by_position(transcript: &mut Transcript<'_>) {
    for (turn, results) in walk::batches(transcript) {
        let ids: Vec<Option<Cow<'_, str>>> = transcript.messages[turn].calls().map(|call| call.id.clone()).collect();
        for (at, id) in results.into_iter().zip(ids) {
            let message = &mut transcript.messages[at];
            let Some(head) = &mut message.result else { continue };
            message.dirty |= head.call_id != id;
            head.call_id = id;
            head.tool_name = None;
        }
    }
}

fn drop_by_position(transcript: &mut Transcript<'_>) {
    let mut gone = HashSet::new();
    for (turn, results) in walk::batches(transcript) {
        let calls = transcript.messages[turn].calls().count();
        gone.extend(results.into_iter().skip(calls));
    }
    walk::without_messages(transcript, &gone);
}

/// In each batch, the results of one call: the places of all that share an id.
fn doubles(transcript: &Transcript<'_>) -> Vec<Vec<usize>> {
    let mut all = Vec::new();
    for (turn, results) in walk::batches(transcript) {
        let mut of: HashMap<&str, Vec<usize>> = HashMap::new();
        let mut order = Vec::new();
        let calls: Vec<&str> = transcript.messages[turn].calls().filter_map(|call| call.id.as_deref()).collect();
        for at in results {
            let id = transcript.messages[at].result.as_ref().and_then(|head| head.call_id.as_deref());
            // Where calls share an id, each has a result of its own.
            let Some(id) = id.filter(|id| calls.iter().filter(|call| *call == id).count() == 1) else { continue };
            let places = of.entry(id).or_default();
            if places.is_empty() {
                order.push(id);
            }
            places.push(at);
        }
        all.extend(order.into_iter().filter_map(|id| of.remove(id)).filter(|places| places.len() > 1));
    }
    all
}

fn keep_the_last(transcript: &mut Transcript<'_>) {
    let gone = doubles(transcript).into_iter().flat_map(|places| {
        let earlier = places.len() - 1;
        places.into_iter().take(earlier)
    });
    let gone = gone.collect();
    walk::without_messages(transcript, &gone);
}

fn hide_duplicates(transcript: &mut Transcript<'_>) {
    let later: Vec<usize> = doubles(transcript).into_iter().flat_map(|places| places.into_iter().skip(1)).collect();
    walk::hide(transcript, later);
}

fn stand_ins_succeed(transcript: &mut Transcript<'_>) {
    walk::results(transcript, |head| head.synthetic && std::mem::replace(&mut head.is_error, false));
}
