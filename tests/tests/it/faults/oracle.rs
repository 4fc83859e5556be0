//! What has to come of a call under a fault: the rule by which each cell of the table is judged.
//!
//! An outcome is `ok`, `cached` for an earlier answer that is marked so, the kind of a `CommandError`, or a state where no
//! command waits for the call: `online` and `offline` of a session; `sent`, `waiting` or `waitingInDoubt` of a draft in the outbox.

use end_to_end::fault_proxy::Lasting;

use super::call::{Call, CallClass};
use super::cell::Cell;
use super::fault_kind::{FaultClass, FaultKind};

/// The outcomes that are right in a cell. There is more than one where the answers of the two servers to the same defect
/// are equally true.
pub(crate) fn expected(cell: Cell) -> Vec<&'static str> {
    let class = cell.fault.class(cell.tls);
    let mut outcomes = expected_of(cell, class).to_vec();
    // The reset may arrive before the client has sent its request, or after.
    if cell.fault == FaultKind::ConnectionReset {
        outcomes.extend(expected_of(cell, FaultClass::NotSent));
    }
    // GOAWAY says that the request was not handled, so that the HTTP client sends it on a new connection, unless the
    // connection ends first.
    if cell.fault == FaultKind::GoAwayBefore {
        outcomes.extend(expected_of(cell, FaultClass::None));
    }
    outcomes
}

fn expected_of(cell: Cell, class: FaultClass) -> &'static [&'static str] {
    let once = cell.lasting == Lasting::Once;
    match cell.call.class() {
        CallClass::Read => read(cell, class, once),
        CallClass::Create | CallClass::Change => write(cell, class, once),
        CallClass::InDoubt => in_doubt(cell, class, once, "ok", &["unknownOutcome"]),
        // The outbox tries again by itself, so that the draft is still waiting.
        CallClass::BackgroundInDoubt if once => {
            in_doubt(cell, class, once, "sent", &["sent", "waitingInDoubt"])
        }
        CallClass::BackgroundInDoubt => in_doubt(cell, class, once, "sent", &["waitingInDoubt"]),
        CallClass::Background => background(cell, class, once),
        CallClass::Metadata | CallClass::Exchange | CallClass::Refresh => provider(cell, class),
        CallClass::Restore => restore(cell, class),
        CallClass::Probe => probe(class),
        // Sign-out ends the session here, whatever the provider says.
        CallClass::SignOut => &["ok"],
    }
}

/// A read is repeated after the errors of the retry rules, and says what happened after others.
fn read(cell: Cell, class: FaultClass, once: bool) -> &'static [&'static str] {
    match class {
        FaultClass::None => &["ok"],
        // The list has been read before, the other documents have not.
        FaultClass::NotSent | FaultClass::Lost if cell.call == Call::List => &["cached"],
        FaultClass::NotSent | FaultClass::Lost => &["offline"],
        // Fields that are not known are ignored, and a list without entries has none. The headers are those of the service.
        FaultClass::Foreign
            if matches!(cell.call, Call::List | Call::ListAfterSwitch)
                && matches!(
                    cell.fault,
                    FaultKind::EmptyObjectAfter | FaultKind::ForeignDocumentAfter
                ) =>
        {
            &["ok", "unexpectedResponse"]
        }
        FaultClass::Foreign | FaultClass::Refusal | FaultClass::BrokenProxy => {
            &["unexpectedResponse"]
        }
        FaultClass::RateLimited
        | FaultClass::Unavailable
        | FaultClass::OrganizationUnavailable
        | FaultClass::Internal
            if once =>
        {
            &["ok"]
        }
        FaultClass::RateLimited => &["rateLimited"],
        FaultClass::Unavailable => &["unavailable"],
        FaultClass::OrganizationUnavailable => &["organizationUnavailable"],
        FaultClass::Internal => &["internal"],
    }
}

/// A write whose answer is lost or foreign is looked for: what was done succeeds, what was not is sent once more, and if
/// that cannot be learned, the outcome is unknown.
fn write(cell: Cell, class: FaultClass, once: bool) -> &'static [&'static str] {
    match class {
        FaultClass::Lost | FaultClass::Foreign | FaultClass::BrokenProxy => {
            if cell.fault.loses_each_answer() && !once {
                &["unknownOutcome"]
            } else if can_learn_outcome(cell, once) {
                &["ok"]
            } else {
                // Reading shows that it did not arrive. Then only a request that can still be on its way is in doubt.
                &["unknownOutcome", "unexpectedResponse"]
            }
        }
        FaultClass::Internal if once => &["ok"],
        FaultClass::Internal => &["unknownOutcome", "internal"],
        FaultClass::None
        | FaultClass::NotSent
        | FaultClass::Refusal
        | FaultClass::RateLimited
        | FaultClass::OrganizationUnavailable
        | FaultClass::Unavailable => read(cell, class, once),
    }
}

