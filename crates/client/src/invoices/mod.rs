//! Invoices at the service: listing, reading and writing. Writes handle conflicts with other users and lost responses.

mod batch;
mod calculate;
mod change;
mod comparison;
mod defaults;
mod delete;
mod details;
mod explain;
mod export;
mod form;
#[cfg(test)]
mod form_coverage;
mod from_wire;
mod invoice_file;
mod known_rows;
mod line_details;
mod line_ids;
mod list_request;
mod merge;
mod number_input;
mod overlay;
mod party_details;
mod percentage_bases;
mod printable;
mod read;
mod relations;
mod sellers;
mod similar;
#[cfg(test)]
mod text_pointers;
mod typed_content;
mod write;

use std::collections::VecDeque;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use ::invoice::Country;
use invoicing_contract::messages::documents;
use invoicing_contract::{ConcurrencyStamp, DocumentKey, Operation, OrganizationId};

use crate::clock::Clock;
use crate::gateway::{CallContext, Gateway, GatewayError};
use crate::read_cache::ReadCache;
use crate::views::CommandError;

pub(crate) use batch::{BatchAction, BatchOutcome, COLLECTED_PAGE};
pub(crate) use calculate::calculate;
pub(crate) use change::{DocumentChange, party_of};
pub(crate) use comparison::{is_stored, same_number};
pub(crate) use defaults::document_defaults;
pub(crate) use explain::{explain, net_price};
pub(crate) use export::export_request;
pub(crate) use from_wire::sum as currency_sum;
pub(crate) use from_wire::{buyer_of, event, payment_state};
pub(crate) use invoice_file::read_file;
pub(crate) use list_request::check_amounts;
pub(crate) use number_input::{minor_units, normalize_number, unambiguous};
use printable::IssuedFile;
use sellers::{SellerKey, Sellers};
pub(crate) use similar::Sale;
pub(crate) use typed_content::{parse_numbers, to_latin_digits};
pub(crate) use write::NewDocument;

/// How many documents are cached, to compare with when another user has changed one.
const CACHED_DOCUMENTS: usize = 64;

/// The invoices of the signed-in user's organizations.
pub(crate) struct Invoices {
    gateway: Gateway,
    clock: Arc<dyn Clock>,
    /// What is shown without a connection.
    read_cache: Arc<ReadCache>,
    /// As they were read last, the latest first.
    documents: Mutex<VecDeque<documents::Document>>,
    sellers: Sellers,
    /// Issued documents as their files have them, the latest first.
    issued_files: Mutex<VecDeque<IssuedFile>>,
}

impl Invoices {
    pub(crate) fn new(gateway: Gateway, clock: Arc<dyn Clock>, read_cache: Arc<ReadCache>) -> Self {
        Self {
            gateway,
            clock,
            read_cache,
            documents: Mutex::default(),
            sellers: Sellers::default(),
            issued_files: Mutex::default(),
        }
    }

    fn command_error(
        &self,
        context: &CallContext,
        operation: &Operation,
        error: &GatewayError,
    ) -> CommandError {
        error.to_command_error(context, operation, self.clock.now())
    }

    /// The country of the organization of a command, if its seller is known.
    pub(crate) fn seller_country(&self, context: &CallContext) -> Option<Country> {
        let seller = self.sellers.get(&SellerKey::of(context))?;
        Country::parse(&seller.address.country)
    }

    fn issued_files(&self) -> MutexGuard<'_, VecDeque<IssuedFile>> {
        self.issued_files
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
    }

    /// Remembers a document as it is now.
    pub(crate) fn cache(&self, context: &CallContext, document: &documents::Document) {
        self.sellers.put_of(SellerKey::of(context), document);
        let mut documents = self
            .documents
            .lock()
            .unwrap_or_else(PoisonError::into_inner);
        documents.retain(|other| other.document_key != document.document_key);
        documents.push_front(document.clone());
        documents.truncate(CACHED_DOCUMENTS);
    }

    /// The document with this stamp, if it is in the cache.
    fn cached(
        &self,
        organization: &OrganizationId,
        key: &DocumentKey,
        stamp: &ConcurrencyStamp,
    ) -> Option<documents::Document> {
        let documents = self
            .documents
            .lock()
            .unwrap_or_else(PoisonError::into_inner);
        let found = documents.iter().find(|document| {
            *key == document.document_key.as_str()
                && *stamp == document.concurrency_stamp.as_str()
                && *organization == document.organization_id.as_str()
        });
        found.cloned()
    }
}
