//! Drafts that cannot be read are counted with their reason, copied, and deleted only when the user asks for it.

use std::fs;

use super::*;
use crate::vault::VaultError;
use crate::views::UnreadableReason;

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
