//! Targets: a dialect plus one server's limits, as data.
//!
//! The files in `core/model/targets/` are part of the library; a file of the same form can be given at run time. Every dialect is
//! also a target of its own name, with only the rules that the dialect itself has.

mod file;
mod library;
mod limits;
mod names;
mod profile;
mod protocol;
mod switch;

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use crate::dialect::Dialect;
use crate::error::Error;
use crate::transcript::Role;

pub use names::Names;
pub use names::{charset, document_name, opens_badly};
pub use profile::Profile;
pub use protocol::{Protocol, Structured};
pub use switch::{Setting, Switch, SwitchValue};

/// A dialect plus one server's limits.
///
/// ```
/// use wirecanon_core::{Dialect, Target};
///
/// let mistral = Target::by_name("mistral")?;
/// assert_eq!((mistral.dialect, mistral.is_dialect()), (Dialect::MistralChat, false));
/// assert!(Target::of_dialect(Dialect::MistralChat).is_dialect());
/// assert!(Target::all().contains(mistral));
///
/// let strict = mistral.with("user-after-tool", "refuse")?;
/// assert!(!strict.order.user_after_tool && strict.all_switches().len() > 1);
///
/// let own = "name = \"ours\"\ndialect = \"openai.chat\"\ntitle = \"Our server\"\nsources = [\"its manual\"]\n[ids]\nmax_length = 40";
/// assert_eq!(Target::from_toml(own)?.ids.max_length, Some(40));
/// # Ok::<(), wirecanon_core::Error>(())
/// ```
#[derive(Clone, Debug, Deserialize, Serialize, PartialEq, Eq)]
#[serde(deny_unknown_fields)]
pub struct Target {
    /// What `--to` calls it
    pub name: String,
    /// The dialect that it speaks
    pub dialect: Dialect,
    /// What it is, in words
    pub title: String,
    /// Where its limits are documented or were observed
    pub sources: Vec<String>,
    /// Call ids
    #[serde(default)]
    pub ids: Ids,
    /// Tool names
    #[serde(default)]
    pub names: Names,
    /// Pictures and files
    #[serde(default)]
    pub media: Media,
    /// Which message may stand where
    #[serde(default)]
    pub order: Order,
    /// What counts as content
    #[serde(default)]
    pub content: Content,
    /// The model's reasoning
    #[serde(default)]
    pub reasoning: Reasoning,
    /// What a revision of the Model Context Protocol has
    #[serde(default)]
    pub protocol: Protocol,
    /// Where a server takes no member that it does not know: the members of a message of each role, of a `call`, of the
    /// function that it names (`call-function`), and of a part by its type. What is not listed here is open
    #[serde(default)]
    pub fields: BTreeMap<String, Vec<String>>,
    /// Limits of which servers, or reports of them, disagree: chosen with `--set`
    #[serde(default, rename = "switch")]
    pub switches: Vec<Switch>,
    /// Names of documents, where the target wants each to have one
    #[serde(default)]
    pub file_names: Option<Names>,
    /// Switch positions that follow from the model or the settings of a request; later ones win
    #[serde(default, rename = "profile")]
    pub profiles: Vec<Profile>,
    /// Rules whose violations the server accepts, by id; the others are errors
    #[serde(default)]
    pub severity: BTreeMap<String, Level>,
    /// Model of a request whose body names none
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub model: Option<String>,
    /// Switches that were set explicitly: profiles leave them alone
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    chosen: Vec<String>,
}

/// Severity of a violation.
///
/// ```
/// use wirecanon_core::target::Level;
///
/// assert!(Level::Accepted < Level::Warning && Level::Warning < Level::Error);
/// assert_eq!(Level::default(), Level::Error);
/// ```
#[derive(Clone, Copy, Debug, Default, Deserialize, Serialize, PartialEq, Eq, Hash, PartialOrd, Ord)]
#[serde(rename_all = "lowercase")]
pub enum Level {
    /// The server accepts it, and nothing is wrong: it is not reported
    Accepted,
    /// The server accepts it, and a client or model is misled
    Warning,
    /// The server refuses it
    #[default]
    Error,
}

