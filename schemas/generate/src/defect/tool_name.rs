//! Names of tools that are missing, or are something else.

use super::dialects::{calls, named_results};
use super::place::{call_at, call_of, exchange, outcome_call, outcome_result};
use super::{Defect, exact};
use crate::node::{Node, object};
use crate::plan::{Field, Plan};
use crate::{Dialect, Draw};

const CLASS: &str = "tool-name";
const WITHOUT: &[&str] = &["tool-call-without-name"];

pub(super) const ROWS: &[Defect] = &[
    exact(
        CLASS,
        "call-name-white-space",
        &["tool-name-white-space"],
        "White space stands around the name of a call.",
        calls,
        |draw, plan, _| {
            let (token, name, call) = a_call(draw, plan)?;
            let padded = draw.pick(&[(" ", "\n"), ("\t", ""), ("", " ")]);
            call_at(plan, call.0, call.1)?.spelled_name =
                Field::Instead(Node::from(format!("{}{name}{}", padded.0, padded.1)));
            plan.forget_call(&token);
            Some(())
        },
    ),
    exact(CLASS, "call-name-missing", WITHOUT, "A call has no name.", calls, |draw, plan, dialect| {
        nameless(draw, plan, dialect, Field::Missing)
    }),
    exact(CLASS, "call-name-null", WITHOUT, "A call's name is null.", calls, |draw, plan, dialect| {
        nameless(draw, plan, dialect, Field::Instead(Node::Null))
    }),
    exact(CLASS, "call-name-empty", WITHOUT, "A call's name is empty.", calls, |draw, plan, dialect| {
        nameless(draw, plan, dialect, Field::Instead(Node::from("")))
    }),
    exact(CLASS, "call-name-blank", WITHOUT, "A call's name is white space.", calls, |draw, plan, dialect| {
        nameless(draw, plan, dialect, Field::Instead(Node::from(" \t")))
    }),
    exact(CLASS, "call-name-object", WITHOUT, "A call's name is an object.", calls, |draw, plan, dialect| {
        nameless(draw, plan, dialect, Field::Instead(object([])))
    }),
    exact(
        CLASS,
        "result-name-missing",
        &["tool-result-name-missing"],
        "A result does not say which tool it is of.",
        named_results,
        |draw, plan, _| misnamed(draw, plan, Field::Missing),
    ),
    exact(
        CLASS,
        "result-name-empty",
        &["tool-result-name-missing"],
        "A result's name is empty.",
        named_results,
        |draw, plan, _| misnamed(draw, plan, Field::Instead(Node::from(""))),
    ),
    exact(
        CLASS,
        "result-name-null",
        &["tool-result-name-missing"],
        "A result's name is null.",
        named_results,
        |draw, plan, _| misnamed(draw, plan, Field::Instead(Node::Null)),
    ),
    exact(
        CLASS,
        "result-name-unknown",
        &["tool-result-name-mismatch"],
        "A result is said to be of a tool called unknown.",
        named_results,
        |draw, plan, _| misnamed(draw, plan, Field::Instead(Node::from("unknown"))),
    ),
    exact(
        CLASS,
        "result-name-of-another",
        &["tool-result-name-mismatch"],
        "A result is said to be of another tool.",
        named_results,
        |draw, plan, _| misnamed(draw, plan, Field::Instead(Node::from("another_tool"))),
    ),
];

/// One answered call: its word, its name, and where it stands.
fn a_call(draw: &mut Draw<'_, '_>, plan: &mut Plan) -> Option<(String, String, (usize, usize))> {
    let turn = exchange(draw, plan, 1)?.turn;
    let (_, part) = call_of(draw, plan, turn)?;
    let call = call_at(plan, turn, part)?;
    Some((call.token.clone(), call.name.clone(), (turn, part)))
}

/// A call without a name has that of its own result, where results have one.
fn nameless(draw: &mut Draw<'_, '_>, plan: &mut Plan, dialect: Dialect, written: Field) -> Option<()> {
    let (token, _, (turn, part)) = a_call(draw, plan)?;
    call_at(plan, turn, part)?.spelled_name = written;
    plan.forget_call(&token);
    if !named_results(dialect) {
        "unnamed_tool".clone_into(&mut outcome_call(plan, &token)?.name);
        "unnamed_tool".clone_into(&mut outcome_result(plan, &token)?.answer.as_mut()?.name);
    }
    Some(())
}

/// A result always has the name of its call.
fn misnamed(draw: &mut Draw<'_, '_>, plan: &mut Plan, written: Field) -> Option<()> {
    let exchange = exchange(draw, plan, 1)?;
    let place = draw.pick(&exchange.results);
    plan.messages[place].answer.as_mut()?.spelled_name = written;
    Some(())
}
