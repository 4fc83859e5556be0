//! What one administrator of an organization may do there: the guards that all operations of administration share
//! (decision 0116).

use std::collections::BTreeMap;
use std::time::Duration;

use invoicing_contract::{FieldViolation, OrganizationId, Role, SubjectId, operation};
use invoicing_http::RequestContext;
use invoicing_storage::access::Authorizer;
use invoicing_storage::budgets::{Admission, AdmissionRequest};
use invoicing_storage::subjects::Subject;
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

    /// A user who belongs to the organization, and whose rights there are no more than the caller's.
    pub(super) async fn own_user(&self, id: &str) -> Result<User, AdministrationError> {
        let user = self.user(id).await?;
        if user.account.subject.home_organization != *self.organization() {
            return Err(user_not_found(id));
        }
        self.require_rights(&user.roles).await?;
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

    /// Checks that the caller may have a credential of the subject: whoever has one acts as the subject in every organization.
    pub(super) async fn require_rights_of(
        &self,
        subject: &SubjectId,
    ) -> Result<(), AdministrationError> {
        let store = &self.administration.store;
        let mut roles: BTreeMap<_, Vec<_>> = BTreeMap::new();
        for grant in store.grants(subject).await? {
            let of_organization = roles.entry(grant.organization).or_default();
            of_organization.push(grant.role);
        }
        let operator = store.operator().await?;
        for (organization, roles) in &roles {
            self.require_rights_in(organization, roles, operator.as_ref())?;
        }
        Ok(())
    }

    /// Checks that the caller holds, in the organization, every administrative scope that these roles give there. Otherwise it could
    /// make somebody, or itself, more than it is (decision 0116).
    pub(super) async fn require_rights(&self, roles: &[String]) -> Result<(), AdministrationError> {
        let operator = self.administration.store.operator().await?;
        self.require_rights_in(self.organization(), roles, operator.as_ref())
    }

    fn require_rights_in(
        &self,
        organization: &OrganizationId,
        roles: &[String],
        operator: Option<&OrganizationId>,
    ) -> Result<(), AdministrationError> {
        let roles: Vec<_> = roles.iter().map(String::as_str).collect();
        let own: Vec<_> = self.caller.principal.roles_in(organization).collect();
        let is_operator = operator == Some(organization);
        let is_held = operation::ALL
            .iter()
            .filter(|operation| operation.is_administration())
            // Those of the platform count in the operator organization only (decision 0022).
            .filter(|operation| is_operator || !operation.is_platform())
            .filter(|operation| self.authorizer.allows(&roles, operation.scope))
            .all(|operation| self.authorizer.allows(&own, operation.scope));
        if is_held {
            Ok(())
        } else {
            Err(AdministrationError::RightsMissing)
        }
    }

    /// The roles that the caller may grant in the organization, in alphabetical order.
    pub(super) async fn grantable_roles(&self) -> Result<Vec<String>, AdministrationError> {
        let operator = self.administration.store.operator().await?;
        let mut roles = self.authorizer.role_names();
        roles.retain(|role| self.check_grant("role", role, operator.as_ref()).is_ok());
        Ok(roles)
    }

    /// Checks that a role exists, and that the caller may grant it in the organization.
    pub(super) async fn require_grantable(
        &self,
        field: &str,
        role: &str,
    ) -> Result<(), AdministrationError> {
        let operator = self.administration.store.operator().await?;
        self.check_grant(field, role, operator.as_ref())
    }

    fn check_grant(
        &self,
        field: &str,
        role: &str,
        operator: Option<&OrganizationId>,
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
        if role == Role::Operator.name() && operator != Some(self.organization()) {
            return violation("is a role of the operator organization only");
        }
        self.require_rights_in(self.organization(), &[role.to_owned()], operator)
    }

    /// Checks that a role with operations on the platform stays with people whose home is the operator organization: the
    /// administrators of another home can act as its people.
    pub(super) async fn require_home_of_role(
        &self,
        subject: &Subject,
        role: &str,
    ) -> Result<(), AdministrationError> {
        if subject.home_organization != *self.organization()
            && self.holds_platform_scope(role)
            && self.is_of_operator().await?
        {
            let description =
                "has operations on the platform: it is for people of the operator organization";
            let violation = FieldViolation::new("role", description);
            return Err(AdministrationError::Violations(vec![violation]));
        }
        Ok(())
    }

    /// Counts an attempt to find out whether a person of another organization has a username.
    pub(super) async fn count_username(&self) -> Result<(), AdministrationError> {
        let request = AdmissionRequest {
            key: &format!("usernames:{}", self.organization()),
            unit: USERNAME_INTERVAL,
            capacity: USERNAME_INTERVAL * USERNAME_ATTEMPTS,
            units: 1,
        };
        let Administration { store, clock, .. } = &self.administration;
        match store.acquire(&request, &**clock).await? {
            Admission::Units(_) => Ok(()),
            Admission::Wait(wait) => Err(AdministrationError::TooManyUsernames { wait }),
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
    pub(super) fn caller_id(&self) -> &SubjectId {
        &self.caller.principal.subject
    }

    async fn is_of_operator(&self) -> Result<bool, AdministrationError> {
        let operator = self.administration.store.operator().await?;
        Ok(operator.as_ref() == Some(self.organization()))
    }

    fn holds_platform_scope(&self, role: &str) -> bool {
        operation::ALL
            .iter()
            .filter(|operation| operation.is_platform())
            .any(|operation| self.authorizer.allows(&[role], operation.scope))
    }
}

pub(super) fn user_not_found(name: &str) -> AdministrationError {
    AdministrationError::NotFound {
        kind: RecordKind::User,
        name: name.to_owned(),
    }
}

/// Checks the id that a caller may choose for a new record. Ids are compared as texts, so there is one spelling of each: another would
/// be the id of another record.
pub(super) fn check_new_id(violations: &mut Vec<FieldViolation>, field: &str, id: &str) {
    if !id.is_empty() && !is_uuid_v7(id) {
        violations.push(FieldViolation::new(
            field,
            "is not a UUIDv7 in lower case with hyphens",
        ));
    }
}

/// Whether a text is a UUIDv7 in the one spelling of ids.
pub(super) fn is_uuid_v7(text: &str) -> bool {
    let is_valid = |uuid: Uuid| uuid.get_version_num() == 7 && uuid.to_string() == text;
    Uuid::try_parse(text).is_ok_and(is_valid)
}
