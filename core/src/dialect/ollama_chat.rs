//! `messages` of Ollama's own chat API.

use super::spec::Spec;

pub(super) static SPEC: Spec = Spec { ..Spec::COMMON };
