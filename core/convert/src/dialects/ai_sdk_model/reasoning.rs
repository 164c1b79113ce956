//! Reasoning in the Vercel AI SDK: what a provider signed stands in a field under the provider's name.

use std::borrow::Cow;
use std::collections::HashSet;

use crate::media;
use crate::read::thinking::unsigned;
use wirecanon_json::{Json, Limits, Value};
use wirecanon_model::Dialect;
use wirecanon_model::transcript::{Block, BlockKind, Thinking};

/// Where the SDK keeps what a provider signed: the provider's dialect, its name in the SDK, the field of a signature, and
/// that of sealed reasoning. Source: npm:@ai-sdk/anthropic, npm:@ai-sdk/amazon-bedrock@4.0.186, npm:@ai-sdk/google@3.0.141,
/// npm:@ai-sdk/openai@3.0.141, each where it converts messages.
const SIGNERS: [(Dialect, &str, &str, &str); 4] = [
    (Dialect::AnthropicMessages, "anthropic", "signature", "redactedData"),
    (Dialect::BedrockConverse, "bedrock", "signature", "redactedData"),
    (Dialect::GeminiContents, "google", "thoughtSignature", "thoughtSignature"),
    (Dialect::OpenAiResponses, "openai", "reasoningEncryptedContent", "reasoningEncryptedContent"),
];

/// The provider that signed this and the field for it; what nobody is known to have signed is Anthropic's.
pub(crate) fn signed_for(thinking: &Thinking<'_>) -> Option<(&'static str, &'static str)> {
    let dialect =
        thinking.origin.as_deref().map_or("anthropic.messages", |origin| origin.split('/').next().unwrap_or(origin));
    let (_, provider, signature, sealed) = SIGNERS.iter().find(|(signer, ..)| signer.name() == dialect)?;
    Some((provider, if thinking.redacted { sealed } else { signature }))
}

/// Reasoning with what its provider signed.
pub(crate) fn signed<'a>(dialect: Dialect, text: Cow<'a, str>, options: Option<Value<'a>>) -> Thinking<'a> {
    let blank = text.trim().is_empty();
    let by = |(signer, provider, signature, sealed): &(Dialect, &str, &str, &str)| {
        let fields = options?.get(provider)?;
        let filled = |key: &str| fields.get(key).and_then(Value::as_str).filter(|text| !text.trim().is_empty());
        // Words beside a seal would have no place.
        let seal = || filled(sealed).filter(|_| blank && sealed != signature);
        let (redacted, signature) = filled(signature).map_or_else(|| (true, seal()), |found| (false, Some(found)));
        let is_own = |text: &Cow<'a, str>| *signer != Dialect::GeminiContents || media::is_canonical(text);
        Some((signer.name(), redacted, signature.filter(is_own)?))
    };
    match SIGNERS.iter().find_map(by) {
        Some((origin, redacted, signature)) => {
            Thinking { text, signature: Some(signature), redacted, origin: Some(Cow::Borrowed(origin)) }
        }
        None => unsigned(text, dialect),
    }
}

/// Whether a field of reasoning in the Vercel AI SDK holds nothing but what its provider signed, which was read.
pub(crate) fn is_the_seal(block: &Block<'_>, key: &str, from: Dialect) -> bool {
    let (BlockKind::Thinking(thinking), Some(native)) = (&block.kind, &block.native) else { return false };
    [(Dialect::AiSdkModel, "providerOptions"), (Dialect::AiSdkUi, "providerMetadata")].iter().any(|(dialect, name)| {
        let raw = native.get(dialect.name(), name).filter(|_| key == *name);
        let seal = raw.and_then(|raw| only_seal(thinking, raw));
        // What was read and is not here any more is in the report already, or stands in the part before.
        seal.is_some_and(|seal| thinking.signature.as_deref().map_or(from == *dialect, |known| known == seal))
    })
}

/// What was signed, where the fields of providers hold nothing else.
fn only_seal(thinking: &Thinking<'_>, options: &str) -> Option<String> {
    let json = Json::parse(options, &Limits::default()).ok()?;
    let mut providers = json.root().members();
    let ((_, fields), None) = (providers.next()?, providers.next()) else { return None };
    if fields.members().count() != 1 {
        return None;
    }
    let text = Cow::Borrowed(&*thinking.text);
    signed(Dialect::AiSdkModel, text, Some(json.root())).signature.map(Cow::into_owned)
}

/// The signatures of one turn. Several parts can be one item of `OpenAI`, whose signature each of them repeats: it goes with the
/// first.
#[derive(Default)]
pub(crate) struct Signatures<'a>(HashSet<Cow<'a, str>>);

impl<'a> Signatures<'a> {
    /// Adds the signature of a block; false if there was the same one before.
    pub(crate) fn add(&mut self, block: &Block<'a>) -> bool {
        match &block.kind {
            BlockKind::Thinking(thinking) => {
                thinking.signature.clone().is_none_or(|signature| self.0.insert(signature))
            }
            _ => true,
        }
    }

    /// Adds the signature of a block, and takes it off the block if it is that of an item of `OpenAI` that went with another.
    pub(crate) fn add_once(&mut self, block: &mut Block<'a>, dialect: Dialect) {
        let is_new = self.add(block);
        let BlockKind::Thinking(thinking) = &mut block.kind else { return };
        if !is_new && thinking.origin.as_deref() == Some(Dialect::OpenAiResponses.name()) {
            thinking.signature = None;
            thinking.origin = Some(Cow::Borrowed(dialect.name()));
        }
    }
}
