//! What one administrator of an organization may do there: the guards that all operations of administration share
//! (decision 0116).

use std::time::Duration;

use invoicing_contract::{FieldViolation, OrganizationId, Role, SubjectId, operation};
use invoicing_http::RequestContext;
use invoicing_storage::access::Authorizer;
use invoicing_storage::budgets::{Bought, Purchase};
use invoicing_storage::users::User;
use uuid::Uuid;

use super::{Administration, AdministrationError, RecordKind, Restriction};

/// Usernames of other organizations that the administrators of one may try at once. One is regained every six minutes.
const USERNAME_ATTEMPTS: u32 = 10;
/// The time in which a tried username is regained.
const USERNAME_INTERVAL: Duration = Duration::from_secs(6 * 60);

/// Administration of the target organization of a request by its caller.
pub(super) struct OrganizationAdministration<'a> {
    pub(super) administration: Administration,
    pub(super) authorizer: &'a dyn Authorizer,
    pub(super) caller: &'a RequestContext,
}

impl OrganizationAdministration<'_> {
    /// The organization.
    pub(super) fn organization(&self) -> &OrganizationId {
        self.caller.organization()
    }

    /// A user who belongs to the organization or has a role in it.
    pub(super) async fn user(&self, id: &str) -> Result<User, AdministrationError> {
        let found = self
            .administration
            .store
            .user(self.organization(), &id.into())
            .await?;
        found.ok_or_else(|| user_not_found(id))
    }

    /// A user who belongs to the organization, and whom the caller may administer.
    pub(super) async fn own_user(&self, id: &str) -> Result<User, AdministrationError> {
        let user = self.user(id).await?;
        if user.account.subject.home_organization != *self.organization() {
            return Err(user_not_found(id));
        }
        self.require_rights_over(&user.roles).await?;
        Ok(user)
    }

    /// The same, but not the caller.
    pub(super) async fn other_own_user(&self, id: &str) -> Result<User, AdministrationError> {
        let user = self.own_user(id).await?;
        if user.account.subject.id == self.caller.principal.subject {
            return Err(AdministrationError::NotAllowed(Restriction::OwnAccount));
        }
        Ok(user)
    }

    /// Checks that the caller may change somebody with these roles in the organization: an operator only if the caller is one, or an
    /// administrator of the operator organization could become an operator by setting the password of one (decision 0022).
    pub(super) async fn require_rights_over(
        &self,
        roles: &[String],
    ) -> Result<(), AdministrationError> {
        let roles: Vec<_> = roles.iter().map(String::as_str).collect();
        if !self.holds_platform_scope(&roles) || !self.is_of_operator().await? {
            return Ok(());
        }
        let own: Vec<_> = self
            .caller
            .principal
            .roles_in(self.organization())
            .collect();
        if self.holds_platform_scope(&own) {
            Ok(())
        } else {
            Err(AdministrationError::OperatorsOnly)
        }
    }

    /// Checks that a role exists and that the caller may grant it in the organization.
    pub(super) async fn require_grantable(
        &self,
        field: &str,
        role: &str,
    ) -> Result<(), AdministrationError> {
        let violation = |description: &str| {
            Err(AdministrationError::Violations(vec![FieldViolation::new(
                field,
                description,
            )]))
        };
        if !self.authorizer.names_role(role) {
            return violation("must be a role that the rules name");
        }
        if role == Role::Operator.name() && !self.is_of_operator().await? {
            return violation("is a role of the operator organization only");
        }
        self.require_rights_over(&[role.to_owned()]).await
    }

    /// Counts an attempt to name a person of another organization, so that administrators cannot find out who has an account.
    pub(super) async fn count_username(&self) -> Result<(), AdministrationError> {
        let purchase = Purchase {
            key: &format!("usernames:{}", self.organization()),
            unit: USERNAME_INTERVAL,
            capacity: USERNAME_INTERVAL * USERNAME_ATTEMPTS,
            units: 1,
        };
        let Administration { store, clock, .. } = &self.administration;
        match store.buy(&purchase, &**clock).await? {
            Bought::Units(_) => Ok(()),
            Bought::Wait(wait) => Err(AdministrationError::TooManyUsernames { wait }),
        }
    }

    /// The limit of the people of the organization, by its plan or its own (decision 0118).
    pub(super) fn user_limit(&self) -> Option<i64> {
        self.caller.tenant.limits().users
    }

    /// The error when another person is above it.
    pub(super) fn user_limit_reached(&self) -> AdministrationError {
        AdministrationError::UserLimit {
            organization: self.organization().clone(),
            limit: self.user_limit().unwrap_or_default(),
        }
    }

    /// The caller's id.
    pub(super) const fn caller_id(&self) -> &SubjectId {
        &self.caller.principal.subject
    }

    async fn is_of_operator(&self) -> Result<bool, AdministrationError> {
        let operator = self.administration.store.operator().await?;
        Ok(operator.as_ref() == Some(self.organization()))
    }

    fn holds_platform_scope(&self, roles: &[&str]) -> bool {
        operation::ALL
            .iter()
            .filter(|operation| operation.is_platform())
            .any(|operation| self.authorizer.allows(roles, operation.scope))
    }
}

pub(super) fn user_not_found(name: &str) -> AdministrationError {
    AdministrationError::NotFound {
        kind: RecordKind::User,
        name: name.to_owned(),
    }
}

/// Checks the id that a caller may choose for a new record.
pub(super) fn check_new_id(violations: &mut Vec<FieldViolation>, field: &str, id: &str) {
    if !id.is_empty() && !Uuid::try_parse(id).is_ok_and(|id| id.get_version_num() == 7) {
        violations.push(FieldViolation::new(field, "must be a UUIDv7"));
    }
}
