//! Messages of typed parts, as OpenViking stores them.

use super::spec::Spec;

pub(super) static SPEC: Spec = Spec { ..Spec::COMMON };
