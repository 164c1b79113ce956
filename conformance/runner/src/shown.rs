//! What went in or came out, as far as a log keeps it.

use std::sync::Arc;

/// Bytes of one answer that a log holds; of a longer one only its beginning.
pub const MOST: usize = 64 << 10;

/// An input or an answer.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Shown {
    /// All of it
    Whole(Vec<u8>),
    /// The beginning of something too long
    Cut {
        /// Its first characters
        begins: String,
        /// How long the whole is
        bytes: usize,
    },
}

impl Shown {
    /// As much of these bytes as a log keeps.
    pub fn of(bytes: &[u8]) -> Arc<Self> {
        Arc::new(if bytes.len() <= MOST {
            Self::Whole(bytes.to_vec())
        } else {
            let begins = String::from_utf8_lossy(&bytes[..MOST]);
            // The cut may go through a character.
            let begins = begins.trim_end_matches(char::REPLACEMENT_CHARACTER).to_owned();
            Self::Cut { begins, bytes: bytes.len() }
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_too_long_is_cut_between_characters() {
        assert_eq!(*Shown::of(b"{}"), Shown::Whole(b"{}".to_vec()));
        let long = "ö".repeat(MOST);
        let Shown::Cut { begins, bytes } = &*Shown::of(format!("x{long}").as_bytes()) else { panic!("it is whole") };
        assert_eq!(*bytes, 2 * MOST + 1);
        assert!(begins.len() < MOST && begins.starts_with('x') && begins.ends_with('ö'));
    }
}
