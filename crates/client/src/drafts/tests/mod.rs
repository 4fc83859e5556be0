//! Tests of drafts as a whole: keys, unreadable files, faults of files, and interleavings of all that changes a draft.

mod account;
mod doubt;
mod file_faults;
#[cfg(target_os = "linux")]
mod full_disk;
mod interleavings;
mod kill;
mod similar;
mod unreadable;

use std::path::Path;
use std::sync::{Arc, LazyLock};

use tempfile::TempDir;

use super::*;
use crate::clock::FakeClock;
use crate::rng::SystemRng;
use crate::vault::MemoryVault;
use crate::views::InvoiceContent;

const KEY: &str = "0199f3a0-0000-7000-8000-000000000002";

/// An owner other than [`owner`].
fn owner_of(subject: &str, organization: &str) -> DraftOwner {
    DraftOwner {
        account: AccountKey::new("local", subject),
        organization: organization.into(),
    }
}

fn owner() -> &'static DraftOwner {
    static OWNER: LazyLock<DraftOwner> = LazyLock::new(|| DraftOwner {
        account: AccountKey::new("local", "u"),
        organization: "1".into(),
    });
    &OWNER
}

/// The document key [`KEY`].
fn document() -> &'static DocumentKey {
    static DOCUMENT: LazyLock<DocumentKey> = LazyLock::new(|| KEY.into());
    &DOCUMENT
}

fn drafts(folder: &Path, vault: &Arc<MemoryVault>) -> Drafts {
    Drafts::new(
        Arc::new(FakeClock::new(Timestamp::UNIX_EPOCH)),
        Arc::new(SystemRng),
        Arc::clone(vault) as Arc<dyn Vault>,
        folder.join("drafts"),
    )
}

/// A draft whose content has this note.
fn draft(key: &str, note: &str) -> Draft {
    Draft {
        key: key.into(),
        changes: None,
        content: InvoiceContent {
            note: note.to_owned(),
            ..InvoiceContent::default()
        },
        state: DraftState::Editing,
    }
}

/// The notes and states of all drafts, sorted.
async fn listed(drafts: &Drafts) -> Vec<(String, DraftState)> {
    let mut listed = Vec::new();
    for summary in drafts.list(owner(), |_| None).await.expect("a list") {
        let draft = drafts.get(owner(), &summary.key).await.expect("read");
        listed.push((draft.expect("listed").content.note, summary.state));
    }
    listed.sort_by(|one, other| one.0.cmp(&other.0));
    listed
}

/// A folder in memory, if the system has one: thousands of flushes to a disk would take minutes.
fn fast_folder() -> TempDir {
    tempfile::tempdir_in("/dev/shm").unwrap_or_else(|_| tempfile::tempdir().expect("a folder"))
}

#[tokio::test]
async fn two_processes_that_make_a_key_at_once_end_with_one_key() {
    for _ in 0..50 {
        let folder = fast_folder();
        let vault = Arc::new(MemoryVault::default());
        let (one, two) = (drafts(folder.path(), &vault), drafts(folder.path(), &vault));
        let keys = [KEY, "0199f3a0-0000-7000-8000-000000000003"];
        let (first, second) = tokio::join!(
            one.save(owner(), draft(keys[0], "one")),
            two.save(owner(), draft(keys[1], "two")),
        );
        first.expect("saved");
        second.expect("saved");
        let expected = ["one", "two"].map(|note| (note.to_owned(), DraftState::Editing));
        for reader in [one, two, drafts(folder.path(), &vault)] {
            assert_eq!(listed(&reader).await, expected);
            assert_eq!(reader.unreadable(owner()).await.expect("a list"), []);
        }
    }
}

#[tokio::test]
async fn keyring_entry_that_is_no_key_is_kept_under_another_name() {
    let folder = tempfile::tempdir().expect("a folder");
    let vault = Arc::new(MemoryVault::default());
    vault
        .write("drafts", "of another version".into())
        .await
        .expect("written");
    let drafts = drafts(folder.path(), &vault);
    drafts.save(owner(), draft(KEY, "n")).await.expect("saved");
    assert!(vault.secrets().contains(&"of another version".to_owned()));
    assert_eq!(drafts.vault_problem(), None);
}

#[tokio::test]
async fn drafts_that_were_saved_in_one_moment_are_listed_by_their_keys_newest_first() {
    let folder = tempfile::tempdir().expect("a folder");
    let drafts = drafts(folder.path(), &Arc::default());
    let keys: Vec<_> = (10..30)
        .map(|number| format!("0199f3a0-0000-7000-8000-0000000000{number}"))
        .collect();
    // In an order that is not theirs.
    for key in keys.iter().skip(7).chain(&keys[..7]) {
        let saved = drafts.save(owner(), draft(key, "n")).await;
        saved.expect("saved");
    }
    let listed = drafts.list(owner(), |_| None).await.expect("a list");
    let listed: Vec<_> = listed.iter().map(|it| it.key.as_str()).collect();
    let newest_first: Vec<_> = keys.iter().rev().map(String::as_str).collect();
    assert_eq!(listed, newest_first);
}

#[tokio::test]
async fn unreadable_drafts_are_listed_newest_first_and_those_of_one_moment_by_their_keys() {
    let folder = tempfile::tempdir().expect("a folder");
    let drafts = drafts(folder.path(), &Arc::default());
    drafts.save(owner(), draft(KEY, "n")).await.expect("saved");
    let of_owner = super::file_names::owner_folder(&folder.path().join("drafts"), owner());
    let name = |number: u32| format!("0199f3a0-0000-7000-8000-00000000010{number}.draft");
    // The text of a whole second is behind that of a later moment in it.
    for (number, milliseconds) in [(1, 1000), (2, 1500), (3, 1500), (4, 1000)] {
        let path = of_owner.join(name(number));
        std::fs::write(&path, "damaged").expect("written");
        let saved = std::time::UNIX_EPOCH + Duration::from_millis(milliseconds);
        let file = std::fs::File::options().write(true).open(path);
        let file = file.expect("opened");
        file.set_modified(saved).expect("a time");
    }
    let found = drafts.unreadable(owner()).await.expect("a list");
    let files: Vec<_> = found.into_iter().map(|draft| draft.file).collect();
    assert_eq!(files, [3, 2, 4, 1].map(name));
}

