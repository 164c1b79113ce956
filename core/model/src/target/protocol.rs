//! What the revisions of the Model Context Protocol differ in.

use serde::{Deserialize, Serialize};

/// What a revision of the Model Context Protocol has. A dialect without a revision has what the newest one has, but
/// demands nothing that an older server leaves out.
///
/// ```
/// use wirecanon_core::Target;
///
/// assert!(!Target::by_name("mcp.tool-result@2024-11-05")?.protocol.audio);
/// assert!(Target::by_name("mcp.tool-result@2025-03-26")?.protocol.audio);
/// # Ok::<(), wirecanon_core::Error>(())
/// ```
#[derive(Clone, Debug, Deserialize, Serialize, PartialEq, Eq)]
#[serde(deny_unknown_fields, default)]
#[expect(clippy::struct_excessive_bools, reason = "each is one line of a target file")]
pub struct Protocol {
    /// Recordings as blocks (since 2025-03-26)
    pub audio: bool,
    /// Links to resources as blocks (since 2025-06-18)
    pub resource_links: bool,
    /// What `structuredContent` may be
    pub structured: Structured,
    /// A result says its type (since 2026-07-28)
    pub result_type: bool,
    /// The content of a sampling message may be a list (since 2025-11-25)
    pub lists: bool,
}

impl Default for Protocol {
    fn default() -> Self {
        Self { audio: true, resource_links: true, structured: Structured::Any, result_type: false, lists: true }
    }
}

/// What `structuredContent` may be.
///
/// ```
/// use wirecanon_core::Target;
/// use wirecanon_core::target::Structured;
///
/// assert_eq!(Target::by_name("mcp.tool-result@2025-06-18")?.protocol.structured, Structured::Object);
/// # Ok::<(), wirecanon_core::Error>(())
/// ```
#[derive(Clone, Copy, Debug, Default, Deserialize, Serialize, PartialEq, Eq)]
#[serde(rename_all = "kebab-case")]
pub enum Structured {
    /// The revision does not know the field, and ignores it
    None,
    /// An object (2025-06-18, 2025-11-25)
    Object,
    /// Any JSON value (since 2026-07-28)
    #[default]
    Any,
}
