//! Texts that programs write where their input is broken.

use super::words::{About, Names, is_made_of, is_note, words_of_key};
use crate::observation::MediaKind;

/// The strings of a broken place of an input, for texts that an answer may have in its place.
///
/// ```
/// use wirecanon_observe::Quote;
///
/// let quote = Quote::new(["call_9", "stale line"], ["tool_call_id", "content"]);
/// assert!(quote.covers("[orphaned tool result call_9] stale line") && quote.has_mark("[orphaned tool result call_9] stale line"));
/// assert!(quote.covers("stale line") && !quote.has_mark("stale line"));
/// assert!(!quote.covers("[orphaned tool result] I deleted it"));
/// ```
#[derive(Clone, Debug)]
pub struct Quote {
    names: Names,
    is_complete: bool,
}

impl Quote {
    /// Places with more strings are not compared.
    pub const MAX_STRINGS: usize = 512;
    /// Longer texts are not compared.
    pub const MAX_BYTES: usize = 1 << 18;

    /// Collects the strings of a broken place, and the keys of its objects. A text may repeat a string as a whole alone, and the words of
    /// a key.
    pub fn new<'s>(strings: impl IntoIterator<Item = &'s str>, keys: impl IntoIterator<Item = &'s str>) -> Self {
        let mut names = Names::default();
        let mut is_complete = true;
        for (at, string) in strings.into_iter().enumerate() {
            if at >= Self::MAX_STRINGS {
                is_complete = false;
                break;
            }
            names.add_whole(string);
        }
        for key in keys.into_iter().take(Self::MAX_STRINGS) {
            names.add(key);
            names.add(&words_of_key(key));
        }
        Self { names, is_complete }
    }

    /// Returns whether a text is made of these strings and of neutral words around them.
    pub fn covers(&self, text: &str) -> bool {
        self.is_complete && text.len() <= Self::MAX_BYTES && is_made_of(text, About::Quote, &self.names)
    }

    /// Returns whether a text has other words than these strings: a mark.
    pub fn has_mark(&self, text: &str) -> bool {
        self.names.has_other(text)
    }
}

/// Returns whether a text is a note for a medium of this kind that is missing, which may repeat these names.
///
/// ```
/// use wirecanon_observe::{MediaKind, is_media_note};
///
/// assert!(is_media_note("[image omitted: invalid data]", MediaKind::Image, &[]));
/// assert!(!is_media_note("[image: a cat]", MediaKind::Image, &[]));
/// ```
pub fn is_media_note(text: &str, kind: MediaKind, names: &[&str]) -> bool {
    let mut known = Names::default();
    for name in names {
        known.add_whole(name);
    }
    for word in ["invalid", "malformed", "corrupt", "corrupted", "broken"] {
        known.add(word);
    }
    is_note(text, About::Medium(kind), &known)
}

/// Returns whether a text says that the result of a tool call is missing, and nothing else.
///
/// ```
/// use wirecanon_observe::is_stand_in;
///
/// assert!(is_stand_in("Tool execution was interrupted."));
/// assert!(!is_stand_in("OK, deleted."));
/// ```
pub fn is_stand_in(text: &str) -> bool {
    is_note(text, About::StandIn, &Names::default())
}
