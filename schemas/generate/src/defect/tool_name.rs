//! Names of tools that are missing, or are something else.

use super::dialects::{calls, named_results};
use super::place::{call_at, call_of, exchange, outcome_call, outcome_result};
use super::{Defect, Site, exact, instead};
use crate::node::Node;
use crate::plan::Field;

const WITHOUT: &[&str] = &["tool-call-without-name"];
const PADDED: &[&str] = &["tool-name-white-space"];
const MISSING: &[&str] = &["tool-result-name-missing"];
const MISMATCH: &[&str] = &["tool-result-name-mismatch"];

pub(super) const ROWS: &[Defect] = &[
    exact("call-name-white-space", PADDED, "White space stands around the name of a call.", calls, |on| {
        let (token, name, call) = a_call(on)?;
        let padded = on.draw.pick(&[(" ", "\n"), ("\t", ""), ("", " ")]);
        call_at(on.plan, call.0, call.1)?.spelled_name = instead(format!("{}{name}{}", padded.0, padded.1));
        on.plan.forget_call(&token);
        Some(())
    }),
    exact("call-name-missing", WITHOUT, "A call has no name.", calls, |on| nameless(on, Field::Missing)),
    exact("call-name-null", WITHOUT, "A call's name is null.", calls, |on| nameless(on, instead(Node::Null))),
    exact("call-name-empty", WITHOUT, "A call's name is empty.", calls, |on| nameless(on, instead(""))),
    exact("call-name-blank", WITHOUT, "A call's name is white space.", calls, |on| nameless(on, instead(" \t"))),
    exact("call-name-object", WITHOUT, "A call's name is an object.", calls, |on| {
        nameless(on, instead(Node::Object(vec![])))
    }),
    exact("result-name-missing", MISSING, "A result does not say which tool it is of.", named_results, |on| {
        misnamed(on, Field::Missing)
    }),
    exact("result-name-empty", MISSING, "A result's name is empty.", named_results, |on| misnamed(on, instead(""))),
    exact("result-name-null", MISSING, "A result's name is null.", named_results, |on| {
        misnamed(on, instead(Node::Null))
    }),
    exact("result-name-unknown", MISMATCH, "A result is said to be of a tool called unknown.", named_results, |on| {
        misnamed(on, instead("unknown"))
    }),
    exact("result-name-of-another", MISMATCH, "A result is said to be of another tool.", named_results, |on| {
        misnamed(on, instead("another_tool"))
    }),
];

/// One answered call: its word, its name, and where it stands.
fn a_call(on: &mut Site<'_, '_>) -> Option<(String, String, (usize, usize))> {
    let turn = exchange(on, 1)?.turn;
    let (_, part) = call_of(on, turn)?;
    let call = call_at(on.plan, turn, part)?;
    Some((call.token.clone(), call.name.clone(), (turn, part)))
}

/// A call without a name has that of its own result, where results have one.
fn nameless(on: &mut Site<'_, '_>, written: Field) -> Option<()> {
    let (token, _, (turn, part)) = a_call(on)?;
    call_at(on.plan, turn, part)?.spelled_name = written;
    on.plan.forget_call(&token);
    if !named_results(on.dialect) {
        "unnamed_tool".clone_into(&mut outcome_call(on.plan, &token)?.name);
        "unnamed_tool".clone_into(&mut outcome_result(on.plan, &token)?.answer.as_mut()?.name);
    }
    Some(())
}

/// A result always has the name of its call.
fn misnamed(on: &mut Site<'_, '_>, written: Field) -> Option<()> {
    let exchange = exchange(on, 1)?;
    let place = on.draw.pick(&exchange.results);
    on.plan.messages[place].answer.as_mut()?.spelled_name = written;
    Some(())
}
