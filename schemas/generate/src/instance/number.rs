//! Numbers: bounds, multiples, and numbers between them.

use std::fmt::Write as _;

use serde_json::Number;

use super::super::Draw;

/// Beyond this not every reader keeps a whole number as it is: RFC 8259, 6.
const EXACT: f64 = 9_007_199_254_740_991.0;

/// Where a number may lie.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(super) struct Bounds {
    least: Option<(f64, bool)>,
    most: Option<(f64, bool)>,
}

impl Bounds {
    /// At least `value`, or more than it.
    pub(super) fn at_least(&mut self, value: f64, exclusive: bool) {
        if self.least.is_none_or(|(old, open)| value > old || value.total_cmp(&old).is_eq() && exclusive && !open) {
            self.least = Some((value, exclusive));
        }
    }

    /// At most `value`, or less than it.
    pub(super) fn at_most(&mut self, value: f64, exclusive: bool) {
        if self.most.is_none_or(|(old, open)| value < old || value.total_cmp(&old).is_eq() && exclusive && !open) {
            self.most = Some((value, exclusive));
        }
    }

    pub(super) fn is_empty(&self) -> bool {
        match (self.least, self.most) {
            (Some((least, from)), Some((most, to))) => least > most || (from || to) && least >= most,
            _ => false,
        }
    }

    pub(super) fn admits(&self, value: f64) -> bool {
        self.least.is_none_or(|(least, open)| if open { value > least } else { value >= least })
            && self.most.is_none_or(|(most, open)| if open { value < most } else { value <= most })
    }

    /// The whole multiples of `step` in here, as the first and the last factor.
    #[expect(clippy::cast_possible_truncation, clippy::cast_precision_loss, reason = "all within the exact doubles")]
    fn factors(&self, step: i64) -> Option<(i64, i64)> {
        let width = step as f64;
        let edge = (EXACT / width).floor();
        let mut first = self.least.map_or(-edge, |(least, _)| (least / width).ceil().clamp(-edge, edge));
        let mut last = self.most.map_or(edge, |(most, _)| (most / width).floor().clamp(-edge, edge));
        if self.least.is_some_and(|(least, open)| open && first * width <= least) {
            first += 1.0;
        }
        if self.most.is_some_and(|(most, open)| open && last * width >= most) {
            last -= 1.0;
        }
        let fits = first <= last && self.admits(first * width) && self.admits(last * width);
        fits.then_some((first as i64, last as i64))
    }
}

/// A decimal that numbers must be multiples of: `digits` times ten to the minus `places`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Multiple {
    digits: i64,
    places: u32,
}

impl Multiple {
    /// What `multipleOf` says; none for what is too fine or too large to be exact.
    pub(super) fn new(number: &Number) -> Option<Self> {
        let text = number.to_string();
        let (mantissa, exponent) = match text.split_once(['e', 'E']) {
            Some((mantissa, exponent)) => (mantissa, exponent.parse::<i32>().ok()?),
            None => (&text[..], 0),
        };
        let (whole, part) = mantissa.split_once('.').unwrap_or((mantissa, ""));
        let part = part.trim_end_matches('0');
        let mut digits = format!("{whole}{part}").parse::<i64>().ok()?;
        let mut places = i32::try_from(part.len()).ok()? - exponent;
        while places < 0 {
            digits = digits.checked_mul(10)?;
            places += 1;
        }
        (digits > 0 && digits < 1 << 40 && places <= 9).then_some(Self { digits, places: places.unsigned_abs() })
    }

    /// What both divide.
    pub(super) fn both(self, other: Self) -> Option<Self> {
        let places = self.places.max(other.places);
        let scaled = |multiple: Self| multiple.digits.checked_mul(10_i64.checked_pow(places - multiple.places)?);
        let (one, two) = (scaled(self)?, scaled(other)?);
        let digits = (one / gcd(one, two)).checked_mul(two)?;
        (digits < 1 << 40).then_some(Self { digits, places })
    }

    /// The smallest whole number that is a multiple of it.
    fn whole(self) -> i64 {
        let scale = 10_i64.pow(self.places);
        self.digits / gcd(self.digits, scale)
    }

