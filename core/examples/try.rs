use std::io::Read;
use wirecanon_core::*;
fn main() {
    let a: Vec<String> = std::env::args().collect();
    let mut b = Vec::new();
    std::io::stdin().read_to_end(&mut b).unwrap();
    let from = if a[1] == "auto" { From::Auto } else { From::Dialect(Dialect::by_name(&a[1]).unwrap()) };
    let to = if a.len() > 2 { Some(Target::by_name(&a[2]).unwrap()) } else { None };
    match fix(&b, &Options { from, to, ..Options::default() }) {
        Err(e) => println!("ERR {e}"),
        Ok(f) => {
            println!("{}", String::from_utf8_lossy(&f.output));
            for e in f.report.repairs.iter().chain(&f.report.notes) {
                eprintln!(
                    "{:?} {:?} {} in={:?} out={:?} lost={} {}",
                    e.stage, e.severity, e.rule, e.input, e.output, e.lost, e.message
                );
            }
        }
    }
}
