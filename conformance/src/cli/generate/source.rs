//! What is made: instances of a schema, or transcripts.

use arbitrary::Unstructured;
use wirecanon_cases::near::{asked, hint, near};
use wirecanon_core::Position;
use wirecanon_core::json::{Json, Limits, position};
use wirecanon_generate::defect::{self, Defect};
use wirecanon_generate::instance::{Error, Plan};
use wirecanon_generate::{self as generate, Dialect, Form, Generated, Revision};
use wirecanon_judge::exit::Stop;
use wirecanon_judge::pointer::nearest;
use wirecanon_schemas::catalogue;

use super::super::input::Input;
use super::super::text_of;
use super::Args;

/// Transcripts that are tried before defects are said to find nothing to break.
const ATTEMPTS: u64 = 2000;

/// In place of a defect: any.
const ANY: &str = "any";

/// What is asked for, ready to be made many times.
pub(super) struct Source {
    kind: Kind,
    seed: u64,
    most: usize,
}

enum Kind {
    Schema(Box<Plan>),
    Dialect(Form, Defects),
}

enum Defects {
    Nothing,
    Any,
    These(Vec<&'static Defect>),
}

/// One document.
pub(super) enum Made {
    Instance(String),
    Transcript(Box<Generated>),
}

impl Made {
    /// Its text.
    pub(super) fn bytes(&self) -> &[u8] {
        match self {
            Self::Instance(text) => text.as_bytes(),
            Self::Transcript(made) => &made.bytes,
        }
    }
}

impl Source {
    pub(super) fn of(args: &Args) -> Result<Self, Stop> {
        let kind = match (&args.dialect, &args.schema) {
            (Some(name), _) => {
                let form = form(name)?;
                Kind::Dialect(form, defects(&args.defect, form.dialect)?)
            }
            (None, Some(file)) => Kind::Schema(Box::new(plan(file)?)),
            (None, None) => return Err(Stop::usage("give `--dialect` or `--schema`")),
        };
        Ok(Self { kind, seed: args.seed, most: args.max_bytes })
    }

    /// Number `index`.
    pub(super) fn made(&self, index: u64) -> Result<Made, Stop> {
        for attempt in 0..ATTEMPTS {
            let bytes = generate::stream(self.seed, index, attempt, self.most);
            let u = &mut Unstructured::new(&bytes);
            let made = match &self.kind {
                Kind::Schema(plan) => return Ok(Made::Instance(plan.instance(u))),
                Kind::Dialect(form, Defects::Nothing) => Some(generate::valid(u, *form)),
                Kind::Dialect(form, Defects::Any) => Some(generate::broken(u, *form)),
                Kind::Dialect(form, Defects::These(defects)) => generate::broken_by(u, *form, defects),
            };
            if let Some(made) = made {
                return Ok(Made::Transcript(Box::new(made)));
            }
        }
        Err(Stop::usage(format!(
            "number {index}: none of {ATTEMPTS} transcripts has something that all these defects could break; \
             give fewer of them, or a larger `--max-bytes`"
        )))
    }
}

/// A dialect, and behind an `@` the revision of it that is asked for.
pub(in crate::cli) fn form(name: &str) -> Result<Form, Stop> {
    if let Some(form) = Form::by_name(name) {
        return Ok(form);
    }
    if let Some((plain, revision)) = name.split_once('@')
        && let Some(dialect) = Dialect::by_name(plain)
    {
        let known = Revision::ALL.map(Revision::name).join(", ");
        return Err(Stop::usage(if dialect.has_revisions() {
            format!("`{plain}` has no revision `{revision}`; there are: {known}")
        } else {
            format!("`{plain}` has no revisions: leave `@{revision}` out")
        }));
    }
    let names = Dialect::ALL.map(Dialect::name);
    let hint = hint(name, names.into_iter()).map_or_else(String::new, |hint| hint + " ");
    Err(Stop::usage(format!("no dialect is called `{name}`; {hint}there are: {}", names.join(", "))))
}

fn defects(ids: &[String], dialect: Dialect) -> Result<Defects, Stop> {
    if ids.is_empty() {
        return Ok(Defects::Nothing);
    }
    if ids.iter().any(|id| id == ANY) {
        return match ids {
            [_] => Ok(Defects::Any),
            _ => Err(Stop::usage(format!("`--defect {ANY}` draws defects: give it alone"))),
        };
    }
    let each = ids.iter().map(|id| {
        let Some(defect) = defect::by_id(id) else {
            let hint = hint(id, defect::all().iter().map(|defect| defect.id));
            let hint = hint.map_or_else(String::new, |hint| hint + " ");
            return Err(Stop::usage(format!("no defect is called `{id}`; {hint}`wirecanon list defects` has all")));
        };
        if defect.applies_to(dialect) {
            return Ok(defect);
        }
        let others: Vec<_> =
            Dialect::ALL.into_iter().filter(|other| defect.applies_to(*other)).map(Dialect::name).collect();
        let others = others.join(", ");
        Err(Stop::usage(format!("`{id}` breaks nothing in {}; it is a defect of: {others}", dialect.name())))
    });
    each.collect::<Result<_, _>>().map(Defects::These)
}

/// The plan of the schema in a file, or of that name in the catalogue.
fn plan(file: &str) -> Result<Plan, Stop> {
    let own = || catalogue::by_id(&format!("wirecanon/{file}"));
    let known = if std::path::Path::new(file).exists() { None } else { catalogue::by_id(file).or_else(own) };
    if let Some(schema) = known {
        return compile(schema.id, schema.text);
    }
    let (name, bytes) = Input::read(file).map_err(|stop| beside_the_names(file, stop))?;
    let text = text_of(&name, &bytes, true)?;
    compile(&name, text.strip_prefix('\u{feff}').unwrap_or(text))
}

/// Where there is no such file, a schema of the catalogue may have been meant.
fn beside_the_names(file: &str, stop: Stop) -> Stop {
    let hint = asked(&near(file, catalogue::ALL.iter().map(|schema| schema.id)));
    match (stop.message, hint) {
        (Some(message), Some(hint)) => Stop { message: Some(format!("{message}; {hint}")), ..stop },
        (message, _) => Stop { message, ..stop },
    }
}

fn compile(name: &str, text: &str) -> Result<Plan, Stop> {
    // Said by the parser that knows lines and columns.
    let json = Json::parse(text, &Limits::default()).map_err(|error| Stop::usage(format!("{name}: {error}")))?;
    Plan::compile(text).map_err(|error| {
        let Position { line, column, .. } = place(&json, &error);
        Stop::usage(format!("{name}: line {line}, column {column}: {error}"))
    })
}

/// Where the keyword stands that an error names, or the schema that it is about.
fn place(json: &Json<'_>, error: &Error) -> Position {
    let schema = nearest(json.root(), &error.pointer);
    let keyword = schema.members().find(|(key, _)| key.is_str(&error.keyword)).map(|(key, _)| key);
    position(json.text(), keyword.unwrap_or(schema).span().start)
}
