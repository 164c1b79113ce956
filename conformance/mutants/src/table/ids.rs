//! Ids that are lost, shared or changed on one side.

use std::collections::{HashMap, HashSet};

use wirecanon_core::Dialect;
use wirecanon_core::normalizer::Request;
use wirecanon_core::transcript::{BlockKind, Role, Transcript};

use crate::mutant::{Mutant, Wrong, steps};
use crate::walk;

pub(crate) const MUTANTS: &[Mutant] = &[
    Mutant {
        id: "ids-stripped-until-they-collide",
        does: "Characters that the server refuses are taken out of ids, and two ids become one.",
        source: "nearai/ironclaw#1241",
        breaks: "P10",
        wrong: Wrong::StepsFor(to_anthropic, steps![Instead("write", "ids", |it| walk::ids(it, plain))]),
    },
    Mutant {
        id: "ids-cut-until-they-collide",
        does: "Ids are cut at 40 characters, whether or not what is left is still one of a kind.",
        source: "vercel/ai#5171",
        breaks: "P10",
        wrong: Wrong::StepsFor(to_openai, steps![Instead("write", "ids", cut)]),
    },
    Mutant {
        id: "ids-changed-in-calls-alone",
        does: "Ids of calls are respelled for the server, those of their results are not.",
        source: "diegosouzapw/OmniRoute#4317",
        breaks: "P1",
        wrong: Wrong::StepsFor(to_anthropic, steps![Instead("write", "ids", strip_calls)]),
    },
    Mutant {
        id: "ids-sent-as-they-stand",
        does: "Ids of another provider are sent as they stand.",
        source: "anomalyco/opencode#1680",
        breaks: "P1",
        wrong: Wrong::Steps(steps![Without("write", "ids")]),
    },
    Mutant {
        id: "answered-anywhere-is-answered",
        does: "One set of answered ids for the whole transcript: a call that was interrupted counts as answered because an earlier turn used its id.",
        source: "fastagent-sh/fastagent#26",
        breaks: "P1",
        wrong: Wrong::Steps(steps![After("repair", "pairing", answered_anywhere)]),
    },
    Mutant {
        id: "id-used-again-is-a-duplicate",
        does: "A call whose id an earlier turn used is taken for a duplicate and dropped, and its result with it.",
        source: "openclaw/openclaw#109443",
        breaks: "P2",
        wrong: Wrong::Steps(steps![Before("repair", "pairing", drop_used_again)]),
    },
    Mutant {
        id: "results-without-id-are-one",
        does: "Results are told apart by their ids, so all that have none are taken for one.",
        source: "camel-ai/camel#3027",
        breaks: "known",
        wrong: Wrong::Steps(steps![Before("repair", "pairing", one_without_id)]),
    },
    Mutant {
        id: "name-used-as-id",
        does: "The name of the tool serves as the id of its calls, so two calls of one tool share it.",
        source: "run-llama/llama_index#20207",
        breaks: "P10",
        wrong: Wrong::Steps(steps![After("repair", "pairing", name_as_id)]),
    },
    Mutant {
        id: "ids-counted-anew-in-each-turn",
        does: "Calls get ids by a counter that starts again in each turn.",
        source: "NousResearch/hermes-agent#90545",
        breaks: "P10",
        wrong: Wrong::Steps(steps![After("repair", "pairing", count_anew)]),
    },
    Mutant {
        id: "ids-of-one-server-in-the-history",
        does: "Ids are respelled in the stored history, as one server wants them.",
        source: "NousResearch/hermes-agent#80963",
        breaks: "P11",
        wrong: Wrong::Steps(steps![After("repair", "pairing", strip_in_history)]),
    },
];

fn to_anthropic(request: &Request<'_>) -> bool {
    request.to.dialect == Dialect::AnthropicMessages
}

fn to_openai(request: &Request<'_>) -> bool {
    request.to.dialect == Dialect::OpenAiChat
}

