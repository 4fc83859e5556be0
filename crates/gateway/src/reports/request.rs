//! Reads the periods of requests.

use invoicing_contract::FieldViolation;
use jiff::ToSpan as _;
use jiff::civil::Date;

use super::ReportError;
use crate::request_date::{NOT_A_DATE, read_date};

/// Most months of a report.
const MAX_MONTHS: i32 = 120;
/// Most years of a period.
const MAX_YEARS: i16 = 10;

/// Buyers with a sum of their own, if a request names no number, and the most that it may name.
const DEFAULT_BUYERS: u32 = 20;
const MAX_BUYERS: u32 = 100;

/// The date in a field; `default` if it is absent.
pub(super) fn date(field: &str, text: &str, default: Option<Date>) -> Result<Date, FieldViolation> {
    if let Some(default) = default.filter(|_| text.is_empty()) {
        return Ok(default);
    }
    read_date(text).ok_or_else(|| FieldViolation::new(field, NOT_A_DATE))
}

/// The days some days before a date.
pub(super) fn days_before(date: Date, days: [i64; 4]) -> Result<[String; 4], ReportError> {
    let mut found = [const { String::new() }; 4];
    for (found, days) in found.iter_mut().zip(days) {
        let day = date.checked_sub(days.days());
        let day = day
            .map_err(|_too_early| FieldViolation::new("asOf", "is earlier than every document"))?;
        *found = day.to_string();
    }
    Ok(found)
}

/// The first and the last day of some months.
pub(super) fn months(from: &str, to: &str) -> Result<(String, String), ReportError> {
    let to = if to.is_empty() { from } else { to };
    let mut violations = Vec::new();
    let mut read = |field: &str, text: &str| {
        let month = date(field, &format!("{text}-01"), None);
        if month.is_err() {
            let description = "is not a month such as 2026-11";
            violations.push(FieldViolation::new(field, description));
        }
        month.ok()
    };
    let (first, last) = (read("from", from), read("to", to));
    let (Some(first), Some(last)) = (first, last) else {
        return Err(ReportError::InvalidRequest(violations));
    };
    let number = |date: Date| i32::from(date.year()) * 12 + i32::from(date.month());
    if !(0..MAX_MONTHS).contains(&(number(last) - number(first))) {
        let description = "must not be before from, and at most 120 months";
        return Err(FieldViolation::new("to", description).into());
    }
    Ok((first.to_string(), last.last_of_month().to_string()))
}

/// The first and the last day of a period.
pub(super) fn period(from: &str, to: &str) -> Result<(String, String), ReportError> {
    let (first, last) = (date("from", from, None), date("to", to, None));
    let (first, last) = match (first, last) {
        (Ok(first), Ok(last)) => (first, last),
        (first, last) => {
            let violations = [first.err(), last.err()].into_iter().flatten();
            return Err(ReportError::InvalidRequest(violations.collect()));
        }
    };
    if last < first || last > first.saturating_add(MAX_YEARS.years()) {
        let description = "must not be before from, and at most ten years after it";
        return Err(FieldViolation::new("to", description).into());
    }
    Ok((first.to_string(), last.to_string()))
}

/// How many buyers of each currency have a sum of their own. Zero is an absent field.
pub(super) fn max_buyers(number: i32) -> Result<u32, FieldViolation> {
    match u32::try_from(number) {
        Ok(0) => Ok(DEFAULT_BUYERS),
        Ok(number) if number <= MAX_BUYERS => Ok(number),
        Ok(_) | Err(_) => Err(FieldViolation::new("maxBuyers", "must be 1 to 100")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn months_are_whole_and_bounded() {
        let months_of = |from, to| months(from, to).ok();
        let pair = |one: &str, other: &str| Some((one.to_owned(), other.to_owned()));
        assert_eq!(months_of("2026-02", ""), pair("2026-02-01", "2026-02-28"));
        assert_eq!(
            months_of("2026-01", "2026-12"),
            pair("2026-01-01", "2026-12-31")
        );
        for (from, to) in [
            ("2026-13", ""),
            ("", ""),
            ("2026-02", "2026-01"),
            ("2016-01", "2026-01"),
        ] {
            assert_eq!(months_of(from, to), None, "{from} {to}");
        }
    }

    #[test]
    fn number_of_buyers_is_bounded_and_has_a_default() {
        let read = |number| max_buyers(number).ok();
        assert_eq!(
            [0, 1, 100, 101, -1].map(read),
            [Some(20), Some(1), Some(100), None, None]
        );
    }

    #[test]
    fn period_is_bounded() {
        for (from, to) in [
            ("2026-01-01", "2026-12-31"),
            ("2016-01-01", "2026-01-01"),
            ("9998-01-01", "9999-12-31"),
        ] {
            assert!(period(from, to).is_ok(), "{from} {to}");
        }
        for (from, to) in [
            ("2026-01-02", "2026-01-01"),
            ("2016-01-01", "2026-01-02"),
            ("x", "2026-01-01"),
        ] {
            assert!(period(from, to).is_err(), "{from} {to}");
        }
    }
}
