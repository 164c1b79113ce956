use super::*;
use crate::convert::{fix_by, fix_unconditionally as fix};
use crate::report::{Entry, Renamed};
use crate::step::Steps;

/// What a report says, in one order, whatever numbers messages have.
fn said(report: &Report<'_>) -> (String, String, bool, Vec<Entry<'static>>, Vec<Renamed>) {
    let mut entries: Vec<_> = report.entries().cloned().map(Entry::into_owned).collect();
    for entry in &mut entries {
        entry.about = None;
    }
    entries.sort_by_cached_key(|entry| format!("{entry:?}"));
    let renamed = report.ids.iter().chain(&report.names).cloned().collect();
    (report.from.clone(), report.to.clone(), report.changed, entries, renamed)
}

fn assert_same(short: (&[u8], &Report<'_>), long: (&[u8], &Report<'_>), what: &str) {
    let [short_text, long_text] = [short.0, long.0].map(String::from_utf8_lossy);
    assert_eq!(short_text, long_text, "{what}");
    let (short, long) = (said(short.1), said(long.1));
    let only = |these: &[Entry<'static>], others: &[Entry<'static>]| -> Vec<String> {
        these.iter().filter(|entry| !others.contains(entry)).map(|entry| format!("{entry:?}")).collect()
    };
    assert_eq!(only(&short.3, &long.3), only(&long.3, &short.3), "{what}");
    assert_eq!(short, long, "{what}");
}

/// The names of the targets to which it is written in sections; all ways give the same to all.
fn written_in_sections(text: &str) -> Vec<&'static str> {
    let mut targets = Vec::new();
    let dialect = Dialect::OpenAiChat;
    for target in Target::all().iter().filter(|target| !target.dialect.is_fragment()) {
        let what = format!("{}: {text}", target.name);
        for mode in [Mode::Request, Mode::History] {
            let options = Options { from: From::Dialect(dialect), to: Some(target), mode, ..Options::default() };
            let long = fix_by(text.as_bytes(), &options, Steps::Changed(&[])).expect("a transcript");
            let short = fix(text.as_bytes(), &options).expect("a transcript");
            assert_same((&short.output, &short.report), (&long.output, &long.report), &what);
            let sections = Sections::prove(text.as_bytes(), dialect, Limits::default());
            if may_be_cut(text.len(), dialect, target)
                && let Ok(sections) = sections
                && let Some((written, report)) = write(text, &sections, dialect, &options, target)
            {
                let report = report.quoting(text);
                assert_same((written.text.as_bytes(), &report), (&long.output, &long.report), &what);
                targets.push(target.name.as_str());
            }
        }
        let options = Options { to: Some(target), ..Options::default() };
        let long = fix_by(text.as_bytes(), &options, Steps::Changed(&[])).expect("a transcript");
        let short = fix(text.as_bytes(), &options).expect("a transcript");
        assert_same((&short.output, &short.report), (&long.output, &long.report), &what);
    }
    targets
}

const EXCHANGE: &str = r#"{"role":"user","content":"go on N"},{"role":"assistant","content":"so","tool_calls":[{"id":"aN","type":"function","function":{"name":"look","arguments":"{\"a\":1}"}},{"id":"bN","type":"function","function":{"name":"look","arguments":"{}"}}]},{"role":"tool","tool_call_id":"aN","content":"[1, 2]"},{"role":"tool","tool_call_id":"bN","content":"\u4f60 ok"},{"role":"assistant","content":"well"}"#;
const SYSTEM: &str = r#"{"role":"system","content":"be kind"}"#;

fn exchanges(count: usize, between: &str) -> String {
    (0..count).map(|number| EXCHANGE.replace('N', &number.to_string())).collect::<Vec<_>>().join(between)
}

