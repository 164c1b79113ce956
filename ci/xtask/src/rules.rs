//! `docs/rules.md` and `docs/rules`: an index of the rules, and a page for each class.

use std::fmt::Write as _;

use wirecanon::case::Case;
use wirecanon::report::laid_out::laid_out;
use wirecanon::{corpus, session};
use wirecanon_cases::citation::address;
use wirecanon_core::Target;
use wirecanon_core::rule::{self, Class, Rule};

use crate::document::{Document, Error};

/// A class of fault, for who has not met it.
fn about(class: Class) -> (&'static str, &'static str) {
    match class {
        Class::McpBlock => (
            "Blocks of tool servers",
            "A tool server answers with links, recordings and embedded resources. Most providers take text and pictures alone.",
        ),
        Class::Media => (
            "Pictures and files",
            "A picture without data, with data that is no base64, with a type that its bytes are not.",
        ),
        Class::ToolArgs => (
            "Arguments of tool calls",
            "An object where a string belongs, or the other way round; JSON that was cut off, or encoded twice.",
        ),
        Class::Pairing => (
            "Calls and their results",
            "A call that nothing answers, a result that no call asked for, and both in the wrong place or twice.",
        ),
        Class::ToolCallId => (
            "Ids of calls",
            "Each server has its own idea of an id: its letters, its length, and whether it may come again.",
        ),
        Class::ToolName => (
            "Names of tools",
            "Names that are missing, that are too long, or that hold letters which a server refuses.",
        ),
        Class::Streaming => (
            "What streaming leaves behind",
            "Half-built calls, positions of pieces, and turns that broke off, stored as if they were whole.",
        ),
        Class::EmptyContent => {
            ("Nothing to say", "Empty texts, empty lists and empty messages, which many servers refuse.")
        }
        Class::ErrorFlag => (
            "Failures of tools",
            "A failure that is sent on as a success, or said in a way that the server does not know.",
        ),
        Class::ExtraFields => ("Fields of nobody's", "What a framework noted for itself, and a strict server refuses."),
        Class::Thinking => (
            "Reasoning",
            "Thoughts with seals: what must go back unchanged, what must not go to another model, and what belongs together.",
        ),
        Class::RoleOrder => (
            "Who speaks when",
            "Two turns of one speaker in a row, a first turn of the wrong one, and roles that a server does not know.",
        ),
        Class::MediaInResult => {
            ("Pictures in results", "A tool answers with a picture, and the server takes pictures from users alone.")
        }
        Class::Encoding => (
            "Bytes and letters",
            "Half surrogate pairs, keys that stand twice, bytes that are not UTF-8, marks in front of the text.",
        ),
    }
}

/// Returns the index and the pages.
///
/// # Errors
///
/// The corpus is invalid.
pub(crate) fn documents() -> Result<Vec<Document>, Error> {
    let cases = corpus::load()?;
    let page_at = |slug: &str, text| Document::new(format!("docs/rules/{slug}.md"), text);
    let mut documents = vec![Document::new("docs/rules.md", index())];
    documents.extend(Class::ALL.map(|class| page_at(class.slug(), page(class, &cases))));
    documents.push(page_at(session::CLASS, page_of_files()));
    Ok(documents)
}

fn of(class: Class) -> impl Iterator<Item = &'static Rule> {
    rule::all().filter(move |rule| rule.class == class)
}

fn index() -> String {
    let mut out = String::from(
        "# Rules\n\nEvery change that `fix` makes and everything that `check` says names one of these rules. `wirecanon explain RULE` prints one. \
         [SPEC.md](../SPEC.md) says which of two ways to mend a fault is right, and why.\n",
    );
    for class in Class::ALL {
        table(&mut out, class.slug(), about(class), of(class).map(|rule| (rule.id, rule.statement)));
    }
    table(&mut out, session::CLASS, OF_FILES, session::RULES.iter().map(|rule| (rule.id, rule.statement)));
    out
}

/// The rules of one class, each with its id and what holds.
fn table<'r>(
    out: &mut String,
    slug: &str,
    (name, what): (&str, &str),
    rules: impl Iterator<Item = (&'r str, &'r str)>,
) {
    let _ = write!(out, "\n## [{name}](rules/{slug}.md)\n\n`{slug}`. {what}\n\n| rule | what holds |\n|---|---|\n");
    for (id, statement) in rules {
        let _ = writeln!(out, "| [`{id}`](rules/{slug}.md#{id}) | {} |", cell(statement));
    }
}

/// What the rules of files are about, which no transcript keeps or breaks.
const OF_FILES: (&str, &str) = (
    "Session files",
    "Lines that were cut off, that name a line which is gone, or that their program does not send: said of the files of agents, beside the transcript in them.",
);

