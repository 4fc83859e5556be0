//! Countries (ISO 3166-1 alpha-2).

use std::fmt;

/// A country by its two-letter code.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Country(&'static str);

impl Country {
    /// Saudi Arabia, which has national rules (BR-KSA-…).
    pub const SAUDI_ARABIA: Self = Self("SA");

    /// The United Arab Emirates.
    pub(crate) const EMIRATES: Self = Self("AE");
    /// Italy.
    pub(crate) const ITALY: Self = Self("IT");
    /// Egypt.
    pub(crate) const EGYPT: Self = Self("EG");

    /// Whether tax numbers of the country begin without a country code: the Gulf states and Egypt.
    #[must_use]
    pub(crate) fn omits_tax_number_prefix(self) -> bool {
        matches!(self.0, "SA" | "AE" | "BH" | "OM" | "KW" | "QA" | "EG")
    }

    /// The country with this upper-case code.
    #[must_use]
    pub fn parse(code: &str) -> Option<Self> {
        CODES.split(' ').find(|known| *known == code).map(Self)
    }

    /// Whether the code is valid in a document: a country, Northern Ireland for trade in goods (XI), or Kosovo (1A).
    #[must_use]
    pub(crate) fn is_valid_code(code: &str) -> bool {
        matches!(code, "XI" | "1A") || Self::parse(code).is_some()
    }

    /// The two letters.
    #[must_use]
    pub const fn code(self) -> &'static str {
        self.0
    }
}

impl fmt::Debug for Country {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(self.0)
    }
}

const CODES: &str = "AD AE AF AG AI AL AM AO AQ AR AS AT AU AW AX AZ BA BB BD BE BF BG BH BI BJ BL BM BN BO BQ BR BS BT BV \
    BW BY BZ CA CC CD CF CG CH CI CK CL CM CN CO CR CU CV CW CX CY CZ DE DJ DK DM DO DZ EC EE EG EH ER ES ET FI FJ FK FM \
    FO FR GA GB GD GE GF GG GH GI GL GM GN GP GQ GR GS GT GU GW GY HK HM HN HR HT HU ID IE IL IM IN IO IQ IR IS IT JE JM \
    JO JP KE KG KH KI KM KN KP KR KW KY KZ LA LB LC LI LK LR LS LT LU LV LY MA MC MD ME MF MG MH MK ML MM MN MO MP MQ MR \
    MS MT MU MV MW MX MY MZ NA NC NE NF NG NI NL NO NP NR NU NZ OM PA PE PF PG PH PK PL PM PN PR PS PT PW PY QA RE RO RS \
    RU RW SA SB SC SD SE SG SH SI SJ SK SL SM SN SO SR SS ST SV SX SY SZ TC TD TF TG TH TJ TK TL TM TN TO TR TT TV TW TZ \
    UA UG UM US UY UZ VA VC VE VG VI VN VU WF WS YE YT ZA ZM ZW";

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn there_are_249_countries() {
        assert_eq!(
            CODES.split(' ').count(),
            249,
            "ISO 3166-1 has 249 officially assigned codes"
        );
    }

    #[test]
    fn only_upper_case_iso_codes_are_countries() {
        assert_eq!(Country::parse("SA"), Some(Country::SAUDI_ARABIA));
        for code in ["", "sa", "XX", "SA AE", "S", "UK"] {
            assert_eq!(Country::parse(code), None, "{code:?}");
        }
    }
}
