//! The canonical dialect: reading what only it has. Its messages are read with the lineage that it grew from.

use super::reader::Reader;
use crate::json::Value;
use crate::rule;
use crate::transcript::Native;

/// Takes a `native` member apart: each dialect's fields, to be given back to it alone. Other unknown members stay with the
/// canonical dialect.
pub(crate) fn read_native<'a>(
    cx: &mut Reader<'a, '_>,
    dirty: &mut bool,
    item: Value<'a>,
    others: &[(Value<'a>, Value<'a>)],
) -> Option<Box<Native<'a>>> {
    let mut native = Native::default();
    for (key, value) in others {
        if !key.is_str("native") {
            native.add(cx.dialect.name(), key.as_str().unwrap_or_default(), value.raw());
            continue;
        }
        if !value.is_object() || value.members().any(|(_, fields)| !fields.is_object()) {
            *dirty = true;
            cx.lose(&rule::NATIVE_MALFORMED, item, "`native` is not an object of objects and was left out");
            continue;
        }
        for (dialect, fields) in value.members() {
            for (key, value) in fields.members() {
                native.add(dialect.as_str().unwrap_or_default(), key.as_str().unwrap_or_default(), value.raw());
            }
        }
    }
    (!native.dialects.is_empty()).then(|| Box::new(native))
}
