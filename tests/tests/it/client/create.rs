//! Creating documents: lost responses, unknown outcomes and drafts edited while they are sent.

use invoicing_client::views::{
    CommandError, DraftState, InvoiceContent, InvoiceKind, InvoiceQuery, PendingRetry,
    WindowBinding,
};

use crate::fixtures::{Fault, HOME, NOURA, Service, TestApp, content, read_of};

const CREATE: &str = "/invoices/create";

/// The number of invoices in the organization of the binding.
async fn invoice_count(app: &TestApp, binding: &WindowBinding) -> u32 {
    let query = InvoiceQuery {
        page_size: 1,
        ..InvoiceQuery::default()
    };
    app.desktop
        .list_invoices(&app.window, binding.clone(), query)
        .await
        .expect("a page")
        .total
}

#[tokio::test]
async fn created_document_has_no_draft() {
    let service = Service::start().await;
    let (app, binding) = TestApp::start_signed_in(&service, NOURA, HOME).await;
    let draft = app.new_draft(&binding).await;
    let created = app
        .send_draft(&binding, draft.clone())
        .await
        .expect("created");
    assert_eq!(
        (created.row.key.as_str(), created.row.gross.as_str()),
        (draft.key.as_str(), "1255.23")
    );
    assert_eq!(app.draft_states(&binding).await, []);
}

#[tokio::test]
async fn create_with_a_lost_response_finds_the_document_and_creates_no_second() {
    let service = Service::start().await;
    let (app, binding) = TestApp::start_signed_in(&service, NOURA, HOME).await;
    let draft = app.new_draft(&binding).await;
    let before = invoice_count(&app, &binding).await;
    service.gateway.fault(CREATE, Fault::DropResponse);
    let created = app
        .send_draft(&binding, draft.clone())
        .await
        .expect("it had arrived");
    assert_eq!(created.row.key, draft.key);
    assert_eq!(invoice_count(&app, &binding).await, before + 1);
    assert_eq!(
        service.gateway.requests(CREATE).len(),
        1,
        "it was sent again"
    );
}

#[tokio::test]
async fn create_that_did_not_arrive_is_sent_again() {
    let service = Service::start().await;
    let (app, binding) = TestApp::start_signed_in(&service, NOURA, HOME).await;
    let draft = app.new_draft(&binding).await;
    service.gateway.fault(CREATE, Fault::DropRequest);
    app.send_draft(&binding, draft.clone())
        .await
        .expect("the second request arrived");
    assert_eq!(service.gateway.requests(CREATE).len(), 2);
}

#[tokio::test]
async fn create_that_failed_but_was_done_succeeds_on_retry() {
    let service = Service::start().await;
    let (app, binding) = TestApp::start_signed_in(&service, NOURA, HOME).await;
    let draft = app.new_draft(&binding).await;
    let before = invoice_count(&app, &binding).await;
    // The document exists, as after an attempt whose response a proxy replaced with UNAVAILABLE.
    let (other, there) = TestApp::start_signed_in(&service, NOURA, HOME).await;
    other
        .create_invoice(&there, draft.key.clone(), draft.content.clone())
        .await
        .expect("created");
    service.gateway.fault(CREATE, Fault::status(503, 14, "X"));
    let (created, waits) = app
        .run_through_retries(app.send_draft(&binding, draft.clone()))
        .await;
    let created = created.expect("ALREADY_EXISTS after an own attempt is success");
    assert_eq!(created.row.key, draft.key);
    assert!(
        created.created_earlier,
        "the person is not told that it is the earlier attempt's"
    );
    assert_eq!(waits.len(), 1);
    assert_eq!(invoice_count(&app, &binding).await, before + 1);
}

