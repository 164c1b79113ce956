//! Any request to the local page: a line `METHOD PATH?QUERY`, and the body behind it.

use std::sync::LazyLock;

use serde_json::Value;
use wirecanon::local::{Answer, Asked, Method, Site, answer};
use wirecanon_core::json::{Json, Limits};
use wirecanon_core::{CheckOptions, Dialect, Fixed, From, Mode, Options, Target, check, fix};

use crate::FuzzTarget;
use crate::replay::Document;

/// Longer inputs teach nothing new.
const LONGEST: usize = 16 * 1024;

/// Statuses that the page may answer with.
const STATUSES: [u16; 6] = [200, 400, 404, 405, 413, 422];

/// What the page answers a request with.
type Answering = fn(&Site, &Asked) -> Answer;

static SITE: LazyLock<Site> = LazyLock::new(|| Site { runs: Vec::new(), cases: Vec::new(), limit: LONGEST });

/// Asks the page what `data` asks for.
///
/// Fails when an answer is no answer, or says something else than the library does.
pub const TARGET: FuzzTarget =
    FuzzTarget { longest: LONGEST, judge: |data| judge(data, answer), document: |_| Document::Nothing };

/// Requests for every address.
pub fn examples() -> Vec<(String, Vec<u8>)> {
    let chat = r#"{"messages":[{"role":"user","content":"hi"},{"role":"tool","tool_call_id":"x","content":"late"}]}"#;
    let lines = "{\"role\":\"user\",\"content\":\"hi\"}\n{\"role\":\"assistant\",\"content\":\"yo\"}\n";
    let stream =
        "data: {\"choices\":[{\"index\":0,\"delta\":{\"role\":\"assistant\",\"content\":\"hi\"}}]}\n\ndata: [DONE]\n";
    let posts = [
        ("/api/detect", chat),
        ("/api/check?from=openai.chat&to=openai&for=request", chat),
        ("/api/check?to=anthropic&redact=1", chat),
        ("/api/check", lines),
        ("/api/fix?to=gemini", chat),
        ("/api/fix?from=openai.chat&to=openai&for=history&as=bytes", chat),
        ("/api/fix", stream),
        ("/api/fix?call_id=c&from=mcp.tool-result&to=openai", r#"{"content":[]}"#),
    ];
    let gets = [
        "/",
        "/corpus?q=a&class=pairing",
        "/corpus/x",
        "/runs",
        "/runs/1",
        "/assets/x",
        "/api/about",
        "/api/cases/x/input",
    ];
    let posts = posts.iter().map(|(path, body)| format!("POST {path}\n{body}"));
    let requests = posts.chain(gets.iter().map(|path| format!("GET {path}\n")));
    requests.enumerate().map(|(at, request)| (format!("request-{at:02}"), request.into_bytes())).collect()
}

/// The request, and its body.
fn asked(data: &[u8]) -> Option<Asked> {
    let end = data.iter().position(|byte| *byte == b'\n').unwrap_or(data.len());
    let head = std::str::from_utf8(&data[..end]).ok()?;
    let (method, address) = head.split_once(' ')?;
    let (path, query) = address.split_once('?').unwrap_or((address, ""));
    let method = match method {
        "GET" => Method::Get,
        "POST" => Method::Post,
        _ => return None,
    };
    let body = data.get(end + 1..).unwrap_or_default().to_vec();
    Some(Asked { method, path: path.to_owned(), query: query.to_owned(), body })
}

fn judge(data: &[u8], answering: Answering) -> Result<(), String> {
    let Some(asked) = asked(data) else { return Ok(()) };
    let answer = answering(&SITE, &asked);
    let wrong = |why: &str| Err(format!("{why}: {} {}\n  {}", answer.status, asked.path, text(&answer.body)));
    if !STATUSES.contains(&answer.status) {
        return wrong("a status that the page does not have");
    }
    if answer.kind != "application/json" {
        return Ok(());
    }
    let said = match serde_json::from_slice::<Value>(&answer.body) {
        Ok(said) => said,
        // A number may be past what a double can hold.
        Err(_) if Json::parse(&text(&answer.body), &Limits::default()).is_ok() => return Ok(()),
        Err(_) => return wrong("this is no JSON"),
    };
    if answer.status != 200 {
        let words = |key: &str| said["error"][key].as_str().is_some_and(|text| !text.trim().is_empty());
        return if words("kind") && words("message") { Ok(()) } else { wrong("an error without a kind or words") };
    }
    match asked.path.as_str() {
        "/api/check" => agrees_on_check(&asked, &said).or_else(|why| wrong(&why)),
        "/api/fix" => agrees_on_fix(&asked, &said).or_else(|why| wrong(&why)),
        _ => Ok(()),
    }
}

/// Whether a text that is read as one document gets the rules that the library finds, and each stands in the text.
fn agrees_on_check(asked: &Asked, said: &Value) -> Result<(), String> {
    let length = text(&asked.body).encode_utf16().count();
    for found in said["texts"].as_array().into_iter().flatten().filter_map(|one| one["violations"].as_array()).flatten()
    {
        let end = found["range"][1].as_u64().and_then(|end| usize::try_from(end).ok()).unwrap_or_default();
        if !asked.is_on("redact") && said["stream"].is_null() && end > length {
            return Err(format!("a place behind the text: {found}"));
        }
    }
    let Some(one) = alone(asked, said) else { return Ok(()) };
    let (Some(target), Some(mode)) = (one["target"].as_str().and_then(|name| Target::by_name(name).ok()), mode(one))
    else {
        return Err("no target or mode is named".to_owned());
    };
    let fragment = asked.is_on("fragment") || target.dialect.is_fragment();
    let options = CheckOptions { target, mode, fragment, limits: Limits::default() };
    let checked = check(&asked.body, &options).map_err(|error| format!("the library reads no transcript: {error}"))?;
    let rules: Vec<&str> = checked.violations.iter().map(|violation| violation.rule).collect();
    let told: Vec<_> =
        one["violations"].as_array().into_iter().flatten().filter_map(|one| one["rule"].as_str()).collect();
    let more = usize::try_from(said["more"].as_u64().unwrap_or_default()).unwrap_or_default();
    if told.len() + more == rules.len() && rules.starts_with(&told) {
        Ok(())
    } else {
        Err(format!("the library finds {rules:?}"))
    }
}

/// Whether a text that is read as one document is written as the library writes it.
fn agrees_on_fix(asked: &Asked, said: &Value) -> Result<(), String> {
    if asked.is_on("redact") || asked.field("from").is_some() {
        return Ok(());
    }
    let (Some(_), Some(written)) = (alone(asked, said), said["output"].as_str()) else { return Ok(()) };
    let to = asked.field("to").and_then(|name| Target::by_name(&name).ok());
    let mode = if asked.field("for").as_deref() == Some("history") { Mode::History } else { Mode::Request };
    let call_id = asked.field("call_id");
    let options = Options { from: From::Auto, to, mode, call_id, ..Options::default() };
    let Ok(Fixed { output, .. }) = fix(&asked.body, &options) else {
        return Err("the library writes nothing".to_owned());
    };
    // A page shows text; half of a character is shown as U+FFFD.
    if text(&output) == written { Ok(()) } else { Err(format!("the library writes {}", text(&output))) }
}

/// The one text of an answer, where the body is it and nothing stands around it.
fn alone<'s>(asked: &Asked, said: &'s Value) -> Option<&'s Value> {
    let is_plain = said["lines"] == "json" && said["stream"].is_null() && !asked.is_on("redact");
    let texts = said["texts"].as_array().filter(|texts| texts.len() == 1 && is_plain)?;
    texts.first().filter(|one| one["inside"].is_null())
}

