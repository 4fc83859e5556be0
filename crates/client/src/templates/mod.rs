//! Templates of invoices on this computer, encrypted as drafts are, and the drafts that their schedules make (decision 0150).

mod content;
mod record;
mod recurring;
mod schedule;

#[cfg(test)]
mod tests;

use std::collections::HashMap;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use jiff::civil::Date;
use jiff::{Timestamp, ToSpan as _};

use crate::clock::Clock;
use crate::drafts::DraftOwner;
use crate::encrypted_records::{EncryptedRecords, OwnerRecords, RecordError};
use crate::rng::{Rng, time_ordered_id};
use crate::views::{
    CommandError, InvoiceContent, Schedule, TemplateList, TemplateView, UnreadableTemplate,
};

use record::Template;
use schedule::Dates;

/// Most characters of a name.
const MAX_NAME: usize = 120;
/// How long a removed template can be restored, in hours.
const RESTORABLE_HOURS: i64 = 24;
/// How many dates of a schedule are shown before it is saved.
const SHOWN_DATES: usize = 3;

/// All templates of this computer.
pub(crate) struct Templates {
    clock: Arc<dyn Clock>,
    rng: Arc<dyn Rng>,
    records: EncryptedRecords,
    /// The day on which an owner's drafts were made last by [`Templates::make_due_once_a_day`], and of how many `changes`.
    made_on: Mutex<HashMap<DraftOwner, (Date, u64)>>,
    /// How many changes of templates have ended.
    changes: AtomicU64,
}

impl Templates {
    pub(crate) fn new(clock: Arc<dyn Clock>, rng: Arc<dyn Rng>, records: EncryptedRecords) -> Self {
        Self {
            clock,
            rng,
            records,
            made_on: Mutex::default(),
            changes: AtomicU64::default(),
        }
    }

    pub(crate) fn records(&self) -> &EncryptedRecords {
        &self.records
    }

    /// The templates, the one that was used or saved last first, and those that cannot be read. `gross` computes the total that is shown. Templates that were
    /// removed a day ago are deleted.
    pub(crate) async fn list(
        &self,
        owner: &DraftOwner,
        gross: impl Fn(&InvoiceContent) -> Option<String>,
    ) -> Result<TemplateList, CommandError> {
        let mut list = TemplateList {
            templates: Vec::new(),
            unreadable: Vec::new(),
        };
        if self.records.names(owner).await?.is_empty() {
            return Ok(list);
        }
        let now = self.clock.now();
        let read = move |records: &OwnerRecords| {
            let mut found = Vec::new();
            for id in record::ids(records)? {
                match record::read(records, &id)? {
                    Some(Ok(template)) if is_gone(&template, now) => record::remove(records, &id)?,
                    Some(read) => found.push((id, read)),
                    None => {}
                }
            }
            Ok::<_, RecordError>(found)
        };
        let mut readable = Vec::new();
        for (id, read) in self.records.transact(owner, read).await? {
            match read {
                Ok(template) if template.removed.is_some() => {}
                Ok(template) => {
                    let gross = gross(&template.content);
                    readable.push((template.used, view(template, gross)));
                }
                Err(reason) => list.unreadable.push(UnreadableTemplate {
                    file: record::file_name(&id),
                    reason,
                }),
            }
        }
        readable.sort_by(|(used, one), (other_used, other)| {
            other_used
                .cmp(used)
                .then_with(|| (&one.name, &one.id).cmp(&(&other.name, &other.id)))
        });
        list.templates = readable.into_iter().map(|(_, template)| template).collect();
        Ok(list)
    }

    /// Saves a content as a new template and returns its id.
    pub(crate) async fn save(
        &self,
        owner: &DraftOwner,
        name: &str,
        content: InvoiceContent,
    ) -> Result<String, CommandError> {
        let (content, terms) = content::without_dates(content);
        let template = Template {
            id: time_ordered_id(&*self.clock, &*self.rng).to_string(),
            name: checked_name(name)?,
            content,
            terms,
            schedule: None,
            produced: None,
            pending: Vec::new(),
            made: Vec::new(),
            left_out: 0,
            removed: None,
            used: Some(self.clock.now()),
        };
        let id = template.id.clone();
        self.records
            .transact(owner, move |records| record::write(records, &template))
            .await?;
        Ok(id)
    }

