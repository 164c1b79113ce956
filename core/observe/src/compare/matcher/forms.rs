//! Results that are one value or one text: the forms in which dialects and programs have them.

use std::borrow::Cow;

use wirecanon_json::{Json, Limits, Value};
use wirecanon_model::Dialect;

use super::Matcher;
use crate::compare::flat::{Given, Kind, Unit};
use crate::compare::value::{is_equal_text, relation_of_texts};
use crate::compare::vocabulary::{FAILURES, WRAPPER};
use crate::compare::words::{self, About, Names, has_any, is_note, words_of_key};
use crate::equivalence::Equivalence;
use crate::observation::{Call, Item};
use crate::wire::only_member;

/// Keys under which any result is wrapped where the dialect demands an object.
const WRAPPERS: [&str; 5] = ["output", "result", "content", "text", "value"];

/// Keys under which an error object has the text of the error, beside those that say that it is one.
const ERROR_TEXTS: [&str; 7] = ["content", "detail", "details", "message", "output", "result", "text"];

/// The number of objects in each other in which the text of an error is looked for.
const MAX_DEPTH: usize = 4;

impl<'o, 'a> Matcher<'_, 'o, 'a> {
    /// Returns whether the answer has a result of its own dialect under another key.
    pub(super) fn is_rewrapped(&self, wanted: &Given<'o, 'a>, given: &Given<'o, 'a>) -> bool {
        let wrapper = |value: Value<'a>| only_member(value).and_then(|(key, _)| key.as_str());
        // An error has its own key, which the error flag tells.
        let key = |given: &Given<'o, 'a>| given.result.whole.and_then(wrapper).filter(|key| key != "error");
        self.is_own() && matches!((key(wanted), key(given)), (Some(wanted), Some(given)) if wanted != given)
    }

    /// Returns whether two results are the same as one value: with what wraps it where a dialect demands an object, or as an error object
    /// whose flag is right.
    pub(super) fn is_same_value(
        &mut self,
        wanted: &Given<'o, 'a>,
        given: &Given<'o, 'a>,
        call: Option<&'o Call<'a>>,
    ) -> bool {
        let (expected, answer) = (self.expected.dialect, self.answer.dialect);
        let mut left = forms(self.units_of_expected(wanted), wanted.result.whole);
        // Texts beside structured content were compared with all that is expected.
        if wanted.result.structured.is_some() && self.is_own() {
            return false;
        }
        if let Some(value) = wanted.result.structured {
            if !self.texts_say(self.units_of_expected(wanted), value) {
                return false;
            }
            left = vec![Form::Json(value.raw().into())];
        }
        let mut right = forms(self.units_of_answer(given), given.result.whole);
        right.extend(given.result.structured.map(|value| Form::Json(value.raw().into())));
        let is_same = |matcher: &Self, left: &[Form<'_>], right: &[Form<'_>]| {
            left.iter().any(|left| right.iter().any(|right| matcher.is_same_form(left, right)))
        };
        let name_of = |given: &Given<'o, 'a>| given.result.name.as_deref().or(call.map(|call| &*call.name));
        // Within one dialect, a wrapper is what the tool has given.
        let is_wrapped = |matcher: &Self| {
            is_same(matcher, &unwrapped(&left, expected, name_of(wanted)), &right)
                || is_same(matcher, &left, &unwrapped(&right, answer, name_of(given)))
                || matcher
                    .input
                    .is_some_and(|input| is_same(matcher, &left, &unwrapped(&as_json(&right), input, name_of(wanted))))
        };
        if is_same(self, &left, &right) || !self.is_own() && is_wrapped(self) {
            return self.accepts(Equivalence::ResultJson);
        }
        let flags = (wanted.result.is_error, given.result.is_error);
        let is_error = match flags {
            // The answer has the error object, or has the flag instead of it.
            (Some(true), Some(true) | None) => is_same(self, &left, &errors(&right)),
            (None, Some(true)) => is_same(self, &errors(&left), &right),
            _ => false,
        };
        is_error && self.accepts(Equivalence::ErrorText)
    }

    /// Returns whether the texts of a result say no more than its structured content: each of them says it, or they say the items of its
    /// list one for one.
    pub(super) fn texts_say(&self, units: &[Unit<'o, 'a>], value: Value<'_>) -> bool {
        let is_text = |unit: &&Unit<'o, 'a>| matches!(unit.kind, Kind::Text(_) | Kind::Data(_));
        let says = |unit: &Unit<'o, 'a>, value: Value<'_>| match unit.kind {
            Kind::Text(text) => self.says_structured(text, value),
            Kind::Data(data) => self.is_equal(data, value),
            _ => false,
        };
        if units.iter().filter(is_text).all(|unit| says(unit, value)) {
            return true;
        }
        let list = value_under(value, "result").unwrap_or(value);
        let mut items = list.items();
        units.iter().filter(is_text).all(|unit| items.next().is_some_and(|item| says(unit, item)))
            && items.next().is_none()
    }

    /// Returns whether a text of the answer and an expected one are the same JSON string, where one of the results is a JSON value.
    pub(super) fn is_same_string(&self, (text, want): (&str, &Item<'_>), (other, item): (&str, &Item<'_>)) -> bool {
        let is_string = |json: &str, text: &str| {
            json.trim_start().starts_with('"')
                && with_value(json, |value| value.as_str().is_some_and(|inner| inner.trim() == text.trim()))
        };
        has_json_strings(self.expected.dialect) && want.place.is_string() && is_string(other, text)
            || has_json_strings(self.answer.dialect) && item.place.is_string() && is_string(text, other)
    }

    /// Returns whether a text of the answer is the object in which the dialect of the input has an expected text.
    pub(super) fn is_object_of_input(&self, text: &str, object: &str, call: Option<&Call<'_>>) -> bool {
        let says = |value: Value<'_>| {
            unwrapped_value(value, call.map(|call| &*call.name)).is_some_and(|inner| self.is_said_by(text, inner))
        };
        self.input.is_some_and(demands_objects)
            && !self.is_own()
            && object.trim_start().starts_with('{')
            && with_value(object, says)
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

