//! Arguments of calls that are not what the model wrote.

use std::borrow::Cow;
use std::collections::BTreeMap;

use serde_json::Value;
use serde_json::value::RawValue;
use wirecanon_core::json::quote;
use wirecanon_core::normalizer::Request;
use wirecanon_core::transcript::{Arguments, Transcript};

use crate::mutant::{Mutant, Wrong, steps};
use crate::walk;

pub(crate) const MUTANTS: &[Mutant] = &[
    Mutant {
        id: "arguments-encoded-twice",
        does: "Arguments that are a string already are made one once more.",
        source: "vercel/ai#19274",
        breaks: "promises",
        wrong: Wrong::Steps(steps![After("repair", "arguments", encode_again)]),
    },
    Mutant {
        id: "cut-off-arguments-become-empty",
        does: "Arguments that are no JSON, because the stream was cut, become `{}` without a word.",
        source: "anthropics/claude-code#67765",
        breaks: "known",
        wrong: Wrong::Steps(steps![Before("repair", "arguments", empty_what_is_cut_off)]),
    },
    Mutant {
        id: "cut-off-arguments-completed",
        does: "Arguments that were cut off get the quotes and brackets that they lack.",
        source: "GCWing/OpenBitFun#643",
        breaks: "known",
        wrong: Wrong::Steps(steps![Before("repair", "arguments", complete)]),
    },
    Mutant {
        id: "numbers-read-as-floats",
        does: "Numbers in arguments go through a double: long ones lose digits, `1.0` becomes `1`.",
        source: "stanfordnlp/dspy#10143",
        breaks: "P9",
        wrong: Wrong::Steps(steps![After("repair", "arguments", numbers_as_floats)]),
    },
    Mutant {
        id: "argument-keys-sorted",
        does: "Arguments are parsed and printed again by a library that sorts keys.",
        source: "openclaw/openclaw#96441",
        breaks: "P9",
        wrong: Wrong::Steps(steps![After("repair", "arguments", sort_keys)]),
    },
    Mutant {
        id: "missing-arguments-left-null",
        does: "A call without arguments is written with `null`.",
        source: "langchain-ai/langchain#34242",
        breaks: "promises",
        wrong: Wrong::Steps(steps![Before("repair", "arguments", null_for_none)]),
    },
    Mutant {
        id: "double-encoded-arguments-become-empty",
        does: "Arguments that were encoded twice decode to a string, which is no object, so they become `{}`.",
        source: "vllm-project/vllm#54964",
        breaks: "P2",
        wrong: Wrong::Steps(steps![Before("repair", "arguments", empty_what_is_encoded_twice)]),
    },
    Mutant {
        id: "arguments-of-another-kind-become-empty",
        does: "Arguments that are a list or a number are replaced by `{}`.",
        source: "vercel-labs/fx#647",
        breaks: "known",
        wrong: Wrong::Steps(steps![Before("repair", "arguments", empty_what_is_no_object)]),
    },
    Mutant {
        id: "blank-arguments-left-blank",
        does: "An empty string of arguments is sent as it stands.",
        source: "openai/openai-agents-js#664",
        breaks: "promises",
        wrong: Wrong::StepsFor(as_text, steps![Before("repair", "arguments", blank_stays)]),
    },
];

const NOTHING: Arguments<'static> = Arguments::Json(Cow::Borrowed("{}"));

fn as_text(request: &Request<'_>) -> bool {
    request.to.dialect.arguments_are_text()
}

fn encode_again(transcript: &mut Transcript<'_>) {
    if transcript.dialect.arguments_are_text() {
        walk::arguments(transcript, |arguments| match arguments {
            Arguments::Json(text) => Some(Arguments::Json(quote(text).into())),
            _ => None,
        });
    }
}

fn is_json(text: &str) -> bool {
    serde_json::from_str::<&RawValue>(text).is_ok()
}

/// The text of arguments that are none.
fn cut_off<'t>(arguments: &'t Arguments<'_>) -> Option<&'t str> {
    match arguments {
        Arguments::Encoded(text) if !text.trim().is_empty() && !is_json(text) => Some(text.as_ref()),
        _ => None,
    }
}

fn empty_what_is_cut_off(transcript: &mut Transcript<'_>) {
    walk::arguments(transcript, |arguments| cut_off(arguments).map(|_| NOTHING));
}

