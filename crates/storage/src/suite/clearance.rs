//! Cases of clearance: [`ClearanceStore`](crate::ClearanceStore), and numbering with a submission. Each gets handles that were
//! opened one by one on the same database.

use std::collections::BTreeSet;
use std::time::Duration;

use futures_util::future::join_all;
use invoicing_contract::Timestamp;
use invoicing_contract::messages::documents::{AuthorityState, Kind, Status};
use uuid::Uuid;

use super::authorities;
use super::fixtures::{
    Draft, JEDDAH, LATER, NOW, RIYADH, audit_event, count_events, draft, id, key, populate, row,
    unlimited,
};
use super::numbers::invoices;
use crate::Store;
use crate::audit::{AuditEvent, AuditEventKind};
use crate::clearance::{
    Amendment, Attempt, AttemptOutcome, EndOutcome, EndedAttempt, Submission, SubmissionPage,
};
use crate::documents::{
    Action, Claim, NewSubmission, NumberOutcome, NumberSeries, NumberedDocument, assigned_number,
};

/// Handles that a case gets.
pub const HANDLES: usize = 3;

/// The caller that sends the submissions of the cases.
pub const HOLDER: Uuid = Uuid::from_u128(7);

/// The id of the submission with a number in the cases.
#[must_use]
pub const fn submission(number: u128) -> Uuid {
    Uuid::from_u128(0x5000 + number)
}

/// A claim for 20 seconds from [`NOW`].
#[must_use]
pub fn claim(holder: Uuid) -> Claim {
    Claim {
        holder,
        until: NOW.plus(Duration::from_secs(20)),
    }
}

/// Issues the document `of` from the stamp `expected`: its submission is `id`, its stamp becomes `issued ID`.
pub async fn issue(
    store: &dyn Store,
    series: &NumberSeries,
    of: u128,
    expected: &str,
    id_of: u128,
    claimed: bool,
) -> NumberOutcome {
    let draft = Draft {
        key: key(of),
        ..Draft::default()
    };
    issue_as(store, series, draft, expected, id_of, claimed).await
}

pub(super) async fn issue_as(
    store: &dyn Store,
    series: &NumberSeries,
    draft: Draft,
    expected: &str,
    id_of: u128,
    claimed: bool,
) -> NumberOutcome {
    let key = draft.key;
    let is_first = expected == "new";
    let issued_from = expected.to_owned();
    let numbering = move |sequence: i64, _: &_| {
        let number = if is_first { sequence } else { 1 };
        let row = row(Draft {
            number: number.to_string(),
            status: Status::Issued,
            stamp: format!("issued {id_of}"),
            ..draft.clone()
        });
        Ok(Ok(NumberedDocument {
            row,
            submission: Some(NewSubmission {
                id: submission(id_of),
                issued_from: issued_from.as_str().into(),
                number: number.to_string(),
                content: format!("content {id_of}").into_bytes(),
                hash: [u8::try_from(id_of % 256).unwrap(); 32],
                created_at: NOW,
                claim: claimed.then(|| claim(HOLDER)),
            }),
        }))
    };
    let (organization, expected) = (id(RIYADH), expected.into());
    let issued = store.number_document(&organization, key, &expected, series, Box::new(numbering));
    issued.await.unwrap()
}

/// Adds the document `of` and issues it with the submission `of`.
pub async fn issued(store: &dyn Store, of: u128, claimed: bool) {
    let added = store.add_document(&draft(of, 115), &unlimited()).await;
    added.unwrap();
    let outcome = issue(store, &invoices(), of, "new", of, claimed).await;
    assert!(matches!(outcome, NumberOutcome::Stored(_)), "{outcome:?}");
}

/// Whether a submission is due. It is claimed then.
async fn is_due(store: &dyn Store, now: Timestamp) -> bool {
    let (nobody, claim) = (BTreeSet::new(), claim(Uuid::from_u128(6)));
    let claimed = store.claim_due(now, claim, &nobody).await;
    claimed.unwrap().is_some()
}

/// The submission that a caller gets, of organizations that are not in `except`.
async fn claim_due(store: &dyn Store, holder: Uuid, except: &[&str]) -> Option<Uuid> {
    let except = except.iter().map(|organization| id(organization)).collect();
    let claimed = store.claim_due(NOW, claim(holder), &except).await;
    claimed.unwrap().map(|(_, submission)| submission)
}

pub(super) async fn stored(store: &dyn Store, of: u128) -> Submission {
    let found = store.submission(&id(RIYADH), submission(of)).await;
    found.unwrap().unwrap()
}

/// The document `of` gets the stamp `STATE ID`.
pub fn amend(of: u128, state: AuthorityState) -> Amendment {
    let draft = Draft {
        key: key(of),
        ..Draft::default()
    };
    amend_as(draft, of, state)
}

