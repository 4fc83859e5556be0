//! Tests of updates by field masks.

use proptest::prelude::*;

use super::{FieldMask, apply};
use crate::messages::documents::{
    Address, DocumentChanges, DocumentContent, Invoice, Line, LocalizedText, Party, Totals,
};

fn updated(current: &Invoice, update: &Invoice, paths: &[&str]) -> Invoice {
    let mask = FieldMask::of(paths.iter().copied());
    apply(current, update, Some(&mask)).expect("a mask of fields")
}

fn violations(paths: &[&str]) -> Vec<(String, String)> {
    let mask = FieldMask::of(paths.iter().copied());
    let found = apply(&Invoice::default(), &Invoice::default(), Some(&mask));
    let found = found.expect_err("a wrong mask").into_iter();
    found
        .map(|violation| (violation.field, violation.description))
        .collect()
}

fn stored() -> Invoice {
    Invoice {
        number: "INV-2026-0001".to_owned(),
        note: "old".to_owned(),
        due_date: "2026-12-01".to_owned(),
        buyer: Some(Party {
            tax_id: "1".to_owned(),
            address: Some(Address {
                city: "Riyadh".to_owned(),
                ..Address::default()
            }),
            ..Party::default()
        }),
        lines: vec![Line::default(), Line::default()],
        totals: Some(Totals::default()),
        ..Invoice::default()
    }
}

#[test]
fn fields_of_the_mask_are_taken_from_the_update_and_others_stay() {
    let update = Invoice {
        note: "new".to_owned(),
        due_date: "2027-01-01".to_owned(),
        ..Invoice::default()
    };
    let expected = Invoice {
        note: "new".to_owned(),
        ..stored()
    };
    assert_eq!(updated(&stored(), &update, &["note"]), expected);
}

#[test]
fn field_of_the_mask_that_the_update_lacks_becomes_absent() {
    let result = updated(
        &stored(),
        &Invoice::default(),
        &["note", "buyer.address.city"],
    );
    let buyer = result.buyer.expect("the buyer stays");
    assert_eq!((result.note.as_str(), buyer.tax_id.as_str()), ("", "1"));
    assert_eq!(buyer.address, Some(Address::default()));
    // Nothing is made only to be empty.
    let result = updated(&stored(), &Invoice::default(), &["payee.name.en"]);
    assert_eq!(result, stored());
}

#[test]
fn nested_field_makes_the_messages_above_it() {
    let update = Invoice {
        buyer: Some(Party {
            trading_name: Some(LocalizedText {
                en: "Shop".to_owned(),
                ar: "متجر".to_owned(),
            }),
            tax_id: "2".to_owned(),
            ..Party::default()
        }),
        ..Invoice::default()
    };
    let buyer = updated(&stored(), &update, &["buyer.trading_name.en"])
        .buyer
        .expect("a buyer");
    let name = buyer.trading_name.expect("a name");
    assert_eq!((&*name.en, &*name.ar, &*buyer.tax_id), ("Shop", "", "1"));
}

#[test]
fn repeated_field_is_replaced_as_a_whole() {
    let update = Invoice {
        lines: vec![Line::default()],
        ..Invoice::default()
    };
    assert_eq!(updated(&stored(), &update, &["lines"]).lines.len(), 1);
}

#[test]
fn absent_mask_and_the_wildcard_replace_all_but_output_fields() {
    let update = DocumentChanges {
        content: Some(DocumentContent {
            invoice: Some(Invoice {
                number: "forged".to_owned(),
                note: "new".to_owned(),
                ..Invoice::default()
            }),
        }),
    };
    let current = DocumentChanges {
        content: Some(DocumentContent {
            invoice: Some(stored()),
        }),
    };
    let expected = DocumentChanges {
        content: Some(DocumentContent {
            invoice: Some(Invoice {
                number: stored().number,
                note: "new".to_owned(),
                totals: stored().totals,
                ..Invoice::default()
            }),
        }),
    };
    for mask in [
        None,
        Some(FieldMask::of(["*"])),
        Some(FieldMask::of(["content"])),
        Some(FieldMask::of(["content.invoice"])),
    ] {
        let result = apply(&current, &update, mask.as_ref());
        assert_eq!(result.expect("a mask of fields"), expected, "{mask:?}");
    }
}

#[test]
fn each_wrong_path_is_a_violation_with_its_index() {
    let found = violations(&[
        "note",
        "no_such",
        "lines.net",
        "totals.net",
        "note.x",
        "buyer.",
        "*",
    ]);
    let expected = [
        ("updateMask.paths[1]", "noSuch is not a field of the record"),
        (
            "updateMask.paths[2]",
            "lines.net goes into a repeated field, which is replaced as a whole",
        ),
        (
            "updateMask.paths[3]",
            "totals.net is computed by the service and cannot be changed",
        ),
        (
            "updateMask.paths[4]",
            "note.x goes into a value without fields",
        ),
        ("updateMask.paths[5]", "buyer. is not a field of the record"),
        ("updateMask.paths[6]", "* must be the only path"),
    ]
    .map(|(field, description)| (field.to_owned(), description.to_owned()));
    assert_eq!(found, expected);
}

#[test]
fn empty_mask_and_one_with_too_many_paths_are_violations() {
    assert_eq!(violations(&[])[0].0, "updateMask");
    assert_eq!(violations(&["note"; 501])[0].0, "updateMask");
    assert_eq!(violations(&["x"; 500]).len(), 100);
}

const PATHS: [&str; 8] = [
    "note",
    "currency",
    "buyer",
    "buyer.tax_id",
    "buyer.address.city",
    "buyer.name",
    "lines",
    "preceding",
];

prop_compose! {
    fn invoice()(
        note in "[a-c]?",
        currency in "[a-c]?",
        buyer in proptest::option::of(("[a-c]?", proptest::option::of("[a-c]?"))),
        lines in 0..3_usize,
    ) -> Invoice {
        Invoice {
            note,
            currency,
            buyer: buyer.map(|(tax_id, city)| Party {
                tax_id,
                address: city.map(|city| Address { city, ..Address::default() }),
                ..Party::default()
            }),
            lines: vec![Line::default(); lines],
            ..Invoice::default()
        }
    }
}

proptest! {
    #[test]
    fn update_is_idempotent_and_independent_of_the_order_of_paths(
        current in invoice(),
        update in invoice(),
        paths in proptest::sample::subsequence(PATHS.to_vec(), 1..PATHS.len()),
    ) {
        let once = updated(&current, &update, &paths);
        prop_assert_eq!(&updated(&once, &update, &paths), &once);
        let reversed: Vec<_> = paths.iter().rev().copied().collect();
        prop_assert_eq!(&updated(&current, &update, &reversed), &once);
    }

    #[test]
    fn mask_of_all_fields_is_the_absent_mask(current in invoice(), update in invoice()) {
        let fields = ["note", "currency", "buyer", "lines"];
        let absent = apply(&current, &update, None).expect("no mask");
        prop_assert_eq!(updated(&current, &update, &fields), absent);
    }

    #[test]
    fn any_paths_are_applied_or_refused(paths in proptest::collection::vec("[a-z_.*]{0,12}", 0..6)) {
        let mask = FieldMask::of(paths);
        let _result = apply(&stored(), &Invoice::default(), Some(&mask));
    }
}
