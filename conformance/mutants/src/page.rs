//! The table of mutants and what caught them, as `docs/mutants.md` has it.

use std::fmt::Write as _;

use crate::mutant::Mutant;
use crate::{corpus, generated};

/// What is known not to be caught: the mutant, `corpus` or `generated`, and why that is so.
pub const SURVIVORS: &[(&str, &str, &str)] = &[];

/// What stands below the table.
const CHANGES: &str = "
## Every change of the code

A planted mistake is what somebody thought of. What nobody thought of is asked by [cargo-mutants](https://mutants.rs): it lists
every operator of `core` that could be another, every arm of a `match` that could be gone, every function that could say
something else at once, some 9600 in all. To build core anew for each takes days, so `ci/cargo-mutants.sh` puts them all into
one build, each behind a switch, and runs the tests of core and the corpus once for each, with that one on, until a test fails:

| in the source | in the one build, for the seventh |
|---|---|
| an operator: `a - b * c`, with `+` for `*` | `(if on(7) { a - b + c } else { a - b * c })`: the whole chain, as operators bind |
| an operator left out: `!known` | `(if on(7) { known } else { !known })` |
| a body | `if on(7) { return Default::default(); }` before it |
| an arm `Some(n) => …` left out | `Some(n) if !on(7) => …` |
| a guard `if n > 0` | `if (on(7) \\|\\| n > 0)`, and `if (!on(7) && n > 0)` |
| a field left out before `..base` | `(if on(7) { Point { ..base } } else { Point { x, ..base } })` |

What does not compile in its own text counts as no mutant (`unviable`), and so does `||` beside `let`. What has no switch is built
by itself, as cargo-mutants would: constants, functions that return `impl Iterator`, an arm without one behind it that takes all.
A test that takes four times its time is ended (`timeout`): whoever waits for it notices. What survives is explained in
`conformance/mutants/survivors.toml`, or a test is missing and the script fails.
";

/// Why a mutant is known to survive the corpus or the generated runs.
pub fn survives(mutant: &str, column: &str) -> Option<&'static str> {
    SURVIVORS.iter().find(|(id, own, _)| *id == mutant && *own == column).map(|(_, _, why)| *why)
}

/// What caught a mutant.
#[derive(Clone, Debug)]
pub struct Row {
    /// The mutant
    pub mutant: &'static Mutant,
    /// By the corpus
    pub corpus: Option<corpus::Caught>,
    /// By generated runs
    pub generated: Option<generated::Caught>,
}

impl Row {
    /// The columns in which it survives without being known to, and those in which it is caught although known not to be.
    pub fn faults(&self) -> Vec<String> {
        let caught = [("corpus", self.corpus.is_some()), ("generated", self.generated.is_some())];
        let faults =
            caught.into_iter().filter_map(|(column, caught)| match (caught, survives(self.mutant.id, column)) {
                (false, None) => Some(format!("{} survives: {column}", self.mutant.id)),
                (true, Some(_)) => {
                    Some(format!("{} is caught now, and listed as a survivor: {column}", self.mutant.id))
                }
                _ => None,
            });
        faults.collect()
    }

    /// The row of the page.
    pub fn line(&self) -> String {
        let Mutant { id, does, source, breaks, .. } = self.mutant;
        let case = self.corpus.as_ref().map_or_else(
            || "–".to_owned(),
            |caught| {
                let strict = if caught.strict { ", as the reference" } else { "" };
                format!("`{}` to `{}`{strict}", caught.case, caught.target)
            },
        );
        let runs = self.generated.as_ref().map_or_else(|| "–".to_owned(), |caught| within(caught.run));
        format!("| `{id}` | {does} | [{source}]({}) | {case} | {breaks}: {runs} |", link(source))
    }
}

/// A bound that does not change with every change of the generator.
fn within(run: u32) -> String {
    let bound = [10, 100, 1000, 10_000].into_iter().find(|bound| run <= *bound).unwrap_or(generated::RUNS);
    format!("≤ {bound}")
}

fn link(source: &str) -> String {
    let (repository, number) = source.split_once('#').unwrap_or((source, ""));
    format!("https://github.com/{repository}/issues/{number}")
}

/// The page.
pub fn text(rows: &[Row]) -> String {
    let of_corpus = rows.iter().filter(|row| row.corpus.is_some()).count();
    let as_any = rows.iter().filter_map(|row| row.corpus.as_ref()).filter(|caught| !caught.strict).count();
    let of_runs = rows.iter().filter(|row| row.generated.is_some()).count();
    let count = rows.len();
    let mut text = format!(
        "# Planted mistakes\n\n\
         A harness that finds nothing proves nothing, unless it is known to find what is there. Below are {count} wrong variants of the\n\
         reference: its own tables of steps with an entry left out, replaced or followed by a mistake that a real program made.\n\
         Each is looked for twice, by the [corpus](cases.md) alone and by generated transcripts alone.\n\n\
         - The corpus catches {of_corpus} of {count}; {as_any} of them as it would in any program, the others because the reference\n\
         \x20 promises more than it asks of others (an exact report, every outcome on every wire).\n\
         - Generated transcripts, valid and broken ones and pairs, catch {of_runs} of {count} within {} runs: that many\n\
         \x20 transcripts, one conversion of each, with a fixed seed. The number is a bound on the run that broke the\n\
         \x20 [invariant](../SPEC.md#1-principles) that is named.\n\n\
         `cargo xtask mutants` measures all of it, and fails when one survives; `cargo xtask mutants --write` writes this page.\n\
         A mutant is a row in `conformance/mutants/src/table`.\n\n\
         | mutant | what it does wrong | who did | caught by the case | by runs |\n|---|---|---|---|---|\n",
        generated::RUNS
    );
    for row in rows {
        let _ = writeln!(text, "{}", row.line());
    }
    if !SURVIVORS.is_empty() {
        text.push_str("\n## Not caught\n\n");
        for (id, column, why) in SURVIVORS {
            let _ = writeln!(text, "- `{id}`, {column}: {why}");
        }
    }
    text.push_str(CHANGES);
    text
}
