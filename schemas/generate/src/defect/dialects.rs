//! Which dialects have what a defect breaks.

use crate::Dialect;
use crate::spell::{Documents, Pictures};

/// Every dialect.
pub(super) fn any(_: Dialect) -> bool {
    true
}

/// Those of conversations.
pub(super) fn conversation(dialect: Dialect) -> bool {
    !dialect.speller().carries.fragment
}

/// Those with calls and results.
pub(super) fn calls(dialect: Dialect) -> bool {
    conversation(dialect) && dialect.speller().carries.calls
}

/// Those whose results stand apart from their calls, so that they can stand in another order.
pub(super) fn apart(dialect: Dialect) -> bool {
    calls(dialect) && dialect.has_results_apart()
}

/// Those with results.
pub(super) fn results(dialect: Dialect) -> bool {
    calls(dialect) || !conversation(dialect)
}

/// Those whose calls have arguments, be there none to give.
pub(super) fn with_arguments(dialect: Dialect) -> bool {
    calls(dialect) && dialect.name() != "gemini.contents"
}

/// Those whose arguments are a string.
pub(super) fn text_arguments(dialect: Dialect) -> bool {
    matches!(
        dialect.name(),
        "canonical" | "openai.chat" | "openai.responses" | "mistral.chat" | "cohere.v2" | "lossless-claw"
    )
}

/// Those whose arguments are an object.
pub(super) fn object_arguments(dialect: Dialect) -> bool {
    calls(dialect) && !text_arguments(dialect)
}

/// Those whose results say whether they are errors. In UI messages the state of a part does.
pub(super) fn flagged(dialect: Dialect) -> bool {
    calls(dialect) && dialect.speller().carries.errors && dialect.name() != "ai-sdk.ui"
}

/// Those with pictures.
pub(super) fn images(dialect: Dialect) -> bool {
    dialect.speller().carries.pictures != Pictures::Nowhere
}

/// Those in which the user shows documents.
pub(super) fn documents(dialect: Dialect) -> bool {
    dialect.speller().carries.documents != Documents::Nowhere
}

/// The same, where base64 stands alone, and in one alphabet.
pub(super) fn document_fields(dialect: Dialect) -> bool {
    let others = ["openai.chat", "openai.responses", "ai-sdk.model", "ai-sdk.ui", "gemini.contents"];
    documents(dialect) && !others.contains(&dialect.name())
}

/// Those in which a picture says what it is.
pub(super) fn typed_images(dialect: Dialect) -> bool {
    images(dialect) && dialect.name() != "ollama.chat"
}

/// Those in which a picture has data and type, each in a field of its own.
pub(super) fn image_fields(dialect: Dialect) -> bool {
    let in_one = ["openai.chat", "openai.responses", "mistral.chat", "cohere.v2", "ai-sdk.model", "ai-sdk.ui"];
    typed_images(dialect) && !in_one.contains(&dialect.name())
}

/// Those whose results have the name of the tool.
pub(super) fn named_results(dialect: Dialect) -> bool {
    own(dialect)
}

/// The canonical dialect, and agent messages: theirs is the freest spelling.
pub(super) fn own(dialect: Dialect) -> bool {
    matches!(dialect, Dialect::Canonical | Dialect::OpenClaw)
}

/// The canonical dialect alone.
pub(super) fn canonical(dialect: Dialect) -> bool {
    dialect == Dialect::Canonical
}

/// A lone tool result of the Model Context Protocol.
pub(super) fn lone_result(dialect: Dialect) -> bool {
    dialect == Dialect::McpToolResult
}

/// Those that sign reasoning.
pub(super) fn signed(dialect: Dialect) -> bool {
    let unsigned = ["cohere.v2", "ollama.chat"];
    conversation(dialect) && dialect.speller().carries.thinking && !unsigned.contains(&dialect.name())
}
