//! Pictures and documents whose bytes are what they say, each unlike all others.

use super::Draw;

/// A picture.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Picture {
    pub(crate) base64: String,
    pub(crate) mime: &'static str,
}

/// A picture with `mark` in its bytes.
pub(crate) fn picture(draw: &mut Draw<'_, '_>, mark: &str, gifs: bool) -> Picture {
    let (bytes, mime) = match draw.up_to(2) {
        1 if gifs => (gif(mark), "image/gif"),
        2 => (jpeg(mark), "image/jpeg"),
        _ => (png(mark), "image/png"),
    };
    Picture { base64: base64(&bytes), mime }
}

pub(crate) fn png(mark: &str) -> Vec<u8> {
    let mut out = b"\x89PNG\r\n\x1a\n".to_vec();
    chunk(&mut out, *b"IHDR", &[0, 0, 0, 1, 0, 0, 0, 1, 8, 0, 0, 0, 0]);
    chunk(&mut out, *b"tEXt", format!("Comment\0{mark}").as_bytes());
    // One grey pixel: a zlib stream with one stored block, `00 00`.
    chunk(&mut out, *b"IDAT", &[0x78, 0x01, 0x01, 2, 0, 0xfd, 0xff, 0, 0, 0, 2, 0, 1]);
    chunk(&mut out, *b"IEND", &[]);
    out
}

fn chunk(out: &mut Vec<u8>, kind: [u8; 4], data: &[u8]) {
    let length = u32::try_from(data.len()).unwrap_or(0);
    out.extend(length.to_be_bytes());
    let start = out.len();
    out.extend(kind);
    out.extend(data);
    let check = crc32fast::hash(&out[start..]);
    out.extend(check.to_be_bytes());
}

pub(crate) fn gif(mark: &str) -> Vec<u8> {
    let mut out = b"GIF89a\x01\0\x01\0\x80\0\0\0\0\0\xff\xff\xff\x21\xfe".to_vec();
    out.push(u8::try_from(mark.len()).unwrap_or(0));
    out.extend(mark.as_bytes());
    out.extend(b"\0\x2c\0\0\0\0\x01\0\x01\0\0\x02\x02\x44\x01\0\x3b");
    out
}

pub(crate) fn jpeg(mark: &str) -> Vec<u8> {
    let mut out = b"\xff\xd8\xff\xe0\0\x10JFIF\0\x01\x01\0\0\x01\0\x01\0\0\xff\xfe".to_vec();
    out.extend(u16::try_from(mark.len() + 2).unwrap_or(2).to_be_bytes());
    out.extend(mark.as_bytes());
    out.extend(b"\xff\xd9");
    out
}

/// A PDF of no pages, whose base64 has padding.
pub(crate) fn pdf(mark: &str) -> String {
    let mut text = format!("%PDF-1.4\n%{mark}\ntrailer<<>>\n%%EOF\n");
    if text.len().is_multiple_of(3) {
        text.push('\n');
    }
    base64(text.as_bytes())
}

/// A short WAV file, for recordings.
pub(crate) fn wav(mark: &str) -> String {
    let mut out =
        b"RIFF\x24\0\0\0WAVEfmt \x10\0\0\0\x01\0\x01\0\x40\x1f\0\0\x40\x1f\0\0\x01\0\x08\0data\0\0\0\0".to_vec();
    out.extend(mark.as_bytes());
    base64(&out)
}

/// Canonical base64: standard alphabet, padded.
pub(crate) fn base64(bytes: &[u8]) -> String {
    const ALPHABET: &[u8; 64] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    let mut out = String::with_capacity(bytes.len().div_ceil(3) * 4);
    for group in bytes.chunks(3) {
        let word = group.iter().fold(0_u32, |word, byte| word << 8 | u32::from(*byte)) << (8 * (3 - group.len()));
        for place in 0..4 {
            if place <= group.len() {
                out.push(char::from(ALPHABET[(word >> (18 - 6 * place) & 63) as usize]));
            } else {
                out.push('=');
            }
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn base64_is_that_of_rfc_4648() {
        for (text, code) in [("", ""), ("f", "Zg=="), ("fo", "Zm8="), ("foo", "Zm9v"), ("foobar", "Zm9vYmFy")] {
            assert_eq!(base64(text.as_bytes()), code);
        }
    }

    #[test]
    fn the_check_sum_of_a_png_chunk_is_that_of_the_specification() {
        // The empty IEND chunk has a well-known check sum.
        assert!(png("mark").ends_with(b"IEND\xae\x42\x60\x82"));
    }
}
