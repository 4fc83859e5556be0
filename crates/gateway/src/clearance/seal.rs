//! The UBL of an issued document, which is what a tax authority gets.

use invoice::document::Figures;
use invoice::{Country, Document as UblDocument, check, ubl};
use invoicing_contract::invoice_mapping;
use invoicing_contract::messages::documents::{Invoice, Kind};

use super::adapter::{SealError, Unsealed};
use crate::documents::{check_context, time_zone, today};

/// BT-24 outside Saudi Arabia, which has none.
const SPECIFICATION: &str = "urn:cen.eu:en16931:2017";
/// BT-23 in Saudi Arabia (BR-KSA-EN16931-01).
const SAUDI_PROCESS: &str = "reporting:1.0";

/// UBL 2.1, with the id of the submission as its UUID (KSA-1).
pub(super) fn write_ubl(unsealed: &Unsealed<'_>) -> Result<Vec<u8>, SealError> {
    let tenant = unsealed.tenant;
    let content = unsealed.document.content.as_ref();
    let invoice = content
        .and_then(|content| content.invoice.clone())
        .unwrap_or_default();
    let is_saudi = tenant.country == Country::SAUDI_ARABIA.code();
    let (number, kind) = (invoice.number.clone(), invoice.kind());
    // The mapping of a party is that of the buyer.
    let (seller, _) = invoice_mapping::to_content(Invoice {
        buyer: invoice.seller.clone(),
        ..Invoice::default()
    });
    let (content, _) = invoice_mapping::to_content(invoice);
    let context = check_context(tenant, today(tenant, unsealed.issued_at))?;
    let figures = Figures::of(&check(&content, &context).calculation).ok_or(SealError::Amounts)?;
    let issued_at = unsealed.issued_at.to_zoned(time_zone(tenant));
    let document = UblDocument {
        number,
        type_code: type_code(kind, is_saudi).to_owned(),
        uuid: unsealed.submission.to_string(),
        issue_time: issued_at.strftime("%H:%M:%S").to_string(),
        specification: if is_saudi { "" } else { SPECIFICATION }.to_owned(),
        process: if is_saudi { SAUDI_PROCESS } else { "" }.to_owned(),
        seller: seller.buyer,
        content,
        figures,
        ..UblDocument::default()
    };
    Ok(ubl::write(&document)?.into_bytes())
}

/// BT-3, a code of UNTDID 1001.
const fn type_code(kind: Kind, is_saudi: bool) -> &'static str {
    match kind {
        Kind::CreditNote => "381",
        Kind::DebitNote => "383",
        Kind::Invoice | Kind::Unspecified if is_saudi => "388",
        Kind::Invoice | Kind::Unspecified => "380",
    }
}
