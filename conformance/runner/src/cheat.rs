//! Cheats: testees that convert as the reference does and spoil each answer in one way. Before each run they are asked for framed
//! probes; where one of them passes more than a tenth, nothing that the judge says counts.

use std::collections::BTreeSet;

use serde_json::{Value, json};
use wirecanon_core::{Dialect, From, Options, Target, fix};
use wirecanon_judge::case::Case;
use wirecanon_judge::verdict::Verdict;

use crate::run::{self, Manner};
use crate::testee::{Answer, Hello, Reference, Request, StartError, Testee};

wirecanon_judge::named! {
    /// A way to spoil an answer.
    #[derive(Clone, Copy, Debug, PartialEq, Eq)]
    pub enum Cheat(name) {
        /// The whole request is one text of the user
        Flatten = "flatten";
        /// Calls have no arguments
        EmptyArguments = "empty-arguments";
        /// Calls and results have one name
        RenameTools = "rename-tools";
        /// The first two results have each other's content
        ExchangeResults = "exchange-results";
        /// The answer belongs to the request before
        AnswerBefore = "answer-before";
        /// The answer is written in another dialect
        AnotherDialect = "another-dialect";
    }
}

/// Asks every cheat for the probes, framed.
///
/// # Errors
///
/// A cheat passes a tenth of the probes or more, or answers that nobody spoiled do not all pass: the judge is broken, in words.
pub fn try_all(probes: &[Case]) -> Result<(), String> {
    let (passed, asked) = passed(None, probes);
    if passed < asked || asked == 0 {
        return Err(format!(
            "of {asked} framed probes {passed} right answers pass: nothing that this judge says counts"
        ));
    }
    for cheat in Cheat::ALL {
        let (passed, asked) = self::passed(Some(cheat), probes);
        if passed * 10 >= asked {
            return Err(format!(
                "the fake testee `{}` passes {passed} of {asked} framed probes: nothing that this judge says counts",
                cheat.name()
            ));
        }
    }
    Ok(())
}

/// How many probes pass, and how many were asked for.
fn passed(cheat: Option<Cheat>, probes: &[Case]) -> (usize, usize) {
    let cases: Vec<&Case> = probes.iter().collect();
    let manner = Manner { minimum: 1, frames: true, ..Manner::default() };
    let run = run::run_as("cheat", &mut Spoiling { cheat, before: None }, &cases, manner, &mut |_| {});
    let asked = run.results.iter().filter(|result| result.judgement.verdict != Verdict::Unsupported);
    let passed = asked.clone().filter(|result| result.judgement.ok).count();
    (passed, asked.count())
}

/// Targets of the dialects that most programs write.
const TARGETS: [&str; 4] = ["openai", "anthropic", "gemini", "bedrock"];

/// The reference, whose answers are spoiled.
struct Spoiling {
    /// `None` leaves them as they are
    cheat: Option<Cheat>,
    before: Option<Answer>,
}

impl Spoiling {
    fn answer(&mut self, request: &Request<'_>) -> Answer {
        let own = || Reference::answer(request);
        match self.cheat {
            None => own(),
            Some(Cheat::AnswerBefore) => self.before.replace(own()).unwrap_or_else(|| Answer::Refused {
                code: "other".to_owned(),
                message: "there was no request before".to_owned(),
            }),
            Some(Cheat::AnotherDialect) => {
                let is_gemini = request.target.dialect == Dialect::GeminiContents;
                let name = if is_gemini { "openai" } else { "gemini" };
                Target::by_name(name)
                    .map_or_else(|_| own(), |target| Reference::answer(&Request { target, ..*request }))
            }
            Some(Cheat::Flatten) => {
                let text = String::from_utf8_lossy(request.input);
                let flat = json!({"messages": [{"role": "user", "content": [{"type": "text", "text": text}]}]});
                rewritten(request, &flat)
            }
            Some(cheat) => spoiled(request, cheat).map_or_else(own, |document| rewritten(request, &document)),
        }
    }
}

/// What the reference makes of a canonical document for the target of a request.
fn rewritten(request: &Request<'_>, document: &Value) -> Answer {
    let input = document.to_string();
    Reference::answer(&Request { from: Dialect::Canonical, input: input.as_bytes(), ..*request })
}

/// The canonical document of a request, spoiled; `None` where the reference refuses the request.
fn spoiled(request: &Request<'_>, cheat: Cheat) -> Option<Value> {
    let options = Options {
        from: From::Dialect(request.from),
        to: Some(Target::of_dialect(Dialect::Canonical)),
        mode: request.mode,
        call_id: request.call_id.map(str::to_owned),
        ..Options::default()
    };
    let fixed = fix(request.input, &options).ok()?;
    let mut document: Value = serde_json::from_slice(&fixed.output).ok()?;
    match cheat {
        Cheat::ExchangeResults => exchange(messages(&mut document)),
        Cheat::EmptyArguments => for_each_call(&mut document, |call| call["arguments"] = "{}".into()),
        _ => {
            for_each_call(&mut document, |call| call["name"] = "x".into());
            for message in messages(&mut document).iter_mut().filter(|message| message.get("toolName").is_some()) {
                message["toolName"] = "x".into();
            }
        }
    }
    Some(document)
}

/// The messages of a document; none of a lone result.
fn messages(document: &mut Value) -> &mut [Value] {
    document.get_mut("messages").and_then(Value::as_array_mut).map_or(&mut [], Vec::as_mut_slice)
}

fn for_each_call(document: &mut Value, change: impl Fn(&mut Value)) {
    let blocks =
        messages(document).iter_mut().filter_map(|message| message.get_mut("content")?.as_array_mut()).flatten();
    blocks.filter(|block| block["type"] == "toolCall").for_each(change);
}

/// Exchanges the contents of the first two results.
fn exchange(messages: &mut [Value]) {
    let mut results = messages.iter_mut().filter(|message| message["role"] == "toolResult");
    if let (Some(first), Some(second)) = (results.next(), results.next()) {
        for key in ["content", "isError"] {
            std::mem::swap(&mut first[key], &mut second[key]);
        }
    }
}

impl Testee for Spoiling {
    fn hello(&mut self) -> Result<Hello, StartError> {
        let mut hello = Reference::introduction();
        self.cheat.map_or("right", Cheat::name).clone_into(&mut hello.name);
        let targets = TARGETS.iter().filter_map(|name| Target::by_name(name).ok());
        let dialects: Vec<Dialect> = targets.map(|target| target.dialect).collect();
        hello.conversions.retain(|(_, to)| dialects.contains(to));
        let names: BTreeSet<String> = TARGETS.map(str::to_owned).into();
        hello.targets = hello.conversions.iter().map(|pair| (*pair, names.clone())).collect();
        Ok(hello)
    }

    fn convert(&mut self, requests: &[Request<'_>], answered: &mut dyn FnMut(usize, Answer)) {
        for (index, request) in requests.iter().enumerate() {
            answered(index, self.answer(request));
        }
    }
}
