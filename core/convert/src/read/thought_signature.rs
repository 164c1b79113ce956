//! The signature that Gemini gives a call, where other dialects keep it: Gemini has it back as its own field.

use std::borrow::Cow;
use std::collections::HashMap;

use crate::dialects::gemini_contents::read::standard_base64;
use crate::dialects::langchain::read;
use wirecanon_json::{Json, Limits, Value, quote};
use wirecanon_model::Dialect;
use wirecanon_model::transcript::{Block, BlockKind, Message, Role};

/// The field of Gemini's part.
const OWN: &str = "thoughtSignature";

/// Names under which the AI SDK keeps what Google's providers say. Source: vercel/ai#11376.
const OF_AI_SDK: [&str; 2] = ["google", "vertex"];

/// Gives each call of a message, and each text of `LangChain`, the signature that its dialect keeps for Gemini.
pub(crate) fn carry<'a>(json: &'a Json<'a>, dialect: Dialect, wire: Value<'a>, message: &mut Message<'a>) {
    use Dialect::{AiSdkModel, AiSdkUi, Canonical, GeminiContents, LangChain, OpenAiChat, OpenClaw};
    if message.role != Role::Assistant || [Canonical, GeminiContents].contains(&dialect) {
        return;
    }
    if dialect == LangChain {
        sign_texts(json, wire, message);
    }
    if message.calls().next().is_none() {
        return;
    }
    let by_id = match dialect {
        LangChain => of_langchain(wire),
        OpenAiChat => of_openrouter(wire),
        _ => HashMap::new(),
    };
    let mut details = Vec::new();
    for block in &mut message.blocks {
        let (BlockKind::ToolCall(call), Some(source)) = (&block.kind, block.source) else { continue };
        let item = json.value(source);
        let beside = by_id.get(call.id.as_deref().unwrap_or_default()).copied();
        let kept = match dialect {
            AiSdkModel | AiSdkUi => of_ai_sdk(item),
            LangChain => beside,
            OpenAiChat => of_openai(item).or(beside),
            OpenClaw => of_openclaw(wire, item),
            _ => None,
        };
        let detail = item.get(OWN).filter(|_| dialect == OpenClaw).and_then(Detail::of);
        let signature = kept.and_then(Value::as_str).or_else(|| detail.as_ref()?.of_gemini.clone().map(Cow::Owned));
        let of_id = || call.id.as_deref().and_then(of_id).and_then(standard_base64);
        if let Some(signature) = signature.as_deref().and_then(standard_base64).or_else(of_id) {
            let native = block.native.get_or_insert_default();
            native.add(GeminiContents.name(), OWN, quote(&signature));
        }
        details.extend(detail.map(|detail| detail.text));
    }
    if !details.is_empty() {
        let native = message.native.get_or_insert_default();
        native.add(OpenAiChat.name(), DETAILS, format!("[{}]", details.join(",")));
    }
}

/// Where `OpenRouter` keeps reasoning, and what signs a call.
pub(crate) const DETAILS: &str = "reasoning_details";

/// What `OpenRouter` said of a call, whole as JSON text where the lineage keeps a signature. The lineage sends it back beside
/// the calls, where it came from (earendil-works/pi#260).
struct Detail {
    text: String,
    /// The signature in it, if it is Gemini's
    of_gemini: Option<String>,
}

impl Detail {
    fn of(kept: Value<'_>) -> Option<Self> {
        let text = kept.as_str().filter(|text| text.starts_with('{'))?;
        let json = Json::parse(&text, &Limits::default()).ok()?;
        let detail = json.root();
        let says = |key: &str, text: &str| detail.get(key).is_some_and(|value| value.is_str(text));
        let data = detail.get("data")?.as_str().filter(|_| says("type", "reasoning.encrypted"))?.into_owned();
        let of_gemini = says("format", "google-gemini-v1").then_some(data);
        Some(Self { text: detail.raw().to_owned(), of_gemini })
    }
}

