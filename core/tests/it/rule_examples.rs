//! Every rule's example holds: the broken text breaks the rule, `fix` makes exactly the mended one of it, and that is
//! valid and final.

use std::fs;
use std::path::{Path, PathBuf};

use wirecanon_core::json::Limits;
use wirecanon_core::rule::{self, Example, Rule};
use wirecanon_core::{CheckOptions, Checked, Dialect, Error, Fixed, From, Mode, Options, Target, check, fix};

fn examples() -> impl Iterator<Item = (&'static Rule, &'static Example)> {
    rule::all().filter_map(|rule| Some((rule, rule.example.as_ref().ok()?)))
}

/// The target that an example names, with the switches that it sets.
fn target(name: &str) -> Target {
    let mut words = name.split(" --set ");
    let target = Target::by_name(words.next().unwrap_or_default()).cloned();
    let set = |target: Target, switch: &str| {
        let (key, value) = switch.split_once('=').unwrap_or_else(|| panic!("{name}: `{switch}` sets nothing"));
        target.with(key, value)
    };
    target.and_then(|target| words.try_fold(target, set)).unwrap_or_else(|error| panic!("{name}: {error}"))
}

fn fixed<'a>(rule: &Rule, input: &'a [u8], from: From, to: &str) -> Fixed<'a> {
    let target = target(to);
    let options = Options { from, to: Some(&target), strict: true, ..Options::default() };
    fix(input, &options).unwrap_or_else(|error| panic!("{}: {error}", rule.id))
}

fn from(name: &str) -> From {
    if name == "auto" {
        return From::Auto;
    }
    From::Dialect(Dialect::by_name(name).unwrap_or_else(|| panic!("no dialect `{name}`")))
}

fn checked(input: &[u8], to: &str) -> Result<Checked, Error> {
    let target = target(to);
    let options = CheckOptions { target: &target, mode: Mode::Request, fragment: false, limits: Limits::default() };
    check(input, &options)
}

#[test]
fn few_rules_have_no_example() {
    let without: Vec<_> = rule::all().filter(|rule| rule.example.is_err()).map(|rule| rule.id).collect();
    assert_eq!(without, ["result-asks-for-input", "tool-definition-malformed", "thinking-alone", "nul-character"]);
}

#[test]
fn the_broken_text_breaks_the_rule() {
    for (rule, example) in examples() {
        let fixed = fixed(rule, example.broken, from(example.from), example.to);
        let said = fixed.report.repairs.iter().chain(&fixed.report.notes).any(|entry| entry.rule == rule.id);
        // The judge reads what its target speaks.
        let judged = example.from == target(example.to).dialect.name()
            && checked(example.broken, example.to)
                .is_ok_and(|found| found.violations.iter().any(|violation| violation.rule == rule.id));
        assert!(said || judged, "{}: neither `fix` nor `check` says so", rule.id);
        let target = target(example.to);
        let names = [target.name.as_str(), target.dialect.name()];
        let holds = rule.holds.is_empty() || names.iter().any(|name| rule.holds.contains(name));
        assert!(holds, "{}: does not hold for {}", rule.id, example.to);
    }
}

#[test]
fn fix_makes_the_mended_text() {
    for (rule, example) in examples() {
        let fixed = fixed(rule, example.broken, from(example.from), example.to);
        let made = String::from_utf8_lossy(&fixed.output);
        assert_eq!(made, example.mended, "{}", rule.id);
    }
}

#[test]
fn the_mended_text_breaks_no_rule() {
    for (rule, example) in examples() {
        let found = checked(example.mended.as_bytes(), example.to);
        let found = found.unwrap_or_else(|error| panic!("{}: {error}", rule.id));
        assert!(found.violations.is_empty(), "{}: {:?}", rule.id, found.violations);
    }
}

#[test]
fn the_mended_text_is_final() {
    for (rule, example) in examples() {
        let again = From::Dialect(target(example.to).dialect);
        let fixed = fixed(rule, example.mended.as_bytes(), again, example.to);
        let made = String::from_utf8_lossy(&fixed.output);
        assert_eq!(made, example.mended, "{}", rule.id);
        assert!(fixed.report.repairs.is_empty(), "{}: {:?}", rule.id, fixed.report.repairs);
    }
}

#[test]
fn a_broken_text_can_be_shown() {
    let show = |broken| Example { from: "canonical", to: "canonical", broken, mended: "" }.broken_text();
    assert_eq!(show(b"\xEF\xBB\xBF[\"caf\xE9\"]"), r#"\u{FEFF}["caf\xE9"]"#);
    assert_eq!(show(br#"["\ud83d"]"#), r#"["\ud83d"]"#);
}

#[test]
fn something_reports_every_rule() {
    let mut code = String::new();
    for folder in ["convert/src", "check/src"] {
        read_into(&Path::new(env!("CARGO_MANIFEST_DIR")).join(folder), &mut code);
    }
    for rule in rule::all() {
        let name = format!("rule::{}", rule.id.to_ascii_uppercase().replace('-', "_"));
        let whole = |(at, _): (usize, &str)| {
            !code[at + name.len()..].starts_with(|next: char| next == '_' || next.is_ascii_alphanumeric())
        };
        assert!(code.match_indices(&name).any(whole), "nothing reports {}", rule.id);
    }
}

/// Reads the sources in a folder, but not their tests.
fn read_into(folder: &Path, code: &mut String) {
    let entries = fs::read_dir(folder).unwrap_or_else(|error| panic!("{}: {error}", folder.display()));
    let paths: Vec<PathBuf> = entries.map(|entry| entry.expect("an entry").path()).collect();
    for path in paths {
        if path.is_dir() {
            if !path.ends_with("tests") {
                read_into(&path, code);
            }
        } else {
            code.push_str(&fs::read_to_string(&path).expect("a source"));
        }
    }
}