    pub(crate) async fn rename(
        &self,
        owner: &DraftOwner,
        id: &str,
        name: &str,
    ) -> Result<(), CommandError> {
        let name = checked_name(name)?;
        self.change(owner, id, move |template| template.name = name)
            .await
    }

    /// Removes a template. It can be restored for a day.
    pub(crate) async fn remove(&self, owner: &DraftOwner, id: &str) -> Result<(), CommandError> {
        let now = self.clock.now();
        self.change(owner, id, move |template| template.removed = Some(now))
            .await
    }

    pub(crate) async fn restore(&self, owner: &DraftOwner, id: &str) -> Result<(), CommandError> {
        self.change(owner, id, |template| template.removed = None)
            .await
    }

    /// Sets or removes the schedule. Dates before `today` make no drafts, and a date that has one makes no second.
    pub(crate) async fn set_schedule(
        &self,
        owner: &DraftOwner,
        id: &str,
        schedule: Option<&Schedule>,
        today: Date,
    ) -> Result<(), CommandError> {
        let schedule = schedule.map(Dates::read).transpose()?;
        self.change(owner, id, move |template| {
            template.schedule = schedule;
            // A clock that was set ahead and back again has left a date in the future.
            let produced = template.produced.map(|date| date.min(today));
            template.produced = produced.max(today.yesterday().ok());
        })
        .await
    }

    /// The content of a new document of today. Notes that the template was used.
    pub(crate) async fn use_for(
        &self,
        owner: &DraftOwner,
        id: &str,
        today: Date,
    ) -> Result<InvoiceContent, CommandError> {
        let now = self.clock.now();
        let used = self.change(owner, id, move |template| {
            template.used = Some(now);
            (template.content.clone(), template.terms)
        });
        let (content, terms) = used.await?;
        Ok(content::for_date(content, terms, today, None))
    }

    async fn change<T: Send + 'static>(
        &self,
        owner: &DraftOwner,
        id: &str,
        change: impl FnOnce(&mut Template) -> T + Send + 'static,
    ) -> Result<T, CommandError> {
        let id = id.to_owned();
        let work = move |records: &OwnerRecords| {
            let Some(Ok(mut template)) = record::read(records, &id)? else {
                return Ok(None);
            };
            let changed = change(&mut template);
            record::write(records, &template)?;
            Ok::<_, RecordError>(Some(changed))
        };
        let changed = self.records.transact(owner, work).await?;
        // A new schedule, or a restored one, may be due today, also if drafts are being made now.
        self.changes.fetch_add(1, Ordering::AcqRel);
        changed.ok_or(CommandError::DraftNotFound)
    }

    fn made_on(&self) -> MutexGuard<'_, HashMap<DraftOwner, (Date, u64)>> {
        self.made_on.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// The first dates of a schedule that is not saved yet, from `today` on.
pub(crate) fn first_dates(schedule: &Schedule, today: Date) -> Result<Vec<String>, CommandError> {
    let dates = Dates::read(schedule)?;
    let from = dates.after(today.yesterday().ok()).take(SHOWN_DATES);
    Ok(from.map(|date| date.to_string()).collect())
}

fn checked_name(name: &str) -> Result<String, CommandError> {
    let name = name.trim();
    if name.chars().count() > MAX_NAME || name.chars().any(char::is_control) {
        return Err(CommandError::InvalidCall {
            reason: format!("a name has {MAX_NAME} characters at most"),
        });
    }
    Ok(name.to_owned())
}

fn is_gone(template: &Template, now: Timestamp) -> bool {
    let until = template
        .removed
        .and_then(|removed| removed.checked_add(RESTORABLE_HOURS.hours()).ok());
    until.is_some_and(|until| until < now)
}

fn view(template: Template, gross: Option<String>) -> TemplateView {
    let Template {
        id,
        name,
        content,
        schedule,
        produced,
        ..
    } = template;
    let next = schedule.as_ref().and_then(|it| it.after(produced).next());
    TemplateView {
        id,
        name,
        lines: u32::try_from(content.lines.len()).unwrap_or(u32::MAX),
        buyer: content.buyer.name,
        gross,
        currency: content.currency,
        schedule: schedule.map(|dates| dates.view()),
        next: next.map(|date| date.to_string()),
    }
}
