//! The transcript that a case is made of, out of what stands around it: `case new` and `case shrink` take files of agents, too.

use wirecanon_core::json::Limits;
use wirecanon_core::{Dialect, ErrorKind};
use wirecanon_judge::exit::Stop;
use wirecanon_session::{self as session, Found, Transcript};

/// What is left of a file.
pub(super) struct Taken {
    /// The text
    pub(super) bytes: Vec<u8>,
    /// Its dialect, where the file says it
    pub(super) dialect: Option<Dialect>,
    /// What was taken, in words, if it is not all of the file
    pub(super) said: Option<String>,
}

/// Takes the transcript out of a session file, a dump or a run; any other text is taken whole.
pub(super) fn taken(name: &str, bytes: Vec<u8>) -> Result<Taken, Stop> {
    let found = std::str::from_utf8(&bytes).ok().map(|text| session::read(text, None, &Limits::default()));
    if let Some(Err(error)) = &found
        && error.kind() == ErrorKind::Undetected
    {
        return Err(Stop::usage(format!("{name}: {error}")));
    }
    let Some(Ok(Found { title: Some(title), transcripts, .. })) = found else {
        return Ok(Taken { bytes, dialect: None, said: None });
    };
    let many = transcripts.len();
    let Some(Transcript { document, dialect, .. }) = transcripts.into_iter().next() else {
        return Err(Stop::usage(format!("{name}: {title} without a message")));
    };
    let which = if many == 1 { "its transcript".to_owned() } else { format!("the first of its {many} transcripts") };
    let said = Some(format!("{name}: {title}; {which} was taken"));
    Ok(Taken { bytes: document.into_owned().into_bytes(), dialect, said })
}
