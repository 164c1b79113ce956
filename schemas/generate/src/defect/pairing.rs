//! Calls and results that do not fit together.

use super::dialects::{apart, calls, canonical, images, own};
use super::place::{
    Exchange, change, drop_outcome, exchange, exchanges, insert, is_free, message, one, outcome, pair, tear,
};
use super::{Defect, exact, property};
use crate::node::Node;
use crate::plan::{Answer, Field, Message, Part, Plan, Role, Text};
use crate::{Draw, media};

const CLASS: &str = "pairing";
const ORPHAN: &[&str] = &["orphan-tool-result"];
const DUPLICATE: &[&str] = &["duplicate-tool-result"];
const DISPLACED: &[&str] = &["tool-result-displaced"];
const WITHOUT_ID: &[&str] = &["tool-result-without-id"];

pub(super) const ROWS: &[Defect] = &[
    exact(CLASS, "orphan-result", ORPHAN, "The call of a result is nowhere.", calls, |draw, plan, _| {
        plan.loose_result = true;
        insert(draw, plan, foreign("nobody asked", "gone"), None)
    }),
    exact(CLASS, "result-twice", DUPLICATE, "A call has a second result.", calls, |draw, plan, _| {
        let (exchange, number) = a_result(draw, plan, 1, false)?;
        let place = exchange.results[number];
        let id = plan.messages[place].answer.as_ref()?.id.clone();
        // Behind the first, or behind the whole batch.
        let behind = if draw.chance(1, 2) { *exchange.results.last()? } else { place };
        plan.messages.insert(behind + 1, foreign("said again", &id));
        Some(())
    }),
    exact(
        CLASS,
        "stand-in-beside-result",
        DUPLICATE,
        "A program put in a result for a call that has one.",
        own,
        |draw, plan, _| {
            let (exchange, number) = a_result(draw, plan, 1, false)?;
            let place = exchange.results[number];
            let id = plan.messages[place].answer.as_ref()?.id.clone();
            let text = "[openclaw] missing tool result in session history; inserted synthetic error result for transcript repair.";
            let mut message = foreign(text, &id);
            message.answer.as_mut()?.is_error = true;
            let behind = usize::from(draw.chance(1, 2));
            plan.messages.insert(place + behind, message);
            Some(())
        },
    ),
    exact(CLASS, "result-missing", &["tool-call-without-result"], "A call has no result.", calls, |draw, plan, _| {
        let (exchange, number) = a_result(draw, plan, 1, true)?;
        remove(plan, exchange.results[number]);
        Some(())
    }),
    exact(
        CLASS,
        "results-missing",
        &["tool-call-without-result"],
        "No call of a turn has a result.",
        calls,
        |draw, plan, _| {
            let found: Vec<_> = exchanges(plan, 1)
                .into_iter()
                .filter(|exchange| exchange.results.iter().all(|place| is_free(plan, *place)))
                .collect();
            let exchange = found[one(draw, &(0..found.len()).collect::<Vec<_>>())?].clone();
            pair(plan, &exchange);
            for place in &exchange.results {
                change(plan, *place);
            }
            let mut places = exchange.results;
            places.sort_unstable();
            for place in places.into_iter().rev() {
                remove(plan, place);
            }
            Some(())
        },
    ),
    exact(
        CLASS,
        "results-out-of-order",
        &["parallel-results-out-of-order"],
        "The results of parallel calls stand in another order.",
        apart,
        |draw, plan, _| {
            let exchange = exchange(draw, plan, 2)?;
            let by = 1 + draw.up_to(exchange.results.len() - 2);
            let mut results: Vec<_> = exchange.results.iter().map(|place| plan.messages[*place].clone()).collect();
            results.rotate_left(by);
            for (place, result) in exchange.results.iter().zip(results) {
                plan.messages[*place] = result;
            }
            Some(())
        },
    ),
    exact(
        CLASS,
        "user-between-call-and-result",
        DISPLACED,
        "The user speaks between a call and its result.",
        calls,
        |draw, plan, _| torn(draw, plan, 1, 0, Role::User, false),
    ),
    exact(
        CLASS,
        "assistant-between-call-and-result",
        DISPLACED,
        "The assistant speaks between a call and its result.",
        calls,
        |draw, plan, _| torn(draw, plan, 1, 0, Role::Assistant, false),
    ),
    exact(
        CLASS,
        "media-between-results",
        DISPLACED,
        "A message with a picture stands between the results of parallel calls.",
        |dialect| calls(dialect) && images(dialect),
        |draw, plan, _| torn(draw, plan, 2, 1, Role::User, true),
    ),
    exact(
        CLASS,
        "result-before-call",
        &["tool-result-before-call"],
        "A result stands in front of its call.",
        calls,
        |draw, plan, _| {
            let exchange = exchange(draw, plan, 1)?;
            let place = draw.pick(&exchange.results);
            let result = plan.messages.remove(place);
            plan.messages.insert(exchange.turn, result);
            Some(())
        },
    ),
    exact(
        CLASS,
        "result-at-the-end",
        DISPLACED,
        "A result stands at the end of the conversation, far behind its call.",
        calls,
        |draw, plan, _| {
            let exchange = exchange(draw, plan, 1)?;
            let place = draw.pick(&exchange.results);
            // There is something in between.
            if plan.messages[place..].iter().all(|message| message.role == Role::Result) {
                return None;
            }
            let result = plan.messages.remove(place);
            plan.messages.push(result);
            Some(())
        },
    ),
    exact(CLASS, "result-id-missing", WITHOUT_ID, "A result does not say whose it is.", calls, |draw, plan, _| {
        nobodys(draw, plan, Field::Missing)
    }),
    exact(CLASS, "result-id-null", WITHOUT_ID, "A result's id is null.", calls, |draw, plan, _| {
        nobodys(draw, plan, Field::Instead(Node::Null))
    }),
    exact(CLASS, "result-id-empty", WITHOUT_ID, "A result's id is empty.", calls, |draw, plan, _| {
        nobodys(draw, plan, Field::Instead(Node::from("")))
    }),
    exact(CLASS, "result-id-blank", WITHOUT_ID, "A result's id is white space.", calls, |draw, plan, _| {
        nobodys(draw, plan, Field::Instead(Node::from(" \t")))
    }),
    exact(
        CLASS,
        "results-without-ids",
        WITHOUT_ID,
        "The results of all turns of one call, or of calls of different names, do not say whose they are.",
        calls,
        |_, plan, dialect| {
            let mut found = exchanges(plan, 1);
            // Where results say the names of their tools, one tells each of several from the others.
            found.retain(|exchange| exchange.results.len() == 1 || own(dialect) && are_named_apart(plan, exchange));
            if found.len() < 2 && found.iter().all(|exchange| exchange.results.len() == 1) {
                return None;
            }
            for exchange in &found {
                pair(plan, exchange);
                for place in &exchange.results {
                    plan.messages[*place].answer.as_mut()?.spelled_id = Field::Missing;
                }
            }
            Some(())
        },
    ),
    property(
        CLASS,
        "ids-missing-on-either-side",
        &[],
        "Neither the calls of a turn nor their results have ids.",
        calls,
        |draw, plan, _| {
            let exchange = exchange(draw, plan, 1)?;
            plan.doubt();
            forget(plan, &exchange);
            for place in &exchange.results {
                plan.messages[*place].answer.as_mut()?.spelled_id = Field::Missing;
            }
            for call in plan.messages[exchange.turn].calls_mut() {
                call.spelled_id = Field::Missing;
            }
            Some(())
        },
    ),
    exact(
        CLASS,
        "result-of-another-id",
        &["orphan-tool-result", "tool-call-without-result"],
        "A result has an id that no call has.",
        calls,
        |draw, plan, _| {
            let (exchange, number) = a_result(draw, plan, 1, true)?;
            let place = exchange.results[number];
            plan.messages[place].answer.as_mut()?.spelled_id = Field::Instead(Node::from("elsewhere"));
            plan.loose_result = true;
            plan.forget_message(place);
            drop_outcome(plan, place);
            Some(())
        },
    ),
    exact(
        CLASS,
        "failed-turn-with-results",
        &[],
        "A turn of calls broke off, and all were answered: everything stays.",
        own,
        |draw, plan, _| {
            let exchange = exchange(draw, plan, 1)?;
            // Why it stopped may be wrong already.
            if !is_free(plan, exchange.turn) {
                return None;
            }
            change(plan, exchange.turn);
            fail(draw, plan, exchange.turn)
        },
    ),
    exact(
        CLASS,
        "failed-turn-without-result",
        &["failed-turn-tool-call"],
        "A turn of calls broke off before a call was answered: nothing stands in for the answer.",
        own,
        |draw, plan, _| {
            let (exchange, number) = a_result(draw, plan, 1, true)?;
            change(plan, exchange.turn);
            fail(draw, plan, exchange.turn)?;
            let token = plan.messages[exchange.turn].calls().nth(number)?.token.clone();
            remove(plan, exchange.results[number]);
            let turn = exchange.turn - usize::from(exchange.results[number] < exchange.turn);
            drop_call(plan, turn, &token)
        },
    ),
    exact(
        CLASS,
        "stop-reason-without-call",
        &["stop-reason-without-call"],
        "A turn of words says that it stopped to call a tool.",
        own,
        |draw, plan, _| {
            let place = message(draw, plan, |message| {
                message.role == Role::Assistant && message.calls().next().is_none() && message.stop.is_some()
            })?;
            plan.messages[place].stop = Some("toolUse");
            outcome(plan, place)?.stop = Some("stop");
            Some(())
        },
    ),
    exact(
        CLASS,
        "stop-reason-unknown",
        &["unknown-stop-reason"],
        "A turn stopped for a reason that nobody knows.",
        canonical,
        |draw, plan, _| {
            let place = message(draw, plan, |message| message.role == Role::Assistant && message.stop.is_some())?;
            plan.messages[place].stop = Some("bananas");
            outcome(plan, place)?.stop = None;
            Some(())
        },
    ),
];

