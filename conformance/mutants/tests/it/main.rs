//! Integration tests, in one program: a module for each topic.

mod planted;
