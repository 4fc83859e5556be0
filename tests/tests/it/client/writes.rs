//! Writes with lost responses, concurrent changes and retries.

use invoicing_client::views::{
    CommandError, Correction, Draft, DraftState, InvoiceContent, InvoiceKind, InvoiceStatus,
    InvoiceView, WindowBinding,
};

use crate::fixtures::{Desk, Fault, HOME, NOURA, Service, content};

const CREATE: &str = "/invoices/create";

async fn drafted(desk: &Desk, binding: &WindowBinding) -> Draft {
    desk.desktop
        .new_draft(&desk.window, binding.clone(), Some(content()))
        .await
        .expect("a draft")
}

async fn create(
    desk: &Desk,
    binding: &WindowBinding,
    draft: &Draft,
) -> Result<InvoiceView, CommandError> {
    desk.send(binding, draft.clone()).await
}

async fn how_many(desk: &Desk, binding: &WindowBinding) -> u32 {
    let query = invoicing_client::views::InvoiceQuery {
        page_size: 1,
        ..Default::default()
    };
    desk.desktop
        .list_invoices(&desk.window, binding.clone(), query)
        .await
        .expect("a page")
        .total
}

#[tokio::test]
async fn created_document_has_no_draft() {
    let service = Service::start().await;
    let (desk, binding) = Desk::signed_in(&service, NOURA, HOME).await;
    let draft = drafted(&desk, &binding).await;
    let created = create(&desk, &binding, &draft).await.expect("created");
    assert_eq!(
        (created.row.key.as_str(), created.row.gross.as_str()),
        (draft.key.as_str(), "1255.23")
    );
    let left = desk
        .desktop
        .drafts(&desk.window, binding)
        .await
        .expect("a list");
    assert!(left.is_empty(), "{left:?}");
}

#[tokio::test]
async fn create_with_a_lost_response_finds_the_document_and_creates_no_second() {
    let service = Service::start().await;
    let (desk, binding) = Desk::signed_in(&service, NOURA, HOME).await;
    let draft = drafted(&desk, &binding).await;
    let before = how_many(&desk, &binding).await;
    service.gateway.fault(CREATE, Fault::DropResponse);
    let created = create(&desk, &binding, &draft)
        .await
        .expect("it had arrived");
    assert_eq!(created.row.key, draft.key);
    assert_eq!(how_many(&desk, &binding).await, before + 1);
    assert_eq!(
        service.gateway.requests(CREATE).len(),
        1,
        "it was sent again"
    );
}

#[tokio::test]
async fn create_that_did_not_arrive_is_sent_again() {
    let service = Service::start().await;
    let (desk, binding) = Desk::signed_in(&service, NOURA, HOME).await;
    let draft = drafted(&desk, &binding).await;
    service.gateway.fault(CREATE, Fault::DropRequest);
    create(&desk, &binding, &draft)
        .await
        .expect("the second sending arrived");
    assert_eq!(service.gateway.requests(CREATE).len(), 2);
}

#[tokio::test]
async fn create_that_failed_but_was_done_succeeds_on_retry() {
    let service = Service::start().await;
    let (desk, binding) = Desk::signed_in(&service, NOURA, HOME).await;
    let draft = drafted(&desk, &binding).await;
    let before = how_many(&desk, &binding).await;
    // The service does it, and what comes back is UNAVAILABLE from something in between.
    create(&desk, &binding, &draft).await.expect("created");
    service.gateway.fault(CREATE, Fault::status(503, 14, "X"));
    let (created, waits) = desk.over_waits(create(&desk, &binding, &draft)).await;
    assert_eq!(
        created
            .expect("ALREADY_EXISTS after a try of our own is success")
            .row
            .key,
        draft.key
    );
    assert_eq!(waits.len(), 1);
    assert_eq!(how_many(&desk, &binding).await, before + 1);
}

#[tokio::test]
async fn create_of_unknown_outcome_keeps_the_draft_until_it_is_checked() {
    let service = Service::start().await;
    let (desk, binding) = Desk::signed_in(&service, NOURA, HOME).await;
    let draft = drafted(&desk, &binding).await;
    service.gateway.fault(CREATE, Fault::DropResponse);
    service.gateway.fault("/invoices/get", Fault::DropRequest);
    let answer = create(&desk, &binding, &draft).await;
    assert!(
        matches!(&answer, Err(CommandError::UnknownOutcome { key, .. }) if *key == draft.key),
        "{answer:?}"
    );
    let left = desk
        .desktop
        .drafts(&desk.window, binding.clone())
        .await
        .expect("a list");
    assert_eq!(left[0].state, DraftState::UnknownOutcome);
    desk.desktop
        .save_draft(&desk.window, binding.clone(), draft.clone())
        .await
        .expect("the form saves once more");
    let left = desk
        .desktop
        .drafts(&desk.window, binding.clone())
        .await
        .expect("a list");
    assert_eq!(
        left[0].state,
        DraftState::UnknownOutcome,
        "saving hid the doubt"
    );
    let found = desk
        .desktop
        .check_outcome(&desk.window, binding.clone(), draft.key.clone())
        .await
        .expect("checked");
    assert_eq!(found.expect("it had arrived").row.key, draft.key);
    assert!(
        desk.desktop
            .drafts(&desk.window, binding)
            .await
            .expect("a list")
            .is_empty(),
        "it is still a draft"
    );
}

