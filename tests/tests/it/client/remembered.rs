//! What is remembered of buyers and items is corrected and forgotten when the user says so (decision 0188).

use invoicing_client::views::{
    CommandError, DueTerms, InvoiceContent, ItemPart, PartyPart, RememberedDifferences,
    WindowBinding,
};

use super::parties::{create, items, knowledge_company, parties};
use crate::fixtures::{HOME, NOURA, Service, TestApp, content};

/// Saves a document and has it remembered.
async fn remember(
    app: &TestApp,
    binding: &WindowBinding,
    content: InvoiceContent,
) -> RememberedDifferences {
    let due_terms = content.due_terms;
    let created = create(app, binding, content).await;
    let remembered =
        app.desktop
            .remember_document(&app.window, binding.clone(), created.row.key, due_terms);
    remembered.await.expect("remembered")
}

#[tokio::test]
async fn new_details_of_a_document_are_told_and_remembered_when_the_user_says_so() {
    let service = Service::start().await;
    let (app, binding) = TestApp::start_signed_in(&service, NOURA, HOME).await;
    let first = remember(&app, &binding, knowledge_company()).await;
    assert_eq!(
        first,
        RememberedDifferences::default(),
        "both are new, and remembered as they are"
    );

    let mut moved = knowledge_company();
    moved.buyer.street = "Corniche Road".to_owned();
    moved.lines[0].unit = "DAY".to_owned();
    moved.lines[0].unit_price = "1800.00".to_owned();
    let told = remember(&app, &binding, moved).await;
    let party = told.party.expect("it has moved");
    assert_eq!(party.name.en, "Knowledge Company");
    assert_eq!(party.parts, [PartyPart::Address]);
    let item = told.items.into_iter().next().expect("it is sold by days");
    assert_eq!(item.parts, [ItemPart::Unit, ItemPart::Price]);
    let before = parties(&app, &binding, "kno").await.expect("an answer");
    assert_eq!(before[0].buyer.street, "King Fahd Road", "nobody was asked");

    let update = |change| {
        app.desktop
            .update_party(&app.window, binding.clone(), change)
    };
    let updated = update(party.change.clone()).await.expect("updated");
    assert_eq!(updated.buyer.street, "Corniche Road");
    assert_eq!(updated.buyer.city, "Dammam");
    let again = update(party.change.clone()).await;
    assert_eq!(again, Ok(updated.clone()), "it is remembered already");
    let mut stale = party.change;
    stale.buyer.street = "Prince Turki Street".to_owned();
    let refused = update(stale).await;
    assert!(
        matches!(refused, Err(CommandError::Aborted { .. })),
        "somebody has changed it since: {refused:?}"
    );
    app.desktop
        .update_item(&app.window, binding.clone(), item.change)
        .await
        .expect("updated");

    service.identity.stop().await;
    service.gateway.stop().await;
    let kept = parties(&app, &binding, "kno").await;
    assert_eq!(kept, Ok(vec![updated]));
    let kept = items(&app, &binding, "adv").await.expect("from the cache");
    assert_eq!(
        (kept[0].unit.as_str(), kept[0].price.unit_price.as_str()),
        ("DAY", "1800.00")
    );
}

#[tokio::test]
async fn forgotten_buyer_and_item_are_not_suggested_until_they_are_brought_back() {
    let service = Service::start().await;
    let (app, binding) = TestApp::start_signed_in(&service, NOURA, HOME).await;
    remember(&app, &binding, knowledge_company()).await;
    let item = items(&app, &binding, "adv").await.expect("an answer");
    let set_item = |stamp: &str, archived| {
        let (key, stamp) = (item[0].key.clone(), stamp.to_owned());
        app.desktop
            .set_item_archived(&app.window, binding.clone(), key, stamp, archived)
    };
    let forgotten = set_item(&item[0].stamp, true).await.expect("forgotten");
    let found = items(&app, &binding, "adv").await;
    assert_eq!(found, Ok(Vec::new()));
    let back = set_item(&forgotten.stamp, false).await.expect("back");
    let found = items(&app, &binding, "adv").await;
    assert_eq!(found, Ok(vec![back]));
    let stale = set_item(&item[0].stamp, true).await;
    assert!(
        matches!(stale, Err(CommandError::Aborted { .. })),
        "{stale:?}"
    );

    let party = parties(&app, &binding, "kno").await.expect("an answer");
    let (key, stamp) = (party[0].key.clone(), party[0].stamp.clone());
    app.desktop
        .set_party_archived(&app.window, binding.clone(), key, stamp, true)
        .await
        .expect("forgotten");
    let mut moved = knowledge_company();
    moved.buyer.street = "Corniche Road".to_owned();
    let told = remember(&app, &binding, moved).await;
    assert_eq!(told.party, None, "another document leaves it forgotten");
    let found = parties(&app, &binding, "kno").await;
    assert_eq!(found, Ok(Vec::new()));
    service.identity.stop().await;
    service.gateway.stop().await;
    let kept = parties(&app, &binding, "kno").await;
    assert_eq!(kept, Ok(Vec::new()), "this computer has forgotten it too");
}

#[tokio::test]
async fn terms_from_the_end_of_the_month_are_remembered_if_they_were_typed() {
    let service = Service::start().await;
    let (app, binding) = TestApp::start_signed_in(&service, NOURA, HOME).await;
    let terms = |end_of_month, days| Some(DueTerms { end_of_month, days });
    // Both are of 1 November.
    let due = |date: &str, due_terms| InvoiceContent {
        due_date: date.to_owned(),
        due_terms,
        ..knowledge_company()
    };
    remember(&app, &binding, due("2026-11-30", terms(true, 0))).await;
    let known = parties(&app, &binding, "kno").await.expect("an answer");
    assert_eq!(known[0].due_terms, terms(true, 0));

    let by_chance = InvoiceContent {
        buyer: content().buyer,
        ..due("2026-11-30", None)
    };
    remember(&app, &binding, by_chance).await;
    let known = parties(&app, &binding, "noor comp").await;
    let known = known.expect("an answer");
    assert_eq!(known[0].due_terms, terms(false, 29), "a date was typed");

    let once = remember(&app, &binding, due("2026-12-24", None)).await;
    assert_eq!(once.party, None, "a date is no agreement");
    let told = remember(&app, &binding, due("2026-12-15", terms(true, 15))).await;
    let party = told.party.expect("other terms");
    assert_eq!(party.parts, [PartyPart::DueTerms]);
    let updated = app
        .desktop
        .update_party(&app.window, binding.clone(), party.change)
        .await;
    assert_eq!(updated.expect("updated").due_terms, terms(true, 15));
}
