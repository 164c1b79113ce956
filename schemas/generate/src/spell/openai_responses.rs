//! OpenAI Responses.

use super::{
    Carries, Documents, Members, Speller, called, contain_as, data_url, document_url, lone_text, named, put, said,
    typed, whole, with_role,
};
use crate::node::{Node, object};
use crate::plan::{Answer, CallPart, Image, Message, Part, Plan, Role, Thinking};
use crate::{Config, Draw, values};

/// An output says nothing about errors.
pub(crate) const SPELLER: Speller = Speller {
    carries: Carries {
        documents: Documents::Named,
        errors: false,
        reused_ids: false,
        system_beside: true,
        ..Carries::ALL
    },
    id,
    name: values::usual_name,
    vendor: Some("openai-responses"),
    ..Speller::new(document)
};

/// An id is of any characters, but never longer than 64 of them.
fn id(draw: &mut Draw<'_, '_>, config: &Config, letter: char, number: usize) -> String {
    let id = values::id(draw, config, letter, number);
    if id.chars().count() > 60 { format!("{letter}{number}:{}", "x".repeat(40)) } else { id }
}

/// The items of a document, and how many have an id of their own.
struct Items<'p> {
    list: Vec<Node>,
    ids: usize,
    letter: char,
    config: &'p Config,
}

fn document(draw: &mut Draw<'_, '_>, config: &Config, plan: &Plan) -> Node {
    let mut front = Vec::new();
    if config.extras {
        put(&mut front, "model", "gpt-5");
        put(&mut front, "store", false);
    }
    let mut all = Items { list: Vec::new(), ids: 0, letter: plan.letter(), config };
    for (number, message) in plan.messages.iter().enumerate() {
        match message.role {
            Role::System if number == 0 && !config.bare_list && lone_text(message).is_some() && draw.chance(1, 2) => {
                let text = lone_text(message).unwrap_or_default();
                message.content.put(&mut front, "instructions", text);
            }
            Role::System | Role::User => all.spoken(draw, message, &message.parts),
            Role::Assistant => all.turn(draw, message),
            Role::Result => all.output(draw, message),
        }
    }
    // One text of the user may stand for the whole list.
    contain_as(config, front, "input", all.list)
}

