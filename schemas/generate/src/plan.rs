//! A conversation before it is spelled, faults and all.

use std::collections::BTreeSet;

use super::media::Picture;
use super::node::Node;
use super::{Call, Config, Draw, Generated, outcome};
use crate::defect::{Defect, Effect};

/// A conversation, or one lone result, and what is known of it.
#[derive(Clone, Debug, Default)]
#[expect(clippy::struct_excessive_bools, reason = "each is one independent thing that a fault can leave behind")]
pub(crate) struct Plan {
    pub(crate) messages: Vec<Message>,
    pub(crate) calls: Vec<Call>,
    /// Words and pictures, in the order they were made
    keep: Vec<String>,
    /// How many of them are pictures
    pub(crate) pictures: usize,
    /// How many of them are documents
    pub(crate) documents: usize,
    /// Those that a fault took off the list
    lost: BTreeSet<String>,
    pub(crate) reasoning: Vec<String>,
    pub(crate) faults: Vec<&'static str>,
    pub(crate) may_refuse: bool,
    /// The messages that must come out, in the canonical form and order: nothing in them is spelled in another way
    pub(crate) outcome: Vec<Message>,
    /// The weakest effect of the faults
    pub(crate) effect: Effect,
    /// Rules that must be reported
    pub(crate) rules: BTreeSet<&'static str>,
    /// Faults may meet in one place, so that nobody knows what comes of them
    pub(crate) wild: bool,
    /// They did
    doubted: bool,
    /// A result has an id that no call has
    pub(crate) loose_result: bool,
    /// A call has no id
    pub(crate) loose_call: bool,
    /// What is being done is nothing that this dialect minds
    pub(crate) quiet: bool,
    /// Keys of messages whose content a fault has changed
    pub(crate) changed: BTreeSet<usize>,
    /// Keys of turns in which a fault has changed how calls and results belong together
    pub(crate) paired: BTreeSet<usize>,
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