fn page_of_files() -> String {
    let (name, what) = OF_FILES;
    let mut out = format!(
        "# {name}\n\n`{}`. {what} [Dialects](../dialects.md#session-files) has them in one table.\n",
        session::CLASS
    );
    for rule in session::RULES {
        let sort = if rule.fails { "a fault: `check` ends with 1" } else { "a note" };
        let sources: Vec<String> = rule.sources.iter().map(|source| linked(source)).collect();
        let _ = write!(
            out,
            "\n## {}\n\n{}\n\n- It is {sort}.\n- It stands on: {}.\n",
            rule.id,
            rule.statement,
            sources.join("; ")
        );
    }
    out
}

fn page(class: Class, cases: &[Case]) -> String {
    let (name, what) = about(class);
    let mut out = format!("# {name}\n\n`{}`. {what}\n", class.slug());
    for rule in of(class) {
        section(&mut out, rule, cases);
    }
    out
}

fn section(out: &mut String, rule: &Rule, cases: &[Case]) {
    // Writing to a string cannot fail.
    let _ = write!(out, "\n## {}\n\n{}\n", rule.id, rule.statement);
    let holds = match rule.holds {
        [] => "every dialect and target".to_owned(),
        holds => holds.iter().map(|name| format!("`{name}`")).collect::<Vec<_>>().join(", "),
    };
    let _ = write!(out, "\n- Holds for: {holds}.\n");
    let citations: Vec<String> = rule.citations().map(linked).collect();
    if !citations.is_empty() {
        let _ = writeln!(out, "- It stands on: {}.", citations.join("; "));
    }
    for error in rule.errors() {
        let (who, words) = error.split_once(": ").unwrap_or(("", error));
        let _ = writeln!(out, "- {who}: {}", code(words));
    }
    let named: Vec<String> = cases
        .iter()
        .filter(|case| case.expect.repairs.iter().flatten().any(|repair| repair.rule == rule.id))
        .map(|case| format!("`{}`", case.id))
        .collect();
    match &named[..] {
        [] => {}
        [one] => {
            let _ = writeln!(out, "- Case: {one}.");
        }
        [first, second, rest @ ..] => {
            let more = if rest.is_empty() { String::new() } else { format!(" and {} more", rest.len()) };
            let _ = writeln!(out, "- Cases: {first}, {second}{more}.");
        }
    }
    match &rule.example {
        Ok(example) => {
            let name = example.to.split_whitespace().next().unwrap_or(example.to);
            let about = Target::by_name(name).map_or(String::new(), |target| format!(" ({})", target.title));
            fenced(out, &format!("Broken, `{}`", example.from), &laid_out(&example.broken_text()));
            fenced(out, &format!("Mended, for `{}`{about}", example.to), &laid_out(example.mended));
        }
        Err(why) => {
            let _ = write!(out, "\nNo example: {why}.\n");
        }
    }
}

/// A citation, as a link where it has an address.
fn linked(source: &str) -> String {
    match address(source) {
        Some(address) => format!("[{}]({address})", cell(source)),
        None => cell(source),
    }
}

/// A text that Markdown must not read.
fn cell(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    let mut in_code = false;
    for c in text.chars() {
        in_code ^= c == '`';
        if !in_code && matches!(c, '<' | '>' | '*' | '_' | '[' | ']') || c == '|' {
            out.push('\\');
        }
        out.push(c);
    }
    out
}

/// A text as code, whatever stands in it.
fn code(text: &str) -> String {
    let fence = if text.contains('`') { "``" } else { "`" };
    let space = if text.starts_with('`') || text.ends_with('`') { " " } else { "" };
    format!("{fence}{space}{text}{space}{fence}")
}

fn fenced(out: &mut String, title: &str, body: &str) {
    let _ = write!(out, "\n{title}:\n\n```json\n{}\n```\n", body.trim_end());
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_rule_has_one_section_and_a_row_of_the_index() {
        let documents = documents().expect("the corpus");
        let rules = rule::all().map(|rule| (rule.id, rule.statement, rule.class.slug()));
        let of_files = session::RULES.iter().map(|rule| (rule.id, rule.statement, session::CLASS));
        for (id, statement, slug) in rules.chain(of_files) {
            let heading = format!("\n## {id}\n\n{statement}\n");
            assert_eq!(documents.iter().filter(|document| document.text.contains(&heading)).count(), 1, "{id}");
            assert!(documents[0].text.contains(&format!("(rules/{slug}.md#{id})")), "{id} is not in the index");
        }
    }
}
