//! Sessions that are torn about at random: what is woven back holds, is stable, and lost no line that says something else.

use super::*;
use fastrand::Rng;
use wirecanon_core::{CheckOptions, Fixed, From, Mode, Options, Target, check, fix};

const FILES: &[&str] = &[
    include_str!("../../tests/fixtures/sessions/openclaw.jsonl"),
    include_str!("../../tests/fixtures/sessions/openclaw-clean.jsonl"),
    include_str!("../../tests/fixtures/sessions/claude-code-clean.jsonl"),
    include_str!("../../tests/fixtures/sessions/claude-code-orphan.jsonl"),
    include_str!("../../tests/fixtures/sessions/codex-clean.jsonl"),
    include_str!("../../tests/fixtures/sessions/codex-old.jsonl"),
    include_str!("../../tests/fixtures/sessions/openclaw-compacted.jsonl"),
    include_str!("../../tests/fixtures/sessions/codex-compacted.jsonl"),
];

fn torn(text: &str, dice: &mut Rng) -> String {
    let mut lines: Vec<String> = text.lines().map(str::to_owned).collect();
    for _ in 0..=dice.usize(..3) {
        let at = dice.usize(..lines.len());
        match dice.usize(..4) {
            0 => drop(lines.remove(at)),
            1 => {
                let line = lines.remove(at);
                let to = dice.usize(..=lines.len());
                lines.insert(to, line);
            }
            2 => lines[at] = lines[at].replace("call_1", "call_8").replace("toolu_1", "toolu_8"),
            _ => {
                lines[at] = lines[at]
                    .replace("\"content\":\"A\"", "\"content\":null")
                    .replace("\"isError\":false", "\"isError\":\"false\"")
                    .replace("\"arguments\":\"{", "\"arguments\":\"{{");
            }
        }
    }
    lines.join("\n") + "\n"
}

/// The mended file, or why there is none.
fn mended(text: &str) -> Option<Result<String, String>> {
    let limits = Limits::default();
    let found = of_lines(text, &limits).ok()??;
    let [transcript] = &found.transcripts[..] else { panic!("one transcript") };
    let dialect = transcript.dialect.expect("a dialect");
    let options = Options { from: From::Dialect(dialect), mode: Mode::History, ..Options::default() };
    let Fixed { output, report } = fix(transcript.document.as_bytes(), &options).ok()?;
    if *output == *transcript.document.as_bytes() && transcript.is_straight() {
        return Some(Ok(text.to_owned()));
    }
    let ids: Vec<(&str, &str)> = report.ids.iter().map(|id| (&*id.from, &*id.to)).collect();
    let output = String::from_utf8_lossy(&output);
    Some(transcript.woven(text, &output, &ids, limits).map_err(|why| why.to_string()))
}

#[test]
fn what_is_torn_about_is_woven_or_refused() {
    let mut dice = Rng::with_seed(8);
    let (mut woven, mut refused) = (0, Vec::new());
    for round in 0..600 {
        let text = torn(FILES[round % FILES.len()], &mut dice);
        let new = match mended(&text) {
            None => continue,
            Some(Err(why)) => {
                refused.push(format!("{why}:\n{text}"));
                continue;
            }
            Some(Ok(new)) => new,
        };
        woven += usize::from(new != text);
        assert_eq!(mended(&new), Some(Ok(new.clone())), "round {round}: once more changes it again:\n{text}\n{new}");
        let found = of_lines(&new, &Limits::default()).expect("it is read").expect("a session");
        let document = &found.transcripts[0];
        let target = Target::of_dialect(document.dialect.expect("a dialect"));
        let options = CheckOptions { target, mode: Mode::History, fragment: false, limits: Limits::default() };
        let checked = check(document.document.as_bytes(), &options).expect("a transcript");
        assert_eq!(checked.errors().count(), 0, "round {round}: {:?}\n{text}\n{new}", checked.violations);
        // What is no message is there as often as before; its link may be another.
        for word in [
            "session_meta",
            "turn_context",
            "event_msg",
            "ghost_snapshot",
            "model_change",
            "file-history-snapshot",
            "\"label\"",
            "x-unknown",
            "toolUseResult",
        ] {
            let count =
                |text: &str| text.lines().filter(|line| line.contains(word) && !line.contains("\"message\":{")).count();
            assert_eq!(count(&new), count(&text), "round {round}: {word}\n{text}\n{new}");
        }
    }
    assert!(woven > 200, "only {woven} were mended");
    assert!(
        refused.len() * 20 < woven,
        "{} of {woven} were refused: {:#?}",
        refused.len(),
        &refused[..refused.len().min(2)]
    );
}