#[test]
fn what_is_plain_throughout_is_written_in_sections() {
    let tools = r#""tools":[{"type":"function","function":{"name":"look","parameters":{"type":"object"}}}]"#;
    for text in [
        format!("{{\"messages\":[{}]}}", exchanges(5, ",")),
        format!("[\n  {SYSTEM},\n  {SYSTEM},\n  {}\n]\n", exchanges(5, ",\n  ")),
        format!("{{ \"model\":\"m\", \"messages\": [ {} ]\n, {tools} }}\n", exchanges(12, " , ")),
        format!("[{},{{\"role\":\"user\",\"content\":\"on\"}}]", exchanges(3, ",")),
        format!("[{},{}]", exchanges(3, ","), CALL.replace("CALLED", "once")),
    ] {
        let targets = written_in_sections(&text);
        for name in ["canonical", "anthropic", "gemini", "openai-responses", "bedrock", "langchain", "openclaw"] {
            assert!(targets.contains(&name), "{name} is not among {targets:?} for {text}");
        }
        assert!(!targets.contains(&"ai-sdk.ui"), "its messages are numbered");
    }
}

/// A conversation may not end in white space: the section of its last words says so, of the place that they have in the whole.
#[test]
fn what_is_said_of_the_last_message_has_its_place() {
    for (text, input, output) in [
        (end_in_white_space(&exchanges(5, ",")), "/24/content", "/19/content/0"),
        (format!("{SYSTEM},{}", end_in_white_space(&exchanges(7, ","))), "/35/content", "/messages/27/content/0"),
    ] {
        let text = format!("[{text}]");
        let targets = written_in_sections(&text);
        assert!(targets.contains(&"anthropic") && targets.contains(&"gemini"), "{targets:?} for {text}");
        let options = Options { to: Some(Target::by_name("anthropic").expect("a target")), ..Options::default() };
        let report = fix(text.as_bytes(), &options).expect("a transcript").report;
        let places: Vec<_> =
            report.repairs.iter().map(|entry| (entry.input.as_deref(), entry.output.as_deref())).collect();
        assert_eq!(places, [(Some(input), Some(output))], "{text}");
    }
}

fn end_in_white_space(exchanges: &str) -> String {
    format!("{}well  \"}}", exchanges.strip_suffix("well\"}").expect("the last words"))
}

/// Each of these has something that the sections of it cannot know.
#[test]
fn what_belongs_together_is_written_together() {
    let talk = exchanges(5, ",");
    let opening = r#"{"role":"assistant","content":"hi"}"#;
    let picture = r#"{"role":"user","content":[{"type":"image_url","image_url":{"url":"data:image/png;base64,iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=="}}]}"#;
    for text in [
        format!("[{talk},{}]", exchanges(1, ",")),
        format!("[{talk},{SYSTEM},{}]", exchanges(5, ",").replace("\"a", "\"c").replace("\"b", "\"d")),
        format!("[{opening},{talk}]"),
        format!("[{SYSTEM},{opening},{talk}]"),
        format!("{{\"messages\":[{talk}],\"max_tokens\":\"many\",\"model\":\"{}\"}}", "m".repeat(SECTION)),
    ] {
        assert_eq!(written_in_sections(&text), [""; 0], "{text}");
    }
    let pictures = [picture; 120].map(|picture| format!("{picture},{opening}")).join(",");
    let targets = written_in_sections(&format!("[{pictures}]"));
    assert!(targets.contains(&"anthropic.messages") && !targets.contains(&"anthropic"), "{targets:?}");
    // What answers a call of another section.
    for text in [
        format!("[{talk},{{\"role\":\"tool\",\"tool_call_id\":\"a3\",\"content\":\"late\"}}]"),
        format!("[{talk},{}]", CALL.replace("CALLED", "a1")),
    ] {
        assert_eq!(written_in_sections(&text), [""; 0], "{text}");
    }
}

