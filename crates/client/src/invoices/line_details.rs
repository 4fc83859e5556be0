//! The fields of a line that few lines have, in a content: read, and put over one.

use invoice::content::{Classification, ItemAttribute, Line, SparseLineDetails};

use super::details::{allowances_charges, overlay_allowances, period, to_period};
use super::number_input::unambiguous;
use super::party_details::{identifier, to_identifier};
use crate::views::{ClassificationContent, ItemAttributeContent, LineDetails};

pub(super) fn of_line(line: &Line, minor_units: u32) -> LineDetails {
    let details = &line.details;
    LineDetails {
        item_code: line.item_code.clone(),
        buyer_item_code: details.buyer_item_code.clone(),
        order_line: details.order_line.clone(),
        note: details.note.clone(),
        period: period(details.period.as_ref()),
        price_base: unambiguous(line.price_base.clone(), 0),
        exemption_reason: line.tax.exemption_reason.clone(),
        allowances_charges: allowances_charges(&line.allowances_charges, minor_units),
        object: identifier(details.object.clone()),
        accounting: details.accounting.clone(),
        gross_price: unambiguous(details.gross_price.clone(), minor_units),
        price_discount: unambiguous(details.price_discount.clone(), minor_units),
        price_base_unit: details.price_base_unit.clone(),
        item_description: details.item_description.clone().into(),
        standard_item_code: identifier(details.standard_item_code.clone()),
        origin: details.origin.clone(),
        classifications: details
            .classifications
            .iter()
            .cloned()
            .map(classification)
            .collect(),
        attributes: details.attributes.iter().cloned().map(attribute).collect(),
    }
}

/// All but the reason of an exemption, which belongs to the tax.
pub(super) fn overlay_line(line: &mut Line, form: &LineDetails) {
    let LineDetails {
        item_code,
        buyer_item_code,
        order_line,
        note,
        period,
        price_base,
        exemption_reason: _,
        allowances_charges,
        object,
        accounting,
        gross_price,
        price_discount,
        price_base_unit,
        item_description,
        standard_item_code,
        origin,
        classifications,
        attributes,
    } = form.clone();
    line.item_code = item_code;
    line.price_base = price_base;
    overlay_allowances(&mut line.allowances_charges, &allowances_charges);
    line.details = SparseLineDetails::from(invoice::content::LineDetails {
        note,
        object: to_identifier(&object),
        order_line,
        accounting,
        period: to_period(&period),
        price_discount,
        gross_price,
        price_base_unit,
        item_description: (&item_description).into(),
        buyer_item_code,
        standard_item_code: to_identifier(&standard_item_code),
        classifications: classifications.into_iter().map(to_classification).collect(),
        origin,
        attributes: attributes.into_iter().map(to_attribute).collect(),
        // The amounts of the line as it was before.
        tax_amounts: None,
    });
}

fn classification(class: Classification) -> ClassificationContent {
    let Classification {
        list,
        version,
        code,
    } = class;
    ClassificationContent {
        list,
        version,
        code,
    }
}

fn to_classification(form: ClassificationContent) -> Classification {
    let ClassificationContent {
        list,
        version,
        code,
    } = form;
    Classification {
        list,
        version,
        code,
    }
}

fn attribute(attribute: ItemAttribute) -> ItemAttributeContent {
    let ItemAttribute { name, value } = attribute;
    ItemAttributeContent { name, value }
}

fn to_attribute(form: ItemAttributeContent) -> ItemAttribute {
    let ItemAttributeContent { name, value } = form;
    ItemAttribute { name, value }
}
