//! Reports of an organization: ageing, sums by month, taxes of a period (decision 0125), and the overview of what needs work.

mod buyers;
mod from_wire;
mod overview;

use std::sync::Arc;

use invoicing_contract::messages::reports;
use invoicing_contract::{Operation, operation};
use jiff::Timestamp;
use prost::Message;
use serde::Serialize;

use crate::cached_read::{Answer, read_or_cached};
use crate::clock::Clock;
use crate::gateway::{CallContext, Gateway, ResponseMessage};
use crate::read_cache::{Cached, ReadCache};
use crate::views::{Ageing, BuyerSums, CommandError, MonthlySums, TaxSums};

/// The kind of reports in the read cache.
const REPORT: &str = "report";
/// How many organizations are asked for their overview at the same time, by all windows.
const CONCURRENT_OVERVIEWS: usize = 4;

/// The reports of the signed-in user's organizations.
pub(crate) struct Reports {
    gateway: Gateway,
    clock: Arc<dyn Clock>,
    read_cache: Arc<ReadCache>,
    /// Held by each overview that is being read.
    overviews: tokio::sync::Semaphore,
}

/// A report, and when the service gave it.
struct Reported<T> {
    value: T,
    as_of: Timestamp,
    /// Whether it is from the cache.
    kept: bool,
}

impl Reports {
    pub(crate) fn new(gateway: Gateway, clock: Arc<dyn Clock>, read_cache: Arc<ReadCache>) -> Self {
        Self {
            gateway,
            clock,
            read_cache,
            overviews: tokio::sync::Semaphore::new(CONCURRENT_OVERVIEWS),
        }
    }

    /// What is open now, counted from today in the time zone of the organization.
    pub(crate) async fn ageing(&self, context: &CallContext) -> Result<Ageing, CommandError> {
        let reported = self
            .read::<reports::Ageing, _>(context, &operation::GET_AGEING, &ageing_of_today())
            .await?;
        from_wire::ageing(reported.value, reported.as_of, reported.kept).ok_or_else(unreadable)
    }

    /// Sums of the months from `from` to `to`, as `2026-01`.
    pub(crate) async fn monthly_sums(
        &self,
        context: &CallContext,
        from: &str,
        to: &str,
    ) -> Result<MonthlySums, CommandError> {
        let months =
            from_wire::months_between(from, to).ok_or_else(|| CommandError::InvalidCall {
                reason: "from and to are months, at most 120 apart".to_owned(),
            })?;
        let request = reports::GetMonthlySumsRequest {
            from: from.to_owned(),
            to: to.to_owned(),
        };
        let reported = self
            .read::<reports::MonthlySums, _>(context, &operation::GET_MONTHLY_SUMS, &request)
            .await?;
        from_wire::monthly_sums(&reported.value, &months, reported.as_of, reported.kept)
            .ok_or_else(unreadable)
    }

    /// Sums of the buyers of documents that were issued from `from` to `to`.
    pub(crate) async fn buyer_sums(
        &self,
        context: &CallContext,
        from: &str,
        to: &str,
    ) -> Result<BuyerSums, CommandError> {
        let request = reports::GetBuyerSumsRequest {
            from: from.to_owned(),
            to: to.to_owned(),
            ..reports::GetBuyerSumsRequest::default()
        };
        let reported = self
            .read::<reports::BuyerSums, _>(context, &operation::GET_BUYER_SUMS, &request)
            .await?;
        buyers::buyer_sums(reported.value, reported.as_of, reported.kept).ok_or_else(unreadable)
    }

    /// Taxes of the documents that were issued from `from` to `to`.
    pub(crate) async fn tax_sums(
        &self,
        context: &CallContext,
        from: &str,
        to: &str,
    ) -> Result<TaxSums, CommandError> {
        let request = reports::GetTaxSumsRequest {
            from: from.to_owned(),
            to: to.to_owned(),
        };
        let reported = self
            .read::<reports::TaxSums, _>(context, &operation::GET_TAX_SUMS, &request)
            .await?;
        from_wire::tax_sums(&reported.value, reported.as_of, reported.kept).ok_or_else(unreadable)
    }

    /// Reads a report, and keeps it. Without a connection, the last answer to the same request is returned.
    async fn read<M, R>(
        &self,
        context: &CallContext,
        operation: &'static Operation,
        request: &R,
    ) -> Result<Reported<M>, CommandError>
    where
        M: ResponseMessage + Message + Default,
        R: Message + Serialize,
    {
        let (session, organization) = (&context.session, &context.organization);
        let name = cache_name(operation, request);
        let call = self.gateway.call(context, operation, None, request);
        let cached = self
            .read_cache
            .message::<M>(session, organization, REPORT, &name);
        match read_or_cached(
            &self.read_cache,
            self.clock.as_ref(),
            context,
            &[REPORT],
            call,
            cached,
        )
        .await
        {
            Ok(Answer::Current(value)) => {
                self.read_cache
                    .store_message(session, organization, REPORT, &name, &value)
                    .await;
                Ok(Reported {
                    value,
                    as_of: self.clock.now(),
                    kept: false,
                })
            }
            Ok(Answer::Cached(Cached { value, as_of })) => Ok(Reported {
                value,
                as_of,
                kept: true,
            }),
            Err(error) => Err(error.to_command_error(context, operation, self.clock.now())),
        }
    }
}

/// What a report is kept under: the operation and the request.
fn cache_name(operation: &Operation, request: &impl Message) -> String {
    let bytes = request.encode_to_vec();
    format!("{} {}", operation.method, String::from_utf8_lossy(&bytes))
}

/// The ageing as of today in the time zone of the organization.
fn ageing_of_today() -> reports::GetAgeingRequest {
    reports::GetAgeingRequest::default()
}

/// An amount of the answer is not a decimal.
fn unreadable() -> CommandError {
    CommandError::UnexpectedResponse {
        status: 200,
        support: Box::default(),
    }
}
