//! JSON Pointers that lead to nothing any more: what is above them.

use wirecanon_core::json::{Value, resolve};

/// Yields a pointer and those above it, that of the whole last.
pub fn upwards(pointer: &str) -> impl Iterator<Item = &str> {
    std::iter::successors(Some(pointer), |below| below.rsplit_once('/').map(|(above, _)| above))
}

/// Returns the value at a pointer, or the innermost one above it.
pub fn nearest<'a>(root: Value<'a>, pointer: &str) -> Value<'a> {
    upwards(pointer).find_map(|pointer| resolve(root, pointer)).unwrap_or(root)
}
