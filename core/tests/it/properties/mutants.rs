//! Deliberately broken normalizers. Each is caught by the invariant that is named for it, on a case where the reference
//! keeps it: an invariant that cannot fail proves nothing.

use std::cell::Cell;

use arbitrary::Unstructured;
use serde_json::{Value, json};
use wirecanon_core::invariant::{Verdict, by_id};
use wirecanon_core::normalizer::{Normalizer, Outcome, Reference, Request};
use wirecanon_core::{Dialect, Mode, Target};
use wirecanon_driver::{case, known};
use wirecanon_generate as generate;
use wirecanon_generate::defect::Effect;

use wirecanon_generate::noise;

/// The reference, and then a change to what it wrote.
struct Mutant {
    name: &'static str,
    change: fn(&Request<'_>, Outcome) -> Outcome,
}

impl Normalizer for Mutant {
    fn name(&self) -> &str {
        self.name
    }

    fn convert(&self, request: &Request<'_>) -> Outcome {
        (self.change)(request, Reference.convert(request))
    }
}

/// Whether `invariant` catches `mutant` on some canonical transcript for `target` where the reference keeps it.
fn caught(mutant: &dyn Normalizer, invariant: &str, target: &str) -> bool {
    let invariant = by_id(invariant).expect("the list has this invariant");
    let target = Target::by_name(target).expect("the library has this target");
    (0..600).any(|seed| {
        let bytes = noise(seed, 60 + 2 * usize::try_from(seed).unwrap_or(0));
        let u = &mut Unstructured::new(&bytes);
        let (made, then) = generate::pair(u, generate::Dialect::Canonical, seed % 2 == 1);
        let known = known(&made);
        let case = case(&made, &known, target, Mode::Request, Some(&then));
        matches!((invariant.check)(mutant, &case), Verdict::Violated(_))
            && (invariant.check)(&Reference, &case) == Verdict::Held
    })
}

fn assert_caught(name: &'static str, invariant: &str, target: &str, change: fn(&Request<'_>, Outcome) -> Outcome) {
    assert!(caught(&Mutant { name, change }, invariant, target), "{invariant} does not catch the mutant that {name}");
}

/// Changes the document that was written.
fn edit(outcome: Outcome, change: impl FnOnce(&mut Value)) -> Outcome {
    let Outcome::Output { bytes, report } = outcome else { return outcome };
    let Ok(mut document) = serde_json::from_slice(&bytes) else { return Outcome::Output { bytes, report } };
    change(&mut document);
    Outcome::Output { bytes: document.to_string().into_bytes(), report }
}

fn messages(document: &mut Value) -> &mut Vec<Value> {
    document["messages"].as_array_mut().expect("a canonical document has messages")
}

fn of_role<'d>(document: &'d mut Value, role: &str) -> Vec<&'d mut Value> {
    messages(document).iter_mut().filter(|message| message["role"] == role).collect()
}

fn blocks<'d>(document: &'d mut Value, kind: &str) -> Vec<&'d mut Value> {
    let contents = messages(document).iter_mut().filter_map(|message| message["content"].as_array_mut());
    contents.flatten().filter(|block| block["type"] == kind).collect()
}

#[test]
fn an_echo_poisons() {
    assert_caught("echoes", "P1", "canonical", |request, _| Outcome::Output {
        bytes: request.input.to_vec(),
        report: None,
    });
}

#[test]
fn a_dropped_result_poisons() {
    assert_caught("drops a result", "P1", "canonical", |_, outcome| {
        edit(outcome, |document| {
            let list = messages(document);
            if let Some(place) = list.iter().position(|message| message["role"] == "toolResult") {
                list.remove(place);
            }
        })
    });
}

#[test]
fn a_dropped_result_is_lost() {
    assert_caught("drops a result and its call", "P2", "canonical", |_, outcome| {
        edit(outcome, |document| {
            messages(document).retain(|message| message["role"] != "toolResult");
        })
    });
}

#[test]
fn a_dropped_user_text_is_lost() {
    assert_caught("drops what the user says", "P2", "openai", |_, outcome| {
        edit(outcome, |document| {
            messages(document).retain(|message| message["role"] != "user");
        })
    });
}

#[test]
fn a_lost_picture_is_lost() {
    assert_caught("replaces pictures by words", "P2", "canonical", |_, outcome| {
        edit(outcome, |document| {
            for block in blocks(document, "image") {
                *block = json!({"type": "text", "text": "image"});
            }
        })
    });
}

#[test]
fn made_up_words_are_invented() {
    assert_caught("makes up a result", "P3", "canonical", |_, outcome| {
        edit(outcome, |document| {
            for result in of_role(document, "toolResult") {
                result["content"] = json!([{"type": "text", "text": "The tool finished successfully."}]);
            }
        })
    });
}

