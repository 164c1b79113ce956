//! Call ids in the spelling that the target takes: an injective map, reported (P10).

use std::borrow::Cow;
use std::collections::{HashMap, HashSet};

use crate::adapt::items::half_of_a_pair;
use crate::print::Writer;
use wirecanon_json::{Json, Limits};
use wirecanon_model::report::Renamed;
use wirecanon_model::target::{self, Ids, Scope};
use wirecanon_model::transcript::{BlockKind, Message, Role, Transcript};
use wirecanon_model::{Dialect, rule};

pub(crate) fn run<'a>(transcript: &mut Transcript<'a>, writer: &mut Writer<'a, '_>) {
    let limits = &writer.target.ids;
    let any =
        limits.reserved.is_none() && limits.also.is_none() && limits.max_length.is_none() && limits.length.is_none();
    // To Mistral's server the word `null` is no id.
    let null_is_none = writer.target.dialect == Dialect::MistralChat;
    if any && limits.unique == Scope::Turn && !null_is_none {
        return;
    }
    if all_stay(transcript, limits, writer.target.dialect) {
        return;
    }
    let limits = limits.clone();
    let mut spellings = Spellings::new(&limits, &transcript.messages);
    spellings.null_is_none = null_is_none;
    let dialect = writer.target.dialect;
    let theirs: Vec<String> = transcript.messages.iter().flat_map(|message| of_the_server(message, dialect)).collect();
    spellings.reserved.names.extend(theirs.iter().cloned());
    spellings.kept.extend(theirs);
    // Old and new ids of the turn whose results come next.
    let mut turn: HashMap<String, String> = HashMap::new();
    for message in &mut transcript.messages {
        match message.role {
            Role::Assistant => {
                turn.clear();
                if limits.unique == Scope::Turn {
                    spellings.kept.clear();
                    spellings.kept.extend(of_the_server(message, dialect));
                }
                calls(message, &mut spellings, &mut turn, writer);
            }
            Role::ToolResult => {
                let Some(head) = &mut message.result else { continue };
                // A lone result has no call before it to be named after.
                if transcript.fragment {
                    let Some(id) = head.call_id.clone() else { continue };
                    let Some((new, rule, words)) = spellings.spell(&id) else { continue };
                    head.call_id = Some(Cow::Owned(new.clone()));
                    writer.adapt(rule, message, format!("{words}; `{id}` became `{new}`"));
                    writer.report.ids.push(Renamed { from: id.into_owned(), to: new, input: None });
                    continue;
                }
                let Some(new) = head.call_id.as_deref().and_then(|id| turn.get(id)) else { continue };
                head.call_id = Some(Cow::Owned(new.clone()));
                message.dirty = true;
            }
            _ => {}
        }
    }
}

/// Whether no id needs another spelling, as is the rule.
fn all_stay(transcript: &Transcript<'_>, limits: &Ids, dialect: Dialect) -> bool {
    /// Calls of one turn that are compared with each other.
    const FEW: usize = 16;
    let mut seen: HashSet<&str> = HashSet::new();
    let mut turns = transcript.messages.iter().filter(|message| message.role == Role::Assistant);
    !transcript.fragment
        && turns.all(|message| {
            if limits.unique == Scope::Turn {
                seen.clear();
            }
            let ids = || message.calls().filter_map(|call| call.id.as_deref());
            let few = limits.unique == Scope::Turn && message.blocks.len() <= FEW;
            let mut new = |at, id| if few { ids().take(at).all(|other| other != id) } else { seen.insert(id) };
            ids().enumerate().all(|(at, id)| limits.accepts(id) && id != "null" && new(at, id))
                && of_the_server(message, dialect).next().is_none()
        })
}

/// The ids of calls that the server ran itself, which are copied as they stand: no other call may have them.
fn of_the_server<'m>(message: &'m Message<'_>, dialect: Dialect) -> impl Iterator<Item = String> + 'm {
    message.blocks.iter().filter_map(move |block| {
        let BlockKind::Opaque(opaque) = &block.kind else { return None };
        if opaque.dialect != dialect.name() {
            return None;
        }
        match dialect {
            Dialect::BedrockConverse => {
                let json = Json::parse(&opaque.value, &Limits::default()).ok()?;
                json.root().get("toolUse")?.get("toolUseId")?.as_str().map(Cow::into_owned)
            }
            Dialect::AnthropicMessages => {
                half_of_a_pair(block).filter(|(_, is_call, id)| *is_call && !id.is_empty()).map(|(.., id)| id)
            }
            _ => None,
        }
    })
}

fn calls<'a>(
    message: &mut Message<'a>,
    spellings: &mut Spellings,
    turn: &mut HashMap<String, String>,
    writer: &mut Writer<'a, '_>,
) {
    for block in &mut message.blocks {
        let BlockKind::ToolCall(call) = &mut block.kind else { continue };
        let Some(id) = call.id.clone() else { continue };
        let Some((new, rule, words)) = spellings.spell(&id) else { continue };
        call.id = Some(Cow::Owned(new.clone()));

        writer.adapt(rule, block, format!("{words}; `{id}` became `{new}`, with its result"));
        let input = writer.value(block.source).map(|value| writer.cursor.pointer(value));
        writer.report.ids.push(Renamed { from: id.clone().into_owned(), to: new.clone(), input });
        turn.insert(id.into_owned(), new);
    }
}