impl Level {
    /// Returns the name in reports.
    ///
    /// ```
    /// use wirecanon_core::target::Level;
    ///
    /// assert_eq!(Level::Warning.name(), "warning");
    /// ```
    pub fn name(self) -> &'static str {
        match self {
            Self::Accepted => "accepted",
            Self::Warning => "warning",
            Self::Error => "error",
        }
    }
}

/// What a call id may be.
///
/// ```
/// use wirecanon_core::target::Ids;
///
/// let ids = Ids { also: Some("_-".into()), max_length: Some(9), ..Ids::default() };
/// assert!(ids.accepts("call_1") && !ids.accepts("call|1") && !ids.accepts("call_12345"));
/// ```
#[derive(Clone, Debug, Default, Deserialize, Serialize, PartialEq, Eq)]
#[serde(deny_unknown_fields, default)]
pub struct Ids {
    /// Characters allowed beside ASCII letters and digits; `None` allows every character
    pub also: Option<String>,
    /// Most characters
    pub max_length: Option<usize>,
    /// Where two calls may not share an id
    pub unique: Scope,
    /// Exactly so many characters
    pub length: Option<usize>,
    /// The target refuses ids; calls and results are known by name and order
    pub refused: bool,
    /// How ids of the server's own calls begin, which no call of the client's may have
    pub reserved: Option<String>,
}

/// Where two calls may not share an id.
///
/// ```
/// use wirecanon_core::Target;
/// use wirecanon_core::target::{Ids, Scope};
///
/// assert_eq!(Ids::default().unique, Scope::Turn);
/// assert_eq!(Target::by_name("openai-responses")?.ids.unique, Scope::Transcript);
/// # Ok::<(), wirecanon_core::Error>(())
/// ```
#[derive(Clone, Copy, Debug, Default, Deserialize, Serialize, PartialEq, Eq)]
#[serde(rename_all = "kebab-case")]
pub enum Scope {
    /// In one turn
    #[default]
    Turn,
    /// In the whole transcript
    Transcript,
}

/// What is taken beside text.
///
/// ```
/// use wirecanon_core::target::Media;
///
/// let media = Media { image_types: vec!["image/png".into()], file_types: vec!["audio/".into()], ..Media::default() };
/// assert!(media.takes_picture("image/png") && !media.takes_picture("image/tiff"));
/// assert!(media.takes_file("audio/wav") && !media.takes_file("application/pdf"));
/// ```
#[derive(Clone, Debug, Deserialize, Serialize, PartialEq, Eq)]
#[serde(deny_unknown_fields, default)]
#[expect(clippy::struct_excessive_bools, reason = "each is one line of a target file")]
pub struct Media {
    /// Images may stand in tool results
    pub in_results: bool,
    /// Images may stand in tool results that are errors
    pub in_error_results: bool,
    /// Documents may stand in tool results, where images may
    pub files_in_results: bool,
    /// Images may stand in user messages
    pub in_user: bool,
    /// Media types of images; empty takes every kind
    pub image_types: Vec<String>,
    /// Media types of files in user messages; a type ending in `/` takes the whole family, and `none` alone no file at all
    pub file_types: Vec<String>,
    /// Pictures by address are fetched by the server
    pub links: bool,
    /// A file of Chat Completions that is given as data must have a `filename`
    pub named_files: bool,
    /// Base64 of files may be broken into lines
    pub broken_lines: bool,
    /// `file_data` of Chat Completions may be the address of a file
    pub file_links: bool,
    /// Parts of type `video_url` are taken
    pub video_links: bool,
    /// Members of blocks of Bedrock (`image`, `document`) that the user may not give by their place in Amazon S3
    pub no_s3: Vec<String>,
    /// Members of blocks of Bedrock that a tool result may not give by their place in Amazon S3
    pub no_s3_in_results: Vec<String>,
    /// A message with a document has words beside it
    pub words_beside_files: bool,
    /// Most characters of the title of a document
    pub max_title: Option<usize>,
    /// A cache mark may stand right behind a document that is no PDF
    pub marks_behind_files: bool,
    /// Most characters of the base64 of an image
    pub max_base64: Option<usize>,
    /// Most pixels of a side of an image
    pub max_side: Option<u32>,
    /// With more images than this in a request, the next limit holds
    pub many: Option<usize>,
    /// Most pixels of a side of an image, where there are many
    pub max_side_of_many: Option<u32>,
    /// Most images and documents in a request, together
    pub max_media: Option<usize>,
    /// Most documents in a request
    pub max_documents: Option<usize>,
}

