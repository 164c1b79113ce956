//! Revisions of the Model Context Protocol, and what each of them has.

use super::Dialect;

macro_rules! revisions {
    ($($variant:ident $name:literal;)+) => {
        /// A revision of the Model Context Protocol.
        ///
        /// ```
        /// use wirecanon_generate::Revision;
        ///
        /// let newest = Revision::ALL.last().copied();
        /// assert!(newest > Revision::by_name("2025-06-18"), "a later one is greater");
        /// ```
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
        pub enum Revision {
            $(
                #[doc = $name]
                $variant,
            )+
        }

        impl Revision {
            /// Every revision, the oldest first.
            pub const ALL: [Self; [$($name),+].len()] = [$(Self::$variant),+];

            /// Its date, which is its name.
            ///
            /// ```
            /// use wirecanon_generate::Revision;
            ///
            /// assert_eq!(Revision::V2025_06_18.name(), "2025-06-18");
            /// ```
            pub fn name(self) -> &'static str {
                match self {
                    $(Self::$variant => $name,)+
                }
            }
        }
    };
}

revisions! {
    V2024_11_05 "2024-11-05";
    V2025_03_26 "2025-03-26";
    V2025_06_18 "2025-06-18";
    V2025_11_25 "2025-11-25";
    V2026_07_28 "2026-07-28";
}

impl Revision {
    /// The revision of this date.
    ///
    /// ```
    /// use wirecanon_generate::Revision;
    ///
    /// assert_eq!(Revision::by_name("2025-06-18"), Some(Revision::V2025_06_18));
    /// assert_eq!(Revision::by_name("2025-06-19"), None);
    /// ```
    pub fn by_name(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|revision| revision.name() == name)
    }

    /// Recordings are blocks.
    pub(crate) fn has_audio(self) -> bool {
        self >= Self::V2025_03_26
    }

    /// Links to resources are blocks, blocks hold `_meta`, and results structured content.
    pub(crate) fn has_links(self) -> bool {
        self >= Self::V2025_06_18
    }

    /// A sampling message holds calls, results and lists of blocks; links hold icons.
    pub(crate) fn has_tools_in_sampling(self) -> bool {
        self >= Self::V2025_11_25
    }

    /// A result says its type, and structured content is any value.
    pub(crate) fn has_result_type(self) -> bool {
        self >= Self::V2026_07_28
    }
}

/// What to write: a dialect, in one revision where it has several and one is asked for.
///
/// ```
/// use wirecanon_generate::{Dialect, Form, Revision};
///
/// let any = Form::from(Dialect::McpPrompt);
/// assert_eq!(any.revision, None, "each is written now and then");
/// let old = Form { revision: Some(Revision::V2024_11_05), ..any };
/// assert_eq!(Form::by_name("mcp.prompt@2024-11-05"), Some(old));
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Form {
    /// The dialect
    pub dialect: Dialect,
    /// The revision; any, where the dialect has several and none stands here
    pub revision: Option<Revision>,
}

impl Form {
    /// The dialect of this name, or the revision of it that stands behind an `@` (`mcp.tool-result@2025-06-18`).
    ///
    /// ```
    /// use wirecanon_generate::{Dialect, Form};
    ///
    /// assert_eq!(Form::by_name("mistral.chat"), Some(Dialect::MistralChat.into()));
    /// assert_eq!(Form::by_name("mistral.chat@2025-06-18"), None, "it has no revisions");
    /// ```
    pub fn by_name(name: &str) -> Option<Self> {
        let Some((dialect, revision)) = name.split_once('@') else {
            return Dialect::by_name(name).map(Self::from);
        };
        let dialect = Dialect::by_name(dialect).filter(|dialect| dialect.has_revisions())?;
        Some(Self { dialect, revision: Some(Revision::by_name(revision)?) })
    }

    /// Its name, as [`by_name`](Self::by_name) takes it.
    ///
    /// ```
    /// use wirecanon_generate::{Dialect, Form, Revision};
    ///
    /// let form = Form { dialect: Dialect::McpToolResult, revision: Some(Revision::V2025_06_18) };
    /// assert_eq!(form.name(), "mcp.tool-result@2025-06-18");
    /// ```
    pub fn name(self) -> String {
        match self.revision {
            Some(revision) => format!("{}@{}", self.dialect.name(), revision.name()),
            None => self.dialect.name().to_owned(),
        }
    }
}

impl From<Dialect> for Form {
    fn from(dialect: Dialect) -> Self {
        Self { dialect, revision: None }
    }
}
