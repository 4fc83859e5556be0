//! Attachments: added, saved and removed, and kept until the service has their document.

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use end_to_end::fault_proxy::{ConnectionFault, Lasting};
use invoicing_client::views::{
    AttachmentFile, AttachmentProblem, AttachmentsView, CommandError, Draft, DraftState,
    WindowBinding,
};
use invoicing_contract::DocumentKey;

use crate::fixtures::{Fault, HOME, NOURA, Service, TestApp, files_below};

/// The end of the path of an attachment to add.
pub(super) const ADD: &str = "/attachments";
pub(super) const PDF: &[u8] = b"%PDF-1.7 an offer";

pub(super) async fn add(
    app: &TestApp,
    binding: &WindowBinding,
    key: &DocumentKey,
    name: &str,
    content: &[u8],
) -> Result<AttachmentsView, CommandError> {
    let file = AttachmentFile {
        name: name.to_owned(),
        content: STANDARD.encode(content),
    };
    app.desktop
        .add_attachment(&app.window, binding.clone(), key.clone(), file)
        .await
}

/// A new draft with files of these names, which wait for it.
pub(super) async fn draft_with_files(
    app: &TestApp,
    binding: &WindowBinding,
    names: &[&str],
) -> Draft {
    let draft = app.new_draft(binding).await;
    for name in names {
        let kept = add(app, binding, &draft.key, name, PDF).await;
        kept.expect("kept");
    }
    draft
}

pub(super) async fn list(
    app: &TestApp,
    binding: &WindowBinding,
    key: &DocumentKey,
) -> AttachmentsView {
    let list = app
        .desktop
        .list_attachments(&app.window, binding.clone(), key.clone());
    list.await.expect("a list")
}

/// Names, and whether each waits.
pub(super) fn names(view: &AttachmentsView) -> Vec<(&str, bool)> {
    let each = view.attachments.iter();
    each.map(|it| (it.file_name.as_str(), it.waiting)).collect()
}

#[tokio::test]
async fn attachment_is_added_saved_and_removed_and_issuing_closes_the_list() {
    let service = Service::start().await;
    let (app, binding) = TestApp::start_signed_in(&service, NOURA, HOME).await;
    let draft = app.new_draft(&binding).await;
    let key = draft.key.clone();
    let read = app.send_draft(&binding, draft).await.expect("created");
    assert!(list(&app, &binding, &key).await.editable);

    let added = add(&app, &binding, &key, "عرض 12.pdf", PDF).await;
    let added = added.expect("added");
    assert_eq!(names(&added), [("عرض 12.pdf", false)]);
    let (id, bytes) = (added.attachments[0].id.clone(), added.attachments[0].bytes);
    assert_eq!(usize::try_from(bytes).expect("small"), PDF.len());
    assert!(added.attachments[0].added.is_some(), "who and when");

    let target = app.folder.path().join("saved.pdf");
    app.host.choose_next_file(target.clone());
    let saved = app
        .desktop
        .save_attachment(&app.window, binding.clone(), key.clone(), id.clone());
    assert_eq!(saved.await, Ok(Some("saved.pdf".to_owned())));
    assert_eq!(app.host.suggested_name(), "عرض 12.pdf");
    assert_eq!(std::fs::read(target).expect("written"), PDF);

    // The change of a form that was opened before is merged without a word: no field was changed by anybody else.
    let mut content = read.content.clone();
    content.note = "changed".to_owned();
    let updated = app.update_invoice(&binding, &read, content).await;
    assert_eq!(updated.expect("updated").merged, None);

    let second = add(&app, &binding, &key, "b.csv", b"1,2\n").await;
    assert_eq!(second.expect("added").attachments.len(), 2);
    let left = app
        .desktop
        .remove_attachment(&app.window, binding.clone(), key.clone(), id);
    assert_eq!(names(&left.await.expect("removed")), [("b.csv", false)]);

    let stamp = app
        .desktop
        .get_invoice(&app.window, binding.clone(), key.clone());
    let stamp = stamp.await.expect("read").row.stamp;
    let issued = app
        .desktop
        .issue_document(&app.window, binding.clone(), key.clone(), stamp);
    issued.await.expect("issued");
    let closed = list(&app, &binding, &key).await;
    assert!(!closed.editable);
    let refused = add(&app, &binding, &key, "late.pdf", PDF).await;
    assert!(
        matches!(refused, Err(CommandError::FailedPrecondition { .. })),
        "{refused:?}"
    );
    assert_eq!(
        names(&list(&app, &binding, &key).await),
        [("b.csv", false)],
        "what was refused does not wait"
    );
}