#[tokio::test]
async fn create_of_unknown_outcome_that_is_repeated_succeeds_if_it_had_arrived() {
    let service = Service::start().await;
    let (desk, binding) = Desk::signed_in(&service, NOURA, HOME).await;
    let draft = drafted(&desk, &binding).await;
    service.gateway.fault(CREATE, Fault::DropResponse);
    service.gateway.fault("/invoices/get", Fault::DropRequest);
    create(&desk, &binding, &draft).await.expect_err("in doubt");
    create(&desk, &binding, &draft)
        .await
        .expect("it had arrived, and is no second one");
}

#[tokio::test]
async fn check_that_finds_no_document_allows_sending_the_draft_again() {
    let service = Service::start().await;
    let (desk, binding) = Desk::signed_in(&service, NOURA, HOME).await;
    let draft = drafted(&desk, &binding).await;
    service.gateway.fault(CREATE, Fault::DropRequest);
    service.gateway.fault("/invoices/get", Fault::DropRequest);
    create(&desk, &binding, &draft).await.expect_err("in doubt");
    let found = desk
        .desktop
        .check_outcome(&desk.window, binding.clone(), draft.key.clone())
        .await
        .expect("checked");
    assert_eq!(found, None);
    let left = desk
        .desktop
        .drafts(&desk.window, binding.clone())
        .await
        .expect("a list");
    assert_eq!(left[0].state, DraftState::Editing);
    create(&desk, &binding, &draft).await.expect("sent");
}

/// An invoice at the service, opened for change by one person and changed meanwhile by another.
struct Overtaken {
    desk: Desk,
    _service: Service,
    binding: WindowBinding,
    read: InvoiceView,
}

async fn overtaken(change: impl FnOnce(&mut InvoiceContent)) -> Overtaken {
    let service = Service::start().await;
    let (desk, binding) = Desk::signed_in(&service, NOURA, HOME).await;
    let draft = drafted(&desk, &binding).await;
    let read = create(&desk, &binding, &draft).await.expect("created");
    let (other, there) = Desk::signed_in(&service, NOURA, HOME).await;
    let mut theirs = read.content.clone();
    change(&mut theirs);
    other
        .change(&there, &read, theirs)
        .await
        .expect("the other is first");
    Overtaken {
        desk,
        _service: service,
        binding,
        read,
    }
}

#[tokio::test]
async fn concurrent_updates_of_different_fields_are_merged() {
    let Overtaken {
        desk,
        binding,
        read,
        _service,
    } = overtaken(|theirs| theirs.note = "theirs".to_owned()).await;
    let mut mine = read.content.clone();
    mine.lines[0].quantity = "2".to_owned();
    let saved = desk.change(&binding, &read, mine).await.expect("merged");
    assert_eq!(
        (
            saved.content.note.as_str(),
            saved.content.lines[0].quantity.as_str()
        ),
        ("theirs", "2")
    );
    assert!(
        saved.merged.is_some(),
        "nobody says that there were two changes"
    );
}

#[tokio::test]
async fn concurrent_updates_of_one_field_fail_with_the_current_document() {
    let Overtaken {
        desk,
        binding,
        read,
        _service,
    } = overtaken(|theirs| theirs.note = "theirs".to_owned()).await;
    let mut mine = read.content.clone();
    mine.note = "mine".to_owned();
    let answer = desk.change(&binding, &read, mine).await;
    let Err(CommandError::Aborted { current, support }) = answer else {
        panic!("{answer:?}")
    };
    assert_eq!(
        (
            current.expect("read again").content.note.as_str(),
            support.code
        ),
        ("theirs", Some(10))
    );
    let stored = desk
        .desktop
        .get_invoice(&desk.window, binding.clone(), read.row.key)
        .await
        .expect("it is there");
    assert_eq!(stored.content.note, "theirs");
    let drafts = desk
        .desktop
        .drafts(&desk.window, binding)
        .await
        .expect("a list");
    assert_eq!(drafts.len(), 1, "what was typed is gone");
}

#[tokio::test]
async fn issue_of_a_document_changed_by_another_user_is_aborted() {
    let Overtaken {
        desk,
        binding,
        read,
        _service,
    } = overtaken(|theirs| theirs.note = "theirs".to_owned()).await;
    let answer = desk
        .desktop
        .issue_document(&desk.window, binding, read.row.key, read.row.stamp)
        .await;
    assert!(
        matches!(
            answer,
            Err(CommandError::Aborted {
                current: Some(_),
                ..
            })
        ),
        "{answer:?}"
    );
}