#[test]
fn swapped_results_are_invented() {
    assert_caught("swaps two results", "P3", "canonical", |_, outcome| {
        edit(outcome, |document| {
            if let [first, second, ..] = &mut of_role(document, "toolResult")[..] {
                std::mem::swap(&mut first["content"], &mut second["content"]);
            }
        })
    });
}

#[test]
fn a_made_up_result_that_is_no_error_is_invented() {
    assert_caught("hides that a result was made up", "P3", "canonical", |_, outcome| {
        edit(outcome, |document| {
            for result in of_role(document, "toolResult") {
                result["isError"] = json!(false);
            }
        })
    });
}

#[test]
fn new_white_space_is_no_identity() {
    assert_caught("prints the document anew", "P4", "canonical", |_, outcome| edit(outcome, |_| {}));
}

#[test]
fn a_repair_that_is_not_reported_is_no_identity() {
    assert_caught("trims the user's words in a broken transcript", "P4", "canonical", |_, outcome| {
        let Outcome::Output { bytes, report } = outcome else { return outcome };
        let text = String::from_utf8_lossy(&bytes).replacen("\"user\"", "\"user\" ", 1);
        let changed = report.as_ref().is_some_and(|report| report.changed);
        Outcome::Output { bytes: if changed { text.into_bytes() } else { bytes }, report }
    });
}

#[test]
fn a_limit_on_the_number_of_messages_is_not_local() {
    assert_caught("keeps the last three messages", "P5", "canonical", |_, outcome| {
        edit(outcome, |document| {
            let list = messages(document);
            let surplus = list.len().saturating_sub(3);
            list.drain(..surplus);
        })
    });
}

#[test]
fn a_block_at_each_run_is_not_idempotent() {
    assert_caught("adds a user turn", "P6", "anthropic", |_, outcome| {
        edit(outcome, |document| {
            messages(document).push(json!({"role": "user", "content": [{"type": "text", "text": "continue"}]}));
        })
    });
}

#[test]
fn a_panic_is_not_total() {
    assert_caught("panics at a picture", "P7", "canonical", |request, outcome| {
        assert!(!String::from_utf8_lossy(request.input).contains("image/png"), "planted");
        outcome
    });
}

#[test]
fn refusing_everything_is_not_total() {
    assert_caught("refuses everything", "P7", "canonical", |_, _| Outcome::Refused {
        code: "other".to_owned(),
        message: "no".to_owned(),
    });
}

#[test]
fn growth_is_not_total() {
    assert_caught("writes far too much", "P7", "canonical", |request, outcome| {
        let Outcome::Output { mut bytes, report } = outcome else { return outcome };
        bytes.resize(request.input.len() * 100 + 5000, b' ');
        Outcome::Output { bytes, report }
    });
}

#[test]
fn a_counter_is_not_deterministic() {
    struct Counter(Cell<usize>);
    impl Normalizer for Counter {
        fn name(&self) -> &'static str {
            "counts"
        }

        fn convert(&self, request: &Request<'_>) -> Outcome {
            self.0.set(self.0.get() + 1);
            let outcome = Reference.convert(request);
            let Outcome::Output { mut bytes, report } = outcome else { return outcome };
            bytes.resize(bytes.len() + self.0.get(), b' ');
            Outcome::Output { bytes, report }
        }
    }
    assert!(caught(&Counter(Cell::new(0)), "P8", "canonical"));
}

#[test]
fn arguments_printed_anew_are_not_exact() {
    assert_caught("prints arguments anew", "P9", "canonical", |_, outcome| {
        edit(outcome, |document| {
            for call in blocks(document, "toolCall") {
                let text = call["arguments"].as_str().unwrap_or_default();
                if let Ok(arguments) = serde_json::from_str::<Value>(text) {
                    call["arguments"] = json!(arguments.to_string());
                }
            }
        })
    });
}

#[test]
fn one_id_for_all_is_not_injective() {
    assert_caught("calls every call the same", "P10", "canonical", |_, outcome| {
        edit(outcome, |document| {
            for call in blocks(document, "toolCall") {
                call["id"] = json!("call_1");
            }
        })
    });
}

#[test]
fn names_without_their_odd_characters_are_not_injective() {
    assert_caught("writes odd characters of names as underscores", "P10", "canonical", |_, outcome| {
        edit(outcome, |document| {
            for call in blocks(document, "toolCall") {
                let name = call["name"].as_str().unwrap_or_default();
                call["name"] = json!(name.replace(|c: char| !c.is_ascii_alphanumeric(), "_"));
            }
        })
    });
}

