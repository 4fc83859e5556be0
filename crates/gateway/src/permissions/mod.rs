//! What a caller may do in an organization: the decision of the request guard, which `GetPermissions` tells (decision 0161).

mod error;
mod rpc;

use std::collections::BTreeSet;
use std::sync::Arc;

use invoicing_contract::messages::permissions::CallerPermissions;
use invoicing_contract::{Operation, OrganizationId, operation};
use invoicing_http::RequestContext;
use invoicing_storage::access::{Authorizer, Principal, Tenant};
use invoicing_storage::plans::Entitlement;
use invoicing_storage::{StorageError, Store};

use self::error::PermissionsError;

/// Decides by the current rules and plans.
pub(crate) struct Permissions {
    authorizer: Arc<dyn Authorizer>,
    store: Arc<dyn Store>,
}

impl Permissions {
    pub(crate) const fn new(authorizer: Arc<dyn Authorizer>, store: Arc<dyn Store>) -> Self {
        Self { authorizer, store }
    }

    /// Whether the rules permit an operation to the roles of a principal in an organization.
    pub(crate) async fn allows(
        &self,
        principal: &Principal,
        organization: &OrganizationId,
        operation: &Operation,
    ) -> Result<bool, StorageError> {
        // An impersonated token never administers, even if the person has become an administrator meanwhile.
        if operation.is_administration() && principal.actor.is_some() {
            return Ok(false);
        }
        let roles: Vec<_> = principal.roles_in(organization).collect();
        if operation.without_rules {
            return Ok(!roles.is_empty());
        }
        if !self.authorizer.allows(&roles, operation.scope) {
            return Ok(false);
        }
        // The role of the operator counts in the operator organization only (decision 0022).
        Ok(!operation.is_platform() || self.store.operator().await?.as_ref() == Some(organization))
    }

    /// The scopes of all operations that the caller may call.
    async fn get(&self, context: &RequestContext) -> Result<CallerPermissions, PermissionsError> {
        let (principal, tenant) = (&context.principal, &context.tenant);
        let organization = context.organization();
        let mut scopes = BTreeSet::new();
        for operation in operation::ALL {
            if is_entitled(principal, tenant, Some(operation))
                && self.allows(principal, organization, operation).await?
            {
                scopes.insert(operation.scope);
            }
        }
        Ok(CallerPermissions {
            scopes: scopes.into_iter().map(str::to_owned).collect(),
        })
    }
}

/// Whether the plan of the organization includes the operation, and API access if a machine user calls. What depends on the
/// content of a request is checked by the operation (decision 0118).
pub(crate) fn is_entitled(
    principal: &Principal,
    tenant: &Tenant,
    operation: Option<&Operation>,
) -> bool {
    let needs_api_access = principal.is_machine
        || match operation.and_then(|operation| operation.entitlement) {
            Some(operation::Entitlement::ApiAccess) => true,
            None => false,
        };
    !needs_api_access || tenant.has(Entitlement::ApiAccess)
}
