//! Tests of the load that `generate_load` makes.

use invoicing_service::{LoadSize, SystemClock, SystemRng, generate_load};

use crate::fixtures::ServiceFolder;

#[tokio::test]
async fn load_has_the_chosen_size_and_is_continued() {
    const SIZE: LoadSize = LoadSize {
        organizations: 3,
        invoices: 30,
        users: 120,
        sessions: 200,
    };
    let folder = ServiceFolder::new();
    let store = folder.store().await.store();
    for sessions in [SIZE.sessions, 0] {
        let size = LoadSize { sessions, ..SIZE };
        let generated = generate_load(&*store, &SystemClock, &SystemRng, size).await;
        generated.expect("the load is generated");
        for (query, count) in [
            ("SELECT count(*) FROM tenants", 3),
            ("SELECT count(*) FROM subjects", 120),
            (
                "SELECT count(*) FROM grants WHERE role = 'administrator'",
                3,
            ),
            ("SELECT count(*) FROM access_tokens", 200),
            ("SELECT count(*) FROM refresh_tokens", 200),
        ] {
            assert_eq!(folder.count(query).await, count, "{query}");
        }
        // Row-level security hides documents from the connection of the test.
        let mut invoices = 0;
        for rank in 1..=3 {
            let organization = (275_000_000 + rank).to_string().into();
            invoices += store.count_documents(&organization).await.expect("a count");
        }
        assert!(invoices >= SIZE.invoices, "{invoices}");
    }
}

#[tokio::test]
async fn all_sessions_are_made_where_some_organizations_have_no_user() {
    let folder = ServiceFolder::new();
    let store = folder.store().await.store();
    let size = LoadSize {
        organizations: 20,
        invoices: 0,
        users: 5,
        sessions: 50,
    };
    let generated = generate_load(&*store, &SystemClock, &SystemRng, size).await;
    generated.expect("the load is generated");
    let count = folder.count("SELECT count(*) FROM access_tokens").await;
    assert_eq!(count, 50);
}
