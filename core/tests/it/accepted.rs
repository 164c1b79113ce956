//! What the target accepts is not changed.

use wirecanon_core::{Dialect, Options, Target, fix};

#[test]
fn an_accepted_body_is_not_changed() {
    let talk = br#"{"model": "claude-sonnet-4-6", "messages": [{"role": "assistant", "content": "a"}, {"role": "user", "content": "q"}]}"#;
    let target = Target::by_name("anthropic").expect("a target");
    let fixed = fix(talk, &Options::new().from(Dialect::AnthropicMessages).to(target)).expect("a transcript");
    assert_eq!((&*fixed.output, fixed.report.repairs.len()), (&talk[..], 0));
    let old = fix(
        talk,
        &Options::new().from(Dialect::AnthropicMessages).to(&target.with("opening", "user").expect("a switch")),
    )
    .expect("a transcript")
    .into_owned();
    assert_eq!(old.report.repairs[0].rule, "leading-assistant");
}
