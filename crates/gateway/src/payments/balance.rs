//! What is open of a document, as it is answered.

use invoice::Money;
use invoicing_contract::messages::documents::{PaymentState, Status};
use invoicing_contract::messages::payments::Balance;
use invoicing_storage::StorageError;
use invoicing_storage::payments::Receivable;
use jiff::civil::Date;

use super::Payable;

/// The balance of a document on a day. A rejected document asks for nothing, so its only state is that money goes back.
pub(super) fn balance(payable: &Payable, today: Date) -> Result<Balance, StorageError> {
    let receivable = &payable.receivable;
    let state = payment_state(receivable, today);
    let is_shown = payable.status != Status::Rejected || state == PaymentState::ToRefund;
    let text = |minor| {
        let amount = Money::from_minor(minor, receivable.currency);
        let amount = amount.ok_or_else(|| StorageError::corrupt("an amount of a receivable"))?;
        Ok::<_, StorageError>(amount.to_string())
    };
    Ok(Balance {
        document_key: payable.key.to_string(),
        currency: receivable.currency.code().to_owned(),
        payable: text(receivable.payable)?,
        paid: text(receivable.paid)?,
        credited: text(receivable.credited)?,
        open: text(receivable.open())?,
        due_on: receivable.due_on.clone(),
        state: if is_shown { state.into() } else { 0 },
    })
}

/// The state of a receivable on a day: overdue only if something is open after the due date. What credit notes took off is not
/// paid.
pub(crate) fn payment_state(receivable: &Receivable, today: Date) -> PaymentState {
    match receivable.open() {
        ..0 => PaymentState::ToRefund,
        0 if receivable.is_credited() => PaymentState::Credited,
        0 => PaymentState::Paid,
        1.. if *receivable.due_on < *today.to_string() => PaymentState::Overdue,
        1.. if receivable.paid > 0 => PaymentState::PartlyPaid,
        1.. => PaymentState::Open,
    }
}

#[cfg(test)]
mod tests {
    use invoice::Currency;

    use super::*;

    #[test]
    fn state_says_what_was_paid_and_what_was_credited() {
        let today = Date::constant(2027, 1, 15);
        for (payable, paid, credited, state) in [
            (100, 0, 0, PaymentState::Open),
            (100, 0, 40, PaymentState::Open),
            (100, 10, 40, PaymentState::PartlyPaid),
            (100, 100, 0, PaymentState::Paid),
            (100, 60, 40, PaymentState::Paid),
            (100, 0, 100, PaymentState::Credited),
            (100, 100, 40, PaymentState::ToRefund),
            (-100, 0, 0, PaymentState::ToRefund),
            (-100, 0, -100, PaymentState::Credited),
            (-100, -30, -70, PaymentState::Paid),
        ] {
            let mut receivable = Receivable {
                currency: Currency::SAUDI_RIYAL,
                due_on: "2027-01-15".to_owned(),
                payable,
                paid,
                credited,
            };
            assert_eq!(payment_state(&receivable, today), state, "{receivable:?}");
            receivable.due_on = "2027-01-14".to_owned();
            let late = payment_state(&receivable, today);
            let is_late = late == PaymentState::Overdue;
            assert_eq!(is_late, receivable.open() > 0, "{receivable:?}");
        }
    }
}
