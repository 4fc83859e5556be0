//! Payments: what is open of an invoice, recording once, and voiding.

use invoicing_client::views::{
    CommandError, Correction, InvoiceContent, InvoiceKind, InvoiceQuery, InvoiceRow, InvoiceView,
    NewPayment, PaymentState, PaymentsView, WindowBinding,
};

use super::foreign_answers::foreign_success;
use crate::fixtures::{Fault, HOME, NOURA, Service, TestApp};

async fn payments(
    app: &TestApp,
    binding: &WindowBinding,
    view: &InvoiceView,
) -> Result<PaymentsView, CommandError> {
    let (binding, key) = (binding.clone(), view.row.key.clone());
    app.desktop.payments(&app.window, binding, key).await
}

async fn new_payment(app: &TestApp, binding: &WindowBinding, view: &InvoiceView) -> NewPayment {
    let (binding, key) = (binding.clone(), view.row.key.clone());
    let payment = app.desktop.new_payment(&app.window, binding, key).await;
    payment.expect("a proposal")
}

/// A new payment of this amount, which is not recorded yet.
async fn payment_of(
    app: &TestApp,
    binding: &WindowBinding,
    view: &InvoiceView,
    amount: &str,
) -> NewPayment {
    NewPayment {
        amount: amount.to_owned(),
        ..new_payment(app, binding, view).await
    }
}

async fn record(
    app: &TestApp,
    binding: &WindowBinding,
    payment: &NewPayment,
) -> Result<PaymentsView, CommandError> {
    let (binding, payment) = (binding.clone(), payment.clone());
    app.desktop
        .record_payment(&app.window, binding, payment)
        .await
}

fn open(view: &PaymentsView) -> (&str, PaymentState) {
    let balance = view.balance.as_ref().expect("it asks for payment");
    (balance.open.as_str(), balance.state)
}

#[tokio::test]
async fn payment_takes_its_amount_off_what_is_open_and_the_list_shows_it() {
    let service = Service::start().await;
    let (app, binding) = TestApp::start_signed_in(&service, NOURA, HOME).await;
    let issued = app.issued_invoice(&binding).await;
    let before = payments(&app, &binding, &issued).await.expect("an answer");
    assert_eq!(open(&before).0, issued.payable);

    let proposal = new_payment(&app, &binding, &issued).await;
    assert_eq!(
        proposal.amount, issued.payable,
        "all that is open is proposed"
    );
    let part = NewPayment {
        amount: "١٬٠٠٠٫٠٠".to_owned(),
        reference: "Transfer 7".to_owned(),
        means: "30".to_owned(),
        ..proposal
    };
    let paid = record(&app, &binding, &part).await.expect("recorded");
    assert_eq!(open(&paid).0, "255.23");
    assert_eq!(
        (
            paid.payments[0].amount.as_str(),
            paid.payments[0].reference.as_str()
        ),
        ("1000.00", "Transfer 7")
    );

    let query = InvoiceQuery {
        number: issued.row.number.clone(),
        page_size: 1,
        ..InvoiceQuery::default()
    };
    let page = app
        .desktop
        .list_invoices(&app.window, binding.clone(), query);
    let row = page.await.expect("a page").rows.remove(0);
    assert_eq!(
        (row.open.as_str(), row.payment),
        ("255.23", Some(open(&paid).1))
    );

    let rest = new_payment(&app, &binding, &issued).await;
    assert_eq!(rest.amount, "255.23");
    let paid = record(&app, &binding, &rest).await.expect("recorded");
    assert_eq!(open(&paid), ("0.00", PaymentState::Paid));
}

