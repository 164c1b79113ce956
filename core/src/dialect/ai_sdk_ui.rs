//! UI messages of the Vercel AI SDK.

use super::spec::Spec;

pub(super) static SPEC: Spec = Spec { ..Spec::COMMON };
