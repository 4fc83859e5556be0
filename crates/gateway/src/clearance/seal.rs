//! The UBL of an issued document, which is what a tax authority gets.

use invoice::ubl;
use invoicing_contract::invoice_mapping::to_document;

use super::adapter::{SealError, Unsealed};

/// UBL 2.1, with the id of the submission as its UUID (KSA-1).
pub(super) fn write_ubl(unsealed: &Unsealed<'_>) -> Result<Vec<u8>, SealError> {
    let issue_time = unsealed.document.issue_time.clone().unwrap_or_default();
    let document = invoice::Document {
        uuid: unsealed.submission.to_string(),
        ..to_document(unsealed.document.clone(), issue_time)
    };
    Ok(ubl::write(&document)?.into_bytes())
}
