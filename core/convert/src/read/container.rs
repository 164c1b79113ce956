//! Where the messages stand: in a request body, in a list, alone, one a line.

use crate::dialects::Described as _;
use crate::dialects::openclaw::lineage;
use crate::read::definitions;
use crate::read::reader::Reader;
use crate::read::spec::Spec;
use wirecanon_json::{Items, Json, Value, position};
use wirecanon_model::transcript::{Container, Role};
use wirecanon_model::{Dialect, Error, ErrorKind};

/// The parts of a text that hold a transcript.
///
/// ```
/// use wirecanon_core::Dialect;
/// use wirecanon_core::dialect::layout;
/// use wirecanon_core::json::{Json, Limits};
///
/// let body = r#"{"system":"Be brief.","messages":[{"role":"user","content":"hi"}],"tools":[]}"#;
/// let json = Json::parse(body, &Limits::default())?;
/// let layout = layout(&json, Dialect::AnthropicMessages)?;
/// assert!(layout.system.is_some_and(|system| system.is_str("Be brief.")));
/// assert!(layout.tools.is_some() && !layout.is_fragment);
/// # Ok::<(), wirecanon_core::Error>(())
/// ```
#[derive(Debug)]
pub struct Layout<'a> {
    /// What the messages stand in
    pub container: Container,
    /// The messages
    pub messages: Messages<'a>,
    /// System text beside the list
    pub system: Option<Value<'a>>,
    /// Tool definitions beside the list
    pub tools: Option<Value<'a>>,
    /// A lone canonical result without an id
    pub is_fragment: bool,
}

/// The wire messages of a text, in order.
///
/// ```
/// use wirecanon_core::Dialect;
/// use wirecanon_core::dialect::layout;
/// use wirecanon_core::json::{Json, Limits};
///
/// let json = Json::parse(r#"[{"role":"user","content":"hi"}]"#, &Limits::default())?;
/// for message in layout(&json, Dialect::OpenAiChat)?.messages {
///     assert!(message.get("role").is_some_and(|role| role.is_str("user")));
/// }
/// # Ok::<(), wirecanon_core::Error>(())
/// ```
#[derive(Clone, Debug)]
pub enum Messages<'a> {
    /// One
    One(Option<Value<'a>>),
    /// The items of a list
    List(Items<'a>),
}

impl<'a> Iterator for Messages<'a> {
    type Item = Value<'a>;

    fn next(&mut self) -> Option<Value<'a>> {
        match self {
            Self::One(message) => message.take(),
            Self::List(items) => items.next(),
        }
    }
}

/// Finds the messages of a dialect in a text.
///
/// # Errors
///
/// There are none: the error says what stands there instead, and where.
///
/// ```
/// use wirecanon_core::Dialect;
/// use wirecanon_core::dialect::layout;
/// use wirecanon_core::json::{Json, Limits};
///
/// let json = Json::parse(r#"{"contents":[{"role":"user","parts":[{"text":"hi"}]}]}"#, &Limits::default())?;
/// assert_eq!(layout(&json, Dialect::GeminiContents)?.messages.count(), 1);
/// assert!(layout(&json, Dialect::OpenAiChat).is_err());
/// # Ok::<(), wirecanon_core::Error>(())
/// ```
pub fn layout<'a>(json: &'a Json<'a>, dialect: Dialect) -> Result<Layout<'a>, Error> {
    (dialect.spec().layout)(json, dialect)
}

/// Returns true for what a provider answered: a turn, and members around it that no request has.
///
/// ```
/// use wirecanon_core::Dialect;
/// use wirecanon_core::dialect::is_response;
/// use wirecanon_core::json::{Json, Limits};
///
/// let json = Json::parse(r#"{"done":true,"message":{"role":"assistant","content":"hi"}}"#, &Limits::default())?;
/// assert!(is_response(&json, Dialect::OllamaChat));
/// # Ok::<(), wirecanon_core::Error>(())
/// ```
pub fn is_response(json: &Json<'_>, dialect: Dialect) -> bool {
    layout(json, dialect).is_ok_and(|layout| layout.container == Container::Response)
}

/// The messages of a conversation: in a request body, in a list, alone, one a line, in a response.
pub(crate) fn conversation<'a>(json: &'a Json<'a>, dialect: Dialect) -> Result<Layout<'a>, Error> {
    conversation_in(json, json.root(), dialect)
}

/// The same, alone or under one of these keys of a JSON-RPC message.
pub(crate) fn in_rpc<'a>(
    json: &'a Json<'a>,
    dialect: Dialect,
    keys: &[&str],
    what: &'static str,
) -> Result<Layout<'a>, Error> {
    let root = json.root();
    if root.get("jsonrpc").is_none() {
        return conversation_in(json, root, dialect);
    }
    match keys.iter().find_map(|key| root.get(key)) {
        Some(inner) if inner.is_object() => conversation_in(json, inner, dialect),
        _ => Err(not_a_transcript(root, what)),
    }
}

