//! A member of a block that only one dialect has: a field beside the block, or a member inside an item that Anthropic alone has.

use std::borrow::Cow;

use wirecanon_json::{Json, Limits, quote};
use wirecanon_model::Dialect;
use wirecanon_model::transcript::{Block, BlockKind, Native};

const LIMITS: Limits = Limits { max_depth: usize::MAX };

/// Returns the JSON text of a member.
pub(crate) fn member_of<'b>(block: &'b Block<'_>, dialect: Dialect, key: &str) -> Option<Cow<'b, str>> {
    match &block.kind {
        BlockKind::Opaque(item) if dialect == Dialect::AnthropicMessages => {
            if item.dialect != dialect.name() || !item.value.contains(key) {
                return None;
            }
            Some(Cow::Owned(Json::parse(&item.value, &LIMITS).ok()?.root().get(key)?.raw().to_owned()))
        }
        _ => block.native_field(dialect.name(), key).map(Cow::Borrowed),
    }
}

/// Replaces a member by JSON text, or removes it.
pub(crate) fn set_member(block: &mut Block<'_>, dialect: Dialect, key: &str, new: Option<String>) {
    let (BlockKind::Opaque(item), Dialect::AnthropicMessages) = (&mut block.kind, dialect) else {
        return set_field(block.native.as_deref_mut(), dialect, key, new);
    };
    let Ok(json) = Json::parse(&item.value, &LIMITS) else { return };
    let members = json.root().members().filter_map(|(name, value)| {
        let value = if name.is_str(key) { new.as_deref()? } else { value.raw() };
        Some(format!("{}:{value}", quote(&name.as_str().unwrap_or_default())))
    });
    let members: Vec<_> = members.collect();
    item.value = format!("{{{}}}", members.join(",")).into();
}

/// Replaces a field that only one dialect has by JSON text, or removes it.
pub(crate) fn set_field(native: Option<&mut Native<'_>>, dialect: Dialect, key: &str, new: Option<String>) {
    let Some(native) = native else { return };
    match (new, native.get_mut(dialect.name(), key)) {
        (Some(new), Some(old)) => *old = new.into(),
        _ => drop(native.remove(dialect.name(), key)),
    }
}
