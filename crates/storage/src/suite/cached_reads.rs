//! Cases of cached records while they change: a process reads what its [`Basis`](crate::Basis) promises, whichever process made
//! the change.

use std::future::poll_fn;
use std::mem;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::task::Poll;

use futures_util::future::{join, join_all};

use super::fixtures::{RIYADH, audit_event, id, organization, populate, subject, tenant};
use crate::Store;
use crate::audit::AuditEventKind;
use crate::directory::Tenant;
use crate::plans::Limits;
use crate::secret::PasswordHash;

/// Handles that a case gets.
pub const HANDLES: usize = 3;

/// Changes beside which records are read.
const CHANGES: usize = 25;
/// Most reads of a store beside one change. Readers without a limit leave a writer of a busy machine no time for seconds.
const READS: usize = 50;

/// Runs `changes` one after the other, and a reader of each store beside each of them. `read` compares what it finds with how many of
/// the changes were complete before it began.
#[expect(
    clippy::future_not_send,
    reason = "the futures of the closures stay on the thread of the test"
)]
async fn read_during_changes(
    stores: &[&dyn Store],
    changes: impl AsyncFn(usize),
    read: impl AsyncFn(&dyn Store, usize),
) {
    let complete = AtomicUsize::new(0);
    for number in 1..=CHANGES {
        let change = async {
            changes(number).await;
            complete.store(number, Ordering::SeqCst);
        };
        let readers = stores.iter().map(|store| async {
            for _ in 0..READS {
                let before = complete.load(Ordering::SeqCst);
                read(*store, before).await;
                if before == number {
                    break;
                }
                let_others_run().await;
            }
        });
        join(change, join_all(readers)).await;
    }
    for store in stores {
        read(*store, CHANGES).await;
    }
}

/// A read may be complete at once: without this, one reader would keep the thread.
async fn let_others_run() {
    let mut waited = false;
    poll_fn(|context| {
        if mem::replace(&mut waited, true) {
            return Poll::Ready(());
        }
        context.waker().wake_by_ref();
        Poll::Pending
    })
    .await;
}

pub async fn member_has_every_role_that_its_basis_includes(stores: &[&dyn Store]) {
    populate(stores[0]).await;
    let noura = subject("noura");
    let event = audit_event(AuditEventKind::RoleGranted);
    read_during_changes(
        stores,
        async |number| {
            let role = format!("role {number}");
            let added = stores[0]
                .add_grant(&noura, &id(RIYADH), &role, &event)
                .await;
            assert!(added.unwrap());
        },
        async |store, granted| {
            let basis = store.basis().await.unwrap();
            let member = store.member(&noura, basis).await.unwrap().unwrap();
            assert!(member.grants.len() >= granted, "{granted}");
        },
    )
    .await;
}

pub async fn member_has_no_role_that_was_removed_before_its_basis(stores: &[&dyn Store]) {
    populate(stores[0]).await;
    let noura = subject("noura");
    let event = audit_event(AuditEventKind::RoleRevoked);
    let role = |number: usize| format!("role {number}");
    for number in 1..=CHANGES {
        let added = stores[0]
            .add_grant(&noura, &id(RIYADH), &role(number), &event)
            .await;
        assert!(added.unwrap());
    }
    read_during_changes(
        stores,
        async |number| {
            let removed = stores[0]
                .remove_grant(&noura, &id(RIYADH), &role(number), &event)
                .await;
            assert!(removed.unwrap());
        },
        async |store, removed| {
            let basis = store.basis().await.unwrap();
            let member = store.member(&noura, basis).await.unwrap().unwrap();
            assert!(member.grants.len() <= CHANGES - removed, "{removed}");
        },
    )
    .await;
}

