//! Serialized messages of LangChain.

use super::spec::Spec;

pub(super) static SPEC: Spec = Spec { ..Spec::COMMON };
