//! Bytes for those who have none of their own.

/// Bytes that look like noise, the same for the same seed on every machine.
///
/// ```
/// use wirecanon_generate::noise;
///
/// assert_eq!(noise(7, 600), noise(7, 600));
/// assert_eq!(noise(7, 9)[..3], noise(7, 3)[..], "more bytes open as fewer do");
/// ```
pub fn noise(seed: u64, length: usize) -> Vec<u8> {
    let mut state = seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1;
    let mut out = Vec::with_capacity(length + 8);
    while out.len() < length {
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        out.extend(state.wrapping_mul(0x2545_f491_4f6c_dd1d).to_le_bytes());
    }
    out.truncate(length);
    out
}

/// The bytes that number `index` of a run is drawn from: at most `most`, the same for the same seed on every machine, and
/// independent of how many others there are. `attempt` counts from 0, for those whose first bytes did not do.
///
/// How long they are is drawn too: many short documents and some long ones find more than documents of one length.
///
/// ```
/// use wirecanon_generate::stream;
///
/// let run: Vec<_> = (0..3).map(|index| stream(7, index, 0, 1200)).collect();
/// assert!(run.iter().all(|bytes| bytes.len() <= 1200) && run[0] != run[1]);
/// assert_eq!(run[2], stream(7, 2, 0, 1200), "without those before it");
/// ```
pub fn stream(seed: u64, index: u64, attempt: u64, most: usize) -> Vec<u8> {
    let own = mixed(seed.wrapping_add(mixed(index)).wrapping_add(mixed(!attempt)));
    // The upper half of a number says how long, the whole of it what.
    let choices = u64::try_from(most).unwrap_or(u64::MAX).saturating_add(1);
    noise(own, usize::try_from((own >> 32) % choices).unwrap_or(most))
}

/// One step of `SplitMix64`: near numbers become far ones.
fn mixed(number: u64) -> u64 {
    let mut z = number.wrapping_add(0x9e37_79b9_7f4a_7c15);
    z = (z ^ z >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    z = (z ^ z >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
    z ^ z >> 31
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_stream_is_the_documented_one() {
        // The first number of SplitMix64 from seed 0, as its author prints it.
        assert_eq!(mixed(0), 0xe220_a839_7b1d_cdaf);
        assert_eq!(noise(0, 8), [0x5d, 0xc4, 0x01, 0x4f, 0x62, 0xcf, 0xfa, 0xba]);
        assert_eq!(noise(1, 3)[..], noise(1, 9)[..3]);
    }

    #[test]
    fn each_of_a_run_has_bytes_of_its_own() {
        let mut known = std::collections::HashSet::new();
        for seed in 0..4 {
            for index in 0..200 {
                for attempt in 0..2 {
                    assert!(known.insert(stream(seed, index, attempt, 1 << 12)), "{seed} {index} {attempt}");
                    assert!(stream(seed, index, attempt, 7).len() <= 7);
                }
            }
        }
        let mean: usize = (0..1000).map(|index| stream(5, index, 0, 1000).len()).sum::<usize>() / 1000;
        assert!((450..550).contains(&mean), "{mean}");
    }
}
