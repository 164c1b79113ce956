//! UI messages of the Vercel AI SDK.

use super::Renderer;

pub(super) static RENDERER: Renderer = Renderer { render: super::openclaw::render, ..Renderer::COMMON };
