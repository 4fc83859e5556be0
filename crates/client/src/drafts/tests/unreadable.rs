//! Drafts that cannot be read are counted with their reason, copied, and deleted only when the user asks for it.

use std::fs;

use super::*;
use crate::files::{FileFault, FileFaults};
use crate::vault::VaultError;
use crate::views::{Revision, UnreadableReason};

/// The reasons of all unreadable drafts, in the order of their files.
async fn reasons(drafts: &Drafts) -> Vec<UnreadableReason> {
    let mut found = drafts.unreadable(owner()).await.expect("a list");
    found.sort_by(|one, other| one.file.cmp(&other.file));
    found.into_iter().map(|draft| draft.reason).collect()
}

/// The path of the only draft's file.
fn only_file(folder: &Path) -> std::path::PathBuf {
    let owner = super::super::file_names::owner_folder(&folder.join("drafts"), owner());
    let mut files: Vec<_> = fs::read_dir(owner)
        .expect("a folder")
        .map(|entry| entry.expect("an entry").path())
        .filter(|path| path.extension().is_some_and(|end| end == "draft"))
        .collect();
    assert_eq!(files.len(), 1);
    files.remove(0)
}

#[tokio::test]
async fn drafts_of_a_keyring_that_was_reset_are_counted_and_return_with_their_key() {
    let folder = tempfile::tempdir().expect("a folder");
    let old_keyring = Arc::new(MemoryVault::default());
    drafts(folder.path(), &old_keyring)
        .save(owner(), draft(KEY, "old"))
        .await
        .expect("saved");
    let new_keyring = Arc::new(MemoryVault::default());
    let after_reset = drafts(folder.path(), &new_keyring);
    assert_eq!(listed(&after_reset).await, []);
    assert_eq!(reasons(&after_reset).await, [UnreadableReason::OtherKey]);
    let other = "0199f3a0-0000-7000-8000-000000000003";
    after_reset
        .save(owner(), draft(other, "new"))
        .await
        .expect("saved");
    let restored = drafts(folder.path(), &old_keyring);
    assert_eq!(
        listed(&restored).await,
        [("old".to_owned(), DraftState::Editing)]
    );
    assert_eq!(reasons(&restored).await, [UnreadableReason::OtherKey]);
}

#[tokio::test]
async fn draft_of_a_reset_keyring_is_kept_when_its_document_is_edited_again() {
    let folder = tempfile::tempdir().expect("a folder");
    let old_keyring = Arc::new(MemoryVault::default());
    drafts(folder.path(), &old_keyring)
        .save(owner(), draft(KEY, "old"))
        .await
        .expect("saved");
    let after_reset = drafts(folder.path(), &Arc::default());
    after_reset
        .save(owner(), draft(KEY, "new"))
        .await
        .expect("saved");
    assert_eq!(
        listed(&after_reset).await,
        [("new".to_owned(), DraftState::Editing)]
    );
    assert_eq!(reasons(&after_reset).await, [UnreadableReason::OtherKey]);
    let restored = drafts(folder.path(), &old_keyring);
    assert_eq!(
        reasons(&restored).await,
        [UnreadableReason::OtherKey, UnreadableReason::Replaced]
    );
}

#[tokio::test]
async fn drafts_are_counted_while_the_keyring_is_locked_and_listed_after_unlocking() {
    let folder = tempfile::tempdir().expect("a folder");
    let vault = Arc::new(MemoryVault::default());
    drafts(folder.path(), &vault)
        .save(owner(), draft(KEY, "n"))
        .await
        .expect("saved");
    vault.set_error(Some(VaultError::Locked));
    let drafts = drafts(folder.path(), &vault);
    assert_eq!(listed(&drafts).await, []);
    assert_eq!(reasons(&drafts).await, [UnreadableReason::KeyringLocked]);
    vault.set_error(None);
    drafts.unlock().await.expect("unlocked");
    assert_eq!(
        listed(&drafts).await,
        [("n".to_owned(), DraftState::Editing)]
    );
    assert_eq!(reasons(&drafts).await, []);
}