/// Whether the reads after a write show that it was done, or that it can be sent once more. A GOAWAY that lasts meets every
/// connection, so also those reads; a fault of a request meets only the write.
fn can_learn_outcome(cell: Cell, once: bool) -> bool {
    once || (cell.fault.server_acts() && !cell.fault.loses_each_answer())
}

/// A write was done and its answer lost; the fault meets the read that looks for it.
fn in_doubt(
    cell: Cell,
    class: FaultClass,
    once: bool,
    done: &'static str,
    unknown: &'static [&'static str],
) -> &'static [&'static str] {
    let found = match class {
        FaultClass::None => true,
        FaultClass::RateLimited
        | FaultClass::Unavailable
        | FaultClass::OrganizationUnavailable
        | FaultClass::Internal => once && cell.call.class() == CallClass::InDoubt,
        FaultClass::NotSent
        | FaultClass::Lost
        | FaultClass::Foreign
        | FaultClass::Refusal
        | FaultClass::BrokenProxy => false,
    };
    match (found, done) {
        (true, "ok") => &["ok"],
        (true, _) => &["sent"],
        (false, _) => unknown,
    }
}

/// The outbox keeps what was not sent, whatever said so: nobody looks at an error of it.
fn background(cell: Cell, class: FaultClass, once: bool) -> &'static [&'static str] {
    match class {
        FaultClass::None => &["sent"],
        FaultClass::Lost | FaultClass::Foreign | FaultClass::BrokenProxy => {
            if can_learn_outcome(cell, once) {
                &["sent"]
            } else if cell.fault.loses_each_answer() {
                &["waitingInDoubt"]
            } else {
                // Reading shows that it did not arrive. Then only a request that can still be on its way is in doubt.
                &["waitingInDoubt", "waiting"]
            }
        }
        FaultClass::Internal if once => &["sent"],
        FaultClass::Internal => &["waitingInDoubt", "waiting"],
        // The session is offline until the next probe.
        FaultClass::NotSent => &["waiting"],
        FaultClass::Refusal
        | FaultClass::RateLimited
        | FaultClass::OrganizationUnavailable
        | FaultClass::Unavailable => {
            if once {
                &["sent"]
            } else {
                &["waiting"]
            }
        }
    }
}

/// The provider's answers carry no Status, so that 429 and 5xx are one temporary error.
fn provider(cell: Cell, class: FaultClass) -> &'static [&'static str] {
    match class {
        FaultClass::None => &["ok"],
        FaultClass::NotSent | FaultClass::Lost
            if matches!(
                cell.call,
                Call::RefreshBeforeRead | Call::RefreshAfterRejection
            ) =>
        {
            &["cached"]
        }
        FaultClass::NotSent | FaultClass::Lost => &["offline"],
        // The document is whole.
        FaultClass::Foreign if cell.fault == FaultKind::WrongContentType => {
            &["ok", "unexpectedResponse"]
        }
        FaultClass::Foreign => &["unexpectedResponse", "notTrusted"],
        FaultClass::Refusal => &["unexpectedResponse"],
        FaultClass::BrokenProxy
        | FaultClass::RateLimited
        | FaultClass::OrganizationUnavailable
        | FaultClass::Unavailable
        | FaultClass::Internal => &["unavailable"],
    }
}

/// A session whose token cannot be refreshed at the start is offline, and never ended by a fault of the network.
fn restore(cell: Cell, class: FaultClass) -> &'static [&'static str] {
    match class {
        FaultClass::None => &["online"],
        FaultClass::Foreign if cell.fault == FaultKind::WrongContentType => &["online", "offline"],
        FaultClass::NotSent
        | FaultClass::Lost
        | FaultClass::Foreign
        | FaultClass::Refusal
        | FaultClass::BrokenProxy
        | FaultClass::RateLimited
        | FaultClass::OrganizationUnavailable
        | FaultClass::Unavailable
        | FaultClass::Internal => &["offline"],
    }
}

/// The page of a captive portal is not the provider; its own errors are.
fn probe(class: FaultClass) -> &'static [&'static str] {
    match class {
        FaultClass::None => &["online"],
        FaultClass::NotSent | FaultClass::Lost => &["offline"],
        FaultClass::Foreign | FaultClass::Refusal => &["offline", "online"],
        FaultClass::BrokenProxy
        | FaultClass::RateLimited
        | FaultClass::OrganizationUnavailable
        | FaultClass::Unavailable
        | FaultClass::Internal => &["online", "offline"],
    }
}
