//! `messages` of the AWS Bedrock Converse API, in its JSON form.

use super::Renderer;

pub(super) static RENDERER: Renderer = Renderer { render: super::openclaw::render, ..Renderer::COMMON };
