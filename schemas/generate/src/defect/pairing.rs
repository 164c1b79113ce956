//! Calls and results that do not fit together.

use super::dialects::{apart, calls, canonical, images, own};
use super::place::{
    Exchange, change, drop_outcome, exchange, exchanges, insert, is_free, message, outcome, pair, tear,
};
use super::{Defect, Site, exact, instead, property};
use crate::media;
use crate::node::Node;
use crate::plan::{Answer, Field, Message, Part, Plan, Role, Text};

const ORPHAN: &[&str] = &["orphan-tool-result"];
const DUPLICATE: &[&str] = &["duplicate-tool-result"];
const DISPLACED: &[&str] = &["tool-result-displaced"];
const WITHOUT_ID: &[&str] = &["tool-result-without-id"];
const OTHER_ORDER: &[&str] = &["parallel-results-out-of-order"];
const NOBODYS: &[&str] = &["orphan-tool-result", "tool-call-without-result"];
const OPEN: &[&str] = &["tool-call-without-result"];
const STOPPED: &[&str] = &["stop-reason-without-call"];
const UNKNOWN: &[&str] = &["unknown-stop-reason"];

pub(super) const ROWS: &[Defect] = &[
    exact("orphan-result", ORPHAN, "The call of a result is nowhere.", calls, |on| {
        on.plan.loose_result = true;
        insert(on, foreign("nobody asked", "gone"), None)
    }),
    exact("result-twice", DUPLICATE, "A call has a second result.", calls, |on| {
        let (exchange, number) = a_result(on, 1, false)?;
        let place = exchange.results[number];
        let id = on.plan.messages[place].answer.as_ref()?.id.clone();
        // Behind the first, or behind the whole batch.
        let behind = if on.draw.chance(1, 2) { *exchange.results.last()? } else { place };
        on.plan.messages.insert(behind + 1, foreign("said again", &id));
        Some(())
    }),
    exact("stand-in-beside-result", DUPLICATE, "A program put in a result for a call that has one.", own, |on| {
        let (exchange, number) = a_result(on, 1, false)?;
        let place = exchange.results[number];
        let id = on.plan.messages[place].answer.as_ref()?.id.clone();
        let text =
            "[openclaw] missing tool result in session history; inserted synthetic error result for transcript repair.";
        let mut message = foreign(text, &id);
        message.answer.as_mut()?.is_error = true;
        let behind = usize::from(on.draw.chance(1, 2));
        on.plan.messages.insert(place + behind, message);
        Some(())
    }),
    exact("result-missing", OPEN, "A call has no result.", calls, |on| {
        let (exchange, number) = a_result(on, 1, true)?;
        remove(on.plan, exchange.results[number]);
        Some(())
    }),
    exact("results-missing", OPEN, "No call of a turn has a result.", calls, |on| {
        let found: Vec<_> = exchanges(on.plan, 1)
            .into_iter()
            .filter(|exchange| exchange.results.iter().all(|place| is_free(on.plan, *place)))
            .collect();
        let exchange = found[on.draw.one(&(0..found.len()).collect::<Vec<_>>())?].clone();
        pair(on.plan, &exchange);
        for place in &exchange.results {
            change(on.plan, *place);
        }
        let mut places = exchange.results;
        places.sort_unstable();
        for place in places.into_iter().rev() {
            remove(on.plan, place);
        }
        Some(())
    }),
    exact("results-out-of-order", OTHER_ORDER, "The results of parallel calls stand in another order.", apart, |on| {
        let exchange = exchange(on, 2)?;
        let by = 1 + on.draw.up_to(exchange.results.len() - 2);
        let mut results: Vec<_> = exchange.results.iter().map(|place| on.plan.messages[*place].clone()).collect();
        results.rotate_left(by);
        for (place, result) in exchange.results.iter().zip(results) {
            on.plan.messages[*place] = result;
        }
        Some(())
    }),
    exact("user-between-call-and-result", DISPLACED, "The user speaks between a call and its result.", calls, |on| {
        torn(on, 1, 0, Role::User, false)
    }),
    exact(
        "assistant-between-call-and-result",
        DISPLACED,
        "The assistant speaks between a call and its result.",
        calls,
        |on| torn(on, 1, 0, Role::Assistant, false),
    ),
    exact(
        "media-between-results",
        DISPLACED,
        "A message with a picture stands between the results of parallel calls.",
        |dialect| calls(dialect) && images(dialect),
        |on| torn(on, 2, 1, Role::User, true),
    ),
    exact("result-before-call", &["tool-result-before-call"], "A result stands in front of its call.", calls, |on| {
        let exchange = exchange(on, 1)?;
        let place = on.draw.pick(&exchange.results);
        let result = on.plan.messages.remove(place);
        on.plan.messages.insert(exchange.turn, result);
        Some(())
    }),
    exact(
        "result-at-the-end",
        DISPLACED,
        "A result stands at the end of the conversation, far behind its call.",
        calls,
        |on| {
            let exchange = exchange(on, 1)?;
            let place = on.draw.pick(&exchange.results);
            // There is something in between.
            if on.plan.messages[place..].iter().all(|message| message.role == Role::Result) {
                return None;
            }
            let result = on.plan.messages.remove(place);
            on.plan.messages.push(result);
            Some(())
        },
    ),
    exact("result-id-missing", WITHOUT_ID, "A result does not say whose it is.", calls, |on| {
        nobodys(on, Field::Missing)
    }),
    exact("result-id-null", WITHOUT_ID, "A result's id is null.", calls, |on| nobodys(on, instead(Node::Null))),
    exact("result-id-empty", WITHOUT_ID, "A result's id is empty.", calls, |on| nobodys(on, instead(""))),
    exact("result-id-blank", WITHOUT_ID, "A result's id is white space.", calls, |on| nobodys(on, instead(" \t"))),
    exact(
        "results-without-ids",
        WITHOUT_ID,
        "The results of all turns of one call, or of calls of different names, do not say whose they are.",
        calls,
        |on| {
            let mut found = exchanges(on.plan, 1);
            // Where results say the names of their tools, one tells each of several from the others.
            found.retain(|exchange| {
                exchange.results.len() == 1 || own(on.dialect) && are_named_apart(on.plan, exchange)
            });
            if found.len() < 2 && found.iter().all(|exchange| exchange.results.len() == 1) {
                return None;
            }
            for exchange in &found {
                pair(on.plan, exchange);
                for place in &exchange.results {
                    on.plan.messages[*place].answer.as_mut()?.spelled_id = Field::Missing;
                }
            }
            Some(())
        },
    ),
    property("ids-missing-on-either-side", "Neither the calls of a turn nor their results have ids.", calls, |on| {
        let exchange = exchange(on, 1)?;
        on.plan.doubt();
        forget(on.plan, &exchange);
        for place in &exchange.results {
            on.plan.messages[*place].answer.as_mut()?.spelled_id = Field::Missing;
        }
        for call in on.plan.messages[exchange.turn].calls_mut() {
            call.spelled_id = Field::Missing;
        }
        Some(())
    }),
    exact("result-of-another-id", NOBODYS, "A result has an id that no call has.", calls, |on| {
        let (exchange, number) = a_result(on, 1, true)?;
        let place = exchange.results[number];
        on.plan.messages[place].answer.as_mut()?.spelled_id = instead("elsewhere");
        on.plan.loose_result = true;
        on.plan.forget_message(place);
        drop_outcome(on.plan, place);
        Some(())
    }),
    exact(
        "failed-turn-with-results",
        &[],
        "A turn of calls broke off, and all were answered: everything stays.",
        own,
        |on| {
            let exchange = exchange(on, 1)?;
            // Why it stopped may be wrong already.
            if !is_free(on.plan, exchange.turn) {
                return None;
            }
            change(on.plan, exchange.turn);
            fail(on, exchange.turn)
        },
    ),
    exact(
        "failed-turn-without-result",
        &["failed-turn-tool-call"],
        "A turn of calls broke off before a call was answered: nothing stands in for the answer.",
        own,
        |on| {
            let (exchange, number) = a_result(on, 1, true)?;
            change(on.plan, exchange.turn);
            fail(on, exchange.turn)?;
            let token = on.plan.messages[exchange.turn].calls().nth(number)?.token.clone();
            remove(on.plan, exchange.results[number]);
            let turn = exchange.turn - usize::from(exchange.results[number] < exchange.turn);
            drop_call(on.plan, turn, &token)
        },
    ),
    exact("stop-reason-without-call", STOPPED, "A turn of words says that it stopped to call a tool.", own, |on| {
        let place = message(on, |message| {
            message.role == Role::Assistant && message.calls().next().is_none() && message.stop.is_some()
        })?;
        on.plan.messages[place].stop = Some("toolUse");
        outcome(on.plan, place)?.stop = Some("stop");
        Some(())
    }),
    exact("stop-reason-unknown", UNKNOWN, "A turn stopped for a reason that nobody knows.", canonical, |on| {
        let place = message(on, |message| message.role == Role::Assistant && message.stop.is_some())?;
        on.plan.messages[place].stop = Some("bananas");
        outcome(on.plan, place)?.stop = None;
        Some(())
    }),
];

