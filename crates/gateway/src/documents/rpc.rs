//! The tonic services over [`Documents`]: the caller comes with the request, put there by the gateway's gate.

use invoicing_contract::Status;
use invoicing_contract::messages::documents::documents_server::Documents as DocumentsRpc;
use invoicing_contract::messages::documents::{
    CreateDocumentRequest, DeleteDocumentRequest, DeleteDocumentResponse, Document,
    DocumentHistory, FreezeDocumentRequest, GetDocumentHistoryRequest, GetDocumentRequest,
    IssueDocumentRequest, ListDocumentsRequest, ListDocumentsResponse, UpdateDocumentRequest,
};
use invoicing_contract::messages::simple::invoices_server::Invoices as InvoicesRpc;
use invoicing_contract::messages::simple::{
    CreateInvoiceRequest, FreezeInvoiceRequest, GetInvoiceRequest, Invoice, ListInvoicesRequest,
    ListInvoicesResponse,
};
use tonic::{Request, Response};

use super::{Acting, DocumentError, Documents};
use invoicing_http::RequestContext;
use invoicing_storage::StorageError;

type Answer<Message> = Result<Response<Message>, tonic::Status>;

#[tonic::async_trait]
impl DocumentsRpc for Documents {
    async fn create_document(&self, request: Request<CreateDocumentRequest>) -> Answer<Document> {
        let (caller, request) = RequestContext::from_request(request)?;
        answer(&caller, self.create(&acting(&caller), request).await)
    }

    async fn get_document(&self, request: Request<GetDocumentRequest>) -> Answer<Document> {
        let (caller, request) = RequestContext::from_request(request)?;
        answer(
            &caller,
            self.get(&acting(&caller), &request.document_key).await,
        )
    }

    async fn list_documents(
        &self,
        request: Request<ListDocumentsRequest>,
    ) -> Answer<ListDocumentsResponse> {
        let (caller, request) = RequestContext::from_request(request)?;
        answer(&caller, self.list(&acting(&caller), request).await)
    }

    async fn update_document(&self, request: Request<UpdateDocumentRequest>) -> Answer<Document> {
        let (caller, request) = RequestContext::from_request(request)?;
        answer(&caller, self.update(&acting(&caller), request).await)
    }

    async fn issue_document(&self, request: Request<IssueDocumentRequest>) -> Answer<Document> {
        let (caller, request) = RequestContext::from_request(request)?;
        answer(&caller, self.issue(&acting(&caller), request).await)
    }

    async fn freeze_document(&self, request: Request<FreezeDocumentRequest>) -> Answer<Document> {
        let (caller, request) = RequestContext::from_request(request)?;
        answer(&caller, self.freeze(&acting(&caller), request).await)
    }

    async fn delete_document(
        &self,
        request: Request<DeleteDocumentRequest>,
    ) -> Answer<DeleteDocumentResponse> {
        let (caller, request) = RequestContext::from_request(request)?;
        let deleted = self.delete(&acting(&caller), request).await;
        answer(&caller, deleted.map(|()| DeleteDocumentResponse {}))
    }

    async fn get_document_history(
        &self,
        request: Request<GetDocumentHistoryRequest>,
    ) -> Answer<DocumentHistory> {
        let (caller, request) = RequestContext::from_request(request)?;
        answer(
            &caller,
            self.history(&acting(&caller), &request.document_key).await,
        )
    }
}

#[tonic::async_trait]
impl InvoicesRpc for Documents {
    async fn list_invoices(
        &self,
        request: Request<ListInvoicesRequest>,
    ) -> Answer<ListInvoicesResponse> {
        let (caller, request) = RequestContext::from_request(request)?;
        answer(&caller, self.list_simple(&acting(&caller), request).await)
    }

    async fn get_invoice(&self, request: Request<GetInvoiceRequest>) -> Answer<Invoice> {
        let (caller, request) = RequestContext::from_request(request)?;
        answer(
            &caller,
            self.get_simple(&acting(&caller), &request.document_key)
                .await,
        )
    }

    async fn create_invoice(&self, request: Request<CreateInvoiceRequest>) -> Answer<Invoice> {
        let (caller, request) = RequestContext::from_request(request)?;
        answer(&caller, self.create_simple(&acting(&caller), request).await)
    }

    async fn freeze_invoice(&self, request: Request<FreezeInvoiceRequest>) -> Answer<Invoice> {
        let (caller, request) = RequestContext::from_request(request)?;
        answer(&caller, self.freeze_simple(&acting(&caller), request).await)
    }
}

fn acting(context: &RequestContext) -> Acting<'_> {
    let principal = &context.principal;
    Acting {
        tenant: &context.tenant,
        subject: &principal.subject,
        name: &principal.name,
        actor: principal
            .actor
            .as_ref()
            .map(|actor| (&*actor.subject, &*actor.name)),
    }
}

fn answer<Message>(
    caller: &RequestContext,
    result: Result<Message, DocumentError>,
) -> Answer<Message> {
    result.map(Response::new).map_err(|error| {
        if let DocumentError::Storage(
            error @ (StorageError::Corrupt(_)
            | StorageError::InDoubt(_)
            | StorageError::Unexpected(_)),
        ) = &error
        {
            tracing::error!(correlation_id = caller.correlation_id, %error, "storage failed");
        }
        Status::from(error).into()
    })
}
