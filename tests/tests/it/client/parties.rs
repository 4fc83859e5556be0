//! Remembered buyers and items: what was invoiced before is found by a few letters, also without a connection.

use invoicing_client::views::{
    BuyerContent, BuyerDoubt, CommandError, InvoiceContent, InvoiceView, ItemView, LineContent,
    LocalizedText, PartyView, WindowBinding,
};

use crate::fixtures::{Fault, HOME, NOURA, Service, TestApp, content};

pub(super) fn knowledge_company() -> InvoiceContent {
    let buyer = BuyerContent {
        name: LocalizedText {
            ar: "شركة المعرفة".to_owned(),
            en: "Knowledge Company".to_owned(),
        },
        tax_id: "310298765400003".to_owned(),
        city: "Dammam".to_owned(),
        ..content().buyer
    };
    let advice = LineContent {
        description: LocalizedText {
            ar: "استشارة".to_owned(),
            en: "Advice".to_owned(),
        },
        unit: "HUR".to_owned(),
        unit_price: "250.00".to_owned(),
        ..content().lines[0].clone()
    };
    InvoiceContent {
        buyer,
        issue_date: "2026-11-01".to_owned(),
        due_date: "2026-12-01".to_owned(),
        lines: vec![advice],
        ..content()
    }
}

pub(super) async fn create(
    app: &TestApp,
    binding: &WindowBinding,
    content: InvoiceContent,
) -> InvoiceView {
    let key = crate::fixtures::new_key();
    let created = app.create_invoice(binding, key, content).await;
    created.expect("created")
}

async fn remember(app: &TestApp, binding: &WindowBinding, view: &InvoiceView) {
    let (binding, key) = (binding.clone(), view.row.key.clone());
    let remembered = app
        .desktop
        .remember_document(&app.window, binding, key, None);
    remembered.await.expect("remembered");
}

pub(super) async fn parties(
    app: &TestApp,
    binding: &WindowBinding,
    text: &str,
) -> Result<Vec<PartyView>, CommandError> {
    let (binding, text) = (binding.clone(), text.to_owned());
    app.desktop.search_parties(&app.window, binding, text).await
}

pub(super) async fn items(
    app: &TestApp,
    binding: &WindowBinding,
    text: &str,
) -> Result<Vec<ItemView>, CommandError> {
    let (binding, text) = (binding.clone(), text.to_owned());
    app.desktop.search_items(&app.window, binding, text).await
}

fn names(found: &[PartyView]) -> Vec<&str> {
    found
        .iter()
        .map(|party| party.buyer.name.en.as_str())
        .collect()
}

#[tokio::test]
async fn buyer_and_items_of_a_saved_document_are_found_by_three_letters_in_both_languages() {
    let service = Service::start().await;
    let (app, binding) = TestApp::start_signed_in(&service, NOURA, HOME).await;
    let created = create(&app, &binding, knowledge_company()).await;
    remember(&app, &binding, &created).await;

    for letters in ["kno", "معر", "المع", "3102", "dam"] {
        let found = parties(&app, &binding, letters).await.expect("an answer");
        assert_eq!(names(&found), ["Knowledge Company"], "{letters}");
        assert_eq!(found[0].buyer, created.content.buyer);
        let terms = found[0].due_terms.map(|it| (it.end_of_month, it.days));
        assert_eq!(
            (found[0].currency.as_str(), terms),
            ("SAR", Some((false, 30)))
        );
    }
    for letters in ["adv", "است"] {
        let found = items(&app, &binding, letters).await.expect("an answer");
        assert_eq!(found.len(), 1, "{letters}");
        let price = &found[0].price;
        assert_eq!(
            (
                found[0].unit.as_str(),
                price.unit_price.as_str(),
                price.tax_rate.as_str()
            ),
            ("HUR", "250.00", "15")
        );
    }

    // A second document with them adds nothing.
    remember(&app, &binding, &created).await;
    assert_eq!(
        parties(&app, &binding, "kno")
            .await
            .expect("an answer")
            .len(),
        1
    );
    assert_eq!(
        items(&app, &binding, "adv").await.expect("an answer").len(),
        1
    );
}

