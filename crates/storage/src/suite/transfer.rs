//! A database with records in every table, and what has to hold after it was moved to another engine
//! ([`crate::transfer`]). The tests of an engine that can be compared with another one call it; it is no case of the suite.

use invoicing_contract::Timestamp;
use invoicing_contract::messages::documents::{Kind, Status};

use super::fixtures::{
    Draft, JEDDAH, LATER, NOW, RIYADH, access_token, audit_event, code, draft, family, hash, id,
    key, organization, populate, row, tenant, tokens, unlimited,
};
use super::numbers::{invoices, numbering};
use super::{
    clearance, credits, failed_attempts, keys, master_data, pats, payments, plans, provisioning,
    pushed_requests, rules, sessions, users,
};
use crate::Store;
use crate::audit::{AuditEvent, AuditEventKind};
use crate::audit_archives::{ArchiveOutcome, AuditArchive, ChainHash};
use crate::documents::{
    Action, AddOutcome, AttachmentChange, DocumentFilter, ListQuery, NumberOutcome, PART_BYTES,
    SortField, WriteOutcome,
};
use crate::master_data::MasterWriteOutcome;
use crate::payments::{PaymentEntry, PaymentOutcome};
use crate::tokens::{InsertOutcome, TokenActor};
use crate::transfer::PAGE;

/// Invoices that are issued before the move.
const ISSUED: u128 = 3;

/// Stores records in every table, several pages of some.
pub async fn fill(store: &dyn Store) {
    populate(store).await;
    fill_directory(store).await;
    fill_tokens(store).await;
    fill_documents(store).await;
    fill_master_data(store).await;
    fill_payments(store).await;
    clearance::fill(store).await;
    fill_audit(store).await;
}

async fn fill_directory(store: &dyn Store) {
    store.setting_or("kind", "local").await.unwrap();
    store
        .add_tenant(&tenant(organization(RIYADH)))
        .await
        .unwrap();
    let event = audit_event(AuditEventKind::OperatorNamed);
    store.name_operator(&id(JEDDAH), &event).await.unwrap();
    provisioning::create(store, organization("tabuk"), "tabuk robot").await;
    let event = audit_event(AuditEventKind::DomainClaimed);
    let riyadh = id(RIYADH);
    let claimed = store.claim_domain(&riyadh, "claimed.example", "token", 9, &event);
    claimed.await.unwrap();
    let event = audit_event(AuditEventKind::RoleGranted);
    let granted = store
        .add_grant(&"noura".into(), &id(RIYADH), "accountant", &event)
        .await;
    assert!(granted.unwrap());
    let event = audit_event(AuditEventKind::ClientSecretRotated);
    store
        .rotate_client_secret(&"app".into(), &hash("new secret"), NOW, LATER, &event)
        .await
        .unwrap();
    keys::add_first_keys(store).await;
    pats::add(store, "a token", NOW).await;
    users::invite(store, "amal", &["clerk"]).await;
    plans::add(store, &plans::plan("small")).await;
    let event = audit_event(AuditEventKind::UserDisabled);
    assert!(
        store
            .disable_subject(&"robot".into(), NOW, &event)
            .await
            .unwrap()
    );
    for number in 1..=2 {
        let basis = store.basis().await.unwrap();
        rules::publish(store, &rules::rules(number, "policies"), basis).await;
    }
}

