//! Writes whose answers are lost, that somebody else overtakes, or that are tried again.

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
async fn a_created_invoice_is_no_draft_any_more() {
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
async fn a_create_whose_answer_was_lost_is_found_again_and_not_made_twice() {
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
async fn a_create_that_never_arrived_is_sent_once_more() {
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
async fn a_create_that_failed_after_all_but_was_done_is_success_when_tried_again() {
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
async fn a_create_that_nobody_can_tell_of_stays_a_draft_in_doubt_until_it_is_checked() {
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
async fn a_create_that_was_in_doubt_and_is_sent_again_is_success_if_it_had_arrived() {
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
async fn a_check_that_finds_nothing_lets_the_draft_be_sent_again() {
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
async fn changes_that_do_not_touch_are_saved_on_top_of_each_other() {
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
async fn changes_of_one_field_are_shown_and_nothing_is_saved() {
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
async fn issuing_what_somebody_else_has_changed_is_left_to_a_person() {
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
async fn issuing_and_freezing_survive_lost_answers() {
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
async fn what_the_form_does_not_show_survives_a_change() {
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
async fn what_is_typed_while_a_draft_is_on_its_way_is_still_there() {
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
async fn only_a_kept_draft_can_be_sent() {
    let service = Service::start().await;
    let (desk, binding) = Desk::signed_in(&service, NOURA, HOME).await;
    let key = uuid::Uuid::now_v7().to_string().into();
    let answer = desk
        .desktop
        .create_document(&desk.window, binding.clone(), key)
        .await;
    assert_eq!(answer, Err(CommandError::DraftNotFound));
    let answer = desk
        .desktop
        .create_document(&desk.window, binding, "../x".into())
        .await;
    assert!(
        matches!(answer, Err(CommandError::BadCall { .. })),
        "{answer:?}"
    );
}

#[tokio::test]
async fn a_credit_note_is_sent_as_a_document_that_names_what_it_corrects() {
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
