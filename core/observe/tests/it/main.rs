//! Integration tests, in one program: a module for each topic.

mod added;
mod crates;
mod dialects;
mod equivalences;
mod hostile;
mod notes;
mod own_dialect;
mod support;
mod unreadable;
mod values;
