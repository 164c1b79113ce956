//! Where the plain parts of strings end: the loop in which most of the time of parsing goes.
//!
//! Sixty-four bytes are looked at once, and a bit of a number is kept for each: all short strings that stand among them are told
//! from these numbers, and so are all escapes of a long one. How wide the vectors are is known when the program runs; the crate
//! `fearless_simd` asks the processor, and spells them without unsafe code of ours.

#![expect(clippy::inline_always, reason = "what is not inlined is not built for the processor that was found")]

use std::ops::Range;

pub(super) use fearless_simd::Simd;
use fearless_simd::{SimdBase, SimdMask, u8x64};

/// Bytes that are looked at together.
const BLOCK: usize = 64;

/// Blocks that are passed together where nothing but plain bytes is expected.
const MANY: usize = 4;

/// Does the work with the widest vectors that this processor has.
macro_rules! by_processor {
    ($simd:ident => $work:expr) => {
        fearless_simd::dispatch!(fearless_simd::Level::new(), $simd => $work)
    };
}
pub(super) use by_processor;

/// What was seen in the bytes that were looked at last: one bit for each, the first one's lowest. Of what lies behind the end of
/// the text none is set.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Seen {
    /// Where they begin, and where they end
    start: usize,
    end: usize,
    quotes: u64,
    backslashes: u64,
    controls: u64,
    /// What may follow a backslash, and nearly always does: a quote, a backslash, `n`, `r`, `t`. Known where one may.
    letters: u64,
}

/// What is seen of a string in which something else than plain bytes stands.
#[derive(Clone, Copy)]
pub(super) struct Part {
    /// Where the quote is that ends it; `None` where it goes on behind what was seen
    pub(super) end: Option<usize>,
    pub(super) has_control: bool,
    /// Whether the last byte that was seen is a backslash of it that escapes the next one
    pub(super) is_open: bool,
    /// Characters behind a backslash, by bits, that are none of the usual ones
    unusual: u64,
    start: usize,
}

impl Part {
    /// Takes the place of the next backslash behind which something unusual stands.
    #[inline(always)]
    pub(super) fn next_unusual(&mut self) -> Option<usize> {
        (self.unusual != 0).then(|| {
            let place = self.start + self.unusual.trailing_zeros() as usize;
            self.unusual &= self.unusual - 1;
            place - 1
        })
    }
}

impl Seen {
    /// Where what was seen ends.
    #[inline(always)]
    pub(super) fn end(&self) -> usize {
        self.end
    }

    /// Looks on at `at`, past all blocks that are plain unless the next byte `is_escaped`, and gives where; `None` at the end.
    #[inline(always)]
    pub(super) fn look<S: Simd>(&mut self, simd: S, bytes: &[u8], mut at: usize, is_escaped: bool) -> Option<usize> {
        while let Some(block) = bytes.get(at..).and_then(<[u8]>::first_chunk::<BLOCK>) {
            let seen = Self::of(simd, block, at..at + BLOCK, is_escaped);
            if is_escaped || seen.marks() != 0 {
                *self = seen;
                return Some(at);
            }
            at += BLOCK;
            while let Some(blocks) = bytes[at..].first_chunk::<{ MANY * BLOCK }>()
                && are_plain(simd, blocks)
            {
                at += MANY * BLOCK;
            }
        }
        let rest = bytes.get(at..).filter(|rest| !rest.is_empty())?;
        let mut block = [b' '; BLOCK];
        block[..rest.len()].copy_from_slice(rest);
        *self = Self::of(simd, &block, at..bytes.len(), is_escaped);
        Some(at)
    }

