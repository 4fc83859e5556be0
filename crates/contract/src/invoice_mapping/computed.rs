//! Messages of what the invoice library computes: the tax breakdown, the totals and the taxes of a line.

use invoice::invoice::LineTax;
use invoice::{Money, TaxSubtotal, Totals, decimal};

use crate::messages::documents;

/// BG-23
#[must_use]
pub fn tax_subtotal(row: &TaxSubtotal) -> documents::TaxSubtotal {
    documents::TaxSubtotal {
        category: row.category.code().to_owned(),
        rate: decimal::print(row.rate),
        taxable: row.taxable.to_string(),
        tax: row.tax.to_string(),
        exemption_code: row.exemption_code.clone(),
        exemption_reason: row.exemption_reason.clone(),
    }
}

/// BG-22
#[must_use]
pub fn totals(totals: &Totals) -> documents::Totals {
    documents::Totals {
        lines: totals.lines.to_string(),
        allowances: totals.allowances.to_string(),
        charges: totals.charges.to_string(),
        net: totals.net.to_string(),
        tax: totals.tax.to_string(),
        tax_in_tax_currency: totals
            .tax_in_tax_currency
            .as_ref()
            .map(Money::to_string)
            .unwrap_or_default(),
        gross: totals.gross.to_string(),
        prepaid: totals.prepaid.to_string(),
        rounding: totals.rounding.to_string(),
        payable: totals.payable.to_string(),
    }
}

/// KSA-11 and KSA-12
#[must_use]
pub fn tax_amounts(amounts: &LineTax) -> documents::TaxAmounts {
    documents::TaxAmounts {
        tax: amounts.tax.to_string(),
        gross: amounts.gross.to_string(),
    }
}
