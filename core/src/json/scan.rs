//! Where the plain part of a string ends: the loop in which most of the time of parsing goes.

use wide::u8x16;

/// Bytes that a vector holds.
const STEP: usize = 16;

/// Bytes that are looked at together.
const BLOCK: usize = 4 * STEP;

/// What the last look saw: where escapes follow each other closely, the next ones were seen already.
#[derive(Default)]
pub(super) struct Seen {
    /// Where the bytes end that were looked at; 0 before the first look
    end: usize,
    /// One bit for each of them that is not plain, the last one's in front
    marks: u64,
}

/// The place, from `at` on, of the first byte that does not stand for itself in a JSON string: a quote, a backslash, a control
/// character; the end where there is none. `at` never goes back while `seen` is the same.
#[inline]
pub(super) fn plain_until(bytes: &[u8], mut at: usize, seen: &mut Seen) -> usize {
    if at < seen.end {
        let left = seen.end - at;
        let marks = seen.marks >> (u64::BITS as usize - left);
        if marks != 0 {
            return at + marks.trailing_zeros() as usize;
        }
        at = seen.end;
    } else if seen.end == 0
        && let Some(marks) = marks_at(bytes, at)
    {
        // Most strings are short.
        if marks != 0 {
            return seen.found(at, STEP, marks);
        }
        at += STEP;
    }
    while let Some(block) = bytes.get(at..).and_then(<[u8]>::first_chunk::<BLOCK>) {
        let [a, b, c, d] = four(block).map(|step| u64::from(marks(step).to_bitmask()));
        let marks = a | b << STEP | (c | d << STEP) << (2 * STEP);
        if marks != 0 {
            return seen.found(at, BLOCK, marks);
        }
        at += BLOCK;
        while let Some(block) = bytes[at..].first_chunk()
            && are_plain(four(block))
        {
            at += BLOCK;
        }
    }
    // Texts that are proved by themselves, arguments among them, often end before a block does.
    while let Some(marks) = marks_at(bytes, at) {
        if marks != 0 {
            return seen.found(at, STEP, marks);
        }
        at += STEP;
    }
    at + bytes[at..].iter().take_while(|byte| is_plain(**byte)).count()
}

impl Seen {
    /// Notes what was seen in so many bytes at `at`, and gives the place of the first mark, of which there is one.
    #[inline]
    fn found(&mut self, at: usize, length: usize, marks: u64) -> usize {
        *self = Self { end: at + length, marks: marks << (BLOCK - length) };
        at + marks.trailing_zeros() as usize
    }
}

/// The marks of one step of bytes; `None` where fewer are left.
#[inline]
fn marks_at(bytes: &[u8], at: usize) -> Option<u64> {
    bytes.get(at..).and_then(<[u8]>::first_chunk).map(|step| u64::from(marks(*step).to_bitmask()))
}

fn four(block: &[u8; BLOCK]) -> [[u8; STEP]; 4] {
    let (steps, _) = block.as_chunks();
    [steps[0], steps[1], steps[2], steps[3]]
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

/// Whether all bytes of several blocks are plain. The least of each four tells whether one is a control character.
#[inline]
fn are_plain(blocks: [[u8; STEP]; 4]) -> bool {
    let [a, b, c, d] = blocks.map(u8x16::new);
    let least = a.min(b).min(c.min(d));
    let controls = least.min(u8x16::splat(0x1f)).simd_eq(least);
    let stops = |block: u8x16| block.simd_eq(u8x16::splat(b'"')) | block.simd_eq(u8x16::splat(b'\\'));
    !(controls | stops(a) | stops(b) | (stops(c) | stops(d))).any()
}

/// All bits of each byte that is not plain.
#[inline]
fn marks(block: [u8; STEP]) -> u8x16 {
    let block = u8x16::new(block);
    block.min(u8x16::splat(0x1f)).simd_eq(block)
        | block.simd_eq(u8x16::splat(b'"'))
        | block.simd_eq(u8x16::splat(b'\\'))
}

#[cfg(test)]
mod tests {
    use super::*;

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
        // Miri would take half an hour for all.
        let lengths: &[usize] = if cfg!(miri) { &[1, 9, 17, 40] } else { &[0, 1, 7, 8, 9, 40, 63, 64, 65, 127, 200] };
        for byte in 0..=u8::MAX {
            for length in lengths.iter().copied() {
                for place in 0..length {
                    let mut bytes = vec![b'a'; length];
                    bytes[place] = byte;
                    let expected = bytes.iter().position(|byte| !is_plain(*byte)).unwrap_or(length);
                    let seen = &mut Seen::default();
                    assert_eq!(plain_until(&bytes, 0, seen), expected, "{byte} at {place} of {length}");
                    assert_eq!(plain_until(&bytes, place + 1, seen), length);
                    for other in (place + 1..length.min(place + 20)).filter(|_| !is_plain(byte)) {
                        let seen = &mut Seen::default();
                        bytes[other] = b'"';
                        plain_until(&bytes, 0, seen);
                        assert_eq!(plain_until(&bytes, place + 1, seen), other, "{byte} at {place}, then at {other}");
                        bytes[other] = b'a';
                    }
                }
            }
        }
    }
}