#[tokio::test]
async fn create_of_unknown_outcome_keeps_the_draft_until_it_is_checked() {
    let service = Service::start().await;
    let (app, binding) = TestApp::start_signed_in(&service, NOURA, HOME).await;
    let draft = app.new_draft(&binding).await;
    service.gateway.fault(CREATE, Fault::DropResponse);
    service
        .gateway
        .fault(&read_of(&draft.key), Fault::DropRequest);
    let answer = app.send_draft(&binding, draft.clone()).await;
    assert!(
        matches!(&answer, Err(CommandError::UnknownOutcome { key: Some(key), .. }) if *key == draft.key),
        "{answer:?}"
    );
    assert_eq!(
        app.draft_states(&binding).await,
        [DraftState::UnknownOutcome]
    );
    app.desktop
        .save_draft(&app.window, binding.clone(), draft.clone())
        .await
        .expect("the form saves once more");
    assert_eq!(
        app.draft_states(&binding).await,
        [DraftState::UnknownOutcome],
        "saving reset the unknown outcome"
    );
    let found = app
        .desktop
        .check_outcome(&app.window, binding.clone(), draft.key.clone())
        .await
        .expect("checked");
    assert_eq!(found.expect("it had arrived").row.key, draft.key);
    assert_eq!(app.draft_states(&binding).await, [], "it is still a draft");
}

#[tokio::test]
async fn create_of_unknown_outcome_that_is_repeated_succeeds_if_it_had_arrived() {
    let service = Service::start().await;
    let (app, binding) = TestApp::start_signed_in(&service, NOURA, HOME).await;
    let draft = app.new_draft(&binding).await;
    service.gateway.fault(CREATE, Fault::DropResponse);
    service
        .gateway
        .fault(&read_of(&draft.key), Fault::DropRequest);
    app.send_draft(&binding, draft.clone())
        .await
        .expect_err("unknown outcome");
    app.send_draft(&binding, draft.clone())
        .await
        .expect("it had arrived, and no second document was created");
}

#[tokio::test]
async fn check_that_finds_no_document_allows_sending_the_draft_again() {
    let service = Service::start().await;
    let (app, binding) = TestApp::start_signed_in(&service, NOURA, HOME).await;
    let draft = app.new_draft(&binding).await;
    service.gateway.fault(CREATE, Fault::DropRequest);
    service
        .gateway
        .fault(&read_of(&draft.key), Fault::DropRequest);
    app.send_draft(&binding, draft.clone())
        .await
        .expect_err("unknown outcome");
    let found = app
        .desktop
        .check_outcome(&app.window, binding.clone(), draft.key.clone())
        .await
        .expect("checked");
    assert_eq!(found, None);
    assert_eq!(app.draft_states(&binding).await, [DraftState::Editing]);
    app.send_draft(&binding, draft.clone()).await.expect("sent");
}

#[tokio::test]
async fn create_that_may_still_arrive_is_in_doubt_although_the_next_attempt_meets_a_limit() {
    let service = Service::start().await;
    let (app, binding) = TestApp::start_signed_in(&service, NOURA, HOME).await;
    let draft = app.new_draft(&binding).await;
    service.gateway.fault(CREATE, Fault::DropRequest);
    let limit = || Fault::status(429, 8, "PLAN_LIMIT");
    service.gateway.fault(CREATE, limit());
    let answer = app.send_draft(&binding, draft).await;
    assert!(
        matches!(answer, Err(CommandError::UnknownOutcome { .. })),
        "the first may have used up the plan: {answer:?}"
    );

    // What a proxy answers in place of the service is repeated before anybody looks for the document.
    let draft = app.new_draft(&binding).await;
    let lost = Fault::status(503, 14, "ANSWER_LOST");
    for fault in [lost, limit(), limit()] {
        service.gateway.fault(CREATE, fault);
    }
    let repeating = async {
        let is_create = |retry: &&PendingRetry| retry.command == "create_document";
        let snapshot = app
            .wait_until(|snapshot| snapshot.pending_retries.iter().any(|it| is_create(&it)))
            .await;
        let retry = snapshot.pending_retries.iter().find(is_create);
        let id = retry.expect("it waits").id;
        let hurried = app.desktop.retry_now(&app.window, id).await;
        hurried.expect("retried");
    };
    let (answer, ()) = tokio::join!(app.send_draft(&binding, draft), repeating);
    assert!(
        matches!(answer, Err(CommandError::UnknownOutcome { .. })),
        "so may the one whose answer was lost: {answer:?}"
    );
    assert_eq!(
        app.draft_states(&binding).await,
        [DraftState::UnknownOutcome, DraftState::UnknownOutcome]
    );
}

