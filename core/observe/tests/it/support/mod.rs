pub(crate) mod comparing;
pub(crate) mod documents;