/// Whatever is wrong with them: all that is done of it is done in its section.
#[test]
fn broken_messages_are_written_in_sections() {
    let talk = exchanges(6, " ,\n");
    for (from, to) in [
        (r#""arguments":"{}""#, r#""arguments":{}"#),
        (r#""arguments":"{}""#, r#""arguments":"{\"a""#),
        (r#""tool_call_id":"a"#, r#""tool_use_id":"a"#),
        (r#""role":"assistant","content":"well""#, r#""role":"model","content":"well""#),
        (r#""content":"\u4f60 ok""#, r#""content":"""#),
        (r#"{"role":"tool","tool_call_id":"b3","content":"\u4f60 ok"},"#, ""),
        (r#""tool_call_id":"b3""#, r#""tool_call_id":"x3""#),
        (
            r#"{"role":"user","content":"go on 2"}"#,
            r#"{"role":"user","content":" "},{"role":"user","content":"go on"}"#,
        ),
        (r#""content":"go on 3""#, r#""content":[{"type":"input_text","text":"go on"}]"#),
    ] {
        let broken = talk.replace(from, to);
        assert_ne!(broken, talk, "{from}");
        for text in [format!("[{broken}]"), format!("{{\"model\":\"m\",\"messages\":[ {broken}\n]\n}}")] {
            let targets = written_in_sections(&text);
            for name in ["openai.chat", "canonical", "anthropic", "gemini", "openai-responses"] {
                assert!(targets.contains(&name), "{name} is not among {targets:?} for {text}");
            }
        }
    }
}

/// The items of a list of messages, each with a comma behind it, in which ids that a part of them has end in this.
fn messages_of(text: &str, mark: Option<u64>) -> String {
    let Ok(json) = Json::parse(text, &Limits::default()) else { return String::new() };
    let list = if json.root().is_array() { Some(json.root()) } else { json.root().get("messages") };
    let mut ids: Vec<&str> = Vec::new();
    let mut todo: Vec<_> = list.into_iter().collect();
    while let Some(value) = todo.pop() {
        todo.extend(value.items());
        for (key, member) in value.members() {
            let names_a_call =
                ["id", "tool_call_id", "call_id", "tool_use_id", "toolCallId"].iter().any(|id| key.is_str(id));
            ids.extend(Some(member.raw()).filter(|id| names_a_call && member.is_string() && id.len() > 4));
            todo.push(member);
        }
    }
    // What is never apart would hide all else.
    let never = ["system", "developer", "file", "document", "audio"];
    let is_kept = |item: &Value<'_>| mark == Some(0) || !never.iter().any(|word| item.raw().contains(word));
    let items = list.into_iter().flat_map(Value::items).filter(is_kept);
    let mut items: String = items.map(|item| item.raw().to_owned() + ",").collect();
    ids.sort_unstable();
    ids.dedup();
    if let Some(mark) = mark {
        for id in ids {
            items = items.replace(id, &format!("{}-{mark}\"", &id[..id.len() - 1]));
        }
    }
    items
}

/// Generated transcripts, whole and broken, one behind the other; as many as `WIRECANON_SECTIONS` says.
#[test]
fn both_ways_give_the_same() {
    use wirecanon_schemas::generate::Dialect as Generated;

    let (mut cut, mut whole) = (0, 0);
    let rounds = std::env::var("WIRECANON_SECTIONS").map_or(120, |rounds| rounds.parse().expect("a number"));
    for round in 0..rounds {
        let mut messages = Vec::new();
        for part in 0..3_u64 {
            let made = crate::generated::transcript(Generated::OpenAiChat, 3 * round + part, 300, 1 + round % 3);
            let Ok(text) = String::from_utf8(made.bytes) else { continue };
            // In some rounds ids come again.
            let list = messages_of(&text, (round % 4 > 0).then_some(part));
            messages.push(list + r#"{"role":"user","content":"and now?"},{"role":"assistant","content":"done"}"#);
        }
        // In some rounds something is to be said of the last words, or of others.
        for (every, at) in [(2, messages.len() - 1), (5, 0)] {
            if round % every == 0 {
                messages[at] = messages[at].replace("\"done\"", "\"done \"");
            }
        }
        let targets = written_in_sections(&format!("[{}]", messages.join(",")));
        cut += usize::from(!targets.is_empty());
        whole += usize::from(targets.is_empty());
    }
    assert!(cut > 20 && whole > 20, "{cut} {whole}");
}

const CALL: &str = r#"{"role":"user","content":"go"},{"role":"assistant","content":null,"tool_calls":[{"id":"CALLED","type":"function","function":{"name":"look","arguments":"{}"}}]},{"role":"tool","tool_call_id":"CALLED","content":"ok"}"#;
