//! Calls without their result, and results without their call.

use wirecanon_core::normalizer::{Outcome, Request};
use wirecanon_core::transcript::{Role, Transcript};

use crate::mutant::{Mutant, Wrong, changed, steps};
use crate::walk;

pub(crate) const MUTANTS: &[Mutant] = &[
    Mutant {
        id: "open-calls-left-open",
        does: "A call that was never answered is sent as it stands.",
        source: "anthropics/claude-code#3003",
        breaks: "P1",
        wrong: Wrong::Steps(steps![Without("repair", "pairing/answer")]),
    },
    Mutant {
        id: "stand-ins-for-failed-turns",
        does: "A call of an aborted turn gets a made-up result, instead of going.",
        source: "bastani-inc/atomic#2130",
        breaks: "known",
        wrong: Wrong::Steps(steps![Without("repair", "pairing/gone")]),
    },
    Mutant {
        id: "failed-turns-dropped-whole",
        does: "A turn that broke off is dropped with the words that it had.",
        source: "vercel/ai#10638",
        breaks: "P2",
        wrong: Wrong::Steps(steps![Before("repair", "pairing", drop_failed_turns)]),
    },
    Mutant {
        id: "orphan-results-kept",
        does: "A result whose call is gone from the history is sent.",
        source: "openclaw/openclaw#9868",
        breaks: "P1",
        wrong: Wrong::Steps(steps![Before("repair", "pairing", hide_orphans), After("repair", "content", walk::show),]),
    },
    Mutant {
        id: "first-orphan-result-alone-dropped",
        does: "A run drops the first result without a call, and leaves the others for later runs.",
        source: "anomalyco/opencode#27594",
        breaks: "P1",
        wrong: Wrong::Steps(steps![
            Before("repair", "pairing", hide_all_but_the_first_orphan),
            After("repair", "content", walk::show),
        ]),
    },
    Mutant {
        id: "orphan-results-dropped-in-silence",
        does: "A result without a call goes, and no report says so.",
        source: "agent0ai/agent-zero#1767",
        breaks: "known",
        wrong: Wrong::Steps(steps![Before("repair", "pairing", drop_orphans)]),
    },
    Mutant {
        id: "message-of-an-orphan-dropped-whole",
        does: "A user message that holds a result without a call is dropped, with the words beside it.",
        source: "Hmbown/Codewhale#6119",
        breaks: "P2",
        wrong: Wrong::Steps(steps![Before("repair", "pairing", drop_messages_of_orphans)]),
    },
    Mutant {
        id: "results-left-where-they-stand",
        does: "Results stay apart from their calls, and in the order in which they came.",
        source: "Effect-TS/effect#6702",
        breaks: "P1",
        wrong: Wrong::Steps(steps![Without("repair", "pairing/order")]),
    },
    Mutant {
        id: "order-mended-if-something-else-is",
        does: "Results are put in order only if another pass set the flag that something changed.",
        source: "volcengine/OpenViking#1724",
        breaks: "P1",
        wrong: Wrong::Around(order_by_flag),
    },
    Mutant {
        id: "late-results-lost",
        does: "A result that comes after the next turn called is dropped, and its call gets a made-up one.",
        source: "openclaw/openclaw#88168",
        breaks: "P2",
        wrong: Wrong::Steps(steps![Without("repair", "pairing/anywhere")]),
    },
    Mutant {
        id: "results-by-name-lost",
        does: "Results that say the names of their tools, and no ids, are dropped, and their calls get made-up ones.",
        source: "can1357/oh-my-pi#4108",
        breaks: "known",
        wrong: Wrong::Steps(steps![Without("repair", "pairing/by-name")]),
    },
    Mutant {
        id: "results-behind-a-user-message-lost",
        does: "A user message ends the batch: results behind it are dropped, and their calls get made-up ones.",
        source: "MoonshotAI/kimi-code#1241",
        breaks: "P2",
        wrong: Wrong::Steps(steps![Before("repair", "pairing", user_ends_the_batch)]),
    },
];

fn drop_failed_turns(transcript: &mut Transcript<'_>) {
    transcript.messages.retain(|message| message.role != Role::Assistant || !message.failed());
}

fn hide_orphans(transcript: &mut Transcript<'_>) {
    let orphans = walk::orphans(transcript);
    walk::hide(transcript, orphans);
}

fn hide_all_but_the_first_orphan(transcript: &mut Transcript<'_>) {
    let orphans = walk::orphans(transcript);
    walk::hide(transcript, orphans.into_iter().skip(1));
}

fn drop_orphans(transcript: &mut Transcript<'_>) {
    let orphans = walk::orphans(transcript).into_iter().collect();
    walk::without_messages(transcript, &orphans);
}

fn drop_messages_of_orphans(transcript: &mut Transcript<'_>) {
    let orphans = walk::orphans(transcript);
    let wires: Vec<u32> =
        orphans.iter().filter_map(|at| transcript.messages[*at].origin.map(|origin| origin.value)).collect();
    transcript.messages.retain(|message| !message.origin.is_some_and(|origin| wires.contains(&origin.value)));
}

fn order_by_flag(request: &Request<'_>) -> Outcome {
    let as_it_stands = changed(request, steps![Without("repair", "pairing/order")]);
    let flag = match &as_it_stands {
        Outcome::Output { report: Some(report), .. } => report.changed,
        _ => true,
    };
    if flag { changed(request, &[]) } else { as_it_stands }
}

fn user_ends_the_batch(transcript: &mut Transcript<'_>) {
    let mut gone = std::collections::HashSet::new();
    for (turn, results) in walk::batches(transcript) {
        let wires: Vec<_> =
            results.iter().map(|at| transcript.messages[*at].origin.map(|origin| origin.value)).collect();
        let user = (turn + 1..transcript.messages.len()).find(|at| {
            let message = &transcript.messages[*at];
            message.role == Role::User && !wires.contains(&message.origin.map(|origin| origin.value))
        });
        gone.extend(results.into_iter().filter(|at| user.is_some_and(|user| user < *at)));
    }
    walk::without_messages(transcript, &gone);
}
