//! The schemas, by name.

/// One JSON Schema (2020-12) of this crate.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Schema {
    /// What `wirecanon schema NAME` calls it
    pub id: &'static str,
    /// What it describes, in words
    pub title: &'static str,
    /// The dialect whose messages it describes; none for the formats of this project
    pub dialect: Option<&'static str>,
    /// The revision of that dialect, where it has several
    pub revision: Option<&'static str>,
    /// Its JSON text
    pub text: &'static str,
}

/// Every schema, in the order of the documentation.
pub const ALL: &[Schema] = &[
    Schema {
        id: "wirecanon/case",
        title: "A case of the corpus",
        dialect: None,
        revision: None,
        text: include_str!("../wirecanon/case.json"),
    },
    Schema {
        id: "wirecanon/report",
        title: "What `fix --report` writes",
        dialect: None,
        revision: None,
        text: include_str!("../wirecanon/report.json"),
    },
    Schema {
        id: "wirecanon/check",
        title: "What `check --format json` writes",
        dialect: None,
        revision: None,
        text: include_str!("../wirecanon/check.json"),
    },
    Schema {
        id: "wirecanon/test",
        title: "What `test --format json` writes",
        dialect: None,
        revision: None,
        text: include_str!("../wirecanon/test.json"),
    },
    // Model providers
    Schema {
        id: "anthropic/messages",
        title: "Messages of the Anthropic Messages API",
        dialect: Some("anthropic.messages"),
        revision: None,
        text: include_str!("../anthropic/messages.json"),
    },
    Schema {
        id: "openai/chat",
        title: "Messages of the OpenAI Chat Completions API",
        dialect: Some("openai.chat"),
        revision: None,
        text: include_str!("../openai/chat.json"),
    },
    Schema {
        id: "openai/responses",
        title: "Input items of the OpenAI Responses API",
        dialect: Some("openai.responses"),
        revision: None,
        text: include_str!("../openai/responses.json"),
    },
    Schema {
        id: "gemini/contents",
        title: "Contents of the Gemini API",
        dialect: Some("gemini.contents"),
        revision: None,
        text: include_str!("../gemini/contents.json"),
    },
    Schema {
        id: "bedrock/converse",
        title: "Messages of the Amazon Bedrock Converse API",
        dialect: Some("bedrock.converse"),
        revision: None,
        text: include_str!("../bedrock/converse.json"),
    },
    Schema {
        id: "mistral/chat",
        title: "Messages of the Mistral chat API",
        dialect: Some("mistral.chat"),
        revision: None,
        text: include_str!("../mistral/chat.json"),
    },
    Schema {
        id: "cohere/v2",
        title: "Messages of the Cohere chat API, version 2",
        dialect: Some("cohere.v2"),
        revision: None,
        text: include_str!("../cohere/v2.json"),
    },
    Schema {
        id: "ollama/chat",
        title: "Messages of the native Ollama chat API",
        dialect: Some("ollama.chat"),
        revision: None,
        text: include_str!("../ollama/chat.json"),
    },
];

/// The schema with this id.
pub fn by_id(id: &str) -> Option<&'static Schema> {
    ALL.iter().find(|schema| schema.id == id)
}

/// The schemas of a dialect, the oldest revision first; the last one is what is meant where none is named.
pub fn of_dialect(dialect: &str) -> impl Iterator<Item = &'static Schema> {
    ALL.iter().filter(move |schema| schema.dialect == Some(dialect))
}
