//! The canonical dialect: reading what only it has. Its messages are read with the lineage that it grew from.

use std::borrow::Cow;

use crate::dialects::openclaw::read::{A_CALL, A_RESULT, A_STOP_REASON, FLAT_IMAGE};
use crate::read::call::Spelling;
use crate::read::detect::{block, is};
use crate::read::reader::{Reader, kept};
use crate::read::result::ContentForms;
use crate::read::spec::{Sign, Spec};
use wirecanon_json::Value;
use wirecanon_model::rule;
use wirecanon_model::transcript::Native;

pub(crate) static SPEC: Spec = Spec {
    results: ContentForms { string: false, absent: false, empty: false },
    call: Some(Spelling { kind: "toolCall", arguments: "arguments" }),
    stop_reasons: true,
    keeps_all_reasoning: true,
    signs: &[
        A_RESULT,
        A_CALL,
        FLAT_IMAGE,
        A_STOP_REASON,
        Sign::new(3, "a `toolCall` with a string for arguments", |m| {
            block(m, |b| is(b, "toolCall") && b.get("arguments").is_some_and(Value::is_string))
        }),
        Sign::new(3, "a field that only the canonical dialect has", |m| {
            m.get("native").is_some()
                || m.get("synthetic").is_some()
                || block(m, |b| {
                    b.get("native").is_some()
                        || is(b, "opaque")
                        || (is(b, "link") && b.get("url").is_some())
                        || (is(b, "file") && b.get("data").is_some())
                })
        }),
    ],
    flat_images: true,
    ..Spec::COMMON
};

/// Takes a `native` member apart: each dialect's fields, to be given back to it alone. Other unknown members stay with the
/// canonical dialect.
pub(crate) fn read_native<'a>(
    cx: &mut Reader<'a, '_>,
    about: u32,
    item: Value<'a>,
    others: &[(Value<'a>, Value<'a>)],
) -> Option<Box<Native<'a>>> {
    let mut native = Native::default();
    for members in others.chunk_by(|(a, _), (b, _)| !a.is_str("native") && !b.is_str("native")) {
        let (key, value) = members[0];
        if !key.is_str("native") {
            native.add_all(cx.dialect.name(), members.iter().map(kept_member));
            continue;
        }
        if !value.is_object() || value.members().any(|(_, fields)| !fields.is_object()) {
            cx.mark(about);
            cx.lose(&rule::NATIVE_MALFORMED, item, None, "`native` is not an object of objects and was left out");
            continue;
        }
        for (dialect, fields) in value.members() {
            native.add_all(dialect.as_str().unwrap_or_default(), fields.members().map(|member| kept_member(&member)));
        }
    }
    (!native.dialects.is_empty()).then(|| Box::new(native))
}

fn kept_member<'a>((key, value): &(Value<'a>, Value<'a>)) -> (Cow<'a, str>, Cow<'a, str>) {
    (key.as_str().unwrap_or_default(), kept(*value))
}
