//! The adapters of published packages as files.
//!
//! This folder is a package of its own, because `cargo package` packs only what is below a manifest. The crate `wirecanon-runner` reads the
//! manifests, and installs and starts adapters.
#![forbid(unsafe_code)]
#![warn(missing_docs)]

/// Path below the folder of adapters, and bytes of every file.
pub static FILES: &[(&str, &[u8])] = include!(concat!(env!("OUT_DIR"), "/adapters.rs"));
