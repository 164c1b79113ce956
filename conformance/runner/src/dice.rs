//! Draws that are the same on every machine, and digests that are too.

/// `SplitMix64`: one number leads to the next.
#[derive(Clone, Debug)]
pub(crate) struct Dice(u64);

impl Dice {
    /// Numbers that a seed decides.
    pub(crate) fn new(seed: u64) -> Self {
        Self(seed)
    }

    /// The dice of run `run` of a seed.
    pub(crate) fn of(seed: u64, run: u64) -> Self {
        let mut own = Self(seed);
        let seed = own.next();
        let mut own = Self(run.wrapping_add(1));
        Self(seed ^ own.next())
    }

    pub(crate) fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ z >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ z >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ z >> 31
    }

    /// From 0 to `end`, which is left out and is not 0.
    pub(crate) fn below(&mut self, end: usize) -> usize {
        let end = u64::try_from(end.max(1)).unwrap_or(u64::MAX);
        usize::try_from(self.next() % end).unwrap_or(0)
    }

    /// True once `of` many times.
    pub(crate) fn once(&mut self, of: usize) -> bool {
        self.below(of) == 0
    }

    /// One of these; there must be one.
    pub(crate) fn pick<'t, T>(&mut self, from: &'t [T]) -> &'t T {
        &from[self.below(from.len())]
    }
}

/// FNV-1a, over parts that are told apart.
pub(crate) fn digest<'p>(parts: impl IntoIterator<Item = &'p str>) -> u64 {
    let mut hash = 0xcbf2_9ce4_8422_2325_u64;
    for part in parts {
        for byte in part.bytes().chain([0xff]) {
            hash = (hash ^ u64::from(byte)).wrapping_mul(0x0000_0100_0000_01b3);
        }
    }
    hash
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn draws_and_digests_are_the_published_ones() {
        assert_eq!(Dice(0).next(), 0xe220_a839_7b1d_cdaf);
        assert_ne!(Dice::of(0, 1).next(), Dice::of(1, 0).next());
        assert_ne!(digest(["ab", "c"]), digest(["a", "bc"]));
        let mut dice = Dice::of(1, 1);
        assert!((0..1000).all(|_| dice.below(3) < 3));
    }
}
