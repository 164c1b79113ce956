//! Calls of the AI SDK that ask for the approval of the user.

use std::borrow::Cow;

use hashbrown::{HashMap, HashSet};
use wirecanon_json::Value;
use wirecanon_model::Dialect;

use crate::observation::{Content, Item, Provider, Speaker, ToolResult, Turn};

/// The answers to the requests for approval.
#[derive(Default)]
struct Approvals<'a> {
    /// The ids of calls without an answer yet
    waiting: HashSet<Cow<'a, str>>,
    /// The ids of calls that were denied, by the ids of the requests
    denied: HashMap<Cow<'a, str>, Cow<'a, str>>,
}

impl<'a> Approvals<'a> {
    fn new(turns: &[Turn<'a>]) -> Self {
        let mut denied = HashMap::new();
        let mut requests = HashMap::new();
        let mut answered = Vec::new();
        for item in turns.iter().flat_map(|turn| &turn.items) {
            match &item.content {
                Content::Result(result) => answered.extend(result.id.clone()),
                Content::Provider(provider) if is_request(provider) => {
                    if let (Some(approval), Some(call)) = (id(provider, "approvalId"), id(provider, "toolCallId")) {
                        requests.insert(approval, call);
                    }
                }
                Content::Provider(provider) if is_denial(provider) => {
                    let call = id(provider, "approvalId")
                        .and_then(|approval| Some((approval.clone(), requests.remove(&approval)?)));
                    denied.extend(call);
                }
                _ => {}
            }
        }
        let mut waiting: HashSet<_> = requests.into_values().collect();
        for id in answered {
            waiting.remove(&id);
            denied.retain(|_, call| *call != id);
        }
        Self { waiting, denied }
    }
}

fn id<'a>(provider: &Provider<'a>, key: &str) -> Option<Cow<'a, str>> {
    provider.value.get(key).and_then(Value::as_str)
}

fn is_request(provider: &Provider<'_>) -> bool {
    provider.is_of(Dialect::AiSdkModel) && provider.kind == "tool-approval-request"
}

fn is_denial(provider: &Provider<'_>) -> bool {
    provider.is_of(Dialect::AiSdkModel)
        && provider.kind == "tool-approval-response"
        && provider.value.get("approved").and_then(Value::as_bool) == Some(false)
}

/// Makes calls that wait for an approval items of the AI SDK alone, and denials the results of their calls.
pub(crate) fn settle(turns: &mut [Turn<'_>]) {
    let is_approval = |item: &Item<'_>| matches!(&item.content, Content::Provider(provider) if is_request(provider));
    if !turns.iter().flat_map(|turn| &turn.items).any(is_approval) {
        return;
    }
    let approvals = Approvals::new(turns);
    for turn in turns {
        let mut has_denial = false;
        for item in &mut turn.items {
            let place = item.place;
            match &item.content {
                Content::Call(call) if call.id.as_ref().is_some_and(|id| approvals.waiting.contains(id)) => {
                    let waiting = Item::provider(Dialect::AiSdkModel, Cow::Borrowed("tool-call"), place, Vec::new());
                    let call = std::mem::replace(item, waiting);
                    if let Content::Provider(provider) = &mut item.content {
                        provider.readable.push(call);
                    }
                }
                Content::Provider(provider) if is_denial(provider) => {
                    let call = id(provider, "approvalId").and_then(|approval| approvals.denied.get(&approval));
                    let Some(call) = call else { continue };
                    let reason = id(provider, "reason").unwrap_or(Cow::Borrowed("output-denied"));
                    let mut result = ToolResult::new(Some(call.clone()), vec![Item::text(reason, place)]);
                    result.is_error = Some(true);
                    item.content = Content::Result(result);
                    has_denial = true;
                }
                _ => {}
            }
        }
        if has_denial && turn.items.iter().all(|item| matches!(item.content, Content::Result(_))) {
            turn.speaker = Speaker::Tool;
        }
    }
}
