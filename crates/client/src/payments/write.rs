//! Recording and voiding. An answer that was lost, or a refusal after an earlier attempt, is resolved by reading the entries.

use invoicing_contract::messages::payments as wire;
use invoicing_contract::{Code, DocumentKey, Operation, operation};
use serde::Serialize;

use super::{Payments, from_wire};
use crate::gateway::{CallContext, GatewayError};
use crate::invoices::{minor_units, normalize_number};
use crate::views::{CommandError, NewPayment, PaymentsView, Violation};

impl Payments {
    /// Records a payment once, however often it is sent.
    pub(crate) async fn record(
        &self,
        context: &CallContext,
        payment: &NewPayment,
    ) -> Result<PaymentsView, CommandError> {
        let amount = normalize_number(&payment.amount, minor_units(&payment.currency));
        let amount = amount.map_err(|rule| self.invalid_amount(context, rule))?;
        let request = wire::RecordPaymentRequest {
            document_key: payment.document.as_str().to_owned(),
            payment_key: payment.key.clone(),
            payment: Some(wire::Payment {
                date: payment.date.clone(),
                amount,
                currency: payment.currency.clone(),
                means: payment.means.clone(),
                reference: payment.reference.trim().to_owned(),
                note: payment.note.trim().to_owned(),
                refund: payment.refund,
                ..wire::Payment::default()
            }),
            validate_only: false,
        };
        let is_done = |entries: &[wire::Payment]| {
            entries.iter().any(|entry| entry.payment_key == payment.key)
        };
        self.write(
            context,
            &operation::RECORD_PAYMENT,
            &payment.document,
            &request,
            is_done,
        )
        .await
    }

    /// Voids a payment once, however often it is sent.
    pub(crate) async fn void(
        &self,
        context: &CallContext,
        document: &DocumentKey,
        payment: &str,
        reason: &str,
    ) -> Result<PaymentsView, CommandError> {
        let request = wire::VoidPaymentRequest {
            document_key: document.as_str().to_owned(),
            payment_key: payment.to_owned(),
            reason: reason.trim().to_owned(),
        };
        let is_done = |entries: &[wire::Payment]| {
            entries
                .iter()
                .any(|entry| entry.payment_key == payment && entry.voided)
        };
        self.write(
            context,
            &operation::VOID_PAYMENT,
            document,
            &request,
            is_done,
        )
        .await
    }

    async fn write<B: Serialize + Sync>(
        &self,
        context: &CallContext,
        operation: &Operation,
        document: &DocumentKey,
        request: &B,
        is_done: impl Fn(&[wire::Payment]) -> bool + Send,
    ) -> Result<PaymentsView, CommandError> {
        let mut may_repeat = true;
        loop {
            let response = self
                .gateway
                .call::<_, wire::RecordPaymentResponse>(context, operation, Some(document), request)
                .await;
            let Err(error) = response else {
                return self.list(context, document).await;
            };
            let command_error = error.to_command_error(context, operation, self.clock.now());
            if !error.outcome_is_unknown() && !is_refused_state(&error) {
                return Err(command_error);
            }
            match self.fetch(context, document).await {
                Ok(page) if is_done(&page.items) => return Ok(from_wire::payments(page, None)),
                // The key makes one more attempt safe.
                Ok(_) if error.outcome_is_unknown() && may_repeat => may_repeat = false,
                Ok(_) => return Err(command_error),
                Err(_) if error.outcome_is_unknown() => {
                    return Err(CommandError::UnknownOutcome {
                        key: document.clone(),
                        support: command_error.into_support(),
                    });
                }
                Err(_) => return Err(command_error),
            }
        }
    }

    fn invalid_amount(&self, context: &CallContext, rule: &str) -> CommandError {
        let violation = Violation {
            field: None,
            path: "payment.amount".to_owned(),
            rule: rule.to_owned(),
            description: String::new(),
        };
        context.refusal(vec![violation], self.clock.now())
    }
}

/// Whether an earlier attempt may be the reason of the refusal.
fn is_refused_state(error: &GatewayError) -> bool {
    matches!(
        error.code(),
        Some(Code::AlreadyExists | Code::FailedPrecondition)
    )
}
