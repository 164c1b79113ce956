//! Defects: how a valid transcript is broken, one file a class, one row a defect.
//!
//! A defect changes what is written and, in the same breath, what must come out of it, so that most broken transcripts
//! know their right answer. Where nobody can say what comes out, it takes the words that it touches off the list of those
//! that must survive.

mod dialects;
mod empty_content;
mod encoding;
mod error_flag;
mod extra_fields;
mod mcp_block;
mod media;
mod pairing;
mod place;
mod role_order;
mod streaming;
mod thinking;
mod tool_args;
mod tool_call_id;
mod tool_name;

use std::fmt;
use std::sync::LazyLock;

use crate::node::Node;
use crate::plan::{Field, Message, Plan, Role};
use crate::{Config, Dialect, Draw};

/// What is known of the outcome where a defect has been at work. Of several defects, the last in this order counts.
///
/// ```
/// use wirecanon_generate::defect::{Effect, by_id};
///
/// let effect = |id| by_id(id).map(|defect| defect.effect);
/// assert_eq!(effect("orphan-result"), Some(Effect::Exact));
/// assert_eq!(effect("text-cut-off"), Some(Effect::Refuse));
/// assert_eq!(Effect::Property.to_string(), "property");
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Effect {
    /// The canonical outcome is known whole
    #[default]
    Exact,
    /// It is known what must hold: which words survive, which calls and results belong together
    Property,
    /// Nothing may be written, and a typed error says so
    Refuse,
}

impl fmt::Display for Effect {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Exact => "exact",
            Self::Property => "property",
            Self::Refuse => "refuse",
        })
    }
}

/// One way to break a valid transcript.
///
/// ```
/// use wirecanon_generate::defect::by_id;
///
/// let defect = by_id("orphan-result").ok_or("no such defect")?;
/// assert_eq!((defect.class, defect.rules), ("pairing", &["orphan-tool-result"][..]));
/// assert_eq!(defect.summary, "The call of a result is nowhere.");
/// # Ok::<(), &str>(())
/// ```
#[derive(Clone, Debug)]
pub struct Defect {
    /// Kebab-case; says what is wrong
    pub id: &'static str,
    /// The class of faults that it belongs to, as the catalogue of rules has it
    pub class: &'static str,
    /// Rules that a report must name; empty where nothing is to be reported
    pub rules: &'static [&'static str],
    /// What is known of the outcome
    pub effect: Effect,
    /// What it does, in one sentence
    pub summary: &'static str,
    dialects: fn(Dialect) -> bool,
    apply: Apply,
}

impl Defect {
    /// Whether it can break something in this dialect.
    ///
    /// ```
    /// use wirecanon_generate::defect::by_id;
    /// use wirecanon_generate::Dialect;
    ///
    /// let orphan = by_id("orphan-result").ok_or("no such defect")?;
    /// assert!(orphan.applies_to(Dialect::OpenAiChat));
    /// assert!(!orphan.applies_to(Dialect::McpToolResult), "it has no calls");
    /// # Ok::<(), &str>(())
    /// ```
    pub fn applies_to(&self, dialect: Dialect) -> bool {
        (self.dialects)(dialect)
    }
}

/// Every defect, class by class.
///
/// ```
/// use wirecanon_generate::defect::all;
///
/// let pairing: Vec<_> = all().iter().filter(|defect| defect.class == "pairing").map(|defect| defect.id).collect();
/// assert!(pairing.contains(&"orphan-result") && pairing.contains(&"result-missing"));
/// ```
pub fn all() -> &'static [Defect] {
    static ALL: LazyLock<Vec<Defect>> = LazyLock::new(|| {
        let classes = [
            ("mcp-block-unrepresentable", mcp_block::ROWS),
            ("image-media-malformed", media::ROWS),
            ("tool-args", tool_args::ROWS),
            ("pairing", pairing::ROWS),
            ("tool-call-id", tool_call_id::ROWS),
            ("tool-name", tool_name::ROWS),
            ("streaming-artifact", streaming::ROWS),
            ("empty-content", empty_content::ROWS),
            ("error-flag", error_flag::ROWS),
            ("extra-fields", extra_fields::ROWS),
            ("thinking-reasoning", thinking::ROWS),
            ("role-order", role_order::ROWS),
            ("encoding", encoding::ROWS),
            ("extra-fields", encoding::OF_ANY_VALUE),
        ];
        let mut all = Vec::new();
        for (class, rows) in classes {
            all.extend(rows.iter().map(|row| Defect { class, ..row.clone() }));
        }
        all
    });
    &ALL
}

/// The defect with this id.
///
/// ```
/// use wirecanon_generate::defect::by_id;
///
/// assert!(by_id("result-twice").is_some_and(|defect| defect.rules == ["duplicate-tool-result"]));
/// assert!(by_id("duplicate-tool-result").is_none(), "that is a rule");
/// ```
pub fn by_id(id: &str) -> Option<&'static Defect> {
    all().iter().find(|defect| defect.id == id)
}

/// Where a defect is at work.
pub(crate) struct Site<'w, 'b> {
    pub(crate) draw: Draw<'w, 'b>,
    pub(crate) plan: &'w mut Plan,
    pub(crate) dialect: Dialect,
}

/// A row whose outcome is known whole. Its class is that of the file.
const fn exact(
    id: &'static str,
    rules: &'static [&'static str],
    summary: &'static str,
    dialects: fn(Dialect) -> bool,
    apply: Plans,
) -> Defect {
    Defect { id, class: "", rules, effect: Effect::Exact, summary, dialects, apply: Apply::Plan(apply) }
}

