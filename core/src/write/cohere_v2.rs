//! `messages` of the Cohere v2 chat API.

use super::Renderer;

pub(super) static RENDERER: Renderer = Renderer { render: super::openclaw::render, ..Renderer::COMMON };
