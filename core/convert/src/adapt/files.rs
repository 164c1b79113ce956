//! Names of documents, and words beside them, where the target asks for both.

use std::borrow::Cow;
use std::collections::{HashMap, HashSet};

use crate::print::Writer;
use wirecanon_json::{Json, Limits, Value, quote};
use wirecanon_model::rule::{self, Rule};
use wirecanon_model::target::{Names, document_name};
use wirecanon_model::transcript::{Block, BlockKind, File, Role, Transcript};
use wirecanon_model::{Dialect, text};

pub(crate) fn run<'a>(transcript: &mut Transcript<'a>, writer: &mut Writer<'a, '_>) {
    if let Some(limits) = writer.target.file_names.clone() {
        names(transcript, &limits, writer);
    }
    if let Some(most) = writer.target.media.max_title {
        titles(transcript, most, writer);
    }
    if writer.target.media.words_beside_files {
        words_beside(transcript, writer);
    }
}

/// "`document.title`: String should have at most 500 characters": a longer title is cut.
fn titles<'a>(transcript: &mut Transcript<'a>, most: usize, writer: &mut Writer<'a, '_>) {
    const KEY: &str = "title";
    let dialect = writer.target.dialect.name();
    let cut = |title: &str| title.char_indices().nth(most).map(|(end, _)| title[..end].to_owned());
    for block in transcript.messages.iter_mut().flat_map(|message| &mut message.blocks) {
        let changed = match &mut block.kind {
            BlockKind::File(file) => {
                let short = file.name.as_deref().and_then(cut);
                short.map(|short| file.name = Some(short.into())).is_some()
            }
            // Items of other dialects are lines by now.
            BlockKind::Opaque(item) => {
                let short = document_title(&item.value).and_then(|title| cut(&title));
                let value = short.and_then(|short| with_name(&item.value, &[KEY], &short));
                value.map(|value| item.value = value.into()).is_some()
            }
            BlockKind::Text(_) => {
                let carried = block.native.as_mut().and_then(|native| native.get_mut(dialect, KEY));
                let short = carried.as_ref().and_then(|title| string_of(title)).and_then(|title| cut(&title));
                carried.zip(short).map(|(title, short)| *title = quote(&short).into()).is_some()
            }
            _ => false,
        };
        if changed {
            let what = format!("the server takes titles of {most} characters; the title was cut");
            writer.adapt(&rule::FILE_NAME_CHARACTERS, block, what);
            block.projected = false;
        }
    }
}

fn document_title(item: &str) -> Option<String> {
    let json = Json::parse(item, &Limits { max_depth: usize::MAX }).ok()?;
    let root = json.root();
    let is_document = root.get("type").is_some_and(|kind| kind.is_str("document"));
    root.get("title").filter(|_| is_document).and_then(Value::as_str).map(Cow::into_owned)
}

fn string_of(text: &str) -> Option<String> {
    Json::parse(text, &Limits::default()).ok()?.root().as_str().map(Cow::into_owned)
}

/// Recordings and films are none: they have no name.
pub(crate) fn is_document(file: &File<'_>) -> bool {
    !file.mime_type.starts_with("audio/") && !file.mime_type.starts_with("video/")
}

/// Every document gets a name that the target takes, and no two of them the same ("Messages can't contain duplicate
/// document names"). What is valid keeps its spelling.
fn names<'a>(transcript: &mut Transcript<'a>, limits: &Names, writer: &mut Writer<'a, '_>) {
    let blocks = transcript.messages.iter().flat_map(|message| &message.blocks);
    let names = blocks.filter_map(|block| match &block.kind {
        BlockKind::File(file) => file.name.as_deref().map(str::to_owned),
        _ => carried_name(block),
    });
    let mut taken = Taken {
        reserved: names.filter(|name| accepts(limits, name)).map(|name| name.to_ascii_lowercase()).collect(),
        used: HashSet::new(),
        counts: HashMap::new(),
    };
    for block in transcript.messages.iter_mut().flat_map(|message| &mut message.blocks) {
        let name = match &block.kind {
            BlockKind::File(file) if is_document(file) => file.name.clone().unwrap_or_default().into_owned(),
            BlockKind::File(_) => continue,
            _ => match carried_name(block) {
                Some(name) => name,
                None => continue,
            },
        };
        if accepts(limits, &name) && taken.used.insert(name.to_ascii_lowercase()) {
            continue;
        }
        let (rule, what): (&'static Rule, _) = if name.trim().is_empty() {
            (&rule::FILE_NAME_MISSING, "the target wants a name")
        } else if accepts(limits, &name) {
            (&rule::DUPLICATE_FILE_NAME, "the target wants each name once")
        } else {
            (&rule::FILE_NAME_CHARACTERS, "the target refuses this name")
        };
        let new = taken.free(&spell(limits, &name), limits);
        let what = format!("{what}; the document is now called `{new}`");
        rename(block, new);
        writer.adapt(rule, block, what);
    }
}