/// What a crash does to a file: lines run together, are cut off, filled with NUL, or written twice.
fn damaged(text: &str, dice: &mut Rng) -> String {
    let mut lines: Vec<String> = text.lines().map(|line| format!("{line}\n")).collect();
    for _ in 0..=dice.usize(..4) {
        let at = dice.usize(..lines.len());
        match dice.usize(..6) {
            0 => lines[at] = lines[at].trim_end().to_owned(),
            1 => {
                let whole = lines[at].trim_end();
                let mut cut = dice.usize(..=whole.len());
                while !whole.is_char_boundary(cut) {
                    cut -= 1;
                }
                let newline = if dice.usize(..2) == 0 { "\n" } else { "" };
                lines[at] = format!("{}{newline}", &whole[..cut]);
            }
            2 => lines[at].insert_str(0, &"\0".repeat(dice.usize(..9))),
            3 => {
                let line = lines[at].clone();
                let to = dice.usize(..=lines.len());
                lines.insert(to, line);
            }
            4 => drop(lines.remove(at)),
            _ => lines[at] = lines[at].replace("\"content\":\"A\"", "\"content\":null").replace("call_1", "call_8"),
        }
        if lines.is_empty() {
            break;
        }
    }
    lines.concat()
}

/// What cannot be read of a file, in its order.
fn unread(text: &str) -> Vec<&str> {
    let lines = line::split(text, usize::MAX, Limits::default());
    lines.iter().filter(|line| line.is_torn()).map(Line::text).collect()
}

#[test]
fn what_a_crash_left_is_read_and_mended() {
    let mut dice = Rng::with_seed(21);
    let (mut woven, mut refused, mut straightened) = (0, Vec::new(), 0);
    for round in 0..3000 {
        let text = damaged(FILES[round % FILES.len()], &mut dice);
        let new = match mended(&text) {
            None => continue,
            Some(Err(why)) => {
                refused.push(format!("{why}:\n{text}"));
                continue;
            }
            Some(Ok(new)) => new,
        };
        woven += usize::from(new != text);
        assert_eq!(mended(&new), Some(Ok(new.clone())), "round {round}: once more changes it again:\n{text}\n{new}");
        assert_eq!(unread(&new), unread(&text), "round {round}:\n{text}\n{new}");
        let limits = Limits::default();
        let before = of_lines(&text, &limits).expect("it is read").expect("a session");
        let after = of_lines(&new, &limits).expect("it is read").expect("a session");
        assert!(after.transcripts[0].is_straight(), "round {round}:\n{text}\n{new}");
        assert!(after.flaws.iter().filter(|flaw| flaw.rule.fails).all(|flaw| flaw.rule == &flaw::LINE_BROKEN));
        straightened += usize::from(!before.transcripts[0].is_straight());
        for flaw in &before.flaws {
            assert!(text.is_char_boundary(flaw.span.start) && flaw.span.end <= text.len());
        }
    }
    assert!(woven > 1000 && straightened > 600, "{woven} were mended, {straightened} of them had lines at fault");
    assert!(
        refused.len() * 20 < woven,
        "{} of {woven} were refused: {:#?}",
        refused.len(),
        &refused[..refused.len().min(3)]
    );
}

