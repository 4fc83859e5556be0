//! Writes. One that has failed may have been done: its answer was lost, or an attempt before the one that was refused has done it.

use invoicing_contract::{Code, Operation};
use serde::Serialize;

use super::Administration;
use crate::gateway::{CallContext, FailedCall, GatewayError, ResponseMessage};
use crate::views::CommandError;

/// A write that failed.
pub(super) struct FailedWrite {
    error: CommandError,
    code: Option<Code>,
    /// Whether an attempt may have done it.
    pub(super) may_be_done: bool,
}

impl FailedWrite {
    /// Succeeds if the refusal is what an attempt of ours has led to: what was to be there is there already (`ALREADY_EXISTS`), or
    /// what was to go has gone (`NOT_FOUND`).
    pub(super) fn unless_done(self, refusal: Code) -> Result<(), CommandError> {
        if self.may_be_done && self.code == Some(refusal) {
            Ok(())
        } else {
            Err(self.error)
        }
    }

    /// Whether the service has refused it because of what is there.
    pub(super) fn is_conflict(&self) -> bool {
        matches!(self.code, Some(Code::Aborted | Code::AlreadyExists))
    }
}

impl From<FailedWrite> for CommandError {
    fn from(failed: FailedWrite) -> Self {
        failed.error
    }
}

impl Administration {
    /// Sends a write, with the retries of the context. They are safe for a write that has a stamp, and for one that leads to the same
    /// state each time; the context of another one has none.
    pub(super) async fn write<T: ResponseMessage>(
        &self,
        context: &CallContext,
        operation: &Operation,
        request: &(impl Serialize + Sync),
    ) -> Result<T, FailedWrite> {
        let called = self
            .gateway
            .call_counting_attempts(context, operation, None, request)
            .await;
        called.map_err(|failed| FailedWrite {
            error: self.write_error(context, operation, &failed),
            code: failed.error.code(),
            may_be_done: failed.error.outcome_is_unknown() || failed.failed_attempts > 1,
        })
    }

    /// Creates something under an id that all attempts share: once more if the answer was lost.
    ///
    /// # Errors
    /// `AlreadyExists`, with the attempts of both calls: an earlier one has arrived, or a name is taken. Otherwise of the lost attempt,
    /// if there is one: whatever the repetition says, that one may have arrived.
    pub(super) async fn add_once<T: ResponseMessage>(
        &self,
        context: &CallContext,
        operation: &Operation,
        request: &(impl Serialize + Sync),
    ) -> Result<T, FailedCall> {
        let mut lost: Option<FailedCall> = None;
        loop {
            let called = self
                .gateway
                .call_counting_attempts(context, operation, None, request)
                .await;
            let mut failed = match called {
                Ok(answer) => return Ok(answer),
                Err(failed) => failed,
            };
            if failed.error.code() == Some(Code::AlreadyExists) {
                failed.failed_attempts += lost.map_or(0, |lost| lost.failed_attempts);
                return Err(failed);
            }
            if lost.is_some() || !failed.error.outcome_is_unknown() {
                return Err(lost.unwrap_or(failed));
            }
            lost = Some(failed);
        }
    }

    /// The error of a write. Without an answer of the service nobody knows its outcome, nor without a connection after an attempt that
    /// has failed otherwise.
    pub(super) fn write_error(
        &self,
        context: &CallContext,
        operation: &Operation,
        failed: &FailedCall,
    ) -> CommandError {
        let FailedCall {
            error,
            failed_attempts,
            ..
        } = failed;
        let command_error = error.to_command_error(context, operation, self.clock.now());
        let is_answered =
            matches!(error, GatewayError::Status { status, .. } if !status.outcome_is_unknown());
        let is_offline = matches!(command_error, CommandError::Offline { .. });
        let may_be_done = error.outcome_is_unknown() || (is_offline && *failed_attempts > 1);
        if is_answered || !may_be_done {
            return command_error;
        }
        CommandError::UnknownOutcome {
            key: None,
            support: command_error.into_support(),
        }
    }
}
