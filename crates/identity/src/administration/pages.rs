//! Pages and answers that the services of administration share.

use invoicing_contract::{FieldViolation, Operation, Status};
use invoicing_http::{PageRequest, PageTokens, RequestContext};
use tonic::Response;

use super::AdministrationError;
use super::dependencies::RpcResult;
use super::status::to_status;

pub(super) fn respond<Message>(
    caller: &RequestContext,
    result: Result<Message, AdministrationError>,
) -> RpcResult<Message> {
    result
        .map(Response::new)
        .map_err(|error| to_status(caller, &error))
}

/// What a page token is bound to: the operation, the organization of the request, and the filter.
pub(super) fn list(caller: &RequestContext, operation: &Operation, filter: &[u8]) -> Vec<u8> {
    let organization = caller.organization().as_str();
    let mut list = format!("{} {organization} ", operation.method).into_bytes();
    list.extend_from_slice(filter);
    list
}

pub(super) fn read_page<Position: serde::de::DeserializeOwned>(
    page_tokens: &PageTokens,
    page_size: i32,
    page_token: &str,
    list: &[u8],
) -> Result<PageRequest<Position>, tonic::Status> {
    let page = page_tokens.read_request(page_size, page_token, list);
    page.map_err(|violations| invalid(violations).into())
}

pub(super) fn invalid(violations: Vec<FieldViolation>) -> Status {
    Status::invalid("INVALID_REQUEST", "the request is not valid", violations)
}
