//! What the tests of several targets share.

pub(crate) mod planted;
pub(crate) mod smoke;
pub(crate) mod sweep;
