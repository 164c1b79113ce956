//! Who signed reasoning, where the program that stored it says so. What a provider signed goes back to that provider alone.

use std::borrow::Cow;

use crate::dialects::gemini_contents::read::standard_base64;
use crate::read::is_media_of_results;
use crate::read::reader::Reader;
use wirecanon_json::{Json, Limits, Value, quote};
use wirecanon_model::Dialect;
use wirecanon_model::transcript::{Block, BlockKind, Message, Native, Role, Thinking};

/// In place of a signature, programs keep the name of the member in which a server that signs nothing gave the reasoning.
/// Source: openclaw/openclaw#91205.
const MEMBERS: &[&str] = &["reasoning_content", "reasoning", "reasoning_text"];

/// Whether no provider has signed this.
pub(crate) fn is_unsigned(thinking: &Thinking<'_>) -> bool {
    thinking.signature.as_deref().is_none_or(|seal| MEMBERS.contains(&seal))
}

/// The API and the provider that a turn of the OpenClaw lineage names, and the dialect of what they signed.
const OF_OPENCLAW: &[(&str, &str, Dialect)] = &[
    ("anthropic-messages", "anthropic", Dialect::AnthropicMessages),
    ("bedrock-converse-stream", "amazon-bedrock", Dialect::BedrockConverse),
    ("google-generative-ai", "google", Dialect::GeminiContents),
    ("openai-responses", "openai", Dialect::OpenAiResponses),
    ("openai-codex-responses", "openai-codex", Dialect::OpenAiResponses),
];

/// Says of the reasoning since the user last spoke whose it is, by what its turn names. Older signatures stay the
/// program's: providers refuse them once the model or the history has changed (openclaw/openclaw#95052, #95627), and ask
/// for none of them.
pub(crate) fn of_openclaw(cx: &mut Reader<'_, '_>) {
    let spoke = |message: &Message<'_>| message.role == Role::User && !is_media_of_results(message);
    let from = cx.messages.iter().rposition(spoke).unwrap_or_default();
    let json = cx.json;
    for message in cx.messages[from..].iter_mut().filter(|message| message.role == Role::Assistant) {
        let Some(wire) = message.source.map(|source| json.value(source)) else { continue };
        let names = |key: &str, name: &str| wire.get(key).is_some_and(|value| value.is_str(name));
        let signer = OF_OPENCLAW.iter().find(|(api, provider, _)| names("api", api) && names("provider", provider));
        if let Some((.., signer)) = signer {
            sign(message, *signer, Dialect::OpenClaw);
        }
    }
}

/// What a turn of the OpenClaw lineage must name so that signed reasoning of it goes back to whoever signed it: the API, and
/// the provider.
pub(crate) fn names_of_openclaw(message: &Message<'_>) -> Option<(&'static str, &'static str)> {
    let signer = message.blocks.iter().find_map(|block| match &block.kind {
        BlockKind::Thinking(thinking) if !is_unsigned(thinking) => thinking.origin.as_deref(),
        _ => None,
    })?;
    OF_OPENCLAW.iter().find(|(.., known)| known.name() == signer).map(|(api, provider, _)| (*api, *provider))
}

/// What LangChain calls providers (`model_provider`), and the dialect of what they signed.
const OF_LANGCHAIN: &[(&str, Dialect)] = &[
    ("anthropic", Dialect::AnthropicMessages),
    ("bedrock_converse", Dialect::BedrockConverse),
    ("google_genai", Dialect::GeminiContents),
];

/// Says whose the reasoning of a message is, by what it says of its response.
pub(crate) fn of_langchain(message: &mut Message<'_>, holder: Value<'_>) {
    let provider = holder.get("response_metadata").and_then(|metadata| metadata.get("model_provider"));
    let Some(provider) = provider else { return };
    if let Some((_, signer)) = OF_LANGCHAIN.iter().find(|(name, _)| provider.is_str(name)) {
        sign(message, *signer, Dialect::LangChain);
    }
}