/// One result of an exchange, as its number among them. A `whole` one has words that no other defect has changed.
fn a_result(draw: &mut Draw<'_, '_>, plan: &mut Plan, at_least: usize, whole: bool) -> Option<(Exchange, usize)> {
    let exchange = exchange(draw, plan, at_least)?;
    let places: Vec<_> =
        (0..exchange.results.len()).filter(|number| !whole || is_free(plan, exchange.results[*number])).collect();
    let number = one(draw, &places)?;
    if whole {
        change(plan, exchange.results[number]);
    }
    Some((exchange, number))
}

/// Takes a result out of what is written and of what must come out.
pub(super) fn remove(plan: &mut Plan, place: usize) {
    plan.forget_message(place);
    if let Some(token) = plan.messages[place].answer.as_ref().map(|answer| answer.call.clone()) {
        plan.forget_call(&token);
    }
    drop_outcome(plan, place);
    plan.messages.remove(place);
}

/// A result that nobody planned.
fn foreign(text: &str, id: &str) -> Message {
    let mut message = Message::new(Role::Result, vec![Part::Text(Text::plain(text))]);
    message.answer = Some(Answer {
        call: String::new(),
        id: id.to_owned(),
        spelled_id: Field::Natural,
        id_key: None,
        name: "read".to_owned(),
        spelled_name: Field::Natural,
        is_error: false,
        spelled_error: Field::Natural,
    });
    message
}

