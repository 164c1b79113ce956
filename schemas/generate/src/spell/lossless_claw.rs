//! Stored messages of `lossless-claw`: a row a message, with a row a part.

use super::{
    Members, Speller, chat, contain, flat_image, lone_text, put, said, source_image, thought, typed, with_role,
};
use crate::node::{COMPACT, Node, print, raw};
use crate::plan::{Answer, CallPart, Field, Message, Part, Plan, Role};
use crate::{Config, Draw};

pub(crate) const SPELLER: Speller = Speller::new(document);

/// The names of the columns: in the table, or in the program's records.
#[derive(Clone, Copy)]
struct Columns {
    kind: &'static str,
    text: &'static str,
    id: &'static str,
    name: &'static str,
    input: &'static str,
    output: &'static str,
}

const TABLE: Columns = Columns {
    kind: "part_type",
    text: "text_content",
    id: "tool_call_id",
    name: "tool_name",
    input: "tool_input",
    output: "tool_output",
};
const RECORDS: Columns = Columns {
    kind: "partType",
    text: "textContent",
    id: "toolCallId",
    name: "toolName",
    input: "toolInput",
    output: "toolOutput",
};

fn document(draw: &mut Draw<'_, '_>, config: &Config, plan: &Plan) -> Node {
    let columns = draw.pick(&[TABLE, RECORDS]);
    let messages =
        plan.messages.iter().enumerate().map(|(number, one)| message(draw, config, columns, one, number)).collect();
    contain(config, Vec::new(), messages)
}

fn message(draw: &mut Draw<'_, '_>, config: &Config, columns: Columns, message: &Message, number: usize) -> Node {
    let original = message.role.of(["system", "user", "assistant", "toolResult"]);
    let mut members = Vec::new();
    if config.extras {
        put(&mut members, "messageId", Node::Raw((number + 1).to_string()));
        put(&mut members, "seq", Node::Raw(number.to_string()));
    }
    members.extend(with_role(message, chat::role(message)));
    let words: Vec<_> = message.parts.iter().filter_map(super::plain_text).collect();
    put(&mut members, "content", words.join("\n"));
    let alone = message.role != Role::Result && config.strings && lone_text(message).is_some() && draw.chance(1, 4);
    let rows = message.parts.iter().enumerate().filter(|_| !alone).map(|(ordinal, part)| {
        let mut row = Vec::new();
        if config.extras {
            put(&mut row, "sessionId", "s1");
        }
        put(&mut row, columns.kind, kind(part, message.role));
        put(&mut row, "ordinal", Node::Raw(ordinal.to_string()));
        let mut metadata = Vec::new();
        // What the message was, unless something else is said in place of its role.
        if message.spelled_role == Field::Natural {
            put(&mut metadata, "originalRole", original);
        }
        match &message.answer {
            Some(answer) => result(draw, columns, answer, part, &mut row, &mut metadata),
            None => part_of(draw, columns, part, &mut row, &mut metadata),
        }
        put(&mut row, "metadata", print(&Node::Object(metadata), COMPACT));
        Node::Object(row)
    });
    let rows: Vec<_> = rows.collect();
    match &message.answer {
        // A row says whose the result is: what stands in place of the content stands in its column.
        Some(answer) if message.content != Field::Natural => {
            let row = odd_result(columns, answer, message);
            put(&mut members, "parts", vec![row]);
        }
        _ => message.content.put(&mut members, "parts", rows),
    }
    if config.extras {
        put(&mut members, "tokenCount", raw("17"));
    }
    members.extend(message.extra.clone());
    Node::Object(members)
}

fn odd_result(columns: Columns, answer: &Answer, message: &Message) -> Node {
    let mut row = vec![(columns.kind.to_owned(), Node::from("tool")), ("ordinal".to_owned(), raw("0"))];
    answer.spelled_id.put(&mut row, answer.id_key.unwrap_or(columns.id), &answer.id);
    answer.spelled_name.put(&mut row, columns.name, &answer.name);
    message.content.put(&mut row, columns.output, Node::Null);
    let mut metadata = vec![("originalRole".to_owned(), Node::from("toolResult"))];
    answer.spelled_error.put(&mut metadata, "isError", answer.is_error);
    put(&mut row, "metadata", print(&Node::Object(metadata), COMPACT));
    Node::Object(row)
}

fn kind(part: &Part, role: Role) -> &'static str {
    match part {
        Part::Text(_) if role == Role::Result => "tool",
        Part::Text(_) => "text",
        Part::Call(_) => "tool",
        Part::Thinking(_) => "reasoning",
        Part::Image(_) | Part::Document(_) | Part::Raw(..) => "file",
    }
}

fn part_of(draw: &mut Draw<'_, '_>, columns: Columns, part: &Part, row: &mut Members, metadata: &mut Members) {
    match part {
        Part::Text(text) => {
            said(text, row, columns.text);
            put(metadata, "rawType", "text");
        }
        Part::Image(_) | Part::Document(_) | Part::Raw(..) => as_it_came(draw, part, metadata),
        Part::Thinking(thinking) => {
            put(row, columns.text, &thinking.body);
            put(metadata, "rawType", "thinking");
            put(metadata, "raw", thought(thinking, draw.pick(&["thinkingSignature", "signature"])));
        }
        Part::Call(part) => call(draw, columns, part, row, metadata),
    }
}

/// The block as it came.
fn as_it_came(draw: &mut Draw<'_, '_>, part: &Part, metadata: &mut Members) {
    let block = match part {
        Part::Image(image) if draw.chance(1, 3) => source_image(image),
        Part::Image(image) => flat_image(image),
        Part::Raw(node, _) => node.clone(),
        _ => return,
    };
    if matches!(part, Part::Image(_)) {
        put(metadata, "rawType", "image");
    }
    put(metadata, "raw", block);
}

fn call(draw: &mut Draw<'_, '_>, columns: Columns, call: &CallPart, row: &mut Members, metadata: &mut Members) {
    let (kind, key) = call.alias.unwrap_or_else(|| draw.pick(&[("toolCall", "arguments"), ("tool_use", "input")]));
    call.spelled_id.put(row, columns.id, &call.id);
    call.spelled_name.put(row, columns.name, &call.name);
    let text = Node::from(call.arguments.as_str());
    put(metadata, "rawType", kind);
    // Arguments stand in their column, or in the block as it came.
    let in_block = call.spelled_arguments == Field::Natural && draw.chance(1, 4);
    if in_block {
        put(row, columns.input, Node::Null);
    } else {
        call.spelled_arguments.put(row, columns.input, text);
    }
    if in_block || !call.extra.is_empty() || call.alias.is_some() {
        let mut block = typed(kind);
        if in_block {
            put(&mut block, key, raw(&call.arguments));
        }
        block.extend(call.extra.clone());
        put(metadata, "raw", block);
    }
}

fn result(
    draw: &mut Draw<'_, '_>,
    columns: Columns,
    answer: &Answer,
    part: &Part,
    row: &mut Members,
    metadata: &mut Members,
) {
    answer.spelled_id.put(row, answer.id_key.unwrap_or(columns.id), &answer.id);
    answer.spelled_name.put(row, columns.name, &answer.name);
    answer.spelled_error.put(metadata, "isError", answer.is_error);
    match part {
        Part::Text(text) => {
            put(metadata, "rawType", "tool_result");
            let column = draw.pick(&[columns.output, columns.text]);
            said(text, row, column);
        }
        other => as_it_came(draw, other, metadata),
    }
}
