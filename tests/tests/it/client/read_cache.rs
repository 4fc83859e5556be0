//! The read cache: what was read before can be read without a connection, by the same user and for the same organization.

use std::time::Duration;

use invoicing_client::clock::Clock as _;
use invoicing_client::views::{
    CommandError, Connectivity, DocumentKey, InvoicePage, InvoiceQuery, InvoiceView, WindowBinding,
};

use crate::client::session::connectivity;
use crate::fixtures::{Fault, HOME, NOURA, Service, TestApp, page, read_of};

async fn list(app: &TestApp, binding: &WindowBinding) -> Result<InvoicePage, CommandError> {
    list_of(app, binding, page()).await
}

async fn list_of(
    app: &TestApp,
    binding: &WindowBinding,
    query: InvoiceQuery,
) -> Result<InvoicePage, CommandError> {
    let binding = binding.clone();
    app.desktop.list_invoices(&app.window, binding, query).await
}

async fn get(
    app: &TestApp,
    binding: &WindowBinding,
    key: &DocumentKey,
) -> Result<InvoiceView, CommandError> {
    let (binding, key) = (binding.clone(), key.clone());
    app.desktop.get_invoice(&app.window, binding, key).await
}

async fn stop(service: &Service) {
    service.identity.stop().await;
    service.gateway.stop().await;
}

/// A list and its first document, read with a connection.
async fn read(app: &TestApp, binding: &WindowBinding) -> (InvoicePage, InvoiceView) {
    let page = list(app, binding).await.expect("a page");
    let view = get(app, binding, &page.rows[0].key).await;
    (page, view.expect("a document"))
}

fn is_offline<T: std::fmt::Debug>(answer: &Result<T, CommandError>) -> bool {
    matches!(answer, Err(CommandError::Offline { .. }))
}

#[tokio::test]
async fn list_and_document_read_before_are_readable_offline_with_the_time_of_the_answer() {
    let service = Service::start().await;
    let (app, binding) = TestApp::start_signed_in(&service, NOURA, HOME).await;
    let (page, view) = read(&app, &binding).await;
    assert!(
        !page.offline && view.offline_as_of.is_none(),
        "it is current"
    );
    stop(&service).await;
    app.clock.advance(Duration::from_secs(600));

    let offline = list(&app, &binding).await.expect("from the cache");
    let expected = InvoicePage {
        offline: true,
        ..page.clone()
    };
    assert_eq!(offline, expected);
    let document = get(&app, &binding, &view.row.key).await;
    let document = document.expect("from the cache");
    assert_eq!(document.offline_as_of.as_deref(), Some(page.as_of.as_str()));
    assert_eq!(
        (document.row, document.content),
        (view.row.clone(), view.content)
    );

    let never_read = InvoiceQuery {
        number: "INV".to_owned(),
        ..crate::fixtures::page()
    };
    let answer = list_of(&app, &binding, never_read).await;
    assert!(is_offline(&answer), "{answer:?}");

    service.identity.restart().await;
    service.gateway.restart().await;
    let current = list(&app, &binding).await.expect("a page");
    assert!(!current.offline, "the service answers again");
    assert_eq!(current.as_of, app.clock.now().to_string());
}

#[tokio::test]
async fn cached_list_is_readable_after_a_restart_without_a_connection() {
    let service = Service::start().await;
    let (app, binding) = TestApp::start_signed_in(&service, NOURA, HOME).await;
    let (page, view) = read(&app, &binding).await;
    stop(&service).await;
    let again = app.restart();
    let offline = |snapshot: &invoicing_client::views::Snapshot| {
        matches!(
            connectivity(&snapshot.session),
            Some(Connectivity::Offline { .. })
        )
    };
    let waiting = again.wait_until(offline);
    tokio::select! {
        _ = waiting => {}
        () = async {
            // The start waits for the provider until it is shown as offline.
            loop {
                again.clock.sleep_matching(|_| true).await;
                again.clock.advance(Duration::from_secs(4));
            }
        } => {}
    }
    let binding = again.binding().await;
    let rows = list(&again, &binding).await.expect("from the cache");
    assert_eq!((rows.rows, rows.offline), (page.rows, true));
    let document = get(&again, &binding, &view.row.key).await;
    assert_eq!(document.expect("from the cache").content, view.content);
}

