//! A testee of one dialect, which is the reference behind a shell script, so that a fault can be planted in it.

use std::fs;
use std::path::Path;

/// Writes a testee that reads and writes Mistral messages, and passes its answers through a command first: `cat` changes
/// nothing. Returns the argument that names it.
pub(crate) fn testee(folder: &Path, name: &str, through: &str) -> String {
    let text = format!(
        "read -r line\n\
         echo '{{\"wirecanon\":1,\"name\":\"{name}\",\"version\":\"1.2.0\",\"conversions\":[{{\"from\":\"mistral.chat\",\"to\":\"mistral.chat\"}}]}}'\n\
         '{}' testee serve | {through}\n",
        env!("CARGO_BIN_EXE_wirecanon")
    );
    fs::write(folder.join(format!("{name}.sh")), text).expect("a script");
    format!("sh {name}.sh")
}