#[tokio::test]
async fn issue_and_freeze_with_lost_responses_succeed() {
    let service = Service::start().await;
    let (desk, binding) = Desk::signed_in(&service, NOURA, HOME).await;
    let draft = drafted(&desk, &binding).await;
    let created = create(&desk, &binding, &draft).await.expect("created");
    service.gateway.fault(":issue", Fault::DropResponse);
    let issued = desk
        .desktop
        .issue_document(
            &desk.window,
            binding.clone(),
            draft.key.clone(),
            created.row.stamp,
        )
        .await
        .expect("it had arrived");
    assert_eq!(issued.row.status, InvoiceStatus::Issued);
    service
        .gateway
        .fault("/invoices/freeze", Fault::DropRequest);
    let frozen = desk
        .desktop
        .freeze_document(&desk.window, binding, draft.key, issued.row.stamp)
        .await
        .expect("the second sending arrived");
    assert_eq!(frozen.row.status, InvoiceStatus::Frozen);
}

#[tokio::test]
async fn update_keeps_fields_outside_the_form() {
    let service = Service::start().await;
    let (desk, binding) = Desk::signed_in(&service, NOURA, HOME).await;
    let draft = drafted(&desk, &binding).await;
    let created = create(&desk, &binding, &draft).await.expect("created");
    let mut changed = created.content.clone();
    changed.note = "n".to_owned();
    service
        .gateway
        .fault(draft.key.as_str(), Fault::DropResponse);
    let answer = desk.change(&binding, &created, changed.clone()).await;
    assert!(
        matches!(answer, Err(CommandError::Offline { .. })),
        "reading it first failed, so nothing was sent: {answer:?}"
    );
    let saved = desk
        .change(&binding, &created, changed)
        .await
        .expect("saved");
    assert_eq!(saved.content.note, "n");
}

#[tokio::test]
async fn draft_edited_while_it_is_sent_is_kept() {
    let service = Service::start().await;
    let (desk, binding) = Desk::signed_in(&service, NOURA, HOME).await;
    let draft = drafted(&desk, &binding).await;
    service.gateway.fault(CREATE, Fault::status(503, 14, "X"));
    let sending = desk
        .desktop
        .create_document(&desk.window, binding.clone(), draft.key.clone());
    let mut typed = draft.clone();
    typed.content.note = "typed on".to_owned();
    let typing = async {
        let snapshot = desk
            .wait_until(|snapshot| !snapshot.pending_retries.is_empty())
            .await;
        desk.desktop
            .save_draft(&desk.window, binding.clone(), typed.clone())
            .await
            .expect("kept");
        desk.desktop
            .retry_now(&desk.window, snapshot.pending_retries[0].id)
            .await
            .expect("hurried");
    };
    let (sent, ()) = tokio::join!(sending, typing);
    assert_eq!(sent.expect("sent as it was").content.note, "");
    let opened = desk
        .desktop
        .open_draft(&desk.window, binding, draft.key)
        .await;
    assert_eq!(opened, Ok(typed));
}

#[tokio::test]
async fn command_that_does_not_fit_the_saved_draft_is_refused() {
    let service = Service::start().await;
    let (desk, binding) = Desk::signed_in(&service, NOURA, HOME).await;
    let key = uuid::Uuid::now_v7().to_string().into();
    let answer = desk
        .desktop
        .create_document(&desk.window, binding.clone(), key)
        .await;
    assert_eq!(answer, Err(CommandError::DraftNotFound));
    let new = drafted(&desk, &binding).await;
    let answer = desk
        .desktop
        .update_document(&desk.window, binding.clone(), new.key)
        .await;
    assert!(
        matches!(answer, Err(CommandError::InvalidCall { .. })),
        "an update of a new draft: {answer:?}"
    );
    let answer = desk
        .desktop
        .create_document(&desk.window, binding, "../x".into())
        .await;
    assert!(
        matches!(answer, Err(CommandError::InvalidCall { .. })),
        "{answer:?}"
    );
}

#[tokio::test]
async fn credit_note_is_created_with_its_preceding_document() {
    let service = Service::start().await;
    let (desk, binding) = Desk::signed_in(&service, NOURA, HOME).await;
    let draft = drafted(&desk, &binding).await;
    let created = create(&desk, &binding, &draft).await.expect("created");
    let issued = desk
        .desktop
        .issue_document(
            &desk.window,
            binding.clone(),
            draft.key.clone(),
            created.row.stamp,
        )
        .await
        .expect("issued");
    let correction = Correction {
        key: draft.key,
        number: issued.row.number,
        issue_date: issued.row.issue_date,
        reason: "a mistake".to_owned(),
    };
    let note = InvoiceContent {
        kind: InvoiceKind::CreditNote,
        correction: Some(correction.clone()),
        ..content()
    };
    let key = uuid::Uuid::now_v7().to_string().into();
    let saved = desk.save(&binding, key, note).await.expect("saved");
    assert_eq!(saved.content.correction, Some(correction));
    assert_eq!(
        service.gateway.requests(CREATE).len(),
        1,
        "it was sent flat"
    );
}
