//! Generated transcripts, for tests that go two ways with many.

use arbitrary::Unstructured;
use wirecanon_generate::{Dialect, Generated, broken, noise, valid};

/// The transcript of a round, made of so many bytes of noise: of so many rounds one gives a valid one, the others a broken one.
pub(crate) fn transcript(dialect: Dialect, round: u64, length: usize, one_is_valid: u64) -> Generated {
    let bytes = noise(round, length);
    let u = &mut Unstructured::new(&bytes);
    if round.is_multiple_of(one_is_valid) { valid(u, dialect) } else { broken(u, dialect) }
}
