//! Cache marks of a request: how many there are, and how long they hold.

use crate::judge::Judge;
use wirecanon_json::Value;
use wirecanon_model::rule;

/// How many a request may have.
const MOST: usize = 4;

/// The marks so far, in the order in which the server goes over them: tools, instructions, messages.
#[derive(Default)]
pub(super) struct Marks {
    count: usize,
    /// One of them holds for five minutes
    short: bool,
}

impl Marks {
    /// A mark, if there is one.
    pub(super) fn mark(&mut self, judge: &mut Judge<'_>, mark: Option<Value<'_>>) {
        let Some(mark) = mark.filter(|mark| !mark.is_null()) else { return };
        self.count(judge, mark);
        let long = mark.get("ttl").is_some_and(|ttl| ttl.is_str("1h"));
        if long && self.short {
            let what = "a cache mark of an hour stands behind one of five minutes";
            judge.say(&rule::CACHE_MARKER_MISPLACED, mark, what);
        }
        self.short |= !long;
    }

    /// A mark within a result, of which it is not known where in the order it stands.
    pub(super) fn within(&mut self, judge: &mut Judge<'_>, mark: Option<Value<'_>>) {
        if let Some(mark) = mark.filter(|mark| !mark.is_null()) {
            self.count(judge, mark);
        }
    }

    fn count(&mut self, judge: &mut Judge<'_>, mark: Value<'_>) {
        self.count += 1;
        if self.count > MOST {
            judge.say(&rule::CACHE_MARKER_MISPLACED, mark, "the request has more than four cache marks");
        }
    }
}