/// Drafts with one that was typed while the keyring was silent.
async fn typed_while_silent(folder: &Path, vault: &Arc<MemoryVault>) -> Drafts {
    vault.set_error(Some(VaultError::TimedOut));
    let clock = Arc::new(FakeClock::new(Timestamp::UNIX_EPOCH));
    let drafts = Drafts {
        clock: Arc::clone(&clock) as Arc<dyn Clock>,
        ..drafts(folder, vault)
    };
    let waiting = async {
        clock.sleep_matching(|left| left == KEYRING_TIMEOUT).await;
        clock.advance(KEYRING_TIMEOUT);
    };
    let (saved, ()) = tokio::join!(drafts.save(owner(), draft(KEY, "n")), waiting);
    saved.expect("in memory");
    drafts
}

#[tokio::test]
async fn draft_that_was_typed_while_the_keyring_was_silent_is_written_when_it_answers() {
    let folder = tempfile::tempdir().expect("a folder");
    let vault = Arc::new(MemoryVault::default());
    let drafts = typed_while_silent(folder.path(), &vault).await;
    let mut problems = drafts.vault_problems();
    assert_eq!(drafts.vault_problem(), Some(VaultProblem::Waiting));
    // The person answers the prompt of the keyring. Nobody unlocks the drafts.
    vault.set_error(None);
    let answered = problems.wait_for(Option::is_none).await;
    drop(answered.expect("the sender is a field of the drafts"));
    let expected = [("n".to_owned(), DraftState::Editing)];
    let restarted = super::tests::drafts(folder.path(), &vault);
    while listed(&restarted).await != expected {
        tokio::task::yield_now().await;
    }
}

#[tokio::test]
async fn keyring_that_was_silent_and_then_locked_can_be_unlocked() {
    let folder = tempfile::tempdir().expect("a folder");
    let vault = Arc::new(MemoryVault::default());
    let drafts = typed_while_silent(folder.path(), &vault).await;
    let mut problems = drafts.vault_problems();
    // The person dismisses the prompt.
    vault.set_error(Some(VaultError::Locked));
    let locked = Some(VaultProblem::Locked);
    let found = problems.wait_for(|problem| *problem == locked).await;
    drop(found.expect("the sender is a field of the drafts"));
}

#[tokio::test]
async fn drafts_in_memory_are_offered_to_the_keyring_again_when_the_program_ends() {
    let folder = tempfile::tempdir().expect("a folder");
    let vault = Arc::new(MemoryVault::default());
    vault.set_error(Some(VaultError::Locked));
    let drafts = drafts(folder.path(), &vault);
    drafts
        .save(owner(), draft(KEY, "n"))
        .await
        .expect("in memory");
    vault.set_error(None);
    drafts.stop().await;
    let restarted = super::tests::drafts(folder.path(), &vault);
    assert_eq!(
        listed(&restarted).await,
        [("n".to_owned(), DraftState::Editing)]
    );
}

#[tokio::test]
async fn draft_that_was_sent_and_cannot_be_removed_is_not_listed_or_sent_again() {
    let folder = tempfile::tempdir().expect("a folder");
    let vault = Arc::new(MemoryVault::default());
    let drafts = drafts(folder.path(), &vault);
    drafts.save(owner(), draft(KEY, "n")).await.expect("saved");
    let faults = crate::files::FileFaults::new(folder.path());
    let sending = drafts.begin_sending(owner(), document(), None).await;
    let sending = sending.expect("read").expect("it is there");
    faults.set(0, crate::files::FileFault::IoFromThen);
    let finished = drafts.finish_sending(sending, AfterSending::Sent).await;
    assert!(matches!(finished, Err(CommandError::NotSaved { .. })));
    faults.clear();
    // The mark on disk, after a restart, says that it may have arrived.
    let restarted = super::tests::drafts(folder.path(), &vault);
    assert_eq!(
        listed(&restarted).await,
        [("n".to_owned(), DraftState::UnknownOutcome)]
    );
    // Without a restart its outcome is known.
    assert!(
        drafts
            .begin_sending(owner(), document(), None)
            .await
            .expect("read")
            .is_none(),
        "it is sent again"
    );
    assert_eq!(listed(&drafts).await, []);
    assert_eq!(listed(&restarted).await, [], "its file is not removed");
}

#[tokio::test]
async fn second_attempt_waits_for_the_first() {
    let folder = tempfile::tempdir().expect("a folder");
    let drafts = Arc::new(drafts(folder.path(), &Arc::default()));
    drafts.save(owner(), draft(KEY, "n")).await.expect("saved");
    let first = drafts.begin_sending(owner(), document(), None).await;
    let first = first.expect("read").expect("it is there");
    let mut second = std::pin::pin!(drafts.begin_sending(owner(), document(), None));
    tokio::select! {
        biased;
        _ = &mut second => panic!("two attempts at once"),
        state = drafts.get(owner(), document()) => {
            let draft = state.expect("read").expect("it is there");
            assert_eq!(draft.state, DraftState::Sending);
        }
    }
    drafts
        .finish_sending(first, AfterSending::Sent)
        .await
        .expect("removed");
    assert!(second.await.expect("read").is_none(), "it was sent twice");
}
