//! Where a command tells what it found. A reader that closes the pipe (`| head -1`) has seen enough: no more is written, the
//! work goes on to its end, and the exit code says what was found, as it would have.

use std::io::{self, Write};
use std::sync::atomic::{AtomicBool, Ordering};

/// Whether nobody reads stdout any more.
static GONE: AtomicBool = AtomicBool::new(false);

/// Stdout or stderr, until its reader is gone.
pub(super) struct Listener<W> {
    out: W,
    is_stdout: bool,
}

/// Where findings go.
pub(super) fn stdout() -> Listener<impl Write> {
    Listener { out: anstream::stdout(), is_stdout: true }
}

/// Where goes what is beside them.
pub(super) fn stderr() -> Listener<impl Write> {
    Listener { out: anstream::stderr(), is_stdout: false }
}

/// Whether nobody reads any more what is told, for what would go on for ever.
pub(super) fn is_gone() -> bool {
    GONE.load(Ordering::Relaxed)
}

impl<W> Listener<W> {
    fn unless_gone<T>(&self, done: io::Result<T>, instead: T) -> io::Result<T> {
        match done {
            Err(error) if error.kind() == io::ErrorKind::BrokenPipe => {
                GONE.fetch_or(self.is_stdout, Ordering::Relaxed);
                Ok(instead)
            }
            done => done,
        }
    }
}

impl<W: Write> Write for Listener<W> {
    fn write(&mut self, part: &[u8]) -> io::Result<usize> {
        let done = self.out.write(part);
        self.unless_gone(done, part.len())
    }

    fn write_all(&mut self, part: &[u8]) -> io::Result<()> {
        let done = self.out.write_all(part);
        self.unless_gone(done, ())
    }

    fn flush(&mut self) -> io::Result<()> {
        let done = self.out.flush();
        self.unless_gone(done, ())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    struct Fails(io::ErrorKind);

    impl Write for Fails {
        fn write(&mut self, _: &[u8]) -> io::Result<usize> {
            Err(io::Error::from(self.0))
        }

        fn flush(&mut self) -> io::Result<()> {
            Err(io::Error::from(self.0))
        }
    }

    #[test]
    fn only_a_closed_pipe_is_passed_over() {
        let mut closed = Listener { out: Fails(io::ErrorKind::BrokenPipe), is_stdout: false };
        assert!(writeln!(closed, "a").and_then(|()| closed.flush()).is_ok());
        assert_eq!(closed.write(b"abc").ok(), Some(3));
        assert!(!is_gone(), "that was not stdout");
        let mut full = Listener { out: Fails(io::ErrorKind::StorageFull), is_stdout: true };
        assert!(writeln!(full, "a").is_err() && full.flush().is_err() && full.write(b"a").is_err());
        let mut closed = Listener { out: Fails(io::ErrorKind::BrokenPipe), is_stdout: true };
        assert!(closed.flush().is_ok() && is_gone());
    }
}
