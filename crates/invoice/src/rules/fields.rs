//! Reads one field: its form is checked here, its meaning by the caller.

use std::fmt::Display;

use jiff::civil::Date;
use rust_decimal::Decimal;

use crate::content::Period;
use crate::decimal::{self, DecimalError};
use crate::violation::Violations;
use crate::{Currency, Money};

/// Longest text of a name, an identifier or a single line, in characters.
pub(super) const SHORT: usize = 256;
/// Longest text of a description, a reason or a note.
pub(super) const LONG: usize = 4_000;

/// A field that is wrong, and whose violation has been added.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Wrong;

/// `Ok(None)` is an empty field.
pub(super) type Field<T> = Result<Option<T>, Wrong>;

impl Violations {
    /// A text: not too long, nothing that cannot be printed. Line breaks are allowed in long texts.
    pub(super) fn text(&mut self, path: impl Display + Copy, text: &str, most: usize) {
        if !self.bounds_texts {
            return;
        }
        if text.chars().count() > most {
            self.add(
                path,
                "INV-TEXT",
                format!("is longer than {most} characters"),
            )
            .with("most", most.to_string());
        }
        let printable = |letter: char| {
            !letter.is_control() || (most == LONG && matches!(letter, '\n' | '\r' | '\t'))
        };
        if !text.chars().all(printable) {
            self.add(path, "INV-TEXT", "contains control characters");
        }
    }

    pub(super) fn date(&mut self, path: impl Display + Copy, text: &str) -> Field<Date> {
        if text.is_empty() {
            return Ok(None);
        }
        // The parser knows more forms than the one of the wire.
        let shaped = text.len() == 10
            && text.bytes().enumerate().all(|(at, byte)| match at {
                4 | 7 => byte == b'-',
                _ => byte.is_ascii_digit(),
            });
        if let Some(date) = shaped
            .then(|| text.parse::<Date>().ok())
            .flatten()
            .filter(|date| date.year() >= 1900)
        {
            return Ok(Some(date));
        }
        self.add(path, "INV-DATE", "is not a date such as 2026-11-14");
        Err(Wrong)
    }

    pub(super) fn number(
        &mut self,
        path: impl Display + Copy,
        text: &str,
        fraction: u32,
    ) -> Field<Decimal> {
        if text.is_empty() {
            return Ok(None);
        }
        let number = match decimal::parse(text) {
            Ok(number) => number,
            Err(error @ DecimalError::Malformed) => {
                self.add(path, "INV-NUMBER", error.to_string());
                return Err(Wrong);
            }
            Err(error @ DecimalError::TooLong) => {
                self.add(path, "INV-TOO-LARGE", error.to_string())
                    .with("most", decimal::MAX_DIGITS.to_string());
                return Err(Wrong);
            }
        };
        if number.normalize().scale() > fraction {
            self.add(
                path,
                "INV-DIGITS",
                format!("has more than {fraction} digits after the point"),
            )
            .with("most", fraction.to_string());
            return Err(Wrong);
        }
        Ok(Some(number))
    }

    /// An amount in whole minor units, which `rule` (`BR-DEC-…`) asks for. Without a currency only its form can be checked,
    /// and it counts as wrong.
    pub(super) fn amount(
        &mut self,
        path: impl Display + Copy,
        text: &str,
        currency: Option<Currency>,
        rule: &'static str,
    ) -> Field<Money> {
        let Some(number) = self.number(path, text, decimal::MAX_DIGITS as u32)? else {
            return Ok(None);
        };
        let Some(currency) = currency else {
            return Err(Wrong);
        };
        let most = currency.minor_units();
        if number.normalize().scale() > most {
            self.add(
                path,
                rule,
                format!("has more than the {most} digits after the point that {currency} has"),
            )
            .with("most", most.to_string())
            .with("currency", currency.code());
            return Err(Wrong);
        }
        match Money::exact(number, currency) {
            Some(money) => Ok(Some(money)),
            None => {
                self.too_large(path);
                Err(Wrong)
            }
        }
    }

    /// Both ends of a period. `order` and `empty` are its rules.
    pub(super) fn period(
        &mut self,
        path: impl Display + Copy,
        period: &Period,
        order: &'static str,
        empty: &'static str,
    ) {
        let start = self.date(format_args!("{path}.start"), &period.start);
        let end = self.date(format_args!("{path}.end"), &period.end);
        if let (Ok(Some(start)), Ok(Some(end))) = (start, end)
            && end < start
        {
            self.add(
                format_args!("{path}.end"),
                order,
                "must not be before the start of the period",
            );
        }
        if period.start.is_empty() && period.end.is_empty() {
            self.add(
                format_args!("{path}.start"),
                empty,
                "a period needs a start, an end or both",
            );
        }
    }

    /// A text that must be there.
    pub(super) fn required(
        &mut self,
        path: impl Display + Copy,
        text: &str,
        rule: &'static str,
        description: &str,
    ) {
        if text.trim().is_empty() {
            self.add(path, rule, description);
        }
    }

    pub(super) fn too_large(&mut self, path: impl Display + Copy) {
        self.add(path, "INV-TOO-LARGE", "is too large to be stored exactly");
    }
}
