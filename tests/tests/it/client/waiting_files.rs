//! Files that wait for a document: what a window could not send, the outbox sends, and what is discarded does not stay at the service.

use super::attachments::{ADD, PDF, add, list, names};
use super::outbox::outbox_retry;
use crate::fixtures::{Fault, HOME, Lasting, NOURA, Service, TestApp};

#[tokio::test]
async fn file_that_a_window_could_not_send_is_sent_by_the_outbox() {
    for is_of_new_document in [true, false] {
        let service = Service::start().await;
        let (app, binding) = TestApp::start_signed_in(&service, NOURA, HOME).await;
        let draft = app.new_draft(&binding).await;
        let key = draft.key.clone();
        let (page, lasting) = (Fault::page(502), Lasting::UntilCleared);
        service.gateway.plan(ADD, page, lasting);
        if is_of_new_document {
            let kept = add(&app, &binding, &key, "offer.pdf", PDF).await;
            kept.expect("kept");
            app.send_draft(&binding, draft).await.expect("created");
        } else {
            app.send_draft(&binding, draft).await.expect("created");
            let kept = add(&app, &binding, &key, "offer.pdf", PDF).await;
            kept.expect("kept");
        }
        let waiting = list(&app, &binding, &key).await;
        assert_eq!(names(&waiting), [("offer.pdf", true)]);
        service.gateway.clear_faults();
        let (_, left) = outbox_retry(&app, 1).await;
        app.clock.advance(left);
        app.wait_until(|snapshot| snapshot.deliveries == 1).await;
        let sent = list(&app, &binding, &key).await;
        assert_eq!(names(&sent), [("offer.pdf", false)]);
    }
}

#[tokio::test]
async fn file_of_a_draft_that_is_discarded_while_it_is_uploaded_does_not_stay_at_the_service() {
    // The upload arrives afterwards, or is lost and would be repeated.
    for fault in [Fault::DelayRequest, Fault::HoldRequest] {
        let service = Service::start().await;
        let (app, binding) = TestApp::start_signed_in(&service, NOURA, HOME).await;
        let draft = app.new_draft(&binding).await;
        let key = draft.key.clone();
        let kept = add(&app, &binding, &key, "offer.pdf", PDF).await;
        kept.expect("kept");
        service.gateway.fault(ADD, fault);
        let discarding = async {
            service.gateway.held_after(0).await;
            let discarded = app
                .desktop
                .discard_draft(&app.window, binding.clone(), key.clone());
            discarded.await.expect("it does not wait for the upload");
            service.gateway.clear_faults();
        };
        let sending = app.run_through_retries(app.send_draft(&binding, draft));
        let ((created, _), ()) = tokio::join!(sending, discarding);
        created.expect("created");
        assert_eq!(names(&list(&app, &binding, &key).await), []);
        assert_eq!(app.draft_states(&binding).await, []);
    }
}
