//! The export of a selection as a file (decision 0122).

use invoicing_contract::messages::documents;
use invoicing_contract::operation;

use super::Invoices;
use super::list_request::list_request;
use crate::gateway::{CallContext, GatewayStream};
use crate::views::{
    CommandError, DocumentSelection, ExportFormat, ExportOptions, InvoiceQuery, InvoiceRow,
    Violation,
};

/// The request for a file with the documents of a selection.
///
/// # Errors
/// As [`list_request`].
pub(crate) fn export_request(
    selection: DocumentSelection,
    options: ExportOptions,
) -> Result<documents::ExportDocumentsRequest, Vec<Violation>> {
    let keys = |rows: Vec<InvoiceRow>| rows.into_iter().map(|row| row.key.as_str().to_owned());
    let (query, document_keys, excluded_keys) = match selection {
        DocumentSelection::Rows { rows } => {
            // Narrowed by date, so that the service does not read the whole list.
            let dates = || rows.iter().map(|row| row.issue_date.clone());
            let query = InvoiceQuery {
                issued_from: dates().min().unwrap_or_default(),
                issued_to: dates().max().unwrap_or_default(),
                ..InvoiceQuery::default()
            };
            (query, keys(rows).collect(), Vec::new())
        }
        DocumentSelection::All { query, excluded } => (query, Vec::new(), keys(excluded).collect()),
    };
    let list = list_request(&query)?;
    Ok(documents::ExportDocumentsRequest {
        filter: list.filter,
        sort: list.sort,
        format: match options.format {
            ExportFormat::Csv => documents::ExportFormat::Csv,
            ExportFormat::Xlsx => documents::ExportFormat::Xlsx,
        }
        .into(),
        columns: options.columns,
        // Excel takes the bytes for its own code page otherwise.
        byte_order_mark: true,
        document_keys,
        excluded_keys,
        language: options.language.code().to_owned(),
    })
}

impl Invoices {
    /// Starts an export. Errors of the request come before the first byte.
    pub(crate) async fn export(
        &self,
        context: &CallContext,
        request: &documents::ExportDocumentsRequest,
    ) -> Result<GatewayStream, CommandError> {
        let operation = &operation::EXPORT_DOCUMENTS;
        let media_type = match request.format() {
            documents::ExportFormat::Xlsx => {
                "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet"
            }
            documents::ExportFormat::Csv | documents::ExportFormat::Unspecified => "text/csv",
        };
        let stream = self.gateway.stream(context, operation, media_type, request);
        let stream = stream.await;
        stream.map_err(|error| self.command_error(context, operation, &error))
    }
}