#[tokio::test]
async fn draft_edited_while_it_is_sent_is_kept() {
    let service = Service::start().await;
    let (app, binding) = TestApp::start_signed_in(&service, NOURA, HOME).await;
    let draft = app.new_draft(&binding).await;
    service.gateway.fault(CREATE, Fault::status(503, 14, "X"));
    let sending = app
        .desktop
        .create_document(&app.window, binding.clone(), draft.key.clone());
    let mut edited = draft.clone();
    edited.content.note = "typed on".to_owned();
    let editing = async {
        let snapshot = app
            .wait_until(|snapshot| !snapshot.pending_retries.is_empty())
            .await;
        app.desktop
            .save_draft(&app.window, binding.clone(), edited.clone())
            .await
            .expect("saved");
        app.desktop
            .retry_now(&app.window, snapshot.pending_retries[0].id)
            .await
            .expect("retried");
    };
    let (sent, ()) = tokio::join!(sending, editing);
    assert_eq!(sent.expect("sent as it was").content.note, "");
    let opened = app
        .desktop
        .open_draft(&app.window, binding, draft.key)
        .await;
    assert_eq!(opened, Ok(edited));
}

#[tokio::test]
async fn command_that_does_not_fit_the_saved_draft_is_refused() {
    let service = Service::start().await;
    let (app, binding) = TestApp::start_signed_in(&service, NOURA, HOME).await;
    let key = crate::fixtures::new_key();
    let answer = app
        .desktop
        .create_document(&app.window, binding.clone(), key)
        .await;
    assert_eq!(answer, Err(CommandError::DraftNotFound));
    let new = app.new_draft(&binding).await;
    let answer = app
        .desktop
        .update_document(&app.window, binding.clone(), new.key)
        .await;
    assert!(
        matches!(answer, Err(CommandError::InvalidCall { .. })),
        "an update of a new draft: {answer:?}"
    );
    let answer = app
        .desktop
        .create_document(&app.window, binding, "../x".into())
        .await;
    assert!(
        matches!(answer, Err(CommandError::InvalidCall { .. })),
        "{answer:?}"
    );
}

#[tokio::test]
async fn credit_note_is_created_with_its_preceding_document() {
    let service = Service::start().await;
    let (app, binding) = TestApp::start_signed_in(&service, NOURA, HOME).await;
    let correction = app.correction(&binding).await;
    let note = InvoiceContent {
        kind: InvoiceKind::CreditNote,
        correction: Some(correction.clone()),
        ..content()
    };
    let key = crate::fixtures::new_key();
    let saved = app
        .create_invoice(&binding, key, note)
        .await
        .expect("saved");
    assert_eq!(saved.content.correction, Some(correction));
    assert_eq!(
        service.gateway.requests(CREATE).len(),
        1,
        "the credit note was sent to the simple operation"
    );
}

#[tokio::test]
async fn note_in_both_languages_is_sent_and_comes_back() {
    let service = Service::start().await;
    let (app, binding) = TestApp::start_signed_in(&service, NOURA, HOME).await;
    let mut content = content();
    content.note = "Deliver before noon".to_owned();
    content.note_ar = "التسليم قبل الظهر".to_owned();
    let key = crate::fixtures::new_key();
    let created = app.create_invoice(&binding, key, content.clone()).await;
    let created = created.expect("created").content;
    assert_eq!(
        (created.note, created.note_ar),
        (content.note, content.note_ar)
    );
}
