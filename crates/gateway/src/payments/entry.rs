//! Payments as they are sent and stored.

use invoice::{Currency, Money, codes, decimal};
use invoicing_contract::messages::payments::Payment;
use invoicing_contract::{FieldViolation, output_violations};
use invoicing_storage::StorageError;
use invoicing_storage::payments::PaymentEntry;
use jiff::civil::Date;
use prost::Message as _;

use crate::request_date::{NOT_A_DATE, read_date};

/// Most characters of the reference.
const MAX_REFERENCE_CHARACTERS: usize = 200;
/// Most characters of the note.
const MAX_NOTE_CHARACTERS: usize = 1_000;

/// A payment of a request, completed, with its amount in minor units: that of a refund is negative. `violations` are those that
/// were found before.
pub(super) fn read_payment(
    mut payment: Payment,
    currency: Currency,
    today: Date,
    mut violations: Vec<FieldViolation>,
) -> Result<(Payment, i64), Vec<FieldViolation>> {
    violations.extend(output_violations(&payment, "payment."));
    let mut add = |field: &str, description: &str| {
        violations.push(FieldViolation::new(format!("payment.{field}"), description));
    };
    if payment.date.is_empty() {
        payment.date = today.to_string();
    }
    match read_date(&payment.date) {
        Some(date) if date > today => add("date", "must not be after today"),
        Some(_) => {}
        None => add("date", NOT_A_DATE),
    }
    if payment.currency.is_empty() {
        currency.code().clone_into(&mut payment.currency);
    } else if payment.currency != currency.code() {
        add("currency", "must be the currency of the document");
    }
    let amount = decimal::parse(&payment.amount)
        .ok()
        .and_then(|amount| Money::exact(amount, currency))
        .filter(|amount| amount.minor() > 0);
    match amount {
        Some(amount) => payment.amount = amount.to_string(),
        None => add(
            "amount",
            "must be above zero, with the digits of the currency",
        ),
    }
    if !payment.means.is_empty() && !codes::is_payment_means(&payment.means) {
        add("means", "is not a code of UNCL4461");
    }
    if !is_text(&payment.reference, MAX_REFERENCE_CHARACTERS) {
        add("reference", "must be a text of at most 200 characters");
    }
    if !is_text(&payment.note, MAX_NOTE_CHARACTERS) {
        add("note", "must be a text of at most 1,000 characters");
    }
    match amount {
        Some(amount) if violations.is_empty() => {
            let sign = if payment.refund { -1 } else { 1 };
            Ok((payment, sign * amount.minor()))
        }
        _ => Err(violations),
    }
}

fn is_text(text: &str, most: usize) -> bool {
    text.chars().count() <= most
        && !text
            .chars()
            .any(|letter| letter.is_control() && letter != '\n')
}

/// The payment of a stored entry.
pub(super) fn read_entry(entry: &PaymentEntry) -> Result<Payment, StorageError> {
    let mut payment = Payment::decode(&*entry.body).map_err(StorageError::corrupt)?;
    payment.voided = entry.voided;
    Ok(payment)
}
