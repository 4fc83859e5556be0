//! Payments as views.

use invoicing_contract::messages::documents;
use invoicing_contract::messages::payments as wire;

use crate::invoices::event;
use crate::views::{BalanceView, PaymentState, PaymentView, PaymentsView};

pub(super) fn payments(
    page: wire::ListPaymentsResponse,
    offline_as_of: Option<String>,
) -> PaymentsView {
    PaymentsView {
        balance: page.balance.and_then(balance),
        payments: page.items.into_iter().map(payment).collect(),
        offline_as_of,
    }
}

/// The state of a row or balance; `None` if it asks for no payment.
pub(crate) fn payment_state(state: documents::PaymentState) -> Option<PaymentState> {
    match state {
        documents::PaymentState::Unspecified => None,
        documents::PaymentState::Open => Some(PaymentState::Open),
        documents::PaymentState::PartlyPaid => Some(PaymentState::PartlyPaid),
        documents::PaymentState::Paid => Some(PaymentState::Paid),
        documents::PaymentState::Overdue => Some(PaymentState::Overdue),
        documents::PaymentState::Credited => Some(PaymentState::Credited),
        documents::PaymentState::ToRefund => Some(PaymentState::ToRefund),
    }
}

fn balance(balance: wire::Balance) -> Option<BalanceView> {
    let state = payment_state(balance.state())?;
    Some(BalanceView {
        currency: balance.currency,
        payable: balance.payable,
        paid: balance.paid,
        credited: balance.credited,
        open: balance.open,
        due_on: balance.due_on,
        state,
    })
}

fn payment(payment: wire::Payment) -> PaymentView {
    PaymentView {
        key: payment.payment_key,
        date: payment.date,
        amount: payment.amount,
        means: payment.means,
        reference: payment.reference,
        note: payment.note,
        recorded: payment.recorded.and_then(event),
        voided: payment.voided,
        voids: payment.voids,
        reason: payment.reason,
        refund: payment.refund,
    }
}