/// Drafts that were locked while this one was saved, and were unlocked afterwards.
async fn saved_while_locked(folder: &Path, vault: &Arc<MemoryVault>, draft: Draft) -> Drafts {
    vault.set_error(Some(VaultError::Locked));
    let drafts = drafts(folder, vault);
    drafts.save(owner(), draft).await.expect("in memory");
    vault.set_error(None);
    drafts.unlock().await.expect("unlocked");
    drafts
}

#[tokio::test]
async fn draft_on_disk_is_kept_if_another_of_its_document_was_typed_while_the_keyring_was_locked() {
    let folder = tempfile::tempdir().expect("a folder");
    let vault = Arc::new(MemoryVault::default());
    drafts(folder.path(), &vault)
        .save(owner(), draft(KEY, "before"))
        .await
        .expect("saved");
    let unlocked = saved_while_locked(folder.path(), &vault, draft(KEY, "meanwhile")).await;
    assert_eq!(
        listed(&unlocked).await,
        [("meanwhile".to_owned(), DraftState::Editing)]
    );
    assert_eq!(reasons(&unlocked).await, [UnreadableReason::Replaced]);
    let export = unlocked.export_unreadable(owner()).await.expect("copied");
    let copy = Path::new(&export.folder).join(format!("{KEY}.draft.unreadable-1.json"));
    let copy = fs::read_to_string(copy).expect("a copy");
    assert!(copy.contains("before"), "{copy}");
}

#[tokio::test]
async fn draft_on_disk_that_may_have_arrived_is_kept_and_the_newer_one_stays_in_doubt() {
    let folder = tempfile::tempdir().expect("a folder");
    let vault = Arc::new(MemoryVault::default());
    let before = drafts(folder.path(), &vault);
    before
        .save(owner(), draft(KEY, "sent"))
        .await
        .expect("saved");
    let sending = before.begin_sending(owner(), document(), None).await;
    drop(sending.expect("read").expect("it is there"));
    let unlocked = saved_while_locked(folder.path(), &vault, draft(KEY, "meanwhile")).await;
    assert_eq!(
        listed(&unlocked).await,
        [("meanwhile".to_owned(), DraftState::UnknownOutcome)]
    );
    assert_eq!(reasons(&unlocked).await, [UnreadableReason::Replaced]);
}

#[tokio::test]
async fn draft_on_disk_that_has_nothing_else_is_replaced_when_the_keyring_is_unlocked() {
    for (on_disk, began_with) in [("typed", "base"), ("base", "base")] {
        let folder = tempfile::tempdir().expect("a folder");
        let vault = Arc::new(MemoryVault::default());
        drafts(folder.path(), &vault)
            .save(owner(), draft(KEY, on_disk))
            .await
            .expect("saved");
        let typed = Draft {
            changes: Some(Revision {
                stamp: "7".into(),
                content: draft(KEY, began_with).content,
            }),
            ..draft(KEY, "typed")
        };
        let unlocked = saved_while_locked(folder.path(), &vault, typed).await;
        assert_eq!(
            listed(&unlocked).await,
            [("typed".to_owned(), DraftState::Editing)]
        );
        assert_eq!(reasons(&unlocked).await, [], "{on_disk} is kept");
    }
}

/// How a draft ends.
#[derive(Debug, Clone, Copy)]
enum End {
    Sent,
    Discarded,
}

/// Drafts that are locked still, after this one was saved and has ended.
async fn ended_while_locked(
    folder: &Path,
    vault: &Arc<MemoryVault>,
    draft: Draft,
    end: End,
) -> Drafts {
    vault.set_error(Some(VaultError::Locked));
    let drafts = drafts(folder, vault);
    drafts.save(owner(), draft).await.expect("in memory");
    match end {
        End::Sent => {
            let sending = drafts.begin_sending(owner(), document(), None).await;
            let sending = sending.expect("read").expect("it is there");
            let finish = drafts.finish_sending(sending, AfterSending::Sent);
            finish.await.expect("removed");
        }
        End::Discarded => {
            let discard = drafts.discard(owner(), document());
            discard.await.expect("discarded");
        }
    }
    drafts
}

