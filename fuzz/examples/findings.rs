//! SCRATCH
use std::collections::BTreeMap;
fn main() {
    let args: Vec<String> = std::env::args().collect();
    let from: u64 = args[1].parse().unwrap();
    let count: u64 = args[2].parse().unwrap();
    let only = args.get(3).cloned().unwrap_or_default();
    let mut all: BTreeMap<(String, String, String, String), (u32, String, String)> = BTreeMap::new();
    for round in from..from + count {
        let length = [60, 120, 200, 300, 500, 1200][(round % 6) as usize];
        let data = wirecanon_schemas::generate::noise(round, length);
        wirecanon_fuzz::check_schema::scratch(&data, &mut |target, who, why, place, text| {
            if !target.contains(&only) {
                return;
            }
            let member = place.rsplit('/').find(|p| !p.bytes().all(|b| b.is_ascii_digit())).unwrap_or("").to_owned();
            let why: String = why.chars().take(90).collect();
            let entry = all.entry((target.to_owned(), who.to_owned(), member, why)).or_insert((
                0,
                place.to_owned(),
                text.to_owned(),
            ));
            entry.0 += 1;
            if text.len() < entry.2.len() {
                entry.1 = place.to_owned();
                entry.2 = text.to_owned();
            }
        });
    }
    for ((target, who, member, why), (n, place, text)) in all {
        let text: String = text.chars().take(700).collect();
        println!("{target}\t{who}\t{member}\t{why}\t{n}\t{place}\t{text}");
    }
}