    #[inline(always)]
    fn of<S: Simd>(simd: S, block: &[u8; BLOCK], Range { start, end }: Range<usize>, is_escaped: bool) -> Self {
        let bytes = u8x64::from_slice(simd, block);
        let which_are = |byte: u8| bytes.simd_eq(u8x64::splat(simd, byte)).to_bitmask();
        let (quotes, backslashes) = (which_are(b'"'), which_are(b'\\'));
        let controls = bytes.simd_le(u8x64::splat(simd, 0x1f)).to_bitmask();
        let letters = if backslashes == 0 && !is_escaped {
            0
        } else {
            quotes | backslashes | which_are(b'n') | which_are(b'r') | which_are(b't')
        };
        Self { start, end, quotes, backslashes, controls, letters }
    }

    #[inline(always)]
    fn marks(&self) -> u64 {
        self.quotes | self.backslashes | self.controls
    }

    /// The bits of what was seen from `at` on, which lies in it.
    #[inline(always)]
    fn behind(&self, at: usize) -> u64 {
        u64::MAX << (at - self.start)
    }

    /// Whether nothing but plain bytes stands between `at` and the next quote, or the end of what was seen.
    #[inline(always)]
    pub(super) fn is_plain(&self, at: usize) -> bool {
        let own = self.behind(at);
        (self.backslashes | self.controls) & own & up_to_lowest(self.quotes & own) == 0
    }

    /// The next quote from `at` on.
    #[inline(always)]
    pub(super) fn quote(&self, at: usize) -> Option<usize> {
        self.place(self.quotes & self.behind(at))
    }

    /// What is seen of a string from `at` on, where a byte stands that may be escaped by what was seen before.
    #[inline(always)]
    pub(super) fn part(&self, at: usize, is_escaped: bool) -> Part {
        let own = self.behind(at);
        let (escaped, is_open) = escaped(self.backslashes & own, is_escaped);
        let quotes = self.quotes & own & !escaped;
        let string = own & up_to_lowest(quotes);
        Part {
            end: self.place(quotes),
            has_control: self.controls & string != 0,
            is_open: is_open && quotes == 0,
            unusual: escaped & string & !self.letters,
            start: self.start,
        }
    }

    /// Where the first of these bits is.
    #[inline(always)]
    fn place(&self, bits: u64) -> Option<usize> {
        (bits != 0).then(|| self.start + bits.trailing_zeros() as usize)
    }

    /// The place, from `at` on, of the first byte that does not stand for itself in a JSON string: a quote, a backslash, a
    /// control character; the end where there is none. `at` is nowhere before the last place that was given, while `self` is the same.
    #[inline(always)]
    pub(super) fn plain_until<S: Simd>(&mut self, simd: S, bytes: &[u8], mut at: usize) -> usize {
        loop {
            if at >= self.end {
                let Some(place) = self.look(simd, bytes, at, false) else { return bytes.len() };
                at = place;
            }
            match self.place(self.marks() & self.behind(at)) {
                Some(place) => return place,
                None => at = self.end,
            }
        }
    }
}

/// All bits up to the lowest that is set, and that one; all there are where none is.
#[inline(always)]
fn up_to_lowest(bits: u64) -> u64 {
    bits ^ bits.wrapping_sub(1)
}

/// Which bytes are escaped, and whether the one behind the last is. Of backslashes that follow each other, each second one is
/// escaped by the one before it. To take what begins runs at even places from what may be escaped carries through those runs, and
/// leaves a bit behind each that is odd; the method is that of Langdale and Lemire, "Parsing gigabytes of JSON per second" (2019).
#[inline(always)]
fn escaped(backslashes: u64, is_first_escaped: bool) -> (u64, bool) {
    const ODD: u64 = 0xaaaa_aaaa_aaaa_aaaa;
    let first = u64::from(is_first_escaped);
    let escaping = backslashes & !first;
    let codes = (escaping << 1 | ODD).wrapping_sub(escaping) ^ ODD;
    (codes ^ (backslashes | first), (codes & backslashes) >> 63 != 0)
}

