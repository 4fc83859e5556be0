//! What is open of a document, as it is answered.

use invoice::Money;
use invoicing_contract::messages::documents::PaymentState;
use invoicing_contract::messages::payments::Balance;
use invoicing_storage::StorageError;
use invoicing_storage::payments::Receivable;
use jiff::civil::Date;
use uuid::Uuid;

/// The balance of a document on a day.
pub(super) fn balance(
    document: Uuid,
    receivable: &Receivable,
    today: Date,
) -> Result<Balance, StorageError> {
    let text = |minor| {
        let amount = Money::from_minor(minor, receivable.currency);
        let amount = amount.ok_or_else(|| StorageError::corrupt("an amount of a receivable"))?;
        Ok::<_, StorageError>(amount.to_string())
    };
    Ok(Balance {
        document_key: document.to_string(),
        currency: receivable.currency.code().to_owned(),
        payable: text(receivable.payable)?,
        paid: text(receivable.paid)?,
        credited: text(receivable.credited)?,
        open: text(receivable.open())?,
        due_on: receivable.due_on.clone(),
        state: payment_state(receivable, today) as i32,
    })
}

/// The state of a receivable on a day: overdue only if something is open after the due date.
pub(crate) fn payment_state(receivable: &Receivable, today: Date) -> PaymentState {
    let settled = receivable.payable - receivable.open();
    if receivable.open() <= 0 {
        PaymentState::Paid
    } else if *receivable.due_on < *today.to_string() {
        PaymentState::Overdue
    } else if settled == 0 {
        PaymentState::Open
    } else {
        PaymentState::PartlyPaid
    }
}
