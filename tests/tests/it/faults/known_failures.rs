//! Cells that do not hold yet, each with the reason. A cell of this list that holds is an error, so the list only shrinks.

use super::call::Call;
use super::cell::Cell;
use super::fault_kind::FaultKind;

/// Calls and faults that fail together, in every transport and duration, and why.
type KnownFailure = (&'static [Call], &'static [FaultKind], &'static str);

const KNOWN_FAILURES: &[KnownFailure] = &[];

/// Whether a cell is in the list.
pub(crate) fn is_known(cell: Cell) -> bool {
    KNOWN_FAILURES
        .iter()
        .any(|(calls, faults, _)| calls.contains(&cell.call) && faults.contains(&cell.fault))
}
