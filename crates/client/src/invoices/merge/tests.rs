//! Changes of two users that are merged, and those that conflict.

use serde_json::Value;

use super::*;
use crate::invoices::text_pointers::text_pointers;
use crate::views::{PaymentContent, PrecedingContent, full_content};

fn content() -> InvoiceContent {
    let line = LineContent {
        quantity: "1".to_owned(),
        unit_price: "10".to_owned(),
        ..LineContent::default()
    };
    InvoiceContent {
        lines: vec![line.clone(), line],
        ..InvoiceContent::default()
    }
}

fn with(change: impl FnOnce(&mut InvoiceContent)) -> InvoiceContent {
    let mut content = content();
    change(&mut content);
    content
}

#[test]
fn changes_of_different_fields_are_merged() {
    let mine = with(|content| content.note = "mine".to_owned());
    let theirs = with(|content| content.lines[1].quantity = "2".to_owned());
    let merged = merge(&content(), &mine, &theirs).expect("they do not overlap");
    assert_eq!(
        (merged.note.as_str(), merged.lines[1].quantity.as_str()),
        ("mine", "2")
    );
}

/// A content with another text at a JSON pointer.
fn changed_at(content: &InvoiceContent, pointer: &str) -> InvoiceContent {
    let mut json = serde_json::to_value(content).expect("JSON");
    let field = json.pointer_mut(pointer).expect("it is there");
    *field = Value::from(if pointer == "/kind" {
        "debitNote"
    } else if pointer.ends_with("/kind") {
        "allowance"
    } else {
        "changed"
    });
    serde_json::from_value(json).expect("a content")
}

#[test]
fn change_of_any_field_survives_beside_a_change_of_another() {
    let base = full_content();
    let pointers = text_pointers(&serde_json::to_value(&base).expect("JSON"));
    for pointer in pointers {
        let other = if pointer == "/note" {
            "/noteAr"
        } else {
            "/note"
        };
        let (one, another) = (changed_at(&base, &pointer), changed_at(&base, other));
        let both = changed_at(&one, other);
        assert_ne!(both, another, "{pointer} is not changed");
        for (mine, theirs) in [(&one, &another), (&another, &one)] {
            let merged = merge(&base, mine, theirs);
            assert!(merged.as_ref() == Some(&both), "{pointer} is lost");
        }
    }
}

#[test]
fn payments_and_preceding_documents_that_both_sides_added_conflict() {
    let add_payment = |account: &str| {
        let payment = PaymentContent {
            account: account.to_owned(),
            ..PaymentContent::default()
        };
        with(|content| content.details.other_payments.push(payment))
    };
    let add_preceding = |number: &str| {
        let preceding = PrecedingContent {
            number: number.to_owned(),
            ..PrecedingContent::default()
        };
        with(|content| content.details.preceding_documents.push(preceding))
    };
    for (mine, theirs) in [
        (add_payment("1"), add_payment("2")),
        (add_preceding("1"), add_preceding("2")),
    ] {
        assert_eq!(merge(&content(), &mine, &theirs), None);
        assert_eq!(merge(&content(), &mine, &content()), Some(mine));
    }
}

#[test]
fn different_changes_of_one_field_conflict() {
    let mine = with(|content| content.note = "mine".to_owned());
    assert_eq!(
        merge(
            &content(),
            &mine,
            &with(|content| content.note = "theirs".to_owned())
        ),
        None
    );
    assert_eq!(merge(&content(), &mine, &mine), Some(mine.clone()));
}

#[test]
fn currency_conflicts_with_an_amount_that_the_other_side_changed() {
    let dollars = with(|content| content.currency = "USD".to_owned());
    for amount in [
        with(|content| content.lines[0].unit_price = "12".to_owned()),
        with(|content| content.details.prepaid = "5".to_owned()),
    ] {
        assert_eq!(merge(&content(), &dollars, &amount), None);
        assert_eq!(merge(&content(), &amount, &dollars), None);
        let both = InvoiceContent {
            currency: "USD".to_owned(),
            ..amount.clone()
        };
        assert_eq!(merge(&content(), &both, &dollars), Some(both.clone()));
    }
}

#[test]
fn added_line_conflicts_with_a_changed_line() {
    let mine = with(|content| content.lines.push(LineContent::default()));
    assert_eq!(
        merge(
            &content(),
            &mine,
            &with(|content| content.lines[0].quantity = "3".to_owned())
        ),
        None
    );
    assert_eq!(
        merge(
            &content(),
            &mine,
            &with(|content| content.note = "n".to_owned())
        )
        .expect("apart")
        .lines
        .len(),
        3
    );
}

fn with_ids(change: impl FnOnce(&mut InvoiceContent)) -> InvoiceContent {
    let mut content = content();
    for (line, id) in content.lines.iter_mut().zip(["1", "2"]) {
        line.id = id.to_owned();
    }
    change(&mut content);
    content
}

#[test]
fn lines_are_matched_by_their_ids() {
    let base = with_ids(|_| ());
    let mine = with_ids(|content| {
        content.lines.remove(0);
        content.lines.push(LineContent::default());
    });
    let theirs = with_ids(|content| content.lines[1].quantity = "7".to_owned());
    let merged = merge(&base, &mine, &theirs).expect("they do not overlap");
    let found: Vec<(&str, &str)> = merged
        .lines
        .iter()
        .map(|line| (line.id.as_str(), line.quantity.as_str()))
        .collect();
    assert_eq!(found, [("2", "7"), ("", "")]);
}

#[test]
fn removed_line_that_the_other_side_changed_conflicts() {
    let mine = with_ids(|content| content.lines.truncate(1));
    let theirs = with_ids(|content| content.lines[1].quantity = "7".to_owned());
    assert_eq!(merge(&with_ids(|_| ()), &mine, &theirs), None);
    assert_eq!(merge(&with_ids(|_| ()), &theirs, &mine), None);
}

#[test]
fn lines_that_both_sides_added_conflict() {
    let added = |id: &str| {
        with_ids(|content| {
            content.lines.push(LineContent {
                id: id.to_owned(),
                ..LineContent::default()
            });
        })
    };
    assert_eq!(merge(&with_ids(|_| ()), &added(""), &added("3")), None);
}

#[test]
fn moved_lines_conflict_with_a_line_that_the_other_side_added() {
    let moved = with_ids(|content| content.lines.reverse());
    let added = with_ids(|content| {
        content.lines.push(LineContent {
            id: "3".to_owned(),
            ..LineContent::default()
        });
    });
    assert_eq!(merge(&with_ids(|_| ()), &moved, &added), None);
    assert_eq!(merge(&with_ids(|_| ()), &added, &moved), None);
}

#[test]
fn rate_and_category_of_one_line_conflict() {
    let mine = with(|content| content.lines[0].tax_rate = "0".to_owned());
    assert_eq!(
        merge(
            &content(),
            &mine,
            &with(|content| content.lines[0].tax_category = "S".to_owned())
        ),
        None
    );
}
