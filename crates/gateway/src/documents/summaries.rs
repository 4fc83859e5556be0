//! Headers of documents by their keys.

use std::collections::{BTreeMap, BTreeSet};

use invoicing_http::RequestContext;
use invoicing_storage::documents::{DocumentFilter, DocumentSummary, ListQuery, SortField};
use uuid::Uuid;

use super::{DocumentError, Documents};

impl Documents {
    /// The headers of the documents of the organization that have these keys. Their contents are not read: a document names a hundred
    /// others and is named by a thousand, each of up to four megabytes, and one small request would decode them all.
    ///
    /// # Errors
    /// Storage failed.
    pub(super) async fn summaries(
        &self,
        context: &RequestContext,
        keys: BTreeSet<Uuid>,
    ) -> Result<BTreeMap<Uuid, DocumentSummary>, DocumentError> {
        if keys.is_empty() {
            return Ok(BTreeMap::new());
        }
        let size = u32::try_from(keys.len()).unwrap_or(u32::MAX);
        let query = ListQuery {
            organization: context.organization().clone(),
            filter: DocumentFilter {
                keys: Some(keys),
                ..DocumentFilter::default()
            },
            sort: vec![(SortField::IssueDate, true)],
            after: None,
            skip: 0,
            size,
        };
        let page = self.store.list_document_rows(&query, size.into()).await?;
        let items = page.items.into_iter();
        Ok(items.map(|summary| (summary.key, summary)).collect())
    }
}