pub async fn member_has_the_epoch_of_its_basis_while_the_password_changes(stores: &[&dyn Store]) {
    populate(stores[0]).await;
    let noura = subject("noura");
    let event = audit_event(AuditEventKind::PasswordChanged);
    read_during_changes(
        stores,
        async |number| {
            let hash = PasswordHash::new(format!("hash {number}"));
            let epoch = stores[0]
                .set_password(&noura, None, &hash, false, &event)
                .await;
            assert_eq!(epoch.unwrap(), Some(i64::try_from(number).unwrap()));
        },
        async |store, changed| {
            let basis = store.basis().await.unwrap();
            let member = store.member(&noura, basis).await.unwrap().unwrap();
            let epoch = usize::try_from(member.subject.epoch).unwrap();
            assert!(epoch >= changed, "{epoch} after {changed} changes");
            // Password and epoch are of the same change.
            let expected = match epoch {
                0 => "a hash".to_owned(),
                number => format!("hash {number}"),
            };
            let expected = PasswordHash::new(expected);
            assert_eq!(member.subject.password_hash, Some(expected));
        },
    )
    .await;
}

pub async fn tenant_has_the_limits_of_its_basis_while_they_change(stores: &[&dyn Store]) {
    populate(stores[0]).await;
    let first = Tenant {
        own_limits: documents(0),
        ..tenant(organization(RIYADH))
    };
    stores[0].add_tenant(&first).await.unwrap();
    let event = audit_event(AuditEventKind::TenantChanged);
    read_during_changes(
        stores,
        async |number| {
            let number = i64::try_from(number).unwrap();
            let (before, limits) = (documents(number - 1), documents(number));
            let riyadh = id(RIYADH);
            let set = stores[0].set_limits(&riyadh, &before, &limits, &event);
            assert!(set.await.unwrap());
        },
        async |store, changed| {
            let basis = store.basis().await.unwrap();
            let tenant = store.tenant(&id(RIYADH), basis).await.unwrap().unwrap();
            let limit = usize::try_from(tenant.own_limits.monthly_documents.unwrap()).unwrap();
            assert!(limit >= changed, "{limit} after {changed} changes");
        },
    )
    .await;
}

pub async fn assumed_basis_is_the_one_that_was_read_last(stores: &[&dyn Store]) {
    populate(stores[0]).await;
    let (other, store) = (stores[1], stores[2]);
    assert!(store.assumed_basis().is_none(), "it has read none");
    let read = store.basis().await.unwrap();
    let event = audit_event(AuditEventKind::RoleGranted);
    let (noura, riyadh) = (subject("noura"), id(RIYADH));
    let granted = other.add_grant(&noura, &riyadh, "viewer", &event).await;
    assert!(granted.unwrap());
    let assumed = store.assumed_basis().unwrap();
    assert!(assumed.is_assumed());
    assert!(assumed.same_version(read), "nothing is asked");
    let current = store.basis().await.unwrap();
    assert!(!current.same_version(read), "somebody has a role more");
    let assumed = store.assumed_basis().unwrap();
    assert!(assumed.same_version(current));
}

pub async fn data_version_is_another_one_after_a_commit_of_any_process(stores: &[&dyn Store]) {
    populate(stores[0]).await;
    let event = audit_event(AuditEventKind::RoleGranted);
    let (noura, riyadh) = (subject("noura"), id(RIYADH));
    for (number, other) in stores.iter().enumerate() {
        let before = stores[0].data_version();
        assert_eq!(stores[0].data_version(), before, "nothing was committed");
        let role = format!("role {number}");
        let granted = other.add_grant(&noura, &riyadh, &role, &event).await;
        assert!(granted.unwrap());
        // An engine that cannot tell has none.
        let after = stores[0].data_version();
        let is_another = after.is_none() || after != before;
        assert!(is_another, "{after:?} after a commit of store {number}");
    }
}

/// A limit of documents alone.
const fn documents(monthly: i64) -> Limits {
    Limits {
        monthly_documents: Some(monthly),
        requests_per_minute: None,
        users: None,
    }
}
