//! How large a picture may be, decided by code of the judge's own.

use crate::judge::Judge;
use crate::media;
use wirecanon_json::Value;
use wirecanon_model::rule;

/// How many bytes of a picture are looked at.
const LOOKED_AT: usize = 3 << 16;

/// A picture by its base64: its length, and how wide and high it is. What counts only where there are many is said at the
/// end.
pub(super) fn judge(judge: &mut Judge<'_>, place: Value<'_>, text: &str) {
    let limits = &judge.target.media;
    let (max_base64, max_side, of_many) = (limits.max_base64, limits.max_side, limits.max_side_of_many);
    judge.pictures += 1;
    if let Some(max) = max_base64.filter(|max| text.len() > *max) {
        let words = format!("the base64 has {} characters, not {max} at most", text.len());
        judge.say(&rule::IMAGE_TOO_LARGE, place, words);
        return;
    }
    if max_side.is_none() && of_many.is_none() {
        return;
    }
    let Some(side) = longer_side(&media::first_bytes(text, LOOKED_AT)) else { return };
    if let Some(max) = max_side.filter(|max| side > *max) {
        judge.say(&rule::IMAGE_TOO_LARGE, place, format!("a side has {side} pixels, not {max} at most"));
    } else if of_many.is_some_and(|max| side > max) {
        judge.large.push(place.index());
    }
}

/// The longer side of a picture.
fn longer_side(bytes: &[u8]) -> Option<u32> {
    let number = |at: usize, count: usize, big: bool| {
        let digits = bytes.get(at..at + count)?;
        let value = |digit: (usize, &u8)| {
            let place = if big { count - 1 - digit.0 } else { digit.0 };
            u32::from(*digit.1) << (8 * place)
        };
        Some(digits.iter().enumerate().map(value).sum::<u32>())
    };
    let sides = |at: usize, count: usize, big: bool| Some(number(at, count, big)?.max(number(at + count, count, big)?));
    if bytes.starts_with(b"\x89PNG") {
        return sides(16, 4, true);
    }
    if bytes.starts_with(b"GIF8") {
        return sides(6, 2, false);
    }
    if bytes.starts_with(b"RIFF") {
        return match bytes.get(12..16)? {
            b"VP8X" => Some(sides(24, 3, false)? + 1),
            b"VP8 " => Some((number(26, 2, false)? & 0x3FFF).max(number(28, 2, false)? & 0x3FFF)),
            b"VP8L" => number(21, 4, false).map(|bits| (bits & 0x3FFF).max(bits >> 14 & 0x3FFF) + 1),
            _ => None,
        };
    }
    // A JPEG: segments up to the header of the frame.
    let mut at = if bytes.starts_with(b"\xFF\xD8") { 2 } else { return None };
    while bytes.get(at) == Some(&0xFF) {
        let kind = *bytes.get(at + 1)?;
        match kind {
            0xFF => at += 1,
            0x01 | 0xD0..=0xD8 => at += 2,
            0xD9 | 0xDA => return None,
            0xC0..=0xCF if !matches!(kind, 0xC4 | 0xC8 | 0xCC) => return sides(at + 5, 2, true),
            _ => at += 2 + (number(at + 2, 2, true)? as usize).max(2),
        }
    }
    None
}
