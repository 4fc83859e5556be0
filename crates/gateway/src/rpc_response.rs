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

    /// Whether its Status hides the cause.
    fn is_internal(&self) -> bool {
        matches!(
            self.storage_error(),
            Some(StorageError::Corrupt(_) | StorageError::InDoubt(_) | StorageError::Unexpected(_))
        )
    }

    /// Logs the cause of an internal error: its Status does not contain it.
    fn log_failure(&self, context: &RequestContext)
    where
        Self: Sized,
    {
        if self.is_internal() {
            tracing::error!(
                correlation_id = context.correlation_id,
                error = self as &dyn Error,
                "an operation failed"
            );
        }
    }
}

/// A gRPC response.
pub(crate) fn respond<Message, Failure: OperationError>(
    context: &RequestContext,
    result: Result<Message, Failure>,
) -> RpcResult<Message> {
    result
        .map(Response::new)
        .map_err(|error| status(context, error))
}

/// The status of an error, whose cause is logged.
pub(crate) fn status<Failure: OperationError>(
    context: &RequestContext,
    error: Failure,
) -> tonic::Status {
    error.log_failure(context);
    let status: Status = error.into();
    status.into()
}
