//! Not written yet.

use wirecanon_json::Value;

use crate::builder::Builder;
use crate::observation::{Item, Speaker};
use crate::unreadable::{Read, Unreadable};

pub(crate) fn observe<'a>(_: &mut Builder<'a>, root: Value<'a>) -> Read<()> {
    Err(Unreadable::new(root, "not written yet"))
}

pub(crate) fn items(value: Value<'_>, _: Speaker) -> Read<Vec<Item<'_>>> {
    Err(Unreadable::new(value, "not written yet"))
}
