//! The tonic service of attachments over [`Documents`].

use invoicing_contract::messages::documents::document_attachments_server::DocumentAttachments;
use invoicing_contract::messages::documents::{
    AddAttachmentRequest, Document, GetAttachmentRequest, ListAttachmentsRequest,
    ListAttachmentsResponse, RemoveAttachmentRequest,
};
use invoicing_contract::messages::google::api::HttpBody;
use invoicing_http::RequestContext;
use tonic::Request;

use super::Documents;
use super::file_response::FileContent;
use crate::rpc_response::{RpcResult, respond, status};

#[tonic::async_trait]
impl DocumentAttachments for Documents {
    async fn add_attachment(&self, request: Request<AddAttachmentRequest>) -> RpcResult<Document> {
        let (context, request) = RequestContext::from_request(request)?;
        respond(&context, self.add_attachment(&context, request).await)
    }

    async fn list_attachments(
        &self,
        request: Request<ListAttachmentsRequest>,
    ) -> RpcResult<ListAttachmentsResponse> {
        let (context, request) = RequestContext::from_request(request)?;
        let key = request.document_key.into();
        respond(&context, self.attachments(&context, &key).await)
    }

    async fn get_attachment(&self, request: Request<GetAttachmentRequest>) -> RpcResult<HttpBody> {
        let (context, request) = RequestContext::from_request(request)?;
        let key = request.document_key.into();
        let file = self
            .attachment(&context, &key, &request.attachment_id)
            .await;
        file.map(FileContent::into_response)
            .map_err(|error| status(&context, error))
    }

    async fn remove_attachment(
        &self,
        request: Request<RemoveAttachmentRequest>,
    ) -> RpcResult<Document> {
        let (context, request) = RequestContext::from_request(request)?;
        respond(&context, self.remove_attachment(&context, request).await)
    }
}