async fn fill_tokens(store: &dyn Store) {
    let counters = [failed_attempts::counter("noura")];
    store.count_failed_attempt(&counters, NOW).await.unwrap();
    let event = audit_event(AuditEventKind::SignedIn);
    store
        .begin_session(&sessions::session("one"), &event)
        .await
        .unwrap();
    for access_token in [None, Some(hash("pushed with"))] {
        let request = pushed_requests::request(access_token);
        store.insert_pushed_request(&request).await.unwrap();
    }
    for number in 1..=3 {
        let name = format!("code {number}");
        store
            .insert_authorization(&family(number), &code(&name))
            .await
            .unwrap();
    }
    let issued = || audit_event(AuditEventKind::TokenIssued);
    for number in 1..=2 {
        let (code, tokens) = (
            hash(&format!("code {number}")),
            tokens(&format!("first {number}"), family(number).id),
        );
        let redeemed = store.redeem_code(&code, tokens, NOW, issued()).await;
        assert_eq!(redeemed.unwrap(), InsertOutcome::Inserted);
    }
    let rotated = store
        .rotate_refresh_token(
            &hash("first 1 refresh"),
            tokens("second 1", family(1).id),
            NOW,
            issued(),
        )
        .await;
    assert_eq!(rotated.unwrap(), InsertOutcome::Inserted);
    let event = audit_event(AuditEventKind::RefreshReused);
    store
        .record_refresh_token_reuse(&hash("first 2 refresh"), true, NOW, &event)
        .await
        .unwrap();
    let basis = store.basis().await.unwrap();
    let mut impersonated = access_token("impersonated", None);
    impersonated.actor = Some(TokenActor {
        subject: "robot".into(),
        epoch: 0,
    });
    for token in [impersonated, access_token("revoked", None)] {
        let inserted = store.insert_access_token(token, issued(), basis).await;
        assert_eq!(inserted.unwrap(), InsertOutcome::Inserted);
    }
    let event = audit_event(AuditEventKind::TokenRevoked);
    store
        .revoke_access_token(&hash("revoked"), NOW, &event)
        .await
        .unwrap();
}

async fn fill_master_data(store: &dyn Store) {
    for (number, tax_id) in [(1, Some("310")), (2, None)] {
        let added = master_data::add(store, &master_data::party(number, "palm", tax_id)).await;
        assert_eq!(added, MasterWriteOutcome::Stored);
    }
}

async fn fill_payments(store: &dyn Store) {
    let imported = vec![payments::issued(900, 115, "2027-03-01")];
    store.import_documents(imported, &[]).await.unwrap();
    let void = PaymentEntry {
        voids: Some(key(1)),
        ..payments::payment(900, 2, -15)
    };
    for entry in [payments::payment(900, 1, 15), void] {
        let recorded = payments::record(store, &entry).await;
        assert!(matches!(recorded, PaymentOutcome::Stored(_)));
    }
}

async fn fill_documents(store: &dyn Store) {
    for number in 1..=ISSUED + 2 {
        let added = store.add_document(&draft(number, 115), &unlimited()).await;
        assert_eq!(added.unwrap(), AddOutcome::Stored);
    }
    for number in 1..=ISSUED {
        issue(store, number).await;
    }
    let mut changed = draft(ISSUED + 1, 300);
    changed.document.concurrency_stamp = "changed".to_owned();
    let written = store
        .replace_document(&changed, &"new".into(), Action::Updated)
        .await;
    assert_eq!(written.unwrap(), WriteOutcome::Stored);
    let mut attached = changed.clone();
    attached.document.concurrency_stamp = "attached".to_owned();
    let content = AttachmentChange::Add {
        id: key(71),
        content: vec![1; PART_BYTES + 1],
    };
    let written = store
        .change_attachments(&attached, &"changed".into(), &content)
        .await;
    assert_eq!(written.unwrap(), WriteOutcome::Stored);
    let last = draft(ISSUED + 2, 115);
    let deleted = store.delete_document(&last, &"new".into()).await;
    assert_eq!(deleted.unwrap(), WriteOutcome::Stored);
    credits::issue(store, credits::note(10, 40, &[1])).await;
    credits::issue(store, credits::debit_note(11, &[1])).await;
    let imported: Vec<_> = (0..u128::from(PAGE) + 50)
        .map(|number| {
            row(Draft {
                organization: JEDDAH,
                key: key(1_000 + number),
                status: Status::Issued,
                kind: Kind::Invoice,
                number: format!("J-{number}"),
                gross: 99_999_999_999,
                ..Draft::default()
            })
        })
        .collect();
    let last = [(invoices(), i64::from(PAGE) + 50)];
    store.import_documents(imported, &last).await.unwrap();
}

/// Issues the draft `number`, and returns the number that it got.
async fn issue(store: &dyn Store, number: u128) -> String {
    let (organization, expected) = (id(RIYADH), "new".into());
    let numbered = store
        .number_document(
            &organization,
            key(number),
            &expected,
            &invoices(),
            numbering(number),
        )
        .await;
    let NumberOutcome::Stored(document) = numbered.unwrap() else {
        panic!("the draft was not numbered");
    };
    document.content.unwrap().invoice.unwrap().number
}

