//! Integration tests, in one program: a module for each topic.

mod hostile;
mod instances;
mod strategies;
