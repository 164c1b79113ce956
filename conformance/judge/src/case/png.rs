//! Pictures of any size whose bytes can be told from their size alone.
//!
//! The file is written here and not by a compressor: cases are for ever, so the same size must make the same bytes with every
//! version of every library, and with the program that somebody else writes from the page about cases.

/// The largest width and height. A picture of it has sixty thousand bytes or so.
pub(super) const LARGEST: u64 = 20_000;

const SIGNATURE: &[u8] = b"\x89PNG\r\n\x1a\n";
/// Length, name and checksum of a chunk.
const FRAME: usize = 12;

/// The file of a black picture: one bit a pixel, no filter, one block of fixed codes.
///
/// `None` when a side is 0 or over [`LARGEST`].
pub(super) fn black(width: u64, height: u64) -> Option<Vec<u8>> {
    if !(1..=LARGEST).contains(&width) || !(1..=LARGEST).contains(&height) {
        return None;
    }
    let mut header = Vec::with_capacity(13);
    header.extend(u32::try_from(width).ok()?.to_be_bytes());
    header.extend(u32::try_from(height).ok()?.to_be_bytes());
    // One bit, grey, and the only compression, filter and order that there is.
    header.extend([1, 0, 0, 0, 0]);
    // A row is its filter, which is none, and its pixels: zeros alone.
    let zeros = height * (1 + width.div_ceil(8));
    let mut file = SIGNATURE.to_vec();
    chunk(&mut file, *b"IHDR", &header);
    chunk(&mut file, *b"IDAT", &deflated_zeros(zeros));
    chunk(&mut file, *b"IEND", &[]);
    Some(file)
}

/// The same picture in a file of exactly `length` bytes: a private chunk of zeros stands before its end.
///
/// `None` when the file is longer without it, or shorter by less than a chunk takes.
pub(super) fn padded(mut file: Vec<u8>, length: usize) -> Option<Vec<u8>> {
    if file.len() == length {
        return Some(file);
    }
    let zeros = length.checked_sub(file.len() + FRAME)?;
    file.truncate(file.len() - FRAME);
    chunk(&mut file, *b"waPd", &vec![0; zeros]);
    chunk(&mut file, *b"IEND", &[]);
    Some(file)
}

fn chunk(file: &mut Vec<u8>, name: [u8; 4], data: &[u8]) {
    file.extend((data.len() as u32).to_be_bytes());
    let start = file.len();
    file.extend(name);
    file.extend(data);
    let sum = crc32fast::hash(&file[start..]);
    file.extend(sum.to_be_bytes());
}

/// A zlib stream of zeros in the fewest words: one literal zero, then copies of it, 258 at a time, in the fixed codes of
/// RFC 1951.
fn deflated_zeros(count: u64) -> Vec<u8> {
    let mut bits = Bits { bytes: vec![0x78, 0x01], free: 0 };
    // The last block, of fixed codes.
    bits.number(1, 1);
    bits.number(1, 2);
    let copies = (count - 1) / 258;
    let rest = count - copies * 258;
    for _ in 0..rest {
        bits.code(0b0011_0000, 8);
    }
    for _ in 0..copies {
        // Length 258, distance 1.
        bits.code(0b1100_0101, 8);
        bits.code(0, 5);
    }
    // The end of the block.
    bits.code(0, 7);
    let mut out = bits.bytes;
    // Adler-32 of zeros: the sum stays 1, the sum of sums is the count.
    let sums = ((count % 65_521) as u32) << 16 | 1;
    out.extend(sums.to_be_bytes());
    out
}

/// Bits, the lowest first.
struct Bits {
    bytes: Vec<u8>,
    /// Bits of the last byte that are not used
    free: u32,
}

impl Bits {
    fn bit(&mut self, bit: u32) {
        if self.free == 0 {
            self.bytes.push(0);
            self.free = 8;
        }
        if let Some(last) = self.bytes.last_mut() {
            *last |= ((bit & 1) as u8) << (8 - self.free);
        }
        self.free -= 1;
    }

    /// A number, the lowest bit first.
    fn number(&mut self, value: u32, width: u32) {
        (0..width).for_each(|at| self.bit(value >> at));
    }

    /// A code, the highest bit first.
    fn code(&mut self, value: u32, width: u32) {
        (0..width).rev().for_each(|at| self.bit(value >> at));
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use sha2::{Digest, Sha256};

    fn decoded(file: &[u8]) -> (u32, u32, bool) {
        let mut reader = png::Decoder::new(std::io::Cursor::new(file)).read_info().unwrap();
        let mut pixels = vec![1; reader.output_buffer_size().unwrap()];
        let frame = reader.next_frame(&mut pixels).unwrap();
        // The checksum of the last chunk is read too.
        reader.finish().unwrap();
        (frame.width, frame.height, pixels.iter().all(|byte| *byte == 0))
    }

    #[test]
    fn another_program_reads_the_pictures() {
        for (width, height) in [(1, 1), (7, 3), (8, 32), (257, 1), (258, 2), (2_400, 100), (8_001, 8_001), (1, 20_000)]
        {
            let file = black(width, height).unwrap();
            assert_eq!(decoded(&file), (width as u32, height as u32, true), "{width}x{height}");
        }
        assert_eq!((black(0, 1), black(1, 0), black(LARGEST + 1, 1)), (None, None, None));
    }

    #[test]
    fn a_picture_is_padded_to_the_byte() {
        let plain = black(3, 3).unwrap();
        for length in [plain.len(), plain.len() + FRAME, plain.len() + 100, 70_000] {
            let file = padded(plain.clone(), length).unwrap();
            assert_eq!((file.len(), decoded(&file)), (length, (3, 3, true)));
        }
        assert_eq!(padded(plain.clone(), plain.len() + FRAME - 1), None);
        assert_eq!(padded(plain.clone(), plain.len() - 1), None);
    }

    /// These bytes stand in frozen suites.
    #[test]
    fn the_bytes_never_change() {
        let digest =
            |file: Vec<u8>| Sha256::digest(file).iter().fold(String::new(), |out, byte| format!("{out}{byte:02x}"));
        let one = black(1, 1).unwrap();
        assert_eq!(
            base64_simd::STANDARD.encode_to_string(&one),
            "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABAQAAAAA3bvkkAAAACklEQVR4AWNgAAAAAgABc3UBGAAAAABJRU5ErkJggg=="
        );
        assert_eq!(digest(one), "836c5e8c94b74be78456122528bb2a44b4cf61b3922f211e2bae5bf327f95f09");
        assert_eq!(
            digest(padded(black(8_001, 8_001).unwrap(), 100_000).unwrap()),
            "60cb4840f47c60385018337fa96a8d3a7ea50d58a766ad4aa0b1074456d51102"
        );
    }
}
