//! Tools of one name, where the target refuses them: the first definition counts.

use std::borrow::Cow;
use std::collections::HashMap;
use std::ops::Range;

use crate::print::Writer;
use crate::read::definitions::{holder, items, list_of, name_of};
use wirecanon_json::{Value, same_bounded};
use wirecanon_model::report::Severity;
use wirecanon_model::rule;
use wirecanon_model::transcript::{Container, Tool, Transcript};

pub(crate) fn run<'a>(transcript: &mut Transcript<'a>, writer: &mut Writer<'a, '_>) {
    if !writer.target.names.unique {
        return;
    }
    let removed = if writer.same { remove_items(transcript, writer) } else { Vec::new() };
    let mut names: HashMap<Cow<'a, str>, Tool<'a>> = HashMap::new();
    transcript.tools.retain(|tool| {
        let start = start_of(tool, writer);
        let behind = removed.partition_point(|item| item.start <= start);
        if behind.checked_sub(1).is_some_and(|at| removed[at].contains(&start)) {
            return false;
        }
        let Some(first) = names.get(&tool.name) else {
            names.insert(tool.name.clone(), tool.clone());
            return true;
        };
        let is_same = (&first.description, &first.parameters) == (&tool.description, &tool.parameters);
        report(&tool.name, is_same, tool.source, writer);
        false
    });
}

/// Removes the items of the list of tools that define nothing new. Returns where they stand.
fn remove_items<'a>(transcript: &Transcript<'a>, writer: &mut Writer<'a, '_>) -> Vec<Range<usize>> {
    let Container::Object { object, .. } = transcript.container else { return Vec::new() };
    let list = list_of(writer.json.value(object), transcript.dialect);
    let mut tools: Vec<_> =
        transcript.tools.iter().map(|tool| (start_of(tool, writer), tool.name.clone().into_owned())).collect();
    tools.sort_unstable();
    let (mut names, mut removed) = (HashMap::new(), Vec::new());
    for item in list.into_iter().flat_map(items) {
        let mut of_item: Vec<String> = match item.get("name").filter(|name| name.is_string()) {
            Some(_) => vec![name_of(item, &mut writer.cursor)],
            None => {
                let within = |start: usize| tools.partition_point(|(tool, _)| *tool < start);
                tools[within(item.span().start)..within(item.span().end)].iter().map(|(_, name)| name.clone()).collect()
            }
        };
        // A definition that could not be read is one of the same name all the same.
        if of_item.is_empty() {
            of_item.extend(holder(item).get("name").and_then(Value::as_str).map(Cow::into_owned));
        }
        if !of_item.is_empty() && of_item.iter().all(|name| names.contains_key(name)) {
            report(&of_item[0], same_bounded(item, names[&of_item[0]]), item.index(), writer);
            writer.removed_tools.insert(item.index());
            removed.push(item.span());
        }
        for name in of_item {
            names.entry(name).or_insert(item);
        }
    }
    removed
}

fn start_of(tool: &Tool<'_>, writer: &Writer<'_, '_>) -> usize {
    writer.json.value(tool.source).span().start
}

fn report(name: &str, is_same: bool, source: u32, writer: &mut Writer<'_, '_>) {
    let (severity, what) = if is_same {
        (Severity::Adapt, format!("the tool `{name}` is defined twice; the second definition was left out"))
    } else {
        let what =
            format!("another tool is called `{name}`, and the target takes no second one; this one was left out");
        (Severity::Loss, what)
    };
    writer.entry(&rule::DUPLICATE_TOOL_NAME, severity, Some(source), None, what);
}