#[tokio::test]
async fn refund_of_a_credit_note_is_proposed_and_recorded() {
    let service = Service::start().await;
    let (app, binding) = TestApp::start_signed_in(&service, NOURA, HOME).await;
    let invoice = app.issued_invoice(&binding).await;
    let payment = new_payment(&app, &binding, &invoice).await;
    record(&app, &binding, &payment).await.expect("recorded");
    let content = InvoiceContent {
        kind: InvoiceKind::CreditNote,
        correction: Some(Correction {
            key: invoice.row.key.clone(),
            number: invoice.row.number.clone(),
            issue_date: invoice.row.issue_date.clone(),
            reason: "returned".to_owned(),
        }),
        ..invoice.content.clone()
    };
    let draft = app
        .desktop
        .new_draft(&app.window, binding.clone(), Some(content));
    let draft = draft.await.expect("a draft");
    let created = app.send_draft(&binding, draft).await.expect("created");
    let InvoiceRow { key, stamp, .. } = created.row;
    let issued = app
        .desktop
        .issue_document(&app.window, binding.clone(), key, stamp);
    let note = issued.await.expect("issued");

    let refund = new_payment(&app, &binding, &note).await;
    assert_eq!((refund.amount.as_str(), refund.refund), ("1255.23", true));
    let part = NewPayment {
        amount: "1000".to_owned(),
        ..refund
    };
    let view = record(&app, &binding, &part).await.expect("recorded");
    assert_eq!(open(&view), ("-255.23", PaymentState::ToRefund));
    assert!(view.payments[0].refund, "{view:?}");
    let rest = new_payment(&app, &binding, &note).await;
    let view = record(&app, &binding, &rest).await.expect("recorded");
    assert_eq!(open(&view), ("0.00", PaymentState::Paid));
}

#[tokio::test]
async fn payment_whose_answer_was_lost_or_that_is_sent_twice_is_recorded_once() {
    let service = Service::start().await;
    let (app, binding) = TestApp::start_signed_in(&service, NOURA, HOME).await;
    let issued = app.issued_invoice(&binding).await;
    let payment = payment_of(&app, &binding, &issued, "100").await;
    service.gateway.fault("/payments", Fault::DropResponse);
    let lost = record(&app, &binding, &payment)
        .await
        .expect("it had arrived");
    assert_eq!(lost.payments.len(), 1);
    let again = record(&app, &binding, &payment)
        .await
        .expect("it is recorded");
    assert_eq!(again.payments.len(), 1);
    assert_eq!(open(&again).0, "1155.23");
}

#[tokio::test]
async fn payment_is_shown_as_recorded_although_the_payments_cannot_be_read_after_it() {
    let service = Service::start().await;
    let (app, binding) = TestApp::start_signed_in(&service, NOURA, HOME).await;
    let issued = app.issued_invoice(&binding).await;
    let payment = payment_of(&app, &binding, &issued, "100").await;
    let read = format!("GET /api/v2/documents/{}/payments", issued.row.key);
    service.gateway.fault(&read, Fault::page(403));
    let recorded = record(&app, &binding, &payment).await.expect("recorded");
    assert_eq!(open(&recorded).0, "1155.23");
    let amounts: Vec<_> = recorded.payments.iter().map(|it| &*it.amount).collect();
    assert_eq!(amounts, ["100.00"]);
    let read = payments(&app, &binding, &issued).await.expect("an answer");
    assert_eq!(read.payments, recorded.payments);
}

#[tokio::test]
async fn payment_whose_requests_were_lost_may_still_come_and_is_not_recorded_with_another_amount() {
    let service = Service::start().await;
    let (app, binding) = TestApp::start_signed_in(&service, NOURA, HOME).await;
    let issued = app.issued_invoice(&binding).await;
    let payment = payment_of(&app, &binding, &issued, "100").await;
    let write = format!("POST /api/v2/documents/{}/payments", issued.row.key);
    // A limit says nothing about the request that was lost.
    for next in [Fault::DropRequest, Fault::status(429, 8, "PLAN_LIMIT")] {
        service.gateway.fault(&write, Fault::DropRequest);
        service.gateway.fault(&write, next);
        let lost = record(&app, &binding, &payment).await;
        assert!(
            matches!(&lost, Err(CommandError::UnknownOutcome { .. })),
            "{lost:?}"
        );
    }
    record(&app, &binding, &payment).await.expect("recorded");
    let changed = NewPayment {
        amount: "50".to_owned(),
        ..payment
    };
    let refused = record(&app, &binding, &changed).await;
    assert!(
        matches!(&refused, Err(CommandError::AlreadyExists { .. })),
        "{refused:?}"
    );
    let read = payments(&app, &binding, &issued).await.expect("an answer");
    assert_eq!((read.payments.len(), open(&read).0), (1, "1155.23"));
}