fn sign(message: &mut Message<'_>, signer: Dialect, keeper: Dialect) {
    for block in &mut message.blocks {
        let BlockKind::Thinking(thinking) = &mut block.kind else { continue };
        if is_unsigned(thinking) || thinking.origin.as_deref() != Some(keeper.name()) {
            continue;
        }
        let seal = thinking.signature.as_deref().unwrap_or_default();
        match signer {
            Dialect::GeminiContents if standard_base64(seal).is_none() => {}
            Dialect::OpenAiResponses => open_item(block, keeper),
            _ => thinking.origin = Some(Cow::Borrowed(signer.name())),
        }
    }
}

/// What stands in place of a signature of OpenAI is its whole item of reasoning, as JSON text.
fn open_item(block: &mut Block<'_>, keeper: Dialect) {
    let BlockKind::Thinking(thinking) = &mut block.kind else { return };
    let Some(text) = thinking.signature.as_deref() else { return };
    let Ok(json) = Json::parse(text, &Limits::default()) else { return };
    let item = json.root();
    if !item.get("type").is_some_and(|kind| kind.is_str("reasoning")) {
        return;
    }
    let seal = item.get("encrypted_content").and_then(Value::as_str).filter(|seal| !seal.trim().is_empty());
    let seal = seal.map(|seal| Cow::Owned(seal.into_owned()));
    let members = item.members().filter(|(key, _)| !key.is_str("encrypted_content") && !key.is_str("type"));
    let members = members.map(|(key, value)| {
        (Cow::Owned(key.as_str().unwrap_or_default().into_owned()), Cow::Owned(value.raw().to_owned()))
    });
    let native = block.native.get_or_insert_default();
    native.add(keeper.name(), KEPT, quote(text));
    native.add_all(Dialect::OpenAiResponses.name(), members);
    thinking.signature = seal;
    thinking.origin = Some(Cow::Borrowed(Dialect::OpenAiResponses.name()));
}

/// Under which name the OpenClaw lineage keeps what was signed.
pub(crate) const KEPT: &str = "thinkingSignature";

/// A signature that a gateway put beside the one string of reasoning, as a field of the dialect whose it is: `LiteLLM`'s
/// `thinking_blocks` and `OpenRouter`'s `reasoning_details` say it of these very words.
pub(crate) fn beside_words<'a>(wire: Value<'a>, words: &str) -> Option<Box<Native<'a>>> {
    let one = |key: &str, kind: &str, text: &str| {
        let mut blocks = wire.get(key)?.items();
        let block = blocks.next().filter(|_| blocks.next().is_none())?;
        let is_it = block.get("type")?.is_str(kind) && *block.get(text)?.as_str()? == *words;
        is_it.then_some(block)
    };
    let block = one("thinking_blocks", "thinking", "thinking").or_else(|| {
        one("reasoning_details", "reasoning.text", "text")
            .filter(|block| block.get("format").is_some_and(|format| format.is_str("anthropic-claude-v1")))
    })?;
    let signature = block.get("signature").filter(|seal| seal.as_str().is_some_and(|seal| !seal.trim().is_empty()))?;
    let mut native = Native::default();
    native.add(Dialect::AnthropicMessages.name(), SIGNATURE, signature.raw());
    Some(Box::new(native))
}

/// The field of a signature that stands beside words of another dialect.
const SIGNATURE: &str = "signature";

/// Puts a signature that stood beside the words to them, where they go to who made it.
pub(crate) fn put_together(block: &mut Block<'_>, target: Dialect) {
    if target != Dialect::AnthropicMessages {
        return;
    }
    let (BlockKind::Thinking(thinking), Some(native)) = (&mut block.kind, &mut block.native) else { return };
    let seal = native
        .get(target.name(), SIGNATURE)
        .and_then(|raw| Some(Json::parse(raw, &Limits::default()).ok()?.root().as_str()?.into_owned()));
    let (Some(seal), None) = (seal, &thinking.signature) else { return };
    thinking.signature = Some(Cow::Owned(seal));
    thinking.origin = Some(Cow::Borrowed(target.name()));
    native.remove(target.name(), SIGNATURE);
    block.dirty = true;
}