/// Whether all bytes of several blocks are plain. The least of each four tells whether one is a control character.
#[inline(always)]
fn are_plain<S: Simd>(simd: S, bytes: &[u8; MANY * BLOCK]) -> bool {
    let (blocks, _) = bytes.as_chunks::<BLOCK>();
    let [a, b, c, d] = [0, 1, 2, 3].map(|at| u8x64::from_slice(simd, &blocks[at]));
    let (quote, backslash) = (u8x64::splat(simd, b'"'), u8x64::splat(simd, b'\\'));
    let controls = a.min(b).min(c.min(d)).simd_le(u8x64::splat(simd, 0x1f));
    let stops = |block: u8x64<S>| block.simd_eq(quote) | block.simd_eq(backslash);
    !(controls | stops(a) | stops(b) | (stops(c) | stops(d))).any_true()
}

/// Whether these are a few bytes, as most keys and ids are, that all stand for themselves. It may say no where they do.
pub(super) fn is_short_and_plain(bytes: &[u8]) -> bool {
    let (Some(first), Some(last)) = (bytes.first_chunk().copied(), bytes.last_chunk().copied()) else {
        return bytes.iter().all(|byte| is_plain(*byte));
    };
    bytes.len() <= 16 && are_eight_plain(u64::from_le_bytes(first)) && are_eight_plain(u64::from_le_bytes(last))
}

/// The same of the eight bytes of a number. A borrow goes from a byte that is not plain into the next, never the other way.
fn are_eight_plain(bytes: u64) -> bool {
    const ONES: u64 = u64::MAX / 255;
    let below = |bytes: u64, limit: u64| bytes.wrapping_sub(ONES * limit) & !bytes;
    let is = |byte: u8| below(bytes ^ (ONES * u64::from(byte)), 1);
    (below(bytes, 0x20) | is(b'"') | is(b'\\')) & (ONES << 7) == 0
}

fn is_plain(byte: u8) -> bool {
    byte >= 0x20 && byte != b'"' && byte != b'\\'
}

#[cfg(test)]
mod tests {
    use fearless_simd::{Level, dispatch};
    use proptest::prelude::*;

    use super::*;

    /// Every kind of vector that this processor has.
    fn levels() -> Vec<Level> {
        let best = Level::new();
        #[cfg(target_arch = "x86_64")]
        let others =
            [best.as_sse2().map(Level::Sse2), best.as_sse4_2().map(Level::Sse4_2), best.as_avx2().map(Level::Avx2)];
        #[cfg(not(target_arch = "x86_64"))]
        let others = [None; 3];
        let mut levels: Vec<_> = others.into_iter().flatten().chain([best]).collect();
        levels.dedup_by_key(|level| format!("{level:?}"));
        levels
    }

    fn until(level: Level, bytes: &[u8], at: usize, seen: &mut Seen) -> usize {
        dispatch!(level, simd => seen.plain_until(simd, bytes, at))
    }

    #[test]
    fn a_short_text_is_plain_or_not() {
        for byte in 0..=u8::MAX {
            for (length, place) in (1..=16).flat_map(|length| (0..length).map(move |place| (length, place))) {
                let mut bytes = vec![b'!'; length];
                bytes[place] = byte;
                assert_eq!(is_short_and_plain(&bytes), is_plain(byte), "{byte} at {place} of {length}");
                bytes[(place + 1) % length] = 0xff;
                assert_eq!(is_short_and_plain(&bytes), length == 1 || is_plain(byte), "{byte} at {place} of {length}");
            }
        }
        assert!(is_short_and_plain(b"") && !is_short_and_plain(&[b'a'; 17]));
    }

