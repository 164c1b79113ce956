//! The dialects that the generator writes: one row each, and one file in `spell`.

use super::spell::{self, Speller};

/// A new dialect is one row here, and one file of `spell` with its `SPELLER`.
macro_rules! dialects {
    ($($(#[$doc:meta])* $variant:ident $name:literal $file:ident;)+) => {
        /// A spelling that the generator writes.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
        pub enum Dialect {
            $($(#[$doc])* $variant,)+
        }

        impl Dialect {
            /// Every dialect.
            pub const ALL: [Self; [$($name),+].len()] = [$(Self::$variant),+];

            /// Its name on the command line.
            pub fn name(self) -> &'static str {
                match self {
                    $(Self::$variant => $name,)+
                }
            }

            /// What it carries, and how it is written.
            pub(crate) fn speller(self) -> &'static Speller {
                match self {
                    $(Self::$variant => &spell::$file::SPELLER,)+
                }
            }
        }
    };
}

dialects! {
    /// wirecanon's own
    Canonical "canonical" canonical;
    /// Agent messages of the OpenClaw and pi-ai lineage
    OpenClaw "openclaw" openclaw;
    /// Anthropic Messages
    AnthropicMessages "anthropic.messages" anthropic;
    /// OpenAI Chat Completions
    OpenAiChat "openai.chat" openai_chat;
    /// A lone tool result of the Model Context Protocol
    McpToolResult "mcp.tool-result" mcp_tool_result;
}

impl Dialect {
    /// The dialect with this name.
    pub fn by_name(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|dialect| dialect.name() == name)
    }

    /// It writes lone tool results, no conversations.
    pub fn is_fragment(self) -> bool {
        self.speller().carries.fragment
    }

    /// The server whose limits a transcript keeps that is [`strict`](super::Generated::strict), by its target's name.
    pub fn vendor(self) -> Option<&'static str> {
        self.speller().vendor
    }
}
