//! Documents that the reference wrote, and that every judge must accept.

use arbitrary::Unstructured;
use wirecanon::{conversion, corpus};
use wirecanon_core::{Dialect, From, Mode, Options, Target, fix};
use wirecanon_generate as generate;

use super::draws;
use super::random::Random;

/// The origin of what was written of the corpus.
pub(crate) const CORPUS: &str = "corpus";

/// A case that was to be written for a target.
pub(crate) struct Attempt {
    /// Id of the case
    pub(crate) case: String,
    /// Its dialect
    pub(crate) from: Dialect,
    pub(crate) target: &'static Target,
    /// None where `fix` refused, and wrote nothing
    pub(crate) document: Option<Document>,
}

/// One document.
pub(crate) struct Document {
    /// [`CORPUS`] or `generated`
    pub(crate) origin: &'static str,
    /// The case or the draw that it was made from, and the target that it was written for
    pub(crate) from: String,
    /// That target
    pub(crate) target: &'static Target,
    /// Its text
    pub(crate) text: String,
}

/// Targets that speak a dialect.
fn targets(dialect: Dialect) -> impl Iterator<Item = &'static Target> {
    Target::all().iter().filter(move |target| target.dialect == dialect)
}

fn write(input: &[u8], from: From, target: &Target) -> Option<String> {
    let options = Options {
        from,
        to: Some(target),
        call_id: Some("call_1".to_owned()),
        mode: Mode::Request,
        strict: true,
        ..Options::default()
    };
    // A refusal writes nothing, so there is nothing to judge: `wirecanon test` decides whether it was right.
    let fixed = fix(input, &options).ok()?;
    String::from_utf8(fixed.output.into_owned()).ok()
}

/// Every case of the corpus, written for every target of the dialect.
///
/// # Errors
///
/// The corpus cannot be read.
pub(crate) fn from_corpus(dialect: Dialect) -> Result<Vec<Attempt>, String> {
    let mut attempts = Vec::new();
    for case in corpus::load().map_err(|error| error.to_string())? {
        for target in targets(dialect).filter(|target| conversion::exists(case.from, target)) {
            let document = write(&case.input, From::Dialect(case.from), target).map(|text| Document {
                origin: CORPUS,
                from: format!("{} to {}", case.id, target.name),
                target,
                text,
            });
            attempts.push(Attempt { case: case.id.clone(), from: case.from, target, document });
        }
    }
    Ok(attempts)
}

/// Transcripts of the generator, valid and broken ones in turn, written for the targets of the dialect; without end. A
/// further source or target takes its share of the draws, and moves no other.
pub(crate) fn generated(dialect: Dialect, seed: u64) -> impl Iterator<Item = Document> {
    let targets: Vec<_> = targets(dialect).collect();
    let sources: Vec<_> = generate::Dialect::ALL
        .into_iter()
        .filter(|source| {
            Dialect::by_name(source.name())
                .is_some_and(|from| targets.iter().any(|target| conversion::exists(from, target)))
        })
        .collect();
    (0_usize..).filter_map(move |count| {
        let draw = format!("{} {count}", dialect.name());
        let source = *draws::one(&sources, seed, &draw, |source| source.name())?;
        let from = Dialect::by_name(source.name())?;
        let draw = format!("{draw} {}", source.name());
        let target = *draws::one(&targets, seed, &draw, |target| &target.name)?;
        if !conversion::exists(from, target) {
            return None;
        }
        let mut random = Random::new(seed, &draw);
        let length = 64 << random.below(5);
        let bytes = random.bytes(length);
        let draw = &mut Unstructured::new(&bytes);
        let broken = random.one_in(2);
        let made = if broken { generate::broken(draw, source) } else { generate::valid(draw, source) };
        let kind = if broken { "broken" } else { "valid" };
        Some(Document {
            origin: "generated",
            from: format!("{kind} {} {count} to {}", source.name(), target.name),
            target,
            text: write(&made.bytes, From::Dialect(from), target)?,
        })
    })
}
