//! The columns of a document that lists filter, sort and sum by.

use invoice::{Currency, Money, decimal};
use invoicing_contract::messages::documents::{Document, Kind, Status};
use invoicing_storage::StorageError;
use invoicing_storage::documents::DocumentRow;
use uuid::Uuid;

use super::fold::fold;
use super::numbering::sort_key;

/// Most characters of the sort key of a buyer.
const BUYER_SORT_KEY_CHARACTERS: usize = 64;

/// The row of a completed document.
///
/// # Errors
/// [`StorageError::Corrupt`] if the document lacks content that completion writes.
pub fn document_row(document: Document) -> Result<DocumentRow, StorageError> {
    let corrupt =
        |what: &str| StorageError::corrupt(format!("{what} of document {}", document.document_key));
    let content = document
        .content
        .as_ref()
        .and_then(|content| content.invoice.as_ref());
    let content = content.ok_or_else(|| corrupt("content"))?;
    let currency = Currency::parse(&content.currency).ok_or_else(|| corrupt("currency"))?;
    let totals = content.totals.as_ref().ok_or_else(|| corrupt("totals"))?;
    let minor = |text: &str| {
        let money = decimal::parse(text)
            .ok()
            .and_then(|amount| Money::exact(amount, currency));
        money.map(Money::minor).ok_or_else(|| corrupt("an amount"))
    };
    let gross = minor(&totals.gross)?;
    let buyer = content.buyer.clone().unwrap_or_default();
    let name = buyer.name.unwrap_or_default();
    let (ar, en) = (fold(&name.ar), fold(&name.en));
    let buyer_sort_key = if en.is_empty() { &ar } else { &en }
        .chars()
        .take(BUYER_SORT_KEY_CHARACTERS)
        .collect();
    let updated = document
        .updated
        .as_ref()
        .and_then(|event| event.time.as_ref())
        .ok_or_else(|| corrupt("time"))?;
    Ok(DocumentRow {
        organization: document.organization_id.as_str().into(),
        key: Uuid::parse_str(&document.document_key).map_err(|_not_a_uuid| corrupt("key"))?,
        status: Status::try_from(document.status).map_err(|_unknown| corrupt("status"))?,
        kind: Kind::try_from(content.kind).map_err(|_unknown| corrupt("kind"))?,
        number: content.number.clone(),
        number_sort_key: sort_key(&content.number),
        issue_date: content.issue_date.clone(),
        due_date: content.due_date.clone(),
        currency,
        net: minor(&totals.net)?,
        tax: minor(&totals.tax)?,
        gross,
        payable: minor(&totals.payable)?,
        gross_sort_key: gross * 10_i64.pow(4 - currency.minor_units()),
        buyer_sort_key,
        buyer_text: format!("{ar}\n{en}\n{}", fold(&buyer.tax_id)),
        updated_at: updated.into(),
        document,
    })
}
