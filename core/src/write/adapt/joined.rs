//! Where a call and its result are one part, a turn is written anew when a result joins it from elsewhere.

use super::super::Writer;
use crate::dialect::Dialect;
use crate::transcript::{Role, Transcript};

pub(super) fn run<'a>(transcript: &mut Transcript<'a>, writer: &mut Writer<'a, '_>) {
    if writer.target.dialect != Dialect::OpenViking || !writer.same {
        return;
    }
    let place = |origin: Option<crate::transcript::Origin>| origin.map(|origin| origin.value);
    let mut turn = None;
    for at in 0..transcript.messages.len() {
        let message = &transcript.messages[at];
        match message.role {
            Role::Assistant => turn = Some((at, place(message.origin))),
            Role::ToolResult => {
                if let Some((turn, origin)) = turn
                    && origin != place(message.origin)
                {
                    transcript.messages[turn].dirty = true;
                }
            }
            _ => turn = None,
        }
    }
}
