//! Tool definitions of a request body, in a dialect's own form.

use std::borrow::Cow;

use super::out::{Object, Out};
use crate::dialect::ToolForm;
use crate::transcript::Tool;

/// The key under which definitions stand in a document, and what stands there.
pub(super) fn list<'w>(tools: &'w [Tool<'_>], form: &ToolForm) -> (&'static str, Out<'w>) {
    let items = tools.iter().map(|tool| definition(tool, form)).collect();
    let mut out = Out::List(items, None);
    if let Some(inner) = form.inner {
        out = Out::List(vec![wrapped(&[inner], out)], None);
    }
    (form.list[0], wrapped(&form.list[1..], out))
}

fn definition<'w>(tool: &'w Tool<'_>, form: &ToolForm) -> Out<'w> {
    let mut object = Object::new();
    object.str("name", &*tool.name);
    if let Some(description) = &tool.description {
        object.str("description", &**description);
    }
    let schema = Out::Raw(tool.parameters.unwrap_or("{\"type\":\"object\"}"));
    object.set(form.schema[0], wrapped(&form.schema[1..], schema));
    let mut outer = Object::new();
    if let Some((key, value)) = form.mark {
        let marked = if form.holder.is_some() { &mut outer } else { &mut object };
        marked.set(key, Out::Str(Cow::Borrowed(value)));
    }
    let Some(holder) = form.holder else { return object.out() };
    outer.set(holder, object.out());
    outer.out()
}

/// A value at the end of a way through new objects.
fn wrapped<'w>(way: &[&'static str], out: Out<'w>) -> Out<'w> {
    way.iter().rev().fold(out, |out, key| {
        let mut object = Object::new();
        object.set(*key, out);
        object.out()
    })
}
