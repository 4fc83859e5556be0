//! Recording and voiding. An answer that was lost, or a refusal after an earlier attempt, is resolved by reading the entries.

use invoice::decimal;
use invoicing_contract::messages::payments as wire;
use invoicing_contract::{Code, DocumentKey, Operation, operation};
use serde::Serialize;

use super::{PAYMENTS, Payments, from_wire};
use crate::gateway::{CallContext, Doubt, GatewayError};
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
        let sent = wire::Payment {
            date: payment.date.clone(),
            amount,
            currency: payment.currency.clone(),
            means: payment.means.clone(),
            reference: payment.reference.trim().to_owned(),
            note: payment.note.trim().to_owned(),
            refund: payment.refund,
            ..wire::Payment::default()
        };
        let request = wire::RecordPaymentRequest {
            document_key: payment.document.as_str().to_owned(),
            payment_key: payment.key.clone(),
            payment: Some(sent.clone()),
            validate_only: false,
        };
        let is_done = |entries: &[wire::Payment]| {
            entries
                .iter()
                .any(|entry| entry.payment_key == payment.key && is_recorded(&sent, entry))
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
        // Whether a request whose answer was lost may still be on its way.
        let mut is_pending = false;
        loop {
            let response = self
                .gateway
                .call_counting_attempts::<_, wire::RecordPaymentResponse>(
                    context,
                    operation,
                    Some(document),
                    request,
                )
                .await;
            let failed = match response {
                Ok(written) => return Ok(self.view_after(context, document, written).await),
                Err(failed) => failed,
            };
            let doubt = failed.doubt();
            let error = failed.error;
            let command_error = error.to_command_error(context, operation, self.clock.now());
            let is_unknown = doubt != Doubt::None;
            is_pending |= doubt == Doubt::MayArrive;
            if !is_unknown && !is_refused_state(&error) {
                return Err(failure(&error, command_error, document, is_pending));
            }
            match self.fetch(context, document).await {
                Ok(page) if is_done(&page.items) => return Ok(from_wire::payments(page, None)),
                // The key makes one more attempt safe.
                Ok(_) if is_unknown && may_repeat => may_repeat = false,
                Ok(_) => return Err(failure(&error, command_error, document, is_pending)),
                Err(_) => {
                    let is_unknown = is_unknown || is_pending;
                    return Err(failure(&error, command_error, document, is_unknown));
                }
            }
        }
    }

    /// The payments after a write that the service has answered. If they cannot be read, they are those of before with its answer:
    /// an error would say that nothing was recorded, and whoever records it again would record it twice.
    async fn view_after(
        &self,
        context: &CallContext,
        document: &DocumentKey,
        written: wire::RecordPaymentResponse,
    ) -> PaymentsView {
        if let Ok(page) = self.fetch(context, document).await {
            return from_wire::payments(page, None);
        }
        let (session, organization) = (&context.session, &context.organization);
        let before = self
            .read_cache
            .message(session, organization, PAYMENTS, document.as_str());
        let (before, as_of) = match before.await {
            Some(before) => (before.value, before.as_of),
            None => (wire::ListPaymentsResponse::default(), self.clock.now()),
        };
        from_wire::payments(with_written(before, written), Some(as_of.to_string()))
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

/// The error of a write that was not done, as far as is known. While a request `is_pending`, nobody knows, unless the service has
/// judged the write. A limit or a missing permission is no judgement (decision 0187).
fn failure(
    error: &GatewayError,
    command_error: CommandError,
    document: &DocumentKey,
    is_pending: bool,
) -> CommandError {
    if is_pending && !error.is_judged() {
        CommandError::UnknownOutcome {
            key: Some(document.clone()),
            support: command_error.into_support(),
        }
    } else {
        command_error
    }
}

/// Whether an entry has what was sent. Its key alone does not say so: it was sent with another amount before.
fn is_recorded(sent: &wire::Payment, entry: &wire::Payment) -> bool {
    let amount = |payment: &wire::Payment| decimal::parse(&payment.amount).ok();
    amount(sent) == amount(entry)
        && (sent.date.is_empty() || sent.date == entry.date)
        && sent.means == entry.means
        && sent.reference == entry.reference
        && sent.note == entry.note
        && sent.refund == entry.refund
}

/// The entries of before with the one that was written, and what is open after it.
fn with_written(
    before: wire::ListPaymentsResponse,
    written: wire::RecordPaymentResponse,
) -> wire::ListPaymentsResponse {
    let wire::ListPaymentsResponse {
        mut items,
        next_page_token,
        balance,
    } = before;
    if let Some(payment) = written.payment {
        for item in &mut items {
            item.voided |= item.payment_key == payment.voids;
        }
        if items
            .iter()
            .all(|item| item.payment_key != payment.payment_key)
        {
            items.push(payment);
        }
    }
    wire::ListPaymentsResponse {
        items,
        next_page_token,
        balance: written.balance.or(balance),
    }
}

#[cfg(test)]
mod tests {
    use invoicing_contract::Status;

    use super::*;

    fn payment(key: &str, amount: &str) -> wire::Payment {
        wire::Payment {
            payment_key: key.to_owned(),
            date: "2026-11-26".to_owned(),
            amount: amount.to_owned(),
            ..wire::Payment::default()
        }
    }

    #[test]
    fn entry_is_what_was_sent_if_its_money_is_the_same_and_not_only_its_key() {
        let stored = payment("a", "100.00");
        assert!(is_recorded(&payment("a", "100"), &stored));
        assert!(!is_recorded(&payment("a", "50"), &stored));
        let refund = wire::Payment {
            refund: true,
            ..payment("a", "100")
        };
        assert!(!is_recorded(&refund, &stored));
        let other_day = wire::Payment {
            date: "2026-11-25".to_owned(),
            ..payment("a", "100")
        };
        assert!(!is_recorded(&other_day, &stored));
    }

    #[test]
    fn entry_that_was_written_is_among_those_of_before_and_voids_what_it_names() {
        let before = wire::ListPaymentsResponse {
            items: vec![payment("a", "100.00"), payment("b", "5.00")],
            ..wire::ListPaymentsResponse::default()
        };
        let void = wire::Payment {
            voids: "a".to_owned(),
            ..payment("c", "-100.00")
        };
        let balance = wire::Balance {
            open: "100.00".to_owned(),
            ..wire::Balance::default()
        };
        let written = wire::RecordPaymentResponse {
            payment: Some(void),
            balance: Some(balance.clone()),
        };
        let after = with_written(with_written(before, written.clone()), written);
        let entries: Vec<_> = after
            .items
            .iter()
            .map(|item| (item.payment_key.as_str(), item.voided))
            .collect();
        assert_eq!(entries, [("a", true), ("b", false), ("c", false)]);
        assert_eq!(after.balance, Some(balance));
    }

    #[test]
    fn outcome_is_unknown_while_a_request_is_pending_unless_the_service_has_judged() {
        let document = DocumentKey::from("k");
        let shown = || CommandError::NotFound {
            support: Box::default(),
        };
        let failed = |code, is_pending| {
            let error = GatewayError::of_entry(Status::new(code, "", ""));
            failure(&error, shown(), &document, is_pending)
        };
        for code in [
            Code::Unavailable,
            Code::PermissionDenied,
            Code::ResourceExhausted,
        ] {
            let unknown = failed(code, true);
            assert!(
                matches!(unknown, CommandError::UnknownOutcome { .. }),
                "{code:?}: {unknown:?}"
            );
            assert_eq!(failed(code, false), shown(), "{code:?}");
        }
        assert_eq!(failed(Code::FailedPrecondition, true), shown());
    }
}
