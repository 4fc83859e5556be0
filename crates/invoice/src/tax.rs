//! Tax categories (UNCL5305) and their requirements on rate and exemption (EN 16931, BR-S, BR-Z, BR-E, BR-AE, BR-G, BR-O,
//! BR-IC, BR-AF, BR-AG, BR-B).

use rust_decimal::Decimal;

use crate::Country;

/// A tax category.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Category {
    /// S
    Standard,
    /// Z
    ZeroRated,
    /// E
    Exempt,
    /// AE
    ReverseCharge,
    /// G
    Export,
    /// O
    OutsideScope,
    /// K, a supply to another member state of the EU.
    IntraCommunity,
    /// L, the tax of the Canary Islands (IGIC).
    CanaryIslands,
    /// M, the tax of Ceuta and Melilla (IPSI).
    CeutaMelilla,
    /// B, Italian split payment: the buyer pays the tax to the state.
    SplitPayment,
}

/// The requirement of a category on its rate.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Rate {
    /// A rate above zero.
    AboveZero,
    /// Any rate, including zero.
    Any,
    /// The rate zero.
    Zero,
    /// No rate.
    None,
}

/// The requirement of a category on the exemption reason.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Exemption {
    /// A code or a text is required.
    Required,
    /// A code and a text are optional.
    Allowed,
    /// Neither is allowed.
    Forbidden,
}

/// The rules that each category has under its own prefix, by number.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum CategoryRule {
    /// 01: the breakdown has a row for it if a line, allowance or charge has it.
    Breakdown,
    /// 02: the tax numbers that a line requires.
    LineParties,
    /// 03: the tax numbers that an allowance requires.
    AllowanceParties,
    /// 04: the tax numbers that a charge requires.
    ChargeParties,
    /// 05: the rate of a line.
    LineRate,
    /// 06: the rate of an allowance.
    AllowanceRate,
    /// 07: the rate of a charge.
    ChargeRate,
    /// 08: the taxable amount of the breakdown row.
    Taxable,
    /// 09: the tax amount of the breakdown row.
    Tax,
    /// 10: the exemption reason.
    Exemption,
}

/// The rule identifiers of each category, indexed by [`CategoryRule`].
#[rustfmt::skip]
mod rule_ids {
    pub(super) const STANDARD_RULES: [&str; 10] = ["BR-S-01", "BR-S-02", "BR-S-03", "BR-S-04", "BR-S-05", "BR-S-06", "BR-S-07", "BR-S-08", "BR-S-09", "BR-S-10"];
    pub(super) const ZERO_RATED_RULES: [&str; 10] = ["BR-Z-01", "BR-Z-02", "BR-Z-03", "BR-Z-04", "BR-Z-05", "BR-Z-06", "BR-Z-07", "BR-Z-08", "BR-Z-09", "BR-Z-10"];
    pub(super) const EXEMPT_RULES: [&str; 10] = ["BR-E-01", "BR-E-02", "BR-E-03", "BR-E-04", "BR-E-05", "BR-E-06", "BR-E-07", "BR-E-08", "BR-E-09", "BR-E-10"];
    pub(super) const REVERSE_CHARGE_RULES: [&str; 10] = ["BR-AE-01", "BR-AE-02", "BR-AE-03", "BR-AE-04", "BR-AE-05", "BR-AE-06", "BR-AE-07", "BR-AE-08", "BR-AE-09", "BR-AE-10"];
    pub(super) const EXPORT_RULES: [&str; 10] = ["BR-G-01", "BR-G-02", "BR-G-03", "BR-G-04", "BR-G-05", "BR-G-06", "BR-G-07", "BR-G-08", "BR-G-09", "BR-G-10"];
    pub(super) const OUTSIDE_SCOPE_RULES: [&str; 10] = ["BR-O-01", "BR-O-02", "BR-O-03", "BR-O-04", "BR-O-05", "BR-O-06", "BR-O-07", "BR-O-08", "BR-O-09", "BR-O-10"];
    pub(super) const INTRA_COMMUNITY_RULES: [&str; 10] = ["BR-IC-01", "BR-IC-02", "BR-IC-03", "BR-IC-04", "BR-IC-05", "BR-IC-06", "BR-IC-07", "BR-IC-08", "BR-IC-09", "BR-IC-10"];
    pub(super) const CANARY_ISLANDS_RULES: [&str; 10] = ["BR-AF-01", "BR-AF-02", "BR-AF-03", "BR-AF-04", "BR-AF-05", "BR-AF-06", "BR-AF-07", "BR-AF-08", "BR-AF-09", "BR-AF-10"];
    pub(super) const CEUTA_MELILLA_RULES: [&str; 10] = ["BR-AG-01", "BR-AG-02", "BR-AG-03", "BR-AG-04", "BR-AG-05", "BR-AG-06", "BR-AG-07", "BR-AG-08", "BR-AG-09", "BR-AG-10"];
}

