//! Tool definitions of a request body, in a dialect's own form.

use std::borrow::Cow;

use crate::print::out::{Object, Out};
use crate::read::definitions::fits_gemini;
use crate::read::spec::ToolForm;
use wirecanon_json::{Json, Limits};
use wirecanon_model::Dialect;
use wirecanon_model::transcript::Tool;

/// The key under which definitions stand in a document, and what stands there.
pub(crate) fn list<'w>(tools: &'w [Tool<'_>], form: &ToolForm, dialect: Dialect) -> (&'static str, Out<'w>) {
    let items = tools.iter().map(|tool| definition(tool, form, dialect)).collect();
    let mut out = Out::List(items, None);
    if let Some(inner) = form.inner {
        out = Out::List(vec![wrapped(&[inner], out)], None);
    }
    (form.list[0], wrapped(&form.list[1..], out))
}

/// One definition as an item of the list, or, in the list within an item, as an item of that. `wrap` puts such a list around it.
pub(crate) fn alone<'w>(tool: &'w Tool<'_>, form: &ToolForm, wrap: bool, dialect: Dialect) -> Out<'w> {
    let definition = definition(tool, form, dialect);
    match form.inner.filter(|_| wrap) {
        Some(inner) => wrapped(&[inner], Out::List(vec![definition], None)),
        None => definition,
    }
}

fn definition<'w>(tool: &'w Tool<'_>, form: &ToolForm, dialect: Dialect) -> Out<'w> {
    let mut object = Object::new().with("name", &*tool.name).with_some("description", tool.description.as_deref());
    let schema = tool.parameters.as_deref().unwrap_or(r#"{"type":"object","properties":{}}"#);
    let json = Json::parse(schema, &Limits { max_depth: usize::MAX }).ok();
    match (dialect, json) {
        (Dialect::GeminiContents, Some(json)) if !fits_gemini(json.root()) => {
            object.set(form.schema_also[0], Out::Raw(schema));
        }
        (Dialect::OpenAiChat | Dialect::OpenAiResponses, Some(json)) => {
            object.set(form.schema[0], with_properties(schema, &json));
        }
        _ => object.set(form.schema[0], wrapped(&form.schema[1..], Out::Raw(schema))),
    }
    let mut outer = Object::new();
    if let Some((key, value)) = form.mark {
        let marked = if form.holder.is_some() { &mut outer } else { &mut object };
        marked.set(key, Out::Str(Cow::Borrowed(value)));
    }
    let Some(holder) = form.holder else { return object.out() };
    outer.set(holder, object.out());
    outer.out()
}

/// "object schema missing properties" (openai/openai-agents-python#449, langchain-ai/langchain-mcp-adapters#137).
fn with_properties<'w>(schema: &'w str, json: &Json<'_>) -> Out<'w> {
    let root = json.root();
    let is_object = root.get("type").is_some_and(|kind| kind.is_str("object"));
    match root.raw().strip_suffix('}').filter(|_| is_object && root.get("properties").is_none()) {
        Some(open) => Out::Text(Cow::Owned(format!("{},\"properties\":{{}}}}", open.trim_end()))),
        None => Out::Raw(schema),
    }
}

/// A value at the end of a way through new objects.
fn wrapped<'w>(way: &[&'static str], out: Out<'w>) -> Out<'w> {
    way.iter().rev().fold(out, |out, key| Object::new().with(key, out).out())
}
