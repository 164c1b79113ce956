//! What a dialect says of itself, as data: one static a dialect, in the file that reads it.

use std::borrow::Cow;

use crate::dialects::openclaw::lineage;
use crate::read::block::Item;
use crate::read::call::Spelling;
use crate::read::container::{self, Layout, Messages};
use crate::read::reader::Reader;
use crate::read::result::ContentForms;
use wirecanon_json::{Json, Value};
use wirecanon_model::transcript::{Role, Thinking};
use wirecanon_model::{Dialect, Error};

/// A dialect's own facts, and how its messages are found and read.
#[expect(clippy::struct_excessive_bools, reason = "each is one fact of a dialect")]
pub(crate) struct Spec {
    /// Where instructions stand
    pub(crate) system: SystemField,
    /// Another spelling of that field, as much its own
    pub(crate) system_also: Option<&'static str>,
    /// Instructions beside the list are one string and nothing else
    pub(crate) system_is_string: bool,
    /// Where tool definitions stand, and how they are spelled
    pub(crate) tools: ToolForm,
    /// Whether a value can be one of its messages, standing alone or in a bare list
    pub(crate) is_message: fn(Value<'_>) -> bool,
    /// Whether a message that stands alone is a tool result: a fragment, which nothing around it can pair
    pub(crate) is_lone_result: fn(Value<'_>) -> bool,
    /// The messages of a provider's response, if this is one
    pub(crate) response: for<'a> fn(Value<'a>) -> Option<Messages<'a>>,
    /// Finds the messages of a document
    pub(crate) layout: for<'a> fn(&'a Json<'a>, Dialect) -> Result<Layout<'a>, Error>,
    /// Signs by which `auto` knows it
    pub(crate) signs: &'static [Sign],
    /// A sign on the document itself, beside its messages: its weight
    pub(crate) root_sign: fn(Value<'_>) -> usize,
    /// A list of its messages never stands beside a `model`, as in the body of a provider's request
    pub(crate) names_no_model: bool,
    /// How empty or plain the content of a tool result may be
    pub(crate) results: ContentForms,
    /// How a call stands as a block of content, if it does
    pub(crate) call: Option<Spelling>,
    /// Its server tells the results of parallel calls apart by their ids alone, in whatever order they stand
    pub(crate) results_in_any_order: bool,
    /// A result says whether it is an error
    pub(crate) error_flag: bool,
    /// A turn says why it stopped
    pub(crate) stop_reasons: bool,
    /// An image is `data` and `mimeType`, flat in its block
    pub(crate) flat_images: bool,
    /// Calls stand beside the content of a turn, so that blank content beside them says nothing
    pub(crate) calls_beside_content: bool,
    /// A result whose only text is blank is as valid as an empty one
    pub(crate) blank_results: bool,
    /// A blank text may stand beside the other blocks of a result
    pub(crate) blank_in_results: bool,
    /// A history, which keeps the reasoning of every provider
    pub(crate) keeps_all_reasoning: bool,
    /// Reasoning that nobody is known to have signed may be written
    pub(crate) takes_unsigned_reasoning: bool,
    /// Whether reasoning has a place for the seal of who signed it
    pub(crate) seals_reasoning: fn(&Thinking<'_>) -> bool,
    /// What kind of item this is: its `type`, in most dialects
    pub(crate) kind: for<'a> fn(Value<'a>) -> Cow<'a, str>,
    /// Whether it has items of this type of its own, which canonical content only carries, in a message of this role
    pub(crate) has_item: fn(&str, Role) -> bool,
    /// Whether such an item of this type has what its own server needs
    pub(crate) is_whole: fn(&str, Value<'_>) -> bool,
    /// Whether a whole message is one that only this dialect knows
    pub(crate) is_own_message: fn(Value<'_>) -> bool,
    /// Reads one wire message
    pub(crate) read: for<'a, 'b, 'r> fn(&'b mut Reader<'a, 'r>, Value<'a>),
    /// Reads the instructions that stand beside the list
    pub(crate) read_system: for<'a, 'b, 'r> fn(&'b mut Reader<'a, 'r>, Value<'a>),
    /// Reads an item of content that this dialect alone spells so; `None` leaves it to the reader of all dialects' items
    pub(crate) item: for<'a, 'b, 'r> fn(&'b mut Reader<'a, 'r>, Value<'a>, Role) -> Option<Item<'a>>,
    /// Looks at all messages once they are read, if something is seen only then
    pub(crate) finish: Option<for<'a, 'b, 'r> fn(&'b mut Reader<'a, 'r>)>,
}

/// Where instructions stand.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum SystemField {
    /// In messages of the list
    InList,
    /// There are none
    Nowhere,
    /// Those in front stand in this field beside the list
    Beside(&'static str),
    /// In messages of the list; what stood in this field beside it goes back there
    Either(&'static str),
}

impl SystemField {
    /// The field beside the list.
    pub(crate) fn key(self) -> Option<&'static str> {
        match self {
            Self::InList | Self::Nowhere => None,
            Self::Beside(key) | Self::Either(key) => Some(key),
        }
    }
}

/// Where tool definitions stand in a document, and how one is spelled.
#[derive(Clone, Copy, Debug)]
pub(crate) struct ToolForm {
    /// The way to their list
    pub(crate) list: &'static [&'static str],
    /// A list in each item of that list, which holds the definitions
    pub(crate) inner: Option<&'static str>,
    /// Another spelling of that key
    pub(crate) inner_also: Option<&'static str>,
    /// The member of a definition that holds its name
    pub(crate) holder: Option<&'static str>,
    /// The way to the schema of the arguments
    pub(crate) schema: &'static [&'static str],
    /// Members that hold the schema where that stands in another form
    pub(crate) schema_also: &'static [&'static str],
    /// What else each definition says
    pub(crate) mark: Option<(&'static str, &'static str)>,
}

