//! Cases of attempts to send a submission: which are kept, and what is postponed without one.

use invoicing_contract::messages::documents::AuthorityState;
use uuid::Uuid;

use super::clearance::{HOLDER, amend, attempt_of, claim, issue, issued, submission};
use super::fixtures::{LATER, NOW, RIYADH, after_now, id, key, populate};
use super::numbers::invoices;
use crate::Store;
use crate::clearance::{ClearanceBacklog, LAST_ATTEMPTS, SubmissionPosition};
use crate::documents::{NumberOutcome, PAGE_BYTES};

/// Stores the attempt with a number at its own time.
async fn end(store: &dyn Store, number: u64, state: AuthorityState) {
    let mut ended = attempt_of(1, number.into(), HOLDER, state);
    ended.attempt.ended_at = after_now(number);
    let stored = store.end_attempt(&ended, amend(1, state)).await;
    stored.unwrap();
}

/// The numbers of the stored attempts, the newest first.
async fn attempts(store: &dyn Store) -> Vec<u128> {
    let found = store.attempts(&id(RIYADH), submission(1), 1_000).await;
    let found = found.unwrap().into_iter();
    found.map(|attempt| attempt.id.as_u128()).collect()
}

pub async fn attempts_without_an_answer_are_the_first_and_the_last(store: &dyn Store) {
    populate(store).await;
    issued(store, 1, true).await;
    let last = u64::from(LAST_ATTEMPTS);
    for number in 1..=last + 3 {
        end(store, number, AuthorityState::Unknown).await;
    }
    let newest_first = |from: u64, to: u64| (from..=to).rev().map(u128::from);
    let mut expected: Vec<_> = newest_first(4, last + 3).collect();
    expected.push(1);
    assert_eq!(attempts(store).await, expected);

    // What decides stays, however many attempts end after it.
    let answer = last + 4;
    end(store, answer, AuthorityState::Cleared).await;
    for number in answer + 1..=answer + last + 1 {
        end(store, number, AuthorityState::Unknown).await;
    }
    let mut expected: Vec<_> = newest_first(answer + 2, answer + last + 1).collect();
    expected.extend([u128::from(answer), 1]);
    assert_eq!(attempts(store).await, expected);
}

/// As after an error whose commit has succeeded.
pub async fn attempt_that_is_stored_again_changes_nothing(store: &dyn Store) {
    populate(store).await;
    issued(store, 1, true).await;
    let riyadh = id(RIYADH);
    for (number, state) in [(1, AuthorityState::Unknown), (2, AuthorityState::Cleared)] {
        let found = async || {
            let found = store.submission(&riyadh, submission(1)).await.unwrap();
            let history = store.document_history(&riyadh, key(1), None, 10).await;
            (found.unwrap(), history.unwrap(), attempts(store).await)
        };
        end(store, number, state).await;
        let once = found().await;
        end(store, number, state).await;
        assert_eq!(found().await, once, "{state:?}");
    }
}

pub async fn submission_that_is_not_sent_is_postponed_by_its_holder_without_an_attempt(
    store: &dyn Store,
) {
    populate(store).await;
    issued(store, 1, true).await;
    let (riyadh, other) = (id(RIYADH), Uuid::from_u128(8));
    let found = async || {
        let found = store.submission(&riyadh, submission(1)).await.unwrap();
        let found = found.unwrap();
        (found.due_at, found.failures)
    };
    let postponed = store.postpone(&riyadh, submission(1), other, LATER);
    postponed.await.unwrap();
    assert_eq!(found().await, (Some(NOW), 0), "another holds it");
    for _ in 0..2 {
        let postponed = store.postpone(&riyadh, submission(1), HOLDER, LATER);
        postponed.await.unwrap();
        assert_eq!(found().await, (Some(LATER), 1), "once");
    }
    assert!(attempts(store).await.is_empty());
    let claimed = store.claim(&riyadh, submission(1), NOW, claim(other));
    assert!(claimed.await.unwrap(), "nobody holds it");
}

/// Stores attempts to send the submission `of` of document 1: the authority rejects it, and those that follow have no answer.
async fn reject(store: &dyn Store, of: u128, attempts: u64, answer: &[u8]) {
    for number in 0..attempts {
        let state = if number == 0 {
            AuthorityState::Rejected
        } else {
            AuthorityState::Unknown
        };
        let mut ended = attempt_of(of, of * 100 + u128::from(number), HOLDER, state);
        ended.attempt.ended_at = after_now(number);
        ended.attempt.answer = answer.to_owned();
        let stored = store.end_attempt(&ended, amend(1, state)).await;
        stored.unwrap();
    }
}

/// Ids of the submissions of a page, the numbers of their attempts, and whether there are older ones.
async fn page(
    store: &dyn Store,
    before: Option<SubmissionPosition>,
    size: u32,
) -> (Vec<(Uuid, Vec<u128>)>, bool) {
    let page = store.submissions(&id(RIYADH), key(1), before, size).await;
    let page = page.unwrap();
    let items = page.items.into_iter().map(|(submission, attempts)| {
        let numbers = attempts.iter().map(|attempt| attempt.id.as_u128());
        (submission.id, numbers.collect::<Vec<_>>())
    });
    (items.collect(), page.has_more)
}

pub async fn submissions_are_read_in_pages_with_their_attempts_newest_first(store: &dyn Store) {
    populate(store).await;
    issued(store, 1, true).await;
    reject(store, 1, 3, b"{}").await;
    let rejected = format!("{} 1", AuthorityState::Rejected.as_str_name());
    let again = issue(store, &invoices(), 1, &rejected, 11, false).await;
    assert!(matches!(again, NumberOutcome::Stored(_)), "{again:?}");
    let large = vec![b'x'; PAGE_BYTES / 2];
    reject(store, 11, 2, &large).await;
    let again = issue(store, &invoices(), 1, &rejected, 21, false).await;
    assert!(matches!(again, NumberOutcome::Stored(_)), "{again:?}");

    let oldest = (submission(1), vec![102, 101, 100]);
    let middle = (submission(11), vec![1_101, 1_100]);
    let newest = (submission(21), Vec::new());
    // The answers to the one in the middle end the page.
    let latest = vec![newest.clone(), middle.clone()];
    assert_eq!(page(store, None, 10).await, (latest, true));
    assert_eq!(page(store, None, 1).await, (vec![newest], true));
    let position = |of| Some((NOW, submission(of)));
    assert_eq!(page(store, position(21), 1).await, (vec![middle], true));
    for size in [1, 10] {
        let last = (vec![oldest.clone()], false);
        assert_eq!(page(store, position(11), size).await, last);
    }
    assert_eq!(page(store, position(1), 10).await, (Vec::new(), false));
}

pub async fn backlog_counts_what_has_no_answer_and_names_what_was_sent_most_often(
    store: &dyn Store,
) {
    populate(store).await;
    assert_eq!(store.clearance_backlog().await.unwrap(), None);
    issued(store, 1, true).await;
    issued(store, 2, false).await;
    let backlog = |waiting, of| ClearanceBacklog {
        waiting,
        organization: id(RIYADH),
        submission: submission(of),
    };
    end(store, 1, AuthorityState::Unknown).await;
    let found = store.clearance_backlog().await.unwrap();
    assert_eq!(found, Some(backlog(2, 1)));
    end(store, 2, AuthorityState::Cleared).await;
    let found = store.clearance_backlog().await.unwrap();
    assert_eq!(found, Some(backlog(1, 2)), "it is answered");
}
