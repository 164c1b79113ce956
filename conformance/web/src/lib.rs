//! The local page: a session is pasted and seen with its faults, their places, and what mends them; runs and the corpus beside it.
//!
//! ```text
//! connection ─▶ guard (who asks) ─▶ body (how much) ─▶ route ─▶ page or api ─▶ Answer
//! ```
//!
//! It listens on loopback alone, asks nothing of any network, writes no file, and keeps nothing of what it is given: every answer is a
//! function of the request and of what was named on the command line. [`wirecanon_runner::serve`] is something else: the reference as a testee, on
//! stdin and stdout.
#![forbid(unsafe_code)]
#![warn(missing_docs)]

mod answer;
mod api;
mod ask;
mod assets;
mod beside;
mod body;
mod cases;
mod given;
mod guard;
mod listen;
mod mend;
mod pages;
mod place;
mod route;
mod rules;
mod runs;

use std::path::PathBuf;
use std::time::Duration;

use wirecanon_judge::case::Case;

pub use answer::Answer;
pub use ask::{Asked, Method};
pub use listen::{Bound, bind};
pub use route::answer;

/// Where it listens if nobody says where.
pub const PORT: u16 = 8737;

/// What it shows, and how much it takes.
#[derive(Debug)]
pub struct Site {
    /// The logs of runs, as they were named
    pub runs: Vec<PathBuf>,
    /// The cases that it lists, and by which those of runs are known
    pub cases: Vec<Case>,
    /// Most bytes of a body
    pub limit: usize,
}

/// How long things may take.
#[derive(Clone, Copy, Debug)]
pub struct Times {
    /// Until a request has said what it wants
    pub head: Duration,
    /// Until its body is there
    pub body: Duration,
    /// Until it is answered
    pub work: Duration,
    /// Until who asked has taken the answer
    pub answer: Duration,
    /// What is left to answers that are under way when it ends
    pub end: Duration,
}

impl Default for Times {
    fn default() -> Self {
        Self {
            head: Duration::from_secs(20),
            body: Duration::from_mins(1),
            work: Duration::from_mins(2),
            answer: Duration::from_mins(1),
            end: Duration::from_secs(2),
        }
    }
}
