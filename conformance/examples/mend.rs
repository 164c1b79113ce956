use wirecanon_core::{Error, Options, Target, fix};

fn main() -> Result<(), Error> {
    let session = br#"{"messages":[{"role":"assistant","content":[{"type":"toolCall","id":"a","name":"look"}]}]}"#;
    let options = Options { to: Some(Target::by_name("anthropic")?), ..Options::default() };
    let fixed = fix(session, &options)?;
    for change in &fixed.report.repairs {
        println!("{}: {}", change.rule, change.message);
    }
    println!("{}", String::from_utf8_lossy(&fixed.output));
    Ok(())
}