#[tokio::test]
async fn file_of_an_unsaved_invoice_survives_a_restart_and_is_sent_with_it() {
    let service = Service::start().await;
    let (app, binding) = TestApp::start_signed_in(&service, NOURA, HOME).await;
    let draft = app.new_draft(&binding).await;
    let key = draft.key.clone();
    for (name, content) in [("offer.pdf", PDF), ("hours.csv", b"7,5\n")] {
        let kept = add(&app, &binding, &key, name, content).await;
        assert!(kept.expect("kept").attachments.iter().all(|it| it.waiting));
    }
    assert_eq!(service.gateway.requests(ADD).len(), 0);

    let again = app.restart();
    let binding = again.binding().await;
    assert_eq!(
        names(&list(&again, &binding, &key).await),
        [("offer.pdf", true), ("hours.csv", true)]
    );
    let created = again.send_draft(&binding, draft).await.expect("created");
    let sent = list(&again, &binding, &key).await;
    assert_eq!(names(&sent), [("offer.pdf", false), ("hours.csv", false)]);
    let issued = again
        .desktop
        .issue_document(&again.window, binding, key, created.row.stamp);
    issued
        .await
        .expect("the stamp is that after the attachments");
}

#[tokio::test]
async fn file_whose_answer_is_lost_is_attached_once() {
    let service = Service::start().await;
    let (app, binding) = TestApp::start_signed_in(&service, NOURA, HOME).await;
    let draft = app.new_draft(&binding).await;
    let key = draft.key.clone();
    app.send_draft(&binding, draft).await.expect("created");
    service.gateway.fault(ADD, Fault::DropResponse);
    let (added, _) = app
        .run_through_retries(add(&app, &binding, &key, "offer.pdf", PDF))
        .await;
    assert_eq!(names(&added.expect("added")), [("offer.pdf", false)]);
}

#[tokio::test]
async fn file_that_two_callers_send_at_once_is_sent_once() {
    let service = Service::start().await;
    let (app, binding) = TestApp::start_signed_in(&service, NOURA, HOME).await;
    let draft = draft_with_files(&app, &binding, &["offer.pdf"]).await;
    let key = draft.key.clone();
    service.gateway.fault(ADD, Fault::status(400, 3, "X"));
    app.send_draft(&binding, draft).await.expect("created");
    service.gateway.forget_requests();
    let send = || {
        app.desktop
            .send_attachments(&app.window, binding.clone(), key.clone())
    };
    let (first, second) = tokio::join!(send(), send());
    for sent in [first, second] {
        assert_eq!(names(&sent.expect("sent")), [("offer.pdf", false)]);
    }
    assert_eq!(service.gateway.requests(ADD).len(), 1);
}

#[tokio::test]
async fn file_that_is_removed_while_it_is_uploaded_does_not_stay_at_the_service() {
    // The upload arrives after the removal, or is lost and would be repeated.
    for fault in [Fault::DelayRequest, Fault::HoldRequest] {
        let service = Service::start().await;
        let (app, binding) = TestApp::start_signed_in(&service, NOURA, HOME).await;
        let draft = app.new_draft(&binding).await;
        let key = draft.key.clone();
        app.send_draft(&binding, draft).await.expect("created");
        service.gateway.fault(ADD, fault);
        let removing = async {
            service.gateway.held_after(0).await;
            let shown = list(&app, &binding, &key).await;
            let id = shown.attachments[0].id.clone();
            let removed =
                app.desktop
                    .remove_attachment(&app.window, binding.clone(), key.clone(), id);
            let left = removed.await.expect("it does not wait for the upload");
            assert_eq!(names(&left), []);
            service.gateway.clear_faults();
        };
        let adding = add(&app, &binding, &key, "offer.pdf", PDF);
        let (added, ()) = tokio::join!(app.run_through_retries(adding), removing);
        assert_eq!(names(&added.0.expect("an answer")), []);
        assert_eq!(names(&list(&app, &binding, &key).await), []);
    }
}

#[tokio::test]
async fn file_whose_answer_was_lost_is_listed_once_and_removed_everywhere() {
    let service = Service::start().await;
    let (app, binding) = TestApp::start_signed_in(&service, NOURA, HOME).await;
    let draft = app.new_draft(&binding).await;
    let key = draft.key.clone();
    app.send_draft(&binding, draft).await.expect("created");
    let (refused, lasting) = (ConnectionFault::Refused, Lasting::UntilCleared);
    service.gateway.fault(ADD, Fault::DropResponse);
    service.gateway.plan_connection_after(ADD, refused, lasting);
    let (added, _) = app
        .run_through_retries(add(&app, &binding, &key, "offer.pdf", PDF))
        .await;
    let added = added.expect("kept");
    assert_eq!(names(&added), [("offer.pdf", true)]);
    service.gateway.recover().await;
    let found = list(&app, &binding, &key).await;
    assert_eq!(names(&found), [("offer.pdf", false)]);
    let id = added.attachments[0].id.clone();
    let left = app
        .desktop
        .remove_attachment(&app.window, binding.clone(), key, id);
    assert_eq!(names(&left.await.expect("removed")), []);
}

