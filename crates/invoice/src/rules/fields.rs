//! Parses and checks the format of single fields. Their meaning is checked by the caller.

use std::fmt::Display;

use jiff::civil::Date;
use rust_decimal::Decimal;

use crate::content::{Identifier, Period};
use crate::decimal::{self, DecimalError};
use crate::violation::Violations;
use crate::xml::is_xml;
use crate::{Country, Currency, Money};

/// How long a text may be and whether it may have line breaks.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct TextLimit {
    /// The largest number of characters (Unicode scalar values).
    pub(super) max_characters: usize,
    /// Whether line feeds, carriage returns and tabs are allowed. Other control characters never are.
    pub(super) allows_line_breaks: bool,
}

/// The limit of a name, an identifier or a single line.
pub(super) const SHORT_TEXT: TextLimit = TextLimit {
    max_characters: 256,
    allows_line_breaks: false,
};
/// The limit of a description, a reason or a note.
pub(super) const LONG_TEXT: TextLimit = TextLimit {
    max_characters: 4_000,
    allows_line_breaks: true,
};
/// The limit of a value whose size only the request bounds, such as an attachment in Base64.
pub(super) const UNBOUNDED_TEXT: TextLimit = TextLimit {
    max_characters: usize::MAX,
    allows_line_breaks: false,
};
/// The largest number of fraction digits of a tax rate.
pub(super) const RATE_FRACTION: u32 = 4;

/// How far an amount of a received document may be from the computed one by the rules of Peppol (PEPPOL-EN16931-R040 and R120): 0.02 of
/// the currency, in every currency.
pub(super) const PEPPOL_TOLERANCE: Decimal = Decimal::from_parts(2, 0, 0, false, 2);
/// The same in forint by the rules of XRechnung, because amounts in forint are usually whole.
pub(super) const FORINT_TOLERANCE: Decimal = Decimal::from_parts(5, 0, 0, false, 1);
/// How far an amount of the tax breakdown of a received document may be from the computed one: less than one unit of the currency, as the
/// validator of EN 16931 admits. No amount has more than four digits after the point.
pub(super) const BREAKDOWN_TOLERANCE: Decimal = Decimal::from_parts(9_999, 0, 0, false, 4);
/// The tolerance in Saudi Arabia, for each line: of its net amount (BR-KSA-EN16931-11), and of the tax of a row of the breakdown.
pub(super) const SAUDI_TOLERANCE: Decimal = Decimal::from_parts(1, 0, 0, false, 2);

/// Whether an amount of a received document is within the tolerance of the computed one.
pub(super) fn is_near(declared: Money, computed: Money, tolerance: Decimal) -> bool {
    let difference = declared.minus(computed);
    difference.is_some_and(|difference| difference.amount().abs() <= tolerance)
}

/// An invalid field whose violation has been added.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct InvalidField;

/// A parsed field. `Ok(None)` is an empty field.
pub(super) type FieldResult<T> = Result<Option<T>, InvalidField>;

impl Violations {
    /// INV-TEXT: checks length and characters of a text, unless a received document is checked.
    pub(super) fn text(&mut self, path: impl Display + Copy, text: &str, limit: TextLimit) {
        if !self.limits_values {
            return;
        }
        let most = limit.max_characters;
        if text.chars().count() > most {
            self.add(
                path,
                "INV-TEXT",
                format!("is longer than {most} characters"),
            )
            .with("most", most.to_string());
        }
        let printable = |letter: char| match letter {
            '\n' | '\r' | '\t' => limit.allows_line_breaks,
            _ => !letter.is_control() && is_xml(letter),
        };
        if !text.chars().all(printable) {
            self.add(path, "INV-TEXT", "contains control characters");
        }
    }

    pub(super) fn date(&mut self, path: impl Display + Copy, text: &str) -> FieldResult<Date> {
        if text.is_empty() {
            return Ok(None);
        }
        // The date parser accepts more formats than `YYYY-MM-DD`.
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
        Err(InvalidField)
    }

