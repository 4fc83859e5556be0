//! A draft whose answer was lost: nothing but an answer of the service ends the doubt whether it has the draft (decision 0187).

use super::*;

/// Drafts with one whose last attempt ended in `after`.
async fn with_sent(folder: &Path, vault: &Arc<MemoryVault>, after: AfterSending) -> Drafts {
    let drafts = drafts(folder, vault);
    let saved = drafts.save(owner(), draft(KEY, "sent")).await;
    saved.expect("saved");
    let sending = drafts.begin_sending(owner(), document(), None).await;
    let sending = sending.expect("read").expect("it is there");
    let finished = drafts.finish_sending(sending, after).await;
    finished.expect("written");
    drafts
}

fn of_note(note: &str, state: DraftState) -> [(String, DraftState); 1] {
    [(note.to_owned(), state)]
}

#[tokio::test]
async fn doubt_of_the_outbox_survives_a_restart_opening_and_typing() {
    let folder = fast_folder();
    let vault = Arc::new(MemoryVault::default());
    let in_doubt = DraftState::WaitingInDoubt;
    drop(with_sent(folder.path(), &vault, AfterSending::Kept(in_doubt)).await);
    let restarted = drafts(folder.path(), &vault);
    assert_eq!(listed(&restarted).await, of_note("sent", in_doubt));
    let opened = restarted.open(owner(), document()).await;
    let opened = opened.expect("read").expect("it is there");
    assert_eq!(opened.state, DraftState::UnknownOutcome);
    let saved = restarted.save(owner(), draft(KEY, "typed")).await;
    saved.expect("saved");
    let again = drafts(folder.path(), &vault);
    assert_eq!(
        listed(&again).await,
        of_note("typed", DraftState::UnknownOutcome)
    );
}

#[tokio::test]
async fn draft_that_was_changed_while_the_outbox_sent_it_is_in_doubt() {
    let in_doubt = DraftState::UnknownOutcome;
    for (note, left) in [("sent", None), ("typed", Some(in_doubt))] {
        let folder = fast_folder();
        let drafts = drafts(folder.path(), &Arc::default());
        let saved = drafts.save(owner(), draft(KEY, "sent")).await;
        saved.expect("saved");
        let sending = drafts.begin_sending(owner(), document(), None).await;
        let sending = sending.expect("read").expect("it is there");
        let saved = drafts.save(owner(), draft(KEY, note)).await;
        saved.expect("saved");
        let finished = drafts.finish_sending(sending, AfterSending::SentUnseen);
        finished.await.expect("written");
        let states: Vec<_> = listed(&drafts).await.into_iter().map(|it| it.1).collect();
        assert_eq!(states, Vec::from_iter(left), "{note}");
    }
}

#[tokio::test]
async fn draft_that_the_service_does_not_have_waits_on_for_the_outbox_and_is_edited_otherwise() {
    for (state, stays_queued, then) in [
        (DraftState::WaitingInDoubt, true, DraftState::Waiting),
        (DraftState::WaitingInDoubt, false, DraftState::Editing),
        (DraftState::UnknownOutcome, true, DraftState::Editing),
        (DraftState::Waiting, false, DraftState::Waiting),
    ] {
        let folder = fast_folder();
        let kept = AfterSending::Kept(state);
        let drafts = with_sent(folder.path(), &Arc::default(), kept).await;
        let held = drafts.hold(owner(), document()).await.expect("read");
        let ended = drafts.end_doubt(owner(), &held, stays_queued).await;
        ended.expect("written");
        assert_eq!(listed(&drafts).await, of_note("sent", then), "{state:?}");
    }
}

#[tokio::test]
async fn draft_that_is_opened_while_the_service_is_asked_does_not_wait_any_more() {
    let folder = fast_folder();
    let kept = AfterSending::Kept(DraftState::WaitingInDoubt);
    let drafts = with_sent(folder.path(), &Arc::default(), kept).await;
    let held = drafts.hold(owner(), document()).await.expect("read");
    let opened = drafts.open(owner(), document()).await;
    opened.expect("read").expect("it is there");
    let ended = drafts.end_doubt(owner(), &held, true).await;
    ended.expect("written");
    assert_eq!(listed(&drafts).await, of_note("sent", DraftState::Editing));
}