    #[test]
    fn every_byte_at_every_place() {
        const BYTES: &[u8] = b"\"\\\x1f\xff \0\x01!#[]\x7f\x80\x9f\xa2\xdc";
        // Miri would take an hour for all.
        let (lengths, bytes, near): (&[usize], _, _) =
            if cfg!(miri) { (&[1, 9, 66], &BYTES[..4], 3) } else { (&[0, 1, 9, 63, 64, 65, 127, 200, 400], BYTES, 20) };
        for level in levels() {
            for (byte, length) in bytes.iter().flat_map(|byte| lengths.iter().map(move |length| (*byte, *length))) {
                for place in 0..length {
                    let mut bytes = vec![b'a'; length];
                    bytes[place] = byte;
                    let expected = if is_plain(byte) { length } else { place };
                    let seen = &mut Seen::default();
                    assert_eq!(until(level, &bytes, 0, seen), expected, "{byte} at {place} of {length}, {level:?}");
                    assert_eq!(until(level, &bytes, length.min(expected + 1), seen), length);
                    assert_eq!(until(level, &bytes, place + 1, &mut Seen::default()), length);
                    for other in (place + 1..length.min(place + near)).filter(|_| !is_plain(byte)) {
                        let seen = &mut Seen::default();
                        bytes[other] = b'"';
                        until(level, &bytes, 0, seen);
                        assert_eq!(until(level, &bytes, place + 1, seen), other, "{byte} at {place}, then at {other}");
                        bytes[other] = b'a';
                    }
                }
            }
        }
    }

    /// Where a string ends, the backslashes with something unusual behind them, and whether a control character is in it.
    type Told = (Option<usize>, Vec<usize>, bool);

    /// Told by one byte after the other.
    fn walked(bytes: &[u8], mut at: usize) -> Told {
        let (mut unusual, mut has_control) = (Vec::new(), false);
        while let Some(byte) = bytes.get(at) {
            match byte {
                b'"' => return (Some(at), unusual, has_control),
                b'\\' => {
                    if let Some(next) = bytes.get(at + 1).filter(|next| !br#""\nrt"#.contains(next)) {
                        unusual.push(at);
                        has_control |= *next < 0x20;
                    }
                    at += 1;
                }
                byte => has_control |= *byte < 0x20,
            }
            at += 1;
        }
        (None, unusual, has_control)
    }

    /// Told by what is seen.
    fn seen(level: Level, bytes: &[u8], mut at: usize) -> Told {
        let (mut seen, mut is_open) = (Seen::default(), false);
        let (mut unusual, mut has_control) = (Vec::new(), false);
        while let Some(place) = dispatch!(level, simd => seen.look(simd, bytes, at, is_open)) {
            let mut part = seen.part(place, is_open);
            if !is_open && seen.is_plain(place) {
                assert_eq!((part.end, part.has_control, part.is_open), (seen.quote(place), false, false));
                assert_eq!(part.next_unusual(), None);
            }
            (is_open, has_control) = (part.is_open, has_control | part.has_control);
            unusual.extend(std::iter::from_fn(|| part.next_unusual()));
            if part.end.is_some() {
                return (part.end, unusual, has_control);
            }
            at = seen.end();
        }
        // Behind the last byte there is nothing.
        unusual.retain(|place| place + 1 < bytes.len());
        (None, unusual, has_control)
    }

    proptest! {
        #![proptest_config(ProptestConfig { cases: if cfg!(miri) { 4 } else { 2000 }, ..ProptestConfig::default() })]

        #[test]
        fn strings_end_where_they_end(
            parts in proptest::collection::vec(
                prop_oneof![
                    6 => (0..90_usize).prop_map(|length| "é/u".repeat(length / 2)),
                    6 => (1..9_usize).prop_map(|length| r"\".repeat(length)),
                    2 => Just("n".to_owned()),
                    1 => Just("\"".to_owned()),
                    1 => Just("\u{1}".to_owned()),
                ],
                0..12,
            ),
            from in 0..9_usize,
        ) {
            let text = parts.concat();
            let from = from.min(text.len());
            let bytes = text.as_bytes();
            for level in levels() {
                prop_assert_eq!(seen(level, bytes, from), walked(bytes, from), "{:?} by {:?}", text, level);
            }
        }
    }
}
