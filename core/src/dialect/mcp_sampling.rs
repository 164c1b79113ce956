//! The parameters of a `CreateMessageRequest` of the Model Context Protocol.

use super::spec::Spec;

pub(super) static SPEC: Spec = Spec { ..Spec::COMMON };