async fn fill_audit(store: &dyn Store) {
    let events = (0..i64::from(PAGE) * 2 + 100).map(|number| {
        let at = Timestamp::from_millis(NOW.as_millis() - number * 60_000);
        AuditEvent::new(at, AuditEventKind::TokenIssued).subject(&"noura".into())
    });
    let events: Vec<_> = events.collect();
    let recorded = events.iter().map(|event| store.record(event));
    for outcome in futures_util::future::join_all(recorded).await {
        outcome.unwrap();
    }
    let old = store.archivable_events(NOW, 30).await.unwrap();
    let (first, last) = (old[0].id, old[old.len() - 1].id);
    let archive = AuditArchive {
        first,
        last,
        earliest: old[0].event.at,
        latest: NOW,
        previous_hash: ChainHash::default(),
        hash: ChainHash([1; 32]),
        file: "archive".to_owned(),
        archived_at: NOW,
    };
    let outcome = store.record_archive(&archive).await.unwrap();
    assert_eq!(outcome, ArchiveOutcome::Recorded);
}

/// Uses a database that [`fill`] has filled, after it was moved: credentials that were issued before are valid or not as they
/// were, numbers continue without a gap, and the audit continues its chain.
pub async fn check_use(store: &dyn Store) {
    let rotate = async |name: &str, number: i64| {
        let tokens = tokens(&format!("moved {name}"), family(number).id);
        let event = audit_event(AuditEventKind::TokenIssued);
        let rotated = store
            .rotate_refresh_token(&hash(name), tokens, NOW, event)
            .await;
        rotated.unwrap()
    };
    let used = InsertOutcome::AlreadyUsed;
    assert_eq!(rotate("first 1 refresh", 1).await, used);
    assert_eq!(rotate("first 2 refresh", 2).await, used, "revoked");
    assert_eq!(rotate("second 1 refresh", 1).await, InsertOutcome::Inserted);
    let event = audit_event(AuditEventKind::TokenIssued);
    let redeemed = store
        .redeem_code(&hash("code 3"), tokens("third", family(3).id), NOW, event)
        .await;
    assert_eq!(redeemed.unwrap(), InsertOutcome::Inserted);
    for (token, valid) in [
        ("first 1 access", true),
        ("first 2 access", false),
        ("revoked", false),
    ] {
        let found = store.access_token(&hash(token), NOW).await.unwrap();
        assert_eq!(found.is_some(), valid, "{token}");
    }
    assert!(store.session(&hash("one"), NOW).await.unwrap().is_some());

    check_sums(store).await;
    let new = draft(100, 115);
    let added = store.add_document(&new, &unlimited()).await;
    assert_eq!(added.unwrap(), AddOutcome::Stored);
    assert_eq!(issue(store, 100).await, (ISSUED + 1).to_string());
    let history = store.document_history(&id(RIYADH), key(1), None, 10).await;
    let history: Vec<_> = history.unwrap();
    let actions: Vec<_> = history.iter().map(|revision| &*revision.action).collect();
    assert_eq!(actions, ["issued", "created"]);

    let archives = store.audit_archives().await.unwrap();
    let events = store.events_from(0, 10_000).await.unwrap();
    assert_eq!(events[0].id, archives[0].last + 1);
    assert!(events.windows(2).all(|pair| pair[1].id == pair[0].id + 1));
}

/// Whatever the sums of a list are added up from, they are the same: what an engine keeps beside the records it has derived.
async fn check_sums(store: &dyn Store) {
    let none = DocumentFilter::default;
    let filters = [
        none(),
        DocumentFilter {
            issued_from: Some("2000-01-01".to_owned()),
            ..none()
        },
        DocumentFilter {
            gross_from: Some(i64::MIN),
            ..none()
        },
        // It is answered by the documents.
        DocumentFilter {
            due_from: Some(String::new()),
            ..none()
        },
    ];
    for organization in [RIYADH, JEDDAH] {
        let mut sums = Vec::new();
        for filter in &filters {
            let query = ListQuery {
                organization: id(organization),
                filter: filter.clone(),
                sort: vec![(SortField::IssueDate, true)],
                after: None,
                skip: 0,
                size: 1,
            };
            let page = store.list_document_summaries(&query).await.unwrap();
            assert!(!page.sums.is_empty(), "{filter:?}");
            sums.push(page.sums);
        }
        for (of_filter, filter) in sums.iter().zip(&filters) {
            assert_eq!(of_filter, &sums[0], "{organization} {filter:?}");
        }
    }
}
