//! Names of documents, and words beside them, where the target asks for both.

use std::borrow::Cow;
use std::collections::HashSet;

use super::super::Writer;
use super::ids::respell;
use crate::json::{Json, Limits, Value};
use crate::report::Severity;
use crate::rule::{self, Rule};
use crate::target::Names;
use crate::text;
use crate::transcript::{Block, BlockKind, File, Role, Transcript};

pub(super) fn run<'a>(transcript: &mut Transcript<'a>, writer: &mut Writer<'a, '_>) {
    if let Some(limits) = writer.target.file_names.clone() {
        names(transcript, &limits, writer);
    }
    if writer.target.media.words_beside_files {
        words_beside(transcript, writer);
    }
}

/// Recordings and films have no name.
fn is_document(file: &File<'_>) -> bool {
    !file.mime_type.starts_with("audio/") && !file.mime_type.starts_with("video/")
}

/// Every document gets a name that the target takes, and no two of them the same ("Messages can't contain duplicate
/// document names").
fn names<'a>(transcript: &mut Transcript<'a>, limits: &Names, writer: &mut Writer<'a, '_>) {
    // What is carried as it is keeps its name.
    let blocks = transcript.messages.iter().flat_map(|message| &message.blocks);
    let mut taken: HashSet<String> = blocks.filter_map(carried_name).map(|name| name.to_ascii_lowercase()).collect();
    for message in &mut transcript.messages {
        for block in &mut message.blocks {
            let BlockKind::File(file) = &mut block.kind else { continue };
            if !is_document(file) {
                continue;
            }
            let name = file.name.clone().unwrap_or_default();
            if accepts(limits, &name) && taken.insert(name.to_ascii_lowercase()) {
                continue;
            }
            let (rule, what): (&'static Rule, _) = if name.trim().is_empty() {
                (&rule::FILE_NAME_MISSING, "the target wants a name")
            } else if accepts(limits, &name) {
                (&rule::DUPLICATE_FILE_NAME, "the target wants each name once")
            } else {
                (&rule::FILE_NAME_CHARACTERS, "the target refuses this name")
            };
            let new = free(&spell(limits, &name), limits, &mut taken);
            let what = format!("{what}; the document is now called `{new}`");
            file.name = Some(Cow::Owned(new));
            block.dirty = true;
            message.dirty = true;
            writer.entry(rule, Severity::Adapt, block.source, Some(block.id), what);
        }
    }
}

fn accepts(limits: &Names, name: &str) -> bool {
    limits.accepts(name) && !name.contains("  ") && !name.trim().is_empty()
}

fn spell(limits: &Names, name: &str) -> String {
    let respelled = respell(name, limits.also.as_deref());
    let words: Vec<_> = respelled.split_whitespace().collect();
    let name: String = words.join(" ").chars().take(limits.max_length.unwrap_or(usize::MAX)).collect();
    let name = name.trim_end();
    if name.is_empty() { "document".to_owned() } else { name.to_owned() }
}

/// A name on this base that is not taken, whatever its case; it is taken then.
fn free(base: &str, limits: &Names, taken: &mut HashSet<String>) -> String {
    let mut candidate = base.to_owned();
    let mut count = 1;
    while !taken.insert(candidate.to_ascii_lowercase()) {
        count += 1;
        let suffix = format!("-{count}");
        let room = limits.max_length.unwrap_or(usize::MAX).saturating_sub(suffix.len());
        candidate = base.chars().take(room).collect::<String>() + &suffix;
    }
    candidate
}

/// The name of a document that canonical content only carries.
fn carried_name(block: &Block<'_>) -> Option<String> {
    match &block.kind {
        BlockKind::Opaque(opaque) => {
            let json = Json::parse(&opaque.value, &Limits::default()).ok()?;
            json.root().get("document").and_then(name_of)
        }
        BlockKind::Text(_) => {
            let fields = block.native.as_ref()?.of(crate::dialect::Dialect::BedrockConverse.name());
            let (_, value) = fields.iter().find(|(key, _)| key == "document")?;
            let json = Json::parse(value, &Limits::default()).ok()?;
            name_of(json.root())
        }
        _ => None,
    }
}

fn name_of(document: Value<'_>) -> Option<String> {
    document.get("name").and_then(Value::as_str).map(Cow::into_owned)
}

/// "If you include a ContentBlock with a document field in the array, you must also include a ContentBlock with a text
/// field."
fn words_beside<'a>(transcript: &mut Transcript<'a>, writer: &mut Writer<'a, '_>) {
    for at in 0..transcript.messages.len() {
        let message = &transcript.messages[at];
        let document = |block: &Block<'_>| match &block.kind {
            BlockKind::File(file) => is_document(file),
            _ => carried_name(block).is_some(),
        };
        let words = |block: &Block<'_>| block.text().is_some() && carried_name(block).is_none();
        if message.role != Role::User || !message.blocks.iter().any(document) || message.blocks.iter().any(words) {
            continue;
        }
        let block = Block::new(transcript.mint(), BlockKind::Text(Cow::Borrowed(text::EMPTY_MESSAGE)));
        let message = &mut transcript.messages[at];
        message.dirty = true;
        let (source, about) = (message.source, Some(message.id));
        message.blocks.insert(0, block);
        writer.entry(
            &rule::FILE_WITHOUT_WORDS,
            Severity::Adapt,
            source,
            about,
            "the target wants words beside a document; a text says that there are none",
        );
    }
}