impl Media {
    /// Whether the target takes no file of any type.
    ///
    /// ```
    /// use wirecanon_core::Target;
    ///
    /// assert!(Target::by_name("groq")?.media.takes_no_files());
    /// assert!(!Target::by_name("openai")?.media.takes_no_files());
    /// # Ok::<(), wirecanon_core::Error>(())
    /// ```
    pub fn takes_no_files(&self) -> bool {
        self.file_types == ["none"]
    }

    /// Whether the target takes files of this type in user messages.
    ///
    /// ```
    /// use wirecanon_core::Target;
    ///
    /// let mistral = Target::by_name("mistral")?;
    /// assert!(mistral.media.takes_file("application/pdf") && !mistral.media.takes_file("video/mp4"));
    /// # Ok::<(), wirecanon_core::Error>(())
    /// ```
    pub fn takes_file(&self, mime: &str) -> bool {
        let takes = |taken: &String| taken == mime || (taken.ends_with('/') && mime.starts_with(taken.as_str()));
        self.file_types.iter().any(takes)
    }
}

impl Media {
    /// Whether a picture of this kind may stand anywhere.
    ///
    /// ```
    /// use wirecanon_core::Target;
    ///
    /// let mistral = Target::by_name("mistral")?;
    /// assert!(mistral.media.takes_picture("image/webp") && !mistral.media.takes_picture("image/tiff"));
    /// # Ok::<(), wirecanon_core::Error>(())
    /// ```
    pub fn takes_picture(&self, kind: &str) -> bool {
        (self.in_user || self.in_results)
            && (self.image_types.is_empty() || self.image_types.iter().any(|taken| taken == kind))
    }
}

impl Default for Media {
    fn default() -> Self {
        Self {
            in_results: true,
            in_error_results: true,
            files_in_results: false,
            in_user: true,
            image_types: Vec::new(),
            file_types: Vec::new(),
            links: true,
            named_files: false,
            broken_lines: false,
            file_links: false,
            video_links: false,
            no_s3: Vec::new(),
            no_s3_in_results: Vec::new(),
            words_beside_files: false,
            max_title: None,
            marks_behind_files: true,
            max_base64: None,
            max_side: None,
            many: None,
            max_side_of_many: None,
            max_media: None,
            max_documents: None,
        }
    }
}

