//! A full disk and input/output errors at every file operation of drafts.

use super::*;
use crate::files::{FileFault, FileFaults};
use crate::vault::VaultError;
use crate::views::UnreadableReason;

const FAULTS: [FileFault; 3] = [
    FileFault::IoOnce,
    FileFault::IoFromThen,
    FileFault::NoSpaceFromThen,
];

/// A folder and a keyring with one draft `old`, unless they are empty.
struct Setting {
    folder: TempDir,
    vault: Arc<MemoryVault>,
}

impl Setting {
    fn empty() -> Self {
        Self {
            folder: fast_folder(),
            vault: Arc::default(),
        }
    }

    async fn with_draft() -> Self {
        let setting = Self::empty();
        setting
            .drafts()
            .save(owner(), draft(KEY, "old"))
            .await
            .expect("saved");
        setting
    }

    /// As after a start of the program.
    fn drafts(&self) -> Drafts {
        drafts(self.folder.path(), &self.vault)
    }
}

/// Runs `flow` with each fault at each of its operations, until it has fewer operations. Returns how many runs had a fault.
async fn with_each_fault<F>(mut flow: impl FnMut(FileFault, usize) -> F) -> usize
where
    F: Future<Output = bool>,
{
    let mut runs = 0;
    for fault in FAULTS {
        for number in 0.. {
            if !flow(fault, number).await {
                break;
            }
            runs += 1;
        }
    }
    runs
}

/// Sets a fault, runs `work`, and clears the fault. Returns the result, and whether the fault was reached.
async fn with_fault<T>(
    setting: &Setting,
    (fault, number): (FileFault, usize),
    work: impl Future<Output = T>,
) -> (T, bool) {
    let faults = FileFaults::new(setting.folder.path());
    faults.set(number, fault);
    let done = work.await;
    (done, faults.operations().len() > number)
}

async fn assert_all_readable(drafts: &Drafts, context: &str) {
    let unreadable = drafts.unreadable(owner()).await.expect("a list");
    assert_eq!(unreadable, [], "{context}");
}

#[tokio::test]
async fn save_keeps_the_old_or_the_new_content_at_every_fault() {
    let runs = with_each_fault(|fault, number| async move {
        let context = format!("{fault:?} at operation {number}");
        let setting = Setting::with_draft().await;
        let drafts = setting.drafts();
        let save = drafts.save(owner(), draft(KEY, "new"));
        let (saved, reached) = with_fault(&setting, (fault, number), save).await;
        let restarted = listed(&setting.drafts()).await;
        let notes: Vec<_> = restarted.iter().map(|(note, _)| note.as_str()).collect();
        if saved.is_ok() && drafts.vault_problem().is_none() {
            assert_eq!(notes, ["new"], "{context}");
        } else {
            assert!(notes == ["old"] || notes == ["new"], "{context}: {notes:?}");
        }
        assert_all_readable(&setting.drafts(), &context).await;
        drafts.unlock().await.expect("no fault any more");
        drafts
            .save(owner(), draft(KEY, "new"))
            .await
            .expect("no fault any more");
        let new = [("new".to_owned(), DraftState::Editing)];
        assert_eq!(listed(&setting.drafts()).await, new, "{context}");
        reached
    })
    .await;
    assert!(runs > 15, "{runs}");
}

#[tokio::test]
async fn first_save_is_on_disk_or_in_memory_at_every_fault() {
    let runs = with_each_fault(|fault, number| async move {
        let context = format!("{fault:?} at operation {number}");
        let setting = Setting::empty();
        let drafts = setting.drafts();
        let save = drafts.save(owner(), draft(KEY, "new"));
        let (saved, reached) = with_fault(&setting, (fault, number), save).await;
        let new = [("new".to_owned(), DraftState::Editing)];
        if saved.is_ok() {
            assert_eq!(listed(&drafts).await, new, "{context}: it is gone");
        } else {
            drafts
                .save(owner(), draft(KEY, "new"))
                .await
                .expect("no fault any more");
        }
        drafts.unlock().await.expect("no fault any more");
        assert_eq!(listed(&setting.drafts()).await, new, "{context}");
        assert_all_readable(&setting.drafts(), &context).await;
        reached
    })
    .await;
    assert!(runs > 20, "{runs}");
}

#[tokio::test]
async fn drafts_in_memory_survive_every_fault_of_unlocking() {
    let runs = with_each_fault(|fault, number| async move {
        let context = format!("{fault:?} at operation {number}");
        let setting = Setting::empty();
        setting.vault.set_error(Some(VaultError::Locked));
        let drafts = setting.drafts();
        let expected: Vec<_> = ["a", "b", "c"]
            .map(|note| (note.to_owned(), DraftState::Editing))
            .into();
        for (index, (note, _)) in expected.iter().enumerate() {
            let key = format!("0199f3a0-0000-7000-8000-00000000000{index}");
            drafts
                .save(owner(), draft(&key, note))
                .await
                .expect("in memory");
        }
        setting.vault.set_error(None);
        let (unlocked, reached) = with_fault(&setting, (fault, number), drafts.unlock()).await;
        assert_eq!(listed(&drafts).await, expected, "{context}");
        if unlocked.is_ok() {
            assert_eq!(listed(&setting.drafts()).await, expected, "{context}");
        }
        drafts.unlock().await.expect("no fault any more");
        assert_eq!(listed(&setting.drafts()).await, expected, "{context}");
        reached
    })
    .await;
    assert!(runs > 40, "{runs}");
}

