//! `messages` of the Mistral chat API.

use super::spec::Spec;

pub(super) static SPEC: Spec = Spec { ..Spec::COMMON };