use rule_ids::*;

impl Category {
    /// All categories.
    pub const ALL: [Self; 10] = [
        Self::Standard,
        Self::ZeroRated,
        Self::Exempt,
        Self::ReverseCharge,
        Self::Export,
        Self::OutsideScope,
        Self::IntraCommunity,
        Self::CanaryIslands,
        Self::CeutaMelilla,
        Self::SplitPayment,
    ];

    /// The category with this code.
    #[must_use]
    pub fn parse(code: &str) -> Option<Self> {
        Some(match code {
            "S" => Self::Standard,
            "Z" => Self::ZeroRated,
            "E" => Self::Exempt,
            "AE" => Self::ReverseCharge,
            "G" => Self::Export,
            "O" => Self::OutsideScope,
            "K" => Self::IntraCommunity,
            "L" => Self::CanaryIslands,
            "M" => Self::CeutaMelilla,
            "B" => Self::SplitPayment,
            _ => return None,
        })
    }

    /// The code of UNCL5305.
    #[must_use]
    pub const fn code(self) -> &'static str {
        match self {
            Self::Standard => "S",
            Self::ZeroRated => "Z",
            Self::Exempt => "E",
            Self::ReverseCharge => "AE",
            Self::Export => "G",
            Self::OutsideScope => "O",
            Self::IntraCommunity => "K",
            Self::CanaryIslands => "L",
            Self::CeutaMelilla => "M",
            Self::SplitPayment => "B",
        }
    }

    /// The identifier of a rule of the category. `None` for split payment, which has none.
    #[must_use]
    pub const fn rule(self, rule: CategoryRule) -> Option<&'static str> {
        let rules = match self {
            Self::Standard => &STANDARD_RULES,
            Self::ZeroRated => &ZERO_RATED_RULES,
            Self::Exempt => &EXEMPT_RULES,
            Self::ReverseCharge => &REVERSE_CHARGE_RULES,
            Self::Export => &EXPORT_RULES,
            Self::OutsideScope => &OUTSIDE_SCOPE_RULES,
            Self::IntraCommunity => &INTRA_COMMUNITY_RULES,
            Self::CanaryIslands => &CANARY_ISLANDS_RULES,
            Self::CeutaMelilla => &CEUTA_MELILLA_RULES,
            Self::SplitPayment => return None,
        };
        Some(rules[rule as usize])
    }

    /// The requirement on the rate.
    #[must_use]
    pub const fn rate(self) -> Rate {
        match self {
            Self::Standard => Rate::AboveZero,
            Self::CanaryIslands | Self::CeutaMelilla | Self::SplitPayment => Rate::Any,
            Self::OutsideScope => Rate::None,
            Self::ZeroRated
            | Self::Exempt
            | Self::ReverseCharge
            | Self::Export
            | Self::IntraCommunity => Rate::Zero,
        }
    }

    /// The requirement on the exemption reason. EN 16931 forbids it for a zero-rated supply; Saudi Arabia allows it.
    #[must_use]
    pub fn exemption(self, seller: Option<Country>) -> Exemption {
        match self {
            Self::ZeroRated if seller == Some(Country::SAUDI_ARABIA) => Exemption::Allowed,
            Self::SplitPayment => Exemption::Allowed,
            Self::Standard | Self::ZeroRated | Self::CanaryIslands | Self::CeutaMelilla => {
                Exemption::Forbidden
            }
            Self::Exempt
            | Self::ReverseCharge
            | Self::Export
            | Self::OutsideScope
            | Self::IntraCommunity => Exemption::Required,
        }
    }
}

/// BG-30: tax category, rate and exemption.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Tax {
    /// BT-151
    pub category: Category,
    /// BT-152, percent. Zero if the category charges no tax.
    pub rate: Decimal,
    /// BT-121, or empty.
    pub exemption_code: String,
    /// BT-120, or empty.
    pub exemption_reason: String,
}
