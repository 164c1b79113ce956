//! A transcript that a program builds is canonical, or it is said why not; and every target takes it.

use wirecanon_core::WriteTranscript as _;
use wirecanon_core::dialect::read;
use wirecanon_core::json::{Json, Limits};
use wirecanon_core::transcript::{Arguments, Blocks, Message, Native, Role};
use wirecanon_core::{
    Block, CheckOptions, Dialect, Error, ErrorKind, Options, Report, Severity, Target, Transcript, check, fix,
};

const PNG: &str = "iVBORw0KGgo=";

fn history() -> Transcript<'static> {
    Transcript::new()
        .system("Be brief.")
        .user([Block::text("What is this?"), Block::image(PNG, "image/png"), Block::link("https://example.org/a.png")])
        .assistant([
            Block::thinking("It may be a cat."),
            Block::text("I look."),
            Block::tool_call("c1", "look", r#"{"at":1.0,"n":12345678901234567890}"#),
            Block::tool_call("c2", "name", "{}"),
        ])
        .tool_result("c1", [Block::text("a cat"), Block::image(PNG, "image/png")])
        .tool_error("c2", String::from("it has none"))
        .assistant("A cat.")
        .user(vec![Block::text("And this?"), Block::file("JVBERi0xLjc=", "application/pdf")])
        .tool("look", "Looks at a file", r#"{"type":"object"}"#)
        .tool("name", "Names it", r#"{"type":"object"}"#)
}

#[test]
fn what_is_built_is_canonical_and_comes_back_as_it_is() -> Result<(), Error> {
    let text = history().to_canonical()?;
    let target = Target::of_dialect(Dialect::Canonical);
    assert_eq!(check(text.as_bytes(), &CheckOptions::new(target).as_request())?.violations, []);
    let written = history().write(&Options::new())?;
    assert_eq!(written.report.repairs, []);
    assert_eq!(String::from_utf8_lossy(&written.output), text);
    let json = Json::parse(&text, &Limits::default())?;
    let mut report = Report::default();
    let read = read(&json, Dialect::Canonical, &mut report)?;
    assert_eq!(report.repairs, []);
    let names: Vec<_> =
        read.messages.iter().filter_map(|message| message.result.as_ref()?.tool_name.as_deref()).collect();
    assert_eq!(names, ["look", "name"]);
    Ok(())
}

#[test]
fn every_target_takes_what_is_built() -> Result<(), Error> {
    let mut takers = 0;
    for target in Target::all().iter().filter(|target| !target.dialect.is_fragment()) {
        let written = history().write(&Options::new().to(target))?;
        let said: Vec<_> = written.report.repairs.iter().filter(|entry| entry.severity == Severity::Mend).collect();
        assert!(said.is_empty(), "{}: {said:?}", target.name);
        let judged = check(&written.output, &CheckOptions::new(target).as_request())?;
        assert_eq!(judged.violations, [], "{}: {}", target.name, String::from_utf8_lossy(&written.output));
        let text = String::from_utf8_lossy(&written.output);
        for said in ["a cat", "it has none", "What is this?", "A cat.", "12345678901234567890"] {
            assert!(text.contains(said), "{} lost {said}: {text}", target.name);
        }
        takers += 1;
    }
    assert!(takers > 30);
    Ok(())
}

#[test]
fn an_open_call_is_canonical_and_closed_where_it_is_sent() -> Result<(), Error> {
    let open = Transcript::new().user("look").assistant(Block::tool_call("c1", "look", "{}"));
    open.to_canonical()?;
    let stored = open.write(&Options::new().to(Dialect::OpenAiChat).as_history())?;
    assert_eq!(stored.report.repairs, []);
    let sent = open.write(&Options::new().to(Dialect::OpenAiChat))?;
    assert_eq!(sent.report.of_rule("tool-call-without-result").count(), 1);
    Ok(())
}

#[test]
fn what_is_not_canonical_is_said_with_its_rule_and_place() {
    let calls = |call: Block<'static>| Transcript::new().user("look").assistant(call);
    let hi = || Transcript::new().user("hi");
    let twice = [Block::tool_call("c1", "look", "{}"), Block::tool_call("c1", "look", "{}")];
    let wrong: [(&str, Transcript<'_>, &str, &str); 9] = [
        ("no object", calls(Block::tool_call("c1", "look", "[1]")), "/messages/1/content/0", "tool-call-arguments"),
        ("cut off", calls(Block::tool_call("c1", "look", "{\"a\":")), "/messages/1/content/0", "tool-call-arguments"),
        ("no id", calls(Block::tool_call("", "look", "{}")), "/messages/1/content/0", "tool-call"),
        ("no name", calls(Block::tool_call("c1", "", "{}")), "/messages/1/content/0", "tool-"),
        ("one id twice", hi().assistant(twice), "/messages/1", "duplicate-tool-call-id"),
        ("nothing called", hi().tool_result("c1", "late"), "/messages/1", "orphan-tool-result"),
        ("no picture", hi().user(Block::image("bm8=", "image/png")), "/messages/1/content/0", "image"),
        ("another picture", hi().user(Block::image(PNG, "image/jpeg")), "/messages/1/content/0", "image"),
        ("a file said by the model", hi().assistant(Block::file("JVBERi0xLjc=", "application/pdf")), "/messages/1", ""),
    ];
    for (what, transcript, place, rule) in wrong {
        let error = transcript.to_canonical().expect_err(what);
        assert_eq!(error.kind(), ErrorKind::NotCanonical, "{what}");
        assert!(error.pointer().is_some_and(|pointer| pointer.starts_with(place)), "{what}: {error}");
        assert!(error.hint().is_some_and(|hint| hint.starts_with(&format!("the rule is `{rule}"))), "{what}: {error}");
        assert_eq!(transcript.write(&Options::new().to(Dialect::OpenAiChat)).expect_err(what), error);
    }
}

#[test]
fn raw_text_cannot_break_out_of_its_place() {
    let kinds = |transcript: &Transcript<'_>| transcript.to_canonical().expect_err("it is no JSON").kind();
    let schema = Transcript::new().user("hi").tool("look", "", r#"{}}],"messages":[{"#);
    assert_eq!(kinds(&schema), ErrorKind::NotCanonical);
    let mut native = Native::default();
    native.add("openai.chat", "name", r#""a","role":"system""#);
    let mut field = Transcript::new().user("hi");
    field.messages[0].native = Some(Box::new(native));
    assert_eq!(kinds(&field), ErrorKind::NotCanonical);
}

#[test]
fn a_call_that_was_read_without_arguments_is_not_given_any() -> Result<(), Error> {
    let text = r#"[{"role":"user","content":"look"},{"role":"assistant","content":null,"tool_calls":
        [{"id":"c","type":"function","function":{"name":"look"}}]}]"#;
    let json = Json::parse(text, &Limits::default())?;
    let mut transcript = read(&json, Dialect::OpenAiChat, &mut Report::default())?;
    let error = transcript.to_canonical().expect_err("there are none");
    assert_eq!((error.kind(), error.pointer()), (ErrorKind::NotCanonical, Some("/messages/1/content/0")));
    // The program decides, and then it is canonical.
    let call = transcript.messages[1].calls().next().expect("the call").clone();
    assert_eq!(call.arguments, Arguments::Missing);
    transcript.messages[1].blocks = Blocks::from(Block::tool_call("c", "look", "{}")).0;
    assert!(transcript.to_canonical()?.contains(r#""arguments":"{}""#));
    Ok(())
}

#[test]
fn a_lone_result_is_a_fragment() -> Result<(), Error> {
    let mut lone = Transcript::new().tool_result("c1", "a cat");
    assert!(lone.to_canonical().is_err(), "in a conversation it is an orphan");
    lone.fragment = true;
    let written = lone.write(&Options::new().to(Dialect::McpToolResult))?;
    assert_eq!(
        String::from_utf8_lossy(&written.output),
        r#"{"content":[{"type":"text","text":"a cat"}],"isError":false}"#
    );
    Ok(())
}

#[test]
fn messages_that_are_pushed_count_as_those_that_are_said() -> Result<(), Error> {
    let mut pushed = Transcript::new();
    for (role, words) in [(Role::User, "hi"), (Role::Assistant, "hello")] {
        let block = Block::text(words);
        pushed.messages.push(Message::new(pushed.next_id + 1, role, vec![block]));
    }
    let said = Transcript::new().user("hi").assistant("hello").to_canonical()?;
    assert_eq!(pushed.to_canonical()?, said);
    assert_eq!(fix(said.as_bytes(), &Options::new().from(Dialect::Canonical))?.output, said.as_bytes());
    Ok(())
}
