//! A mistake in a rule file stops the build, and the message names the file and the rule.

#[path = "../build/rules.rs"]
mod rules;

const GROUPS: &str = r#"
[[group]]
name = "chats"
members = ["openai.chat", "mistral.chat"]

[[group]]
name = "others"
members = ["@chats", "!openai.chat", "mistral"]
"#;

const RULE: &str = r#"
[[rule]]
id = "first-rule"
statement = "A call is \"quoted\"."
sources = ["owner/repo#1"]
holds = ["@others"]

[rule.example]
from = "auto"
to = "mistral --set ids=nine"
broken = ["\uFEFFcaf", [0xE9], '\u"']
mended = 'a\b'
"#;

fn generate(groups: &str, rule: &str) -> Result<String, String> {
    let file = |stem: &str, text: &str| (stem.to_owned(), text.to_owned());
    let targets = ["openai.chat", "mistral.chat"].map(|name| file(name, &format!("dialect = {name:?}")));
    let targets = [&targets[..], &[file("mistral", "dialect = \"mistral.chat\"")]].concat();
    rules::generate(&[file("groups", groups), file("tool_name", rule)], &targets)
}

#[test]
fn a_rule_becomes_a_static_and_a_row_of_its_class() {
    let generated = generate(GROUPS, RULE).expect("no mistake");
    let expected = r#"/// A call is "quoted".
pub static FIRST_RULE: Rule = Rule {
    id: "first-rule",
    class: Class::ToolName,
    statement: "A call is \"quoted\".",
    sources: &["owner/repo#1"],
    holds: &["mistral.chat", "mistral"],
    example: Ok(Example { from: "auto", to: "mistral --set ids=nine", broken: b"\xef\xbb\xbfcaf\xe9\\u\"", mended: "a\\b" }),
};

static TOOL_NAME_RULES: &[&Rule] = &[&FIRST_RULE, ];
"#;
    assert_eq!(generated.trim_end(), expected.trim_end());
    let without = RULE.split("\n[rule.example]").next().expect("a rule").to_owned() + "no_example = 'no \"text\"'\n";
    let generated =
        generate(GROUPS, &without.replace("statement", "doc = \"First\\nSecond\"\nstatement")).expect("no mistake");
    assert!(generated.starts_with("/// First\n/// Second\npub static"), "{generated}");
    assert!(generated.contains(r#"example: Err("no \"text\""),"#), "{generated}");
}

#[test]
fn a_mistake_in_a_rule_names_file_and_rule() {
    let example = RULE.split_once("\n[rule.example]").expect("an example").1;
    for (before, after, message) in [
        ("statement", "statment", "unknown field `statment`"),
        ("mended", "repaired", "unknown field `repaired`"),
        ("statement = \"A call is \\\"quoted\\\".\"", "", "missing field `statement`"),
        ("holds = [\"@others\"]", "", "missing field `holds`"),
        (example, "", "missing field `from`"),
        (&format!("\n[rule.example]{example}"), "", "missing field `example`, or `no_example`"),
        ("holds", "no_example = \"none\"\nholds", "both `example` and `no_example`"),
        ("[\"owner/repo#1\"]", "[]", "`sources` is empty"),
        ("[\"owner/repo#1\"]", "\"owner/repo#1\"", "invalid type"),
        ("@others", "@other", "`holds`: unknown group `other`"),
        ("@others", "openai", "`holds`: unknown dialect or target `openai`"),
        ("@others", "!openai", "`holds`: unknown dialect or target `openai`"),
        ("@others", "!mistral", "`holds`: `!mistral` excludes"),
        ("\"@others\"", "\"@others\", \"mistral\"", "`holds`: `mistral` is named twice"),
        ("from = \"auto\"", "from = \"mistral\"", "`example.from`: unknown dialect `mistral`"),
        ("to = \"mistral", "to = \"mistrel", "`example.to`: unknown dialect or target `mistrel`"),
        ("[0xE9]", "[0x1E9]", "`broken` must be a string, or an array"),
    ] {
        assert!(RULE.contains(before), "{before}");
        let refused = generate(GROUPS, &RULE.replacen(before, after, 1)).expect_err(message);
        let (place, said) = refused.split_at(refused.find("`: ").map_or(0, |at| at + 3));
        assert_eq!(place, "rules/tool_name.toml: rule `first-rule`: ", "{refused}");
        assert!(said.contains(message), "no {message:?} in: {refused}");
    }
    for (rule, message) in [
        (RULE.replace("id = \"first-rule\"", ""), "rules/tool_name.toml: rule number 1: missing field `id`"),
        (RULE.replace("first-rule", "First"), "rules/tool_name.toml: rule `First`: `id` must be in kebab case"),
        (
            RULE.repeat(2),
            "rules/tool_name.toml: rule `first-rule`: the id is used twice, first in rules/tool_name.toml",
        ),
        (format!("title = \"Rules\"\n{RULE}"), "rules/tool_name.toml: TOML parse error at line 1, column 1"),
    ] {
        let refused = generate(GROUPS, &rule).expect_err(message);
        assert!(refused.starts_with(message), "no {message:?} in: {refused}");
    }
}

#[test]
fn a_mistake_in_the_groups_names_the_group() {
    for (before, after, message) in [
        ("@chats", "@chat", "group `others`: unknown group `chat`"),
        ("@chats", "@others", "group `others`: unknown group `others`"),
        ("\"mistral\"]", "\"mistrel\"]", "group `others`: unknown dialect or target `mistrel`"),
        ("others", "chats", "group `chats` is defined twice"),
        ("members", "member", "TOML parse error at line 4"),
    ] {
        let refused = generate(&GROUPS.replacen(before, after, 1), RULE).expect_err(message);
        assert!(refused.starts_with(&format!("rules/groups.toml: {message}")), "no {message:?} in: {refused}");
    }
}
