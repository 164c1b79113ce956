//! The fuzz targets of wirecanon.
//!
//! | target | what it takes | what it asserts |
//! |---|---|---|
//! | [`fix_bytes`] | any bytes | every conversion ends in an output or a typed error; the two promises; P1; P6 |
//! | [`transcript`] | a generated transcript, valid or broken | every invariant, in one conversion |
//!
//! A body is a function of the library with a smoke test beside it, so `cargo test` runs every target on stable Rust. A
//! file in `fuzz_targets/` is two lines: under cargo-fuzz it hands the body to libFuzzer, otherwise it is a program that
//! replays the files it is given:
//!
//! ```text
//! cargo +nightly fuzz run transcript -s none --fuzz-dir fuzz
//! cargo run -p wirecanon-fuzz --bin transcript -- fuzz/artifacts/transcript/crash-…
//! ```
#![forbid(unsafe_code)]
#![warn(missing_docs)]

pub mod fix_bytes;
pub mod replay;
pub mod transcript;

/// Defines a fuzz target: libFuzzer's entry under `cfg(fuzzing)`, else a `main` that replays files.
#[macro_export]
macro_rules! target {
    ($name:ident) => {
        #[cfg(fuzzing)]
        libfuzzer_sys::fuzz_target!(|data: &[u8]| $crate::$name::run(data));
        #[cfg(not(fuzzing))]
        fn main() -> std::process::ExitCode {
            $crate::replay::main($crate::$name::run)
        }
    };
}

#[cfg(test)]
mod noise {
    //! Bytes that look like noise, the same on every machine.

    #[derive(Debug)]
    pub(crate) struct Noise(u64);

    impl Noise {
        pub(crate) fn new(seed: u64) -> Self {
            Self(seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1)
        }

        pub(crate) fn next(&mut self) -> u64 {
            self.0 ^= self.0 << 13;
            self.0 ^= self.0 >> 7;
            self.0 ^= self.0 << 17;
            self.0.wrapping_mul(0x2545_f491_4f6c_dd1d) >> 8
        }

        pub(crate) fn below(&mut self, limit: usize) -> usize {
            usize::try_from(self.next() % limit.max(1) as u64).unwrap_or(0)
        }

        pub(crate) fn bytes(&mut self, length: usize) -> Vec<u8> {
            (0..length).map(|_| self.next().to_le_bytes()[0]).collect()
        }
    }
}
