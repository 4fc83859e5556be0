//! Tests of the mapping of paths.

use proptest::prelude::*;

use super::*;

#[test]
fn field_is_found_in_the_requests_of_both_apis() {
    for (wire, form) in [
        ("invoice.lines[2].tax.rate", "lines[2].taxRate"),
        (
            "changes.content.invoice.lines[10].unitPrice",
            "lines[10].unitPrice",
        ),
        ("invoice.lines[0].description.ar", "lines[0].description.ar"),
        ("invoice.buyer.name", "buyer.name"),
        ("invoice.buyer.name.en", "buyer.name.en"),
        ("invoice.buyer.address.postalCode", "buyer.postalCode"),
        (
            "changes.content.invoice.preceding[0].number",
            "correction.number",
        ),
        ("changes.content.invoice.reason", "correction.reason"),
        ("invoice.lines", "lines"),
    ] {
        assert_eq!(form_path(wire).as_deref(), Some(form), "{wire}");
    }
}

#[test]
fn path_below_a_field_of_the_form_is_mapped_to_that_field() {
    for (wire, form) in [
        ("invoice.lines[1].tax.category", "lines[1].taxCategory"),
        (
            "invoice.lines[1].allowancesCharges[0].amount.x",
            "lines[1].details.allowancesCharges[0].amount",
        ),
        ("invoice.buyer.legalForm", "buyer"),
        (
            "changes.content.invoice.preceding[3].x",
            "details.precedingDocuments[2]",
        ),
    ] {
        assert_eq!(form_path(wire).as_deref(), Some(form), "{wire}");
    }
}

#[test]
fn path_in_a_group_with_the_same_fields_keeps_its_end() {
    for (wire, form) in [
        ("invoice.buyer.address.region", "buyer.details.region"),
        (
            "invoice.buyer.otherIds[1].scheme",
            "buyer.details.otherIds[1].scheme",
        ),
        (
            "invoice.payment[0].card.number",
            "details.payment.card.number",
        ),
        (
            "invoice.payment[2].account.id",
            "details.otherPayments[1].account",
        ),
        ("invoice.payment[1]", "details.otherPayments[0].code"),
        (
            "invoice.preceding[1].number",
            "details.precedingDocuments[0].number",
        ),
        (
            "invoice.delivery.address.country",
            "details.delivery.address.country",
        ),
        ("invoice.documents[2].id", "details.documents[2].id"),
        (
            "invoice.lines[3].attributes[0].name",
            "lines[3].details.attributes[0].name",
        ),
    ] {
        assert_eq!(form_path(wire).as_deref(), Some(form), "{wire}");
    }
}

#[test]
fn path_outside_the_form_has_no_field_and_keeps_its_path() {
    for path in [
        "changes.content",
        "pageToken",
        "",
        "invoice",
        "invoice.seller.name",
        "invoice.lines[x]y",
    ] {
        let shown = to_view(&FieldViolation::new(path, "INV-X: no"));
        let expected = (path == "invoice.lines[x]y").then(|| "lines".to_owned());
        assert_eq!((shown.field, shown.path.as_str()), (expected, path));
    }
}

#[test]
fn rule_is_split_from_the_description() {
    let split = |description: &str| {
        let shown = to_view(&FieldViolation::new("", description));
        (shown.rule, shown.description)
    };
    assert_eq!(
        split("BR-S-05: the rate is missing"),
        ("BR-S-05".to_owned(), "the rate is missing".to_owned())
    );
    assert_eq!(
        split("note: BR-S-05"),
        (String::new(), "note: BR-S-05".to_owned())
    );
    assert_eq!(split("no"), (String::new(), "no".to_owned()));
}

proptest! {
    #[test]
    fn any_path_is_mapped_without_panic(path in ".*", inner in "[a-z\\[\\].0-9]{0,30}") {
        let _ = form_path(&path);
        let within = format!("invoice.{inner}");
        let _ = form_path(&within);
    }
}
