//! Modules a second of `wasm-smith`, a generator of another field: `COUNT SECONDS`, prints count, seconds, invalid, bytes.
#![forbid(unsafe_code)]

use std::time::{Duration, Instant};

use arbitrary::Unstructured;
use wasm_smith::{Config, Module};

/// Bytes that one module may be made of.
const BYTES: usize = 2048;

fn main() {
    let number = |at| std::env::args().nth(at).and_then(|text| text.parse::<u64>().ok()).expect("COUNT SECONDS");
    let (count, seconds) = (number(1), Duration::from_secs(number(2)));
    let inputs: Vec<Vec<u8>> = (0..count).map(|seed| noise(seed, BYTES)).collect();
    let mut modules = Vec::new();
    let start = Instant::now();
    let worked = worked();
    for input in &inputs {
        let module = Module::new(Config::default(), &mut Unstructured::new(input));
        modules.extend(module.map(|module| module.to_bytes()));
        if modules.len().is_multiple_of(64) && since(worked, start) > seconds.as_secs_f64() {
            break;
        }
    }
    let seconds = since(worked, start);
    let all = wasmparser::WasmFeatures::all();
    let holds = |module: &[u8]| wasmparser::Validator::new_with_features(all).validate_all(module).is_ok();
    let invalid = modules.iter().filter(|module| !holds(module)).count();
    let bytes: usize = modules.iter().map(Vec::len).sum();
    println!("{}\t{seconds}\t{invalid}\t{}", modules.len(), bytes / modules.len().max(1));
}

/// Seconds that this thread has worked, by Linux.
fn worked() -> Option<f64> {
    let text = std::fs::read_to_string("/proc/thread-self/schedstat").ok()?;
    Some(text.split(' ').next()?.parse::<f64>().ok()? / 1e9)
}

/// Seconds since then; elsewhere by the clock.
fn since(then: Option<f64>, start: Instant) -> f64 {
    worked().zip(then).map_or_else(|| start.elapsed().as_secs_f64(), |(now, then)| now - then)
}

/// Bytes that look like noise, the same for the same seed.
fn noise(seed: u64, length: usize) -> Vec<u8> {
    let mut state = seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1;
    let mut next = || {
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        state.wrapping_mul(0x2545_f491_4f6c_dd1d).to_le_bytes()
    };
    (0..length.div_ceil(8)).flat_map(|_| next()).take(length).collect()
}