fn complete(transcript: &mut Transcript<'_>) {
    walk::arguments(transcript, |arguments| {
        let closed = cut_off(arguments).map(closed).filter(|text| is_json(text))?;
        Some(Arguments::Encoded(closed.into()))
    });
}

/// The text with an end to all that is open.
fn closed(text: &str) -> String {
    let mut open = Vec::new();
    let mut in_string = false;
    let mut escaped = false;
    for character in text.chars() {
        match character {
            _ if escaped => escaped = false,
            '\\' if in_string => escaped = true,
            '"' => in_string = !in_string,
            '{' if !in_string => open.push('}'),
            '[' if !in_string => open.push(']'),
            '}' | ']' if !in_string => {
                open.pop();
            }
            _ => {}
        }
    }
    let mut text = text.to_owned();
    if escaped {
        text.pop();
    }
    if in_string {
        text.push('"');
    }
    let mut text = text.trim_end().trim_end_matches(',').to_owned();
    if text.ends_with(':') {
        text.push_str("null");
    }
    text.extend(open.into_iter().rev());
    text
}

fn numbers_as_floats(transcript: &mut Transcript<'_>) {
    walk::arguments(transcript, |arguments| match arguments {
        Arguments::Json(text) => Some(Arguments::Json(as_floats(text).into())),
        _ => None,
    });
}

/// The same JSON text, its numbers printed from doubles.
fn as_floats(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    let mut number = String::new();
    let (mut in_string, mut escaped) = (false, false);
    for character in text.chars().chain(std::iter::once(' ')) {
        if !in_string && (character.is_ascii_digit() || matches!(character, '-' | '+' | '.' | 'e' | 'E')) {
            // `true`, `false` and `null` hold an `e` too.
            if !number.is_empty() || character.is_ascii_digit() || character == '-' {
                number.push(character);
                continue;
            }
        }
        if !number.is_empty() {
            match number.parse::<f64>().ok().filter(|float| float.is_finite()) {
                Some(float) => out.push_str(&float.to_string()),
                None => out.push_str(&number),
            }
            number.clear();
        }
        match character {
            _ if escaped => escaped = false,
            '\\' if in_string => escaped = true,
            '"' => in_string = !in_string,
            _ => {}
        }
        out.push(character);
    }
    out.pop();
    out
}

fn sort_keys(transcript: &mut Transcript<'_>) {
    walk::arguments(transcript, |arguments| {
        let Arguments::Json(text) = arguments else { return None };
        let sorted: BTreeMap<String, &RawValue> = serde_json::from_str(text).ok()?;
        let in_order: Vec<&String> = sorted.keys().collect();
        let members: Vec<String> =
            in_order.iter().map(|key| format!("{}:{}", quote(key), sorted[*key].get())).collect();
        Some(Arguments::Json(format!("{{{}}}", members.join(",")).into()))
    });
}

fn null_for_none(transcript: &mut Transcript<'_>) {
    walk::arguments(transcript, |arguments| match arguments {
        Arguments::Missing => Some(Arguments::Json("null".into())),
        _ => None,
    });
}

fn empty_what_is_encoded_twice(transcript: &mut Transcript<'_>) {
    walk::arguments(transcript, |arguments| match arguments {
        Arguments::Encoded(text) => {
            serde_json::from_str::<String>(text).is_ok_and(|inner| !inner.trim().is_empty()).then_some(NOTHING)
        }
        _ => None,
    });
}

fn empty_what_is_no_object(transcript: &mut Transcript<'_>) {
    let is_other = |text: &str| {
        serde_json::from_str::<Value>(text)
            .is_ok_and(|value| value.is_array() || value.is_number() || value.is_boolean())
    };
    walk::arguments(transcript, |arguments| match arguments {
        Arguments::Other(text) if is_other(text) => Some(NOTHING),
        Arguments::Encoded(text) if is_other(text) => Some(NOTHING),
        _ => None,
    });
}

fn blank_stays(transcript: &mut Transcript<'_>) {
    walk::arguments(transcript, |arguments| match arguments {
        Arguments::Encoded(text) if text.trim().is_empty() => Some(Arguments::Json("".into())),
        _ => None,
    });
}
