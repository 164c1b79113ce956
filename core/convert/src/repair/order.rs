//! Results stand right behind the turn that called, in the order of its calls; what answers nothing goes.

use std::borrow::Cow;

use crate::repair::Repairs;
use crate::repair::pairing::{Call, Fate, Frame, Plan, call_of};
use wirecanon_model::report::Severity;
use wirecanon_model::rule;
use wirecanon_model::transcript::{Message, Role, Transcript};

pub(crate) fn place<'a>(transcript: &mut Transcript<'a>, plan: &Plan, repairs: &mut Repairs<'a, '_>) {
    for frame in &plan.frames {
        report_moves(transcript, plan, frame, repairs);
    }
    for (index, fate) in &plan.results {
        report_dropped(transcript, plan, *index, *fate, repairs);
    }
    let placed: Vec<usize> = sequence(transcript, plan, repairs.any_order);
    if placed.len() == transcript.messages.len() && placed.iter().enumerate().all(|(at, index)| at == *index) {
        return;
    }
    let mut messages: Vec<Option<Message<'a>>> =
        std::mem::take(&mut transcript.messages).into_iter().map(Some).collect();
    transcript.messages = placed.into_iter().filter_map(|index| messages[index].take()).collect();
}

/// Indices of the messages in their new order.
fn sequence(transcript: &Transcript<'_>, plan: &Plan, any_order: bool) -> Vec<usize> {
    let mut is_result = vec![false; transcript.messages.len()];
    for (index, _) in &plan.results {
        is_result[*index] = true;
    }
    for call in &plan.calls {
        if let Some(answer) = call.answer {
            is_result[answer] = true;
        }
    }
    let mut placed = Vec::with_capacity(transcript.messages.len());
    let mut frames = plan.frames.iter().peekable();
    for (index, is_result) in is_result.iter().enumerate() {
        if *is_result {
            continue;
        }
        placed.push(index);
        if let Some(frame) = frames.next_if(|frame| frame.message == index) {
            let first = placed.len();
            placed.extend(answers(plan, frame));
            if any_order && all_behind(plan, frame, reach(plan, frame)) {
                placed[first..].sort_unstable();
            }
        }
    }
    placed
}

/// The results of a turn, in the order of its calls.
fn answers(plan: &Plan, frame: &Frame) -> impl Iterator<Item = usize> {
    plan.calls[frame.calls.clone()].iter().filter(|call| !call.dropped).filter_map(|call| call.answer)
}

/// Whether all of them stand behind the turn already, with nothing between.
fn all_behind(plan: &Plan, frame: &Frame, reach: usize) -> bool {
    let run = frame.message..reach;
    answers(plan, frame).all(|answer| run.contains(&answer))
}

/// How far a turn's results may reach without a stranger between them.
fn reach(plan: &Plan, frame: &Frame) -> usize {
    let mut reach = frame.message + 1;
    while plan
        .results
        .binary_search_by_key(&reach, |(index, _)| *index)
        .is_ok_and(|at| !matches!(plan.results[at].1, Fate::Answers(call) if !frame.calls.contains(&call)))
    {
        reach += 1;
    }
    reach
}

/// Reports each result of a turn that does not stand where it should.
fn report_moves<'a>(transcript: &Transcript<'a>, plan: &Plan, frame: &Frame, repairs: &mut Repairs<'a, '_>) {
    let is_own = |index: usize| plan.results.binary_search_by_key(&index, |(index, _)| *index).is_ok();
    let reach = reach(plan, frame);
    let any_order = repairs.any_order && all_behind(plan, frame, reach);
    let mut last = 0;
    for call in plan.calls[frame.calls.clone()].iter().filter(|call| !call.dropped) {
        let Some(answer) = call.answer.filter(|answer| is_own(*answer)) else { continue };
        let message = &transcript.messages[answer];
        let (rule, words) = if answer < frame.message {
            (&rule::TOOL_RESULT_BEFORE_CALL, "the result stood before its call; it was moved behind it")
        } else if answer >= reach {
            (
                &rule::TOOL_RESULT_DISPLACED,
                "something stood between the call and its result; the result was moved behind the call's turn",
            )
        } else if answer < last && !any_order {
            (&rule::PARALLEL_RESULTS_OUT_OF_ORDER, "the results of parallel calls were put in the order of the calls")
        } else {
            last = answer;
            continue;
        };
        last = last.max(answer);
        repairs.entry(rule, Severity::Mend, message.source, Some(message.id), words);
    }
}