    pub(super) fn divides(self, number: &Number) -> bool {
        let Some(value) = number.as_f64() else { return false };
        #[expect(clippy::cast_precision_loss, reason = "both are small")]
        let factor = value * 10_f64.powi(self.places.cast_signed()) / self.digits as f64;
        (factor - factor.round()).abs() < 1e-9
    }
}

fn gcd(mut one: i64, mut other: i64) -> i64 {
    while other != 0 {
        (one, other) = (other, one % other);
    }
    one.abs().max(1)
}

/// Numbers to draw from: factors from the first to the last, of a step.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Range {
    first: i64,
    last: i64,
    /// The factor nearest to nothing
    home: i64,
    digits: i64,
    places: u32,
}

impl Range {
    /// Whole numbers.
    pub(super) fn whole(bounds: &Bounds, multiple: Option<Multiple>) -> Option<Self> {
        let step = multiple.map_or(1, Multiple::whole);
        let (first, last) = bounds.factors(step)?;
        Some(Self { first, last, home: 0.clamp(first, last), digits: step, places: 0 })
    }

    /// Decimals.
    pub(super) fn decimal(bounds: &Bounds, multiple: Option<Multiple>) -> Option<Self> {
        let choices = match multiple {
            Some(multiple) => vec![multiple],
            // The coarsest grid that has a number in a narrow range.
            None => (1..=9).map(|places| Multiple { digits: 1, places }).collect(),
        };
        choices.into_iter().find_map(|Multiple { digits, places }| {
            #[expect(clippy::cast_precision_loss, reason = "a power of ten of at most nine places")]
            let scale = 10_i64.pow(places) as f64;
            let limit = EXACT / scale;
            let scaled = Bounds {
                least: Some(bounds.least.map_or((-limit, false), |(least, open)| (least.max(-limit) * scale, open))),
                most: Some(bounds.most.map_or((limit, false), |(most, open)| (most.min(limit) * scale, open))),
            };
            let (first, last) = scaled.factors(digits)?;
            let range = Self { first, last, home: 0.clamp(first, last), digits, places };
            // What scaling rounded is looked at again.
            let holds = |factor| range.text(factor).parse().is_ok_and(|value| bounds.admits(value));
            (holds(first) && holds(last)).then_some(range)
        })
    }

    /// Draws one: mostly small, now and then at an edge or anywhere.
    pub(super) fn draw(&self, draw: &mut Draw<'_, '_>) -> i64 {
        let span = self.last.abs_diff(self.first);
        match draw.up_to(15) {
            0..=10 => {
                let step = i64::try_from(draw.up_to(100)).unwrap_or(0);
                self.home.saturating_add(if step <= self.last.saturating_sub(self.home) { step } else { 0 })
            }
            11 | 12 => self.first,
            13 => self.last,
            _ if span == u64::MAX => self.first,
            _ => self.first.wrapping_add_unsigned(draw.number() % (span + 1)),
        }
    }

    /// The factors around `factor`, itself first.
    pub(super) fn from(&self, factor: i64) -> impl Iterator<Item = i64> {
        (factor..=self.last).chain((self.first..factor).rev())
    }

    /// Whether a factor gives a whole number.
    pub(super) fn is_whole(&self, factor: i64) -> bool {
        self.places == 0 || i128::from(factor) * i128::from(self.digits) % 10_i128.pow(self.places) == 0
    }

    /// A number as JSON has it.
    pub(super) fn text(&self, factor: i64) -> String {
        let mut out = String::new();
        self.write(factor, &mut out);
        out
    }

    /// Appends a number as JSON has it.
    pub(super) fn write(&self, factor: i64, out: &mut String) {
        let value = i128::from(factor) * i128::from(self.digits);
        if self.places == 0 {
            // Numbers beyond 64 bits are seldom, and slow.
            let _ = match i64::try_from(value) {
                Ok(value) => write!(out, "{value}"),
                Err(_) => write!(out, "{value}"),
            };
            return;
        }
        let scale = 10_i128.pow(self.places);
        let sign = if value < 0 { "-" } else { "" };
        let (whole, part) = (value.abs() / scale, value.abs() % scale);
        let _ = write!(out, "{sign}{whole}");
        if part > 0 {
            let _ = write!(out, ".{part:0width$}", width = self.places as usize);
            out.truncate(out.trim_end_matches('0').len());
        }
    }
}