fn mode(one: &Value) -> Option<Mode> {
    match one["for"].as_str()? {
        "request" => Some(Mode::Request),
        "history" => Some(Mode::History),
        _ => None,
    }
}

fn text(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes).into_owned()
}

/// The names that a query may have, for the dictionary of the fuzzer.
pub fn words() -> Vec<String> {
    let names = Dialect::ALL.iter().map(|dialect| dialect.name().to_owned());
    let paths = [
        "POST /api/check?to=",
        "POST /api/fix?to=",
        "POST /api/detect",
        "&for=request",
        "&for=history",
        "&redact=1",
        "&as=bytes",
    ];
    names.chain(paths.iter().map(|word| (*word).to_owned())).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn smoke() {
        for (_, bytes) in examples() {
            TARGET.run(&bytes);
        }
        crate::tests::smoke::each_document(60, |bytes| {
            for head in ["POST /api/check?to=openai\n", "POST /api/fix\n", "POST /api/detect\n", "POST /api/check\n"] {
                TARGET.run(&[head.as_bytes(), bytes].concat());
            }
        });
    }

    #[test]
    fn an_answer_that_is_none_is_caught() {
        let check = examples()[1].1.clone();
        let mutants: [(&str, Answering); 5] = [
            ("a status", |site, asked| Answer { status: 500, ..answer(site, asked) }),
            ("no JSON", |site, asked| Answer { body: b"{".to_vec(), ..answer(site, asked) }),
            ("without a kind", |site, asked| Answer { status: 422, ..answer(site, asked) }),
            ("the library finds", |site, asked| changed(answer(site, asked), "orphan-tool-result", "blank-text")),
            ("behind the text", |site, asked| changed(answer(site, asked), "\"range\":[", "\"range\":[0,99999,")),
        ];
        for (words, answering) in mutants {
            let said = judge(&check, answering).unwrap_err();
            assert!(said.contains(words), "{words}: {said}");
        }
        let fix = examples()[4].1.clone();
        let said =
            judge(&fix, |site, asked| changed(answer(site, asked), "\\\"text\\\":\\\"hi", "\\\"text\\\":\\\"ho"));
        assert!(said.unwrap_err().contains("the library writes"));
    }

    fn changed(answer: Answer, from: &str, to: &str) -> Answer {
        let body = text(&answer.body).replace(from, to).into_bytes();
        Answer { body, ..answer }
    }
}
