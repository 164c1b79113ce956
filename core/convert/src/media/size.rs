//! How wide and high a picture is, by its header.

/// How much of the base64 is looked at: the size of a JPEG may stand behind a preview and a profile.
const LOOKED_AT: usize = 1 << 18;

/// Width and height of the picture in canonical base64; `None` where the header does not say, or not in its first part.
pub(crate) fn of_base64(data: &str) -> Option<(u32, u32)> {
    let head = &data.as_bytes()[..data.len().min(LOOKED_AT)];
    of(&base64_simd::STANDARD.decode_to_vec(head).ok()?)
}

/// Width and height of a PNG, GIF, WebP or JPEG.
fn of(bytes: &[u8]) -> Option<(u32, u32)> {
    match bytes {
        [0x89, b'P', b'N', b'G', ..] => Some((big(bytes, 16, 4)?, big(bytes, 20, 4)?)),
        [b'G', b'I', b'F', ..] => Some((little(bytes, 6, 2)?, little(bytes, 8, 2)?)),
        [b'R', b'I', b'F', b'F', ..] => webp(bytes),
        [0xFF, 0xD8, ..] => jpeg(bytes),
        _ => None,
    }
}

fn big(bytes: &[u8], at: usize, count: usize) -> Option<u32> {
    Some(bytes.get(at..at + count)?.iter().fold(0, |number, byte| number << 8 | u32::from(*byte)))
}

fn little(bytes: &[u8], at: usize, count: usize) -> Option<u32> {
    Some(bytes.get(at..at + count)?.iter().rev().fold(0, |number, byte| number << 8 | u32::from(*byte)))
}

fn webp(bytes: &[u8]) -> Option<(u32, u32)> {
    match bytes.get(12..16)? {
        b"VP8X" => Some((little(bytes, 24, 3)? + 1, little(bytes, 27, 3)? + 1)),
        b"VP8L" => {
            let bits = little(bytes, 21, 4)?;
            Some(((bits & 0x3FFF) + 1, (bits >> 14 & 0x3FFF) + 1))
        }
        b"VP8 " => Some((little(bytes, 26, 2)? & 0x3FFF, little(bytes, 28, 2)? & 0x3FFF)),
        _ => None,
    }
}

/// The size stands in the first frame header (SOF0 to SOF15, but for DHT, JPG and DAC).
fn jpeg(bytes: &[u8]) -> Option<(u32, u32)> {
    let mut at = 2;
    loop {
        while bytes.get(at) == Some(&0xFF) && bytes.get(at + 1) == Some(&0xFF) {
            at += 1;
        }
        if bytes.get(at) != Some(&0xFF) {
            return None;
        }
        match *bytes.get(at + 1)? {
            0xC0..=0xC3 | 0xC5..=0xC7 | 0xC9..=0xCB | 0xCD..=0xCF => {
                return Some((big(bytes, at + 7, 2)?, big(bytes, at + 5, 2)?));
            }
            0x01 | 0xD0..=0xD8 => at += 2,
            0xD9 | 0xDA => return None,
            _ => at += 2 + (big(bytes, at + 2, 2)? as usize).max(2),
        }
    }
}

#[cfg(test)]
mod tests {
    use crate::media::size::of;

    #[test]
    fn each_kind_says_its_size() {
        let png = b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR\0\0\x1F\x41\0\0\0\x02";
        assert_eq!(of(png), Some((8001, 2)));
        assert_eq!(of(b"GIF89a\x01\x20\x02\x00"), Some((0x2001, 2)));
        assert_eq!(of(b"RIFF\0\0\0\0WEBPVP8X\x0a\0\0\0\0\0\0\0\x40\x1F\0\x01\0\0"), Some((8001, 2)));
        assert_eq!(of(b"RIFF\0\0\0\0WEBPVP8 \x0a\0\0\0\0\0\0\x9d\x01\x2a\x41\x1F\x02\0"), Some((8001, 2)));
        assert_eq!(of(b"RIFF\0\0\0\0WEBPVP8L\x0a\0\0\0\x2f\x40\x5F\0\0"), Some((8001, 2)));
        let jpeg = b"\xFF\xD8\xFF\xE0\0\x04ab\xFF\xFF\xC0\0\x11\x08\0\x02\x1F\x41\x03";
        assert_eq!(of(jpeg), Some((8001, 2)));
    }

    #[test]
    fn a_header_that_ends_early_says_nothing() {
        for bytes in [
            &b"\x89PNG\r\n"[..],
            b"GIF89a\x01",
            b"RIFF\0\0\0\0WEBPVP8X",
            b"\xFF\xD8\xFF\xE0\xFF\xFF",
            b"\xFF\xD8\xFF\xDA\0\x02",
            b"\xFF\xD8",
            b"BM",
            b"",
        ] {
            assert_eq!(of(bytes), None, "{bytes:?}");
        }
    }
}