/// Returns whether a string in a result of a dialect is a JSON value, and not a text.
fn has_json_strings(dialect: Dialect) -> bool {
    matches!(dialect, Dialect::GeminiContents | Dialect::AiSdkModel | Dialect::AiSdkUi)
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
    let texts: Option<Vec<&str>> = content().map(Unit::text).collect();
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

/// Returns whether results of a dialect are objects.
fn demands_objects(dialect: Dialect) -> bool {
    matches!(dialect, Dialect::GeminiContents | Dialect::BedrockConverse | Dialect::CohereV2)
}

/// The values that a dialect wraps because it demands an object.
fn unwrapped<'t>(forms: &[Form<'t>], dialect: Dialect, name: Option<&str>) -> Vec<Form<'t>> {
    if !demands_objects(dialect) {
        return Vec::new();
    }
    let inner = |form: &Form<'_>| match form {
        Form::Json(raw) => with_value(raw, |value| unwrapped_value(value, name).map(forms_of_value)),
        Form::Text(_) => None,
    };
    forms.iter().filter_map(inner).flatten().collect()
}

/// The texts as JSON.
fn as_json<'f>(forms: &'f [Form<'_>]) -> Vec<Form<'f>> {
    let text = |form: &'f Form<'_>| match form {
        Form::Text(text) if text.trim_start().starts_with('{') => Some(Form::Json(text.as_ref().into())),
        _ => None,
    };
    forms.iter().filter_map(text).collect()
}

/// The result in an object that wraps it: under the only key, or under the only key beside the name of the tool. Under a key that is not
/// one of [`WRAPPERS`], an object is what the tool has given.
fn unwrapped_value<'v>(object: Value<'v>, name: Option<&str>) -> Option<Value<'v>> {
    let mut members = object.members();
    let (first, second) = (members.next()?, members.next());
    let is_name = |(key, value): &(Value<'v>, Value<'v>)| {
        key.is_str("name") && name.is_some_and(|name| value.as_str().is_some_and(|value| value.trim() == name.trim()))
    };
    let (key, value) = match second {
        None => first,
        Some(_) if members.next().is_some() => return None,
        Some(second) if is_name(&first) => second,
        Some(second) if is_name(&second) => first,
        Some(_) => return None,
    };
    let is_known = WRAPPERS.iter().any(|known| key.is_str(known));
    (is_known || !value.is_object() && key.as_str().is_some_and(|key| is_wrapper(&key))).then_some(value)
}