#[tokio::test]
async fn draft_on_disk_and_the_one_in_memory_survive_every_fault_of_unlocking() {
    let runs = with_each_fault(|fault, number| async move {
        let context = format!("{fault:?} at operation {number}");
        let setting = Setting::with_draft().await;
        setting.vault.set_error(Some(VaultError::Locked));
        let drafts = setting.drafts();
        drafts
            .save(owner(), draft(KEY, "new"))
            .await
            .expect("in memory");
        setting.vault.set_error(None);
        let (_, reached) = with_fault(&setting, (fault, number), drafts.unlock()).await;
        let new = [("new".to_owned(), DraftState::Editing)];
        assert_eq!(listed(&drafts).await, new, "{context}");
        drafts.unlock().await.expect("no fault any more");
        assert_eq!(listed(&setting.drafts()).await, new, "{context}");
        let kept = drafts.unreadable(owner()).await.expect("a list");
        let reasons: Vec<_> = kept.iter().map(|kept| kept.reason).collect();
        assert_eq!(reasons, [UnreadableReason::Replaced], "{context}");
        reached
    })
    .await;
    assert!(runs > 15, "{runs}");
}

#[tokio::test]
async fn draft_on_disk_survives_every_fault_of_a_discard_while_the_keyring_is_locked() {
    let runs = with_each_fault(|fault, number| async move {
        let context = format!("{fault:?} at operation {number}");
        let setting = Setting::with_draft().await;
        setting.vault.set_error(Some(VaultError::Locked));
        let drafts = setting.drafts();
        drafts
            .save(owner(), draft(KEY, "new"))
            .await
            .expect("in memory");
        let discard = drafts.discard(owner(), document());
        let (discarded, reached) = with_fault(&setting, (fault, number), discard).await;
        let left = listed(&drafts).await.len();
        assert_eq!(left, usize::from(discarded.is_err()), "{context}");
        setting.vault.set_error(None);
        drafts.unlock().await.expect("no fault any more");
        let kept = drafts.unreadable(owner()).await.expect("a list");
        let reasons: Vec<_> = kept.iter().map(|kept| kept.reason).collect();
        assert_eq!(reasons, [UnreadableReason::Replaced], "{context}");
        reached
    })
    .await;
    assert!(runs >= FAULTS.len(), "{runs}");
}

#[tokio::test]
async fn sent_draft_is_removed_or_in_doubt_and_never_changed_at_every_fault() {
    let runs = with_each_fault(|fault, number| async move {
        let context = format!("{fault:?} at operation {number}");
        let setting = Setting::with_draft().await;
        let drafts = setting.drafts();
        let send = async {
            let sending = drafts.begin_sending(owner(), document(), None).await?;
            match sending {
                Some(sending) => drafts.finish_sending(sending, AfterSending::Sent).await,
                // The keyring could not be used.
                None => Err(CommandError::DraftNotFound),
            }
        };
        let (sent, reached) = with_fault(&setting, (fault, number), Box::pin(send)).await;
        let restarted = listed(&setting.drafts()).await;
        match sent {
            Ok(()) => assert_eq!(restarted, [], "{context}"),
            Err(_) => assert!(
                restarted.is_empty()
                    || restarted == [("old".to_owned(), DraftState::UnknownOutcome)]
                    || restarted == [("old".to_owned(), DraftState::Editing)],
                "{context}: {restarted:?}"
            ),
        }
        assert_all_readable(&setting.drafts(), &context).await;
        reached
    })
    .await;
    assert!(runs > 20, "{runs}");
}

#[tokio::test]
async fn state_change_discard_and_list_keep_the_draft_or_do_it_at_every_fault() {
    let runs = with_each_fault(|fault, number| async move {
        let context = format!("{fault:?} at operation {number}");
        let setting = Setting::with_draft().await;
        let drafts = setting.drafts();
        let work = async {
            let change = drafts.change_state(
                owner(),
                document(),
                DraftState::Editing,
                DraftState::Waiting,
            );
            let changed = change.await;
            let list = drafts.list(owner(), |_| None).await;
            let opened = drafts.open(owner(), document()).await;
            (changed, list, opened)
        };
        let ((_, list, opened), reached) = with_fault(&setting, (fault, number), work).await;
        if let (Ok(list), None) = (list, drafts.vault_problem()) {
            let unreadable = drafts.unreadable(owner()).await.expect("a list");
            assert!(list.len() + unreadable.len() <= 1, "{context}");
        }
        if let (Ok(opened), None) = (opened, drafts.vault_problem()) {
            let opened = opened.expect("it is there");
            assert_eq!(opened.content.note, "old", "{context}");
        }
        let restarted = listed(&setting.drafts()).await;
        assert_eq!(restarted.len(), 1, "{context}: {restarted:?}");
        assert_eq!(restarted[0].0, "old", "{context}");
        let discard = drafts.discard(owner(), document());
        let (discarded, _) = with_fault(&setting, (fault, 0), discard).await;
        let left = listed(&setting.drafts()).await.len();
        assert_eq!(left, usize::from(discarded.is_err()), "{context}");
        reached
    })
    .await;
    assert!(runs > 20, "{runs}");
}
