//! Results that are one value or one text: the forms in which dialects and programs have them.

use std::borrow::Cow;

use wirecanon_json::{Json, Limits, Value};
use wirecanon_model::Dialect;

use super::Matcher;
use crate::compare::flat::{Given, Kind, Unit};
use crate::compare::value::{is_equal_text, relation_of_texts};
use crate::equivalence::Equivalence;

/// Keys under which a result is wrapped where the dialect demands an object.
const WRAPPERS: [&str; 5] = ["output", "result", "content", "text", "value"];

/// Keys under which an error object has the text of the error.
const ERROR_TEXTS: [&str; 5] = ["content", "message", "error", "output", "result"];

impl<'o, 'a> Matcher<'_, 'o, 'a> {
    /// Returns whether the answer has a result of its own dialect under another key.
    pub(super) fn is_rewrapped(&self, wanted: &Given<'o, 'a>, given: &Given<'o, 'a>) -> bool {
        let wrapper = |value: Value<'a>| {
            let mut keys = value.members().map(|(key, _)| key);
            keys.next().filter(|_| keys.next().is_none()).and_then(Value::as_str)
        };
        // An error has its own key, which the error flag tells.
        let key = |given: &Given<'o, 'a>| given.result.whole.and_then(wrapper).filter(|key| key != "error");
        self.is_own() && matches!((key(wanted), key(given)), (Some(wanted), Some(given)) if wanted != given)
    }

    /// Returns whether two results are the same as one value: with what wraps it where a dialect demands an object, or as an error object
    /// whose flag is right.
    pub(super) fn is_same_value(&mut self, wanted: &Given<'o, 'a>, given: &Given<'o, 'a>) -> bool {
        let (expected, answer) = (self.expected.dialect, self.answer.dialect);
        let mut left = forms(self.units_of_expected(wanted), wanted.result.whole);
        // Texts beside structured content were compared with all that is expected.
        if wanted.result.structured.is_some() && self.is_own() {
            return false;
        }
        if let Some(value) = wanted.result.structured {
            left = vec![Form::Json(value.raw().into())];
        }
        let mut right = forms(self.units_of_answer(given), given.result.whole);
        right.extend(given.result.structured.map(|value| Form::Json(value.raw().into())));
        let is_same = |matcher: &Self, left: &[Form<'_>], right: &[Form<'_>]| {
            left.iter().any(|left| right.iter().any(|right| matcher.is_same_form(left, right)))
        };
        // Within one dialect, a wrapper is what the tool has given.
        let is_wrapped = |matcher: &Self| {
            is_same(matcher, &unwrapped(&left, expected), &right) || is_same(matcher, &left, &unwrapped(&right, answer))
        };
        if is_same(self, &left, &right) || !self.is_own() && is_wrapped(self) {
            self.comparison.uses(Equivalence::ResultJson);
            return true;
        }
        let flags = (wanted.result.is_error, given.result.is_error);
        let is_error = match flags {
            // The answer has the error object, or has the flag instead of it.
            (Some(true), Some(true) | None) => is_same(self, &left, &errors(&right)),
            (None, Some(true)) => is_same(self, &errors(&left), &right),
            _ => false,
        };
        if is_error {
            self.comparison.uses(Equivalence::ErrorText);
        }
        is_error
    }

    fn is_same_form(&self, left: &Form<'_>, right: &Form<'_>) -> bool {
        match (left, right) {
            (Form::Text(a), Form::Text(b)) => a.trim() == b.trim() || is_layout_of(a, b),
            (Form::Text(text), Form::Json(raw)) => with_value(raw, |value| self.is_said_by(text, value)),
            (Form::Json(raw), Form::Text(text)) => with_value(raw, |value| self.says(text, value)),
            (Form::Json(a), Form::Json(b)) => relation_of_texts(a, b).is_some_and(|relation| self.is_allowed(relation)),
        }
    }
}

