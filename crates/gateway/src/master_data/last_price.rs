//! The last price of an item for a buyer, from the documents themselves.

use std::collections::BTreeSet;

use invoicing_contract::messages::documents::{Document, Line, Party as Buyer, Status};
use invoicing_contract::messages::items::{GetLastPriceRequest, Item, LastPrice};
use invoicing_contract::messages::parties::Party;
use invoicing_http::RequestContext;
use invoicing_storage::StorageError;
use invoicing_storage::documents::{
    DocumentFilter, DocumentSummary, ListQuery, PAGE_BYTES, SortField,
};
use invoicing_storage::master_data::MasterDataKind;
use prost::Message as _;

use super::remember::same_name;
use super::search_text::folded_identifier;
use super::unit_price::unit_price;
use super::{MasterData, MasterDataError};
use crate::documents::fold::fold;

/// Most documents of the buyer that are searched, one after the other, until they have [`PAGE_BYTES`].
const MAX_DOCUMENTS: u32 = 100;

impl MasterData {
    /// Price and tax of an item in the latest document of a buyer that has it.
    pub(super) async fn last_price(
        &self,
        context: &RequestContext,
        request: GetLastPriceRequest,
    ) -> Result<LastPrice, MasterDataError> {
        let (_, item) = self.get::<Item>(context, &request.item_key).await?;
        let (_, party) = self.get::<Party>(context, &request.party_key).await?;
        let buyer = party
            .details
            .ok_or(MasterDataError::NotFound(MasterDataKind::Party))?;
        let name = buyer.name.clone().unwrap_or_default();
        let text = [&buyer.tax_id, &name.en, &name.ar]
            .into_iter()
            .map(|text| fold(text))
            .find(|text| !text.is_empty());
        let query = ListQuery {
            organization: context.organization().clone(),
            filter: DocumentFilter {
                status: BTreeSet::from([Status::Issued, Status::Frozen]),
                buyer: text.unwrap_or_default(),
                ..DocumentFilter::default()
            },
            sort: vec![(SortField::IssueDate, true)],
            after: None,
            skip: 0,
            size: MAX_DOCUMENTS,
        };
        let rows = self.store.list_document_summaries(&query).await?.items;
        let of_buyer =
            |row: &DocumentSummary| row.buyer.as_ref().is_some_and(|it| is_of(it, &buyer));
        let mut bytes = 0;
        for row in rows.into_iter().filter(of_buyer) {
            if bytes >= PAGE_BYTES {
                break;
            }
            let encoded = self.store.encoded_document(&row.organization, row.key);
            let encoded = encoded.await?.unwrap_or_default();
            bytes += encoded.len();
            let document = Document::decode(encoded.as_slice()).map_err(StorageError::corrupt)?;
            if let Some(price) = price(document, &item) {
                return Ok(price);
            }
        }
        Err(MasterDataError::NoPrice)
    }
}

/// The price of one unit in a document, if it has the item.
fn price(document: Document, item: &Item) -> Option<LastPrice> {
    let invoice = document.content?.invoice?;
    let line = invoice.lines.into_iter().find(|line| has(line, item))?;
    Some(LastPrice {
        price: unit_price(&line)?,
        currency: invoice.currency,
        tax: line.tax,
        document_key: document.document_key,
        number: invoice.number,
        issue_date: invoice.issue_date,
    })
}

/// The filter has found a part of the text; here the whole is compared.
fn is_of(of_invoice: &Buyer, buyer: &Buyer) -> bool {
    match (
        folded_identifier(&of_invoice.tax_id),
        folded_identifier(&buyer.tax_id),
    ) {
        (Some(one), Some(other)) => one == other,
        (_, _) => same_name(
            &of_invoice.name.clone().unwrap_or_default(),
            &buyer.name.clone().unwrap_or_default(),
        ),
    }
}

fn has(line: &Line, item: &Item) -> bool {
    match (
        folded_identifier(&line.item_code),
        folded_identifier(&item.code),
    ) {
        (Some(one), Some(other)) => one == other,
        (_, _) => same_name(
            &line.description.clone().unwrap_or_default(),
            &item.name.clone().unwrap_or_default(),
        ),
    }
}
