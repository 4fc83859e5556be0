//! Fields that the service computes, from the option `(invoicing.output)` of the .proto files: a caller must not send them.

use invoice::MAX_VIOLATIONS;
use invoice::rules::OUTPUT_FIELD_SET;

use crate::FieldViolation;

/// A message with output fields, directly or in the messages of its fields.
pub trait OutputFields {
    /// The paths of its output fields in the names of the JSON form, as `lines[].net`.
    const PATHS: &[&str];

    /// Adds the path of each output field that is set to `found`, as `lines[0].net`. `path` is put before each: it is empty,
    /// or the path of this message in the request with a point after it.
    fn find_output_fields(&self, path: &str, found: &mut Vec<String>);

    /// Makes every output field absent.
    fn clear_output_fields(&mut self);
}

/// A violation of each output field that is set, at most [`MAX_VIOLATIONS`]. `path` is put before each, as in
/// [`OutputFields::find_output_fields`].
#[must_use]
pub fn output_violations<Message: OutputFields>(
    message: &Message,
    path: &str,
) -> Vec<FieldViolation> {
    let mut sent = Vec::new();
    message.find_output_fields(path, &mut sent);
    sent.truncate(MAX_VIOLATIONS);
    let violation = |field| {
        FieldViolation::of_rule(
            field,
            OUTPUT_FIELD_SET,
            "is computed by the service and cannot be sent",
        )
    };
    sent.into_iter().map(violation).collect()
}

/// Whether a field has another value than its default, which proto3 does not send.
fn is_set<Field: Default + PartialEq>(field: &Field) -> bool {
    *field != Field::default()
}

include!(concat!(env!("OUT_DIR"), "/output_fields.rs"));

#[cfg(test)]
mod tests {
    use super::OutputFields;
    use crate::messages::documents::{Invoice, Line, Party, TaxAmounts, TaxSubtotal, Totals};
    use crate::messages::simple::NewInvoice;

    fn invoice_with_outputs() -> Invoice {
        Invoice {
            number: "INV-2026-0001".to_owned(),
            seller: Some(Party::default()),
            lines: vec![
                Line::default(),
                Line {
                    net: "1.00".to_owned(),
                    tax_amounts: Some(TaxAmounts::default()),
                    ..Line::default()
                },
            ],
            tax_breakdown: vec![TaxSubtotal::default()],
            totals: Some(Totals::default()),
            ..Invoice::default()
        }
    }

    #[test]
    fn output_fields_of_an_invoice_are_those_of_its_options() {
        assert_eq!(
            Invoice::PATHS,
            [
                "number",
                "seller",
                "lines[].net",
                "lines[].taxAmounts",
                "taxBreakdown",
                "totals"
            ]
        );
        assert_eq!(NewInvoice::PATHS, ["lines[].net", "lines[].taxAmounts"]);
    }

    #[test]
    fn output_fields_that_are_set_are_found_with_their_paths() {
        let mut found = Vec::new();
        invoice_with_outputs().find_output_fields("invoice.", &mut found);
        let expected = [
            "invoice.number",
            "invoice.seller",
            "invoice.lines[1].net",
            "invoice.lines[1].taxAmounts",
            "invoice.taxBreakdown",
            "invoice.totals",
        ];
        assert_eq!(found, expected);
    }

    #[test]
    fn cleared_output_fields_are_absent() {
        let mut invoice = invoice_with_outputs();
        invoice.clear_output_fields();
        let expected = Invoice {
            lines: vec![Line::default(), Line::default()],
            ..Invoice::default()
        };
        assert_eq!(invoice, expected);
    }
}