#[tokio::test]
async fn payment_that_another_server_has_answered_is_sent_again_and_never_shown_as_recorded() {
    let service = Service::start().await;
    let (app, binding) = TestApp::start_signed_in(&service, NOURA, HOME).await;
    let issued = app.issued_invoice(&binding).await;
    let write = format!("POST /api/v2/documents/{}/payments", issued.row.key);
    let payment = payment_of(&app, &binding, &issued, "100").await;
    service.gateway.fault(&write, foreign_success("{}"));
    let recorded = record(&app, &binding, &payment).await.expect("sent again");
    assert_eq!((recorded.payments.len(), open(&recorded).0), (1, "1155.23"));

    let payment = payment_of(&app, &binding, &issued, "50").await;
    for _ in 0..2 {
        service.gateway.fault(&write, foreign_success("{}"));
    }
    let unexpected = record(&app, &binding, &payment).await;
    assert!(
        matches!(
            &unexpected,
            Err(CommandError::UnexpectedResponse { status: 200, .. })
        ),
        "{unexpected:?}"
    );
    let read = payments(&app, &binding, &issued).await.expect("an answer");
    assert_eq!((read.payments.len(), open(&read).0), (1, "1155.23"));
}

#[tokio::test]
async fn payment_above_what_is_open_is_refused_with_the_reason() {
    let service = Service::start().await;
    let (app, binding) = TestApp::start_signed_in(&service, NOURA, HOME).await;
    let issued = app.issued_invoice(&binding).await;
    let payment = payment_of(&app, &binding, &issued, "5000").await;
    let refused = record(&app, &binding, &payment).await;
    let Err(CommandError::FailedPrecondition { support, .. }) = refused else {
        panic!("{refused:?}");
    };
    assert_eq!(support.reason, "PAYMENT_ABOVE_OPEN");
    let ambiguous = NewPayment {
        amount: "1,234".to_owned(),
        ..payment
    };
    let refused = record(&app, &binding, &ambiguous).await;
    let Err(CommandError::InvalidArgument { violations, .. }) = refused else {
        panic!("{refused:?}");
    };
    assert_eq!(
        (violations[0].path.as_str(), violations[0].rule.as_str()),
        ("payment.amount", "INV-AMBIGUOUS")
    );
}

#[tokio::test]
async fn voided_payment_is_open_again_and_both_entries_stay() {
    let service = Service::start().await;
    let (app, binding) = TestApp::start_signed_in(&service, NOURA, HOME).await;
    let issued = app.issued_invoice(&binding).await;
    let payment = new_payment(&app, &binding, &issued).await;
    record(&app, &binding, &payment).await.expect("recorded");
    let void = || {
        let (key, payment) = (issued.row.key.clone(), payment.key.clone());
        let reason = "Another customer".to_owned();
        app.desktop
            .void_payment(&app.window, binding.clone(), key, payment, reason)
    };
    let voided = void().await.expect("voided");
    assert_eq!(open(&voided).0, issued.payable);
    assert_eq!(voided.payments.len(), 2);
    assert!(voided.payments[0].voided);
    assert_eq!(
        (
            voided.payments[1].voids.as_str(),
            voided.payments[1].reason.as_str()
        ),
        (payment.key.as_str(), "Another customer")
    );
    // Sent again, as after a lost answer.
    assert_eq!(void().await.expect("it is voided").payments.len(), 2);
}

#[tokio::test]
async fn payments_read_before_are_readable_offline() {
    let service = Service::start().await;
    let (app, binding) = TestApp::start_signed_in(&service, NOURA, HOME).await;
    let issued = app.issued_invoice(&binding).await;
    let read = payments(&app, &binding, &issued).await.expect("an answer");
    service.identity.stop().await;
    service.gateway.stop().await;
    let offline = payments(&app, &binding, &issued)
        .await
        .expect("from the cache");
    assert!(offline.offline_as_of.is_some());
    assert_eq!(offline.balance, read.balance);
}
