//! Payments as views.

use invoicing_contract::messages::payments as wire;

use crate::invoices::{event, payment_state};
use crate::views::{BalanceView, PaymentView, PaymentsView};

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

fn balance(balance: wire::Balance) -> Option<BalanceView> {
    let state = payment_state(balance.state())?;
    Some(BalanceView {
        currency: balance.currency,
        payable: balance.payable,
        paid: balance.paid,
        credited: balance.credited,
        open: balance.open,
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
