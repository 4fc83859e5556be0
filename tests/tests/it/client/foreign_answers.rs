//! Answers of another server to writes: a success counts only if it is JSON of the requested document, in its
//! organization, with a stamp. Everything else is an unknown outcome, which reading the document resolves.

use invoicing_client::views::{CommandError, Correction, DraftState, InvoiceKind, InvoiceStatus};

use crate::fixtures::{Fault, HOME, NOURA, Service, TestApp, content, read_of};

const CREATE: &str = "/invoices/create";

/// A success of another server, with JSON that is not the requested document.
pub(super) fn foreign_success(body: &str) -> Fault {
    success("application/json", body.to_owned())
}

fn success(content_type: &str, body: String) -> Fault {
    Fault::Respond {
        status: 200,
        headers: vec![("content-type", content_type.to_owned())],
        body,
    }
}

/// Successes that are not the document `key` of [`HOME`] with a stamp.
fn foreign_successes(key: &str) -> Vec<Fault> {
    let document = |key: &str, organization: &str, stamp: &str| {
        format!(
            r#"{{"documentKey":"{key}","organizationId":"{organization}","concurrencyStamp":"{stamp}"}}"#
        )
    };
    vec![
        foreign_success("{}"),
        foreign_success(r#"{"status":"ok"}"#),
        foreign_success(&document("0199f3a0-0000-7000-8000-000000000009", HOME, "s")),
        foreign_success(&document(key, "274893002", "s")),
        foreign_success(&document(key, HOME, "")),
        success("text/html", document(key, HOME, "s")),
        Fault::page(200),
    ]
}

#[tokio::test]
async fn create_answered_by_another_server_is_sent_again_and_its_draft_stays_until_then() {
    let service = Service::start().await;
    let (app, binding) = TestApp::start_signed_in(&service, NOURA, HOME).await;
    let count = foreign_successes("").len();
    for index in 0..count {
        let draft = app.new_draft(&binding).await;
        let fault = foreign_successes(draft.key.as_str()).swap_remove(index);
        let described = format!("{fault:?}");
        // The second answer, too: the draft is in doubt, not sent and not refused.
        service.gateway.fault(CREATE, fault.clone());
        service
            .gateway
            .fault(&read_of(&draft.key), Fault::page(200));
        let answer = app.send_draft(&binding, draft.clone()).await;
        assert!(
            matches!(answer, Err(CommandError::UnknownOutcome { .. })),
            "{described}: {answer:?}"
        );
        let states = app.draft_states(&binding).await;
        assert_eq!(states, [DraftState::UnknownOutcome], "{described}");
        // Reading the document shows that it did not arrive, and it is sent again.
        service.gateway.fault(CREATE, fault);
        let created = app.send_draft(&binding, draft.clone()).await;
        assert_eq!(created.expect("created").row.key, draft.key, "{described}");
        assert_eq!(app.draft_states(&binding).await, [], "{described}");
    }
}

#[tokio::test]
async fn create_answered_twice_by_another_server_is_not_in_doubt_if_the_service_has_no_document() {
    let service = Service::start().await;
    let (app, binding) = TestApp::start_signed_in(&service, NOURA, HOME).await;
    let draft = app.new_draft(&binding).await;
    service.gateway.fault(CREATE, foreign_success("{}"));
    service.gateway.fault(CREATE, foreign_success("{}"));
    let answer = app.send_draft(&binding, draft.clone()).await;
    assert!(
        matches!(
            answer,
            Err(CommandError::UnexpectedResponse { status: 200, .. })
        ),
        "{answer:?}"
    );
    assert_eq!(app.draft_states(&binding).await, [DraftState::Editing]);
}

#[tokio::test]
async fn update_issue_and_freeze_answered_by_another_server_are_done_once() {
    let service = Service::start().await;
    let (app, binding) = TestApp::start_signed_in(&service, NOURA, HOME).await;
    let draft = app.new_draft(&binding).await;
    let created = app
        .send_draft(&binding, draft.clone())
        .await
        .expect("created");
    let key = draft.key;
    // An update reads the document first, unless it is in the cache.
    let mut changed = created.content.clone();
    changed.note = "first".to_owned();
    let mut current = app
        .update_invoice(&binding, &created, changed)
        .await
        .expect("saved");
    for (index, fault) in foreign_successes(key.as_str()).into_iter().enumerate() {
        let described = format!("{fault:?}");
        let mut changed = current.content.clone();
        changed.note = format!("note {index}");
        service.gateway.fault(&format!("/{key}"), fault);
        current = app
            .update_invoice(&binding, &current, changed.clone())
            .await
            .expect("saved");
        assert_eq!(current.content.note, changed.note, "{described}");
        assert_eq!(app.draft_states(&binding).await, [], "{described}");
    }
    for fault in foreign_successes(key.as_str()) {
        let draft = app.new_draft(&binding).await;
        let created = app
            .send_draft(&binding, draft.clone())
            .await
            .expect("created");
        service.gateway.fault(":issue", fault.clone());
        service.gateway.fault("/invoices/freeze", fault.clone());
        let issued = app
            .desktop
            .issue_document(
                &app.window,
                binding.clone(),
                draft.key.clone(),
                created.row.stamp,
            )
            .await
            .expect("issued");
        assert_eq!(issued.row.status, InvoiceStatus::Issued, "{fault:?}");
        let frozen = app
            .desktop
            .freeze_document(&app.window, binding.clone(), draft.key, issued.row.stamp)
            .await
            .expect("frozen");
        assert_eq!(frozen.row.status, InvoiceStatus::Frozen, "{fault:?}");
    }
}

#[tokio::test]
async fn lost_update_of_a_correction_is_sent_again_and_not_counted_as_done() {
    let service = Service::start().await;
    let (app, binding) = TestApp::start_signed_in(&service, NOURA, HOME).await;
    let correction = app.correction(&binding).await;
    let mut note = content();
    note.kind = InvoiceKind::CreditNote;
    note.correction = Some(correction.clone());
    let key = crate::fixtures::new_key();
    let created = app
        .create_invoice(&binding, key, note.clone())
        .await
        .expect("created");
    note.correction = Some(Correction {
        reason: "another reason".to_owned(),
        ..correction
    });
    let path = format!("/{}", created.row.key);
    // The second request at this path is the update: the first one reads the document, unless it is in the cache.
    service.gateway.fault(&path, Fault::DropRequest);
    let saved = app
        .update_invoice(&binding, &created, note.clone())
        .await
        .expect("the second request arrived");
    assert_eq!(saved.content.correction, note.correction);
}

#[tokio::test]
async fn credit_note_whose_response_was_lost_is_found_with_its_correction() {
    let service = Service::start().await;
    let (app, binding) = TestApp::start_signed_in(&service, NOURA, HOME).await;
    let mut note = content();
    note.kind = InvoiceKind::CreditNote;
    note.correction = Some(app.correction(&binding).await);
    let key: invoicing_client::views::DocumentKey = crate::fixtures::new_key();
    service.gateway.fault("/documents", Fault::DropResponse);
    let created = app
        .create_invoice(&binding, key.clone(), note.clone())
        .await
        .expect("it had arrived");
    assert_eq!(created.content.correction, note.correction);
    assert_eq!(service.gateway.requests("/documents").len(), 1);
}