#[tokio::test]
async fn draft_on_disk_is_kept_if_another_of_its_document_ended_while_the_keyring_was_locked() {
    for end in [End::Sent, End::Discarded] {
        let folder = tempfile::tempdir().expect("a folder");
        let vault = Arc::new(MemoryVault::default());
        drafts(folder.path(), &vault)
            .save(owner(), draft(KEY, "before"))
            .await
            .expect("saved");
        let drafts = ended_while_locked(folder.path(), &vault, draft(KEY, "meanwhile"), end).await;
        assert_eq!(listed(&drafts).await, [], "{end:?}");
        let locked = [UnreadableReason::KeyringLocked];
        assert_eq!(reasons(&drafts).await, locked, "{end:?}");
        vault.set_error(None);
        drafts.unlock().await.expect("unlocked");
        assert_eq!(listed(&drafts).await, [], "{end:?}");
        let replaced = [UnreadableReason::Replaced];
        assert_eq!(reasons(&drafts).await, replaced, "{end:?}");
        let export = drafts.export_unreadable(owner()).await.expect("copied");
        let copy = Path::new(&export.folder).join(format!("{KEY}.draft.unreadable-1.json"));
        let copy = fs::read_to_string(copy).expect("a copy");
        assert!(copy.contains("before"), "{end:?}: {copy}");
    }
}

#[tokio::test]
async fn draft_on_disk_that_has_nothing_else_than_the_one_that_ended_is_deleted_after_unlocking() {
    for (end, on_disk) in [
        (End::Sent, "typed"),
        (End::Sent, "base"),
        (End::Discarded, "typed"),
        (End::Discarded, "base"),
    ] {
        let folder = tempfile::tempdir().expect("a folder");
        let vault = Arc::new(MemoryVault::default());
        drafts(folder.path(), &vault)
            .save(owner(), draft(KEY, on_disk))
            .await
            .expect("saved");
        let typed = Draft {
            changes: Some(Revision {
                stamp: "7".into(),
                content: draft(KEY, "base").content,
            }),
            ..draft(KEY, "typed")
        };
        let drafts = ended_while_locked(folder.path(), &vault, typed, end).await;
        vault.set_error(None);
        drafts.unlock().await.expect("unlocked");
        assert_eq!(listed(&drafts).await, [], "{end:?} with {on_disk}");
        assert_eq!(reasons(&drafts).await, [], "{end:?} with {on_disk}");
    }
}

#[tokio::test]
async fn discard_without_a_draft_in_memory_leaves_what_nobody_could_read() {
    let folder = tempfile::tempdir().expect("a folder");
    let vault = Arc::new(MemoryVault::default());
    drafts(folder.path(), &vault)
        .save(owner(), draft(KEY, "before"))
        .await
        .expect("saved");
    vault.set_error(Some(VaultError::Locked));
    let drafts = drafts(folder.path(), &vault);
    let discard = drafts.discard(owner(), document());
    discard.await.expect("nothing to discard");
    vault.set_error(None);
    drafts.unlock().await.expect("unlocked");
    assert_eq!(
        listed(&drafts).await,
        [("before".to_owned(), DraftState::Editing)]
    );
}

