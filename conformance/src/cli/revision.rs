//! Targets as the command line names them, with the revisions of the Model Context Protocol.

use wirecanon_cases::near::hint;
use wirecanon_core::{Dialect, Error, Target};
use wirecanon_judge::exit::Stop;

/// In place of a revision: the oldest that the text keeps.
const AUTO: &str = "auto";

/// Whose rules are asked for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Wanted<'t> {
    /// One target
    One(&'t Target),
    /// The oldest of these that the text keeps
    Oldest(Vec<&'static Target>),
}

/// The target of this name; `NAME@auto` is every revision of it, the oldest first.
pub(super) fn wanted(name: &str) -> Result<Wanted<'static>, Stop> {
    let error = match Target::by_name(name) {
        Ok(target) => return Ok(Wanted::One(target)),
        Err(error) => error,
    };
    let Some((plain, revision)) = name.split_once('@').filter(|(plain, _)| Target::by_name(plain).is_ok()) else {
        return Err(no_target(name, &error));
    };
    let all = revisions(plain);
    match (revision, all.is_empty()) {
        (_, true) => Err(Stop::usage(format!("`{plain}` has no revisions: leave `@{revision}` out"))),
        (AUTO, false) => Ok(Wanted::Oldest(all)),
        _ => Err(unknown(plain, revision)),
    }
}

/// What the library says of such a name, with those near it in front.
fn no_target(name: &str, error: &Error) -> Stop {
    let near = hint(name, Target::all().iter().map(|target| target.name.as_str()));
    let hints: Vec<_> = near.as_deref().into_iter().chain(error.hint()).collect();
    Stop::usage(format!("{}; {}", error.message(), hints.join(" ")))
}

/// Whether the oldest revision that the text keeps is asked for.
pub(super) fn is_auto(name: &str) -> bool {
    name.split_once('@').is_some_and(|(_, revision)| revision == AUTO)
}

/// One target to write for.
pub(super) fn to_write(name: &str) -> Result<&'static Target, Stop> {
    match wanted(name)? {
        Wanted::One(target) => Ok(target),
        Wanted::Oldest(all) => {
            let names: Vec<_> = all.iter().map(|target| target.name.as_str()).collect();
            Err(Stop::usage(format!("`{name}`: say which revision to write: {}", names.join(", "))))
        }
    }
}

/// The dialect of this name, with a revision or `@auto` behind it or without: all revisions are read alike.
pub(super) fn to_read(name: &str) -> Result<Dialect, Stop> {
    if let Some(dialect) = Dialect::by_name(name) {
        return Ok(dialect);
    }
    if let Some((plain, revision)) = name.split_once('@')
        && let Some(dialect) = Dialect::by_name(plain)
    {
        return match (revision, revisions(plain).is_empty()) {
            (_, true) => Err(Stop::usage(format!("`{plain}` has no revisions: leave `@{revision}` out"))),
            (AUTO, false) => Ok(dialect),
            _ => Err(unknown(plain, revision)),
        };
    }
    let names: Vec<_> = Dialect::ALL.iter().map(|dialect| dialect.name()).collect();
    let hint = hint(name, names.iter().copied()).map_or_else(String::new, |hint| hint + " ");
    Err(Stop::usage(format!("no dialect is called `{name}`; {hint}there are: auto, {}", names.join(", "))))
}

/// Revisions are dates, so their names come in the order of their age.
fn revisions(plain: &str) -> Vec<&'static Target> {
    let of = |target: &&Target| target.name.split_once('@').is_some_and(|(name, _)| name == plain);
    let mut all: Vec<_> = Target::all().iter().filter(of).collect();
    all.sort_unstable_by_key(|target| target.name.as_str());
    all
}

fn unknown(plain: &str, revision: &str) -> Stop {
    let known: Vec<_> =
        revisions(plain).iter().filter_map(|target| target.name.split_once('@')).map(|(_, known)| known).collect();
    Stop::usage(format!("`{plain}` has no revision `{revision}`; there are: {AUTO}, {}", known.join(", ")))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn auto_is_every_revision_from_the_oldest() {
        let Ok(Wanted::Oldest(all)) = wanted("mcp.prompt@auto") else { panic!("one target") };
        let names: Vec<_> = all.iter().map(|target| target.name.as_str()).collect();
        assert!(names.len() >= 5 && names.is_sorted(), "{names:?}");
        assert_eq!(names[0], "mcp.prompt@2024-11-05");
    }

    #[test]
    fn a_dialect_without_revisions_says_so() {
        for name in ["openai.chat@auto", "openai.chat@2024-01-01"] {
            let message = wanted(name).unwrap_err().message.unwrap_or_default();
            assert!(message.contains("has no revisions"), "{message}");
        }
        assert_eq!(to_read("mcp.prompt@auto"), Ok(Dialect::McpPrompt));
        assert!(to_read("mcp.prompt@2020-01-01").is_err());
        assert!(to_write("mcp.prompt@auto").is_err());
    }
}
