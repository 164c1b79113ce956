//! What the generators make, as proptest strategies that shrink.
//!
//! A value is drawn from bytes, as everywhere in this crate, and the bytes are what shrinks: spans of them are cut out, then
//! zeroed, then single bytes lowered. What is tried is looked at before a test sees it. If it draws the same value, the
//! fewer bytes are taken without asking; if it draws a larger one, it is not tried. So each step that a test is asked about
//! is a document that is no longer than the last one that failed, and the last step is a small document.
//!
//! ```
//! use proptest::prelude::*;
//! use proptest::test_runner::TestRunner;
//! use wirecanon_generate::instance::Plan;
//! use wirecanon_generate::strategy;
//!
//! let plan = Plan::compile(r#"{"type": "array", "items": {"type": "integer", "minimum": 0, "maximum": 99}}"#)?;
//! let mut runner = TestRunner::deterministic();
//! runner.run(&strategy::instances(plan), |drawn| {
//!     prop_assert!(drawn.made.starts_with('['));
//!     Ok(())
//! }).unwrap();
//! # Ok::<(), wirecanon_generate::instance::Error>(())
//! ```

mod shrink;

use std::fmt;
use std::ops::Deref;
use std::sync::Arc;

use arbitrary::Unstructured;
use proptest::prelude::RngExt;
use proptest::strategy::{NewTree, Strategy};
use proptest::test_runner::TestRunner;

use crate::{Dialect, Generated, instance};
pub use shrink::Tree;

/// Bytes that a value is drawn from at most, unless [`Drawing::of_at_most`] says otherwise.
const MOST: usize = 1200;

/// What is drawn from bytes, and has a text that shall get small.
///
/// ```
/// use wirecanon_generate::strategy::{Document, drawn};
///
/// /// The id of a call.
/// #[derive(Clone, PartialEq)]
/// struct Id(String);
///
/// impl Document for Id {
///     fn text(&self) -> &[u8] {
///         self.0.as_bytes()
///     }
/// }
///
/// let ids = drawn(|u| Id(format!("call_{}", u.arbitrary::<u8>().unwrap_or_default())));
/// ```
pub trait Document: Clone + PartialEq {
    /// Its text.
    ///
    /// ```
    /// use wirecanon_generate::strategy::Document;
    ///
    /// assert_eq!(r#"{"at":"a.png"}"#.to_owned().text(), br#"{"at":"a.png"}"#);
    /// ```
    fn text(&self) -> &[u8];

    /// What else is worth knowing of it where a test fails.
    ///
    /// ```
    /// use arbitrary::Unstructured;
    /// use wirecanon_generate::{self as generate, Dialect};
    /// use wirecanon_generate::strategy::Document;
    ///
    /// let made = generate::valid(&mut Unstructured::new(&[]), Dialect::OpenAiChat);
    /// assert_eq!(made.about(), "openai.chat [] ", "its dialect and its faults");
    /// ```
    fn about(&self) -> String {
        String::new()
    }
}

impl Document for String {
    fn text(&self) -> &[u8] {
        self.as_bytes()
    }
}

impl Document for Generated {
    fn text(&self) -> &[u8] {
        &self.bytes
    }

    fn about(&self) -> String {
        format!("{} {:?} ", self.dialect.name(), self.faults)
    }
}

/// The first of two is the one that is looked at.
impl Document for (Generated, Generated) {
    fn text(&self) -> &[u8] {
        &self.0.bytes
    }

    fn about(&self) -> String {
        format!("{:?}, then {:?} {}", self.0.faults, self.1.faults, String::from_utf8_lossy(&self.1.bytes))
    }
}

/// A value and the bytes that it is drawn from.
///
/// ```
/// use wirecanon_generate::strategy::Drawn;
///
/// let drawn = Drawn { made: r#"{"at":"a.png"}"#.to_owned(), from: vec![7, 255] };
/// assert_eq!(drawn.len(), 14, "it reads as what was made");
/// assert_eq!(format!("{drawn:?}"), r#"{"at":"a.png"} (from 07ff)"#);
/// ```
#[derive(Clone, PartialEq, Eq)]
pub struct Drawn<T> {
    /// The value
    pub made: T,
    /// What it is drawn from
    pub from: Vec<u8>,
}

impl<T> Deref for Drawn<T> {
    type Target = T;

    fn deref(&self) -> &T {
        &self.made
    }
}

impl<T: Document> fmt::Debug for Drawn<T> {
    /// The text as it is, so that it can be copied from a failed test.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}{} (from ", self.made.about(), String::from_utf8_lossy(self.made.text()))?;
        self.from.iter().try_for_each(|byte| write!(f, "{byte:02x}"))?;
        write!(f, ")")
    }
}

