//! Days, without time and zone.

use jiff::Timestamp;
pub use jiff::civil::Date;
use jiff::tz::TimeZone;

/// Returns the current day in UTC.
pub fn today() -> Date {
    Timestamp::now().to_zoned(TimeZone::UTC).date()
}

/// Parses a day as `2027-01-31`.
///
/// # Errors
///
/// The text is not a day of the calendar, or has a time.
pub fn parse(text: &str) -> Result<Date, String> {
    let day = text.parse::<toml::value::Datetime>().ok().filter(|value| value.time.is_none());
    day.as_ref().and_then(of_toml).ok_or_else(|| format!("`{text}` is no day: give one as 2027-01-31"))
}

/// Returns the day of a TOML value, if it has one.
pub(super) fn of_toml(value: &toml::value::Datetime) -> Option<Date> {
    let date = value.date?;
    Date::new(i16::try_from(date.year).ok()?, i8::try_from(date.month).ok()?, i8::try_from(date.day).ok()?).ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn days_are_those_of_the_calendar() {
        let first = parse("1970-01-01").expect("a day");
        for (days, date) in [(0, "1970-01-01"), (59, "1970-03-01"), (11_016, "2000-02-29"), (20_779, "2026-11-22")] {
            let day = parse(date).expect("a day");
            assert_eq!((first.until(day).expect("a span").get_days(), day.to_string().as_str()), (days, date));
        }
        assert!(parse("2026-11-21") < parse("2026-11-22"));
        for text in ["", "2026-13-01", "2026-02-29", "tomorrow", "2026-11-22T10:00:00Z", "2026-11", "20261122"] {
            assert!(parse(text).is_err(), "{text}");
        }
        assert!(parse("2026-01-01").is_ok_and(|then| then < today()), "the clock is right");
    }
}
