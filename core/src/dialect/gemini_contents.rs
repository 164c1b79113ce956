//! `contents` of the Google Gemini API.

use super::spec::Spec;

pub(super) static SPEC: Spec = Spec { ..Spec::COMMON };
