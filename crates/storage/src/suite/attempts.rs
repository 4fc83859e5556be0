//! Cases of attempts to send a submission: which are kept, and what is postponed without one.

use invoicing_contract::messages::documents::AuthorityState;
use uuid::Uuid;

use super::clearance::{HOLDER, amend, attempt_of, claim, issued, submission};
use super::fixtures::{LATER, NOW, RIYADH, after_now, id, key, populate};
use crate::Store;
use crate::clearance::LAST_ATTEMPTS;

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