#[tokio::test]
async fn cached_list_of_one_organization_is_not_shown_in_another() {
    let service = Service::start().await;
    let (app, home) = TestApp::start_signed_in(&service, NOURA, HOME).await;
    let (_, view) = read(&app, &home).await;
    let organizations = app
        .desktop
        .organizations(&app.window)
        .await
        .expect("a list");
    let other = organizations.iter().find(|other| !other.home).expect("one");
    stop(&service).await;
    let binding = app.switch_organization(other.id.as_str()).await;
    let answer = list(&app, &binding).await;
    assert!(is_offline(&answer), "{answer:?}");
    let answer = get(&app, &binding, &view.row.key).await;
    assert!(is_offline(&answer), "{answer:?}");
}

#[tokio::test]
async fn denied_read_deletes_its_kind_of_data_of_the_organization_and_no_other() {
    let service = Service::start().await;
    let (app, binding) = TestApp::start_signed_in(&service, NOURA, HOME).await;
    let (_, view) = read(&app, &binding).await;
    let parties = || {
        app.desktop
            .search_parties(&app.window, binding.clone(), String::new())
    };
    parties().await.expect("an answer");
    let denial = || Fault::status(403, 7, "SCOPE_MISSING");
    service.gateway.fault("/parties/list", denial());
    let denied = parties().await;
    assert!(
        matches!(denied, Err(CommandError::PermissionDenied { .. })),
        "{denied:?}"
    );
    stop(&service).await;
    let answer = parties().await;
    assert!(is_offline(&answer), "{answer:?}");
    assert!(list(&app, &binding).await.is_ok(), "the list stays");
    let document = get(&app, &binding, &view.row.key).await;
    assert!(document.is_ok(), "the document stays: {document:?}");
}

#[tokio::test]
async fn denied_list_deletes_the_documents_of_the_organization() {
    let service = Service::start().await;
    let (app, binding) = TestApp::start_signed_in(&service, NOURA, HOME).await;
    let (_, view) = read(&app, &binding).await;
    service
        .gateway
        .fault("/list", Fault::status(403, 7, "SCOPE_MISSING"));
    let denied = list(&app, &binding).await;
    assert!(
        matches!(denied, Err(CommandError::PermissionDenied { .. })),
        "{denied:?}"
    );
    stop(&service).await;
    let answer = list(&app, &binding).await;
    assert!(is_offline(&answer), "{answer:?}");
    let answer = get(&app, &binding, &view.row.key).await;
    assert!(is_offline(&answer), "{answer:?}");
}

#[tokio::test]
async fn rejection_by_the_service_is_not_hidden_behind_the_cache() {
    let service = Service::start().await;
    let (app, binding) = TestApp::start_signed_in(&service, NOURA, HOME).await;
    let (_, view) = read(&app, &binding).await;
    service.gateway.fault("/list", Fault::page(200));
    let answer = list(&app, &binding).await;
    assert!(
        matches!(answer, Err(CommandError::UnexpectedResponse { .. })),
        "{answer:?}"
    );
    service
        .gateway
        .fault(&read_of(&view.row.key), Fault::status(404, 5, "NOT_FOUND"));
    let answer = get(&app, &binding, &view.row.key).await;
    assert!(
        matches!(answer, Err(CommandError::NotFound { .. })),
        "{answer:?}"
    );
    stop(&service).await;
    let answer = get(&app, &binding, &view.row.key).await;
    assert!(
        is_offline(&answer),
        "a deleted document is still shown: {answer:?}"
    );
    assert!(list(&app, &binding).await.is_ok(), "the list stays");
}

#[tokio::test]
async fn sign_out_deletes_the_cache_and_its_key() {
    let service = Service::start().await;
    let (app, binding) = TestApp::start_signed_in(&service, NOURA, HOME).await;
    read(&app, &binding).await;
    let keys = || {
        let entries = app.vault.entries().into_iter();
        entries
            .filter(|entry| entry.starts_with("read cache"))
            .count()
    };
    let folder = app.folder.path().join("data/read-cache");
    let files = || std::fs::read_dir(&folder).expect("a folder").count();
    assert!(keys() == 1 && files() > 0);
    app.sign_out().await;
    assert_eq!((keys(), files()), (0, 0));
}

#[tokio::test]
async fn damaged_cache_is_replaced_and_the_program_works() {
    let service = Service::start().await;
    let (app, binding) = TestApp::start_signed_in(&service, NOURA, HOME).await;
    read(&app, &binding).await;
    let folder = app.folder.path().join("data/read-cache");
    for file in std::fs::read_dir(&folder).expect("a folder") {
        std::fs::write(file.expect("an entry").path(), "damaged").expect("written");
    }
    let again = app.restart();
    let binding = again.binding().await;
    list(&again, &binding).await.expect("a page");
    stop(&service).await;
    assert!(
        list(&again, &binding)
            .await
            .expect("from the cache")
            .offline
    );
}
