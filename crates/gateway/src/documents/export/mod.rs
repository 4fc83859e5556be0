//! Exports: a filtered list as a file, page by page (decision 0122).

mod columns;
mod csv_file;
mod turns;
mod xlsx_file;

pub(super) use self::turns::ExportTurns;
pub use self::xlsx_file::XlsxFileError;

use std::collections::HashSet;
use std::pin::Pin;
use std::sync::Arc;
use std::time::Duration;

use futures_util::{Stream, StreamExt as _, stream};
use invoicing_contract::messages::documents::{
    ExportDocumentsRequest, ExportFormat, ListDocumentsRequest,
};
use invoicing_contract::messages::google::api::HttpBody;
use invoicing_http::RequestContext;
use invoicing_storage::Store;
use invoicing_storage::documents::{DocumentSummary, ListPage, ListQuery};
use jiff::civil::Date;
use tokio::io::AsyncReadExt as _;
use tokio::sync::mpsc;

use self::columns::Columns;
use self::turns::{ExportTurn, MAX_DURATION, within};
use super::list_request::ListRequestReader;
use super::{DocumentError, Documents};
use crate::tenant_time::today;

/// Rows that are read at a time.
const PAGE_ROWS: u32 = 2_000;
/// Bytes of a chunk of a workbook.
const CHUNK_BYTES: usize = 64 * 1024;
/// When a caller that found too many exports asks again.
pub(super) const RETRY_AFTER: Duration = Duration::from_secs(5);
const CSV: &str = "text/csv; charset=utf-8; header=present";
const XLSX: &str = "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet";

/// The chunks of a file. An error ends it.
pub(super) type Chunks = Pin<Box<dyn Stream<Item = Result<HttpBody, DocumentError>> + Send>>;

/// A file that is made while it is sent.
pub(super) struct Export {
    /// The name that the caller stores it under.
    pub(super) name: &'static str,
    pub(super) chunks: Chunks,
}

impl Documents {
    /// The documents of a filter as a file. Errors of the request, and of the first page, come before the first chunk.
    ///
    /// # Errors
    /// See [`DocumentError`].
    pub(super) async fn export(
        &self,
        context: &RequestContext,
        request: ExportDocumentsRequest,
    ) -> Result<Export, DocumentError> {
        let (format, byte_order_mark) = (request.format(), request.byte_order_mark);
        let today = today(&context.tenant, self.clock.now());
        let keys = ExportedKeys::new(&request);
        let (query, columns) = read(context, request, today)?;
        let turn = self.export_turns.take(context.organization());
        let turn = turn.ok_or(DocumentError::ExportBusy)?;
        let first = self.store.list_document_summaries(&query).await?;
        let total: u64 = first.sums.iter().map(|sum| sum.count).sum();
        let rows = keys.most(total);
        let pages = Pages {
            store: self.store.clone(),
            query,
            total,
            keys,
            next: Some(first),
            _turn: turn,
        };
        let (name, chunks) = match format {
            ExportFormat::Unspecified | ExportFormat::Csv => (
                "documents.csv",
                csv_chunks(pages, columns, byte_order_mark)?,
            ),
            ExportFormat::Xlsx if rows > xlsx_file::MAX_ROWS => {
                return Err(DocumentError::ExportTooLarge {
                    rows,
                    most: xlsx_file::MAX_ROWS,
                });
            }
            ExportFormat::Xlsx => ("documents.xlsx", xlsx_chunks(pages, columns).await?),
        };
        Ok(Export {
            name,
            chunks: within(MAX_DURATION, chunks),
        })
    }
}

fn read(
    context: &RequestContext,
    request: ExportDocumentsRequest,
    today: Date,
) -> Result<(ListQuery, Columns), DocumentError> {
    let mut reader = ListRequestReader::default();
    let list = ListDocumentsRequest {
        filter: request.filter,
        sort: request.sort,
        ..ListDocumentsRequest::default()
    };
    let filter = reader.read_filter(&list.filter.clone().unwrap_or_default(), today);
    let sort = reader.read_sort(&list);
    if ExportFormat::try_from(request.format).is_err() {
        reader.add_violation("format", "is not one of the values that exist");
    }
    let columns = Columns::new(&request.columns, &request.language);
    let columns = match columns {
        Ok(columns) if reader.violations.is_empty() => columns,
        Ok(_) => return Err(DocumentError::InvalidRequest(reader.violations)),
        Err(violations) => {
            reader.violations.extend(violations);
            return Err(DocumentError::InvalidRequest(reader.violations));
        }
    };
    let query = ListQuery {
        organization: context.organization().clone(),
        filter,
        sort,
        after: None,
        skip: 0,
        size: PAGE_ROWS,
    };
    Ok((query, columns))
}