impl Items<'_> {
    /// An item's own id.
    fn id(&mut self, draw: &mut Draw<'_, '_>, members: &mut Members, prefix: &str) {
        if self.config.extras && draw.chance(1, 2) {
            self.ids += 1;
            put(members, "id", format!("{prefix}_{}{}", self.letter, self.ids));
        }
    }

    fn status(&self, draw: &mut Draw<'_, '_>, members: &mut Members) {
        if self.config.extras && draw.chance(1, 2) {
            put(members, "status", "completed");
        }
    }

    /// A message item with these parts.
    fn spoken(&mut self, draw: &mut Draw<'_, '_>, message: &Message, parts: &[Part]) {
        let assistant = message.role == Role::Assistant;
        let mut members = if draw.chance(1, 2) { typed("message") } else { Vec::new() };
        let system = if message.role == Role::System { draw.pick(&["developer", "system"]) } else { "" };
        members.extend(with_role(message, message.role.of([system, "user", "assistant", "user"])));
        if assistant {
            self.id(draw, &mut members, "msg");
        }
        let kind = if assistant { "output_text" } else { "input_text" };
        let list = parts.iter().map(|part| block(draw, part, kind)).collect();
        let content = match parts {
            [Part::Text(text)] if self.config.strings && text.is_plain() && draw.chance(3, 4) => {
                Node::from(text.body.as_str())
            }
            _ => Node::Array(list),
        };
        message.content.put(&mut members, "content", content);
        if assistant {
            self.status(draw, &mut members);
            if self.config.extras && draw.chance(1, 4) {
                put(&mut members, "phase", draw.pick(&["commentary", "final_answer"]));
            }
        }
        members.extend(message.extra.clone());
        self.list.push(Node::Object(members));
    }

    /// A turn of the assistant: words, reasoning and calls are items of their own.
    fn turn(&mut self, draw: &mut Draw<'_, '_>, message: &Message) {
        let apart = |part: &Part| matches!(part, Part::Thinking(_) | Part::Call(_));
        let mut rest = &message.parts[..];
        if self.config.extras && draw.chance(1, 8) {
            self.search(draw);
        }
        let before = self.list.len();
        if rest.iter().all(apart) && message.content != super::Field::Natural {
            self.spoken(draw, message, &[]);
        }
        while let Some(first) = rest.first() {
            match first {
                Part::Thinking(thinking) => self.reasoning(draw, thinking),
                Part::Call(call) => self.call(draw, call),
                Part::Text(_) | Part::Image(_) | Part::Document(_) | Part::Raw(..) => {
                    let many = rest.iter().position(apart).unwrap_or(rest.len());
                    self.spoken(draw, message, &rest[..many]);
                    rest = &rest[many..];
                    continue;
                }
            }
            rest = &rest[1..];
        }
        // Its own fields stand in its words, where it has some.
        if let Some(Node::Object(members)) = self.list.get_mut(before)
            && message.parts.iter().all(apart)
        {
            members.extend(message.extra.clone());
        }
    }

    /// What a tool of the server's did before the model spoke.
    fn search(&mut self, draw: &mut Draw<'_, '_>) {
        self.ids += 1;
        let mut members = typed("web_search_call");
        put(&mut members, "id", format!("ws_{}{}", self.letter, self.ids));
        put(&mut members, "status", "completed");
        if draw.chance(1, 2) {
            let action = [("type", Node::from("search")), ("query", Node::from("wire formats"))];
            put(&mut members, "action", object(action));
        }
        self.list.push(Node::Object(members));
    }

    fn reasoning(&mut self, draw: &mut Draw<'_, '_>, thinking: &Thinking) {
        let mut members = typed("reasoning");
        // Without a seal, it is its id by which the server knows it.
        if thinking.spelled_signature == super::Field::Natural && draw.chance(1, 2) {
            self.ids += 1;
        } else {
            self.ids += 1;
            put(&mut members, "id", format!("rs_{}{}", self.letter, self.ids));
        }
        let texts = |kind: &str| {
            Node::Array(vec![object([("type", Node::from(kind)), ("text", Node::from(thinking.body.as_str()))])])
        };
        if draw.chance(1, 4) {
            put(&mut members, "summary", Vec::<Node>::new());
            put(&mut members, "content", texts("reasoning_text"));
        } else {
            put(&mut members, "summary", texts("summary_text"));
        }
        let seal = Node::from(thinking.signature.as_str());
        thinking.spelled_signature.put(&mut members, "encrypted_content", seal);
        self.list.push(Node::Object(members));
    }

    fn call(&mut self, draw: &mut Draw<'_, '_>, call: &CallPart) {
        let mut members = typed("function_call");
        self.id(draw, &mut members, "fc");
        called(call, &mut members, ["call_id", "name", "arguments"], &call.arguments);
        self.status(draw, &mut members);
        members.extend(call.extra.clone());
        self.list.push(Node::Object(members));
    }

    fn output(&mut self, draw: &mut Draw<'_, '_>, message: &Message) {
        let mut members = typed("function_call_output");
        if let Some(Answer { id, spelled_id, id_key, .. }) = &message.answer {
            spelled_id.put(&mut members, id_key.unwrap_or("call_id"), id);
        }
        let list = message.parts.iter().map(|part| block(draw, part, "input_text")).collect();
        // Most outputs are strings.
        let natural = match lone_text(message) {
            Some(text) if draw.chance(3, 4) => Node::from(text),
            _ => Node::Array(list),
        };
        self.list.push(whole(message, members, "output", natural));
    }
}

fn block(draw: &mut Draw<'_, '_>, part: &Part, kind: &str) -> Node {
    match part {
        Part::Text(text) => {
            let mut members = typed(kind);
            said(text, &mut members, "text");
            if kind == "output_text" && draw.chance(1, 2) {
                put(&mut members, "annotations", Vec::<Node>::new());
            }
            Node::Object(members)
        }
        Part::Image(image) => picture(draw, image),
        Part::Document(document) => {
            let mut members = typed("input_file");
            named(document, &mut members, "filename");
            put(&mut members, "file_data", document_url(document));
            Node::Object(members)
        }
        Part::Raw(node, _) => node.clone(),
        Part::Thinking(_) | Part::Call(_) => Node::Null,
    }
}

fn picture(draw: &mut Draw<'_, '_>, image: &Image) -> Node {
    let mut members = typed("input_image");
    put(&mut members, "image_url", data_url(image));
    if draw.chance(1, 2) {
        put(&mut members, "detail", draw.pick(&["auto", "low", "high"]));
    }
    Node::Object(members)
}