#[tokio::test]
async fn refused_file_keeps_no_other_from_being_sent_and_is_the_one_that_is_told() {
    let service = Service::start().await;
    let (app, binding) = TestApp::start_signed_in(&service, NOURA, HOME).await;
    let draft = draft_with_files(&app, &binding, &["first.pdf", "second.pdf"]).await;
    let key = draft.key.clone();
    let refused = || Fault::status(400, 3, "X");
    service.gateway.fault(ADD, refused());
    app.send_draft(&binding, draft).await.expect("created");
    let told = |view: &AttachmentsView| -> Vec<String> {
        let refused = view.attachments.iter().filter(|it| it.problem.is_some());
        refused.map(|it| it.file_name.clone()).collect()
    };
    let created = list(&app, &binding, &key).await;
    assert_eq!(
        names(&created),
        [("second.pdf", false), ("first.pdf", true)]
    );
    assert_eq!(told(&created), ["first.pdf"]);

    service.gateway.fault(ADD, refused());
    let added = add(&app, &binding, &key, "third.pdf", PDF).await;
    let added = added.expect("another file was refused, and not this one");
    let expected = [
        ("second.pdf", false),
        ("third.pdf", false),
        ("first.pdf", true),
    ];
    assert_eq!(names(&added), expected);
    assert_eq!(told(&added), ["first.pdf"]);

    let sent = app
        .desktop
        .send_attachments(&app.window, binding.clone(), key);
    let sent = sent.await.expect("sent");
    assert!(sent.attachments.iter().all(|it| !it.waiting));
    assert_eq!(told(&sent), [""; 0]);
}

#[tokio::test]
async fn file_that_the_service_fails_at_keeps_no_other_from_being_sent() {
    let service = Service::start().await;
    let (app, binding) = TestApp::start_signed_in(&service, NOURA, HOME).await;
    let draft = draft_with_files(&app, &binding, &["first.pdf", "second.pdf"]).await;
    let key = draft.key.clone();
    // The file is added three times at most, and each call is repeated once.
    for _ in 0..6 {
        let failed = Fault::status(500, 13, "INTERNAL");
        service.gateway.fault(ADD, failed);
    }
    let (created, _) = app
        .run_through_retries(app.send_draft(&binding, draft))
        .await;
    created.expect("created");
    let found = list(&app, &binding, &key).await;
    assert_eq!(names(&found), [("second.pdf", false), ("first.pdf", true)]);
    assert!(found.problem.is_some(), "it is sent later");
}

#[tokio::test]
async fn file_that_the_service_cannot_take_now_waits_and_is_sent_before_the_issue() {
    let service = Service::start().await;
    let (app, binding) = TestApp::start_signed_in(&service, NOURA, HOME).await;
    let draft = draft_with_files(&app, &binding, &["offer.pdf"]).await;
    let key = draft.key.clone();
    service.gateway.fault(ADD, Fault::page(502));
    let (created, _) = app
        .run_through_retries(app.send_draft(&binding, draft))
        .await;
    let created = created.expect("what the service has is a success");
    let issued =
        app.desktop
            .issue_document(&app.window, binding.clone(), key.clone(), created.row.stamp);
    issued.await.expect("issued");
    assert_eq!(
        names(&list(&app, &binding, &key).await),
        [("offer.pdf", false)]
    );
}

#[tokio::test]
async fn file_that_cannot_be_attached_is_refused_before_anything_is_sent() {
    let service = Service::start().await;
    let (app, binding) = TestApp::start_signed_in(&service, NOURA, HOME).await;
    let key = app.new_draft(&binding).await.key;
    let large = vec![b'a'; (2 << 20) + 1];
    for (name, content, problem) in [
        ("a.pdf", &b""[..], AttachmentProblem::Empty),
        ("a.exe", b"MZ", AttachmentProblem::OtherType),
        ("a.png", PDF, AttachmentProblem::OtherContent),
        ("../a.pdf", PDF, AttachmentProblem::Name),
        ("a.csv", &large, AttachmentProblem::TooLarge),
        ("a.xlsx", b"PK\x03\x04", AttachmentProblem::OtherContent),
    ] {
        let refused = add(&app, &binding, &key, name, content).await;
        let file = name.to_owned().into();
        assert_eq!(
            refused,
            Err(CommandError::AttachmentRefused { file, problem })
        );
    }
    for number in 0..10 {
        let kept = add(&app, &binding, &key, &format!("{number}.pdf"), PDF).await;
        kept.expect("kept");
    }
    let refused = add(&app, &binding, &key, "11.pdf", PDF).await;
    assert!(
        matches!(
            refused,
            Err(CommandError::AttachmentRefused {
                problem: AttachmentProblem::TooMany,
                ..
            })
        ),
        "{refused:?}"
    );

    assert_eq!(app.draft_states(&binding).await, [DraftState::Editing]);
    let discarded = app
        .desktop
        .discard_draft(&app.window, binding.clone(), key.clone());
    discarded.await.expect("discarded");
    let folder = app.folder.path().join("data/waiting-attachments");
    assert!(
        files_below(&folder).is_empty(),
        "nothing of a discarded draft stays"
    );
}
