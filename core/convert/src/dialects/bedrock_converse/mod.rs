//! `bedrock.converse`: `messages` of the AWS Bedrock Converse API, in its JSON form.

pub(crate) mod block;
pub(crate) mod media;
pub(crate) mod read;
pub(crate) mod shape;
pub(crate) mod write;
