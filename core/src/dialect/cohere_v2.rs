//! `messages` of the Cohere v2 chat API.

use super::spec::Spec;

pub(super) static SPEC: Spec = Spec { ..Spec::COMMON };
