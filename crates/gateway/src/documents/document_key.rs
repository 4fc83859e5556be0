//! Finds a document by its key, which requests and messages have as text.

use invoicing_contract::OrganizationId;
use invoicing_contract::messages::documents::Document;
use invoicing_storage::Store;
use uuid::Uuid;

use super::DocumentError;

/// Text that is not a UUID is the key of no document.
pub(super) fn parse_key(key: &str) -> Result<Uuid, DocumentError> {
    Uuid::try_parse(key).map_err(|_not_a_uuid| DocumentError::NotFound)
}

/// A document of an organization, with its key.
///
/// # Errors
/// [`DocumentError::NotFound`] if there is none with this key, and [`DocumentError::Storage`].
pub(crate) async fn find_document(
    store: &dyn Store,
    organization: &OrganizationId,
    key: &str,
) -> Result<(Uuid, Document), DocumentError> {
    let key = parse_key(key)?;
    let document = store.document(organization, key).await?;
    Ok((key, document.ok_or(DocumentError::NotFound)?))
}
