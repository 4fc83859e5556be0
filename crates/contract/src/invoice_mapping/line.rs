//! A line. The content keeps rare fields apart, in [`LineDetails`].

use invoice::content::{Line, LineDetails, SparseLineDetails};

use super::convert::Convert;
use crate::messages::documents;

impl Convert<Line> for documents::Line {
    fn convert(self) -> Line {
        let Self {
            id,
            description,
            quantity,
            unit,
            unit_price,
            price_base,
            allowances_charges,
            tax,
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
        } = self;
        let details = LineDetails {
            note,
            object: object.convert(),
            order_line,
            accounting,
            period: period.convert(),
            price_discount,
            gross_price,
            price_base_unit,
            item_description: item_description.convert(),
            buyer_item_code,
            standard_item_code: standard_item_code.convert(),
            classifications: classifications.convert(),
            origin,
            attributes: attributes.convert(),
            tax_amounts: None,
        };
        Line {
            id,
            description: description.convert(),
            quantity,
            unit,
            unit_price,
            price_base,
            allowances_charges: allowances_charges.convert(),
            tax: tax.convert(),
            item_code,
            // Most lines have no details, and an invoice can have ten thousand lines: no allocation without need.
            details: if details == LineDetails::default() {
                SparseLineDetails::default()
            } else {
                details.into()
            },
        }
    }
}

impl Convert<documents::Line> for Line {
    fn convert(self) -> documents::Line {
        let Self {
            id,
            description,
            quantity,
            unit,
            unit_price,
            price_base,
            allowances_charges,
            tax,
            item_code,
            details,
        } = self;
        let LineDetails {
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
        } = (*details).clone();
        documents::Line {
            id,
            description: description.convert(),
            quantity,
            unit,
            unit_price,
            price_base,
            allowances_charges: allowances_charges.convert(),
            tax: tax.convert(),
            item_code,
            net: String::new(),
            note,
            object: object.convert(),
            order_line,
            accounting,
            period: period.convert(),
            price_discount,
            gross_price,
            price_base_unit,
            item_description: item_description.convert(),
            buyer_item_code,
            standard_item_code: standard_item_code.convert(),
            classifications: classifications.convert(),
            origin,
            attributes: attributes.convert(),
            tax_amounts: None,
        }
    }
}