impl ToolForm {
    /// A name, a description and `parameters`, in a list called `tools`.
    pub(crate) const FLAT: Self = Self {
        list: &["tools"],
        inner: None,
        inner_also: None,
        holder: None,
        schema: &["parameters"],
        schema_also: &[],
        mark: None,
    };
    /// The same, inside `function`.
    pub(crate) const FUNCTION: Self = Self { holder: Some("function"), mark: Some(("type", "function")), ..Self::FLAT };
}

/// One sign that a message may show.
pub(crate) struct Sign {
    /// How strongly it speaks; roles and fields of a message weigh more than the spelling of a block, which histories mix
    pub(crate) weight: usize,
    /// In words
    pub(crate) words: &'static str,
    /// Whether a message shows it
    pub(crate) shows: fn(Value<'_>) -> bool,
}

impl Sign {
    pub(crate) const fn new(weight: usize, words: &'static str, shows: fn(Value<'_>) -> bool) -> Self {
        Self { weight, words, shows }
    }
}

impl Spec {
    /// The field beside the list in which a document's instructions stand, or would stand.
    pub(crate) fn system_key(&self, document: Value<'_>) -> Option<&'static str> {
        let key = self.system.key()?;
        let is_set = |key: &str| document.get(key).is_some_and(|value| !value.is_null());
        Some(self.system_also.filter(|also| !is_set(key) && is_set(also)).unwrap_or(key))
    }

    /// The commonest answers: messages with a `role` under `messages`, read as those of the agent lineage.
    pub(crate) const COMMON: Self = Self {
        system: SystemField::InList,
        system_also: None,
        system_is_string: false,
        tools: ToolForm::FLAT,
        is_message: |value| value.get("role").is_some(),
        is_lone_result: |message| {
            message.get("role").and_then(Value::as_str).is_some_and(|role| matches!(&*role, "toolResult" | "tool"))
        },
        response: |_| None,
        layout: container::conversation,
        signs: &[],
        root_sign: |_| 0,
        names_no_model: false,
        results: ContentForms { string: true, absent: false, empty: false },
        call: None,
        results_in_any_order: false,
        error_flag: true,
        stop_reasons: false,
        flat_images: false,
        calls_beside_content: false,
        blank_results: false,
        blank_in_results: false,
        keeps_all_reasoning: false,
        takes_unsigned_reasoning: false,
        seals_reasoning: |_| true,
        kind: |item| item.get("type").and_then(Value::as_str).unwrap_or_default(),
        has_item: |_, _| false,
        is_whole: |_, _| true,
        is_own_message: |_| false,
        read: lineage::read_message,
        read_system: container::read_system,
        item: |_, _, _| None,
        finish: None,
    };
}
