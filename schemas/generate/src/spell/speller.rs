//! What a dialect carries, and how it is written.

use crate::node::Node;
use crate::plan::Plan;
use crate::{Config, Draw, conversation, values};

/// One dialect, as the generator knows it.
pub(crate) struct Speller {
    /// What can be said in it
    pub(crate) carries: Carries,
    /// What else a drawn configuration must give up; called when all that is not carried is off
    pub(crate) settle: fn(&mut Config),
    /// Draws what is said. A plan has no spelling yet, but says nothing that the dialect cannot
    pub(crate) plan: fn(&mut Draw<'_, '_>, &Config, char) -> Plan,
    /// A call id that has not been used: the number makes it so
    pub(crate) id: fn(&mut Draw<'_, '_>, &Config, char, usize) -> String,
    /// The name of a tool
    pub(crate) name: fn(&mut Draw<'_, '_>, &Config) -> String,
    /// The document of a plan
    pub(crate) document: fn(&mut Draw<'_, '_>, &Config, &Plan) -> Node,
    /// The Model Context Protocol has it, in several revisions
    pub(crate) revisions: bool,
    /// The target of the server whose limits a strict transcript keeps
    pub(crate) vendor: Option<&'static str>,
}

/// What can be said in a dialect without losing it.
#[expect(clippy::struct_excessive_bools, reason = "each is one independent feature of a dialect")]
pub(crate) struct Carries {
    /// Documents are lone tool results, no conversations
    pub(crate) fragment: bool,
    /// Where pictures may stand
    pub(crate) pictures: Pictures,
    /// How the user shows documents
    pub(crate) documents: Documents,
    /// Tool calls, and their results
    pub(crate) calls: bool,
    /// A result is a message or a block of its own, which can stand in the wrong place; not a part of its call
    pub(crate) results_apart: bool,
    /// A result says whether it is an error
    pub(crate) errors: bool,
    /// Reasoning
    pub(crate) thinking: bool,
    /// Reasoning whose words only the vendor can read
    pub(crate) sealed: bool,
    /// A conversation may open with instructions
    pub(crate) system: bool,
    /// Instructions stand beside the list, in the object around it
    pub(crate) system_beside: bool,
    /// Content may be a plain string
    pub(crate) strings: bool,
    /// A message may hold several texts
    pub(crate) many_blocks: bool,
    /// The list may stand without an object around it
    pub(crate) bare_list: bool,
    /// A call may have the id of one in an earlier turn
    pub(crate) reused_ids: bool,
    /// A call cannot do without an id
    pub(crate) ids_needed: bool,
    /// The vendor takes GIFs too
    pub(crate) strict_gifs: bool,
    /// Ids and names may be ones that the vendor does not take
    pub(crate) loose: bool,
    /// The last turn may be the assistant's
    pub(crate) assistant_last: bool,
    /// The last turn may be a call that nobody has answered yet
    pub(crate) open_end: bool,
}

/// Where pictures may stand.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Pictures {
    /// Nowhere
    Nowhere,
    /// In what the user says, not in results
    OfUsers,
    /// In what the user says, and in results that are no errors
    NotInErrors,
    /// In what the user says, and in results
    InResults,
}

/// How the user shows documents.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Documents {
    /// Not at all
    Nowhere,
    /// Without a name
    Nameless,
    /// With a name
    Named,
}

impl Carries {
    /// A conversation that holds everything that most dialects have.
    pub(crate) const ALL: Self = Self {
        fragment: false,
        pictures: Pictures::InResults,
        documents: Documents::Nowhere,
        calls: true,
        results_apart: true,
        errors: true,
        thinking: true,
        sealed: false,
        system: true,
        system_beside: false,
        strings: true,
        many_blocks: true,
        bare_list: true,
        reused_ids: true,
        ids_needed: true,
        strict_gifs: true,
        loose: true,
        assistant_last: true,
        open_end: true,
    };
}

impl Speller {
    /// A conversation with the usual ids and names. Only the document of a dialect is its own.
    pub(crate) const fn new(document: fn(&mut Draw<'_, '_>, &Config, &Plan) -> Node) -> Self {
        Self {
            carries: Carries::ALL,
            settle: |_| {},
            plan: conversation::plan,
            id: values::id,
            name: values::name,
            document,
            revisions: false,
            vendor: None,
        }
    }
}
