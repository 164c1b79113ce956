//! The schemas, by name.

/// One JSON Schema (2020-12) of this crate.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Schema {
    /// What `wirecanon schema NAME` calls it
    pub id: &'static str,
    /// What it describes, in words
    pub title: &'static str,
    /// Its JSON text
    pub text: &'static str,
}

/// Every schema, in the order of the documentation.
pub const ALL: &[Schema] = &[
    Schema { id: "wirecanon/case", title: "A case of the corpus", text: include_str!("../wirecanon/case.json") },
    Schema {
        id: "wirecanon/report",
        title: "What `fix --report` writes",
        text: include_str!("../wirecanon/report.json"),
    },
    Schema {
        id: "wirecanon/check",
        title: "What `check --format json` writes",
        text: include_str!("../wirecanon/check.json"),
    },
    Schema {
        id: "wirecanon/test",
        title: "What `test --format json` writes",
        text: include_str!("../wirecanon/test.json"),
    },
];

/// The schema with this id.
pub fn by_id(id: &str) -> Option<&'static Schema> {
    ALL.iter().find(|schema| schema.id == id)
}