/// The same, in a part of the document.
pub(crate) fn conversation_in<'a>(json: &'a Json<'a>, root: Value<'a>, dialect: Dialect) -> Result<Layout<'a>, Error> {
    let spec = dialect.spec();
    if json.is_lines() {
        let holds_a_list =
            |line: Value<'_>| dialect.list_keys().iter().any(|key| line.get(key).is_some_and(Value::is_array));
        if let Some(line) = root.items().find(|line| holds_a_list(*line)) {
            return Err(not_a_transcript(line, "this line holds a whole transcript, not one message")
                .with_hint("read it with --lines sessions"));
        }
        return Ok(plain(Container::Lines, Messages::List(root.items())));
    }
    if root.is_array() {
        let any = root.items().next().is_some();
        if any && !root.items().any(spec.is_message) {
            return Err(not_a_transcript(root, &format!("a list, but none of its items is {}", message_of(dialect))));
        }
        return Ok(plain(Container::List { list: root.index() }, Messages::List(root.items())));
    }
    if !root.is_object() {
        return Err(not_a_transcript(root, &format!("{} is no transcript", root.kind().name())));
    }
    if let Some((key, list)) = dialect.list_keys().iter().find_map(|key| Some((key, root.get(key)?))) {
        return in_body(root, list, key, dialect);
    }
    if let Some(messages) = (spec.response)(root) {
        return Ok(plain(Container::Response, messages));
    }
    if (spec.is_message)(root) {
        let mut layout = plain(Container::Single { object: root.index() }, Messages::One(Some(root)));
        layout.is_fragment = (spec.is_lone_result)(root);
        return Ok(layout);
    }
    let keys: Vec<_> = root.members().take(8).map(|(key, _)| key.raw().to_owned()).collect();
    let list = dialect.list_keys()[0];
    Err(not_a_transcript(
        root,
        &format!(
            "an object without `{list}`; it has {}",
            if keys.is_empty() { "nothing".to_owned() } else { keys.join(", ") }
        ),
    )
    .with_hint(format!("a transcript is {{\"{list}\":[…]}}, a list of messages, or one message a line")))
}

/// The messages of a list that stands under a key of an object, with what stands beside it.
pub(crate) fn in_body<'a>(
    body: Value<'a>,
    list: Value<'a>,
    key: &'static str,
    dialect: Dialect,
) -> Result<Layout<'a>, Error> {
    if !list.is_array() {
        return Err(not_a_transcript(list, &format!("`{key}` is {}, not a list", list.kind().name())));
    }
    let spec = dialect.spec();
    Ok(Layout {
        container: Container::Object { object: body.index(), key },
        messages: Messages::List(list.items()),
        system: spec.system_key(body).and_then(|key| body.get(key)).filter(|system| says_something(*system, spec)),
        tools: follow(body, spec.tools.list).filter(|tools| definitions::is_list(*tools)),
        is_fragment: false,
    })
}

fn message_of(dialect: Dialect) -> String {
    if dialect.list_keys() == ["messages"] {
        "a message with a `role`".to_owned()
    } else {
        format!("a message of {}", dialect.name())
    }
}

/// The value at the end of a way through objects.
pub(crate) fn follow<'a>(value: Value<'a>, way: &[&str]) -> Option<Value<'a>> {
    way.iter().try_fold(value, |value, key| value.get(key))
}

/// Instructions that are empty in a form that the dialect takes are none, and stay as they are.
pub(crate) fn says_something(system: Value<'_>, spec: &Spec) -> bool {
    let empty = |value: Value<'_>| value.is_array() && value.items().next().is_none();
    if spec.system_is_string && !system.is_null() && !system.is_string() {
        return true;
    }
    !system.is_null() && !system.is_str("") && !empty(system) && !system.get("parts").is_some_and(empty)
}

pub(crate) fn plain(container: Container, messages: Messages<'_>) -> Layout<'_> {
    Layout { container, messages, system: None, tools: None, is_fragment: false }
}

pub(crate) fn not_a_transcript(value: Value<'_>, message: &str) -> Error {
    Error::new(ErrorKind::NotATranscript, message.to_owned())
        .with_pointer(value.pointer())
        .at(position(value.json().text(), value.span().start))
}

/// Reads system text that stands beside the list into a first message.
pub(crate) fn read_system<'a>(cx: &mut Reader<'a, '_>, system: Value<'a>) {
    let message = cx.message(Role::System, Vec::new());
    let parts = lineage::read_content(cx, message, Some(system), system);
    cx.finish(system, parts);
}
