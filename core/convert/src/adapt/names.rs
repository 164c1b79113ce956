//! Tool names in the spelling that the target takes, in calls, results and definitions alike (P10).

use std::borrow::Cow;
use std::collections::{HashMap, HashSet};

use crate::adapt::ids::{Form, Taken, respell};
use crate::adapt::named;
use crate::print::Writer;
use crate::read::fields::RESULT_NAMES;
use wirecanon_json::Value;
use wirecanon_model::report::{Renamed, Severity};
use wirecanon_model::transcript::{BlockKind, Message, Transcript};
use wirecanon_model::{rule, target, text};

pub(crate) fn run<'a>(transcript: &mut Transcript<'a>, writer: &mut Writer<'a, '_>) {
    let limits = writer.target.names.clone();
    if limits.also.is_none() && limits.max_length.is_none() && !limits.opens_with_letter {
        return;
    }
    if (limits.also.is_some() || limits.opens_with_letter) && writer.same {
        leave_out_blank_names(transcript, writer);
    }
    let calls = transcript.messages.iter().flat_map(Message::calls).filter_map(|call| call.name.as_deref());
    // A lone result has no call that its name could be taken from.
    let results = transcript.messages.iter().filter(|_| transcript.fragment);
    let results = results.filter_map(|message| message.result.as_ref()?.tool_name.as_deref());
    let tools = transcript.tools.iter().map(|tool| &*tool.name);
    let defined = if writer.same { named::defined_elsewhere(transcript, writer) } else { Vec::new() };
    let names: HashSet<&str> = calls.chain(results).chain(tools).chain(defined.iter().map(String::as_str)).collect();
    let builtin_calls = writer.target.content.builtin_calls;
    let accepts = |name: &str| limits.accepts(name) || builtin_calls && name.starts_with('$');
    let fine = names.iter().all(|name| accepts(name));
    if fine {
        return;
    }
    let mut taken = Taken::new(names.into_iter().map(str::to_owned).collect());

    let mut map: HashMap<String, String> = HashMap::new();
    let mut spell = |name: &str| -> Option<String> {
        if accepts(name) {
            return None;
        }
        if let Some(new) = map.get(name) {
            return Some(new.clone());
        }
        let form = Form::up_to(limits.max_length, limits.also.as_deref());
        // A call without a name has this one, too.
        if name.trim().is_empty() && limits.accepts(text::UNNAMED_TOOL) {
            map.insert(name.to_owned(), text::UNNAMED_TOOL.to_owned());
            return Some(text::UNNAMED_TOOL.to_owned());
        }
        let mut base = respell(name, limits.also.as_deref());
        if limits.opens_with_letter && target::opens_badly(&base) {
            base.insert(0, if target::charset(limits.also.as_deref(), "_") { '_' } else { 'x' });
        }
        let new = taken.fresh(&base, form);
        map.insert(name.to_owned(), new.clone());
        Some(new)
    };
    let mut told: HashSet<String> = writer.report.names.iter().map(|renamed| renamed.from.clone()).collect();
    for message in &mut transcript.messages {
        for block in &mut message.blocks {
            let BlockKind::ToolCall(call) = &mut block.kind else { continue };
            let Some(name) = call.name.clone() else { continue };
            let Some(new) = spell(&name) else { continue };
            call.name = Some(Cow::Owned(new.clone()));
            let badly = limits.opens_with_letter && target::opens_badly(&name);
            let (rule, words) = if target::charset(limits.also.as_deref(), &name) && !badly {
                (&rule::TOOL_NAME_LENGTH, "the name is longer than the target takes")
            } else {
                (&rule::TOOL_NAME_CHARACTERS, "the name holds characters that the target refuses")
            };

            writer.adapt(rule, block, format!("{words}; `{name}` became `{new}`"));
            if told.insert(name.clone().into_owned()) {
                let input = writer.value(block.source).map(|value| writer.cursor.pointer(value));
                writer.report.names.push(Renamed { from: name.into_owned(), to: new, input });
            }
        }
        if let Some(head) = &mut message.result
            && let Some(new) = head.tool_name.as_deref().and_then(&mut spell)
        {
            let old = head.tool_name.replace(Cow::Owned(new.clone())).unwrap_or_default();
            message.dirty = true;
            if transcript.fragment {
                let (source, about) = (message.source, Some(message.id));
                let words = format!("the target does not take the name `{old}`; it became `{new}`");
                writer.entry(&rule::TOOL_NAME_CHARACTERS, Severity::Adapt, source, about, words);
            }
        }
    }
    for tool in &mut transcript.tools {
        let Some(new) = spell(&tool.name) else { continue };
        if told.insert(tool.name.clone().into_owned()) {
            let words = format!("the target does not take the name `{}` of a tool; it became `{new}`", tool.name);
            writer.entry(&rule::TOOL_NAME_CHARACTERS, Severity::Adapt, Some(tool.source), None, words);
            let input = writer.value(Some(tool.source)).map(|value| writer.cursor.pointer(value));
            writer.report.names.push(Renamed { from: tool.name.clone().into_owned(), to: new.clone(), input });
        }
        tool.name = Cow::Owned(new);
        tool.renamed = true;
    }
    for name in &defined {
        spell(name);
    }
    if writer.same {
        named::rename(transcript, writer, &map);
    }
}

/// A result whose tool is named by white space was read as one that names none: it does not go back with that name.
fn leave_out_blank_names<'a>(transcript: &mut Transcript<'a>, writer: &mut Writer<'a, '_>) {
    // An empty name has no character that a target could refuse, but no letter at its start either.
    let refuses_empty = writer.target.names.opens_with_letter;
    let is_blank = |name: Value<'a>| {
        name.as_str().is_some_and(|name| name.trim().is_empty() && (refuses_empty || !name.is_empty()))
    };
    for message in transcript.messages.iter_mut().filter(|message| message.result.is_some() && !message.dirty) {
        let wire = writer.value(message.source);
        if wire.is_some_and(|wire| RESULT_NAMES.iter().any(|key| wire.get(key).is_some_and(is_blank))) {
            let words = "white space is no name of a tool; the result has that of its call, or none";
            writer.adapt(&rule::TOOL_NAME_CHARACTERS, message, words);
        }
    }
}
