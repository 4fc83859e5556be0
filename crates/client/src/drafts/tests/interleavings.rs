//! Random interleavings of autosave, outbox, the user's sends and discards, restarts and unlocking, against a model: the
//! newest content that the user has typed always survives, nothing that the service has accepted is sent again, and a lost answer is
//! not forgotten before the service was asked.

use std::collections::{HashMap, HashSet};

use super::*;
use crate::vault::VaultError;

/// The parts run in parallel.
const PARTS: u64 = 4;
/// Of each part. Each three actions in a row occur six times in all of them, on average.
const SEQUENCES: u64 = 250;
/// Names another number of sequences. Thousands take minutes.
const SEQUENCES_VARIABLE: &str = "INVOICING_TEST_SEQUENCES";
const STEPS: usize = 8;
const KEYS: [&str; 2] = [KEY, "0199f3a0-0000-7000-8000-000000000003"];

/// SplitMix64, so that each seed gives the same sequence on every computer.
struct Random(u64);

impl Random {
    fn below(&mut self, limit: usize) -> usize {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mut value = self.0;
        value = (value ^ (value >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        value = (value ^ (value >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        value ^= value >> 31;
        usize::try_from(value % limit as u64).expect("it is below a usize")
    }
}

/// The user, the service and the requests under way.
struct Model {
    drafts: Drafts,
    vault: Arc<MemoryVault>,
    random: Random,
    /// Notes that the service has, by key.
    service: HashMap<&'static str, String>,
    /// The newest note that the user has typed and not discarded.
    typed: HashMap<&'static str, String>,
    /// Notes that the service has accepted, and the client knows it.
    accepted: HashSet<(&'static str, String)>,
    /// The keys of drafts whose last answer was lost.
    in_doubt: HashSet<&'static str>,
    /// The keys that were discarded since an attempt began. What is typed under them afterwards is another draft.
    discarded: HashSet<&'static str>,
    under_way: Vec<(&'static str, bool, SendingDraft)>,
    has_key: bool,
    log: Vec<String>,
}

impl Model {
    fn new(folder: &Path, seed: u64) -> Self {
        let vault = Arc::new(MemoryVault::default());
        let mut random = Random(seed);
        let has_key = random.below(4) > 0;
        if !has_key {
            vault.set_error(Some(VaultError::Locked));
        }
        Self {
            drafts: drafts(folder, &vault),
            vault,
            random,
            service: HashMap::new(),
            typed: HashMap::new(),
            accepted: HashSet::new(),
            in_doubt: HashSet::new(),
            discarded: HashSet::new(),
            under_way: Vec::new(),
            has_key,
            log: Vec::new(),
        }
    }

    /// Makes one random step. Returns the key that it is about.
    async fn step(&mut self, folder: &Path, number: usize) -> &'static str {
        let key = KEYS[self.random.below(KEYS.len())];
        let document = DocumentKey::from(key);
        let action = self.random.below(10);
        self.log.push(format!("{action} {key}"));
        match action {
            0 | 1 => {
                let note = format!("typed {number}");
                let save = self.drafts.save(owner(), draft(key, &note));
                save.await.expect("saved");
                self.typed.insert(key, note);
            }
            // The form saves once more.
            2 => {
                if let Some(note) = self.typed.get(key) {
                    let save = self.drafts.save(owner(), draft(key, note));
                    save.await.expect("saved");
                }
            }
            3 => self.begin(key, None).await,
            4 => self.begin(key, Some(DraftState::Waiting)).await,
            5 | 6 => self.finish().await,
            7 => {
                let opened = self.drafts.open(owner(), &document).await;
                opened.expect("read");
            }
            8 => match self.random.below(3) {
                0 => {
                    let discard = self.drafts.discard(owner(), &document);
                    discard.await.expect("discarded");
                    self.typed.remove(key);
                    self.in_doubt.remove(key);
                    self.discarded.insert(key);
                }
                1 => self.resolve(key).await,
                _ => {
                    let cancel = self.drafts.change_state(
                        owner(),
                        &document,
                        DraftState::Waiting,
                        DraftState::Editing,
                    );
                    cancel.await.expect("saved");
                }
            },
            _ if self.has_key => {
                // A kill: the requests under way are lost, whether they arrived or not.
                for (key, _, sending) in std::mem::take(&mut self.under_way) {
                    if self.random.below(2) == 0 {
                        self.arrive(key, &sending.draft);
                    }
                    self.lose_answer(key);
                }
                self.drafts = drafts(folder, &self.vault);
            }
            _ => {
                self.vault.set_error(None);
                self.drafts.unlock().await.expect("unlocked");
                self.has_key = true;
            }
        }
        key
    }

    async fn begin(&mut self, key: &'static str, only: Option<DraftState>) {
        let document = DocumentKey::from(key);
        if self.under_way.iter().any(|(other, ..)| *other == key) {
            // It would wait for the other attempt.
            return;
        }
        let begun = self.drafts.begin_sending(owner(), &document, only).await;
        if let Some(sending) = begun.expect("read") {
            let sent = (key, sending.draft.content.note.clone());
            assert!(!self.accepted.contains(&sent), "{sent:?} is sent again");
            self.under_way.push((key, only.is_some(), sending));
            self.discarded.remove(key);
        }
    }

    fn lose_answer(&mut self, key: &'static str) {
        if !self.discarded.contains(key) {
            self.in_doubt.insert(key);
        }
    }

    /// The service creates the document, once. Returns whether it has this content.
    fn arrive(&mut self, key: &'static str, draft: &Draft) -> bool {
        let note = &draft.content.note;
        self.service.entry(key).or_insert_with(|| note.clone()) == note
    }

    async fn finish(&mut self) {
        if self.under_way.is_empty() {
            return;
        }
        let index = self.random.below(self.under_way.len());
        let (key, is_outbox, sending) = self.under_way.swap_remove(index);
        let kept = |outbox, window| AfterSending::Kept(if is_outbox { outbox } else { window });
        let answer = self.random.below(5);
        let after = match answer {
            0 | 1 => {
                if self.arrive(key, &sending.draft) {
                    self.accepted
                        .insert((key, sending.draft.content.note.clone()));
                    AfterSending::Sent
                } else {
                    kept(DraftState::Refused, DraftState::Editing)
                }
            }
            // The response is lost.
            2 => {
                self.arrive(key, &sending.draft);
                kept(DraftState::WaitingInDoubt, DraftState::UnknownOutcome)
            }
            // The request is lost.
            3 if sending.draft.state.is_in_doubt() => {
                AfterSending::Kept(DraftState::WaitingInDoubt)
            }
            3 => AfterSending::Kept(DraftState::Waiting),
            _ => kept(DraftState::Refused, DraftState::Editing),
        };
        match answer {
            2 => self.lose_answer(key),
            3 => {}
            _ => {
                self.in_doubt.remove(key);
            }
        }
        self.log.push(format!("{after:?}"));
        let finish = self.drafts.finish_sending(sending, after);
        finish.await.expect("saved");
    }

    async fn resolve(&mut self, key: &'static str) {
        let document = DocumentKey::from(key);
        let draft = self.drafts.get(owner(), &document).await.expect("read");
        let Some(draft) = draft.filter(|draft| draft.state.is_in_doubt()) else {
            return;
        };
        self.in_doubt.remove(key);
        let resolve = async {
            if self.service.get(key) == Some(&draft.content.note) {
                self.accepted.insert((key, draft.content.note.clone()));
                self.drafts.discard_arrived(owner(), &draft).await
            } else {
                let held = self.drafts.hold(owner(), &document).await.expect("read");
                self.drafts.end_doubt(owner(), &held, true).await
            }
        };
        resolve.await.expect("saved");
    }

    async fn check(&self, keys: &[&'static str]) {
        for key in keys.iter().copied() {
            let Some(typed) = self.typed.get(key) else {
                continue;
            };
            let document = DocumentKey::from(key);
            let draft = self.drafts.get(owner(), &document).await.expect("read");
            let state = draft.as_ref().map(|draft| draft.state);
            let may_arrive =
                |state: DraftState| state == DraftState::Sending || state.is_in_doubt();
            assert!(
                !self.in_doubt.contains(key) || state.is_none_or(may_arrive),
                "it is forgotten that {typed} may have arrived: {state:?}, after {:?}",
                self.log
            );
            let drafted = draft.map(|draft| draft.content.note);
            assert!(
                drafted.as_ref() == Some(typed) || self.service.get(key) == Some(typed),
                "{typed} is lost: the draft is {drafted:?}, the service has {:?}, after {:?}",
                self.service.get(key),
                self.log
            );
        }
    }
}

/// How many sequences each part runs.
fn sequences() -> u64 {
    std::env::var(SEQUENCES_VARIABLE).map_or(SEQUENCES, |named| {
        named.parse().expect("the variable is a number")
    })
}

/// Runs the sequences of a part. A longer run has those of a shorter one.
async fn run_sequences(part: u64) {
    let all = fast_folder();
    for seed in (0..sequences()).map(|number| number * PARTS + part) {
        let folder = all.path().join(seed.to_string());
        let mut model = Model::new(&folder, seed);
        for number in 0..STEPS {
            let key = model.step(&folder, number).await;
            model.check(&[key]).await;
        }
        model.check(&KEYS).await;
        drop(model);
        std::fs::remove_dir_all(&folder).ok();
    }
}

#[tokio::test]
async fn newest_content_survives_interleavings_and_nothing_is_sent_twice_1_of_4() {
    run_sequences(0).await;
}

#[tokio::test]
async fn newest_content_survives_interleavings_and_nothing_is_sent_twice_2_of_4() {
    run_sequences(1).await;
}

#[tokio::test]
async fn newest_content_survives_interleavings_and_nothing_is_sent_twice_3_of_4() {
    run_sequences(2).await;
}

#[tokio::test]
async fn newest_content_survives_interleavings_and_nothing_is_sent_twice_4_of_4() {
    run_sequences(3).await;
}

/// The same actions at once, on several threads: only the end is checked.
#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn newest_content_survives_concurrent_autosave_outbox_and_send() {
    for _ in 0..100 {
        let folder = fast_folder();
        let drafts = Arc::new(drafts(folder.path(), &Arc::default()));
        let autosave = tokio::spawn({
            let drafts = Arc::clone(&drafts);
            async move {
                for number in 0..10 {
                    let save = drafts.save(owner(), draft(KEY, &format!("typed {number}")));
                    save.await.expect("saved");
                }
            }
        });
        let senders = [None, Some(DraftState::Waiting)].map(|only| {
            let drafts = Arc::clone(&drafts);
            tokio::spawn(async move {
                let mut sent = Vec::new();
                for number in 0..10 {
                    let begun = drafts.begin_sending(owner(), document(), only).await;
                    let Some(sending) = begun.expect("read") else {
                        continue;
                    };
                    let after = if number % 3 == 0 {
                        sent.push(sending.draft.content.note.clone());
                        AfterSending::Sent
                    } else {
                        AfterSending::Kept(DraftState::Waiting)
                    };
                    let finish = drafts.finish_sending(sending, after);
                    finish.await.expect("saved");
                }
                sent
            })
        });
        autosave.await.expect("it ends");
        let mut sent = Vec::new();
        for sender in senders {
            sent.extend(sender.await.expect("it ends"));
        }
        let left = drafts.get(owner(), document()).await.expect("read");
        let left = left.map(|draft| draft.content.note);
        let newest = "typed 9".to_owned();
        assert!(
            left.as_ref() == Some(&newest) || sent.contains(&newest),
            "left {left:?}, sent {sent:?}"
        );
        let distinct: HashSet<_> = sent.iter().collect();
        assert_eq!(distinct.len(), sent.len(), "sent twice: {sent:?}");
    }
}
