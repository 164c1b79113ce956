//! Ids of the tools that Anthropic runs itself: `srvtoolu_` and letters, digits or `_`, and for those of MCP servers `-` too.
//! A gateway's id with another character is refused for ever, so call and result get one that is taken.

use std::borrow::Cow;
use std::collections::{HashMap, HashSet};

use crate::adapt::ids::{Form, Taken, respell};
use crate::adapt::items::half_of_a_pair;
use crate::print::Writer;
use wirecanon_json::{Json, Limits};
use wirecanon_model::report::Renamed;
use wirecanon_model::target::charset;
use wirecanon_model::transcript::{BlockKind, Message, Transcript};
use wirecanon_model::{Dialect, rule};

/// What the ids of the server's own tools begin with.
const PREFIX: &str = "srvtoolu_";

pub(crate) fn run<'a>(transcript: &mut Transcript<'a>, writer: &mut Writer<'a, '_>) {
    if writer.target.dialect != Dialect::AnthropicMessages {
        return;
    }
    let ids = transcript.messages.iter().flat_map(|message| &message.blocks).filter_map(half_of_a_pair);
    let taken: HashSet<String> = ids.map(|(_, _, id)| id).collect();
    if taken.iter().all(|id| taken_by_servers(id)) {
        return;
    }
    let mut taken = Taken::new(taken);
    for message in &mut transcript.messages {
        turn(message, &mut taken, writer);
    }
}

fn turn<'a>(message: &mut Message<'a>, taken: &mut Taken, writer: &mut Writer<'a, '_>) {
    // Old and new ids of the turn's calls.
    let mut renamed: HashMap<String, String> = HashMap::new();
    for block in &mut message.blocks {
        let Some((_, is_call, id)) = half_of_a_pair(block) else { continue };
        let BlockKind::Opaque(opaque) = &mut block.kind else { continue };
        let new = if is_call && !taken_as(&opaque.value, &id) {
            let rest = respell(id.strip_prefix(PREFIX).unwrap_or(&id), Some("_"));
            let base = format!("{PREFIX}{}", if rest.is_empty() { "1" } else { &rest });
            let new = taken.fresh(&base, Form::up_to(None, Some("_")));
            renamed.insert(id.clone(), new.clone());
            new
        } else if let Some(new) = renamed.get(&id).filter(|_| !is_call) {
            new.clone()
        } else {
            continue;
        };
        let key = if is_call { "id" } else { "tool_use_id" };
        let Some(value) = with_id(&opaque.value, key, &new) else { continue };
        opaque.value = Cow::Owned(value);
        if !is_call {
            block.dirty = true;
            message.dirty = true;
            continue;
        }

        let what = format!("the server takes no such id of its own tool; `{id}` became `{new}`, with its result");
        writer.adapt(&rule::TOOL_CALL_ID_CHARACTERS, block, what);
        let input = writer.value(block.source).map(|value| writer.cursor.pointer(value));
        writer.report.ids.push(Renamed { from: id, to: new, input });
    }
}

/// Whether this is an id of the server's own tools.
fn taken_by_servers(id: &str) -> bool {
    id.strip_prefix(PREFIX).is_some_and(|rest| !rest.is_empty() && charset(Some("_"), rest))
}

/// Whether the server takes the id of this call.
fn taken_as(value: &str, id: &str) -> bool {
    let of_mcp = Json::parse(value, &Limits::default())
        .is_ok_and(|json| json.root().get("type").is_some_and(|kind| kind.is_str("mcp_tool_use")));
    if of_mcp { !id.is_empty() && charset(Some("_-"), id) } else { taken_by_servers(id) }
}

/// The item with another id, and all else as it was.
fn with_id(value: &str, key: &str, id: &str) -> Option<String> {
    let json = Json::parse(value, &Limits::default()).ok()?;
    let span = json.root().get(key)?.span();
    Some(format!("{}\"{id}\"{}", &value[..span.start], &value[span.end..]))
}