/// Gives a document another name.
fn rename(block: &mut Block<'_>, new: String) {
    match &mut block.kind {
        BlockKind::File(file) => file.name = Some(Cow::Owned(new)),
        BlockKind::Opaque(opaque) => {
            if let Some(value) = with_name(&opaque.value, &["document", "name"], &new) {
                opaque.value = Cow::Owned(value);
            }
        }
        _ => {
            let native = block.native.as_mut();
            let carried = native.and_then(|native| native.get_mut(Dialect::BedrockConverse.name(), "document"));
            if let Some(carried) = carried
                && let Some(value) = with_name(carried, &["name"], &new)
            {
                *carried = Cow::Owned(value);
            }
        }
    }
}

/// JSON text with another string at the end of a way.
fn with_name(text: &str, way: &[&str], new: &str) -> Option<String> {
    let json = Json::parse(text, &Limits::default()).ok()?;
    let span = way.iter().try_fold(json.root(), |value, key| value.get(key))?.span();
    Some(format!("{}{}{}", &text[..span.start], quote(new), &text[span.end..]))
}

fn accepts(limits: &Names, name: &str) -> bool {
    limits.accepts(name) && !name.contains("  ") && !name.trim().is_empty()
}

fn spell(limits: &Names, name: &str) -> String {
    document_name(name, limits.also.as_deref(), limits.max_length.unwrap_or(usize::MAX))
}

/// Names of documents, in small letters.
struct Taken {
    /// Valid ones of the source
    reserved: HashSet<String>,
    used: HashSet<String>,
    /// The last number given to a name
    counts: HashMap<String, usize>,
}

impl Taken {
    /// A name on this base that is not taken, whatever its case; it is taken then.
    fn free(&mut self, base: &str, limits: &Names) -> String {
        let mut candidate = base.to_owned();
        let count = self.counts.entry(base.to_ascii_lowercase()).or_insert(1);
        loop {
            let key = candidate.to_ascii_lowercase();
            if !self.reserved.contains(&key) && self.used.insert(key) {
                return candidate;
            }
            *count += 1;
            let suffix = format!("-{count}");
            let room = limits.max_length.unwrap_or(usize::MAX).saturating_sub(suffix.len());
            candidate = base.chars().take(room).collect::<String>() + &suffix;
        }
    }
}

/// The name of a document that canonical content only carries.
fn carried_name(block: &Block<'_>) -> Option<String> {
    match &block.kind {
        BlockKind::Opaque(opaque) => {
            let json = Json::parse(&opaque.value, &Limits::default()).ok()?;
            json.root().get("document").and_then(name_of)
        }
        BlockKind::Text(_) => {
            let value = block.native_field(Dialect::BedrockConverse.name(), "document")?;
            let json = Json::parse(value, &Limits::default()).ok()?;
            name_of(json.root())
        }
        _ => None,
    }
}

/// Whether a text stands in for a block of another kind.
fn is_carried(block: &Block<'_>) -> bool {
    let fields = block.native_of(Dialect::BedrockConverse.name());
    fields.iter().any(|(key, _)| matches!(&**key, "document" | "searchResult" | "json" | "image" | "video"))
}

fn name_of(document: Value<'_>) -> Option<String> {
    document.get("name").and_then(Value::as_str).map(Cow::into_owned)
}

/// "A text block must be included when using documents."
fn words_beside<'a>(transcript: &mut Transcript<'a>, writer: &mut Writer<'a, '_>) {
    for at in 0..transcript.messages.len() {
        let message = &transcript.messages[at];
        let document = |block: &Block<'_>| match &block.kind {
            BlockKind::File(file) => is_document(file),
            _ => carried_name(block).is_some(),
        };
        let words = |block: &Block<'_>| block.is_text() && !is_carried(block);
        if message.role != Role::User || !message.blocks.iter().any(document) || message.blocks.iter().any(words) {
            continue;
        }
        let block = Block::new(transcript.mint(), BlockKind::Text(text::EMPTY_MESSAGE.into()));
        let message = &mut transcript.messages[at];
        message.blocks.insert(0, block);
        let what = "the target wants words beside a document; a text says that there are none";
        writer.adapt(&rule::FILE_WITHOUT_WORDS, message, what);
    }
}
