//! Payments at the service: what is open of a document, recording and voiding (decision 0124).

mod from_wire;
mod write;

use std::sync::Arc;

use invoicing_contract::messages::payments as wire;
use invoicing_contract::{Code, DocumentKey, operation};

use crate::cached_read::{Answer, read_or_cached};
use crate::clock::Clock;
use crate::gateway::{CallContext, Gateway, GatewayError};
use crate::read_cache::{Cached, ReadCache};
use crate::views::{CommandError, PaymentsView};

/// The kind of cached payments.
const PAYMENTS: &str = "payments";
/// The largest page: no document has as many payments.
const PAGE_SIZE: i32 = 500;

/// The payments of the signed-in user's organizations.
pub(crate) struct Payments {
    gateway: Gateway,
    clock: Arc<dyn Clock>,
    read_cache: Arc<ReadCache>,
}

impl Payments {
    pub(crate) fn new(gateway: Gateway, clock: Arc<dyn Clock>, read_cache: Arc<ReadCache>) -> Self {
        Self {
            gateway,
            clock,
            read_cache,
        }
    }

    /// The payments of a document with what is open of it.
    pub(crate) async fn list(
        &self,
        context: &CallContext,
        document: &DocumentKey,
    ) -> Result<PaymentsView, CommandError> {
        let (session, organization) = (&context.session, &context.organization);
        let cached = self
            .read_cache
            .message(session, organization, PAYMENTS, document.as_str());
        let call = self.fetch(context, document);
        match read_or_cached(
            &self.read_cache,
            self.clock.as_ref(),
            context,
            &[PAYMENTS],
            call,
            cached,
        )
        .await
        {
            Ok(Answer::Current(page)) => Ok(from_wire::payments(page, None)),
            Ok(Answer::Cached(Cached { value, as_of })) => {
                Ok(from_wire::payments(value, Some(as_of.to_string())))
            }
            // It asks for no payment.
            Err(error) if error.code() == Some(Code::FailedPrecondition) => Ok(PaymentsView {
                balance: None,
                payments: Vec::new(),
                offline_as_of: None,
            }),
            Err(error) => {
                let now = self.clock.now();
                Err(error.to_command_error(context, &operation::LIST_PAYMENTS, now))
            }
        }
    }

    async fn fetch(
        &self,
        context: &CallContext,
        document: &DocumentKey,
    ) -> Result<wire::ListPaymentsResponse, GatewayError> {
        let request = serde_json::json!({ "pageSize": PAGE_SIZE });
        let page: wire::ListPaymentsResponse = self
            .gateway
            .call(context, &operation::LIST_PAYMENTS, Some(document), &request)
            .await?;
        let (session, organization) = (&context.session, &context.organization);
        self.read_cache
            .store_message(session, organization, PAYMENTS, document.as_str(), &page)
            .await;
        Ok(page)
    }
}
