//! Invoices at the service: listing, reading and writing. Writes handle conflicts with other users and lost responses.

mod calculate;
mod change;
mod comparison;
mod form;
mod from_wire;
mod list_request;
mod merge;
mod number_input;
mod read;
mod write;

use std::collections::{HashMap, VecDeque};
use std::sync::{Arc, Mutex, PoisonError};

use ::invoice::Country;
use invoicing_contract::messages::documents;
use invoicing_contract::{ConcurrencyStamp, DocumentKey, Operation, OrganizationId};

use crate::clock::Clock;
use crate::gateway::{CallContext, Gateway, GatewayError};
use crate::read_cache::ReadCache;
use crate::views::CommandError;

pub(crate) use calculate::calculate;
pub(crate) use change::DocumentChange;
pub(crate) use comparison::is_stored;
pub(crate) use number_input::parse_numbers;
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
    /// The sellers' countries, from documents that were read: no claim and no operation of the contract has them.
    countries: Mutex<HashMap<OrganizationId, Country>>,
}

impl Invoices {
    pub(crate) fn new(gateway: Gateway, clock: Arc<dyn Clock>, read_cache: Arc<ReadCache>) -> Self {
        Self {
            gateway,
            clock,
            read_cache,
            documents: Mutex::default(),
            countries: Mutex::default(),
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

    /// The country of an organization, if a document of it has been read since the start.
    pub(crate) fn seller_country(&self, organization: &OrganizationId) -> Option<Country> {
        let countries = self
            .countries
            .lock()
            .unwrap_or_else(PoisonError::into_inner);
        countries.get(organization).copied()
    }

    fn cache(&self, document: &documents::Document) {
        let seller = from_wire::invoice_of(document).seller;
        let country = seller.and_then(|seller| Country::parse(&seller.address?.country));
        if let Some(country) = country {
            let mut countries = self
                .countries
                .lock()
                .unwrap_or_else(PoisonError::into_inner);
            countries.insert(document.organization_id.as_str().into(), country);
        }
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
