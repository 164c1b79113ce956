//! One case as a file of the package: in the form of the corpus, with the exact text of its input.

use serde::Serialize;
use wirecanon_judge::case::{Case, Expect, Retired};

#[derive(Serialize)]
struct File<'c> {
    id: &'c str,
    title: &'c str,
    class: &'c str,
    source: &'c [String],
    from: &'c str,
    #[serde(skip_serializing_if = "Option::is_none")]
    input_text: Option<&'c str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    input_base64: Option<String>,
    expect: &'c Expect,
    #[serde(skip_serializing_if = "Option::is_none")]
    deviates: Option<&'c str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    whole: Option<&'c str>,
    tags: &'c [String],
    since: &'c str,
    #[serde(skip_serializing_if = "Option::is_none")]
    retired: Option<&'c Retired>,
}

/// The file of a case.
pub(super) fn render(case: &Case) -> Result<Vec<u8>, String> {
    let text = std::str::from_utf8(&case.input).ok();
    super::pretty(&File {
        id: &case.id,
        title: &case.title,
        class: &case.class,
        source: &case.source,
        from: case.from.name(),
        input_text: text,
        input_base64: text.is_none().then(|| base64_simd::STANDARD.encode_to_string(&case.input)),
        expect: &case.expect,
        deviates: case.deviates.as_deref(),
        whole: case.whole.as_deref(),
        tags: &case.tags,
        since: &case.since,
        retired: case.retired.as_ref(),
    })
}
