//! Observers: read what a message list tells a model, and compare two of them.
//!
//! [`observe`] reads a document of any [`Dialect`](wirecanon_model::Dialect) into an [`Observation`]: the instructions, the turns
//! with their texts, media, calls and results, the tools. The observers share no code with the canonicalizer and none with the
//! checker, so a mistake of those cannot hide itself here.
#![forbid(unsafe_code)]
#![warn(missing_docs)]

mod ai_sdk;
mod ai_sdk_v4;
mod approvals;
mod builder;
mod compare;
mod describe;
mod dialects;
mod document;
mod equivalence;
mod listed;
mod mcp;
mod media;
mod observation;
mod reason;
mod settings;
mod tools;
mod unreadable;
mod wire;

pub use compare::{CompareOptions, Comparison, Difference, Quote, compare, compare_with, is_media_note, is_stand_in};
pub use describe::Line;
pub use dialects::{depends_on_reader, observe, observe_as_written, observe_for, provider_tools};
pub use equivalence::{Equivalence, Row};
pub use observation::{
    Arguments, Attribute, Call, Content, Item, Media, MediaKind, Observation, Provider, Reasoning, Resource,
    ResponseFormat, Setting, SettingContent, SettingKind, Source, Speaker, Tool, ToolChoice, ToolResult, Turn,
};
pub use reason::{Grade, Reason};
pub use unreadable::Unreadable;
