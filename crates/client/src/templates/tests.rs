//! Templates and recurring drafts as a whole, over files, with a clock of the test.

use std::path::Path;
use std::sync::Arc;

use jiff::civil::Date;
use tempfile::TempDir;

use super::*;
use crate::account_key::AccountKey;
use crate::clock::FakeClock;
use crate::drafts::Drafts;
use crate::encryption::TEMPLATE;
use crate::files::{FileFault, FileFaults};
use crate::rng::SystemRng;
use crate::vault::{MemoryVault, Vault};
use crate::views::{
    BilledPeriod, DraftState, Frequency, RecurringDrafts, UnreadableReason, full_content,
};

struct Desk {
    folder: TempDir,
    vault: Arc<MemoryVault>,
    owner: DraftOwner,
}

impl Desk {
    fn new() -> Self {
        Self {
            folder: tempfile::tempdir().expect("a folder"),
            vault: Arc::new(MemoryVault::default()),
            owner: DraftOwner {
                account: AccountKey::new("local", "u"),
                organization: "1".into(),
            },
        }
    }

    /// As after a start of the program.
    fn open(&self) -> (Templates, Drafts) {
        self.open_with(&Arc::new(FakeClock::new(Timestamp::UNIX_EPOCH)))
    }

    fn open_with(&self, clock: &Arc<FakeClock>) -> (Templates, Drafts) {
        let vault = Arc::clone(&self.vault) as Arc<dyn Vault>;
        let rng = Arc::new(SystemRng);
        let records = EncryptedRecords::new(
            TEMPLATE,
            Arc::clone(clock) as Arc<dyn Clock>,
            Arc::clone(&rng) as Arc<dyn crate::rng::Rng>,
            Arc::clone(&vault),
            self.folder.path(),
            "templates",
        );
        let drafts = Drafts::new(
            Arc::clone(clock) as Arc<dyn Clock>,
            rng,
            vault,
            self.folder.path().join("drafts"),
        );
        let clock = Arc::clone(clock) as Arc<dyn Clock>;
        (Templates::new(clock, Arc::new(SystemRng), records), drafts)
    }

    /// Saves a template with a monthly schedule from `today` on.
    async fn monthly(&self, day: Option<u8>, today: &str) -> String {
        let (templates, _) = self.open();
        let id = templates.save(&self.owner, "Rent", full_content()).await;
        let id = id.expect("saved");
        let schedule = monthly(day, today);
        templates
            .set_schedule(&self.owner, &id, Some(&schedule), date(today))
            .await
            .expect("saved");
        id
    }

    /// What is made and ready after a start of the program on a day.
    async fn on(&self, today: &str) -> RecurringDrafts {
        let (templates, drafts) = self.open();
        let made = templates.make_due(&drafts, &self.owner, date(today), || ());
        made.await.expect("made")
    }

    async fn draft_count(&self) -> usize {
        let (_, drafts) = self.open();
        let keys = drafts.keys_in(&self.owner, DraftState::Editing).await;
        keys.expect("a list").len()
    }

    fn template_file(&self) -> std::path::PathBuf {
        fn find(folder: &Path) -> Option<std::path::PathBuf> {
            let entries = std::fs::read_dir(folder).expect("listed").flatten();
            entries
                .map(|entry| entry.path())
                .find_map(|path| match path.is_dir() {
                    true => find(&path),
                    false => path
                        .extension()
                        .is_some_and(|it| it == "template")
                        .then_some(path),
                })
        }
        find(&self.folder.path().join("templates")).expect("a template")
    }
}

fn date(text: &str) -> Date {
    text.parse().expect("a date")
}

fn monthly(day: Option<u8>, from: &str) -> Schedule {
    Schedule {
        frequency: Frequency::Monthly,
        day,
        from: from.to_owned(),
        until: String::new(),
        period: BilledPeriod::Current,
    }
}

fn dates(found: &RecurringDrafts) -> Vec<&str> {
    found
        .ready
        .iter()
        .map(|draft| draft.date.as_str())
        .collect()
}