/// Returns whether a key says no more than that its value is the result of a tool.
pub(crate) fn is_wrapper(key: &str) -> bool {
    let words = words_of_key(key);
    let mut words = words::words(&words).peekable();
    words.peek().is_some() && words.all(|word| WRAPPER.has(&word))
}

/// The texts of errors that stand in an object which says that it is one.
fn errors<'t>(forms: &[Form<'t>]) -> Vec<Form<'t>> {
    let inner = |form: &Form<'_>| match form {
        Form::Json(text) | Form::Text(text) => {
            with_value(text, |value| texts_of_error(value).into_iter().flat_map(forms_of_value).collect::<Vec<_>>())
        }
    };
    forms.iter().flat_map(inner).collect()
}

/// Returns whether an object says that it is an error.
pub(super) fn is_error_object(object: Value<'_>) -> bool {
    !texts_of_error(object).is_empty()
}

/// Returns whether a value is a text that says that a tool failed, in an object that wraps it.
pub(super) fn wraps_error(object: Value<'_>) -> bool {
    unwrapped_value(object, None).and_then(Value::as_str).is_some_and(|text| begins_with_error(&text))
}

/// Returns whether the first words of a text say that a tool failed.
pub(super) fn begins_with_error(text: &str) -> bool {
    let start: String = text.chars().take(64).collect();
    has_any(&start, FAILURES)
}

/// The texts of an error object: under a key that says that a tool failed, or beside a flag; also in an object within it, the outer ones
/// first.
fn texts_of_error(object: Value<'_>) -> Vec<Value<'_>> {
    let mut texts = Vec::new();
    let (mut object, mut says_error) = (object, false);
    for _ in 0..MAX_DEPTH {
        let is_flag = |(key, value): &(Value<'_>, Value<'_>)| match key.as_str().as_deref() {
            Some("isError" | "is_error" | "error") => value.as_bool() == Some(true),
            Some("success" | "ok") => value.as_bool() == Some(false),
            Some("status" | "type") => value.is_str("error"),
            _ => false,
        };
        let (flags, others): (Vec<_>, Vec<_>) = object.members().take(3).partition(is_flag);
        let ([] | [_], [(key, text)]) = (&flags[..], &others[..]) else { break };
        let is_failure = key.as_str().is_some_and(|key| {
            let words = words_of_key(&key);
            has_any(&words, FAILURES) && is_note(&words, About::Error, &Names::default())
        });
        says_error |= is_failure || !flags.is_empty();
        if !is_failure && !ERROR_TEXTS.iter().any(|known| key.is_str(known)) {
            break;
        }
        if says_error {
            texts.push(*text);
        }
        object = *text;
    }
    texts
}

/// The forms of a value: a string may be its JSON text, too.
fn forms_of_value<'t>(value: Value<'_>) -> Vec<Form<'t>> {
    let json = value.is_string().then(|| Form::Json(value.raw().to_owned().into()));
    [Some(form_of(value)), json].into_iter().flatten().collect()
}

/// The form of a value: a string is a text, and so are text blocks.
fn form_of<'t>(value: Value<'_>) -> Form<'t> {
    let text_of_block = |block: Value<'_>| {
        let is_alone = || value_under(block, "text").is_some();
        let is_text = block.get("type").map_or_else(is_alone, |kind| kind.is_str("text"));
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

/// The value under the only key of an object, if that is this key.
pub(super) fn value_under<'v>(object: Value<'v>, known: &str) -> Option<Value<'v>> {
    only_member(object).filter(|(key, _)| key.is_str(known)).map(|(_, value)| value)
}

/// Reads JSON text; the default where it is none.
pub(super) fn with_value<T: Default>(text: &str, read: impl FnOnce(Value<'_>) -> T) -> T {
    Json::parse(text, &Limits::default()).map(|json| read(json.root())).unwrap_or_default()
}

/// Returns whether two texts are one JSON object or array in two layouts.
pub(super) fn is_layout_of(a: &str, b: &str) -> bool {
    a.trim_start().starts_with(['{', '[']) && is_equal_text(a, b)
}