/// A row of whose outcome only the promises are known, and of which nothing is reported.
const fn property(id: &'static str, summary: &'static str, dialects: fn(Dialect) -> bool, apply: Plans) -> Defect {
    Defect { effect: Effect::Property, ..exact(id, &[], summary, dialects, apply) }
}

/// Something else in a field.
fn instead(node: impl Into<Node>) -> Field {
    Field::Instead(node.into())
}

type Plans = fn(&mut Site<'_, '_>) -> Option<()>;

type Finished<T> = fn(&mut Site<'_, '_>, &mut T) -> Option<()>;

/// What is broken: the plan, the document made of it, or its text. A defect says no when there is nothing that it could
/// break.
#[derive(Clone, Copy, Debug)]
enum Apply {
    Plan(Plans),
    Tree(Finished<Node>),
    Bytes(Finished<Vec<u8>>),
}

/// The defects of one transcript, in the order they are done: those of the plan, then the document's, then the text's.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Choice<'d> {
    /// None
    Nothing,
    /// At least one, as drawn
    Any,
    /// These, all of them
    These(&'d [&'static Defect]),
}

impl Choice<'_> {
    /// Whether the transcript stays as it is.
    pub(crate) fn is_nothing(self) -> bool {
        matches!(self, Self::Nothing)
    }

    /// Breaks the plan.
    pub(crate) fn plan(self, on: &mut Site<'_, '_>, config: &Config) -> Option<()> {
        match self {
            Self::Nothing => return Some(()),
            Self::Any => some_of_plan(on, config.max_faults),
            Self::These(defects) => {
                for defect in defects {
                    if !defect.applies_to(on.dialect) {
                        return None;
                    }
                    if let Apply::Plan(apply) = defect.apply {
                        apply(on)?;
                        on.plan.has(defect);
                    }
                }
            }
        }
        let plan = &mut *on.plan;
        if config.joined {
            doubt_what_is_joined(plan);
        }
        forget_what_is_lost_between(plan);
        // Without one message that looks like one, it is no transcript of any dialect.
        let intact = |message: &Message| message.spelled_role == Field::Natural && message.content == Field::Natural;
        plan.may_refuse |= !plan.messages.iter().any(intact);
        Some(())
    }

    /// Breaks the finished document.
    pub(crate) fn tree(self, on: &mut Site<'_, '_>, root: &mut Node) -> Option<()> {
        let of = |apply| if let Apply::Tree(apply) = apply { Some(apply) } else { None };
        self.finished(on, root, 6, of)
    }

    /// Breaks the finished text.
    pub(crate) fn bytes(self, on: &mut Site<'_, '_>, bytes: &mut Vec<u8>) -> Option<()> {
        let of = |apply| if let Apply::Bytes(apply) = apply { Some(apply) } else { None };
        self.finished(on, bytes, 12, of)
    }

    /// Breaks what was made of the plan by defects that `of` knows; once in so many transcripts where any will do.
    fn finished<T>(
        self,
        on: &mut Site<'_, '_>,
        made: &mut T,
        rarity: usize,
        of: fn(Apply) -> Option<Finished<T>>,
    ) -> Option<()> {
        let rows = || all().iter().filter(|defect| of(defect.apply).is_some()).collect::<Vec<_>>();
        let whole = on.plan.faults.is_empty();
        let drawn: Vec<&'static Defect> = match self {
            Self::Any if on.draw.chance(1, rarity) => {
                rows().first().map(|_| on.draw.pick(&rows())).into_iter().collect()
            }
            // A plan may hold nothing that can be broken, as an empty result does: the first of these that finds something.
            Self::Any if whole => rows(),
            _ => Vec::new(),
        };
        for defect in self.these().iter().copied().chain(drawn) {
            let Some(apply) = of(defect.apply) else { continue };
            match apply(on, made) {
                Some(()) => on.plan.has(defect),
                None if matches!(self, Self::These(_)) => return None,
                None => continue,
            }
            if whole && matches!(self, Self::Any) {
                break;
            }
        }
        Some(())
    }

    fn these(&self) -> &[&'static Defect] {
        if let Self::These(defects) = self { defects } else { &[] }
    }
}

/// Breaks a plan in up to `max_faults` ways, at least one.
fn some_of_plan(on: &mut Site<'_, '_>, max_faults: usize) {
    let rows = all();
    on.plan.wild = on.draw.chance(1, 8);
    for _ in 0..=on.draw.up_to(max_faults.saturating_sub(1)) {
        let first = on.draw.up_to(rows.len() - 1);
        // The next defect that finds something to break.
        for step in 0..rows.len() {
            let defect = &rows[(first + step) % rows.len()];
            let Apply::Plan(apply) = defect.apply else { continue };
            if defect.applies_to(on.dialect) && apply(on).is_some() {
                on.plan.has(defect);
                break;
            }
        }
    }
}

/// A result is far behind its call only if something that is read stands between the two.
fn forget_what_is_lost_between(plan: &mut Plan) {
    let lost = plan.faults.contains(&"user-missing-in-front")
        || plan.messages.iter().any(|message| message.spelled_role != Field::Natural);
    if lost && plan.faults.contains(&"result-at-the-end") {
        plan.rules.remove("tool-result-displaced");
    }
}

/// A message of the user that stands in one with the results before it has neither a role nor a content of its own to be
/// wrong.
fn doubt_what_is_joined(plan: &mut Plan) {
    for place in 1..plan.messages.len() {
        let message = &plan.messages[place];
        let own =
            message.spelled_role != Field::Natural || message.content != Field::Natural || !message.extra.is_empty();
        if message.role == Role::User && own && plan.messages[place - 1].role == Role::Result {
            plan.doubt();
            plan.forget_message(place);
        }
    }
}