#[test]
fn a_target_s_id_characters_do_not_belong_into_the_history() {
    assert_caught("keeps to Anthropic's ids in the canonical dialect", "P11", "anthropic", |request, outcome| {
        if request.to.dialect != Dialect::Canonical {
            return outcome;
        }
        edit(outcome, |document| {
            for message in messages(document) {
                for key in ["id", "toolCallId"] {
                    if let Some(id) = message[key].as_str() {
                        message[key] = json!(id.replace([':', '.'], "_"));
                    }
                }
                for block in message["content"].as_array_mut().into_iter().flatten() {
                    if let Some(id) = block["id"].as_str() {
                        block["id"] = json!(id.replace([':', '.'], "_"));
                    }
                }
            }
        })
    });
}

#[test]
fn an_answer_that_nobody_gave_is_not_what_is_known() {
    assert_caught("gives a missing result another text", "known", "canonical", |_, outcome| {
        edit(outcome, |document| {
            for result in of_role(document, "toolResult").into_iter().filter(|result| result["synthetic"] == true) {
                result["content"] = json!([{"type": "text", "text": "(no output)"}]);
            }
        })
    });
}

#[test]
fn arguments_that_were_none_are_not_what_is_known() {
    assert_caught("takes arguments that are no object for none", "known", "canonical", |_, outcome| {
        edit(outcome, |document| {
            for call in blocks(document, "toolCall") {
                if call["arguments"].as_str().is_some_and(|text| text.contains("INVALID_JSON")) {
                    call["arguments"] = json!("{}");
                }
            }
        })
    });
}

#[test]
fn a_repair_that_nobody_is_told_of_is_not_what_is_known() {
    assert_caught("reports nothing", "known", "canonical", |_, outcome| {
        let Outcome::Output { bytes, report: Some(mut report) } = outcome else { return outcome };
        report.repairs.clear();
        Outcome::Output { bytes, report: Some(report) }
    });
}

#[test]
fn what_is_no_transcript_is_not_written() {
    let made = (0..200).find_map(|seed| {
        let made = generate::broken(&mut Unstructured::new(&noise(seed, 300)), generate::Dialect::Canonical);
        (made.effect == Effect::Refuse).then_some(made)
    });
    let made = made.expect("some transcript must be refused");
    let known = known(&made);
    let case = case(&made, &known, Target::by_name("canonical").expect("a target"), Mode::Request, None);
    let mutant = Mutant {
        name: "completes what was cut off",
        change: |_, _| Outcome::Output { bytes: b"{\"messages\":[]}".to_vec(), report: None },
    };
    let check = by_id("known").expect("the list has this invariant").check;
    assert_eq!(check(&Reference, &case), Verdict::Held);
    assert!(matches!(check(&mutant, &case), Verdict::Violated(_)));
}

#[test]
fn reasoning_does_not_leave_the_history() {
    assert_caught("leaves reasoning out of the canonical dialect", "P11", "openai", |request, outcome| {
        if request.to.dialect != Dialect::Canonical {
            return outcome;
        }
        edit(outcome, |document| {
            for message in messages(document) {
                if let Some(content) = message["content"].as_array_mut() {
                    content.retain(|block| block["type"] != "thinking");
                }
            }
        })
    });
}

#[test]
fn an_image_without_data_breaks_a_promise() {
    assert_caught("forgets the data of pictures", "promises", "canonical", |_, outcome| {
        edit(outcome, |document| {
            for image in blocks(document, "image") {
                image.as_object_mut().expect("a block is an object").remove("data");
            }
        })
    });
}

#[test]
fn a_call_without_arguments_breaks_a_promise() {
    for bad in [json!(null), json!({}), json!("{\"q\":")] {
        struct Bad(Value);
        impl Normalizer for Bad {
            fn name(&self) -> &'static str {
                "spoils arguments"
            }

            fn convert(&self, request: &Request<'_>) -> Outcome {
                edit(Reference.convert(request), |document| {
                    for call in blocks(document, "toolCall") {
                        call["arguments"] = self.0.clone();
                    }
                })
            }
        }
        assert!(caught(&Bad(bad.clone()), "promises", "canonical"), "{bad}");
    }
}

/// Writes all that is said as one text of the user.
fn flattened(_: &Request<'_>, outcome: Outcome) -> Outcome {
    edit(outcome, |document| {
        let text = document["messages"].to_string();
        document["messages"] = json!([{"role": "user", "content": text}]);
    })
}

#[test]
fn a_conversation_in_one_text_is_another_one() {
    assert_caught("flattens everything into one text", "M1a", "openai", flattened);
    assert_caught("flattens everything into one text", "M1b", "openai", flattened);
}

#[test]
fn words_of_another_speaker_are_other_words() {
    for invariant in ["M1a", "M1b"] {
        assert_caught("moves words to another speaker", invariant, "openai", |_, outcome| {
            edit(outcome, |document| {
                if let Some(message) = of_role(document, "user").into_iter().next() {
                    message["role"] = json!("assistant");
                }
            })
        });
    }
}
