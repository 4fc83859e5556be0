//! Computes totals (EN 16931, BR-CO-10 to BR-CO-17): each amount is rounded by itself, half away from zero, and
//! tax is computed once for each category and rate.

use std::collections::BTreeMap;

use rust_decimal::Decimal;

use crate::invoice::{AllowanceCharge, Line, LineTax, TaxSubtotal, Totals};
use crate::tax::{Category, Tax};
use crate::{Currency, Money};

/// The computed amounts of a content, as far as they can be computed while rules are broken.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Calculation {
    /// BT-131 of each line, in the order of the content. `None` where a number is missing or invalid.
    pub lines: Vec<Option<Money>>,
    /// BG-23, by category and rate. Empty without totals.
    pub tax_breakdown: Vec<TaxSubtotal>,
    /// BG-22. `None` if an amount that it depends on is missing or invalid.
    pub totals: Option<Totals>,
}

/// The document amounts beside lines, allowances and charges.
#[derive(Debug, Clone, Copy)]
pub struct Settlement {
    /// BT-113
    pub prepaid: Money,
    /// BT-114
    pub rounding: Money,
    /// BT-6, and the exchange rate: units of BT-6 for one unit of BT-5.
    pub tax_currency: Option<(Currency, Decimal)>,
}

/// The net amount of a line, before its allowances and charges: BT-129 × BT-146 ÷ BT-149. `None` if it is too large.
#[must_use]
pub fn line_amount(
    quantity: Decimal,
    unit_price: Decimal,
    price_base: Decimal,
    currency: Currency,
) -> Option<Money> {
    Money::multiply_divide(quantity, unit_price, price_base, currency)
}

/// The tax of a line with this net amount and rate in percent. `None` if it is too large.
#[must_use]
pub fn line_tax(net: Money, rate: Decimal) -> Option<LineTax> {
    let tax = percentage(net.amount(), rate, net.currency())?;
    Some(LineTax {
        tax,
        gross: net.plus(tax)?,
    })
}

/// A percentage of a base. `None` if it is too large.
#[must_use]
pub fn percentage(base: Decimal, percent: Decimal, currency: Currency) -> Option<Money> {
    Money::multiply_divide(base, percent, Decimal::ONE_HUNDRED, currency)
}

/// Computes breakdown and totals. `None` if a sum is too large.
#[must_use]
pub fn totals(
    lines: &[Line],
    allowances_charges: &[AllowanceCharge],
    settlement: &Settlement,
    currency: Currency,
) -> Option<(Vec<TaxSubtotal>, Totals)> {
    let zero = Money::zero(currency);
    let (mut line_sum, mut allowances, mut charges) = (zero, zero, zero);
    let mut groups = BTreeMap::<(Category, Decimal), Group>::new();
    for line in lines {
        line_sum = line_sum.plus(line.net)?;
        add(&mut groups, &line.tax, line.net)?;
    }
    for item in allowances_charges {
        let signed = if item.is_charge {
            item.amount
        } else {
            zero.minus(item.amount)?
        };
        let sum = if item.is_charge {
            &mut charges
        } else {
            &mut allowances
        };
        *sum = sum.plus(item.amount)?;
        add(&mut groups, &item.tax, signed)?;
    }

    let breakdown = groups
        .into_iter()
        .map(subtotal)
        .collect::<Option<Vec<_>>>()?;
    let net = line_sum.minus(allowances)?.plus(charges)?;
    let tax = breakdown
        .iter()
        .try_fold(zero, |sum, row| sum.plus(row.tax))?;
    let tax_in_tax_currency = match settlement.tax_currency {
        Some((other, rate)) => Some(Money::multiply_divide(
            tax.amount(),
            rate,
            Decimal::ONE,
            other,
        )?),
        None => None,
    };
    let gross = net.plus(tax)?;
    let payable = gross.minus(settlement.prepaid)?.plus(settlement.rounding)?;
    let (prepaid, rounding) = (settlement.prepaid, settlement.rounding);
    let totals = Totals {
        lines: line_sum,
        allowances,
        charges,
        net,
        tax,
        tax_in_tax_currency,
        gross,
        prepaid,
        rounding,
        payable,
    };
    Some((breakdown, totals))
}

struct Group {
    taxable: Money,
    /// Exemption code and reason: the most complete, and of those the first in alphabetical order, so that the order of lines does
    /// not matter.
    exemption: (String, String),
}

fn add(groups: &mut BTreeMap<(Category, Decimal), Group>, tax: &Tax, amount: Money) -> Option<()> {
    let exemption = || (tax.exemption_code.clone(), tax.exemption_reason.clone());
    let group = groups
        .entry((tax.category, tax.rate.normalize()))
        .or_insert_with(|| Group {
            taxable: Money::zero(amount.currency()),
            exemption: exemption(),
        });
    group.taxable = group.taxable.plus(amount)?;
    let (code, reason) = &group.exemption;
    let found = completeness(&tax.exemption_code, &tax.exemption_reason);
    if found < completeness(code, reason) {
        group.exemption = exemption();
    }
    Some(())
}

/// Orders exemptions: those with a code first, and of those the ones with a reason.
fn completeness<'a>(code: &'a str, reason: &'a str) -> (bool, bool, &'a str, &'a str) {
    (code.is_empty(), reason.is_empty(), code, reason)
}

fn subtotal(((category, rate), group): ((Category, Decimal), Group)) -> Option<TaxSubtotal> {
    let tax = percentage(group.taxable.amount(), rate, group.taxable.currency())?;
    let (exemption_code, exemption_reason) = group.exemption;
    Some(TaxSubtotal {
        category,
        rate,
        taxable: group.taxable,
        tax,
        exemption_code,
        exemption_reason,
    })
}