type Make<T> = dyn Fn(&mut Unstructured<'_>) -> T + Send + Sync;

/// A strategy: how a value is drawn from bytes, and how many there may be.
///
/// ```
/// use proptest::strategy::{Strategy, ValueTree};
/// use proptest::test_runner::TestRunner;
/// use wirecanon_generate::strategy;
///
/// let tree = strategy::valid().new_tree(&mut TestRunner::deterministic())?;
/// assert!(tree.current().valid);
/// # Ok::<(), proptest::test_runner::Reason>(())
/// ```
pub struct Drawing<T> {
    make: Arc<Make<T>>,
    most: usize,
}

impl<T> Clone for Drawing<T> {
    fn clone(&self) -> Self {
        Self { make: Arc::clone(&self.make), most: self.most }
    }
}

impl<T> fmt::Debug for Drawing<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Drawing").field("most", &self.most).finish_non_exhaustive()
    }
}

impl<T> Drawing<T> {
    /// The same from at most so many bytes: fewer make smaller values.
    ///
    /// ```
    /// use proptest::strategy::{Strategy, ValueTree};
    /// use proptest::test_runner::TestRunner;
    /// use wirecanon_generate::strategy;
    ///
    /// let tree = strategy::valid().of_at_most(40).new_tree(&mut TestRunner::deterministic())?;
    /// assert!(tree.current().from.len() <= 40);
    /// # Ok::<(), proptest::test_runner::Reason>(())
    /// ```
    #[must_use]
    pub fn of_at_most(self, most: usize) -> Self {
        Self { most, ..self }
    }
}

impl<T: Document> Strategy for Drawing<T> {
    type Tree = Tree<T>;
    type Value = Drawn<T>;

    fn new_tree(&self, runner: &mut TestRunner) -> NewTree<Self> {
        let rng = runner.rng();
        let length = rng.random_range(0..=self.most);
        let bytes = (0..length).map(|_| rng.random()).collect();
        Ok(Tree::new(Arc::clone(&self.make), bytes))
    }
}

/// What `make` draws.
///
/// ```
/// use proptest::strategy::{Strategy, ValueTree};
/// use proptest::test_runner::TestRunner;
/// use wirecanon_generate::strategy::drawn;
///
/// let ids = drawn(|u| format!("call_{}", u.arbitrary::<u8>().unwrap_or_default()));
/// assert!(ids.new_tree(&mut TestRunner::deterministic())?.current().starts_with("call_"));
/// # Ok::<(), proptest::test_runner::Reason>(())
/// ```
pub fn drawn<T: Document>(make: impl Fn(&mut Unstructured<'_>) -> T + Send + Sync + 'static) -> Drawing<T> {
    Drawing { make: Arc::new(make), most: MOST }
}

/// Instances of a schema, as JSON texts.
///
/// ```
/// use proptest::prelude::*;
/// use proptest::test_runner::TestRunner;
/// use wirecanon_generate::instance::Plan;
/// use wirecanon_generate::strategy::instances;
///
/// let sizes = instances(Plan::compile(r#"{"type": "integer", "minimum": 1}"#)?);
/// TestRunner::deterministic().run(&sizes, |drawn| {
///     prop_assert!(!drawn.starts_with(['-', '0']));
///     Ok(())
/// })?;
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn instances(plan: instance::Plan) -> Drawing<String> {
    drawn(move |u| plan.instance(u))
}

/// Transcripts without faults, in any dialect.
///
/// ```
/// use proptest::prelude::*;
/// use proptest::test_runner::TestRunner;
/// use wirecanon_generate::strategy::valid;
///
/// TestRunner::deterministic().run(&valid(), |made| {
///     prop_assert!(made.faults.is_empty());
///     Ok(())
/// })?;
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn valid() -> Drawing<Generated> {
    drawn(|u| {
        let dialect = dialect(u);
        crate::valid(u, dialect)
    })
}

/// Transcripts with faults, in any dialect.
///
/// ```
/// use proptest::prelude::*;
/// use proptest::test_runner::TestRunner;
/// use wirecanon_generate::strategy::broken;
///
/// TestRunner::deterministic().run(&broken(), |made| {
///     prop_assert!(!made.faults.is_empty());
///     Ok(())
/// })?;
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn broken() -> Drawing<Generated> {
    drawn(|u| {
        let dialect = dialect(u);
        crate::broken(u, dialect)
    })
}

/// Two transcripts of a dialect that may stand end to end: see [`generate::pair`].
///
/// ```
/// use proptest::strategy::{Strategy, ValueTree};
/// use proptest::test_runner::TestRunner;
/// use wirecanon_generate::Dialect;
/// use wirecanon_generate::strategy::pairs;
///
/// let tree = pairs(Dialect::OpenAiChat, false).new_tree(&mut TestRunner::deterministic())?;
/// let (one, then) = tree.current().made;
/// assert!(one.valid && then.valid);
/// # Ok::<(), proptest::test_runner::Reason>(())
/// ```
pub fn pairs(dialect: Dialect, faults: bool) -> Drawing<(Generated, Generated)> {
    drawn(move |u| crate::pair(u, dialect, faults))
}

fn dialect(u: &mut Unstructured<'_>) -> Dialect {
    // No byte, no choice: the first one.
    *u.choose(&Dialect::ALL).unwrap_or(&Dialect::ALL[0])
}
