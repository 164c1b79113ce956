//! Bytes and messages a second of read, repair and write.
//!
//! ```text
//! cargo bench -p wirecanon-benches
//! cargo bench -p wirecanon-benches -- openclaw      only groups whose name holds `openclaw`
//! ```

use std::hint::black_box;
use std::time::Duration;

use criterion::{BenchmarkId, Criterion, Throughput, criterion_group, criterion_main};
use wirecanon_benches::{Shape, Spelling, transcript};
use wirecanon_core::{Dialect, From, Options, Target, fix};

const MESSAGES: usize = 1000;

const CONVERSIONS: [(Spelling, Dialect, &str); 3] = [
    (Spelling::OpenAiChat, Dialect::OpenAiChat, "openai.chat"),
    (Spelling::OpenClaw, Dialect::OpenClaw, "canonical"),
    (Spelling::OpenAiChat, Dialect::OpenAiChat, "anthropic.messages"),
];

fn throughput(criterion: &mut Criterion) {
    for (spelling, from, to) in CONVERSIONS {
        let target = Target::by_name(to).expect("the library has this target");
        let options = Options { from: From::Dialect(from), to: Some(target), ..Options::default() };
        let mut group = criterion.benchmark_group(format!("{} to {to}", from.name()));
        group.sample_size(20).measurement_time(Duration::from_secs(3)).warm_up_time(Duration::from_secs(1));
        for (broken, images) in [(false, false), (false, true), (true, false), (true, true)] {
            let input = transcript(Shape { spelling, messages: MESSAGES, images, broken });
            let state = if broken { "broken" } else { "clean" };
            let content = if images { "with images" } else { "text" };
            for (unit, throughput) in
                [("bytes", Throughput::Bytes(input.len() as u64)), ("messages", Throughput::Elements(MESSAGES as u64))]
            {
                group.throughput(throughput);
                group.bench_with_input(
                    BenchmarkId::new(format!("{state}, {content}"), unit),
                    &input,
                    |bencher, input| {
                        bencher.iter(|| fix(black_box(input), &options).expect("a transcript is written").output.len());
                    },
                );
            }
        }
        group.finish();
    }
}

criterion_group!(benches, throughput);
criterion_main!(benches);
