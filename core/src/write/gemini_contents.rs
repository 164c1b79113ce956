//! `contents` of the Google Gemini API.

use super::Renderer;

pub(super) static RENDERER: Renderer = Renderer { render: super::openclaw::render, ..Renderer::COMMON };
