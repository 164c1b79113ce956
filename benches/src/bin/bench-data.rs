//! Writes the data sets: `bench-data FOLDER MEGABYTES`. Asked by `ci/bench-data.sh`.

use std::fs;
use std::path::Path;
use std::process::ExitCode;

use wirecanon_benches::data;

fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let [folder, megabytes] = arguments.as_slice() else {
        eprintln!("usage: bench-data FOLDER MEGABYTES");
        return ExitCode::from(2);
    };
    let Ok(megabytes) = megabytes.parse::<usize>() else {
        eprintln!("bench-data: {megabytes} is no number of megabytes");
        return ExitCode::from(2);
    };
    for set in data::ALL {
        let (bytes, messages) = data::make(*set, megabytes << 20);
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