fn report_dropped<'a>(
    transcript: &Transcript<'a>,
    plan: &Plan,
    index: usize,
    fate: Fate,
    repairs: &mut Repairs<'a, '_>,
) {
    let message = &transcript.messages[index];
    let synthetic = message.result.as_ref().is_some_and(|head| head.synthetic);
    let severity = if synthetic { Severity::Mend } else { Severity::Loss };
    let (rule, words) = match fate {
        Fate::Answers(_) => return,
        Fate::Duplicate => (&rule::DUPLICATE_TOOL_RESULT, "the call has a result already; this one was left out"),
        Fate::Interim => {
            (&rule::DUPLICATE_TOOL_RESULT, "the call has a later result, which stands for it; this one was left out")
        }
        Fate::Ambiguous => {
            (&rule::AMBIGUOUS_TOOL_RESULT, "two calls could be meant, and neither was guessed; the result was left out")
        }
        Fate::Orphan if synthetic => {
            (&rule::ORPHAN_TOOL_RESULT, "a stand-in for the result of a call that is not there was left out")
        }
        Fate::Orphan => (&rule::ORPHAN_TOOL_RESULT, "the result answers no call that is there; it was left out"),
    };
    let is_orphan = matches!(fate, Fate::Orphan) && !synthetic;
    let words = match is_orphan.then(|| only_open_call(transcript, plan, index)).flatten() {
        Some(id) => Cow::Owned(format!(
            "the result answers no call that is there, and the call `{id}` before it has no result; it was left out"
        )),
        None => Cow::Borrowed(words),
    };
    repairs.entry(rule, severity, message.source, None, words);
}

/// Of a turn with more calls than these, or that stands further before, nobody is told which one is open: each orphan behind it would
/// look at all.
const FEW: usize = 16;

/// No program gives a longer id.
const LONG: usize = 256;

/// The id of the one call that nothing answers in the turn that a result stands behind. The two may belong together, which only who
/// wrote them can know.
fn only_open_call<'t>(transcript: &'t Transcript<'_>, plan: &Plan, result: usize) -> Option<&'t str> {
    let frame = plan.frames[..plan.frames.partition_point(|frame| frame.message < result)].last()?;
    let (calls, between) = (&plan.calls[frame.calls.clone()], &transcript.messages[frame.message + 1..result]);
    // Behind the user's words a result is of another turn.
    if calls.len() > FEW || between.len() > FEW || between.iter().any(|message| message.role == Role::User) {
        return None;
    }
    let is_open = |call: &&Call| {
        let answer = call.answer.and_then(|answer| transcript.messages[answer].result.as_deref());
        !call.dropped && answer.is_none_or(|answer| answer.synthetic)
    };
    let mut open = calls.iter().filter(is_open);
    let only = open.next().filter(|_| open.next().is_none())?;
    call_of(&transcript.messages, only)?.id.as_deref().filter(|id| id.len() <= LONG)
}

#[cfg(test)]
mod tests {
    use crate::pipeline::{Options, fix};
    use wirecanon_model::Dialect;

    /// Only where no other call could be meant: an orphan may be the result of that one under another id.
    #[test]
    fn an_orphan_is_told_of_the_one_call_without_a_result() {
        let call =
            |id: &str| format!(r#"{{"id":"{id}","type":"function","function":{{"name":"look","arguments":"{{}}"}}}}"#);
        let result = |id: &str| format!(r#",{{"role":"tool","tool_call_id":"{id}","content":"ok"}}"#);
        let told_behind = |words: &str, calls: &[&str], answered: &[&str]| {
            let calls: Vec<_> = calls.iter().map(|id| call(id)).collect();
            let results: String = answered.iter().map(|id| result(id)).collect();
            let text = format!(
                r#"[{{"role":"user","content":"go"}},{{"role":"assistant","content":null,"tool_calls":[{}]}}{results}{words}{}]"#,
                calls.join(","),
                result("x"),
            );
            let report = fix(text.as_bytes(), &Options::new().from(Dialect::OpenAiChat)).expect("a transcript").report;
            let said = report.of_rule("orphan-tool-result").next().expect("an orphan").message.to_string();
            said.split('`').nth(1).map(str::to_owned)
        };
        let told = |calls: &[&str], answered: &[&str]| told_behind("", calls, answered);
        assert_eq!(told(&["a", "b"], &["a"]).as_deref(), Some("b"));
        assert_eq!(
            told_behind(r#",{"role":"user","content":"so?"}"#, &["a", "b"], &["a"]),
            None,
            "the user spoke since"
        );
        assert_eq!(told(&["a", "b"], &["a", "b"]), None, "none is open");
        assert_eq!(told(&["a", "b"], &[]), None, "two are open");
        let ids: Vec<String> = (0..=crate::repair::order::FEW).map(|id| id.to_string()).collect();
        let ids: Vec<&str> = ids.iter().map(String::as_str).collect();
        assert_eq!(told(&ids[1..], &ids[2..]).as_deref(), Some("1"));
        assert_eq!(told(&ids, &ids[1..]), None, "there are too many to look at");
    }
}