fn of_ai_sdk(item: Value<'_>) -> Option<Value<'_>> {
    let fields = ["providerOptions", "callProviderMetadata", "providerMetadata"];
    let mut providers = fields.iter().filter_map(|key| item.get(key));
    providers.find_map(|fields| OF_AI_SDK.iter().find_map(|name| fields.get(name)?.get(OWN)))
}

/// Signatures that stand beside the calls, by the ids of their calls.
type ById<'a> = HashMap<Cow<'a, str>, Value<'a>>;

/// Source: langchain-ai/langchain-google#1025.
fn of_langchain(wire: Value<'_>) -> ById<'_> {
    let kept = read::shape(wire)
        .and_then(|shape| shape.holder.get("additional_kwargs")?.get("__gemini_function_call_thought_signatures__"));
    let beside = kept.into_iter().flat_map(Value::members).filter_map(|(id, kept)| Some((id.as_str()?, kept)));
    let blocks = langchain_blocks(wire)
        .filter_map(|block| Some((crate::dialects::langchain::calls::twin(block)?, extra_signature(block)?)));
    blocks.chain(beside).collect()
}

/// Returns the content blocks of a message of `LangChain` that Google's API may have signed.
fn langchain_blocks(wire: Value<'_>) -> impl Iterator<Item = Value<'_>> {
    let holder = read::shape(wire).map(|shape| shape.holder);
    let provider = holder.and_then(|holder| holder.get("response_metadata")?.get("model_provider")?.as_str());
    let is_google = provider.is_none_or(|provider| provider.starts_with("google"));
    holder.filter(|_| is_google).and_then(|holder| holder.get("content")).into_iter().flat_map(Value::items)
}

/// Returns the signature of a standard content block of `LangChain` (langchain-ai/langchainjs#11180).
fn extra_signature(block: Value<'_>) -> Option<Value<'_>> {
    block.get("extras")?.get("signature").filter(|signature| signature.is_string())
}

/// Gives each text of `LangChain` its signature.
fn sign_texts<'a>(json: &'a Json<'a>, wire: Value<'a>, message: &mut Message<'a>) {
    let signed: HashMap<u32, Value<'a>> =
        langchain_blocks(wire).filter_map(|block| Some((block.index(), extra_signature(block)?))).collect();
    if signed.is_empty() {
        return;
    }
    for block in message.blocks.iter_mut().filter(|block| block.is_text()) {
        let signature = block.source.and_then(|source| signed.get(&json.value(source).index())?.as_str());
        if let Some(signature) = signature.as_deref().and_then(standard_base64) {
            block.native.get_or_insert_default().add(Dialect::GeminiContents.name(), OWN, quote(&signature));
        }
    }
}

/// Google's own endpoints of Chat Completions (the one of Vertex AI names itself; earendil-works/pi#6733), `LiteLLM`, and
/// gateways that keep it flat on the call (ENTERPILOT/GoModel#893).
fn of_openai(call: Value<'_>) -> Option<Value<'_>> {
    const NAME: &str = "thought_signature";
    let extra = call.get("extra_content");
    let own = extra.and_then(|extra| ["google", "vertex"].iter().find_map(|name| extra.get(name)?.get(NAME)));
    let holders = || [Some(call), call.get("function")].into_iter().flatten();
    own.or_else(|| holders().find_map(|holder| holder.get("provider_specific_fields")?.get(NAME)))
        .or_else(|| holders().find_map(|holder| holder.get(NAME)))
}

/// `LiteLLM` puts it behind the id of its call, because few programs keep anything else (BerriAI/litellm#16895). With the
/// id it gets into every dialect.
fn of_id(id: &str) -> Option<&str> {
    const MARK: &str = "__thought__";
    // Ids are short, and hardly any has it: to prepare a search takes longer than to look at each place.
    let at = id.as_bytes().windows(MARK.len()).position(|part| part == MARK.as_bytes())?;
    Some(&id[at + MARK.len()..]).filter(|signature| !signature.is_empty())
}

/// `OpenRouter` keeps it beside the calls, under the id of its call. Source: earendil-works/pi#260.
fn of_openrouter(wire: Value<'_>) -> ById<'_> {
    let of_call = |detail: Value<'_>| {
        let says = |key: &str, text: &str| detail.get(key).is_some_and(|value| value.is_str(text));
        says("type", "reasoning.encrypted") && says("format", "google-gemini-v1")
    };
    let details = wire.get("reasoning_details").into_iter().flat_map(Value::items).filter(|detail| of_call(*detail));
    details.filter_map(|detail| Some((detail.get("id")?.as_str()?, detail.get("data")?))).collect()
}

/// The lineage keeps what any provider gave under this name; only Google's is Gemini's.
fn of_openclaw<'a>(wire: Value<'a>, item: Value<'a>) -> Option<Value<'a>> {
    let is_google = |key: &str| wire.get(key).and_then(Value::as_str).is_some_and(|name| name.starts_with("google"));
    item.get(OWN).filter(|_| is_google("api") || is_google("provider"))
}

/// Returns whether the value of a field of another dialect holds nothing but the signature that goes along.
pub(crate) fn is_told(block: &Block<'_>, kept: &str) -> bool {
    let (BlockKind::ToolCall(_) | BlockKind::Text(_), Some(native)) = (&block.kind, &block.native) else {
        return false;
    };
    let Some(own) = native.get(Dialect::GeminiContents.name(), OWN) else { return false };
    Json::parse(kept, &Limits::default()).is_ok_and(|json| {
        let mut value = json.root();
        while let (Some((_, inner)), 1) = (value.members().next(), value.members().take(2).count()) {
            value = inner;
        }
        value.raw() == own
            || Detail::of(value).and_then(|detail| detail.of_gemini).is_some_and(|seal| quote(&seal) == *own)
    })
}

/// Whether a field of the lineage is one of the details that stand on its message then.
pub(crate) fn is_detail(block: &Block<'_>, key: &str) -> bool {
    let kept = block.native_field(Dialect::OpenClaw.name(), key).filter(|_| key == OWN);
    kept.is_some_and(|kept| Json::parse(kept, &Limits::default()).is_ok_and(|json| Detail::of(json.root()).is_some()))
}
