//! Stored messages and parts of lossless-claw.

use super::spec::Spec;

pub(super) static SPEC: Spec = Spec { ..Spec::COMMON };
