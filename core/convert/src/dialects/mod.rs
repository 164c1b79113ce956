//! All of one dialect in one folder: how its messages are read (`read`) and written (`write`), and how its events are assembled
//! (`stream`).

use crate::print::Renderer;
use crate::read::spec::Spec;
use wirecanon_json::Value;
use wirecanon_model::Dialect;
use wirecanon_model::transcript::Role;

macro_rules! dialects {
    ($($(#[$doc:meta])+ $variant:ident = $name:literal, $stem:ident;)+) => {
        $(pub(crate) mod $stem;)+

        /// The description of each dialect.
        static SPECS: [&Spec; Dialect::COUNT] = [$(&$stem::read::SPEC),+];

        /// The renderer of each dialect.
        static RENDERERS: [&Renderer; Dialect::COUNT] = [$(&$stem::write::RENDERER),+];
    };
}

wirecanon_model::for_each_dialect!(dialects);

/// Returns the renderer of a dialect.
pub(crate) fn renderer(dialect: Dialect) -> &'static Renderer {
    RENDERERS[dialect as usize]
}

/// What the canonicalizer knows of a dialect beside its name.
pub(crate) trait Described {
    /// Returns the description of the dialect.
    fn spec(self) -> &'static Spec;
    /// Whether this dialect has such an item of its own, which canonical content only carries, in a message of this role.
    fn can_replay(self, item: Value<'_>, role: Role) -> bool;
}

impl Described for Dialect {
    fn spec(self) -> &'static Spec {
        SPECS[self as usize]
    }

    fn can_replay(self, item: Value<'_>, role: Role) -> bool {
        let spec = self.spec();
        let kind = (spec.kind)(item);
        (spec.is_own_message)(item) || ((spec.has_item)(&kind, role) && (spec.is_whole)(&kind, item))
    }
}