/// The pages of a list, each read when the one before is sent. They hold a turn.
struct Pages {
    store: Arc<dyn Store>,
    query: ListQuery,
    total: u64,
    keys: ExportedKeys,
    /// The first page.
    next: Option<ListPage<DocumentSummary>>,
    _turn: ExportTurn,
}

impl Pages {
    /// The rows of the next page; `None` after the last one.
    async fn next(&mut self) -> Result<Option<Vec<DocumentSummary>>, DocumentError> {
        let page = match self.next.take() {
            Some(first) => first,
            None if self.query.after.is_none() => return Ok(None),
            None => {
                let page = self.store.list_document_rows(&self.query, self.total);
                page.await?
            }
        };
        self.query.after = page.next;
        let mut rows = page.items;
        rows.retain(|row| self.keys.take(row.key.to_string()));
        if self.keys.are_found() {
            self.query.after = None;
        }
        Ok(Some(rows))
    }
}

/// Which documents of the filter are exported.
struct ExportedKeys {
    /// `None`: all. Otherwise those that were not found yet.
    only: Option<HashSet<String>>,
    excluded: HashSet<String>,
}

impl ExportedKeys {
    fn new(request: &ExportDocumentsRequest) -> Self {
        let set = |keys: &[String]| keys.iter().map(|key| key.to_lowercase()).collect();
        Self {
            only: (!request.document_keys.is_empty()).then(|| set(&request.document_keys)),
            excluded: set(&request.excluded_keys),
        }
    }

    /// The most rows of an export, of a filter with `total`.
    fn most(&self, total: u64) -> u64 {
        let only = self
            .only
            .as_ref()
            .map_or(total, |only| u64::try_from(only.len()).unwrap_or(u64::MAX));
        only.min(total)
    }

    /// Whether a document is exported. One of a list of keys is exported once.
    fn take(&mut self, key: String) -> bool {
        let is_wanted = self.only.as_mut().is_none_or(|only| only.remove(&key));
        is_wanted && !self.excluded.contains(&key)
    }

    /// Whether no later row is exported.
    fn are_found(&self) -> bool {
        self.only.as_ref().is_some_and(HashSet::is_empty)
    }
}

fn csv_chunks(
    pages: Pages,
    columns: Columns,
    byte_order_mark: bool,
) -> Result<Chunks, DocumentError> {
    let head = csv_file::head(&columns, byte_order_mark).map_err(DocumentError::Csv)?;
    let rows = stream::try_unfold((pages, columns), |(mut pages, columns)| async move {
        let Some(rows) = pages.next().await? else {
            return Ok(None);
        };
        let bytes = csv_file::rows(&columns, &rows).map_err(DocumentError::Csv)?;
        Ok(Some((chunk("", bytes), (pages, columns))))
    });
    Ok(stream::iter([Ok(chunk(CSV, head))]).chain(rows).boxed())
}

/// A workbook is complete before its first byte: its directory is at the end, and so are the texts of its first part.
async fn xlsx_chunks(mut pages: Pages, columns: Columns) -> Result<Chunks, DocumentError> {
    let (sender, receiver) = mpsc::channel(1);
    let writing = tokio::task::spawn_blocking(move || xlsx_file::write(&columns, receiver));
    while let Some(rows) = pages.next().await? {
        if sender.send(rows).await.is_err() {
            // The writer has failed; its error follows.
            break;
        }
    }
    drop(sender);
    let written = writing
        .await
        .unwrap_or_else(|panic| std::panic::resume_unwind(panic.into_panic()));
    let file = tokio::fs::File::from_std(written.map_err(DocumentError::Xlsx)?);
    let chunks = stream::try_unfold(
        (file, pages, XLSX),
        |(mut file, pages, content_type)| async move {
            let mut bytes = vec![0; CHUNK_BYTES];
            let read = file.read(&mut bytes).await;
            let count = read.map_err(|error| DocumentError::Xlsx(error.into()))?;
            if count == 0 {
                return Ok(None);
            }
            bytes.truncate(count);
            Ok(Some((chunk(content_type, bytes), (file, pages, ""))))
        },
    );
    Ok(chunks.boxed())
}

/// A chunk. The first one has the content type.
fn chunk(content_type: &str, data: Vec<u8>) -> HttpBody {
    HttpBody {
        content_type: content_type.to_owned(),
        data,
        extensions: Vec::new(),
    }
}
