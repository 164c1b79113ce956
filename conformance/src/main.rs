//! The command line of wirecanon; everything is in the library.

use std::process::ExitCode;

fn main() -> ExitCode {
    wirecanon::cli::main()
}
