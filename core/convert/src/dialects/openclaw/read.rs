//! Agent messages of the OpenClaw and pi-ai lineage: the shape from which the canonical one grew. They are read in
//! [`crate::dialects::openclaw::lineage`].

use crate::dialects::openclaw::lineage::is_application_message;
use crate::read::call::Spelling;
use crate::read::detect::{block, is, role};
use crate::read::result::ContentForms;
use crate::read::signer::of_openclaw;
use crate::read::spec::{Sign, Spec};
use wirecanon_json::Value;

pub(crate) static SPEC: Spec = Spec {
    results: ContentForms { string: false, absent: false, empty: true },
    call: Some(Spelling { kind: "toolCall", arguments: "arguments" }),
    stop_reasons: true,
    blank_results: true,
    keeps_all_reasoning: true,
    is_own_message: is_application_message,
    finish: Some(of_openclaw),
    signs: &[
        A_RESULT,
        A_CALL,
        FLAT_IMAGE,
        A_STOP_REASON,
        Sign::new(3, "a `toolCall` with an object for arguments", |m| {
            block(m, |b| {
                is(b, "toolCall") && ["arguments", "input"].iter().any(|key| b.get(key).is_some_and(Value::is_object))
            })
        }),
        Sign::new(2, "a timestamp, or the provider's bookkeeping, on a message", |m| {
            ["timestamp", "api", "provider", "details", "usage"].iter().any(|key| m.get(key).is_some())
                && (role(m, "user") || role(m, "assistant") || role(m, "toolResult"))
                && m.get("id").is_none()
        }),
        Sign::new(2, "a camel-case signature", |m| {
            block(m, |b| {
                b.get("thinkingSignature").is_some()
                    || b.get("thoughtSignature").is_some()
                    || b.get("textSignature").is_some()
            })
        }),
    ],
    flat_images: true,
    ..Spec::COMMON
};

/// What the lineage and the canonical dialect, which grew from it, both show.
pub(crate) const A_RESULT: Sign = Sign::new(8, "a message of role `toolResult`", |m| role(m, "toolResult"));
pub(crate) const A_CALL: Sign = Sign::new(4, "a `toolCall` block", |m| block(m, |b| is(b, "toolCall")));
pub(crate) const FLAT_IMAGE: Sign =
    Sign::new(2, "an image with flat fields", |m| block(m, |b| is(b, "image") && b.get("data").is_some()));
pub(crate) const A_STOP_REASON: Sign = Sign::new(2, "`stopReason` on a message", |m| m.get("stopReason").is_some());
