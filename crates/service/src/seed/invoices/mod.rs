//! Demo invoices: the same ones for the same organization, count and day, over the two years that end today.
//!
//! A few thousand invoices are made and computed by the `invoice` crate; the rest repeat them with other dates, numbers and
//! states. The plan is stored first, so that an interrupted start is resumed.

mod catalogue;
mod deterministic_rng;
mod seed_plan;
mod template;

use std::collections::{BTreeMap, HashMap};

use invoicing_contract::messages::documents::{
    Document, DocumentContent, DocumentReference, Event, Invoice, Kind, Status,
};
use jiff::civil::{Date, time};
use jiff::tz::TimeZone;
use jiff::{Timestamp, ToSpan as _};

use self::deterministic_rng::DeterministicRng;
use self::seed_plan::SeedPlan;
use self::template::Template;
use super::demo::HOME;
use invoicing_gateway::documents::{document_number, document_row, history_event};
use invoicing_gateway::tenant_time::time_zone;
use invoicing_storage::directory::Tenant;
use invoicing_storage::documents::{DocumentRow, NumberSeries};
use invoicing_storage::{Clock, StorageError, Store};

/// Invoices of an organization unless configured.
const DEFAULT_COUNT: u32 = 400;
/// Invoices in one transaction.
const BATCH_SIZE: u32 = 20_000;
/// The days that they cover.
const DAYS: i64 = 730;
/// Their authors: the people of the demo.
const PEOPLE: [(&str, &str); 2] = [
    ("310000000000000001", "Noura Al-Harbi"),
    ("310000000000000002", "Salem Al-Otaibi"),
];

/// Inserts invoices into every tenant but the operator's: `count` into the home organization, at most the default number into the others.
/// Existing invoices count and stay.
///
/// # Errors
/// When storage fails. Batches that were written stay, and the next start continues.
pub(crate) async fn insert(
    store: &dyn Store,
    clock: &dyn Clock,
    count: Option<u32>,
) -> Result<(), StorageError> {
    let basis = store.basis().await?;
    let operator = store.operator().await?;
    for organization in store.organizations().await? {
        if operator.as_ref() == Some(&organization.id) {
            continue;
        }
        let Some(tenant) = store.tenant(&organization.id, basis).await? else {
            continue;
        };
        let target_count = count.unwrap_or(DEFAULT_COUNT);
        let target_count = if organization.id == HOME {
            target_count
        } else {
            target_count.min(DEFAULT_COUNT)
        };
        insert_for_tenant(store, clock, &tenant, target_count).await?;
    }
    Ok(())
}

pub(super) async fn insert_for_tenant(
    store: &dyn Store,
    clock: &dyn Clock,
    tenant: &Tenant,
    target_count: u32,
) -> Result<(), StorageError> {
    let organization = &tenant.organization.id;
    let plan = SeedPlan::load_or_create(store, clock, tenant, target_count).await?;
    let count = plan.count;
    let Some(last) = count.checked_sub(1) else {
        return Ok(());
    };
    if store
        .document(organization, plan.key(last))
        .await?
        .is_some()
    {
        return Ok(());
    }

    tracing::info!(%organization, count, "making demo invoices");
    let generator = InvoiceGenerator::new(tenant.clone(), plan.clone())?;
    let mut pending = tokio::task::spawn_blocking(move || generator.batch(0));
    loop {
        let Batch {
            generator,
            entries,
            series,
            end,
        } = pending.await.map_err(|error| {
            StorageError::unexpected(format!("making demo invoices of {organization}: {error}"))
        })??;
        // The next batch is generated while this one is written.
        pending = tokio::task::spawn_blocking(move || generator.batch(end));
        // The last invoice of a batch is never a draft, so it cannot have been deleted.
        if store
            .document(organization, plan.key(end - 1))
            .await?
            .is_none()
        {
            store.import_documents(entries, &series).await?;
        }
        tracing::info!(%organization, done = end, of = count, "demo invoices");
        if end == count {
            return Ok(());
        }
    }
}

/// Generates invoices in order: numbers and credit notes depend on earlier ones.
struct InvoiceGenerator {
    tenant: Tenant,
    zone: TimeZone,
    templates: Vec<Template>,
    plan: SeedPlan,
    last: BTreeMap<(i32, i16), i64>,
    /// The latest invoice of each template, for credit notes to name.
    latest: HashMap<usize, DocumentReference>,
}

/// Consecutive invoices, and the generator of the next ones.
struct Batch {
    generator: InvoiceGenerator,
    entries: Vec<DocumentRow>,
    /// The last number of each series so far.
    series: Vec<(NumberSeries, i64)>,
    end: u32,
}

impl InvoiceGenerator {
    fn new(tenant: Tenant, plan: SeedPlan) -> Result<Self, StorageError> {
        let templates = template::make(&tenant, plan.count, plan.until)?;
        let last = plan
            .last_numbers()
            .map(|(series, last)| ((series.kind as i32, series.year), last))
            .collect();
        Ok(Self {
            zone: time_zone(&tenant),
            tenant,
            templates,
            plan,
            last,
            latest: HashMap::new(),
        })
    }