#[tokio::test]
async fn item_has_the_price_of_the_last_issued_invoice_to_the_buyer() {
    let service = Service::start().await;
    let (app, binding) = TestApp::start_signed_in(&service, NOURA, HOME).await;
    let created = create(&app, &binding, knowledge_company()).await;
    remember(&app, &binding, &created).await;
    let known = app
        .desktop
        .known_party(&app.window, binding.clone(), created.content.buyer.clone())
        .await
        .expect("an answer")
        .expect("it is remembered");
    let item = items(&app, &binding, "adv")
        .await
        .expect("an answer")
        .remove(0);
    let last_price = || {
        let (item, party) = (item.key.clone(), known.key.clone());
        app.desktop
            .last_price(&app.window, binding.clone(), item, party)
    };
    assert_eq!(
        last_price().await.expect("an answer"),
        None,
        "nothing is issued"
    );

    let mut dearer = knowledge_company();
    dearer.lines[0].unit_price = "275.00".to_owned();
    let dearer = create(&app, &binding, dearer).await;
    app.desktop
        .issue_document(
            &app.window,
            binding.clone(),
            dearer.row.key,
            dearer.row.stamp,
        )
        .await
        .expect("issued");
    let price = last_price().await.expect("an answer").expect("a price");
    assert_eq!(
        (price.unit_price.as_str(), price.currency.as_str()),
        ("275.00", "SAR")
    );

    service.identity.stop().await;
    service.gateway.stop().await;
    assert_eq!(last_price().await.expect("from the cache"), Some(price));
}

#[tokio::test]
async fn buyers_and_items_found_before_are_found_offline_by_other_letters() {
    let service = Service::start().await;
    let (app, binding) = TestApp::start_signed_in(&service, NOURA, HOME).await;
    let created = create(&app, &binding, knowledge_company()).await;
    remember(&app, &binding, &created).await;
    let latest = parties(&app, &binding, "").await.expect("an answer");
    assert_eq!(latest[0].buyer.name.en, "Knowledge Company");
    service.identity.stop().await;
    service.gateway.stop().await;

    for letters in ["comp kno", "شركه", "310298"] {
        let found = parties(&app, &binding, letters)
            .await
            .expect("from the cache");
        assert_eq!(names(&found), ["Knowledge Company"], "{letters}");
    }
    assert_eq!(
        items(&app, &binding, "adv")
            .await
            .expect("from the cache")
            .len(),
        1
    );
    let nothing = parties(&app, &binding, "zzz")
        .await
        .expect("from the cache");
    assert_eq!(nothing, []);
}

#[tokio::test]
async fn buyer_with_the_same_tax_id_in_another_spelling_is_the_known_one() {
    let service = Service::start().await;
    let (app, binding) = TestApp::start_signed_in(&service, NOURA, HOME).await;
    let created = create(&app, &binding, knowledge_company()).await;
    remember(&app, &binding, &created).await;
    let known = |name: &str, tax_id: &str| {
        let buyer = BuyerContent {
            name: LocalizedText {
                ar: String::new(),
                en: name.to_owned(),
            },
            tax_id: tax_id.to_owned(),
            ..BuyerContent::default()
        };
        app.desktop.known_party(&app.window, binding.clone(), buyer)
    };
    let by_tax_id = known("Knowledge Co.", "٣١٠٢٩٨٧٦٥٤٠٠٠٠٣")
        .await
        .expect("an answer");
    assert_eq!(by_tax_id.expect("known").buyer.name.en, "Knowledge Company");
    let by_name = known("knowledge  COMPANY", "").await.expect("an answer");
    assert!(by_name.is_some());
    let other = known("Knowledge Company", "310122393500003")
        .await
        .expect("an answer");
    assert_eq!(other, None, "another tax id is another buyer");
}

#[tokio::test]
async fn new_document_begins_with_the_currency_and_rate_of_the_organizations_country() {
    let service = Service::start().await;
    let (app, binding) = TestApp::start_signed_in(&service, NOURA, HOME).await;
    let defaults = app.desktop.document_defaults(&app.window, binding.clone());
    let defaults = defaults.await.expect("an answer");
    assert_eq!(
        (
            defaults.country.as_str(),
            defaults.currency.as_str(),
            defaults.standard_rate.as_deref()
        ),
        ("SA", "SAR", Some("15"))
    );
    let organizations = app
        .desktop
        .organizations(&app.window)
        .await
        .expect("a list");
    let kuwait = organizations
        .iter()
        .find(|organization| organization.domain.contains("kuwait"));
    let kuwait = kuwait.expect("the demo has an organization in Kuwait");
    let binding = app.switch_organization(kuwait.id.as_str()).await;
    let defaults = app.desktop.document_defaults(&app.window, binding).await;
    let defaults = defaults.expect("an answer");
    assert_eq!(
        (defaults.currency.as_str(), defaults.standard_rate),
        ("KWD", None)
    );
}

#[tokio::test]
async fn tax_id_of_the_organization_is_that_of_its_newest_document() {
    let service = Service::start().await;
    let (app, binding) = TestApp::start_signed_in(&service, NOURA, HOME).await;
    create(&app, &binding, knowledge_company()).await;
    let tax_id = app.desktop.seller_tax_id(&app.window, binding.clone());
    let tax_id = tax_id.await.expect("an answer");
    assert!(
        tax_id.len() == 15 && tax_id.starts_with('3') && tax_id.ends_with('3'),
        "the VAT number of a Saudi organization: {tax_id}"
    );
}

