//! A conversation without faults: turns, calls, results.

use super::plan::{Answer, CallPart, Document, Field, Image, Message, Part, Plan, Role, Text, Thinking};
use super::spell::{Documents, Pictures};
use super::{Call, Config, Draw, media, values};

/// Draws a conversation that opens with the user and answers every call.
pub(crate) fn plan(draw: &mut Draw<'_, '_>, config: &Config, letter: char) -> Plan {
    let mut plan = Plan::new(letter);
    if config.system && letter == 'a' {
        let part = text(draw, config, &mut plan);
        plan.messages.push(Message::new(Role::System, vec![part]));
    }
    user(draw, config, &mut plan);
    for turn in 0..=config.max_turns {
        if turn > 0 && !draw.any_left() {
            break;
        }
        // A turn of calls, then one of words: a model goes on from results by itself.
        while config.calls && draw.chance(2, 5) {
            calls(draw, config, &mut plan, false);
            if config.interjects && draw.chance(1, 3) {
                user(draw, config, &mut plan);
            }
        }
        // A long conversation does not end by chance alone.
        if turn == config.max_turns || (config.max_turns <= 12 && draw.chance(1, 6)) {
            break;
        }
        assistant(draw, config, &mut plan);
        user(draw, config, &mut plan);
    }
    if config.open_end {
        calls(draw, config, &mut plan, true);
    } else if config.carries().assistant_last && draw.chance(1, 2) {
        assistant(draw, config, &mut plan);
    }
    plan
}

pub(super) fn text(draw: &mut Draw<'_, '_>, config: &Config, plan: &mut Plan) -> Part {
    let token = plan.token();
    plan.keep(&token);
    Part::Text(Text { body: values::text(draw, config, &token), token, spelled: Field::Natural, twice: false })
}

/// No more pictures and documents than every server takes in one request: Bedrock the fewest.
pub(super) const MEDIA: usize = 20;

pub(super) fn image(draw: &mut Draw<'_, '_>, config: &Config, plan: &mut Plan) -> Part {
    let gifs = !config.strict || config.carries().strict_gifs;
    let picture = media::picture(draw, &plan.token(), gifs);
    plan.keep(&picture.base64);
    plan.pictures += 1;
    Part::Image(Image { picture, data: Field::Natural, mime: Field::Natural })
}

/// No more documents than Bedrock takes in one request.
const DOCUMENTS: usize = 5;

fn document(config: &Config, plan: &mut Plan) -> Part {
    let mark = plan.token();
    let base64 = media::pdf(&mark);
    plan.keep(&base64);
    plan.documents += 1;
    // Letters and digits are what every server takes in a name.
    let name = (config.carries().documents == Documents::Named).then(|| format!("report {mark}"));
    Part::Document(Document { base64, data: Field::Natural, name })
}

fn thinking(draw: &mut Draw<'_, '_>, config: &Config, plan: &mut Plan) -> Part {
    let token = plan.token();
    let signature = media::base64(format!("sealed {token}").as_bytes());
    let sealed = config.carries().sealed && draw.chance(1, 4);
    let body = if sealed { String::new() } else { values::text(draw, config, &token) };
    if !sealed {
        plan.reasoning.push(token.clone());
    }
    Part::Thinking(Thinking { body, token, signature, spelled_signature: Field::Natural, sealed })
}

fn user(draw: &mut Draw<'_, '_>, config: &Config, plan: &mut Plan) {
    let mut parts = vec![text(draw, config, plan)];
    if config.many_blocks && draw.chance(1, 3) {
        parts.push(text(draw, config, plan));
    }
    if config.images && plan.has_room() && draw.chance(1, 3) {
        let image = image(draw, config, plan);
        let place = draw.up_to(parts.len());
        parts.insert(place, image);
    }
    if config.documents && plan.documents < DOCUMENTS && plan.has_room() && draw.chance(1, 2) {
        let document = document(config, plan);
        let place = draw.up_to(parts.len());
        parts.insert(place, document);
    }
    plan.messages.push(Message::new(Role::User, parts));
}

fn assistant(draw: &mut Draw<'_, '_>, config: &Config, plan: &mut Plan) {
    let mut parts = Vec::new();
    if config.thinking && draw.chance(1, 2) {
        parts.push(thinking(draw, config, plan));
    }
    parts.push(text(draw, config, plan));
    if config.many_blocks && draw.chance(1, 3) {
        parts.push(text(draw, config, plan));
    }
    let mut message = Message::new(Role::Assistant, parts);
    message.stop = Some(draw.pick(&["stop", "stop", "length"]));
    plan.messages.push(message);
}

/// An id that no call has yet, or, where that is drawn, one that an earlier turn had; an empty one where calls have none.
fn id(draw: &mut Draw<'_, '_>, config: &Config, plan: &Plan, number: usize) -> String {
    if !config.ids {
        return String::new();
    }
    if config.reused_ids
        && draw.chance(1, 4)
        && let Some(id) = plan.earlier_id(draw)
    {
        return id;
    }
    let id = (config.dialect.speller().id)(draw, config, plan.letter(), number);
    if plan.has_id(&id) { format!("{id}-{number}") } else { id }
}

/// A turn of calls and, unless it is `open`, their results in the order of the calls.
fn calls(draw: &mut Draw<'_, '_>, config: &Config, plan: &mut Plan, open: bool) {
    let mut parts = Vec::new();
    if config.thinking && draw.chance(1, 2) {
        parts.push(thinking(draw, config, plan));
    }
    if draw.chance(1, 2) {
        parts.push(text(draw, config, plan));
    }
    let first = plan.calls.len();
    for _ in 0..=draw.up_to(config.max_calls - 1) {
        let number = plan.number();
        let id = id(draw, config, plan, number);
        let name = (config.dialect.speller().name)(draw, config);
        let token = plan.token();
        let arguments = values::arguments(draw, config, &token);
        let call = CallPart { id, name, token, arguments, ..CallPart::default() };
        parts.push(Part::Call(call.clone()));
        let CallPart { id, name, token, arguments, .. } = call;
        plan.calls.push(Call { id, name, token, arguments, results: Vec::new(), failed: false });
    }
    let mut message = Message::new(Role::Assistant, parts);
    message.stop = Some("toolUse");
    plan.messages.push(message);
    if !open {
        for call in first..plan.calls.len() {
            result(draw, config, plan, call);
        }
    }
}

fn result(draw: &mut Draw<'_, '_>, config: &Config, plan: &mut Plan, call: usize) {
    let is_error = config.errors && draw.chance(1, 3);
    let mut parts = vec![text(draw, config, plan)];
    if config.many_blocks && draw.chance(1, 3) {
        parts.push(text(draw, config, plan));
    }
    let pictures = match config.pictures {
        Pictures::Nowhere | Pictures::OfUsers => false,
        Pictures::NotInErrors => !is_error,
        Pictures::InResults => true,
    };
    if config.images && pictures && plan.has_room() && draw.chance(1, 3) {
        parts.push(image(draw, config, plan));
    }
    let mut message = Message::new(Role::Result, parts);
    plan.calls[call].results = message.texts().map(|text| text.token.clone()).collect();
    plan.calls[call].failed = is_error;
    let Call { id, name, token: call, .. } = plan.calls[call].clone();
    message.answer = Some(Answer { call, id, name, is_error, ..Answer::default() });
    plan.messages.push(message);
}