    /// The batch that begins at an index. Empty after the last.
    fn batch(mut self, begin: u32) -> Result<Batch, StorageError> {
        let end = self.plan.count.min(begin.saturating_add(BATCH_SIZE));
        let entries = (begin..end)
            .map(|index| self.make(index))
            .collect::<Result<Vec<_>, _>>()?;
        let kind = |number| Kind::try_from(number).unwrap_or_default();
        let series = self.last.iter();
        let series = series
            .map(|((number, year), last)| {
                (
                    NumberSeries {
                        kind: kind(*number),
                        year: *year,
                    },
                    *last,
                )
            })
            .collect();
        Ok(Batch {
            generator: self,
            entries,
            series,
            end,
        })
    }

    fn make(&mut self, index: u32) -> Result<DocumentRow, StorageError> {
        let mut rng = DeterministicRng::new(self.tenant.organization.id.as_str(), u64::from(index));
        let which = rng.below(self.templates.len() as u64) as usize;
        let days_ago = DAYS - 1 - i64::from(index) * DAYS / i64::from(self.plan.count);
        let issue_date = self.plan.until.saturating_sub(days_ago.days());
        let status = self.status(index, days_ago, &mut rng);
        let corrected = self
            .latest
            .get(&which)
            .filter(|_| rng.below(25) == 0)
            .cloned();
        let template = &self.templates[which];
        let mut invoice = match corrected {
            Some(corrected) => Invoice {
                preceding: vec![corrected],
                ..template.credit_note.clone()
            },
            None => template.invoice.clone(),
        };
        invoice.issue_date = issue_date.to_string();
        invoice.due_date = issue_date.saturating_add(template.days.days()).to_string();
        let kind = invoice.kind();
        if matches!(status, Status::Issued | Status::Frozen) {
            let sequence = self
                .last
                .entry((kind as i32, issue_date.year()))
                .or_default();
            *sequence += 1;
            invoice.number = document_number(kind, issue_date.year(), *sequence);
            if kind == Kind::Invoice {
                let reference = DocumentReference {
                    document_key: self.plan.key(index).to_string(),
                    number: invoice.number.clone(),
                    issue_date: invoice.issue_date.clone(),
                };
                self.latest.insert(which, reference);
            }
        }
        document_row(self.document(index, issue_date, status, invoice, &mut rng))
    }

    /// The last invoice of a batch is never a draft; see [`insert_for_tenant`].
    fn status(&self, index: u32, days_ago: i64, rng: &mut DeterministicRng) -> Status {
        let last = (index + 1).is_multiple_of(BATCH_SIZE) || index + 1 == self.plan.count;
        let one_in = |rng: &mut DeterministicRng, many: u64| rng.below(many) == 0 && !last;
        if days_ago < 20 && one_in(rng, 4) {
            return Status::Draft;
        }
        if index == self.plan.count / 2 || one_in(rng, 900) {
            return if last {
                Status::Issued
            } else {
                Status::Rejected
            };
        }
        if days_ago < 45 {
            Status::Issued
        } else {
            Status::Frozen
        }
    }

    fn document(
        &self,
        index: u32,
        issue_date: Date,
        status: Status,
        invoice: Invoice,
        rng: &mut DeterministicRng,
    ) -> Document {
        let people = if self.tenant.organization.id == HOME {
            2
        } else {
            1
        };
        let mut person = || PEOPLE[rng.below(people) as usize];
        let (clerk, accountant) = (person(), person());
        let at = |date: Date, hour: i8| {
            let moment = date.to_datetime(time(hour, (index % 60) as i8, 0, 0));
            moment
                .to_zoned(self.zone.clone())
                .map_or(Timestamp::UNIX_EPOCH, |moment| moment.timestamp())
        };
        let created = history_event(at(issue_date, 9), &clerk.0.into(), clerk.1);
        let issued = history_event(at(issue_date, 10), &clerk.0.into(), clerk.1);
        let frozen = history_event(
            at(issue_date.saturating_add(3.days()).min(self.plan.until), 11),
            &accountant.0.into(),
            accountant.1,
        );
        let (issued, frozen): (Option<Event>, Option<Event>) = match status {
            Status::Draft | Status::Rejected | Status::Unspecified => (None, None),
            Status::Issued => (Some(issued), None),
            Status::Frozen => (Some(issued), Some(frozen)),
        };
        let authority = (status == Status::Rejected).then(template::rejection);
        Document {
            document_key: self.plan.key(index).to_string(),
            organization_id: self.tenant.organization.id.to_string(),
            status: status as i32,
            concurrency_stamp: format!(
                "{:032x}",
                DeterministicRng::new("stamp", u64::from(index)).next()
            ),
            content: Some(DocumentContent {
                invoice: Some(invoice),
            }),
            updated: frozen
                .clone()
                .or_else(|| issued.clone())
                .or_else(|| Some(created.clone())),
            created: Some(created),
            issued,
            frozen,
            authority,
            issue_time: None,
            attachments: Vec::new(),
        }
    }
}
