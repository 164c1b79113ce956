//! One observer for each dialect. None of them uses another part of wirecanon than its JSON layer and the names of dialects.

use wirecanon_json::{Json, Value};
use wirecanon_model::{Dialect, for_each_dialect};

use crate::builder::Builder;
use crate::observation::{Item, Observation, Speaker, Tool};
use crate::tools;
use crate::unreadable::Read;

/// Reads a document of one dialect.
type Observer = for<'a, 'b> fn(&'b mut Builder<'a>, Value<'a>) -> Read<()>;

/// Reads one block or item of one dialect, as a turn of this speaker holds it ([`Speaker::Tool`]: as a tool result holds it).
type ItemObserver = for<'a> fn(Value<'a>, Speaker) -> Read<Vec<Item<'a>>>;

macro_rules! observers {
    ($($(#[$doc:meta])+ $variant:ident = $name:literal, $stem:ident;)+) => {
        $(pub(crate) mod $stem;)+

        /// The observer of each dialect, in the order of [`Dialect::ALL`].
        static OBSERVERS: [Observer; Dialect::COUNT] = [$($stem::observe),+];

        /// The reader of single items of each dialect, in the order of [`Dialect::ALL`].
        static ITEMS: [ItemObserver; Dialect::COUNT] = [$($stem::items),+];
    };
}

for_each_dialect!(observers);

/// Reads a document as the conversation that it tells a model.
///
/// The document is a message list, a request, one message, a provider's response, or JSON Lines of messages. Linear in the
/// document.
///
/// ```
/// use wirecanon_json::{Json, Limits};
/// use wirecanon_model::Dialect;
/// use wirecanon_observe::{Content, observe};
///
/// let text = r#"{"system":"Be brief.","messages":[{"role":"user","content":"hi"}]}"#;
/// let json = Json::parse(text, &Limits::default())?;
/// let observation = observe(&json, Dialect::AnthropicMessages)?;
/// assert!(matches!(&observation.instructions[0].content, Content::Text(text) if text == "Be brief."));
/// assert_eq!(observation.turns.len(), 1);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Errors
///
/// [`Unreadable`](crate::Unreadable): the document has a block, a role or a field that the dialect does not have.
pub fn observe<'a>(json: &'a Json<'a>, dialect: Dialect) -> Read<Observation<'a>> {
    observe_for(json, dialect, dialect)
}

/// Reads a document as [`observe`] does, for a comparison with documents of the dialect `reader`.
///
/// A canonical transcript holds items that only one dialect knows. Where that dialect is the reader, they are read as it reads
/// them; for all other readers they stay [`Content::Provider`](crate::Content::Provider).
///
/// # Errors
///
/// As [`observe`].
///
/// ```
/// use wirecanon_json::{Json, Limits};
/// use wirecanon_model::Dialect;
/// use wirecanon_observe::{Content, observe_for};
///
/// let text = r#"{"messages":[{"role":"user","content":[
///     {"type":"opaque","dialect":"anthropic.messages","value":{"type":"container_upload","file_id":"f1"}}]}]}"#;
/// let json = Json::parse(text, &Limits::default())?;
/// let observation = observe_for(&json, Dialect::Canonical, Dialect::AnthropicMessages)?;
/// assert!(matches!(&observation.turns[0].items[0].content, Content::Provider(item) if item.kind == "container_upload"));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn observe_for<'a>(json: &'a Json<'a>, dialect: Dialect, reader: Dialect) -> Read<Observation<'a>> {
    let mut builder = Builder::new(dialect, reader, json.root());
    OBSERVERS[dialect as usize](&mut builder, json.root())?;
    tools::elsewhere(&mut builder, json.root(), dialect);
    Ok(builder.finish())
}

/// Reads the messages of a document as they are written: nothing is paired, settled or left out, and no definition of a tool is read.
///
/// # Errors
///
/// As [`observe`].
///
/// ```
/// use wirecanon_json::{Json, Limits};
/// use wirecanon_model::Dialect;
/// use wirecanon_observe::{observe, observe_as_written};
///
/// let text = r#"{"tools":[7],"messages":[{"role":"user","content":"hi"}]}"#;
/// let json = Json::parse(text, &Limits::default())?;
/// assert_eq!(observe_as_written(&json, Dialect::OpenAiChat)?.turns.len(), 1);
/// assert!(observe(&json, Dialect::OpenAiChat).is_err());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn observe_as_written<'a>(json: &'a Json<'a>, dialect: Dialect) -> Read<Observation<'a>> {
    let mut builder = Builder::new(dialect, dialect, json.root()).without_tools();
    OBSERVERS[dialect as usize](&mut builder, json.root())?;
    Ok(builder.into_written())
}

/// Reads the definitions of tools that the provider runs or knows by their type, also where a message cannot be read.
///
/// ```
/// use wirecanon_json::{Json, Limits};
/// use wirecanon_model::Dialect;
/// use wirecanon_observe::provider_tools;
///
/// let text = r#"{"tools":[{"type":"web_search_20250305","name":"web_search"},{"name":"f"}],"messages":[7]}"#;
/// let json = Json::parse(text, &Limits::default())?;
/// let tools = provider_tools(&json, Dialect::AnthropicMessages);
/// assert_eq!(tools.iter().map(|tool| &*tool.name).collect::<Vec<_>>(), ["web_search"]);
/// # Ok::<(), wirecanon_json::Error>(())
/// ```
pub fn provider_tools<'a>(json: &'a Json<'a>, dialect: Dialect) -> Vec<Tool<'a>> {
    let mut builder = Builder::new(dialect, dialect, json.root());
    // Tools are read first, so a message that cannot be read hides none.
    let _ = OBSERVERS[dialect as usize](&mut builder, json.root());
    let tools = builder.into_written().tools;
    tools.into_iter().filter(|tool| tool.provider_type.is_some()).collect()
}

/// Returns whether [`observe_for`] may read a document in another way for another reader.
///
/// ```
/// use wirecanon_json::{Json, Limits};
/// use wirecanon_model::Dialect;
/// use wirecanon_observe::depends_on_reader;
///
/// let text = r#"[{"role":"user","content":[{"type":"opaque","dialect":"cohere.v2","value":{}}]}]"#;
/// let json = Json::parse(text, &Limits::default())?;
/// assert!(depends_on_reader(&json, Dialect::Canonical));
/// assert!(!depends_on_reader(&json, Dialect::OpenAiChat));
/// # Ok::<(), wirecanon_json::Error>(())
/// ```
pub fn depends_on_reader(json: &Json<'_>, dialect: Dialect) -> bool {
    dialect == Dialect::Canonical && canonical::depends_on_reader(json)
}

/// Reads one block or item of a dialect, as a turn of this speaker holds it.
pub(crate) fn items_of(dialect: Dialect, value: Value<'_>, speaker: Speaker) -> Read<Vec<Item<'_>>> {
    ITEMS[dialect as usize](value, speaker)
}