/// Which message may stand where.
///
/// ```
/// use wirecanon_core::Target;
/// use wirecanon_core::target::Order;
///
/// assert!(!Order::default().opens_with_user);
/// assert!(Target::by_name("bedrock")?.order.opens_with_user);
/// # Ok::<(), wirecanon_core::Error>(())
/// ```
#[derive(Clone, Debug, Deserialize, Serialize, PartialEq, Eq)]
#[serde(deny_unknown_fields, default)]
#[expect(clippy::struct_excessive_bools, reason = "each is one line of a target file")]
pub struct Order {
    /// The first message that is no system message is the user's
    pub opens_with_user: bool,
    /// A transcript that is sent may end with the model's text
    pub prefill: bool,
    /// A request with tools may end with the model's text right behind a turn with tool results
    pub prefill_after_results: bool,
    /// The model's last text may end in white space when the transcript is sent
    pub trailing_white_space: bool,
    /// Where system messages may stand
    pub system: SystemPlace,
    /// A transcript that is sent has a message at least
    pub needs_message: bool,
    /// A message of the user may follow a tool result
    pub user_after_tool: bool,
    /// The member with which the model's last message says that it is to be gone on with, where one must stand
    pub prefix_mark: Option<String>,
    /// Instructions may stand in a message of role `developer`
    pub developer: bool,
    /// Every message says its role
    pub explicit_role: bool,
    /// Messages of the user and of the model take turns
    pub alternates: bool,
    /// A turn of the model may say something behind its calls
    pub words_behind_calls: bool,
    /// What may not stand in a message of the user that holds function responses (`gemini.contents`)
    pub apart_from_results: Vec<Apart>,
}

/// Content of the user that stands in a message of its own.
///
/// ```
/// use wirecanon_core::Target;
/// use wirecanon_core::target::Apart;
///
/// assert_eq!(Target::by_name("gemini-3.6")?.order.apart_from_results, [Apart::Words]);
/// # Ok::<(), wirecanon_core::Error>(())
/// ```
#[derive(Clone, Copy, Debug, Deserialize, Serialize, PartialEq, Eq)]
#[serde(rename_all = "kebab-case")]
pub enum Apart {
    /// Texts
    Words,
    /// Images, recordings and other files
    Media,
}

impl Default for Order {
    fn default() -> Self {
        Self {
            opens_with_user: false,
            prefill: true,
            prefill_after_results: true,
            trailing_white_space: true,
            system: SystemPlace::Anywhere,
            needs_message: false,
            user_after_tool: true,
            prefix_mark: None,
            developer: true,
            explicit_role: false,
            alternates: false,
            words_behind_calls: true,
            apart_from_results: Vec::new(),
        }
    }
}

/// Where system messages may stand.
///
/// ```
/// use wirecanon_core::Target;
/// use wirecanon_core::target::SystemPlace;
///
/// assert_eq!(Target::by_name("mistral")?.order.system, SystemPlace::BehindUser);
/// # Ok::<(), wirecanon_core::Error>(())
/// ```
#[derive(Clone, Copy, Debug, Default, Deserialize, Serialize, PartialEq, Eq)]
#[serde(rename_all = "kebab-case")]
pub enum SystemPlace {
    /// In any place between turns
    #[default]
    Anywhere,
    /// Only in front of all others, beside the list of messages
    Top,
    /// In one message in front of all others: of several the server reads the last alone
    One,
    /// In front of all others, or behind the user's messages
    BehindUser,
    /// Nowhere: no role of instructions is taken
    Nowhere,
}

/// What counts as content.
///
/// ```
/// use wirecanon_core::Target;
/// use wirecanon_core::target::Content;
///
/// assert!(Content::default().error_flag);
/// assert!(!Target::by_name("mistral")?.content.error_flag, "a result says in words that it is an error");
/// # Ok::<(), wirecanon_core::Error>(())
/// ```
#[derive(Clone, Debug, Deserialize, Serialize, PartialEq, Eq)]
#[serde(deny_unknown_fields, default)]
#[expect(clippy::struct_excessive_bools, reason = "each is one line of a target file")]
pub struct Content {
    /// Text blocks may be blank
    pub blank_text: bool,
    /// Text blocks of tool results may be blank
    pub blank_results: bool,
    /// Tool results carry an error flag
    pub error_flag: bool,
    /// A NUL in a text is taken
    pub nul: bool,
    /// There are calls and results of tools
    pub tools: bool,
    /// A turn may call tools and have no content
    pub calls_alone: bool,
    /// A tool result may be a list of parts
    pub result_parts: bool,
    /// A tool result may be an empty list
    pub empty_results: bool,
    /// System text may be a list of parts
    pub system_parts: bool,
    /// What the model says may be a list of parts
    pub assistant_parts: bool,
    /// Calls of custom tools, which take free text
    pub custom_calls: bool,
    /// Calls of type `builtin_function` are taken, whose names begin with `$`
    pub builtin_calls: bool,
    /// A request whose messages hold calls or results must define tools
    pub definitions: bool,
    /// A turn of the assistant, but for the last one, may be empty
    pub empty_turns: bool,
    /// A turn of the assistant may hold both words and calls
    pub words_beside_calls: bool,
    /// Cache marks may stand among the definitions of tools
    pub marks_among_tools: bool,
    /// A message of the user, instructions, and a turn of the model that calls nothing may be without a character
    pub silent: bool,
    /// OpenAI's older spelling of a call and its result, `function_call` and role `function`, is taken
    pub older_calls: bool,
    /// The words of a `refusal` count as content
    pub refusals: bool,
    /// The server stores items, so that one can stand for another by its id
    pub stored_items: bool,
}