    /// Whether one more picture or document is none too many.
    pub(crate) fn has_room(&self) -> bool {
        self.pictures + self.documents < super::conversation::MEDIA
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

    /// Whether an id is spelled in another way than it was planned.
    pub(crate) fn has_odd_ids(&self) -> bool {
        self.messages.iter().any(|message| {
            message.calls().any(|call| call.spelled_id != Field::Natural)
                || message.answer.as_ref().is_some_and(|answer| answer.spelled_id != Field::Natural)
        })
    }

    /// From now on nobody asks how a call looks, nor whose a result is, nor whether it stays.
    pub(crate) fn forget_pairs(&mut self) {
        for place in 0..self.messages.len() {
            if self.messages[place].answer.is_some() {
                self.forget_message(place);
            }
        }
        self.calls.clear();
    }

    /// The id of a call in an earlier turn that no call of this turn has.
    pub(crate) fn earlier_id(&self, draw: &mut Draw<'_, '_>) -> Option<String> {
        // The calls of this turn have no results yet.
        let (answered, open): (Vec<_>, Vec<_>) = self.calls.iter().partition(|call| !call.results.is_empty());
        if answered.is_empty() {
            return None;
        }
        let id = &draw.pick(&answered).id;
        (!open.iter().any(|call| call.id == *id)).then(|| id.clone())
    }

    /// Whether a call has this id.
    pub(crate) fn has_id(&self, id: &str) -> bool {
        self.calls.iter().any(|call| call.id == id)
    }

    /// The plan is whole: from here on faults change it, and what must come out.
    pub(crate) fn settle(&mut self, config: &Config) {
        for (index, message) in self.messages.iter_mut().enumerate() {
            message.key = index + 1;
        }
        self.outcome.clone_from(&self.messages);
        outcome::project(&mut self.outcome);
        if !outcome::is_known(config) {
            self.doubt();
        }
    }

    /// From now on it has this defect.
    pub(crate) fn has(&mut self, defect: &'static Defect) {
        // The one may be the other's.
        if self.loose_result && self.loose_call {
            self.forget_all();
            self.doubt();
        }
        self.faults.push(defect.id);
        self.effect = self.effect.max(defect.effect);
        let quiet = std::mem::take(&mut self.quiet);
        if !(self.doubted || quiet) {
            self.rules.extend(defect.rules);
        }
    }

    /// The ids of all calls as they were planned.
    pub(crate) fn ids(&self) -> BTreeSet<String> {
        self.messages.iter().flat_map(Message::calls).map(|call| call.id.clone()).collect()
    }

    /// From now on nobody knows what comes out.
    pub(crate) fn doubt(&mut self) {
        self.effect = self.effect.max(Effect::Property);
        self.rules.clear();
        self.doubted = true;
    }

    /// From now on nobody asks after anything, nor whether it is a transcript.
    pub(crate) fn give_up(&mut self) {
        self.forget_all();
        self.doubt();
        self.may_refuse = true;
    }

    /// From now on nobody asks after anything.
    pub(crate) fn forget_all(&mut self) {
        self.keep.clear();
        self.reasoning.clear();
        self.calls.clear();
    }

    pub(crate) fn finish(self, config: &Config, bytes: Vec<u8>) -> Generated {
        let valid = self.faults.is_empty();
        let canonical = (self.effect == Effect::Exact).then(|| outcome::document(&self, config.dialect));
        let mut calls = self.calls;
        // What faults leave of a flag is theirs to say.
        for call in &mut calls {
            call.failed &= valid;
        }
        Generated {
            dialect: config.dialect,
            revision: config.dialect.has_revisions().then_some(config.revision),
            bytes,
            valid,
            strict: config.strict,
            faults: self.faults,
            must_keep: self.keep.into_iter().filter(|token| !self.lost.contains(token)).collect(),
            reasoning: self.reasoning,
            calls,
            may_refuse: self.may_refuse,
            effect: if valid { Effect::Exact } else { self.effect },
            rules: self.rules.into_iter().collect(),
            canonical,
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
    pub(crate) fn put(&self, members: &mut Vec<(String, Node)>, key: &str, natural: impl Into<Node>) {
        match self {
            Self::Natural => members.push((key.to_owned(), natural.into())),
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

impl Role {
    /// What it is called, of the names of system, user, assistant and result.
    pub(crate) fn of<T: Copy>(self, names: [T; 4]) -> T {
        names[self as usize]
    }
}

/// One message, or one result.
#[derive(Clone, Debug)]
pub(crate) struct Message {
    /// The same in what is written and in what must come out; 0 in a message that a fault put in
    pub(crate) key: usize,
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
            key: 0,
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
                Part::Document(document) => Some(document.base64.clone()),
                Part::Raw(_, token) => (!token.is_empty()).then(|| token.clone()),
                Part::Call(_) => None,
            })
            .collect()
    }

    pub(crate) fn calls_mut(&mut self) -> impl Iterator<Item = &mut CallPart> {
        self.parts.iter_mut().filter_map(|part| if let Part::Call(call) = part { Some(call) } else { None })
    }

    /// The texts in it.
    pub(crate) fn texts(&self) -> impl Iterator<Item = &Text> {
        self.parts.iter().filter_map(|part| if let Part::Text(text) = part { Some(text) } else { None })
    }

    pub(crate) fn texts_mut(&mut self) -> impl Iterator<Item = &mut Text> {
        self.parts.iter_mut().filter_map(|part| if let Part::Text(text) = part { Some(text) } else { None })
    }

    pub(crate) fn calls(&self) -> impl Iterator<Item = &CallPart> {
        self.parts.iter().filter_map(|part| if let Part::Call(call) = part { Some(call) } else { None })
    }
}

/// What a result says of itself.
#[derive(Clone, Debug, Default)]
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

impl Answer {
    /// The answer to a call.
    pub(crate) fn of(call: &CallPart) -> Self {
        Self { call: call.token.clone(), id: call.id.clone(), name: call.name.clone(), ..Self::default() }
    }
}

#[derive(Clone, Debug)]
pub(crate) enum Part {
    Text(Text),
    Image(Image),
    Document(Document),
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

impl Text {
    /// Words that nobody asks after.
    pub(crate) fn plain(body: &str) -> Self {
        Self { body: body.to_owned(), token: String::new(), spelled: Field::Natural, twice: false }
    }

    /// It stands as it is meant.
    pub(crate) fn is_plain(&self) -> bool {
        self.spelled == Field::Natural && !self.twice
    }
}

#[derive(Clone, Debug)]
pub(crate) struct Image {
    pub(crate) picture: Picture,
    pub(crate) data: Field,
    pub(crate) mime: Field,
}

/// A PDF of the user's.
#[derive(Clone, Debug)]
pub(crate) struct Document {
    pub(crate) base64: String,
    pub(crate) data: Field,
    /// Where the dialect has a place for it
    pub(crate) name: Option<String>,
}

#[derive(Clone, Debug)]
pub(crate) struct Thinking {
    /// The words, empty where they are sealed
    pub(crate) body: String,
    pub(crate) token: String,
    pub(crate) signature: String,
    pub(crate) spelled_signature: Field,
    /// Nobody but the vendor can read the words
    pub(crate) sealed: bool,
}

#[derive(Clone, Debug, Default)]
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
