//! Relations: notes and their originals name each other, and what is left to credit, of the amount and of each line.

use invoicing_client::views::{
    Correction, DocumentRelations, InvoiceContent, InvoiceKind, InvoiceRow, InvoiceStatus,
    InvoiceView, WindowBinding,
};

use crate::fixtures::{HOME, NOURA, Service, TestApp, content};

async fn relations(
    app: &TestApp,
    binding: &WindowBinding,
    view: &InvoiceView,
) -> DocumentRelations {
    let (binding, key) = (binding.clone(), view.row.key.clone());
    let found = app.desktop.get_relations(&app.window, binding, key).await;
    found.expect("an answer")
}

async fn issue(app: &TestApp, binding: &WindowBinding, content: InvoiceContent) -> InvoiceView {
    let draft = app
        .desktop
        .new_draft(&app.window, binding.clone(), Some(content))
        .await
        .expect("a draft");
    let created = app.send_draft(binding, draft).await.expect("created");
    let InvoiceRow { key, stamp, .. } = created.row;
    let issued = app
        .desktop
        .issue_document(&app.window, binding.clone(), key, stamp);
    issued.await.expect("issued")
}

/// An issued invoice over ten hours at 100.00 with 15 % tax.
async fn issued_invoice(app: &TestApp, binding: &WindowBinding) -> InvoiceView {
    let mut invoice = content();
    invoice.lines[0].quantity = "10".to_owned();
    invoice.lines[0].unit_price = "100".to_owned();
    issue(app, binding, invoice).await
}

/// The credit note over a quantity of the first line.
fn credit_note(original: &InvoiceView, quantity: &str) -> InvoiceContent {
    let mut note = InvoiceContent {
        kind: InvoiceKind::CreditNote,
        correction: Some(Correction {
            key: original.row.key.clone(),
            number: original.row.number.clone(),
            issue_date: original.row.issue_date.clone(),
            reason: "returned".to_owned(),
        }),
        ..original.content.clone()
    };
    note.lines[0].quantity = quantity.to_owned();
    note
}

#[tokio::test]
async fn credit_note_and_its_invoice_name_each_other_and_what_is_left() {
    let service = Service::start().await;
    let (app, binding) = TestApp::start_signed_in(&service, NOURA, HOME).await;
    let invoice = issued_invoice(&app, &binding).await;
    let before = relations(&app, &binding, &invoice).await;
    assert_eq!(
        (before.remaining.as_str(), before.currency.as_str()),
        ("1150.00", "SAR")
    );
    assert_eq!((before.originals.len(), before.notes.len()), (0, 0));

    let note = issue(&app, &binding, credit_note(&invoice, "2.5")).await;
    let after = relations(&app, &binding, &invoice).await;
    assert_eq!(after.remaining, "862.50");
    assert_eq!(after.lines[0].quantity, "7.5", "of the line with its id");
    let [named] = after.notes.as_slice() else {
        panic!("{after:?}")
    };
    assert_eq!(
        (&named.key, &named.number),
        (&note.row.key, &note.row.number)
    );
    assert_eq!(
        (named.kind, named.status, named.gross.as_str()),
        (
            InvoiceKind::CreditNote,
            Some(InvoiceStatus::Issued),
            "287.50"
        )
    );

    let of_note = relations(&app, &binding, &note).await;
    let [original] = of_note.originals.as_slice() else {
        panic!("{of_note:?}")
    };
    assert_eq!(original.key, invoice.row.key);
    assert_eq!(of_note.remaining, "", "a credit note is not credited");
    assert!(of_note.lines.is_empty(), "{of_note:?}");
}

#[tokio::test]
async fn draft_of_a_credit_note_takes_nothing_from_what_is_left() {
    let service = Service::start().await;
    let (app, binding) = TestApp::start_signed_in(&service, NOURA, HOME).await;
    let invoice = issued_invoice(&app, &binding).await;
    let draft = app
        .desktop
        .new_draft(
            &app.window,
            binding.clone(),
            Some(credit_note(&invoice, "4")),
        )
        .await
        .expect("a draft");
    app.send_draft(&binding, draft).await.expect("created");
    let found = relations(&app, &binding, &invoice).await;
    assert_eq!(
        (found.remaining.as_str(), found.notes.len()),
        ("1150.00", 0)
    );
    assert_eq!(found.lines[0].quantity, "10");
}

#[tokio::test]
async fn original_that_the_organization_does_not_have_is_named_without_a_status() {
    let service = Service::start().await;
    let (app, binding) = TestApp::start_signed_in(&service, NOURA, HOME).await;
    let note = InvoiceContent {
        kind: InvoiceKind::CreditNote,
        correction: Some(Correction {
            number: "OLD-2019-7".to_owned(),
            issue_date: "2019-03-01".to_owned(),
            reason: "returned".to_owned(),
            ..Correction::default()
        }),
        ..content()
    };
    let note = issue(&app, &binding, note).await;
    let found = relations(&app, &binding, &note).await;
    let [original] = found.originals.as_slice() else {
        panic!("{found:?}")
    };
    assert_eq!(
        (original.number.as_str(), original.issue_date.as_str()),
        ("OLD-2019-7", "2019-03-01")
    );
    assert_eq!(
        (
            original.status,
            original.key.as_str(),
            original.gross.as_str()
        ),
        (None, "", "")
    );
}

#[tokio::test]
async fn debit_note_is_named_by_its_invoice_and_changes_nothing_of_what_is_left() {
    let service = Service::start().await;
    let (app, binding) = TestApp::start_signed_in(&service, NOURA, HOME).await;
    let invoice = issued_invoice(&app, &binding).await;
    let note = InvoiceContent {
        kind: InvoiceKind::DebitNote,
        ..credit_note(&invoice, "3")
    };
    let note = issue(&app, &binding, note).await;
    let found = relations(&app, &binding, &invoice).await;
    let [named] = found.debit_notes.as_slice() else {
        panic!("{found:?}")
    };
    assert_eq!(
        (&named.key, named.kind, named.gross.as_str()),
        (&note.row.key, InvoiceKind::DebitNote, "345.00")
    );
    assert!(found.notes.is_empty(), "{found:?}");
    assert_eq!(
        (found.remaining.as_str(), found.lines[0].quantity.as_str()),
        ("1150.00", "10")
    );
}
