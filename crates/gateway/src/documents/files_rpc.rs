//! The tonic service of files over [`Documents`].

use std::pin::Pin;

use futures_util::{Stream, StreamExt as _};
use invoicing_contract::messages::documents::document_files_server::DocumentFiles;
use invoicing_contract::messages::documents::{
    ExportDocumentsRequest, GetDocumentPdfRequest, GetDocumentUblRequest, ImportDocumentRequest,
    ImportDocumentResponse,
};
use invoicing_contract::messages::google::api::HttpBody;
use invoicing_contract::{Status, names};
use invoicing_http::RequestContext;
use tonic::{Request, Response};

use super::Documents;
use super::export::Export;
use super::file_response::{FileContent, disposition_metadata};
use crate::rpc_response::{OperationError as _, RpcResult, respond, status};

#[tonic::async_trait]
impl DocumentFiles for Documents {
    type ExportDocumentsStream =
        Pin<Box<dyn Stream<Item = Result<HttpBody, tonic::Status>> + Send>>;

    async fn get_document_pdf(
        &self,
        request: Request<GetDocumentPdfRequest>,
    ) -> RpcResult<HttpBody> {
        let (context, request) = RequestContext::from_request(request)?;
        let file = self.pdf(&context, request).await;
        file.map(FileContent::into_response)
            .map_err(|error| status(&context, error))
    }

    async fn get_document_ubl(
        &self,
        request: Request<GetDocumentUblRequest>,
    ) -> RpcResult<HttpBody> {
        let (context, request) = RequestContext::from_request(request)?;
        let file = self.ubl(&context, &request.document_key.into()).await;
        file.map(FileContent::into_response)
            .map_err(|error| status(&context, error))
    }

    async fn import_document(
        &self,
        request: Request<ImportDocumentRequest>,
    ) -> RpcResult<ImportDocumentResponse> {
        let (context, request) = RequestContext::from_request(request)?;
        // On the heap: the future of an import is large.
        let imported = Box::pin(self.import(&context, request));
        respond(&context, imported.await)
    }

    async fn export_documents(
        &self,
        request: Request<ExportDocumentsRequest>,
    ) -> RpcResult<Self::ExportDocumentsStream> {
        let (context, request) = RequestContext::from_request(request)?;
        let export = self.export(&context, request).await;
        let Export { name, rows, chunks } = export.map_err(|error| status(&context, error))?;
        let chunks = chunks.map(move |chunk| {
            chunk.map_err(|error| {
                error.log_failure(&context);
                Status::from(error).into()
            })
        });
        let mut response = Response::new(chunks.boxed() as Self::ExportDocumentsStream);
        let metadata = response.metadata_mut();
        disposition_metadata(metadata, name);
        if let Some(rows) = rows {
            metadata.insert(names::ROW_COUNT, rows.into());
        }
        Ok(response)
    }
}
