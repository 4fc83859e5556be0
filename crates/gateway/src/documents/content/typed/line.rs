//! Lines, allowances, charges and their taxes.

use invoice::content as typed;
use invoicing_contract::messages::documents as wire;

use super::party::{identifier, text};
use super::period_of;

pub(super) fn line(line: wire::Line) -> typed::Line {
    let wire::Line {
        id,
        description,
        quantity,
        unit,
        unit_price,
        price_base,
        allowances_charges,
        tax: taxed,
        item_code,
        net: _,
        note,
        object,
        order_line,
        accounting,
        period,
        price_discount,
        gross_price,
        price_base_unit,
        item_description,
        buyer_item_code,
        standard_item_code,
        classifications,
        origin,
        attributes,
        tax_amounts: _,
    } = line;
    let details = typed::LineDetails {
        note,
        object: identifier(object),
        order_line,
        accounting,
        period: period.map(period_of),
        price_discount,
        gross_price,
        price_base_unit,
        item_description: text(item_description),
        buyer_item_code,
        standard_item_code: identifier(standard_item_code),
        classifications: classifications.into_iter().map(classification).collect(),
        origin,
        attributes: attributes.into_iter().map(attribute).collect(),
        // The service computes what a line is taxed with.
        tax_amounts: None,
    };
    typed::Line {
        id,
        description: text(description),
        quantity,
        unit,
        unit_price,
        price_base,
        allowances_charges: allowances_charges
            .into_iter()
            .map(allowance_charge)
            .collect(),
        tax: tax(taxed),
        item_code,
        // Most lines have none, and there can be ten thousand.
        details: if details == typed::LineDetails::default() {
            typed::SparseLineDetails::default()
        } else {
            details.into()
        },
    }
}

fn classification(class: wire::Classification) -> typed::Classification {
    let wire::Classification {
        list,
        version,
        code,
    } = class;
    typed::Classification {
        list,
        version,
        code,
    }
}

fn attribute(attribute: wire::ItemAttribute) -> typed::ItemAttribute {
    let wire::ItemAttribute { name, value } = attribute;
    typed::ItemAttribute { name, value }
}

pub(super) fn allowance_charge(item: wire::AllowanceCharge) -> typed::AllowanceCharge {
    let wire::AllowanceCharge {
        is_charge,
        amount,
        base,
        percent,
        reason,
        tax: taxed,
        reason_code,
    } = item;
    typed::AllowanceCharge {
        is_charge,
        amount,
        base,
        percent,
        reason,
        reason_code,
        tax: tax(taxed),
    }
}

fn tax(tax: Option<wire::Tax>) -> typed::Tax {
    let wire::Tax {
        category,
        rate,
        exemption_code,
        exemption_reason,
    } = tax.unwrap_or_default();
    typed::Tax {
        category,
        rate,
        exemption_code,
        exemption_reason,
    }
}