#[tokio::test]
async fn refused_search_of_buyers_is_no_cached_answer() {
    let service = Service::start().await;
    let (app, binding) = TestApp::start_signed_in(&service, NOURA, HOME).await;
    let created = create(&app, &binding, knowledge_company()).await;
    remember(&app, &binding, &created).await;
    service
        .gateway
        .fault("/parties/list", Fault::status(403, 7, "SCOPE_MISSING"));
    let denied = parties(&app, &binding, "kno").await;
    assert!(
        matches!(denied, Err(CommandError::PermissionDenied { .. })),
        "{denied:?}"
    );
}

/// An organization in the Emirates.
const PEARL: &str = "274893002";

async fn doubt(app: &TestApp, binding: &WindowBinding, buyer: &BuyerContent) -> Option<BuyerDoubt> {
    let (binding, buyer) = (binding.clone(), buyer.clone());
    let doubt = app.desktop.buyer_doubt(&app.window, binding, buyer).await;
    doubt.expect("an answer")
}

#[tokio::test]
async fn buyer_that_one_other_organization_alone_has_used_again_is_doubted() {
    let service = Service::start().await;
    let (app, pearl) = TestApp::start_signed_in(&service, NOURA, PEARL).await;
    let mut content = knowledge_company();
    content.currency = "AED".to_owned();
    content.buyer.country = "AE".to_owned();
    content.buyer.tax_id = "100298765400003".to_owned();
    content.lines[0].tax_rate = "5".to_owned();
    let created = create(&app, &pearl, content).await;
    remember(&app, &pearl, &created).await;
    let buyer = created.content.buyer.clone();
    let home = app.switch_organization(HOME).await;
    assert_eq!(doubt(&app, &home, &buyer).await, None, "it has no buyers");
    parties(&app, &home, "").await.expect("those of the demo");
    assert_eq!(doubt(&app, &home, &buyer).await, None, "it was used once");

    let pearl = app.switch_organization(PEARL).await;
    remember(&app, &pearl, &created).await;
    assert_eq!(doubt(&app, &pearl, &buyer).await, None, "it is a buyer");
    let home = app.switch_organization(HOME).await;
    let elsewhere = Some(BuyerDoubt::KnownElsewhere {
        organization: PEARL.into(),
    });
    let named = BuyerContent {
        name: buyer.name.clone(),
        ..BuyerContent::default()
    };
    service.gateway.forget_requests();
    assert_eq!(doubt(&app, &home, &buyer).await, elsewhere);
    assert_eq!(doubt(&app, &home, &named).await, elsewhere);
    let asked = service.gateway.requests("/parties/list");
    assert!(asked.is_empty(), "no organization is asked");

    let here = create(&app, &home, knowledge_company()).await;
    remember(&app, &home, &here).await;
    assert_eq!(doubt(&app, &home, &named).await, None, "now it is a buyer");
}

#[tokio::test]
async fn buyer_with_the_tax_id_of_the_organization_itself_is_doubted() {
    let service = Service::start().await;
    let (app, binding) = TestApp::start_signed_in(&service, NOURA, HOME).await;
    let created = create(&app, &binding, knowledge_company()).await;
    let own = app.desktop.seller_tax_id(&app.window, binding.clone());
    let buyer = BuyerContent {
        tax_id: format!(" {}", own.await.expect("an answer")),
        ..created.content.buyer.clone()
    };
    let found = doubt(&app, &binding, &buyer).await;
    assert_eq!(found, Some(BuyerDoubt::OwnTaxId));
    assert_eq!(doubt(&app, &binding, &created.content.buyer).await, None);
}

#[tokio::test]
async fn own_tax_id_is_told_rather_than_the_organization_that_has_such_a_buyer() {
    let service = Service::start().await;
    let (app, home) = TestApp::start_signed_in(&service, NOURA, HOME).await;
    let own = app.desktop.seller_tax_id(&app.window, home.clone()).await;
    parties(&app, &home, "").await.expect("those of the demo");
    let pearl = app.switch_organization(PEARL).await;
    let mut content = knowledge_company();
    content.currency = "AED".to_owned();
    content.buyer.tax_id = own.expect("an answer");
    content.lines[0].tax_rate = "5".to_owned();
    let created = create(&app, &pearl, content).await;
    for _ in 0..2 {
        remember(&app, &pearl, &created).await;
    }
    let home = app.switch_organization(HOME).await;
    let found = doubt(&app, &home, &created.content.buyer).await;
    assert_eq!(found, Some(BuyerDoubt::OwnTaxId));
}