pub(super) fn amend_as(draft: Draft, of: u128, state: AuthorityState) -> Amendment {
    Box::new(move |document| {
        let row = row(Draft {
            number: assigned_number(&document).to_owned(),
            status: if state == AuthorityState::Rejected {
                Status::Rejected
            } else {
                Status::Issued
            },
            stamp: format!("{} {of}", state.as_str_name()),
            ..draft.clone()
        });
        Ok(Some((row, Action::Unanswered)))
    })
}

pub(super) async fn end(
    store: &dyn Store,
    of: u128,
    attempt: u128,
    holder: Uuid,
    state: AuthorityState,
) -> EndOutcome {
    let ended = attempt_of(of, attempt, holder, state);
    store.end_attempt(&ended, amend(of, state)).await.unwrap()
}

/// An attempt to send the submission `of`: answered, unless its state says that there is no answer.
#[must_use]
pub fn attempt_of(of: u128, attempt: u128, holder: Uuid, state: AuthorityState) -> EndedAttempt {
    let answered = !matches!(state, AuthorityState::Pending | AuthorityState::Unknown);
    EndedAttempt {
        organization: id(RIYADH),
        submission: submission(of),
        holder,
        attempt: Attempt {
            id: Uuid::from_u128(attempt),
            started_at: NOW,
            ended_at: NOW,
            http_status: answered.then_some(200),
            state,
            problem: if answered { "" } else { "no answer" }.to_owned(),
            answer: b"{}".to_vec(),
        },
        outcome: if answered {
            AttemptOutcome::Answered {
                // Of one kind of answer, so that both values are stored.
                has_warnings: state == AuthorityState::Reported,
            }
        } else {
            AttemptOutcome::Unanswered { due_at: LATER }
        },
    }
}

pub(super) fn stamp(outcome: &EndOutcome) -> &str {
    match outcome {
        EndOutcome::Stored(Some(document)) => &document.concurrency_stamp,
        EndOutcome::Stored(None) | EndOutcome::Unknown => "",
    }
}

pub async fn submission_is_stored_with_the_number_and_due_at_once(stores: &[&dyn Store]) {
    let store = stores[0];
    populate(store).await;
    issued(store, 1, false).await;
    let found = stored(store, 1).await;
    assert_eq!(
        (found.document_key, found.number.as_str(), found.state),
        (key(1), "1", AuthorityState::Pending)
    );
    assert_eq!((found.hash.len(), found.issued_from.as_str()), (32, "new"));
    let content = store.submission_content(&id(RIYADH), submission(1)).await;
    assert_eq!(content.unwrap().as_deref(), Some(b"content 1".as_slice()));
    assert_eq!(
        (found.due_at, found.answered_at, found.failures),
        (Some(NOW), None, 0)
    );
    let earlier = NOW.minus(Duration::from_secs(1));
    assert!(!is_due(store, earlier).await);
    assert!(is_due(store, NOW).await);
    let elsewhere = store.submission(&id(JEDDAH), submission(1)).await;
    assert_eq!(
        elsewhere.unwrap(),
        None,
        "organizations do not see each other"
    );
    let elsewhere = store.submission_content(&id(JEDDAH), submission(1)).await;
    assert_eq!(elsewhere.unwrap(), None);
    let elsewhere = store.submissions(&id(JEDDAH), key(1), None, 10).await;
    assert_eq!(elsewhere.unwrap(), SubmissionPage::default());
}

pub async fn due_submission_is_claimed_by_one_of_many_processes(stores: &[&dyn Store]) {
    const SUBMISSIONS: u128 = 12;
    populate(stores[0]).await;
    for number in 1..=SUBMISSIONS {
        issued(stores[0], number, false).await;
    }
    let claims = (0..24).zip(stores.iter().cycle()).map(|(caller, store)| {
        let holder = Uuid::from_u128(100 + caller);
        claim_due(*store, holder, &[])
    });
    let claimed = join_all(claims).await.into_iter().flatten();
    let claimed: Vec<_> = claimed.collect();
    let distinct: BTreeSet<_> = claimed.iter().collect();
    assert_eq!(claimed.len(), distinct.len(), "nobody else has it");
    // A process may skip what another is about to claim; afterwards nothing is left.
    let mut rest = 0;
    let holder = |claim: u128| Uuid::from_u128(200 + claim);
    while claim_due(stores[0], holder(rest), &[]).await.is_some() {
        rest += 1;
    }
    assert_eq!(claimed.len() as u128 + rest, SUBMISSIONS);
    assert!(!is_due(stores[0], NOW).await);
    let after = NOW.plus(Duration::from_secs(20));
    assert!(is_due(stores[0], after).await, "a claim ends by itself");
}

pub async fn due_submission_of_an_excluded_organization_is_left(stores: &[&dyn Store]) {
    let store = stores[0];
    populate(store).await;
    issued(store, 1, false).await;
    issued(store, 2, false).await;
    assert_eq!(claim_due(store, HOLDER, &[RIYADH, JEDDAH]).await, None);
    assert!(claim_due(store, HOLDER, &[JEDDAH]).await.is_some());
    assert!(is_due(store, NOW).await, "one is claimed, and not both");
}

