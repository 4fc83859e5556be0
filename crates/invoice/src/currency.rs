//! Currencies and their minor units (ISO 4217 list one, 2026-01-01).

use std::fmt;

/// A currency in use, without metals, test codes and funds without minor units.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Currency {
    code: &'static str,
    minor_units: u8,
}

impl Currency {
    /// `XXX` of ISO 4217: no currency.
    pub const NONE: Self = Self {
        code: "XXX",
        minor_units: 2,
    };

    /// The Saudi riyal, in which tax is declared in Saudi Arabia (BR-KSA-68).
    pub const SAUDI_RIYAL: Self = Self {
        code: "SAR",
        minor_units: 2,
    };

    /// The most digits that a currency has after the decimal separator.
    pub const MAX_MINOR_UNITS: u32 = 4;

    /// The currency with this upper-case alphabetic code.
    #[must_use]
    pub fn parse(code: &str) -> Option<Self> {
        TABLE.iter().find_map(|(minor_units, codes)| {
            let code = codes.split(' ').find(|known| *known == code)?;
            Some(Self {
                code,
                minor_units: *minor_units,
            })
        })
    }

    /// Every currency in use, by its code.
    #[cfg(test)]
    pub(crate) fn all() -> Vec<Self> {
        let of_row = |&(minor_units, codes): &(u8, &'static str)| {
            codes.split(' ').map(move |code| Self { code, minor_units })
        };
        let mut all: Vec<_> = TABLE.iter().flat_map(of_row).collect();
        all.sort_unstable();
        all
    }

    /// The currency of a received document, which may have been withdrawn since. [`Self::NONE`] if the code is
    /// unknown, so that the amounts of the document can still be checked.
    #[must_use]
    pub fn of_document(code: &str) -> Self {
        let withdrawn = || {
            let code = WITHDRAWN.split(' ').find(|known| *known == code)?;
            Some(Self {
                code,
                minor_units: 2,
            })
        };
        Self::parse(code).or_else(withdrawn).unwrap_or(Self::NONE)
    }

    /// The currency of the amounts that a received document declares: [`Self::of_document`] with at least two digits after the decimal
    /// separator. EN 16931 allows two in every currency (BR-DEC-01 to 28), and its rules round to two.
    #[must_use]
    pub(crate) fn of_declared_amounts(code: &str) -> Self {
        let currency = Self::of_document(code);
        Self {
            minor_units: currency.minor_units.max(2),
            ..currency
        }
    }

    /// The alphabetic code.
    #[must_use]
    pub const fn code(self) -> &'static str {
        self.code
    }

    /// Digits after the decimal separator: 2 for SAR, 3 for KWD, 0 for JPY.
    #[must_use]
    pub const fn minor_units(self) -> u32 {
        self.minor_units as u32
    }
}

impl fmt::Display for Currency {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(self.code)
    }
}

impl fmt::Debug for Currency {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(self.code)
    }
}

/// Currencies that documents of the last years may have. All have two decimals.
const WITHDRAWN: &str =
    "ANG BGN CUC EEK GHC HRK LTL LVL MRO MZM ROL SDD SKK SLL SRG STD TMM TRL VEB VEF ZMK ZWL";

const TABLE: [(u8, &str); 4] = [
    (
        2,
        "AED AFN ALL AMD AOA ARS AUD AWG AZN BAM BBD BDT BMD BND BOB BOV BRL BSD BTN BWP BYN BZD CAD CDF CHE CHF CHW CNY \
         COP COU CRC CUP CVE CZK DKK DOP DZD EGP ERN ETB EUR FJD FKP GBP GEL GHS GIP GMD GTQ GYD HKD HNL HTG HUF IDR ILS \
         INR IRR JMD KES KGS KHR KPW KYD KZT LAK LBP LKR LRD LSL MAD MDL MGA MKD MMK MNT MOP MRU MUR MVR MWK MXN MXV MYR \
         MZN NAD NGN NIO NOK NPR NZD PAB PEN PGK PHP PKR PLN QAR RON RSD RUB SAR SBD SCR SDG SEK SGD SHP SLE SOS SRD SSP \
         STN SVC SYP SZL THB TJS TMT TOP TRY TTD TWD TZS UAH USD USN UYU UZS VED VES WST XAD XCD XCG YER ZAR ZMW ZWG",
    ),
    (
        0,
        "BIF CLP DJF GNF ISK JPY KMF KRW PYG RWF UGX UYI VND VUV XAF XOF XPF",
    ),
    (3, "BHD IQD JOD KWD LYD OMR TND"),
    (4, "CLF UYW"),
];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn minor_units_are_those_of_iso_4217() {
        for (code, minor_units) in [
            ("SAR", 2),
            ("AED", 2),
            ("EUR", 2),
            ("KWD", 3),
            ("BHD", 3),
            ("IQD", 3),
            ("JPY", 0),
            ("CLF", 4),
        ] {
            assert_eq!(
                Currency::parse(code).map(Currency::minor_units),
                Some(minor_units),
                "{code}"
            );
        }
    }

    #[test]
    fn most_minor_units_are_those_of_some_currency() {
        let most = TABLE
            .iter()
            .map(|(minor_units, _)| u32::from(*minor_units))
            .max();
        assert_eq!(most, Some(Currency::MAX_MINOR_UNITS));
    }

    #[test]
    fn withdrawn_currency_is_valid_in_a_received_document() {
        for (code, known) in [("SAR", "SAR"), ("BGN", "BGN"), ("", "XXX"), ("ZZZ", "XXX")] {
            assert_eq!(Currency::of_document(code).code(), known, "{code:?}");
        }
    }

    #[test]
    fn declared_amounts_have_two_digits_or_more() {
        for (code, digits) in [("JPY", 2), ("SAR", 2), ("KWD", 3), ("CLF", 4), ("ZZZ", 2)] {
            let declared = Currency::of_declared_amounts(code);
            assert_eq!(declared.minor_units(), digits, "{code}");
        }
    }

    #[test]
    fn unknown_currencies_are_rejected() {
        for code in [
            "", "sar", "SAR ", "SAR AED", "XAU", "XXX", "BGN", "ZZZ", "S",
        ] {
            assert_eq!(Currency::parse(code), None, "{code:?}");
        }
    }
}
