//! The tonic services over [`Documents`]. The request guard has put the context into the extensions of the request.

use std::sync::Arc;

use invoicing_contract::messages::documents::document_batches_server::DocumentBatches;
use invoicing_contract::messages::documents::documents_server::Documents as DocumentsRpc;
use invoicing_contract::messages::documents::{
    BatchDocumentsResponse, BatchFreezeDocumentsRequest, BatchIssueDocumentsRequest,
    CreateDocumentRequest, DeleteDocumentRequest, DeleteDocumentResponse, Document,
    DocumentHistory, DocumentRelations, DuplicateDocumentRequest, FreezeDocumentRequest,
    GetDocumentHistoryRequest, GetDocumentRelationsRequest, GetDocumentRequest,
    IssueDocumentRequest, ListDocumentsRequest, ListDocumentsResponse, UpdateDocumentRequest,
};
use invoicing_contract::messages::simple::invoices_server::Invoices as InvoicesRpc;
use invoicing_contract::messages::simple::{
    CreateInvoiceRequest, FreezeInvoiceRequest, GetInvoiceRequest, Invoice, ListInvoicesRequest,
    ListInvoicesResponse,
};
use invoicing_http::RequestContext;
use tonic::Request;

use super::Documents;
use super::batch::{BatchOperation, time_limit};
use crate::rpc_response::{RpcResult, respond};

/// Answers GetDocument over REST with the message as it is stored: to decode and to encode it again would take an eighth of
/// the time of the request (decision 0159).
pub(crate) async fn get_stored_document(
    documents: Arc<Documents>,
    request: Request<GetDocumentRequest>,
) -> RpcResult<Vec<u8>> {
    let (context, request) = RequestContext::from_request(request)?;
    let key = request.document_key.into();
    respond(&context, documents.get_encoded(&context, &key).await)
}

#[tonic::async_trait]
impl DocumentsRpc for Documents {
    async fn create_document(
        &self,
        request: Request<CreateDocumentRequest>,
    ) -> RpcResult<Document> {
        let (context, request) = RequestContext::from_request(request)?;
        respond(&context, self.create(&context, request).await)
    }

    async fn get_document(&self, request: Request<GetDocumentRequest>) -> RpcResult<Document> {
        let (context, request) = RequestContext::from_request(request)?;
        respond(
            &context,
            self.get(&context, &request.document_key.into()).await,
        )
    }

    async fn list_documents(
        &self,
        request: Request<ListDocumentsRequest>,
    ) -> RpcResult<ListDocumentsResponse> {
        let (context, request) = RequestContext::from_request(request)?;
        respond(&context, self.list(&context, request).await)
    }

    async fn update_document(
        &self,
        request: Request<UpdateDocumentRequest>,
    ) -> RpcResult<Document> {
        let (context, request) = RequestContext::from_request(request)?;
        // On the heap: the future of an update is large.
        let updated = Box::pin(self.update(&context, request));
        respond(&context, updated.await)
    }

    async fn issue_document(&self, request: Request<IssueDocumentRequest>) -> RpcResult<Document> {
        let (context, request) = RequestContext::from_request(request)?;
        respond(&context, self.issue(&context, request).await)
    }

    async fn freeze_document(
        &self,
        request: Request<FreezeDocumentRequest>,
    ) -> RpcResult<Document> {
        let (context, request) = RequestContext::from_request(request)?;
        respond(&context, self.freeze(&context, request).await)
    }

    async fn delete_document(
        &self,
        request: Request<DeleteDocumentRequest>,
    ) -> RpcResult<DeleteDocumentResponse> {
        let (context, request) = RequestContext::from_request(request)?;
        let deleted = self.delete(&context, request).await;
        respond(&context, deleted.map(|()| DeleteDocumentResponse {}))
    }

    async fn get_document_history(
        &self,
        request: Request<GetDocumentHistoryRequest>,
    ) -> RpcResult<DocumentHistory> {
        let (context, request) = RequestContext::from_request(request)?;
        respond(&context, self.history(&context, request).await)
    }

    async fn duplicate_document(
        &self,
        request: Request<DuplicateDocumentRequest>,
    ) -> RpcResult<Document> {
        let (context, request) = RequestContext::from_request(request)?;
        respond(&context, self.duplicate(&context, request).await)
    }

    async fn get_document_relations(
        &self,
        request: Request<GetDocumentRelationsRequest>,
    ) -> RpcResult<DocumentRelations> {
        let (context, request) = RequestContext::from_request(request)?;
        let key = request.document_key.into();
        respond(&context, self.relations(&context, &key).await)
    }
}

#[tonic::async_trait]
impl DocumentBatches for Documents {
    async fn batch_issue_documents(
        &self,
        request: Request<BatchIssueDocumentsRequest>,
    ) -> RpcResult<BatchDocumentsResponse> {
        let time_limit = time_limit(request.metadata());
        let (context, request) = RequestContext::from_request(request)?;
        let batch = self.batch(&context, BatchOperation::Issue, request.entries, time_limit);
        respond(&context, batch.await)
    }

    async fn batch_freeze_documents(
        &self,
        request: Request<BatchFreezeDocumentsRequest>,
    ) -> RpcResult<BatchDocumentsResponse> {
        let time_limit = time_limit(request.metadata());
        let (context, request) = RequestContext::from_request(request)?;
        let batch = self.batch(
            &context,
            BatchOperation::Freeze,
            request.entries,
            time_limit,
        );
        respond(&context, batch.await)
    }
}

#[tonic::async_trait]
impl InvoicesRpc for Documents {
    async fn list_invoices(
        &self,
        request: Request<ListInvoicesRequest>,
    ) -> RpcResult<ListInvoicesResponse> {
        let (context, request) = RequestContext::from_request(request)?;
        respond(&context, self.list_simple(&context, request).await)
    }

    async fn get_invoice(&self, request: Request<GetInvoiceRequest>) -> RpcResult<Invoice> {
        let (context, request) = RequestContext::from_request(request)?;
        respond(
            &context,
            self.get_simple(&context, &request.document_key.into())
                .await,
        )
    }

    async fn create_invoice(&self, request: Request<CreateInvoiceRequest>) -> RpcResult<Invoice> {
        let (context, request) = RequestContext::from_request(request)?;
        respond(&context, self.create_simple(&context, request).await)
    }

    async fn freeze_invoice(&self, request: Request<FreezeInvoiceRequest>) -> RpcResult<Invoice> {
        let (context, request) = RequestContext::from_request(request)?;
        respond(&context, self.freeze_simple(&context, request).await)
    }
}
