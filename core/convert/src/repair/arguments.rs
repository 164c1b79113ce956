//! Arguments: whatever stood there becomes the exact JSON text of one object, and nothing is guessed.

use std::borrow::Cow;

use crate::repair::Repairs;
use wirecanon_json::{Json, Kind, Limits, Room, quote};

use wirecanon_model::rule::{self, Rule};
use wirecanon_model::transcript::{Arguments, BlockKind, Transcript};

pub(crate) fn run<'a>(transcript: &mut Transcript<'a>, repairs: &mut Repairs<'a, '_>) {
    let text_is_own = transcript.dialect.arguments_are_text();
    let mut room = Room::default();
    for block in transcript.messages.iter_mut().flat_map(|message| &mut message.blocks) {
        let BlockKind::ToolCall(call) = &mut block.kind else { continue };
        let found = std::mem::replace(&mut call.arguments, Arguments::Missing);
        let (text, fault) = judge(found, text_is_own, block.projected, &mut room);
        call.arguments = Arguments::Json(text);
        if let Some((rule, what)) = fault {
            repairs.mend(rule, block, what);
        }
    }
}

type Fault = (&'static Rule, &'static str);

/// The text of one object, and what was wrong.
fn judge<'a>(
    found: Arguments<'a>,
    text_is_own: bool,
    own_form: bool,
    room: &mut Room,
) -> (Cow<'a, str>, Option<Fault>) {
    let none = |what| (Cow::Borrowed("{}"), Some((&rule::TOOL_CALL_ARGUMENTS_MISSING, what)));
    let taken = |text: Cow<'a, str>, rule, what| (text, Some((rule, what)));
    match found {
        Arguments::Missing => none("the call has no arguments; it was given none: `{}`"),
        Arguments::Json(text) if text_is_own && !own_form => {
            let what = "the arguments are an object; its exact text was taken";
            taken(text, &rule::TOOL_CALL_ARGUMENTS_NOT_A_STRING, what)
        }
        Arguments::Json(text) => (text, None),
        Arguments::Other(raw) if is_empty_list(raw) => {
            none("the arguments are an empty list; the call was given none: `{}`")
        }
        Arguments::Other(raw) => {
            let what = "the arguments are no object; their text was kept under `INVALID_JSON`";
            taken(invalid(raw), &rule::TOOL_CALL_ARGUMENTS_INVALID, what)
        }
        Arguments::Encoded(text) => match decode(&text, room) {
            Decoded::Object if text_is_own => (text, None),
            Decoded::Object => {
                let what = "the arguments are a string; the object in it was taken";
                taken(text, &rule::TOOL_CALL_ARGUMENTS_NOT_AN_OBJECT, what)
            }
            Decoded::Inner(inner) => {
                let what = "the arguments were encoded more than once; decoded";
                taken(inner.into(), &rule::TOOL_CALL_ARGUMENTS_ENCODED_TWICE, what)
            }
            Decoded::Nothing => none("the arguments say nothing; the call was given none: `{}`"),
            Decoded::Invalid => {
                let what = "the arguments are not the JSON text of an object; kept under `INVALID_JSON`";
                taken(invalid(&text), &rule::TOOL_CALL_ARGUMENTS_INVALID, what)
            }
        },
    }
}

/// PHP writes an empty map as an empty list (prism-php/prism#176).
fn is_empty_list(raw: &str) -> bool {
    raw.strip_prefix('[').and_then(|rest| rest.strip_suffix(']')).is_some_and(|inside| inside.trim().is_empty())
}

fn invalid(raw: &str) -> Cow<'static, str> {
    format!("{{\"INVALID_JSON\":{}}}", quote(raw)).into()
}

enum Decoded {
    /// The text is the text of an object
    Object,
    /// The text holds, under one or two more layers of strings, the text of an object
    Inner(String),
    /// Blank, `null` or an empty list, under any layer
    Nothing,
    /// None of these
    Invalid,
}

/// Takes off at most two string layers beyond the one that JSON itself has.
fn decode(text: &str, room: &mut Room) -> Decoded {
    if room.is_object(text) {
        return Decoded::Object;
    }
    let mut layer: Cow<'_, str> = Cow::Borrowed(text);
    for _ in 0..3 {
        if layer.trim().is_empty() {
            return Decoded::Nothing;
        }
        let inner = {
            let Ok(json) = Json::parse(&layer, &Limits::default()) else { return Decoded::Invalid };
            let root = json.root();
            match root.kind() {
                Kind::Object => None,
                Kind::Null => return Decoded::Nothing,
                Kind::Array if root.items().next().is_none() => return Decoded::Nothing,
                Kind::String => root.as_str().map(Cow::into_owned),
                _ => return Decoded::Invalid,
            }
        };
        match inner {
            None => return Decoded::Inner(layer.into_owned()),
            Some(inner) => layer = Cow::Owned(inner),
        }
    }
    Decoded::Invalid
}
