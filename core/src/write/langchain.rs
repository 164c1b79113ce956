//! Serialized messages of LangChain.

use super::Renderer;

pub(super) static RENDERER: Renderer = Renderer { render: super::openclaw::render, ..Renderer::COMMON };
