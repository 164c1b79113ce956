//! Times as the command line takes them.

use std::time::Duration;

/// Seconds that one answer, or one measurement, may take.
pub(super) fn seconds(text: &str) -> Result<Duration, String> {
    match text.parse::<f64>() {
        Ok(seconds) if (0.01..=86_400.0).contains(&seconds) => Ok(Duration::from_secs_f64(seconds)),
        _ => Err("give seconds between 0.01 and 86400".to_owned()),
    }
}

/// A time with its unit: `90`, `90s`, `10m`, `2h`.
#[cfg(any(feature = "generate", test))]
pub(super) fn time(text: &str) -> Result<Duration, String> {
    let (number, unit) = text.split_at(text.find(|c: char| c.is_ascii_alphabetic()).unwrap_or(text.len()));
    let seconds = match unit {
        "" | "s" => 1.0,
        "m" => 60.0,
        "h" => 3600.0,
        _ => 0.0,
    };
    match number.parse::<f64>().map(|number| number * seconds) {
        Ok(seconds) if (0.01..=1e7).contains(&seconds) => Ok(Duration::from_secs_f64(seconds)),
        _ => Err("give a time as 90, 90s, 10m or 2h".to_owned()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn times_are_read_as_people_write_them() {
        for (text, seconds) in [("90", 90.0), ("1.5s", 1.5), ("10m", 600.0), ("2h", 7200.0)] {
            assert_eq!(time(text), Ok(Duration::from_secs_f64(seconds)));
        }
        for text in ["", "m", "-1", "1d", "0", "1e9", "nan"] {
            assert!(time(text).is_err(), "{text}");
        }
        assert!(seconds("0").is_err() && seconds("0.5").is_ok());
    }
}