/// One form of a result: a text, or the JSON text of a value.
enum Form<'t> {
    Text(Cow<'t, str>),
    Json(Cow<'t, str>),
}

/// The forms of a result that is one value or one text.
fn forms<'t>(units: &[Unit<'t, '_>], whole: Option<Value<'t>>) -> Vec<Form<'t>> {
    // Media beside the whole value are not in it.
    let is_beside = |unit: &Unit<'_, '_>| matches!(unit.kind, Kind::Media(_) | Kind::Resource(_));
    let value = whole.filter(|_| !units.iter().any(is_beside));
    let mut forms: Vec<_> = value.into_iter().map(|value| Form::Json(value.raw().into())).collect();
    let content = || units.iter().filter(|unit| !matches!(unit.kind, Kind::Blank));
    let texts: Option<Vec<&str>> = content()
        .map(|unit| match unit.kind {
            Kind::Text(text) => Some(text),
            _ => None,
        })
        .collect();
    match texts.as_deref() {
        Some([]) => {}
        Some([text]) => forms.push(Form::Text((*text).into())),
        Some(texts) => forms.push(Form::Text(texts.join("\n").into())),
        None => {
            let mut content = content();
            if let (Some(Unit { kind: Kind::Data(value), .. }), None) = (content.next(), content.next()) {
                forms.push(Form::Json(value.raw().to_owned().into()));
            }
        }
    }
    forms
}

/// The values that a dialect wraps because it demands an object.
fn unwrapped<'t>(forms: &[Form<'t>], dialect: Dialect) -> Vec<Form<'t>> {
    if !matches!(dialect, Dialect::GeminiContents | Dialect::BedrockConverse | Dialect::CohereV2) {
        return Vec::new();
    }
    let inner = |form: &Form<'_>| match form {
        Form::Json(raw) => with_value(raw, |value| only_member(value, &WRAPPERS).map(form_of)),
        Form::Text(_) => None,
    };
    forms.iter().filter_map(inner).collect()
}

/// The texts of errors that stand in an object which says that it is one.
fn errors<'t>(forms: &[Form<'t>]) -> Vec<Form<'t>> {
    let inner = |form: &Form<'_>| match form {
        Form::Json(text) | Form::Text(text) => with_value(text, |value| text_of_error(value).map(form_of)),
    };
    forms.iter().filter_map(inner).collect()
}

/// The text of an error object: under `error`, or beside a flag.
pub(super) fn text_of_error(object: Value<'_>) -> Option<Value<'_>> {
    if let Some(error) = only_member(object, &["error"]) {
        return Some(error);
    }
    let is_flag = |(key, value): &(Value<'_>, Value<'_>)| match key.as_str().as_deref() {
        Some("isError" | "is_error") => value.as_bool() == Some(true),
        Some("success" | "ok") => value.as_bool() == Some(false),
        Some("status" | "type") => value.is_str("error"),
        _ => false,
    };
    let is_text = |(key, _): &(Value<'_>, Value<'_>)| ERROR_TEXTS.iter().any(|known| key.is_str(known));
    let (flags, others): (Vec<_>, Vec<_>) = object.members().take(3).partition(is_flag);
    match (&flags[..], &others[..]) {
        ([_], [text]) if is_text(text) => Some(text.1),
        _ => None,
    }
}

/// The form of a value: a string is a text, and so are text blocks.
fn form_of<'t>(value: Value<'_>) -> Form<'t> {
    let text_of_block = |block: Value<'_>| {
        let is_text = block.get("type").is_some_and(|kind| kind.is_str("text"));
        block.get("text").filter(|_| is_text).and_then(Value::as_str).map(Cow::into_owned)
    };
    if let Some(text) = value.as_str() {
        return Form::Text(text.into_owned().into());
    }
    let blocks: Option<Vec<_>> = value.items().map(text_of_block).collect();
    match blocks.filter(|blocks| !blocks.is_empty()) {
        Some(texts) => Form::Text(texts.join("\n").into()),
        None => Form::Json(value.raw().to_owned().into()),
    }
}

/// The only member of an object, if it has one of these keys.
pub(super) fn only_member<'v>(object: Value<'v>, keys: &[&str]) -> Option<Value<'v>> {
    let mut members = object.members();
    match (members.next(), members.next()) {
        (Some((key, value)), None) if keys.iter().any(|known| key.is_str(known)) => Some(value),
        _ => None,
    }
}

/// Reads JSON text; the default where it is none.
pub(super) fn with_value<T: Default>(text: &str, read: impl FnOnce(Value<'_>) -> T) -> T {
    Json::parse(text, &Limits::default()).map(|json| read(json.root())).unwrap_or_default()
}

/// Returns whether two texts are one JSON object or array in two layouts.
pub(super) fn is_layout_of(a: &str, b: &str) -> bool {
    a.trim_start().starts_with(['{', '[']) && is_equal_text(a, b)
}