impl Content {
    /// Whether the content of a message of this role may be a list of parts.
    #[doc(hidden)]
    pub fn takes_parts(&self, role: Role) -> bool {
        match role {
            Role::ToolResult => self.result_parts,
            Role::System => self.system_parts,
            Role::Assistant => self.assistant_parts,
            Role::User => true,
        }
    }
}

impl Default for Content {
    fn default() -> Self {
        Self {
            blank_text: true,
            blank_results: false,
            error_flag: true,
            nul: true,
            tools: true,
            calls_alone: true,
            result_parts: true,
            empty_results: true,
            system_parts: true,
            assistant_parts: true,
            custom_calls: true,
            builtin_calls: false,
            definitions: false,
            empty_turns: true,
            words_beside_calls: true,
            marks_among_tools: true,
            silent: true,
            older_calls: true,
            refusals: true,
            stored_items: true,
        }
    }
}

/// The model's reasoning.
///
/// ```
/// use wirecanon_core::target::{Reasoning, Replay};
///
/// let reasoning = Reasoning::default();
/// assert!(reasoning.accepted && !reasoning.signed);
/// assert_eq!(reasoning.replay, Replay::Optional);
/// ```
#[derive(Clone, Debug, Deserialize, Serialize, PartialEq, Eq)]
#[serde(deny_unknown_fields, default)]
#[expect(clippy::struct_excessive_bools, reason = "each is one line of a target file")]
pub struct Reasoning {
    /// Whether reasoning of the same dialect may be replayed
    pub accepted: bool,
    /// Whether it must carry a signature
    pub signed: bool,
    /// A turn may hold nothing else
    pub alone: bool,
    /// A transcript that is sent may end in it
    pub trailing: bool,
    /// It may stand in full beside its summary
    pub content: bool,
    /// The member of a message that holds it; `None` takes every known one
    pub field: Option<String>,
    /// Where a turn must have it, if only as an empty string
    pub replay: Replay,
    /// The first call of each step since the user last spoke carries the model's signature
    pub signed_calls: bool,
    /// Sealed reasoning with an `id` goes only in front of an item with an `id`, unless the body says `store: false`
    pub followed_by_id: bool,
    /// `reasoning_details`, in which OpenRouter has reasoning and signatures, are taken
    pub details: bool,
}

/// Where a turn must carry reasoning, if only as an empty string.
///
/// ```
/// use wirecanon_core::Target;
/// use wirecanon_core::target::Replay;
///
/// let strict = Target::all().iter().filter(|target| target.reasoning.replay != Replay::Optional);
/// strict.for_each(|target| println!("{} wants reasoning again", target.name));
/// ```
#[derive(Clone, Copy, Debug, Default, Deserialize, Serialize, PartialEq, Eq)]
#[serde(rename_all = "kebab-case")]
pub enum Replay {
    /// Nowhere
    #[default]
    Optional,
    /// On turns that call tools
    WithCalls,
    /// On every turn from the first that calls tools
    OnceCalled,
}

