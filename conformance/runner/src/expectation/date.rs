//! Days, without time and zone.

use std::fmt;
use std::str::FromStr;
use std::time::{SystemTime, UNIX_EPOCH};

/// A day.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Date {
    year: u16,
    month: u8,
    day: u8,
}

impl Date {
    /// The day that it is in UTC.
    pub fn today() -> Self {
        let seconds = SystemTime::now().duration_since(UNIX_EPOCH).map_or(0, |since| since.as_secs());
        Self::of_days(seconds / 86_400)
    }

    /// The day that many days after 1970-01-01, in the proleptic Gregorian calendar.
    fn of_days(days: u64) -> Self {
        // Years begin in March here, so that the day that a leap year adds is the last of one.
        let days = days + 719_468;
        let (era, day) = (days / 146_097, days % 146_097);
        let year = (day - day / 1_460 + day / 36_524 - day / 146_096) / 365;
        let day = day - (365 * year + year / 4 - year / 100);
        let month = (5 * day + 2) / 153;
        let (of_month, month) = (day - (153 * month + 2) / 5 + 1, if month < 10 { month + 3 } else { month - 9 });
        let year = year + era * 400 + u64::from(month <= 2);
        Self {
            year: u16::try_from(year).unwrap_or(u16::MAX),
            month: u8::try_from(month).unwrap_or(1),
            day: u8::try_from(of_month).unwrap_or(1),
        }
    }

    /// The day of a TOML value, if it has one.
    pub(super) fn of_toml(value: &toml::value::Datetime) -> Option<Self> {
        value.date.map(|date| Self { year: date.year, month: date.month, day: date.day })
    }
}

impl fmt::Display for Date {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:04}-{:02}-{:02}", self.year, self.month, self.day)
    }
}

impl FromStr for Date {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let day = text.parse::<toml::value::Datetime>().ok().filter(|value| value.time.is_none());
        day.as_ref().and_then(Self::of_toml).ok_or_else(|| format!("`{text}` is no day: give one as 2027-01-31"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn days_are_counted_as_the_calendar_does() {
        for (days, date) in [(0, "1970-01-01"), (59, "1970-03-01"), (11_016, "2000-02-29"), (20_779, "2026-11-22")] {
            assert_eq!(Date::of_days(days).to_string(), date);
            assert_eq!(date.parse(), Ok(Date::of_days(days)));
        }
        assert!("2026-11-21".parse::<Date>() < "2026-11-22".parse());
        for text in ["", "2026-13-01", "tomorrow", "2026-11-22T10:00:00Z"] {
            assert!(text.parse::<Date>().is_err(), "{text}");
        }
    }
}