#[tokio::test]
async fn draft_that_is_changed_while_its_document_is_found_stays_in_doubt() {
    let folder = fast_folder();
    let kept = AfterSending::Kept(DraftState::WaitingInDoubt);
    let drafts = with_sent(folder.path(), &Arc::default(), kept).await;
    let arrived = drafts.get(owner(), document()).await.expect("read");
    let arrived = arrived.expect("it is there");
    let saved = drafts.save(owner(), draft(KEY, "typed")).await;
    saved.expect("saved");
    let discarded = drafts.discard_arrived(owner(), &arrived).await;
    discarded.expect("written");
    let in_doubt = of_note("typed", DraftState::UnknownOutcome);
    assert_eq!(listed(&drafts).await, in_doubt);
}

#[tokio::test]
async fn draft_is_held_only_while_it_is_not_sent_and_one_whose_sending_was_killed_is_in_doubt() {
    let folder = fast_folder();
    let vault = Arc::new(MemoryVault::default());
    let before = drafts(folder.path(), &vault);
    let saved = before.save(owner(), draft(KEY, "sent")).await;
    saved.expect("saved");
    let sending = before.begin_sending(owner(), document(), None).await;
    let sending = sending.expect("read").expect("it is there");
    let held = before.try_hold(owner(), document()).await.expect("read");
    assert!(held.is_none(), "it is being sent");
    // As after a kill: the mark is on the disk.
    drop(sending);
    let held = before.try_hold(owner(), document()).await.expect("read");
    let held = held.expect("nobody sends it");
    let state = held.draft.as_ref().map(|draft| draft.state);
    assert_eq!(state, Some(DraftState::UnknownOutcome));
    let ended = before.end_doubt(owner(), &held, false).await;
    ended.expect("written");
    let mut sending = std::pin::pin!(before.begin_sending(owner(), document(), None));
    tokio::select! {
        biased;
        _ = &mut sending => panic!("it is sent while it is held"),
        listed = listed(&before) => assert_eq!(listed, of_note("sent", DraftState::Editing)),
    }
    drop(held);
    let begun = sending.await.expect("read");
    assert!(begun.is_some(), "nothing keeps it any more");
}

/// What becomes of the draft when the program ended while it was sent, after the service said that it does not have it.
async fn after_a_kill(state: DraftState) -> [Vec<(String, DraftState)>; 2] {
    let folder = fast_folder();
    let vault = Arc::new(MemoryVault::default());
    let before = with_sent(folder.path(), &vault, AfterSending::Kept(state)).await;
    let sending = before.begin_sending(owner(), document(), None).await;
    drop(sending.expect("read").expect("it is there"));
    drop(before);
    let restarted = drafts(folder.path(), &vault);
    let found = listed(&restarted).await;
    let held = restarted.hold(owner(), document()).await.expect("read");
    let ended = restarted.end_doubt(owner(), &held, true).await;
    ended.expect("written");
    drop(held);
    [found, listed(&restarted).await]
}

#[tokio::test]
async fn draft_of_the_outbox_is_queued_again_after_a_kill_and_one_of_a_window_is_edited() {
    for (state, in_doubt, then) in [
        (
            DraftState::Waiting,
            DraftState::WaitingInDoubt,
            DraftState::Waiting,
        ),
        (
            DraftState::Editing,
            DraftState::UnknownOutcome,
            DraftState::Editing,
        ),
    ] {
        let expected = [of_note("sent", in_doubt), of_note("sent", then)];
        assert_eq!(after_a_kill(state).await, expected, "{state:?}");
    }
}

#[tokio::test]
async fn draft_that_was_saved_again_while_the_outbox_sent_it_is_not_queued_after_a_kill() {
    let folder = fast_folder();
    let vault = Arc::new(MemoryVault::default());
    let kept = AfterSending::Kept(DraftState::Waiting);
    let before = with_sent(folder.path(), &vault, kept).await;
    let sending = before.begin_sending(owner(), document(), None).await;
    let sending = sending.expect("read").expect("it is there");
    let saved = before.save(owner(), draft(KEY, "typed")).await;
    saved.expect("saved");
    drop(sending);
    let restarted = drafts(folder.path(), &vault);
    let in_doubt = of_note("typed", DraftState::UnknownOutcome);
    assert_eq!(listed(&restarted).await, in_doubt);
}