fn plain(id: &str) -> String {
    let plain: String = id.chars().filter(char::is_ascii_alphanumeric).collect();
    if plain.is_empty() { "x".to_owned() } else { plain }
}

fn cut(transcript: &mut Transcript<'_>) {
    walk::ids(transcript, |id| id.chars().take(40).collect());
}

fn strip_calls(transcript: &mut Transcript<'_>) {
    walk::calls(transcript, |call| walk::respelled(&mut call.id, plain));
}

fn strip_in_history(transcript: &mut Transcript<'_>) {
    walk::ids(transcript, |id| id.replace(|c: char| !(c.is_ascii_alphanumeric() || matches!(c, '_' | '-')), "_"));
}

fn answered_anywhere(transcript: &mut Transcript<'_>) {
    let real = |message: &&wirecanon_core::transcript::Message<'_>| {
        message.result.as_ref().is_some_and(|head| !head.synthetic)
    };
    let answered: HashSet<String> = transcript
        .messages
        .iter()
        .filter(real)
        .filter_map(|message| message.result.as_ref()?.call_id.as_deref().map(str::to_owned))
        .collect();
    transcript.messages.retain(|message| {
        let head = message.result.as_ref().filter(|head| head.synthetic);
        !head.is_some_and(|head| head.call_id.as_deref().is_some_and(|id| answered.contains(id)))
    });
}

fn drop_used_again(transcript: &mut Transcript<'_>) {
    if transcript.fragment {
        return;
    }
    let mut turn_of: HashMap<String, usize> = HashMap::new();
    let mut again: HashSet<(usize, String)> = HashSet::new();
    let mut gone = HashSet::new();
    let mut answered: HashSet<String> = HashSet::new();
    for (at, message) in transcript.messages.iter().enumerate() {
        for id in message.calls().filter_map(|call| call.id.as_deref()) {
            if *turn_of.entry(id.to_owned()).or_insert(at) != at {
                again.insert((at, id.to_owned()));
            }
        }
        let result = message.result.as_ref().and_then(|head| head.call_id.as_deref());
        if let Some(id) = result.filter(|id| turn_of.contains_key(*id))
            && !answered.insert(id.to_owned())
        {
            gone.insert(at);
        }
    }
    for (at, message) in transcript.messages.iter_mut().enumerate() {
        let before = message.blocks.len();
        message.blocks.retain(|block| match &block.kind {
            BlockKind::ToolCall(call) => !call.id.as_deref().is_some_and(|id| again.contains(&(at, id.to_owned()))),
            _ => true,
        });
        message.dirty |= message.blocks.len() != before;
    }
    walk::without_messages(transcript, &gone);
}

fn one_without_id(transcript: &mut Transcript<'_>) {
    let mut seen = false;
    transcript.messages.retain(|message| {
        let nameless =
            message.role == Role::ToolResult && message.result.as_ref().is_some_and(|head| head.call_id.is_none());
        !(nameless && std::mem::replace(&mut seen, true))
    });
}

fn name_as_id(transcript: &mut Transcript<'_>) {
    walk::calls(transcript, |call| {
        call.id.clone_from(&call.name);
        true
    });
    walk::results(transcript, |head| {
        head.call_id.clone_from(&head.tool_name);
        true
    });
}

fn count_anew(transcript: &mut Transcript<'_>) {
    let mut names: HashMap<String, String> = HashMap::new();
    for message in &mut transcript.messages {
        let mut count = 0;
        for block in &mut message.blocks {
            let BlockKind::ToolCall(call) = &mut block.kind else { continue };
            let fresh = format!("call_{count}");
            count += 1;
            if let Some(old) = call.id.replace(fresh.clone().into()) {
                names.insert(old.into_owned(), fresh);
            }
            block.dirty = true;
            message.dirty = true;
        }
        let Some(head) = &mut message.result else { continue };
        if let Some(fresh) = head.call_id.as_deref().and_then(|id| names.get(id)) {
            head.call_id = Some(fresh.clone().into());
            message.dirty = true;
        }
    }
}
