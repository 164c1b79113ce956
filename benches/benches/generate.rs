//! Instances and transcripts a second that the generator makes.
//!
//! ```text
//! cargo bench -p wirecanon-benches --bench generate
//! ```
//!
//! Each figure is a run through many inputs of random bytes, so that no single lucky shape is measured. `elements` are
//! instances, `bytes` those of the JSON written.

use std::hint::black_box;
use std::time::Duration;

use arbitrary::Unstructured;
use criterion::measurement::WallTime;
use criterion::{BenchmarkGroup, BenchmarkId, Criterion, Throughput, criterion_group, criterion_main};
use wirecanon_generate::instance::Plan;
use wirecanon_generate::{Dialect, broken, noise, valid};
use wirecanon_schemas::catalogue;

/// Inputs that one measurement goes through.
const INPUTS: u64 = 1000;
/// Bytes that one instance may be made of.
const BYTES: usize = 512;
/// Bytes that one transcript may be made of.
const LONG: usize = 4096;
/// Messages of the transcripts that are measured.
const MESSAGES: usize = 20;

fn generate(criterion: &mut Criterion) {
    let mut group = criterion.benchmark_group("generate");
    group.sample_size(20).measurement_time(Duration::from_secs(3)).warm_up_time(Duration::from_secs(1));
    let inputs: Vec<Vec<u8>> = (0..INPUTS).map(|seed| noise(seed, BYTES)).collect();
    for schema in
        catalogue::ALL.iter().filter(|schema| schema.id.starts_with("mcp/") && schema.id.ends_with("tool-result"))
    {
        let plan = Plan::compile(schema.text).expect("a test compiles every schema");
        let mut out = String::new();
        measure(&mut group, schema.id, &inputs, |input| {
            out.clear();
            plan.write(&mut Unstructured::new(input), &mut out);
            out.len()
        });
    }
    let inputs = long();
    measure(&mut group, "valid transcript of 20 messages", &inputs, |input| {
        valid(&mut Unstructured::new(input), Dialect::Canonical).bytes.len()
    });
    measure(&mut group, "the same bytes, broken", &inputs, |input| {
        broken(&mut Unstructured::new(input), Dialect::Canonical).bytes.len()
    });
    group.finish();
}

fn measure(
    group: &mut BenchmarkGroup<'_, WallTime>,
    name: &str,
    inputs: &[Vec<u8>],
    mut make: impl FnMut(&[u8]) -> usize,
) {
    let bytes: usize = inputs.iter().map(|input| make(input)).sum();
    for (unit, throughput) in
        [("bytes", Throughput::Bytes(bytes as u64)), ("elements", Throughput::Elements(inputs.len() as u64))]
    {
        group.throughput(throughput);
        group.bench_function(BenchmarkId::new(name, unit), |bencher| {
            bencher.iter(|| inputs.iter().map(|input| make(black_box(input))).sum::<usize>());
        });
    }
}

/// Inputs that make transcripts of as many messages as are measured.
fn long() -> Vec<Vec<u8>> {
    let messages = |input: &[u8]| {
        let made = valid(&mut Unstructured::new(input), Dialect::Canonical);
        let document: serde_json::Value = serde_json::from_slice(&made.bytes).expect("a valid transcript is JSON");
        document["messages"].as_array().map_or(0, Vec::len)
    };
    (0..).map(|seed| noise(seed, LONG)).filter(|input| messages(input) == MESSAGES).take(100).collect()
}

criterion_group!(benches, generate);
criterion_main!(benches);