/// Gives out spellings that the target takes, none twice.
pub(crate) struct Spellings<'t> {
    limits: &'t Ids,
    /// Every id of the transcript, and every one given out
    reserved: Taken,
    /// Ids that kept their spelling, in the scope
    pub(crate) kept: HashSet<String>,
    /// The word `null` is no id
    null_is_none: bool,
}

impl<'t> Spellings<'t> {
    fn new(limits: &'t Ids, messages: &[Message<'_>]) -> Self {
        let reserved =
            messages.iter().flat_map(Message::calls).filter_map(|call| call.id.as_deref()).map(str::to_owned).collect();
        Self { limits, reserved: Taken::new(reserved), kept: HashSet::new(), null_is_none: false }
    }

    /// The new spelling and why; `None` when the id may stay as it is.
    fn spell(&mut self, id: &str) -> Option<(String, &'static rule::Rule, &'static str)> {
        let accepted = self.limits.accepts(id) && !(self.null_is_none && id == "null");
        if accepted && self.kept.insert(id.to_owned()) {
            return None;
        }
        let (rule, words) = if accepted {
            (&rule::DUPLICATE_TOOL_CALL_ID, "the target wants each id once")
        } else if self.limits.is_reserved(id) {
            (&rule::TOOL_CALL_ID_CHARACTERS, "the id begins as only those of the server's calls do")
        } else if id != "null" && target::charset(self.limits.also.as_deref(), id) {
            let words = match self.limits.length {
                Some(_) => "the id is not as long as the target asks for",
                None => "the id is longer than the target takes",
            };
            (&rule::TOOL_CALL_ID_LENGTH, words)
        } else {
            (&rule::TOOL_CALL_ID_CHARACTERS, "the id holds characters that the target refuses")
        };
        // `srvtoolu_1` is written as `toolu_1`, the form of the client's calls.
        let own = self.limits.reserved.as_deref().and_then(|prefix| id.strip_prefix(prefix));
        let own = own.map(|rest| Cow::Owned(format!("toolu_{rest}"))).unwrap_or(Cow::Borrowed(id));
        let (base, form) = (respell(&own, self.limits.also.as_deref()), Form::of(self.limits));
        Some((self.reserved.fresh(&base, form), rule, words))
    }
}

/// Every character that the target refuses becomes one that it takes.
pub(crate) fn respell(text: &str, also: Option<&str>) -> String {
    let Some(also) = also else { return text.to_owned() };
    let filler = ['_', '-'].into_iter().find(|filler| also.contains(*filler));
    text.chars().filter_map(|c| if c.is_ascii_alphanumeric() || also.contains(c) { Some(c) } else { filler }).collect()
}

/// How long a spelling is, and what stands in front of the number that tells two apart.
#[derive(Clone, Copy)]
pub(crate) struct Form {
    max: usize,
    /// Exactly so many characters: the last ones of the base, or zeros in front of it
    exact: Option<usize>,
    joint: &'static str,
}

impl Form {
    fn of(limits: &Ids) -> Self {
        Self { exact: limits.length, ..Self::up_to(limits.max_length, limits.also.as_deref()) }
    }

    pub(crate) fn up_to(max: Option<usize>, also: Option<&str>) -> Self {
        let joint = ["_", "-"].into_iter().find(|joint| also.is_none_or(|also| also.contains(joint)));
        Self { max: max.unwrap_or(usize::MAX), exact: None, joint: joint.unwrap_or_default() }
    }

    fn cut(self, base: &str) -> String {
        let Some(exact) = self.exact else {
            let cut: String = base.chars().take(self.max).collect();
            // What was white space inside is none at the end.
            return cut.trim_end().to_owned();
        };
        let count = base.chars().count();
        let tail = base.chars().skip(count.saturating_sub(exact));
        std::iter::repeat_n('0', exact.saturating_sub(count)).chain(tail).collect()
    }
}

/// The number of suffixes that are tried for one base.
const MOST_TRIES: usize = 16;

/// Names that are taken, and how far their suffixes have come.
#[derive(Default)]
pub(crate) struct Taken {
    names: HashSet<String>,
    suffixes: HashMap<String, usize>,
}

impl Taken {
    pub(crate) fn new(names: HashSet<String>) -> Self {
        Self { names, suffixes: HashMap::new() }
    }

    /// A spelling on this base, within the length, that is not taken; it is taken then. A name or id without any character
    /// left is `x`.
    pub(crate) fn fresh(&mut self, base: &str, form: Form) -> String {
        let base = if base.is_empty() { "x" } else { base };
        let cut = form.cut(base);
        if self.names.insert(cut.clone()) {
            return cut;
        }
        let mut count = self.suffixes.get(&cut).copied().unwrap_or(1);
        let mut tries = 0;
        loop {
            // Where many spellings are taken, a counter that all bases share: no taken spelling is tried twice.
            tries += 1;
            let number = if tries <= MOST_TRIES {
                count += 1;
                count
            } else {
                let shared = self.suffixes.entry(String::new()).or_insert(1);
                *shared += 1;
                *shared
            };
            let suffix = format!("{}{number}", form.joint);
            let (body, max) = form.exact.map_or((base, form.max), |exact| (&*cut, exact));
            let head: String = body.chars().take(max.saturating_sub(suffix.len())).collect();
            let candidate = head + &suffix;
            if self.names.insert(candidate.clone()) {
                self.suffixes.insert(cut, count);
                return candidate;
            }
        }
    }
}
