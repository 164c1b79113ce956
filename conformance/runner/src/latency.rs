//! How long answers took.

use std::time::Duration;

/// Answers that are remembered.
const MOST: usize = 1 << 20;

/// How long answers took: from the answer before, or from when it was asked with nothing else in flight.
#[derive(Clone, Debug, Default)]
pub struct Latency {
    micros: Vec<u32>,
}

impl Latency {
    /// Counts one answer.
    pub fn add(&mut self, took: Duration) {
        if self.micros.len() < MOST {
            self.micros.push(u32::try_from(took.as_micros()).unwrap_or(u32::MAX));
        }
    }

    /// The time within which `percent` of the answers came; none if there are no answers.
    pub fn percentile(&self, percent: usize) -> Option<Duration> {
        let mut sorted = self.micros.clone();
        sorted.sort_unstable();
        let at = (sorted.len() * percent).div_ceil(100).max(1) - 1;
        sorted.get(at).map(|micros| Duration::from_micros(u64::from(*micros)))
    }
}

/// How many a second.
pub fn rate(count: u64, time: Duration) -> f64 {
    f64::from(u32::try_from(count).unwrap_or(u32::MAX)) / time.as_secs_f64().max(1e-6)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn percentiles_and_rates_are_of_what_was_counted() {
        assert!((rate(50, Duration::from_secs(5)) - 10.0).abs() < 1e-9);
        let mut latency = Latency::default();
        assert_eq!(latency.percentile(50), None);
        for millis in (1..=100).rev() {
            latency.add(Duration::from_millis(millis));
        }
        assert_eq!(latency.percentile(50), Some(Duration::from_millis(50)));
        assert_eq!(latency.percentile(99), Some(Duration::from_millis(99)));
        assert_eq!(latency.percentile(0), Some(Duration::from_millis(1)));
    }
}
