//! `input` items of the OpenAI Responses API.

use super::Renderer;

pub(super) static RENDERER: Renderer = Renderer { render: super::openclaw::render, ..Renderer::COMMON };
