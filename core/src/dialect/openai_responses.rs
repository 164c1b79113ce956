//! `input` items of the OpenAI Responses API.

use super::spec::Spec;

pub(super) static SPEC: Spec = Spec { ..Spec::COMMON };
