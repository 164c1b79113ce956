//! What one transcript may show, drawn before it.

use super::{
    Dialect, Draw, Form, Revision,
    node::Style,
    spell::{Carries, Documents, Pictures, Speller},
};

/// The features of one transcript.
#[derive(Clone, Debug)]
#[expect(clippy::struct_excessive_bools, reason = "each is one independent feature that a draw turns on or off")]
pub(crate) struct Config {
    pub(crate) dialect: Dialect,
    /// Whose rules are kept, where the dialect has revisions
    pub(crate) revision: Revision,
    pub(crate) style: Style,
    pub(crate) trailing_newline: bool,
    /// The list of messages alone, without an object around it
    pub(crate) bare_list: bool,
    /// Keep to the limits of the vendor, not only to those of the dialect
    pub(crate) strict: bool,
    /// Most exchanges
    pub(crate) max_turns: usize,
    /// Most calls in one turn
    pub(crate) max_calls: usize,
    pub(crate) images: bool,
    /// Where they may stand
    pub(crate) pictures: Pictures,
    /// The user shows documents
    pub(crate) documents: bool,
    /// Tool calls, and their results
    pub(crate) calls: bool,
    /// Calls have ids
    pub(crate) ids: bool,
    /// A call may have the id of one in an earlier turn
    pub(crate) reused_ids: bool,
    /// The user may speak right behind results
    pub(crate) interjects: bool,
    pub(crate) errors: bool,
    pub(crate) thinking: bool,
    pub(crate) unicode: bool,
    pub(crate) numbers: bool,
    pub(crate) long_texts: bool,
    pub(crate) system: bool,
    pub(crate) many_blocks: bool,
    /// Content as a string where the dialect allows it
    pub(crate) strings: bool,
    /// Results that follow each other stand in one wire message (Anthropic)
    pub(crate) batches: bool,
    /// The user's next words stand in the same wire message as the results (Anthropic)
    pub(crate) joined: bool,
    /// Fields beside those that matter (usage, time stamps, cache markers)
    pub(crate) extras: bool,
    /// The last turn is a call without its result
    pub(crate) open_end: bool,
    /// Most faults
    pub(crate) max_faults: usize,
}

impl Config {
    /// Draws a configuration, then makes it consistent.
    pub(crate) fn draw(draw: &mut Draw<'_, '_>, form: Form, faults: bool) -> Self {
        let dialect = form.dialect;
        let latest = Revision::V2026_07_28;
        let drawn = if dialect.has_revisions() { draw.pick(&Revision::ALL) } else { latest };
        let flags = draw.number();
        let flag = |bit: u32| flags >> bit & 1 == 1;
        let mut config = Self {
            dialect,
            revision: form.revision.unwrap_or(drawn),
            style: Style::draw(draw),
            trailing_newline: flag(0),
            bare_list: flag(1) && flag(2),
            strict: !(flag(3) && flag(4)),
            max_turns: draw.pick(&[3, 1, 2, 6, 12, 400]),
            max_calls: draw.pick(&[2, 1, 4, 8]),
            images: flag(5),
            pictures: dialect.speller().carries.pictures,
            documents: flag(29),
            calls: true,
            ids: !(flag(23) && flag(24)),
            // A defect would make it doubtful whose a result is.
            reused_ids: flag(25) && flag(26) && !faults,
            interjects: flag(27) && flag(28),
            errors: flag(6),
            thinking: flag(7),
            unicode: flag(8),
            numbers: flag(9),
            long_texts: flag(10) && flag(11) && flag(12),
            system: flag(13),
            many_blocks: flag(14),
            strings: flag(15),
            batches: !flag(16),
            joined: flag(17) && flag(18),
            extras: flag(19),
            open_end: flag(20) && flag(21) && flag(22),
            max_faults: if faults { draw.pick(&[1, 1, 2, 3, 6]) } else { 0 },
        };
        config.sanitize();
        config
    }

    /// What the dialect can say.
    pub(crate) fn carries(&self) -> &'static Carries {
        &self.dialect.speller().carries
    }

    /// Turns off what the dialect cannot carry.
    fn sanitize(&mut self) {
        let Speller { carries, settle, .. } = self.dialect.speller();
        self.images &= carries.pictures != Pictures::Nowhere;
        self.documents &= carries.documents != Documents::Nowhere;
        self.calls &= carries.calls;
        self.errors &= carries.errors;
        self.thinking &= carries.thinking;
        self.system &= carries.system;
        self.strings &= carries.strings;
        self.many_blocks &= carries.many_blocks;
        self.bare_list &= carries.bare_list && !(carries.system_beside && self.system);
        self.open_end &= carries.open_end && carries.calls;
        self.strict |= !carries.loose;
        self.ids |= carries.ids_needed;
        self.reused_ids &= carries.reused_ids;
        self.joined &= self.batches;
        settle(self);
    }
}
