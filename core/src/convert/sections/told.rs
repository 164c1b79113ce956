//! The report of the whole, put together from those of its sections.

use super::Part;
use crate::report::Report;
use crate::write::Items;

/// What sections say, one behind the other.
#[derive(Default)]
pub(super) struct Told<'l> {
    /// JSON Pointers to the list of messages where it was read, and where it is written
    read: &'l str,
    written: String,
    /// How many messages were written
    count: usize,
    /// What each section says of what stands around the messages
    around: Option<Report<'static>>,
    /// What they say of their messages
    of_messages: Report<'static>,
}

impl<'l> Told<'l> {
    /// Nothing yet, of messages in lists at these places: where it was read, and where it is written.
    pub(super) fn of(read: &'l str, written: &str) -> Self {
        Self { read, written: written.to_owned(), ..Self::default() }
    }

    /// Adds what the next section says, whose messages were written to `list`. `None` where it says other things of what stands around
    /// them.
    pub(super) fn add(&mut self, part: &Part, list: &Items, own: Report<'static>) -> Option<()> {
        // A new id or name may be another one where all are known.
        if !own.ids.is_empty() || !own.names.is_empty() {
            return None;
        }
        let read = Further { lists: [self.read; 2], before: part.behind };
        let written = Further { lists: [&list.list, &self.written], before: self.count };
        self.count += list.count;
        let mut around = Report { from: own.from, to: own.to, ..Report::default() };
        for mut entry in own.repairs.into_iter().chain(own.notes) {
            let mut is_of_messages = false;
            for (place, in_whole) in [(&mut entry.input, &read), (&mut entry.output, &written)] {
                let moved = place.as_deref().and_then(|place| in_whole.place(place));
                is_of_messages |= moved.is_some();
                *place = moved.or(place.take());
            }
            if is_of_messages { self.of_messages.add(entry) } else { around.add(entry) }
        }
        let is_same = self.around.as_ref().is_none_or(|known| *known == around);
        self.around.get_or_insert(around);
        is_same.then_some(())
    }

    pub(super) fn said(self) -> Option<Report<'static>> {
        let mut report = self.around?;
        report.repairs.extend(self.of_messages.repairs);
        report.notes.extend(self.of_messages.notes);
        Some(report)
    }
}

/// Where the messages of a section stand in the whole.
struct Further<'l> {
    /// The list in its own document, and in the whole
    lists: [&'l str; 2],
    /// How many messages stand before them in the whole
    before: usize,
}

impl Further<'_> {
    /// A place of its own document in the whole; `None` where it is in no message.
    fn place(&self, own: &str) -> Option<Box<str>> {
        let in_list = own.strip_prefix(self.lists[0])?.strip_prefix('/')?;
        let (number, within) = in_list.split_at(in_list.find('/').unwrap_or(in_list.len()));
        let number: usize = number.parse().ok()?;
        Some(format!("{}/{}{within}", self.lists[1], number + self.before).into())
    }
}