/// A line of a file stays one, whatever white space the model wrote between the tokens of its arguments.
#[test]
fn arguments_with_line_breaks_stay_on_their_line() {
    let file = r#"{"type":"user","uuid":"u1","parentUuid":null,"sessionId":"s","isSidechain":false,"message":{"role":"user","content":"one"}}
{"type":"assistant","uuid":"a1","parentUuid":"u1","sessionId":"s","isSidechain":false,"message":{"id":"m1","type":"message","role":"assistant","content":[{"type":"tool_use","id":"t1","name":"B","input":"{\n \"a\": 1\n}"}]}}
{"type":"user","uuid":"u2","parentUuid":"a1","sessionId":"s","isSidechain":false,"message":{"role":"user","content":[{"type":"tool_result","tool_use_id":"t1","content":"R"}]}}
"#;
    let text = mended(file).expect("a session").expect("a place for it");
    assert_eq!(text, file.replace(r#""{\n \"a\": 1\n}""#, r#"{ "a": 1}"#));
}

#[test]
fn lines_end_as_the_others_of_the_file_do() {
    let mut dice = Rng::with_seed(5);
    let mut added = 0;
    for round in 0..800 {
        let text = torn(FILES[round % FILES.len()], &mut dice);
        let text = if dice.usize(..4) == 0 { text.trim_end() } else { &text };
        let Some(Ok(new)) = mended(text) else { continue };
        added += usize::from(new.lines().count() > text.lines().count());
        let carriage = |text: &str| text.replace('\n', "\r\n");
        assert_eq!(mended(&carriage(text)), Some(Ok(carriage(&new))), "round {round}:\n{text}");
    }
    assert!(added > 10, "only {added} were given a line");
}

#[test]
fn a_place_in_the_document_is_one_in_the_file() {
    let limits = Limits::default();
    for text in FILES {
        let found = of_lines(text, &limits).expect("it is read").expect("a session");
        let transcript = &found.transcripts[0];
        for copy in &transcript.copies {
            for step in [0, copy.length - 1] {
                let (here, there) = (copy.at + step, transcript.place(copy.at + step));
                assert_eq!(transcript.document.as_bytes()[here], text.as_bytes()[there]);
            }
        }
        assert!(text.is_char_boundary(transcript.place(0)) && transcript.place(usize::MAX) < text.len());
    }
}

#[test]
fn only_sessions_are_sessions() {
    let limits = Limits::default();
    for text in [
        "",
        "{}",
        "[1]\n[2]\n",
        "{\"type\":\"message\"}\n{\"a\":1}\n",
        "{\"role\":\"user\",\"content\":\"x\"}\n{\"role\":\"user\",\"content\":\"y\"}\n",
    ] {
        assert!(of_lines(text, &limits).expect("no session").is_none(), "{text}");
    }
    assert!(of_lines("{\"type\":\"session_meta\",\"payload\":{}}\n", &limits).is_err(), "a session without a message");
    assert!(shows(b"{\"type\":\"session_meta\",\"payload\":{}}\n{\"type\":\"x\",\"p\":\"\xc3"));
}

#[test]
fn what_stands_around_a_transcript_is_seen() {
    let limits = Limits::default();
    let count = |text: &str| {
        let found = of_value(text, &limits);
        (found.title, found.transcripts.iter().map(|one| one.document.as_ref().to_owned()).collect::<Vec<_>>())
    };
    let body = "{\"messages\":[{\"role\":\"user\",\"content\":\"x\"}]}";
    assert_eq!(count(body), (None, vec![body.to_owned()]));
    assert_eq!(count(&format!("{{\"body\":{body}}}")), (Some("a request dump"), vec![body.to_owned()]));
    assert_eq!(count(&format!("\u{feff}[{{\"request\":{{\"body\":{body}}}}}, {{\"request\":{body}}}]")).1.len(), 2);
    assert_eq!(count("{\"body\":{\"messages\":[]}}"), (None, vec!["{\"body\":{\"messages\":[]}}".to_owned()]));
    let reference = "{\"input\":[{\"id\":\"msg_1\"}]}";
    assert_eq!(count(&format!("{{\"body\":{reference}}}")), (Some("a request dump"), vec![reference.to_owned()]));
    assert_eq!(count("{\"body\":{\"input\":[{\"id\":\"x\",\"name\":\"y\"}]}}").0, None, "no list of items");
    let deep = "{\"request\":".repeat(50) + body + &"}".repeat(50);
    assert_eq!(count(&deep).0, None, "nobody looks that deep");
}

#[test]
fn no_member_of_a_message_is_the_document() {
    let raw = "{\"messages\":[{\"role\":\"user\",\"content\":\"raw\"}]}";
    for key in ["request", "body", "params", "kwargs", "inputs", "outputs", "values", "requests", "runs"] {
        for message in [
            format!("{{\"role\":\"assistant\",\"content\":\"yo\",\"{key}\":{raw}}}"),
            format!("{{\"{key}\":{raw},\"role\":null}}"),
            format!("{{\"type\":\"function_call\",\"call_id\":\"c\",\"{key}\":{raw}}}"),
            format!("{{\"content\":[],\"{key}\":{raw}}}"),
        ] {
            for text in [
                message.clone(),
                format!("[{message}]"),
                format!("[{{\"role\":\"user\",\"content\":\"hi\"}},{message}]"),
                format!("[{raw},{message}]"),
                format!("{{\"messages\":[],\"{key}\":{raw}}}"),
            ] {
                let found = of_value(&text, &Limits::default());
                assert_eq!((found.title, &*found.transcripts[0].document), (None, &*text), "{text}");
            }
        }
    }
}

#[test]
fn the_address_of_a_request_says_its_dialect() {
    let limits = Limits::default();
    let body = "{\"messages\":[{\"role\":\"user\",\"content\":\"x\"}]}";
    let spoken = |text: String| of_value(&text, &limits).transcripts[0].dialect;
    for (address, dialect) in [
        ("/v1/chat/completions", Some(Dialect::OpenAiChat)),
        ("https://api.openai.com/v1/chat/completions", Some(Dialect::OpenAiChat)),
        // Many take that path, and some of them another dialect.
        ("https://api.mistral.ai/v1/chat/completions", None),
        ("https://api.anthropic.com/v1/messages?beta=true", Some(Dialect::AnthropicMessages)),
        ("/v1/responses", Some(Dialect::OpenAiResponses)),
        ("/v1beta/models/g:streamGenerateContent?alt=sse", Some(Dialect::GeminiContents)),
        ("/model/m/converse", Some(Dialect::BedrockConverse)),
        ("http://localhost:11434/api/chat", Some(Dialect::OllamaChat)),
        ("/v2/chat", Some(Dialect::CohereV2)),
        ("/v1/messages/batches", None),
        ("", None),
    ] {
        assert_eq!(
            spoken(format!("{{\"custom_id\":\"r\",\"url\":\"{address}\",\"body\":{body}}}")),
            dialect,
            "{address}"
        );
        assert_eq!(spoken(format!("{{\"request\":{{\"path\":\"{address}\",\"body\":{body}}}}}")), dialect, "{address}");
    }
    let batch = format!("{{\"requests\":[{{\"custom_id\":\"r\",\"params\":{body}}}]}}");
    assert_eq!(spoken(batch), Some(Dialect::AnthropicMessages));
    assert_eq!(spoken(format!("{{\"params\":{body}}}")), None);
}
