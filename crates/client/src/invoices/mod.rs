//! Invoices at the service: listing, reading, and the writes that know what to do when somebody else wrote or an answer
//! was lost.

mod calculate;
mod change;
mod form;
mod from_wire;
mod list_request;
mod merge;
mod number_input;
mod read;
pub(crate) mod violations;
mod write;

use std::collections::{HashMap, VecDeque};
use std::sync::{Arc, Mutex, PoisonError};

use ::invoice::Country;
use invoicing_contract::Operation;
use invoicing_contract::messages::documents;

use crate::clock::Clock;
use crate::gateway::{Caller, Failure, Gateway};
use crate::views::CommandError;

pub(crate) use calculate::calculate;
pub(crate) use change::Change;
pub(crate) use number_input::parse_numbers;
pub(crate) use write::Written;

/// How many documents are remembered as they were read, to compare with when somebody else changes them.
const REMEMBERED: usize = 64;

/// The invoices of the organizations of whoever is signed in.
pub(crate) struct Invoices {
    gateway: Gateway,
    clock: Arc<dyn Clock>,
    read: Mutex<VecDeque<documents::Document>>,
    /// Where organizations are, as far as a document of theirs has said it: no claim and no operation of the contract does.
    countries: Mutex<HashMap<String, Country>>,
}

impl Invoices {
    pub(crate) fn new(gateway: Gateway, clock: Arc<dyn Clock>) -> Self {
        Self {
            gateway,
            clock,
            read: Mutex::default(),
            countries: Mutex::default(),
        }
    }

    fn failed(&self, caller: &Caller, operation: &Operation, failure: Failure) -> CommandError {
        failure.into_command_error(caller, operation, self.clock.now())
    }

    /// Where an organization is, if a document of it has been read since the start.
    pub(crate) fn seller_country(&self, organization: &str) -> Option<Country> {
        let countries = self
            .countries
            .lock()
            .unwrap_or_else(PoisonError::into_inner);
        countries.get(organization).copied()
    }

    fn remember(&self, document: &documents::Document) {
        let seller = from_wire::invoice_of(document).seller;
        let country = seller.and_then(|seller| Country::parse(&seller.address?.country));
        if let Some(country) = country {
            let mut countries = self
                .countries
                .lock()
                .unwrap_or_else(PoisonError::into_inner);
            countries.insert(document.organization_id.clone(), country);
        }
        let mut read = self.read.lock().unwrap_or_else(PoisonError::into_inner);
        read.retain(|other| other.document_key != document.document_key);
        read.push_front(document.clone());
        read.truncate(REMEMBERED);
    }

    /// The document as it was read with this stamp.
    fn remembered(
        &self,
        organization: &str,
        key: &str,
        stamp: &str,
    ) -> Option<documents::Document> {
        let read = self.read.lock().unwrap_or_else(PoisonError::into_inner);
        let found = read.iter().find(|document| {
            document.document_key == key
                && document.concurrency_stamp == stamp
                && document.organization_id == organization
        });
        found.cloned()
    }
}
