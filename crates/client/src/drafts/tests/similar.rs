//! A draft that the outbox has not sent because it may repeat a document stays with the reason, and what the person has accepted is kept
//! for the outbox until the draft says something else (decision 0193).

use super::*;
use crate::views::SimilarDocument;

fn named(key: &str, number: &str) -> SimilarDocument {
    SimilarDocument {
        key: key.into(),
        number: number.to_owned(),
    }
}

/// Drafts with one that waits in the outbox.
async fn with_waiting(folder: &Path, vault: &Arc<MemoryVault>) -> Drafts {
    let drafts = drafts(folder, vault);
    let saved = drafts.save(owner(), draft(KEY, "typed")).await;
    saved.expect("saved");
    let sending = sending(&drafts).await;
    let kept = AfterSending::Kept(DraftState::Waiting);
    let finished = drafts.finish_sending(sending, kept).await;
    finished.expect("written");
    drafts
}

async fn sending(drafts: &Drafts) -> SendingDraft {
    let sending = drafts.begin_sending(owner(), document(), None).await;
    sending.expect("read").expect("it is there")
}

/// State of the draft, and the documents for which it was not sent.
async fn state(drafts: &Drafts) -> (DraftState, Vec<SimilarDocument>) {
    let mut listed = drafts.list(owner(), |_| None).await.expect("a list");
    let only = listed.pop().expect("one draft");
    (only.state, only.similar)
}

#[tokio::test]
async fn draft_that_may_repeat_a_document_names_it_until_the_person_has_it_sent_all_the_same() {
    let folder = fast_folder();
    let vault = Arc::new(MemoryVault::default());
    let before = with_waiting(folder.path(), &vault).await;
    let similar = vec![named("a", "INV-1")];
    let kept = before
        .keep_similar(sending(&before).await, similar.clone())
        .await;
    kept.expect("written");
    let drafts = drafts(folder.path(), &vault);
    assert_eq!(state(&drafts).await, (DraftState::Refused, similar));
    let accepted = drafts
        .accept_similar(owner(), document(), vec!["a".into()])
        .await;
    assert_eq!(accepted, Ok(true), "it waits again");
    assert_eq!(state(&drafts).await, (DraftState::Waiting, Vec::new()));
    assert_eq!(sending(&drafts).await.accepted, ["a"]);
}

#[tokio::test]
async fn what_was_accepted_outlives_an_attempt_and_not_a_change_of_the_draft() {
    let folder = fast_folder();
    let vault = Arc::new(MemoryVault::default());
    let drafts = drafts(folder.path(), &vault);
    let saved = drafts.save(owner(), draft(KEY, "typed")).await;
    saved.expect("saved");
    let accepted = drafts
        .accept_similar(owner(), document(), vec!["a".into()])
        .await;
    assert_eq!(accepted, Ok(false), "the window sends it");
    let saved = drafts.save(owner(), draft(KEY, "typed")).await;
    saved.expect("saved once more");
    for kept in [DraftState::Waiting, DraftState::WaitingInDoubt] {
        let attempt = sending(&drafts).await;
        assert_eq!(attempt.accepted, ["a"]);
        let finished = drafts.finish_sending(attempt, AfterSending::Kept(kept));
        finished.await.expect("written");
    }
    let held = drafts.hold(owner(), document()).await.expect("read");
    let ended = drafts.end_doubt(owner(), &held, true).await;
    ended.expect("written");
    drop(held);
    assert_eq!(sending(&drafts).await.accepted, ["a"]);
    let saved = drafts.save(owner(), draft(KEY, "changed")).await;
    saved.expect("saved");
    assert!(sending(&drafts).await.accepted.is_empty());
}

#[tokio::test]
async fn draft_that_is_changed_while_the_outbox_asks_is_edited() {
    let folder = fast_folder();
    let drafts = with_waiting(folder.path(), &Arc::default()).await;
    let attempt = sending(&drafts).await;
    let saved = drafts.save(owner(), draft(KEY, "changed")).await;
    saved.expect("saved");
    let kept = drafts.keep_similar(attempt, vec![named("a", "")]).await;
    kept.expect("written");
    assert_eq!(state(&drafts).await, (DraftState::Editing, Vec::new()));
}

#[tokio::test]
async fn only_what_was_handed_over_and_is_not_known_to_have_arrived_is_compared() {
    for (state, compared) in [
        (DraftState::Editing, 0),
        (DraftState::Refused, 0),
        (DraftState::Waiting, 1),
        (DraftState::WaitingInDoubt, 1),
        (DraftState::UnknownOutcome, 1),
    ] {
        let folder = fast_folder();
        let drafts = with_waiting(folder.path(), &Arc::default()).await;
        let attempt = sending(&drafts).await;
        let finished = drafts.finish_sending(attempt, AfterSending::Kept(state));
        finished.await.expect("written");
        let total = |draft: &Draft| Some(draft.content.note.clone());
        let handed_over = drafts.handed_over(owner(), total).await.expect("a list");
        assert_eq!(handed_over.len(), compared, "{state:?}");
    }
}
