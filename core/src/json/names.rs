//! Which keys a text may hold.
//!
//! Readers ask for a field under every name that some program gives it, and nearly all of these names stand nowhere in a
//! text. So the parser sets one bit of some for each key, and whoever asks for one whose bit is not set has the answer.

/// A number that most keys do not share. Its lowest six bits tell the keys of one object apart.
#[inline]
pub(super) const fn digest(key: &[u8]) -> u32 {
    let (first, last) = match key {
        [] => (0, 0),
        [only] => (*only, *only),
        [first, .., last] => (*first, *last),
    };
    let length = key.len() as u32;
    ((first as u32 * 7) ^ (last as u32 * 3) ^ length ^ (length << 6)) & (BITS - 1)
}

const BITS: u32 = 256;

/// Keys by their digests.
#[derive(Clone, Debug, Default)]
pub(super) struct Names([u64; BITS as usize / 64]);

impl Names {
    /// Adds a key by its digest.
    #[inline]
    pub(super) fn add(&mut self, digest: u32) {
        self.0[(digest / 64) as usize] |= 1 << (digest % 64);
    }

    /// Adds every key there is.
    pub(super) fn add_any(&mut self) {
        self.0.fill(u64::MAX);
    }

    /// Adds those of another text.
    pub(super) fn add_all(&mut self, other: &Self) {
        for (own, other) in self.0.iter_mut().zip(&other.0) {
            *own |= other;
        }
    }

    /// Whether a key with this digest may be among them.
    #[inline]
    pub(super) fn may_hold(&self, digest: u32) -> bool {
        self.0[(digest / 64) as usize] & 1 << (digest % 64) != 0
    }
}
