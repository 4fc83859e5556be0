//! Who sends a draft, and in which state a failure leaves it.

use crate::gateway::background_delay;
use crate::views::{CommandError, DraftState};

/// Who sends a draft.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Sender {
    /// The user waits for the outcome.
    Window,
    Outbox,
}

impl Sender {
    /// The state of a draft that was in the state `before` and could not be sent.
    pub(super) fn state_after(self, error: &CommandError, before: DraftState) -> DraftState {
        let is_refused = background_delay(error, 0).is_none() && !needs_session(error);
        match (self, error) {
            (Self::Outbox, CommandError::UnknownOutcome { .. }) => DraftState::WaitingInDoubt,
            (Self::Window, CommandError::UnknownOutcome { .. }) => DraftState::UnknownOutcome,
            (Self::Outbox, _) if is_refused => DraftState::Refused,
            // Nothing was sent, which says nothing about an earlier attempt.
            (Self::Window, CommandError::Offline { .. }) if before.is_in_doubt() => {
                DraftState::WaitingInDoubt
            }
            (Self::Window, CommandError::Offline { .. }) => DraftState::Waiting,
            // A limit or a missing permission says nothing about an earlier attempt, which may have used up the limit.
            (
                Self::Window,
                CommandError::PermissionDenied { .. } | CommandError::PlanLimit { .. },
            ) if before.is_in_doubt() => DraftState::UnknownOutcome,
            // The service has judged the draft: an earlier attempt with its key fares no better.
            (Self::Window, _) if is_refused => DraftState::Editing,
            (Self::Outbox | Self::Window, _) => before,
        }
    }
}

/// Whether an error says that a session is missing, and nothing about the draft.
pub(super) fn needs_session(error: &CommandError) -> bool {
    matches!(
        error,
        CommandError::SessionEnded { .. }
            | CommandError::NotSignedIn
            | CommandError::SessionInterrupted
            | CommandError::StaleBinding
            | CommandError::OrganizationNotGranted { .. }
    )
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::views::{Support, VaultProblem};

    fn support() -> Box<Support> {
        Box::default()
    }

    #[test]
    fn outbox_refuses_a_draft_only_if_the_service_did() {
        let (current, violations) = (None, Vec::new());
        let judged = [
            CommandError::InvalidArgument {
                violations,
                support: support(),
            },
            CommandError::FailedPrecondition {
                current: current.clone(),
                support: support(),
            },
            CommandError::Aborted {
                current: current.clone(),
                support: support(),
            },
            CommandError::AlreadyExists {
                current,
                support: support(),
            },
            CommandError::NotFound { support: support() },
        ];
        let not_let_in = [
            CommandError::PermissionDenied {
                scope: String::new(),
                support: support(),
            },
            CommandError::PlanLimit { support: support() },
        ];
        let judged = judged.map(|error| (error, DraftState::Editing));
        let not_let_in = not_let_in.map(|error| (error, DraftState::UnknownOutcome));
        for (error, after_doubt) in judged.into_iter().chain(not_let_in) {
            let state = Sender::Outbox.state_after(&error, DraftState::Waiting);
            assert_eq!(state, DraftState::Refused, "{error:?}");
            let state = Sender::Window.state_after(&error, DraftState::Editing);
            assert_eq!(state, DraftState::Editing, "{error:?}");
            let state = Sender::Window.state_after(&error, DraftState::UnknownOutcome);
            assert_eq!(state, after_doubt, "{error:?}");
        }
        let unexpected = |status| CommandError::UnexpectedResponse {
            status,
            support: support(),
        };
        let problems = [
            VaultProblem::Locked,
            VaultProblem::Absent,
            VaultProblem::Waiting,
        ];
        let vault = problems.map(|problem| CommandError::Vault { problem });
        let waiting = [
            unexpected(200),
            unexpected(302),
            unexpected(403),
            unexpected(407),
            unexpected(502),
            CommandError::Offline { support: support() },
            CommandError::Internal { support: support() },
            CommandError::RateLimited { support: support() },
            CommandError::OrganizationUnavailable {
                others_answer: true,
                support: support(),
            },
            CommandError::Unavailable {
                authority: false,
                support: support(),
            },
            CommandError::not_saved(""),
            CommandError::SessionEnded { support: support() },
            CommandError::NotSignedIn,
        ];
        for error in vault.into_iter().chain(waiting) {
            let state = Sender::Outbox.state_after(&error, DraftState::Waiting);
            assert_eq!(state, DraftState::Waiting, "{error:?}");
            let state = Sender::Window.state_after(&error, DraftState::UnknownOutcome);
            assert!(state.is_in_doubt(), "{error:?}: {state:?}");
        }
    }

    #[test]
    fn draft_whose_answer_was_lost_is_in_doubt_and_the_outbox_does_not_forget_that_it_waits() {
        let lost = CommandError::UnknownOutcome {
            key: Some("k".into()),
            support: support(),
        };
        let offline = CommandError::Offline { support: support() };
        for (sender, error, before, after) in [
            (
                Sender::Outbox,
                &lost,
                DraftState::Waiting,
                DraftState::WaitingInDoubt,
            ),
            (
                Sender::Window,
                &lost,
                DraftState::Editing,
                DraftState::UnknownOutcome,
            ),
            (
                Sender::Window,
                &offline,
                DraftState::Editing,
                DraftState::Waiting,
            ),
            (
                Sender::Window,
                &offline,
                DraftState::UnknownOutcome,
                DraftState::WaitingInDoubt,
            ),
        ] {
            let state = sender.state_after(error, before);
            assert_eq!(state, after, "{sender:?}: {error:?} after {before:?}");
        }
    }
}
