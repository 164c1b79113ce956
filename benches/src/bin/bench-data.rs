//! Writes the data sets: `bench-data FOLDER MEGABYTES`, or `bench-data FOLDER --kilobytes N`. Asked by `ci/bench-data.sh`.

use std::fs;
use std::path::Path;
use std::process::ExitCode;

use wirecanon_benches::data;

fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let words: Vec<&str> = arguments.iter().map(String::as_str).collect();
    let (folder, size, unit) = match words.as_slice() {
        [folder, "--kilobytes", size] => (folder, size, 1 << 10),
        [folder, size] => (folder, size, 1 << 20),
        _ => {
            eprintln!("usage: bench-data FOLDER MEGABYTES, or bench-data FOLDER --kilobytes N");
            return ExitCode::from(2);
        }
    };
    let Ok(size) = size.parse::<usize>() else {
        eprintln!("bench-data: {size} is no number");
        return ExitCode::from(2);
    };
    for set in data::ALL {
        let (bytes, messages) = data::make(*set, size * unit);
        let path = Path::new(folder).join(format!("{}.json", set.name));
        let part = path.with_extension("part");
        if let Err(error) = fs::write(&part, &bytes).and_then(|()| fs::rename(&part, &path)) {
            eprintln!("bench-data: {}: {error}", path.display());
            return ExitCode::from(1);
        }
        println!("{}: {} bytes, {messages} messages", path.display(), bytes.len());
    }
    ExitCode::SUCCESS
}
