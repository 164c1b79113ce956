//! `messages` of the AWS Bedrock Converse API, in its JSON form.

use super::spec::Spec;

pub(super) static SPEC: Spec = Spec { ..Spec::COMMON };