    /// Parses a number. Only a content of our own is limited to `fraction` digits after the point: EN 16931 has no limit for prices,
    /// quantities and rates.
    pub(super) fn number(
        &mut self,
        path: impl Display + Copy,
        text: &str,
        fraction: u32,
    ) -> FieldResult<Decimal> {
        if text.is_empty() {
            return Ok(None);
        }
        let number = match decimal::parse(text) {
            Ok(number) => number,
            Err(error @ DecimalError::Malformed) => {
                self.add(path, "INV-NUMBER", error.to_string());
                return Err(InvalidField);
            }
            Err(error @ DecimalError::TooLong) => {
                self.add(path, "INV-TOO-LARGE", error.to_string())
                    .with("most", decimal::MAX_DIGITS.to_string());
                return Err(InvalidField);
            }
        };
        if self.limits_values && number.normalize().scale() > fraction {
            self.add(
                path,
                "INV-DIGITS",
                format!("has more than {fraction} digits after the point"),
            )
            .with("most", fraction.to_string());
            return Err(InvalidField);
        }
        Ok(Some(number))
    }

    /// Parses an amount in whole minor units, as `rule` (`BR-DEC-…`) requires. Without a currency only the number format is checked
    /// and the field is invalid.
    pub(super) fn amount(
        &mut self,
        path: impl Display + Copy,
        text: &str,
        currency: Option<Currency>,
        rule: &'static str,
    ) -> FieldResult<Money> {
        let Some(number) = self.number(path, text, decimal::MAX_DIGITS as u32)? else {
            return Ok(None);
        };
        let Some(currency) = currency else {
            return Err(InvalidField);
        };
        let most = currency.minor_units();
        if number.normalize().scale() > most {
            self.add(
                path,
                rule,
                format!("has more than the {most} digits after the point of {currency} amounts"),
            )
            .with("most", most.to_string())
            .with("currency", currency.code());
            return Err(InvalidField);
        }
        match Money::exact(number, currency) {
            Some(money) => Ok(Some(money)),
            None => {
                self.too_large(path);
                Err(InvalidField)
            }
        }
    }

    /// Checks a period. `order` is the rule for the order of its dates, `empty` the rule that one of them is given.
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

    /// Requires a non-blank text.
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

    /// Requires the scheme of an identifier that has a value.
    pub(super) fn identifier_scheme(
        &mut self,
        path: impl Display + Copy,
        id: &Identifier,
        rule: &'static str,
    ) {
        if !id.value.is_empty() && id.scheme.is_empty() {
            self.add(
                format_args!("{path}.scheme"),
                rule,
                "this identifier names its scheme",
            );
        }
    }

    /// Checks the country code in the address of `party`, which `rule` requires.
    pub(super) fn country(&mut self, party: impl Display + Copy, code: &str, rule: &'static str) {
        let path = format_args!("{party}.address.country");
        if code.is_empty() {
            self.add(path, rule, "an address needs its country");
        } else if !Country::is_valid_code(code) {
            self.add(path, "BR-CL-14", "is not a country code of ISO 3166-1");
        }
    }

    /// Reports two amounts that differ. A missing or unreadable amount is reported by other rules.
    pub(super) fn compare_declared(
        &mut self,
        path: impl Display + Copy,
        rule: &'static str,
        declared: Option<Money>,
        computed: Option<Money>,
    ) {
        let (Some(declared), Some(computed)) = (declared, computed) else {
            return;
        };
        if declared != computed {
            self.add(
                path,
                rule,
                format!("comes to {computed}, and not {declared}"),
            )
            .with("computed", computed.to_string())
            .with("stated", declared.to_string());
        }
    }

    /// Reports an amount beyond the range that can be stored exactly.
    pub(super) fn too_large(&mut self, path: impl Display + Copy) {
        self.add(path, "INV-TOO-LARGE", "is too large to be stored exactly");
    }
}