pub async fn claim_of_its_creator_keeps_others_from_sending(stores: &[&dyn Store]) {
    let store = stores[0];
    populate(store).await;
    issued(store, 1, true).await;
    assert!(!is_due(store, NOW).await);
    let other = Uuid::from_u128(8);
    let (riyadh, submission) = (id(RIYADH), submission(1));
    assert!(
        !stores[1]
            .claim(&riyadh, submission, NOW, claim(other))
            .await
            .unwrap()
    );
    let ended = end(store, 1, 1, HOLDER, AuthorityState::Pending).await;
    assert_eq!(stamp(&ended), "issued 1", "the state is that of before");
    let found = stored(store, 1).await;
    assert_eq!((found.due_at, found.failures), (Some(LATER), 1));
    assert!(
        stores[1]
            .claim(&riyadh, submission, NOW, claim(other))
            .await
            .unwrap()
    );
    assert!(
        store
            .retry_clearance(&riyadh, submission, NOW, &retried())
            .await
            .unwrap()
    );
    let found = stored(store, 1).await;
    assert_eq!((found.due_at, found.failures), (Some(NOW), 0));
    let recorded = count_events(store, AuditEventKind::ClearanceRetried).await;
    assert_eq!(recorded, 1, "in the same transaction");
}

pub async fn claim_ends_with_its_process_or_by_its_time(stores: &[&dyn Store]) {
    let store = stores[0];
    populate(store).await;
    issued(store, 1, true).await;
    assert!(!is_due(store, NOW).await);
    stores[1].release_claims().await.unwrap();
    // Where several processes run, nobody knows which of them has ended.
    let is_released = is_due(store, NOW).await;
    let after = NOW.plus(Duration::from_secs(20));
    assert!(is_released || is_due(store, after).await);
    assert!(!is_due(store, NOW).await, "one has it");
}

fn retried() -> AuditEvent {
    audit_event(AuditEventKind::ClearanceRetried)
}

pub async fn first_answer_decides_whoever_holds_the_claim(stores: &[&dyn Store]) {
    let store = stores[0];
    populate(store).await;
    issued(store, 1, true).await;
    let unknown = end(store, 1, 1, HOLDER, AuthorityState::Unknown).await;
    assert_eq!(stamp(&unknown), "AUTHORITY_STATE_UNKNOWN 1");
    let refused = end(store, 1, 2, HOLDER, AuthorityState::Pending).await;
    assert_eq!(
        stamp(&refused),
        "AUTHORITY_STATE_UNKNOWN 1",
        "what may be received stays so"
    );
    let stranger = Uuid::from_u128(9);
    let answers = (0..9_u128)
        .zip(stores.iter().cycle())
        .map(|(caller, store)| {
            let state = if caller % 2 == 0 {
                AuthorityState::Cleared
            } else {
                AuthorityState::Reported
            };
            end(*store, 1, 100 + caller, stranger, state)
        });
    let stamps: BTreeSet<String> = join_all(answers)
        .await
        .iter()
        .map(|outcome| stamp(outcome).to_owned())
        .collect();
    assert_eq!(stamps.len(), 1, "one decides: {stamps:?}");
    let found = stored(store, 1).await;
    assert_eq!((found.due_at, found.answered_at), (None, Some(NOW)));
    let late = end(store, 1, 3, HOLDER, AuthorityState::Unknown).await;
    assert!(stamps.contains(stamp(&late)), "an answer is final");
    let attempts = store
        .attempts(&id(RIYADH), submission(1), 100)
        .await
        .unwrap();
    assert_eq!(attempts.len(), 12, "every attempt is kept");
    let riyadh = id(RIYADH);
    assert!(
        !store
            .retry_clearance(&riyadh, submission(1), NOW, &retried())
            .await
            .unwrap()
    );
    let recorded = count_events(store, AuditEventKind::ClearanceRetried).await;
    assert_eq!(recorded, 0, "nothing was sent again");
    let history = store
        .document_history(&riyadh, key(1), None, 10)
        .await
        .unwrap();
    assert_eq!(history.len(), 4, "created, issued, unknown, answered");
    let missing = end(store, 2, 4, HOLDER, AuthorityState::Cleared).await;
    assert_eq!(missing, EndOutcome::Unknown);
}

/// An authority, and a document that waits for it after an attempt, for cases about all tables.
pub async fn fill(store: &dyn Store) {
    const DOCUMENT: u128 = 900;
    let event = audit_event(AuditEventKind::AuthorityChanged);
    let settings = authorities::settings(RIYADH, "first");
    assert!(store.put_authority(&settings, None, &event).await.unwrap());
    let added = store
        .add_document(&draft(DOCUMENT, 115), &unlimited())
        .await;
    added.unwrap();
    let series = NumberSeries {
        kind: Kind::DebitNote,
        year: 2027,
    };
    issue(store, &series, DOCUMENT, "new", DOCUMENT, true).await;
    end(store, DOCUMENT, 1, HOLDER, AuthorityState::Unknown).await;
}