#[tokio::test]
async fn each_date_makes_one_draft_on_or_after_it() {
    let desk = Desk::new();
    desk.monthly(None, "2028-01-15").await;
    assert_eq!(dates(&desk.on("2028-01-30").await), [""; 0]);
    assert_eq!(dates(&desk.on("2028-01-31").await), ["2028-01-31"]);
    assert_eq!(dates(&desk.on("2028-01-31").await), ["2028-01-31"]);
    assert_eq!(
        dates(&desk.on("2028-03-01").await),
        ["2028-01-31", "2028-02-29"]
    );
    assert_eq!(desk.draft_count().await, 2);
}

#[tokio::test]
async fn draft_has_the_date_and_the_period_of_its_occurrence() {
    let desk = Desk::new();
    desk.monthly(Some(1), "2026-12-01").await;
    let made = desk.on("2026-12-24").await;
    let (_, drafts) = desk.open();
    let draft = drafts.get(&desk.owner, &made.ready[0].key).await;
    let content = draft.expect("read").expect("a draft").content;
    assert_eq!(content.issue_date, "2026-12-01");
    assert_eq!(content.details.period.end, "2026-12-31");
}

#[tokio::test]
async fn clock_that_is_set_back_makes_no_second_draft() {
    let desk = Desk::new();
    desk.monthly(Some(10), "2026-01-01").await;
    desk.on("2026-03-10").await;
    assert_eq!(desk.draft_count().await, 3);
    for today in ["2026-01-10", "2026-02-28", "2026-03-31"] {
        desk.on(today).await;
        assert_eq!(desk.draft_count().await, 3, "{today}");
    }
    desk.on("2026-04-10").await;
    assert_eq!(desk.draft_count().await, 4);
}

#[tokio::test]
async fn pause_makes_the_last_twelve_and_says_how_many_are_left_out() {
    let desk = Desk::new();
    desk.monthly(Some(1), "2025-01-01").await;
    let made = desk.on("2026-03-15").await;
    assert_eq!((made.ready.len(), made.left_out), (12, 3));
    assert_eq!(made.ready[0].date, "2025-04-01");
    assert_eq!(made.ready[11].date, "2026-03-01");
}

#[tokio::test]
async fn discarded_or_sent_draft_does_not_come_back() {
    let desk = Desk::new();
    desk.monthly(Some(1), "2026-01-01").await;
    let made = desk.on("2026-01-01").await;
    let (_, drafts) = desk.open();
    let discarded = drafts.discard(&desk.owner, &made.ready[0].key).await;
    discarded.expect("discarded");
    assert_eq!(dates(&desk.on("2026-01-20").await), [""; 0]);
}

#[tokio::test]
async fn new_schedule_makes_nothing_of_the_past_and_nothing_twice() {
    let desk = Desk::new();
    let id = desk.monthly(Some(10), "2026-01-01").await;
    desk.on("2026-01-10").await;
    let (templates, _) = desk.open();
    let again = monthly(Some(10), "2025-01-01");
    let set = templates.set_schedule(&desk.owner, &id, Some(&again), date("2026-01-10"));
    set.await.expect("saved");
    desk.on("2026-01-10").await;
    assert_eq!(desk.draft_count().await, 1);
}

#[tokio::test]
async fn disk_that_fails_at_any_step_neither_loses_a_draft_nor_makes_it_twice() {
    for number in 0.. {
        let desk = Desk::new();
        desk.monthly(Some(1), "2026-01-01").await;
        let faults = FileFaults::new(desk.folder.path());
        faults.set(number, FileFault::IoFromThen);
        let (templates, drafts) = desk.open();
        // Whatever it says: the program ends here, and starts again with a disk that works.
        let _ = templates
            .make_due(&drafts, &desk.owner, date("2026-02-01"), || ())
            .await;
        let reached = faults.operations().len() > number;
        drop(faults);
        let made = desk.on("2026-02-01").await;
        assert_eq!(dates(&made), ["2026-01-01", "2026-02-01"], "fault {number}");
        assert_eq!(desk.draft_count().await, 2, "fault {number}");
        if !reached {
            break;
        }
    }
}

