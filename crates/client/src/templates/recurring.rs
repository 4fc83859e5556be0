//! The drafts that schedules make: once for each date, also after a crash and with a clock that was set back.

use std::collections::HashSet;
use std::sync::Arc;
use std::sync::atomic::Ordering;

use jiff::civil::Date;
use uuid::Uuid;

use super::record::{self, Made, Template};
use super::{Templates, content};
use crate::drafts::{DraftOwner, Drafts};
use crate::encrypted_records::{OwnerRecords, RecordError};
use crate::rng::time_ordered_id;
use crate::views::{
    CommandError, Draft, DraftState, InvoiceContent, RecurringDraft, RecurringDrafts,
};

/// Most drafts of one template after a pause.
const MAX_MISSED: usize = 12;
/// How many drafts of a template are remembered, to be shown until they are sent.
const REMEMBERED: usize = 24;

/// A draft to write.
struct Due {
    key: invoicing_contract::DocumentKey,
    content: InvoiceContent,
}

impl Templates {
    /// Makes the drafts that are due on `today`, and returns those that were not sent or discarded yet.
    ///
    /// First each template is written with the dates as produced and with the keys of their drafts, then the drafts, then the
    /// template without the keys. After a crash in between the drafts are written under the same keys, so that no second
    /// document can come of one. `on_written` is called after each draft that was written, also if a later one fails.
    pub(crate) async fn make_due(
        &self,
        drafts: &Drafts,
        owner: &DraftOwner,
        today: Date,
        mut on_written: impl FnMut(),
    ) -> Result<RecurringDrafts, CommandError> {
        if self.records.names(owner).await?.is_empty() {
            return Ok(RecurringDrafts::default());
        }
        let (clock, rng) = (Arc::clone(&self.clock), Arc::clone(&self.rng));
        let new_id = move || time_ordered_id(&*clock, &*rng);
        let plan = move |records: &OwnerRecords| plan(records, today, &new_id);
        for due in self.records.transact(owner, plan).await? {
            // What was written before a crash may have been changed since.
            if drafts.get(owner, &due.key).await?.is_none() {
                let draft = Draft {
                    key: due.key,
                    changes: None,
                    content: due.content,
                    state: DraftState::Editing,
                };
                drafts.save(owner, draft).await?;
                on_written();
            }
        }
        let templates = self.records.transact(owner, finish).await?;
        let unsent: HashSet<_> = drafts
            .keys_in(owner, DraftState::Editing)
            .await?
            .into_iter()
            .collect();
        let mut found = RecurringDrafts::default();
        for template in templates {
            let before = found.ready.len();
            found.ready.extend(
                template
                    .made
                    .into_iter()
                    .filter(|made| unsent.contains(&made.key))
                    .map(|made| RecurringDraft {
                        key: made.key,
                        template: template.name.clone(),
                        date: made.date.to_string(),
                    }),
            );
            if found.ready.len() > before {
                found.left_out += template.left_out;
            }
        }
        found.ready.sort_by(|one, other| one.date.cmp(&other.date));
        Ok(found)
    }

    /// The same for an organization that no window need show, once a day: only a new day or a changed template makes more due.
    /// After a failure it is tried again.
    pub(crate) async fn make_due_once_a_day(
        &self,
        drafts: &Drafts,
        owner: &DraftOwner,
        today: Date,
        on_written: impl FnMut(),
    ) -> Result<(), CommandError> {
        let made = (today, self.changes.load(Ordering::Acquire));
        if self.made_on().get(owner) == Some(&made) {
            return Ok(());
        }
        self.make_due(drafts, owner, today, on_written).await?;
        self.made_on().insert(owner.clone(), made);
        Ok(())
    }
}

/// Marks what is due as produced, and returns all drafts that are to be written.
fn plan(
    records: &OwnerRecords,
    today: Date,
    new_id: &dyn Fn() -> Uuid,
) -> Result<Vec<Due>, RecordError> {
    let mut due = Vec::new();
    for id in record::ids(records)? {
        let Some(Ok(mut template)) = record::read(records, &id)? else {
            continue;
        };
        if mark_due(&mut template, today, new_id) {
            record::write(records, &template)?;
        }
        for made in &template.pending {
            let period = template
                .schedule
                .as_ref()
                .and_then(|it| it.period(made.date));
            due.push(Due {
                key: made.key.clone(),
                content: content::for_date(
                    template.content.clone(),
                    template.terms,
                    made.date,
                    period,
                ),
            });
        }
    }
    Ok(due)
}

/// Returns whether the template has changed.
fn mark_due(template: &mut Template, today: Date, new_id: &dyn Fn() -> Uuid) -> bool {
    if template.removed.is_some() || !template.pending.is_empty() {
        return false;
    }
    let Some(schedule) = &template.schedule else {
        return false;
    };
    let dates: Vec<_> = schedule
        .after(template.produced)
        .take_while(|date| *date <= today)
        .collect();
    let Some(last) = dates.last() else {
        return false;
    };
    template.produced = Some(*last);
    let left_out = dates.len().saturating_sub(MAX_MISSED);
    template.left_out = u32::try_from(left_out).unwrap_or(u32::MAX);
    template.pending = dates[left_out..]
        .iter()
        .map(|date| Made {
            date: *date,
            key: new_id().to_string().into(),
        })
        .collect();
    true
}

/// Drafts that were written are not pending any more. Returns all templates that have made some.
fn finish(records: &OwnerRecords) -> Result<Vec<Template>, RecordError> {
    let mut templates = Vec::new();
    for id in record::ids(records)? {
        let Some(Ok(mut template)) = record::read(records, &id)? else {
            continue;
        };
        if !template.pending.is_empty() {
            template.made.append(&mut template.pending);
            let old = template.made.len().saturating_sub(REMEMBERED);
            template.made.drain(..old);
            record::write(records, &template)?;
        }
        if !template.made.is_empty() {
            templates.push(template);
        }
    }
    Ok(templates)
}
