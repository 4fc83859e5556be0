//! Dates in requests.

use jiff::civil::Date;

/// What is wrong with a text that [`read_date`] does not read.
pub(crate) const NOT_A_DATE: &str = "is not a date such as 2026-11-14";

/// The date of a text in the form of the contract. The parser reads other forms too, as `20261114` and a date with a time.
pub(crate) fn read_date(text: &str) -> Option<Date> {
    let date = text.parse::<Date>().ok();
    date.filter(|date| date.to_string() == text)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn date_has_one_form() {
        assert_eq!(read_date("2026-11-14"), Some(Date::constant(2026, 11, 14)));
        for other in ["", "20261114", "2026-11-14T00:00", "2026-2-3", "2026-02-30"] {
            assert_eq!(read_date(other), None, "{other:?}");
        }
    }
}
