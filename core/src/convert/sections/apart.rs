//! Whether sections are apart: nothing that is done of one has to do with what stands in another.

use std::collections::HashMap;
use std::collections::hash_map::{Entry, RandomState};
use std::hash::BuildHasher;

use crate::target::Target;
use crate::transcript::{BlockKind, Message, Role, Transcript};

/// What sections know that others must not.
pub(super) struct Apart {
    hasher: RandomState,
    /// The section that knows an id, by a number of the id: two ids of one number are taken for one
    ids: HashMap<u64, u32>,
    sections: u32,
    /// How many more pictures may come before the target counts them
    pictures: usize,
}

impl Apart {
    pub(super) fn of(target: &Target) -> Self {
        let counted = [target.media.max_media, target.media.many].into_iter().flatten().min();
        let pictures = counted.unwrap_or(usize::MAX);
        Self { hasher: RandomState::new(), ids: HashMap::new(), sections: 0, pictures }
    }

    /// Adds what the next section was read to; `None` where it is not apart from those before, or that is not known.
    pub(super) fn add(&mut self, transcript: &Transcript<'_>) -> Option<()> {
        let is_first = self.sections == 0;
        self.sections += 1;
        // Whether a request may open so is asked where it ends as well.
        let opens = transcript.messages.iter().find(|message| message.role != Role::System)?;
        if opens.role != Role::User {
            return None;
        }
        transcript.messages.iter().all(|message| self.is_apart(message, is_first)).then_some(())
    }

    fn is_apart(&mut self, message: &Message<'_>, is_first: bool) -> bool {
        // Instructions may go in front of all.
        if message.native.is_some() || message.role == Role::System && !is_first {
            return false;
        }
        let answers =
            message.result.as_ref().is_none_or(|head| head.call_id.as_deref().is_some_and(|id| self.owns(id)));
        answers
            && message.blocks.iter().all(|block| {
                let is_known = match &block.kind {
                    BlockKind::Text(_) => true,
                    BlockKind::ToolCall(call) => call.id.as_deref().is_some_and(|id| self.owns(id)),
                    BlockKind::Image(_) => {
                        let is_left = self.pictures > 0;
                        self.pictures = self.pictures.saturating_sub(1);
                        is_left
                    }
                    _ => false,
                };
                is_known && block.native.is_none()
            })
    }

    /// Whether no section before knows this id.
    fn owns(&mut self, id: &str) -> bool {
        match self.ids.entry(self.hasher.hash_one(id)) {
            Entry::Occupied(known) => *known.get() == self.sections,
            Entry::Vacant(free) => {
                free.insert(self.sections);
                true
            }
        }
    }
}
