//! The history of a document: a revision for each write (decision 0165).

use invoicing_contract::messages::documents::{DocumentHistory, GetDocumentHistoryRequest};
use invoicing_http::{PageRequest, RequestContext};

use super::document_key::parse_key;
use super::{DocumentError, Documents};

impl Documents {
    /// A page of the revisions of a document, newest first.
    ///
    /// # Errors
    /// See [`DocumentError`].
    pub async fn history(
        &self,
        context: &RequestContext,
        request: GetDocumentHistoryRequest,
    ) -> Result<DocumentHistory, DocumentError> {
        let organization = context.organization();
        let key = parse_key(&request.document_key)?;
        let list = format!("history {organization} {key}");
        let page: PageRequest<i32> = self
            .page_tokens
            .read_request(request.page_size, &request.page_token, list.as_bytes())
            .map_err(DocumentError::InvalidRequest)?;
        let revisions = self
            .store
            .document_history(organization, key, page.after, page.size)
            .await?;
        if revisions.is_empty() {
            // Imported documents have no history.
            self.get(context, &request.document_key.into()).await?;
        }
        let earlier = revisions.last().filter(|last| last.number > 1);
        let next_page_token = earlier
            .map(|last| self.page_tokens.sign(&last.number, list.as_bytes()))
            .unwrap_or_default();
        Ok(DocumentHistory {
            revisions,
            next_page_token,
        })
    }
}
