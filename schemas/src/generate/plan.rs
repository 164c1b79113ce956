//! A conversation before it is spelled, faults and all.

use std::collections::BTreeSet;

use super::media::Picture;
use super::node::Node;
use super::{Call, Dialect, Generated};
use crate::defect::{Defect, Effect};

/// A conversation, or one lone result, and what is known of it.
#[derive(Clone, Debug, Default)]
pub(crate) struct Plan {
    pub(crate) messages: Vec<Message>,
    pub(crate) calls: Vec<Call>,
    /// Words and pictures, in the order they were made
    keep: Vec<String>,
    /// Those that a fault took off the list
    lost: BTreeSet<String>,
    pub(crate) reasoning: Vec<String>,
    pub(crate) faults: Vec<&'static str>,
    pub(crate) may_refuse: bool,
    /// The weakest effect of the faults
    effect: Option<Effect>,
    /// Words of the calls whose pairing a fault has touched
    touched: BTreeSet<String>,
    letter: char,
    made: usize,
}

impl Plan {
    pub(crate) fn new(letter: char) -> Self {
        Self { letter, ..Self::default() }
    }

    /// A word that stands nowhere else.
    pub(crate) fn token(&mut self) -> String {
        self.made += 1;
        format!("t{}{}x", self.letter, self.made)
    }

    /// The next number for an id.
    pub(crate) fn number(&mut self) -> usize {
        self.made += 1;
        self.made
    }

    pub(crate) fn letter(&self) -> char {
        self.letter
    }

    /// From now on `token` must survive.
    pub(crate) fn keep(&mut self, token: &str) {
        self.keep.push(token.to_owned());
    }

    /// From now on nobody asks after `token`.
    pub(crate) fn forget(&mut self, token: &str) {
        self.lost.insert(token.to_owned());
        self.reasoning.retain(|word| word != token);
        for call in &mut self.calls {
            call.results.retain(|word| word != token);
        }
    }

    /// From now on nobody asks after anything that this message says.
    pub(crate) fn forget_message(&mut self, message: usize) {
        for token in self.messages[message].tokens() {
            self.forget(&token);
        }
    }

    /// From now on nobody asks what this call is called, or given; its results need no owner.
    pub(crate) fn forget_call(&mut self, token: &str) {
        self.calls.retain(|call| call.token != token);
    }

    /// From now on the pairing of this turn's calls is broken.
    pub(crate) fn touch(&mut self, turn: usize) {
        let tokens: Vec<_> = self.messages[turn].calls().map(|call| call.token.clone()).collect();
        self.touched.extend(tokens);
    }

    /// Whether the pairing of a call is broken.
    pub(crate) fn is_touched(&self, token: &str) -> bool {
        self.touched.contains(token)
    }

    /// From now on it has this defect.
    pub(crate) fn has(&mut self, defect: &'static Defect) {
        self.faults.push(defect.id);
        self.effect = self.effect.max(Some(defect.effect));
    }

    /// From now on nobody asks after anything.
    pub(crate) fn forget_all(&mut self) {
        self.keep.clear();
        self.reasoning.clear();
        self.calls.clear();
    }

    pub(crate) fn finish(self, dialect: Dialect, bytes: Vec<u8>, strict: bool) -> Generated {
        Generated {
            dialect,
            bytes,
            valid: self.faults.is_empty(),
            strict,
            faults: self.faults,
            must_keep: self.keep.into_iter().filter(|token| !self.lost.contains(token)).collect(),
            reasoning: self.reasoning,
            calls: self.calls,
            may_refuse: self.may_refuse,
            effect: self.effect.unwrap_or(Effect::Exact),
            rules: Vec::new(),
            canonical: None,
        }
    }
}

/// What stands in a field.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) enum Field {
    /// What the plan says
    #[default]
    Natural,
    /// Nothing
    Missing,
    /// Something else
    Instead(Node),
}

impl Field {
    /// The member that this field is.
    pub(crate) fn put(&self, members: &mut Vec<(String, Node)>, key: &str, natural: Node) {
        match self {
            Self::Natural => members.push((key.to_owned(), natural)),
            Self::Missing => {}
            Self::Instead(node) => members.push((key.to_owned(), node.clone())),
        }
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Role {
    System,
    User,
    Assistant,
    Result,
}

/// One message, or one result.
#[derive(Clone, Debug)]
pub(crate) struct Message {
    pub(crate) role: Role,
    pub(crate) spelled_role: Field,
    pub(crate) parts: Vec<Part>,
    pub(crate) content: Field,
    /// Why an assistant turn ended, as the canonical dialect spells it
    pub(crate) stop: Option<&'static str>,
    pub(crate) answer: Option<Answer>,
    pub(crate) extra: Vec<(String, Node)>,
}

impl Message {
    pub(crate) fn new(role: Role, parts: Vec<Part>) -> Self {
        Self {
            role,
            spelled_role: Field::Natural,
            parts,
            content: Field::Natural,
            stop: None,
            answer: None,
            extra: Vec::new(),
        }
    }

    /// The words and pictures in it.
    pub(crate) fn tokens(&self) -> Vec<String> {
        self.parts
            .iter()
            .filter_map(|part| match part {
                Part::Text(text) => Some(text.token.clone()),
                Part::Thinking(thinking) => Some(thinking.token.clone()),
                Part::Image(image) => Some(image.picture.base64.clone()),
                Part::Raw(_, token) => (!token.is_empty()).then(|| token.clone()),
                Part::Call(_) => None,
            })
            .collect()
    }

    pub(crate) fn calls(&self) -> impl Iterator<Item = &CallPart> {
        self.parts.iter().filter_map(|part| if let Part::Call(call) = part { Some(call) } else { None })
    }
}

/// What a result says of itself.
#[derive(Clone, Debug)]
pub(crate) struct Answer {
    /// The word of the call that it answers
    pub(crate) call: String,
    pub(crate) id: String,
    pub(crate) spelled_id: Field,
    /// Another key for the id
    pub(crate) id_key: Option<&'static str>,
    pub(crate) name: String,
    pub(crate) spelled_name: Field,
    pub(crate) is_error: bool,
    pub(crate) spelled_error: Field,
}

#[derive(Clone, Debug)]
pub(crate) enum Part {
    Text(Text),
    Image(Image),
    Thinking(Thinking),
    Call(CallPart),
    /// Written as it is, whatever the dialect; with the word in it, or none
    Raw(Node, String),
}

#[derive(Clone, Debug)]
pub(crate) struct Text {
    pub(crate) body: String,
    pub(crate) token: String,
    pub(crate) spelled: Field,
    /// The key stands twice, the first time with other words
    pub(crate) twice: bool,
}

#[derive(Clone, Debug)]
pub(crate) struct Image {
    pub(crate) picture: Picture,
    pub(crate) data: Field,
    pub(crate) mime: Field,
}

#[derive(Clone, Debug)]
pub(crate) struct Thinking {
    pub(crate) body: String,
    pub(crate) token: String,
    pub(crate) signature: String,
    pub(crate) spelled_signature: Field,
}

#[derive(Clone, Debug)]
pub(crate) struct CallPart {
    pub(crate) id: String,
    pub(crate) spelled_id: Field,
    pub(crate) name: String,
    pub(crate) spelled_name: Field,
    pub(crate) token: String,
    pub(crate) arguments: String,
    pub(crate) spelled_arguments: Field,
    /// Another spelling of the block's type and of the key of its arguments
    pub(crate) alias: Option<(&'static str, &'static str)>,
    pub(crate) extra: Vec<(String, Node)>,
}
