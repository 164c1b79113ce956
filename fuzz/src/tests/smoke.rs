//! What every target is run on by `cargo test`.

use std::fs;
use std::path::Path;

use wirecanon_generate::noise;

use crate::change::{Picks, change};

/// How many times as long a test shall run: `WIRECANON_SMOKE`, where no fuzzer is at hand.
pub(crate) fn times() -> usize {
    std::env::var("WIRECANON_SMOKE").ok().and_then(|times| times.parse().ok()).unwrap_or(1)
}

/// Runs a target on noise of any length.
pub(crate) fn each_noise(rounds: u64, longest: usize, body: impl Fn(&[u8])) {
    let rounds = rounds * times() as u64;
    let picks = &mut Picks::new(rounds);
    for round in 0..rounds {
        body(&noise(round, picks.below(longest)));
    }
}

/// Runs a target on noise, and on changed inputs of the corpus and the seeds of its own folder.
pub(crate) fn each_document(rounds: usize, body: impl Fn(&[u8])) {
    each_noise(rounds as u64 / 4, 60, &body);
    let seeds: Vec<_> =
        wirecanon::corpus::load().expect("a well-formed corpus").into_iter().map(|case| case.input).collect();
    let picks = &mut Picks::new(1);
    for round in 0..rounds * times() {
        let seed = &seeds[picks.below(seeds.len())];
        let Ok(mut text) = String::from_utf8(seed.clone()) else { continue };
        for _ in 0..round % 4 {
            text = change(&text, &mut |limit| picks.below(limit)).unwrap_or(text);
        }
        body(text.as_bytes());
        let mut bytes = text.into_bytes();
        match picks.below(4) {
            0 => bytes.truncate(picks.below(bytes.len())),
            1 => {
                let place = picks.below(bytes.len());
                bytes[place] = b"\"{}[],:0\\x\xff"[picks.below(11)];
            }
            _ => continue,
        }
        body(&bytes);
    }
}

/// Runs a target on the files of its folder of seeds.
pub(crate) fn each_seed(target: &str, body: impl Fn(&[u8])) {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("seeds").join(target);
    let mut files: Vec<_> = fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()).collect();
    files.sort();
    assert!(files.len() >= 5, "too few seeds for {target}");
    for file in files {
        body(&fs::read(file).unwrap());
    }
}
