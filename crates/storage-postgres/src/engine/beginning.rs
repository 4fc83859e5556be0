//! How transactions begin: which rows they see, and of which organization.

use invoicing_contract::OrganizationId;

use super::transaction::TransactionWork;

/// Row-level security compares `organization_id` with this setting (decision 0103). It ends with the transaction.
const SET_ORGANIZATION: &str = "SELECT set_config('app.organization', $1, true)";
/// The same before statements that read: they are planned for their parameters, since how many documents a filter selects
/// depends on them. Statements that write name their rows, and planning the longest takes longer than its execution.
pub(super) const SET_ORGANIZATION_OF_READ: &str =
    "SELECT set_config('app.organization', $1, true), set_config('plan_cache_mode', 'auto', true)";

/// Which rows the statements of a transaction see.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Isolation {
    /// Each statement sees what was committed before it began. For writes.
    ReadCommitted,
    /// All statements see what was committed before the first began. For reads.
    Snapshot,
}

/// The beginning of a transaction.
pub(super) struct Beginning {
    isolation: Isolation,
    organization: Option<OrganizationId>,
    keeps_plans: bool,
}

impl Beginning {
    /// That of the transaction of `work`.
    pub(super) fn of(work: &impl TransactionWork, isolation: Isolation) -> Self {
        Self {
            isolation,
            organization: work.organization().cloned(),
            keeps_plans: work.keeps_plans(),
        }
    }

    /// The first statement.
    pub(super) const fn begin(&self) -> &'static str {
        match self.isolation {
            Isolation::ReadCommitted => "BEGIN ISOLATION LEVEL READ COMMITTED",
            Isolation::Snapshot => "BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY",
        }
    }

    /// The second, which sets the organization, and its parameter. `None` if the transaction has no organization.
    pub(super) fn set_organization(&self) -> Option<(&'static str, &str)> {
        let organization = self.organization.as_ref()?;
        let set = match self.isolation {
            Isolation::Snapshot if !self.keeps_plans => SET_ORGANIZATION_OF_READ,
            Isolation::Snapshot | Isolation::ReadCommitted => SET_ORGANIZATION,
        };
        Some((set, organization.as_str()))
    }
}
