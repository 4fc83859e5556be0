//! Insertion of users with their rights, in one transaction.

use async_trait::async_trait;
use invoicing_contract::Timestamp;
use invoicing_storage::applications::Application;
use invoicing_storage::subjects::Subject;
use invoicing_storage::users::{CodePurpose, NewUserOutcome, PasswordCode};

use super::additions::is_above_limit;
use super::applications::insert_application;
use super::increment_version;
use super::password_codes::upsert_code;
use super::subjects::{insert_grant, insert_subject};
use crate::audit::NewEvents;
use crate::engine::{EngineError, Transaction, TransactionEnd, TransactionWork};

/// A user that is to be stored, unless its id or its username is taken.
pub(super) struct NewUser<'a> {
    subject: &'a Subject,
    rights: Rights<'a>,
    events: NewEvents<'a>,
}

/// What the user gets in the home organization.
pub(super) enum Rights<'a> {
    Person {
        roles: &'a [String],
        code: &'a PasswordCode,
        /// Of the people of the organization.
        limit: Option<i64>,
    },
    Machine {
        role: &'a str,
        application: &'a Application,
    },
}

impl<'a> NewUser<'a> {
    /// A user with the events of its creation.
    pub(super) const fn new(
        subject: &'a Subject,
        rights: Rights<'a>,
        events: NewEvents<'a>,
    ) -> Self {
        Self {
            subject,
            rights,
            events,
        }
    }
}

#[async_trait]
impl TransactionWork for NewUser<'_> {
    type Output = NewUserOutcome;

    fn partition_times(&self) -> Vec<Timestamp> {
        self.events.times()
    }

    async fn run(
        &self,
        transaction: &Transaction,
    ) -> Result<TransactionEnd<NewUserOutcome>, EngineError> {
        let subject = self.subject;
        if let Rights::Person { limit, .. } = self.rights
            && is_above_limit(transaction, &subject.home_organization, &subject.id, limit).await?
        {
            return Ok(TransactionEnd::Rollback(NewUserOutcome::UserLimit));
        }
        if !insert_subject(transaction, subject).await? {
            if self.events.are_recorded(transaction).await? {
                return Ok(TransactionEnd::Rollback(NewUserOutcome::Added));
            }
            // In a statement of its own: the one before does not see a subject that it waited for.
            let same_id = "SELECT 1 FROM subjects WHERE id = $1";
            let same_id = transaction.row(same_id, &[&subject.id.as_str()]).await?;
            return Ok(TransactionEnd::Rollback(match same_id {
                Some(_) => NewUserOutcome::IdTaken,
                None => NewUserOutcome::UsernameTaken,
            }));
        }
        let home = &subject.home_organization;
        match &self.rights {
            Rights::Person { roles, code, .. } => {
                for role in *roles {
                    insert_grant(transaction, &subject.id, home, role).await?;
                }
                let purpose = CodePurpose::Invitation;
                upsert_code(transaction, &subject.id, purpose, subject.epoch, code).await?;
            }
            Rights::Machine { role, application } => {
                insert_grant(transaction, &subject.id, home, role).await?;
                if !insert_application(transaction, application).await? {
                    return Ok(TransactionEnd::Rollback(NewUserOutcome::IdTaken));
                }
            }
        }
        self.events.record(transaction).await?;
        increment_version(transaction).await?;
        Ok(TransactionEnd::Commit(NewUserOutcome::Added))
    }
}
