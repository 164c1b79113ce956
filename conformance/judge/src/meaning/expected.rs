//! Expected conversations that are read once, for many answers to one case.

use std::sync::OnceLock;

use wirecanon_core::json::Json;
use wirecanon_core::observe::{Observation, depends_on_reader, observe_for};
use wirecanon_core::{Dialect, Target};

use super::{Source, parse, shared_sources};
use crate::case::Case;

/// The document of the expected conversation of a case, parsed where it is needed.
#[derive(Debug)]
pub struct Document<'c> {
    case: &'c Case,
    parsed: OnceLock<Option<Parsed<'c>>>,
}

#[derive(Debug)]
struct Parsed<'c> {
    source: Source<'c>,
    json: Json<'c>,
    depends_on_reader: bool,
}

impl<'c> Document<'c> {
    /// Creates the document of a case.
    pub fn new(case: &'c Case) -> Self {
        Self { case, parsed: OnceLock::new() }
    }

    fn parsed(&self) -> Option<&Parsed<'c>> {
        let read = || {
            // The first one that is there: only where it cannot be observed is another one asked for.
            let source = shared_sources(self.case).next()?;
            let json = parse(source.text)?;
            let depends_on_reader = depends_on_reader(&json, source.dialect);
            Some(Parsed { source, json, depends_on_reader })
        };
        self.parsed.get_or_init(read).as_ref()
    }
}

/// The expected conversations of one case: one for each dialect of an answer, or one for all where none reads the document in its own way.
#[derive(Debug)]
pub struct Conversations<'d, 'c> {
    document: &'d Document<'c>,
    /// In the order of the dialects
    read: Vec<OnceLock<Option<Box<Observation<'d>>>>>,
}

/// An expected conversation, and the dialect that it was read from.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Expected<'e> {
    pub(super) observation: &'e Observation<'e>,
    pub(super) dialect: Dialect,
}

impl<'d, 'c> Conversations<'d, 'c> {
    /// Creates the conversations of a document.
    pub fn new(document: &'d Document<'c>) -> Self {
        Self { document, read: Dialect::ALL.iter().map(|_| OnceLock::new()).collect() }
    }

    /// Returns the conversation that is expected for a target; `None` where it must be looked for in another document.
    pub(crate) fn expected(&self, target: &Target) -> Option<Expected<'_>> {
        let Parsed { source, json, depends_on_reader } = self.document.parsed()?;
        let reader = if *depends_on_reader { target.dialect } else { source.dialect };
        let read = self.read.get(reader as usize)?;
        let observed = || observe_for(json, source.dialect, reader).ok().map(Box::new);
        let observation = read.get_or_init(observed).as_deref()?;
        Some(Expected { observation, dialect: source.dialect })
    }
}
