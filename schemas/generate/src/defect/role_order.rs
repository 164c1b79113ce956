//! Messages in the wrong place, of no known role, or that are none.

use super::dialects::{conversation, own};
use super::place::{drop_outcome, insert, message, of_role, outcome};
use super::{Apply, Defect, Effect, exact};
use crate::Draw;
use crate::node::{COMPACT, Node, object, print};
use crate::outcome::words;
use crate::plan::{Field, Message, Part, Plan, Role, Text};

const CLASS: &str = "role-order";
const UNKNOWN: &[&str] = &["unknown-role"];
const WRONG: &[&str] = &["block-in-wrong-role"];

pub(super) const ROWS: &[Defect] = &[
    exact(CLASS, "role-missing", UNKNOWN, "A message has no role.", conversation, |draw, plan, _| {
        unknown(draw, plan, Field::Missing)
    }),
    exact(
        CLASS,
        "role-unknown",
        UNKNOWN,
        "A message is of a role that nobody knows.",
        conversation,
        |draw, plan, _| {
            let role = draw.pick(&["narrator", "critic", "error", "users"]);
            unknown(draw, plan, Field::Instead(Node::from(role)))
        },
    ),
    exact(CLASS, "role-null", UNKNOWN, "A message's role is null.", conversation, |draw, plan, _| {
        unknown(draw, plan, Field::Instead(Node::Null))
    }),
    exact(
        CLASS,
        "role-not-a-string",
        UNKNOWN,
        "A message's role is a number or a list.",
        conversation,
        |draw, plan, _| {
            let role =
                if draw.chance(1, 2) { Node::Raw("3".to_owned()) } else { Node::Array(vec![Node::from("user")]) };
            unknown(draw, plan, Field::Instead(role))
        },
    ),
    exact(
        CLASS,
        "role-alias",
        &["role-alias"],
        "A message's role has another program's name.",
        own,
        |draw, plan, _| {
            let place = message(draw, plan, |message| message.spelled_role == Field::Natural)?;
            let alias = match plan.messages[place].role {
                Role::Result => draw.pick(&["tool", "function", "tool_result"]),
                Role::System => draw.pick(&["developer", "System"]),
                Role::Assistant => draw.pick(&["model", "ai", "Assistant"]),
                Role::User => draw.pick(&["human", "User"]),
            };
            plan.messages[place].spelled_role = Field::Instead(Node::from(alias));
            Some(())
        },
    ),
    exact(
        CLASS,
        "user-missing-in-front",
        &[],
        "The first message of the user is gone.",
        conversation,
        |draw, plan, _| {
            let first = plan.messages.iter().position(|message| message.role == Role::User)?;
            let key = plan.messages[first].key;
            let place = message(draw, plan, |message| message.key == key)?;
            cut(plan, place)
        },
    ),
    exact(
        CLASS,
        "leading-turns-missing",
        &[],
        "The conversation begins in its middle.",
        conversation,
        |draw, plan, _| {
            // Up to any turn of words, so that no call loses its results.
            let places: Vec<_> = (1..plan.messages.len())
                .filter(|place| matches!(plan.messages[*place].role, Role::User | Role::Assistant))
                .collect();
            let many = super::place::one(draw, &places)?;
            let whole = plan.messages[..many].iter().all(|message| {
                message.key != 0 && !plan.changed.contains(&message.key) && !plan.paired.contains(&message.key)
            });
            if !whole || plan.messages[many..].iter().any(|message| plan.paired.contains(&message.key)) {
                return None;
            }
            for _ in 0..many {
                super::pairing::remove(plan, 0);
            }
            Some(())
        },
    ),
    exact(CLASS, "system-in-the-middle", &[], "Instructions stand anywhere.", conversation, |draw, plan, _| {
        let token = plan.token();
        plan.keep(&token);
        let text = Text { body: format!("from now on {token}"), token, spelled: Field::Natural, twice: false };
        let message = Message::new(Role::System, vec![Part::Text(text)]);
        insert(draw, plan, message.clone(), Some(message))
    }),
    no_message("message-null", "A message is null.", |draw, _, root| {
        let place = draw.up_to(20);
        among(root, place, Node::Null)
    }),
    no_message("message-a-string", "A message is a string.", |draw, _, root| {
        let text = draw.pick(&["hello", "", "{\"role\":\"user\"}"]);
        let place = draw.up_to(20);
        among(root, place, Node::from(text))
    }),
    no_message("message-a-number", "A message is a number or a truth value.", |draw, _, root| {
        let value = draw.pick(&["0", "1e99", "false"]);
        let place = draw.up_to(20);
        among(root, place, Node::Raw(value.to_owned()))
    }),
    no_message("message-a-list", "A message is a list.", |draw, _, root| {
        let items = if draw.chance(1, 2) { vec![] } else { vec![object([("role", Node::from("user"))])] };
        let place = draw.up_to(20);
        among(root, place, Node::Array(items))
    }),
    exact(CLASS, "call-of-the-user", WRONG, "A call stands in a message of the user.", own, |draw, plan, _| {
        let block = object([
            ("type", Node::from("toolCall")),
            ("id", Node::from("wrong")),
            ("name", Node::from("read")),
            ("arguments", object([])),
        ]);
        misplaced(draw, plan, Role::User, &block, None)
    }),
    exact(CLASS, "reasoning-of-the-user", WRONG, "Reasoning stands in a message of the user.", own, |draw, plan, _| {
        let block = object([("type", Node::from("thinking")), ("thinking", Node::from("hm"))]);
        misplaced(draw, plan, Role::User, &block, None)
    }),
    exact(
        CLASS,
        "image-of-the-assistant",
        WRONG,
        "A picture stands in a message of the assistant.",
        own,
        |draw, plan, _| {
            let picture = crate::media::picture(draw, "wrong", false);
            let block = object([
                ("type", Node::from("image")),
                ("data", Node::from(picture.base64.as_str())),
                ("mimeType", Node::from(picture.mime)),
            ]);
            let text = format!("[wirecanon: image left out: not in this role ({})]", picture.mime);
            misplaced(draw, plan, Role::Assistant, &block, Some(&text))
        },
    ),
];

/// A message that nobody can say who spoke.
fn unknown(draw: &mut Draw<'_, '_>, plan: &mut Plan, written: Field) -> Option<()> {
    let place = of_role(draw, plan, Role::User)?;
    plan.messages[place].spelled_role = written;
    plan.forget_message(place);
    drop_outcome(plan, place);
    plan.may_refuse |= plan.messages.len() < 3;
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

type Tree = fn(&mut Draw<'_, '_>, &mut Plan, &mut Node) -> Option<()>;

const fn no_message(id: &'static str, summary: &'static str, apply: Tree) -> Defect {
    Defect {
        id,
        class: CLASS,
        rules: &["message-not-an-object"],
        effect: Effect::Exact,
        summary,
        dialects: conversation,
        apply: Apply::Tree(apply),
    }
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
fn misplaced(draw: &mut Draw<'_, '_>, plan: &mut Plan, role: Role, block: &Node, out: Option<&str>) -> Option<()> {
    let place = of_role(draw, plan, role)?;
    let text = print(block, COMPACT);
    let parts = &mut plan.messages[place].parts;
    parts.insert(0, Part::Raw(Node::Raw(text.clone()), String::new()));
    outcome(plan, place)?.parts.insert(0, Part::Raw(words(out.unwrap_or(&text)), String::new()));
    Some(())
}
