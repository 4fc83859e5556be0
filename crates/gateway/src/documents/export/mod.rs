//! Exports: a filtered list as a file, page by page (decision 0122).

mod columns;
mod csv_file;
mod turns;
mod xlsx_file;

pub(super) use self::turns::ExportTurns;
pub use self::xlsx_file::XlsxFileError;

use std::collections::{BTreeSet, HashSet};
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
use invoicing_storage::documents::{DocumentFilter, DocumentSummary, ListPage, ListQuery};
use jiff::civil::Date;
use tokio::io::AsyncReadExt as _;
use tokio::sync::mpsc;
use uuid::Uuid;

use self::columns::Columns;
use self::turns::{ExportTurn, MAX_DURATION, within};
use super::list_request::ListRequestReader;
use super::{DocumentError, Documents};
use crate::blocking::run_blocking;
use crate::tenant_time::today;

/// Rows that are read at a time.
const PAGE_ROWS: u32 = 2_000;
/// Most documents that a request names (`max_items` of `ExportDocumentsRequest.document_keys`). They are one page, which is a snapshot:
/// each of them is in the file once.
const MAX_NAMED_ROWS: u32 = 10_000;
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
    /// How many rows it has, of a file that is complete before its first byte.
    pub(super) rows: Option<u32>,
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
        let excluded: HashSet<Uuid> = keys(&request.excluded_keys).collect();
        let (query, columns) = read(context, request, today)?;
        let turn = self.export_turns.take(context.organization());
        let turn = turn.ok_or(DocumentError::ExportBusy)?;
        let first = self.store.list_document_summaries(&query).await?;
        let total: u64 = first.sums.iter().map(|sum| sum.count).sum();
        let pages = Pages {
            store: self.store.clone(),
            query,
            total,
            excluded,
            next: Some(first),
            _turn: turn,
        };
        let (name, rows, chunks) = match format {
            ExportFormat::Unspecified | ExportFormat::Csv => (
                "documents.csv",
                None,
                csv_chunks(pages, columns, byte_order_mark)?,
            ),
            ExportFormat::Xlsx if total > xlsx_file::MAX_ROWS => {
                return Err(DocumentError::ExportTooLarge {
                    rows: total,
                    most: xlsx_file::MAX_ROWS,
                });
            }
            ExportFormat::Xlsx => {
                let (rows, chunks) = xlsx_chunks(pages, columns).await?;
                ("documents.xlsx", Some(rows), chunks)
            }
        };
        Ok(Export {
            name,
            rows,
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
    let named: Option<BTreeSet<Uuid>> = match request.document_keys.as_slice() {
        [] => None,
        named => Some(keys(named).collect()),
    };
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
        size: match named {
            Some(_) => MAX_NAMED_ROWS,
            None => PAGE_ROWS,
        },
        filter: DocumentFilter {
            keys: named,
            ..filter
        },
        sort,
        after: None,
        skip: 0,
    };
    Ok((query, columns))
}

/// The keys of a request. What is no key is that of no document.
fn keys(texts: &[String]) -> impl Iterator<Item = Uuid> {
    texts.iter().filter_map(|text| Uuid::try_parse(text).ok())
}

/// The pages of a list, each read when the one before is sent. They hold a turn.
struct Pages {
    store: Arc<dyn Store>,
    query: ListQuery,
    total: u64,
    excluded: HashSet<Uuid>,
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
        rows.retain(|row| !self.excluded.contains(&row.key));
        Ok(Some(rows))
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

/// A workbook, and how many rows it has. It is complete before its first byte: its directory is at the end, and so are the texts of its
/// first part.
async fn xlsx_chunks(mut pages: Pages, columns: Columns) -> Result<(u32, Chunks), DocumentError> {
    let (sender, receiver) = mpsc::channel(1);
    let writing = run_blocking(move || xlsx_file::write(&columns, receiver));
    while let Some(rows) = pages.next().await? {
        if sender.send(rows).await.is_err() {
            // The writer has failed; its error follows.
            break;
        }
    }
    drop(sender);
    let (file, rows) = writing.await.map_err(DocumentError::Xlsx)?;
    let file = tokio::fs::File::from_std(file);
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
    Ok((rows, chunks.boxed()))
}

/// A chunk. The first one has the content type.
fn chunk(content_type: &str, data: Vec<u8>) -> HttpBody {
    HttpBody {
        content_type: content_type.to_owned(),
        data,
        extensions: Vec::new(),
    }
}