/// Words, or a picture, between a turn and its results, behind at least `behind` of them.
fn torn(
    draw: &mut Draw<'_, '_>,
    plan: &mut Plan,
    at_least: usize,
    behind: usize,
    role: Role,
    picture: bool,
) -> Option<()> {
    let exchange = exchange(draw, plan, at_least)?;
    // Nothing else stands between them yet.
    let together = exchange.results.iter().enumerate().all(|(number, place)| *place == exchange.turn + 1 + number);
    if !together {
        plan.doubt();
    }
    let token = plan.token();
    plan.keep(&token);
    let text = Text { body: format!("meanwhile {token}"), token, spelled: Field::Natural, twice: false };
    let mut parts = vec![Part::Text(text)];
    if picture {
        let picture = media::picture(draw, &plan.token(), false);
        plan.keep(&picture.base64);
        parts.push(Part::Image(crate::plan::Image { picture, data: Field::Natural, mime: Field::Natural }));
    }
    let message = Message::new(role, parts);
    let place = exchange.results[behind + draw.up_to(exchange.results.len() - 1 - behind)];
    tear(plan, &exchange, place, message.clone(), Some(message))
}

/// A result without an id answers the one open call of its turn.
fn nobodys(draw: &mut Draw<'_, '_>, plan: &mut Plan, written: Field) -> Option<()> {
    let exchange = exchange(draw, plan, 1)?;
    let place = draw.pick(&exchange.results);
    plan.messages[place].answer.as_mut()?.spelled_id = written;
    Some(())
}

/// Whether the calls of an exchange are of different names.
fn are_named_apart(plan: &Plan, exchange: &Exchange) -> bool {
    let mut names = std::collections::BTreeSet::new();
    plan.messages[exchange.turn].calls().all(|call| names.insert(&call.name))
}

/// From now on nobody asks after the results of this exchange, nor after its calls.
fn forget(plan: &mut Plan, exchange: &Exchange) {
    for place in &exchange.results {
        plan.forget_message(*place);
    }
    super::place::disown(plan, exchange.turn);
}

fn fail(draw: &mut Draw<'_, '_>, plan: &mut Plan, turn: usize) -> Option<()> {
    let stop = draw.pick(&["error", "aborted"]);
    plan.messages[turn].stop = Some(stop);
    outcome(plan, turn)?.stop = Some(stop);
    Some(())
}

/// Takes a call out of what must come out; a turn that said nothing else goes with it.
pub(super) fn drop_call(plan: &mut Plan, turn: usize, token: &str) -> Option<()> {
    let out = outcome(plan, turn)?;
    out.parts.retain(|part| !matches!(part, Part::Call(call) if call.token == token));
    if out.calls().next().is_none() && out.stop == Some("toolUse") {
        out.stop = Some("stop");
    }
    if out.parts.is_empty() {
        drop_outcome(plan, turn);
    }
    Some(())
}
