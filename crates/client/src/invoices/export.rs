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
        // By their keys alone: another user may have changed what else is shown of them.
        DocumentSelection::Rows { rows } => {
            (InvoiceQuery::default(), keys(rows).collect(), Vec::new())
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

#[cfg(test)]
mod tests {
    use invoicing_contract::messages::simple;

    use super::*;
    use crate::invoices::from_wire;
    use crate::views::Language;

    #[test]
    fn selected_rows_are_asked_for_by_their_keys_alone() {
        let row = |key: &str, issue_date: &str| {
            from_wire::row(&simple::Invoice {
                document_key: key.to_owned(),
                issue_date: issue_date.to_owned(),
                ..simple::Invoice::default()
            })
        };
        let selection = DocumentSelection::Rows {
            rows: vec![row("a", "2026-11-01"), row("b", "2026-11-02")],
        };
        let options = ExportOptions {
            format: ExportFormat::Csv,
            columns: Vec::new(),
            language: Language::En,
        };
        let request = export_request(selection, options).expect("a request");
        assert_eq!(request.document_keys, ["a", "b"]);
        let filter = request.filter.expect("a filter");
        assert_eq!(filter, documents::Filter::default());
    }
}