impl Replay {
    /// Returns whether a turn must carry its reasoning: one that calls tools or not, where the model has called (this turn included).
    ///
    /// ```
    /// use wirecanon_core::target::Replay;
    ///
    /// assert!(Replay::OnceCalled.asks_for(false, true) && !Replay::WithCalls.asks_for(false, true));
    /// ```
    pub fn asks_for(self, calls: bool, called: bool) -> bool {
        match self {
            Self::Optional => false,
            Self::WithCalls => calls,
            Self::OnceCalled => called,
        }
    }
}

impl Default for Reasoning {
    fn default() -> Self {
        Self {
            accepted: true,
            signed: false,
            alone: true,
            trailing: true,
            signed_calls: false,
            followed_by_id: false,
            details: false,
            content: true,
            field: None,
            replay: Replay::Optional,
        }
    }
}

impl Target {
    /// Reads a target file.
    ///
    /// ```
    /// use wirecanon_core::{Dialect, Target};
    ///
    /// let house = "name = \"house\"\ndialect = \"openai.chat\"\ntitle = \"Our gateway\"\nsources = [\"its manual\"]\n";
    /// assert_eq!(Target::from_toml(house)?.dialect, Dialect::OpenAiChat);
    /// let error = Target::from_toml(&format!("{house}[ids]\nmax_lenght = 40\n")).unwrap_err();
    /// assert_eq!(error.position().map(|place| place.line), Some(6));
    /// # Ok::<(), wirecanon_core::Error>(())
    /// ```
    ///
    /// # Errors
    ///
    /// The text is not TOML, lacks a key, has one too many, or a value of another type; the error has the line and the key,
    /// and says what to do.
    pub fn from_toml(text: &str) -> Result<Self, Error> {
        limits::read(text)
    }

    /// Whether a message, call or part of this kind may have this member.
    #[doc(hidden)]
    pub fn takes_field(&self, holder: &str, key: &str) -> bool {
        self.fields.get(holder).is_none_or(|known| known.iter().any(|name| name == key))
    }

    /// Whether this is a dialect by itself, without a server's limits.
    ///
    /// ```
    /// use wirecanon_core::Target;
    ///
    /// assert!(Target::by_name("mistral.chat")?.is_dialect());
    /// assert!(!Target::by_name("mistral")?.is_dialect());
    /// # Ok::<(), wirecanon_core::Error>(())
    /// ```
    pub fn is_dialect(&self) -> bool {
        self.name == self.dialect.name()
    }

    /// Whether the target is one revision of a dialect, and no server.
    #[doc(hidden)]
    pub fn is_revision(&self) -> bool {
        self.name.split_once('@').is_some_and(|(name, _)| name == self.dialect.name())
    }
}

impl Ids {
    /// Whether the target takes this id.
    ///
    /// ```
    /// use wirecanon_core::Target;
    ///
    /// let ids = &Target::by_name("mistral")?.ids;
    /// assert!(ids.accepts("D681PevKs") && !ids.accepts("call_7"));
    /// # Ok::<(), wirecanon_core::Error>(())
    /// ```
    pub fn accepts(&self, id: &str) -> bool {
        !id.is_empty()
            && !self.is_reserved(id)
            && charset(self.also.as_deref(), id)
            && self.max_length.is_none_or(|max| id.chars().count() <= max)
            && self.length.is_none_or(|length| id.chars().count() == length)
    }

    /// Whether the id begins as only those of the server's calls do.
    ///
    /// ```
    /// use wirecanon_core::Target;
    ///
    /// let ids = &Target::by_name("anthropic")?.ids;
    /// assert!(ids.is_reserved("srvtoolu_01") && !ids.is_reserved("toolu_01"));
    /// # Ok::<(), wirecanon_core::Error>(())
    /// ```
    pub fn is_reserved(&self, id: &str) -> bool {
        self.reserved.as_deref().is_some_and(|prefix| id.starts_with(prefix))
    }
}
