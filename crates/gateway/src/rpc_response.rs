//! Responses of handlers: the message, or the Status of an error whose cause is logged.

use std::error::Error;

use invoicing_contract::Status;
use invoicing_http::RequestContext;
use invoicing_storage::StorageError;
use tonic::Response;

/// What a handler returns.
pub(crate) type RpcResult<Message> = Result<Response<Message>, tonic::Status>;

/// An error of an operation, which becomes a Status.
pub(crate) trait OperationError: Error + Into<Status> + 'static {
    /// The error of storage that it is.
    fn storage_error(&self) -> Option<&StorageError>;

    /// Logs the cause of an internal error: its Status does not contain it.
    fn log_failure(&self, context: &RequestContext)
    where
        Self: Sized,
    {
        if let Some(
            StorageError::Corrupt(_) | StorageError::InDoubt(_) | StorageError::Unexpected(_),
        ) = self.storage_error()
        {
            tracing::error!(
                correlation_id = context.correlation_id,
                error = self as &dyn Error,
                "storage failed"
            );
        }
    }
}

/// A gRPC response.
pub(crate) fn respond<Message, Failure: OperationError>(
    context: &RequestContext,
    result: Result<Message, Failure>,
) -> RpcResult<Message> {
    result.map(Response::new).map_err(|error| {
        error.log_failure(context);
        let status: Status = error.into();
        status.into()
    })
}
