//! Documents: their content, their life cycle, and lists of them.

mod attachments;
mod attachments_rpc;
mod batch;
mod completion;
mod credit_notes;
mod document_key;
mod document_row;
mod download;
mod duplicate;
mod entitlements;
mod error;
mod export;
mod file_response;
mod files_rpc;
pub mod fuzz_checks;
mod history;
mod import;
mod issue;
mod issue_time;
mod lifecycle;
mod list;
mod list_request;
mod numbering;
mod pdf;
mod plan_limit;
mod preconditions;
mod relations;
mod rpc;
mod simple;
mod submissions;
mod summaries;
mod turns;

pub use completion::complete_invoice;
pub(crate) use document_key::find_document;
pub use document_row::document_row;
pub use error::DocumentError;
pub use export::XlsxFileError;
pub(crate) use list::sum_text;
pub use numbering::document_number;
pub use pdf::PdfError;
pub(crate) use plan_limit::{month_end, plan_limit_error, plan_month};
pub(crate) use rpc::get_stored_document;

pub(crate) use invoicing_contract::fold;

use std::num::NonZero;
use std::sync::Arc;
use std::thread::available_parallelism;

use completion::InvoiceChecker;
use export::ExportTurns;
use pdf::PdfRenderer;
use turns::Turns;

use invoice::{CheckContext, Country, Currency};
use invoicing_contract::messages::documents::Event;
use invoicing_contract::{SubjectId, timestamp};
use invoicing_http::{PageTokens, RequestContext};
use invoicing_storage::directory::Tenant;
use invoicing_storage::{Clock, Rng, StorageError, Store};
use jiff::Timestamp;
use jiff::civil::Date;

use crate::clearance::Clearance;
use crate::rate_limit::RequestRates;

/// The documents of all organizations.
pub struct Documents {
    store: Arc<dyn Store>,
    clock: Arc<dyn Clock>,
    rng: Arc<dyn Rng>,
    clearance: Arc<Clearance>,
    page_tokens: PageTokens,
    rates: Arc<RequestRates>,
    invoice_checker: InvoiceChecker,
    pdf: PdfRenderer,
    ubl_turns: Turns,
    export_turns: ExportTurns,
}

impl Documents {
    /// Documents in `store`.
    pub(crate) fn new(
        store: Arc<dyn Store>,
        clock: Arc<dyn Clock>,
        rng: Arc<dyn Rng>,
        clearance: Arc<Clearance>,
        page_tokens: PageTokens,
        rates: Arc<RequestRates>,
    ) -> Self {
        Self {
            store,
            clock,
            rng,
            clearance,
            page_tokens,
            rates,
            invoice_checker: InvoiceChecker::new(),
            pdf: PdfRenderer::new(),
            ubl_turns: Turns::new(available_parallelism().map_or(1, NonZero::get)),
            export_turns: ExportTurns::default(),
        }
    }

    /// An event of the caller at the current time.
    fn event(&self, context: &RequestContext) -> Event {
        caller_event(context, self.clock.now())
    }
}

/// An event of the caller at a time.
pub(crate) fn caller_event(context: &RequestContext, now: Timestamp) -> Event {
    let principal = &context.principal;
    let actor = principal.actor.as_ref();
    Event {
        actor: actor
            .map(|actor| actor.subject.to_string())
            .unwrap_or_default(),
        actor_name: actor.map(|actor| actor.name.clone()).unwrap_or_default(),
        ..history_event(now, &principal.subject, &principal.name)
    }
}

/// The context in which the invoices of a tenant are checked.
///
/// # Errors
/// [`StorageError::Corrupt`] if the stored country or currency of the tenant is not a code.
pub fn check_context(tenant: &Tenant, today: Date) -> Result<CheckContext, StorageError> {
    let corrupt =
        |what: &str| StorageError::corrupt(format!("{what} of tenant {}", tenant.organization.id));
    Ok(CheckContext {
        today,
        seller_country: Country::parse(&tenant.country).ok_or_else(|| corrupt("country"))?,
        currency: Currency::parse(&tenant.currency).ok_or_else(|| corrupt("currency"))?,
    })
}

/// An event of the history of a document, by a subject with a display name.
pub fn history_event(at: Timestamp, by: &SubjectId, by_name: &str) -> Event {
    Event {
        time: Some(timestamp::to_message(at)),
        by: by.to_string(),
        by_name: by_name.to_owned(),
        ..Event::default()
    }
}
