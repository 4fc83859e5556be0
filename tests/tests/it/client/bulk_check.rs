//! The check before a bulk run says what the service would refuse, and writes nothing.

use invoicing_client::views::{
    BulkCheck, BulkOutcome, CommandError, DocumentSelection, InvoiceQuery, InvoiceStatus,
    WindowBinding,
};

use super::bulk::{BUYER, create_drafts, rows};
use crate::fixtures::{Fault, HOME, NOURA, Service, TestApp, content, new_key};

async fn check(
    app: &TestApp,
    binding: &WindowBinding,
    selection: &DocumentSelection,
    skip: u32,
) -> Result<BulkCheck, CommandError> {
    let (binding, selection) = (binding.clone(), selection.clone());
    app.desktop
        .check_bulk_issue(&app.window, binding, selection, skip)
        .await
}

#[tokio::test]
async fn documents_that_would_be_refused_are_named_before_anything_is_issued() {
    let service = Service::start().await;
    let (app, binding) = TestApp::start_signed_in(&service, NOURA, HOME).await;
    let mut drafts = create_drafts(&app, &binding, 2).await;
    let mut foreign = content();
    foreign.buyer.name.en = BUYER.to_owned();
    // A document in a foreign currency is a draft without the tax in riyals, and is not issued without it.
    foreign.currency = "USD".to_owned();
    let foreign = app.create_invoice(&binding, new_key(), foreign).await;
    drafts.push(foreign.expect("created").row);
    drafts[0].stamp = "of another state".into();
    let mut selected = drafts.clone();
    // A document in another state is none of the run.
    selected[1].status = InvoiceStatus::Frozen;
    selected.push(drafts[1].clone());
    let selection = DocumentSelection::Rows { rows: selected };
    let found = check(&app, &binding, &selection, 0).await.expect("checked");
    assert_eq!((found.checked, found.next), (3, None));
    let keys: Vec<_> = found.refused.iter().map(|it| &it.row.key).collect();
    assert_eq!(keys, [&drafts[0].key, &drafts[2].key]);
    let [stale, invalid] = found.refused.as_slice() else {
        panic!("two are refused")
    };
    let BulkOutcome::Failed { error } = &stale.outcome else {
        panic!("it would fail")
    };
    assert!(matches!(**error, CommandError::Aborted { .. }), "{error:?}");
    let BulkOutcome::Failed { error } = &invalid.outcome else {
        panic!("it would fail")
    };
    let CommandError::InvalidArgument { violations, .. } = error.as_ref() else {
        panic!("{error:?}")
    };
    assert!(!violations.is_empty());
    for row in rows(&app, &binding).await {
        assert_eq!(
            (row.status, row.number.as_str()),
            (InvoiceStatus::Draft, "")
        );
    }
}

#[tokio::test]
async fn documents_of_a_filter_are_checked_part_by_part_without_those_that_are_excluded() {
    let service = Service::start().await;
    let (app, binding) = TestApp::start_signed_in(&service, NOURA, HOME).await;
    let drafts = create_drafts(&app, &binding, 21).await;
    let selection = DocumentSelection::All {
        query: InvoiceQuery {
            buyer: BUYER.to_owned(),
            page_size: 100,
            ..InvoiceQuery::default()
        },
        excluded: drafts[..2].to_vec(),
    };
    let first = check(&app, &binding, &selection, 0).await.expect("checked");
    assert_eq!((first.refused.len(), first.next), (0, Some(20)));
    let last = check(&app, &binding, &selection, 20).await;
    let last = last.expect("checked");
    assert_eq!((last.refused.len(), last.next), (0, None));
    assert_eq!(first.checked + last.checked, 19);
    // Of a larger selection the first 200 are checked.
    let rows = drafts.iter().cycle().take(201).cloned().collect();
    let large = DocumentSelection::Rows { rows };
    for (skip, next) in [(160, Some(180)), (180, None)] {
        let part = check(&app, &binding, &large, skip).await.expect("checked");
        assert_eq!((part.checked, part.next), (20, next));
    }
}

#[tokio::test]
async fn check_that_the_service_does_not_answer_ends_with_its_error() {
    let service = Service::start().await;
    let (app, binding) = TestApp::start_signed_in(&service, NOURA, HOME).await;
    let rows = create_drafts(&app, &binding, 2).await;
    service
        .gateway
        .fault(":issue", Fault::status(429, 8, "RATE_LIMITED"));
    let found = check(&app, &binding, &DocumentSelection::Rows { rows }, 0).await;
    assert!(
        matches!(found, Err(CommandError::RateLimited { .. })),
        "{found:?}"
    );
}