#[tokio::test]
async fn discard_of_a_draft_that_unlocking_could_not_write_keeps_the_one_on_disk() {
    let folder = tempfile::tempdir().expect("a folder");
    let vault = Arc::new(MemoryVault::default());
    drafts(folder.path(), &vault)
        .save(owner(), draft(KEY, "before"))
        .await
        .expect("saved");
    vault.set_error(Some(VaultError::Locked));
    let drafts = drafts(folder.path(), &vault);
    let save = drafts.save(owner(), draft(KEY, "meanwhile"));
    save.await.expect("in memory");
    vault.set_error(None);
    let faults = FileFaults::new(folder.path());
    faults.set(0, FileFault::IoFromThen);
    let unlocked = drafts.unlock().await;
    assert!(matches!(unlocked, Err(CommandError::NotSaved { .. })));
    faults.clear();
    let discard = drafts.discard(owner(), document());
    discard.await.expect("discarded");
    assert_eq!(listed(&drafts).await, []);
    assert_eq!(reasons(&drafts).await, [UnreadableReason::Replaced]);
}

#[tokio::test]
async fn damaged_draft_is_counted_copied_and_deleted_on_request_only() {
    let folder = tempfile::tempdir().expect("a folder");
    let vault = Arc::new(MemoryVault::default());
    let drafts = drafts(folder.path(), &vault);
    drafts.save(owner(), draft(KEY, "n")).await.expect("saved");
    let path = only_file(folder.path());
    let damaged = &fs::read(&path).expect("a file")[..20];
    fs::write(&path, damaged).expect("cut short");
    assert_eq!(listed(&drafts).await, []);
    assert_eq!(reasons(&drafts).await, [UnreadableReason::Damaged]);

    let export = drafts.export_unreadable(owner()).await.expect("copied");
    assert_eq!(export.files, 1);
    let copy = Path::new(&export.folder).join(path.file_name().expect("a name"));
    assert_eq!(fs::read(copy).expect("a copy"), damaged);

    for other in ["", "../key", "x.draft"] {
        drafts
            .delete_unreadable(owner(), other)
            .await
            .expect("nothing to delete");
    }
    assert_eq!(fs::read(&path).expect("it stays"), damaged);
    let file = format!("{KEY}.draft");
    drafts
        .delete_unreadable(owner(), &file)
        .await
        .expect("deleted");
    assert_eq!(reasons(&drafts).await, []);
}

#[tokio::test]
async fn readable_draft_is_not_deleted_as_an_unreadable_one() {
    let folder = tempfile::tempdir().expect("a folder");
    let drafts = drafts(folder.path(), &Arc::default());
    drafts.save(owner(), draft(KEY, "n")).await.expect("saved");
    drafts
        .delete_unreadable(owner(), &format!("{KEY}.draft"))
        .await
        .expect("nothing to delete");
    assert_eq!(
        listed(&drafts).await,
        [("n".to_owned(), DraftState::Editing)]
    );
}

#[tokio::test]
async fn draft_of_a_newer_version_is_copied_as_text() {
    let folder = tempfile::tempdir().expect("a folder");
    let vault = Arc::new(MemoryVault::default());
    let drafts = drafts(folder.path(), &vault);
    drafts.save(owner(), draft(KEY, "n")).await.expect("saved");
    let cipher = drafts.state.lock().await.cipher.clone().expect("a key");
    let record = br#"{"version":99,"typed":"by the newer version"}"#;
    let file = cipher
        .encrypt(
            &SystemRng,
            ["local u\0", "1\0", KEY].concat().as_bytes(),
            record,
        )
        .expect("small");
    fs::write(only_file(folder.path()), file).expect("written");
    assert_eq!(reasons(&drafts).await, [UnreadableReason::NewerVersion]);
    let export = drafts.export_unreadable(owner()).await.expect("copied");
    let copy = Path::new(&export.folder).join(format!("{KEY}.draft.json"));
    assert_eq!(fs::read(copy).expect("a copy"), record);
    // The user types for the same document: both stay.
    drafts
        .save(owner(), draft(KEY, "typed"))
        .await
        .expect("saved");
    assert_eq!(
        listed(&drafts).await,
        [("typed".to_owned(), DraftState::Editing)]
    );
    assert_eq!(reasons(&drafts).await, [UnreadableReason::NewerVersion]);
}