/// One result of an exchange, as its number among them. A `whole` one has words that no other defect has changed.
fn a_result(on: &mut Site<'_, '_>, at_least: usize, whole: bool) -> Option<(Exchange, usize)> {
    let exchange = exchange(on, at_least)?;
    let places: Vec<_> =
        (0..exchange.results.len()).filter(|number| !whole || is_free(on.plan, exchange.results[*number])).collect();
    let number = on.draw.one(&places)?;
    if whole {
        change(on.plan, exchange.results[number]);
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
    message.answer = Some(Answer { id: id.to_owned(), name: "read".to_owned(), ..Answer::default() });
    message
}

/// Words, or a picture, between a turn and its results, behind at least `behind` of them.
fn torn(on: &mut Site<'_, '_>, at_least: usize, behind: usize, role: Role, picture: bool) -> Option<()> {
    let exchange = exchange(on, at_least)?;
    // Nothing else stands between them yet.
    let together = exchange.results.iter().enumerate().all(|(number, place)| *place == exchange.turn + 1 + number);
    if !together {
        on.plan.doubt();
    }
    let token = on.plan.token();
    on.plan.keep(&token);
    let text = Text { body: format!("meanwhile {token}"), token, spelled: Field::Natural, twice: false };
    let mut parts = vec![Part::Text(text)];
    if picture {
        let picture = media::picture(&mut on.draw, &on.plan.token(), false);
        on.plan.keep(&picture.base64);
        parts.push(Part::Image(crate::plan::Image { picture, data: Field::Natural, mime: Field::Natural }));
    }
    let message = Message::new(role, parts);
    let place = exchange.results[behind + on.draw.up_to(exchange.results.len() - 1 - behind)];
    tear(on.plan, &exchange, place, message.clone(), Some(message))
}

/// A result without an id answers the one open call of its turn.
fn nobodys(on: &mut Site<'_, '_>, written: Field) -> Option<()> {
    let exchange = exchange(on, 1)?;
    let place = on.draw.pick(&exchange.results);
    on.plan.messages[place].answer.as_mut()?.spelled_id = written;
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

fn fail(on: &mut Site<'_, '_>, turn: usize) -> Option<()> {
    let stop = on.draw.pick(&["error", "aborted"]);
    on.plan.messages[turn].stop = Some(stop);
    outcome(on.plan, turn)?.stop = Some(stop);
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
