//! Cells that do not hold yet, each with the reason. A cell of this list that holds is an error, so the list only shrinks.

use super::call::Call;
use super::cell::Cell;
use super::fault_kind::FaultKind;

/// A call and a fault, in every transport and duration.
pub(crate) const KNOWN_FAILURES: &[(Call, FaultKind, &str)] = &[];

/// Whether a cell is in the list.
pub(crate) fn is_known(cell: Cell) -> bool {
    KNOWN_FAILURES
        .iter()
        .any(|(call, fault, _)| *call == cell.call && *fault == cell.fault)
}