#[tokio::test]
async fn once_a_day_is_each_day_and_again_after_a_failure_or_a_new_schedule() {
    let desk = Desk::new();
    desk.monthly(Some(1), "2026-01-01").await;
    let (templates, drafts) = desk.open();
    let made = async |today: &str| {
        let made = templates.make_due_once_a_day(&drafts, &desk.owner, date(today), || ());
        made.await.is_ok()
    };
    let faults = FileFaults::new(desk.folder.path());
    faults.set(0, FileFault::IoFromThen);
    assert!(!made("2026-01-01").await);
    faults.clear();
    assert!(made("2026-01-01").await, "it is tried again");
    assert_eq!(desk.draft_count().await, 1);
    let before = faults.operations().len();
    assert!(made("2026-01-01").await);
    assert_eq!(faults.operations().len(), before, "no file is looked at");
    assert!(made("2026-02-01").await);
    assert_eq!(desk.draft_count().await, 2, "on another day");
    let id = templates
        .save(&desk.owner, "Retainer", full_content())
        .await;
    let (id, schedule) = (id.expect("saved"), monthly(Some(1), "2026-02-01"));
    let set = templates.set_schedule(&desk.owner, &id, Some(&schedule), date("2026-02-01"));
    set.await.expect("saved");
    assert!(made("2026-02-01").await);
    assert_eq!(desk.draft_count().await, 3, "it was due that day");
}

#[tokio::test]
async fn removed_template_makes_no_drafts_and_can_be_restored() {
    let desk = Desk::new();
    let id = desk.monthly(Some(1), "2026-01-01").await;
    let (templates, _) = desk.open();
    let names = async |templates: &Templates| {
        let list = templates.list(&desk.owner, |_| None).await.expect("a list");
        list.templates
            .into_iter()
            .map(|it| it.name)
            .collect::<Vec<_>>()
    };
    templates.remove(&desk.owner, &id).await.expect("removed");
    assert_eq!(names(&templates).await, [""; 0]);
    assert_eq!(dates(&desk.on("2026-01-01").await), [""; 0]);
    templates.restore(&desk.owner, &id).await.expect("restored");
    let renamed = templates.rename(&desk.owner, &id, " Office rent ").await;
    renamed.expect("renamed");
    assert_eq!(names(&templates).await, ["Office rent"]);
}

#[tokio::test]
async fn template_that_cannot_be_read_is_listed_and_its_file_stays() {
    let desk = Desk::new();
    desk.monthly(Some(1), "2026-01-01").await;
    let file = desk.template_file();
    let mut bytes = std::fs::read(&file).expect("read");
    assert!(
        !String::from_utf8_lossy(&bytes).contains("Rent"),
        "it is encrypted"
    );
    *bytes.last_mut().expect("not empty") ^= 1;
    std::fs::write(&file, &bytes).expect("written");
    let (templates, _) = desk.open();
    let list = templates.list(&desk.owner, |_| None).await.expect("a list");
    assert_eq!(list.templates.len(), 0);
    assert_eq!(list.unreadable[0].reason, UnreadableReason::Damaged);
    assert_eq!(dates(&desk.on("2026-02-01").await), [""; 0]);
    assert_eq!(std::fs::read(&file).expect("it stays"), bytes);
}

#[tokio::test]
async fn list_begins_with_the_template_that_was_used_or_saved_last() {
    let desk = Desk::new();
    let clock = Arc::new(FakeClock::new(Timestamp::UNIX_EPOCH));
    let templates = desk.open_with(&clock).0;
    let mut ids = Vec::new();
    for name in ["Cleaning", "Rent", "Audit"] {
        clock.advance(std::time::Duration::from_secs(1));
        let saved = templates.save(&desk.owner, name, full_content()).await;
        ids.push(saved.expect("saved"));
    }
    let names = async || {
        let list = templates.list(&desk.owner, |_| None).await.expect("a list");
        let names = list.templates.into_iter().map(|it| it.name);
        names.collect::<Vec<_>>()
    };
    assert_eq!(names().await, ["Audit", "Rent", "Cleaning"]);
    clock.advance(std::time::Duration::from_secs(1));
    let used = templates.use_for(&desk.owner, &ids[0], date("2026-02-01"));
    assert_eq!(used.await.expect("a content").issue_date, "2026-02-01");
    assert_eq!(names().await, ["Cleaning", "Audit", "Rent"]);
}
