//! Documents that a draft would repeat, and the last price of a buyer, also without a connection. The outbox asks for what could not be
//! asked, and repeats nothing by itself (decision 0193).

use std::time::Duration;

use invoicing_client::views::{
    CommandError, DocumentKey, DraftState, DraftSummary, InvoiceContent, SimilarDocument,
    SimilarDocuments, WindowBinding,
};

use super::outbox::{reconnect, save_offline};
use super::parties::{create, items, knowledge_company, parties};
use super::session::reconnect_by_check;
use crate::fixtures::{HOME, NOURA, Service, TestApp, content, new_key};

async fn drafts(app: &TestApp, binding: &WindowBinding) -> Vec<DraftSummary> {
    let drafts = app.desktop.drafts(&app.window, binding.clone()).await;
    drafts.expect("a list")
}

/// Has a draft sent although it may repeat these documents.
async fn accept(app: &TestApp, binding: &WindowBinding, key: &DocumentKey, of: &[&DocumentKey]) {
    let documents = of.iter().map(|&key| key.clone()).collect();
    let accepted = app
        .desktop
        .accept_similar(&app.window, binding.clone(), key.clone(), documents);
    accepted.await.expect("noted");
}

#[tokio::test]
async fn invoice_with_the_buyer_and_total_of_a_recent_one_is_said_to_be_similar() {
    let service = Service::start().await;
    let (app, binding) = TestApp::start_signed_in(&service, NOURA, HOME).await;
    let created = create(&app, &binding, knowledge_company()).await;
    let similar = async |key: &DocumentKey, content: InvoiceContent| {
        let (binding, key) = (binding.clone(), key.clone());
        let found = app
            .desktop
            .similar_documents(&app.window, binding, key, content);
        found.await.expect("an answer")
    };
    let new = new_key();
    let found = similar(&new, knowledge_company()).await;
    let keys: Vec<_> = found.documents.into_iter().map(|row| row.key).collect();
    assert_eq!(keys, std::slice::from_ref(&created.row.key));
    assert!(found.waiting.is_empty() && !found.offline);

    let nothing = SimilarDocuments::default();
    let itself = similar(&created.row.key, knowledge_company()).await;
    assert_eq!(itself, nothing, "it does not repeat itself");
    let mut later = knowledge_company();
    later.issue_date = "2026-11-20".to_owned();
    assert_eq!(similar(&new, later).await, nothing);
    let mut dearer = knowledge_company();
    dearer.lines[0].unit_price = "251.00".to_owned();
    assert_eq!(similar(&new, dearer).await, nothing);
}

#[tokio::test]
async fn outbox_repeats_no_document_that_nobody_has_seen_names_it_and_sends_the_draft_on_request() {
    let service = Service::start().await;
    let (app, binding) = TestApp::start_signed_in(&service, NOURA, HOME).await;
    let key = save_offline(&app, &service, &binding, content()).await;
    service.identity.restart().await;
    service.gateway.restart().await;
    // Somebody else invoices the same meanwhile.
    let (other, there) = TestApp::start_signed_in(&service, NOURA, HOME).await;
    let issued = other.issued_invoice(&there).await.row;

    reconnect_by_check(&app).await;
    app.wait_until(|snapshot| snapshot.deliveries == 1).await;
    let kept = drafts(&app, &binding).await;
    let states: Vec<_> = kept.iter().map(|draft| draft.state).collect();
    assert_eq!(states, [DraftState::Refused]);
    let named = SimilarDocument {
        key: issued.key.clone(),
        number: issued.number,
    };
    assert_eq!(kept[0].similar, [named]);
    let read = || {
        app.desktop
            .get_invoice(&app.window, binding.clone(), key.clone())
    };
    let unsent = read().await;
    assert!(
        matches!(unsent, Err(CommandError::NotFound { .. })),
        "{unsent:?}"
    );

    accept(&app, &binding, &key, &[&issued.key]).await;
    app.wait_until(|snapshot| snapshot.deliveries == 2).await;
    assert_eq!(app.draft_states(&binding).await, []);
    read().await.expect("it is there");
}

#[tokio::test]
async fn what_waits_and_what_was_written_here_is_told_offline_and_not_again_by_the_outbox() {
    let service = Service::start().await;
    let (app, binding) = TestApp::start_signed_in(&service, NOURA, HOME).await;
    let written = app.create_invoice(&binding, new_key(), content()).await;
    let written = written.expect("created").row.key;
    let seen = save_offline(&app, &service, &binding, content()).await;
    accept(&app, &binding, &seen, &[&written]).await;

    app.clock.advance(Duration::from_millis(1));
    let unseen = app.new_draft(&binding).await.key;
    let found =
        app.desktop
            .similar_documents(&app.window, binding.clone(), unseen.clone(), content());
    let found = found.await.expect("from this computer");
    let documents: Vec<_> = found.documents.into_iter().map(|row| row.key).collect();
    let waiting: Vec<_> = found.waiting.into_iter().map(|draft| draft.key).collect();
    assert_eq!(
        (documents, waiting, found.offline),
        (vec![written.clone()], vec![seen.clone()], true)
    );
    let sending = app
        .desktop
        .create_document(&app.window, binding.clone(), unseen.clone());
    let (answer, _) = app.run_through_retries(sending).await;
    assert!(
        matches!(answer, Err(CommandError::Offline { .. })),
        "{answer:?}"
    );

    reconnect(&app, &service).await;
    app.wait_until(|snapshot| snapshot.deliveries == 2).await;
    let sent = app
        .desktop
        .get_invoice(&app.window, binding.clone(), seen.clone());
    sent.await.expect("somebody has seen what it repeats");
    let kept = drafts(&app, &binding).await;
    let named: Vec<_> = kept
        .iter()
        .map(|draft| {
            let mut keys: Vec<_> = draft.similar.iter().map(|it| it.key.clone()).collect();
            keys.sort();
            (draft.key.clone(), draft.state, keys)
        })
        .collect();
    let mut both = vec![written, seen];
    both.sort();
    assert_eq!(named, [(unseen, DraftState::Refused, both)]);
}

#[tokio::test]
async fn price_of_a_delivered_document_is_known_offline_although_nobody_has_asked_for_it() {
    let service = Service::start().await;
    let (app, binding) = TestApp::start_signed_in(&service, NOURA, HOME).await;
    let created = create(&app, &binding, knowledge_company()).await;
    let mut cheaper = knowledge_company();
    cheaper.lines[0].unit_price = "240.00".to_owned();
    let cheaper = create(&app, &binding, cheaper).await;
    for key in [created.row.key, cheaper.row.key] {
        let remembered = app
            .desktop
            .remember_document(&app.window, binding.clone(), key, None);
        remembered.await.expect("remembered");
    }
    let item = items(&app, &binding, "adv").await.expect("an answer");
    let party = parties(&app, &binding, "kno").await.expect("an answer");
    service.identity.stop().await;
    service.gateway.stop().await;
    let price = app.desktop.last_price(
        &app.window,
        binding,
        item[0].key.clone(),
        party[0].key.clone(),
    );
    let price = price.await.expect("from the cache").expect("a price");
    assert_eq!(item[0].price.unit_price, "250.00", "wherever it is sold");
    assert_eq!(
        (price.unit_price.as_str(), price.currency.as_str()),
        ("240.00", "SAR")
    );
}
