//! `langchain`: serialized messages of LangChain.

pub(crate) mod block;
pub(crate) mod calls;
pub(crate) mod kwargs;
pub(crate) mod read;
pub(crate) mod write;
