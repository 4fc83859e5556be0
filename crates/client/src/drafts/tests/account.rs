//! All drafts of an account are counted and deleted, whatever organizations it has today, and only those.

use std::collections::BTreeSet;

use super::*;
use crate::files::{FileFault, FileFaults};
use crate::vault::VaultError;
use crate::views::DraftCount;

const OTHER_KEYS: [&str; 3] = [
    "0199f3a0-0000-7000-8000-000000000003",
    "0199f3a0-0000-7000-8000-000000000004",
    "0199f3a0-0000-7000-8000-000000000005",
];

/// The roles claim names one of the organizations that have drafts.
fn organizations() -> BTreeSet<OrganizationId> {
    BTreeSet::from(["1".into()])
}

async fn count(drafts: &Drafts) -> usize {
    let count = drafts.count_of_account(&owner().account, organizations());
    count.await.expect("counted")
}

async fn delete(drafts: &Drafts, count: usize) -> Result<bool, CommandError> {
    drafts
        .delete_of_account(&owner().account, organizations(), count)
        .await
}

/// Two drafts in the organization of the claim and one in another, and one of another account.
async fn save_drafts(drafts: &Drafts) {
    for (owner, key) in [
        (owner().clone(), KEY),
        (owner().clone(), OTHER_KEYS[0]),
        (owner_of("u", "2"), OTHER_KEYS[1]),
        (owner_of("v", "1"), OTHER_KEYS[2]),
    ] {
        let saved = drafts.save(&owner, draft(key, "n")).await;
        saved.expect("saved");
    }
}

async fn assert_other_account_has_its_draft(drafts: &Drafts) {
    let kept = drafts.list(&owner_of("v", "1"), |_| None).await;
    assert_eq!(kept.expect("a list").len(), 1);
}

#[tokio::test]
async fn drafts_of_an_organization_whose_role_was_lost_are_counted_and_deleted() {
    let folder = fast_folder();
    let drafts = drafts(folder.path(), &Arc::default());
    save_drafts(&drafts).await;
    assert_eq!(count(&drafts).await, 3);
    assert!(
        !delete(&drafts, 2).await.expect("answered"),
        "another count"
    );
    assert_eq!(count(&drafts).await, 3);
    assert!(delete(&drafts, 3).await.expect("answered"));
    assert_eq!(count(&drafts).await, 0);
    for organization in ["1", "2"] {
        let owner = owner_of("u", organization);
        assert_eq!(drafts.list(&owner, |_| None).await.expect("a list"), []);
        let folder = super::super::file_names::owner_folder(&folder.path().join("drafts"), &owner);
        assert!(!folder.exists(), "{organization}");
    }
    assert_other_account_has_its_draft(&drafts).await;
}

#[tokio::test]
async fn drafts_that_cannot_be_read_are_counted_and_deleted_with_the_others() {
    let folder = fast_folder();
    save_drafts(&drafts(folder.path(), &Arc::default())).await;
    // The keyring was reset, and a document was edited again.
    let drafts = drafts(folder.path(), &Arc::default());
    drafts
        .save(owner(), draft(KEY, "new"))
        .await
        .expect("saved");
    assert_eq!(count(&drafts).await, 4);
    assert!(delete(&drafts, 4).await.expect("answered"));
    assert_eq!(drafts.unreadable(owner()).await.expect("a list"), []);
}

/// Drafts that were saved while the keyring was locked. The first document has a file as well.
async fn drafts_in_memory(folder: &Path) -> Drafts {
    let vault = Arc::new(MemoryVault::default());
    let before = drafts(folder, &vault);
    before.save(owner(), draft(KEY, "n")).await.expect("saved");
    vault.set_error(Some(VaultError::Locked));
    let drafts = drafts(folder, &vault);
    save_drafts(&drafts).await;
    drafts
}

#[tokio::test]
async fn drafts_in_memory_are_counted_once_and_deleted() {
    let folder = fast_folder();
    let drafts = drafts_in_memory(folder.path()).await;
    assert_eq!(count(&drafts).await, 3);
    assert!(delete(&drafts, 3).await.expect("answered"));
    assert_eq!(count(&drafts).await, 0);
    assert_other_account_has_its_draft(&drafts).await;
}

#[tokio::test]
async fn drafts_are_counted_by_organization_once_whether_they_are_in_a_file_or_in_memory() {
    let folder = fast_folder();
    let drafts = drafts_in_memory(folder.path()).await;
    let asked = BTreeSet::from(["1".into(), "2".into(), "3".into()]);
    let counts = drafts.count_by_organization(&owner().account, asked).await;
    let count = |organization: &str, count| DraftCount {
        organization: organization.into(),
        count,
        problem: None,
    };
    assert_eq!(counts, Ok(vec![count("1", 2), count("2", 1)]));
}

#[tokio::test]
async fn folder_of_an_earlier_version_is_found_after_its_drafts_have_been_listed_once() {
    let folder = fast_folder();
    let drafts = drafts(folder.path(), &Arc::default());
    let lost = owner_of("u", "2");
    drafts.save(&lost, draft(KEY, "n")).await.expect("saved");
    let path = super::super::file_names::owner_folder(&folder.path().join("drafts"), &lost);
    std::fs::remove_file(path.join("account")).expect("removed");
    assert_eq!(count(&drafts).await, 0);
    drafts.list(&lost, |_| None).await.expect("a list");
    assert_eq!(count(&drafts).await, 1);
}

#[tokio::test]
async fn deletion_that_a_fault_of_the_disk_interrupts_can_be_repeated() {
    let mut runs = 0;
    for fault in [FileFault::IoOnce, FileFault::IoFromThen] {
        for number in 0.. {
            let context = format!("{fault:?} at operation {number}");
            let folder = fast_folder();
            let drafts = drafts(folder.path(), &Arc::default());
            save_drafts(&drafts).await;
            let faults = FileFaults::new(folder.path());
            faults.set(number, fault);
            let deleted = delete(&drafts, 3).await;
            let reached = faults.operations().len() > number;
            faults.clear();
            let left = count(&drafts).await;
            if deleted.is_ok() {
                assert_eq!((deleted, left), (Ok(true), 0), "{context}");
            } else {
                assert_eq!(delete(&drafts, left).await, Ok(true), "{context}");
            }
            assert_eq!(count(&drafts).await, 0, "{context}");
            assert_other_account_has_its_draft(&drafts).await;
            if !reached {
                break;
            }
            runs += 1;
        }
    }
    assert!(runs > 10, "{runs}");
}
