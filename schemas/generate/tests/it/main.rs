//! Integration tests, in one program: a module for each topic.

mod catalogue_rows;
mod hostile;
mod instances;
mod strategies;
