//! Where the plain part of a string ends: the loop in which most of the time of parsing goes.

use wide::u8x16;

/// Bytes that are looked at in one step.
const STEP: usize = 16;

/// What the last step saw: where escapes follow each other closely, the next one was seen already.
#[derive(Default)]
pub(super) struct Seen {
    /// Where the step's bytes end; 0 before the first step
    end: usize,
    /// One bit for each of its bytes that is not plain
    marks: u32,
}

/// The place, from `at` on, of the first byte that does not stand for itself in a JSON string: a quote, a backslash, a control
/// character; the end where there is none. `at` never goes back while `seen` is the same.
#[inline]
pub(super) fn plain_until(bytes: &[u8], mut at: usize, seen: &mut Seen) -> usize {
    if at < seen.end {
        let marks = seen.marks >> (at + STEP - seen.end);
        if marks != 0 {
            return at + marks.trailing_zeros() as usize;
        }
        at = seen.end;
    }
    loop {
        // Near ends.
        for _ in 0..8 {
            let Some(block) = bytes.get(at..).and_then(<[u8]>::first_chunk) else {
                return at + bytes[at..].iter().take_while(|byte| is_plain(**byte)).count();
            };
            let marks = marks(*block).to_bitmask();
            if marks != 0 {
                *seen = Seen { end: at + STEP, marks };
                return at + marks.trailing_zeros() as usize;
            }
            at += STEP;
        }
        // Far ones.
        while let Some([a, b, c, d]) = bytes[at..].as_chunks().0.first_chunk()
            && !(marks(*a) | marks(*b) | marks(*c) | marks(*d)).any()
        {
            at += 4 * STEP;
        }
    }
}

fn is_plain(byte: u8) -> bool {
    byte >= 0x20 && byte != b'"' && byte != b'\\'
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
