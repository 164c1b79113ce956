//! Messages in the wrong place, of no known role, or that are none.

use super::dialects::{conversation, own};
use super::place::{drop_outcome, insert, message, of_role, outcome};
use super::{Apply, Defect, Effect, Finished, Site, exact, instead};
use crate::node::{COMPACT, Node, object, print, raw};
use crate::outcome::words;
use crate::plan::{Field, Message, Part, Plan, Role, Text};

const UNKNOWN: &[&str] = &["unknown-role"];
const WRONG: &[&str] = &["block-in-wrong-role"];

pub(super) const ROWS: &[Defect] = &[
    exact("role-missing", UNKNOWN, "A message has no role.", conversation, |on| unknown(on, Field::Missing)),
    exact("role-unknown", UNKNOWN, "A message is of a role that nobody knows.", conversation, |on| {
        let role = on.draw.pick(&["narrator", "critic", "error", "users"]);
        unknown(on, instead(role))
    }),
    exact("role-null", UNKNOWN, "A message's role is null.", conversation, |on| unknown(on, instead(Node::Null))),
    exact("role-not-a-string", UNKNOWN, "A message's role is a number or a list.", conversation, |on| {
        let role = if on.draw.chance(1, 2) { raw("3") } else { Node::Array(vec![Node::from("user")]) };
        unknown(on, instead(role))
    }),
    exact("role-alias", &["role-alias"], "A message's role has another program's name.", own, |on| {
        let place = message(on, |message| message.spelled_role == Field::Natural)?;
        let alias = match on.plan.messages[place].role {
            Role::Result => on.draw.pick(&["tool", "function", "tool_result"]),
            Role::System => on.draw.pick(&["developer", "System"]),
            Role::Assistant => on.draw.pick(&["model", "ai", "Assistant"]),
            Role::User => on.draw.pick(&["human", "User"]),
        };
        on.plan.messages[place].spelled_role = instead(alias);
        Some(())
    }),
    exact("user-missing-in-front", &[], "The first message of the user is gone.", conversation, |on| {
        let first = on.plan.messages.iter().position(|message| message.role == Role::User)?;
        let key = on.plan.messages[first].key;
        let place = message(on, |message| message.key == key)?;
        cut(on.plan, place)
    }),
    exact("leading-turns-missing", &[], "The conversation begins in its middle.", conversation, |on| {
        // Up to any turn of words, so that no call loses its results.
        let places: Vec<_> = (1..on.plan.messages.len())
            .filter(|place| matches!(on.plan.messages[*place].role, Role::User | Role::Assistant))
            .collect();
        let many = on.draw.one(&places)?;
        let whole = on.plan.messages[..many].iter().all(|message| {
            message.key != 0 && !on.plan.changed.contains(&message.key) && !on.plan.paired.contains(&message.key)
        });
        if !whole || on.plan.messages[many..].iter().any(|message| on.plan.paired.contains(&message.key)) {
            return None;
        }
        for _ in 0..many {
            super::pairing::remove(on.plan, 0);
        }
        Some(())
    }),
    exact("system-in-the-middle", &[], "Instructions stand anywhere.", conversation, |on| {
        let token = on.plan.token();
        on.plan.keep(&token);
        let text = Text { body: format!("from now on {token}"), token, spelled: Field::Natural, twice: false };
        let message = Message::new(Role::System, vec![Part::Text(text)]);
        insert(on, message.clone(), Some(message))
    }),
    no_message("message-null", "A message is null.", |on, root| {
        let place = on.draw.up_to(20);
        among(root, place, Node::Null)
    }),
    no_message("message-a-string", "A message is a string.", |on, root| {
        let text = on.draw.pick(&["hello", "", "{\"role\":\"user\"}"]);
        let place = on.draw.up_to(20);
        among(root, place, Node::from(text))
    }),
    no_message("message-a-number", "A message is a number or a truth value.", |on, root| {
        let value = on.draw.pick(&["0", "1e99", "false"]);
        let place = on.draw.up_to(20);
        among(root, place, raw(value))
    }),
    no_message("message-a-list", "A message is a list.", |on, root| {
        let items = if on.draw.chance(1, 2) { vec![] } else { vec![object([("role", "user")])] };
        let place = on.draw.up_to(20);
        among(root, place, Node::Array(items))
    }),
    exact("call-of-the-user", WRONG, "A call stands in a message of the user.", own, |on| {
        let block = object([
            ("type", Node::from("toolCall")),
            ("id", Node::from("wrong")),
            ("name", Node::from("read")),
            ("arguments", Node::Object(vec![])),
        ]);
        misplaced(on, Role::User, &block, None)
    }),
    exact("reasoning-of-the-user", WRONG, "Reasoning stands in a message of the user.", own, |on| {
        let block = object([("type", "thinking"), ("thinking", "hm")]);
        misplaced(on, Role::User, &block, None)
    }),
    exact("image-of-the-assistant", WRONG, "A picture stands in a message of the assistant.", own, |on| {
        let picture = crate::media::picture(&mut on.draw, "wrong", false);
        let block = object([
            ("type", Node::from("image")),
            ("data", Node::from(picture.base64.as_str())),
            ("mimeType", Node::from(picture.mime)),
        ]);
        let text = format!("[wirecanon: image left out: not in this role ({})]", picture.mime);
        misplaced(on, Role::Assistant, &block, Some(&text))
    }),
];

/// A message that nobody can say who spoke.
fn unknown(on: &mut Site<'_, '_>, written: Field) -> Option<()> {
    let place = of_role(on, Role::User)?;
    on.plan.messages[place].spelled_role = written;
    on.plan.forget_message(place);
    drop_outcome(on.plan, place);
    on.plan.may_refuse |= on.plan.messages.len() < 3;
    Some(())
}

/// Takes a message away.
fn cut(plan: &mut Plan, place: usize) -> Option<()> {
    if plan.messages.len() < 2 {
        return None;
    }
    plan.forget_message(place);
    drop_outcome(plan, place);
    plan.messages.remove(place);
    Some(())
}

const fn no_message(id: &'static str, summary: &'static str, apply: Finished<Node>) -> Defect {
    let rules = &["message-not-an-object"];
    Defect { id, class: "", rules, effect: Effect::Exact, summary, dialects: conversation, apply: Apply::Tree(apply) }
}

/// Puts something among the messages that is none.
fn among(root: &mut Node, place: usize, node: Node) -> Option<()> {
    let list = match root {
        Node::Array(items) => items,
        Node::Object(members) => {
            let lists = ["messages", "input", "contents"];
            let list = members.iter_mut().find(|(key, _)| lists.contains(&key.as_str()));
            match list {
                Some((_, Node::Array(items))) => items,
                _ => return None,
            }
        }
        _ => return None,
    };
    list.insert(place.min(list.len()), node);
    Some(())
}

/// A block in a role that may not hold it: its JSON text comes out, or what stands for it.
fn misplaced(on: &mut Site<'_, '_>, role: Role, block: &Node, out: Option<&str>) -> Option<()> {
    let place = of_role(on, role)?;
    let text = print(block, COMPACT);
    let parts = &mut on.plan.messages[place].parts;
    parts.insert(0, Part::Raw(raw(&text), String::new()));
    outcome(on.plan, place)?.parts.insert(0, Part::Raw(words(out.unwrap_or(&text)), String::new()));
    Some(())
}
