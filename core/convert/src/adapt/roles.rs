//! A role on every message, where the target does not take one without for the user's.

use crate::print::Writer;
use wirecanon_model::report::Severity;
use wirecanon_model::rule;
use wirecanon_model::transcript::{Role, Transcript};

pub(crate) fn run<'a>(transcript: &mut Transcript<'a>, writer: &mut Writer<'a, '_>) {
    if !writer.target.order.explicit_role || !writer.same {
        return;
    }
    for message in transcript.messages.iter_mut().filter(|message| message.role != Role::System) {
        let Some(origin) = message.origin else { continue };
        let wire = writer.json.value(origin.value);
        if wire.get("role").is_some_and(|role| !role.is_null()) {
            continue;
        }
        message.dirty = true;
        if origin.part == 0 {
            let (source, about) = (Some(origin.value), Some(message.id));
            let words = "the target wants a role on every message; this one is the user's";
            writer.entry(&rule::UNKNOWN_ROLE, Severity::Mend, source, about, words);
        }
    }
}
