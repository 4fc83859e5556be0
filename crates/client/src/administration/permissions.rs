//! What the person may do in the organization of the window, as the service says (decision 0161).

use invoicing_contract::messages::permissions::{CallerPermissions, GetPermissionsRequest};
use invoicing_contract::{Operation, operation};

use super::Administration;
use crate::gateway::CallContext;
use crate::views::{CommandError, Permissions};

impl Administration {
    pub(crate) async fn permissions(
        &self,
        context: &CallContext,
    ) -> Result<Permissions, CommandError> {
        let answer: CallerPermissions = self
            .call(
                context,
                &operation::GET_PERMISSIONS,
                &GetPermissionsRequest {},
            )
            .await?;
        Ok(permissions(&answer))
    }
}

fn permissions(answer: &CallerPermissions) -> Permissions {
    let includes = |operation: Operation| answer.scopes.iter().any(|held| held == operation.scope);
    let held = Permissions {
        administration: false,
        create_documents: includes(operation::CREATE_DOCUMENT),
        update_documents: includes(operation::UPDATE_DOCUMENT),
        delete_documents: includes(operation::DELETE_DOCUMENT),
        issue_documents: includes(operation::ISSUE_DOCUMENT),
        freeze_documents: includes(operation::FREEZE_DOCUMENT),
        record_payments: includes(operation::RECORD_PAYMENT),
        void_payments: includes(operation::VOID_PAYMENT),
        update_parties: includes(operation::UPDATE_PARTY),
        update_items: includes(operation::UPDATE_ITEM),
        list_documents: includes(operation::LIST_DOCUMENTS),
        users: includes(operation::LIST_USERS),
        machine_users: includes(operation::LIST_MACHINE_USERS),
        audit: includes(operation::LIST_AUDIT_EVENTS),
        own_tenant: includes(operation::UPDATE_OWN_TENANT),
        tenants: includes(operation::LIST_TENANTS),
        plans: includes(operation::LIST_PLANS),
        rules: includes(operation::GET_RULES),
        platform_audit: includes(operation::LIST_AUDIT_EVENTS_ACROSS_TENANTS),
    };
    let of_organization = held.users || held.machine_users || held.audit || held.own_tenant;
    let of_platform = held.tenants || held.plans || held.rules || held.platform_audit;
    Permissions {
        administration: of_organization || of_platform,
        ..held
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn permissions_are_those_of_the_scopes_that_are_held() {
        let held = [
            operation::LIST_DOCUMENTS,
            operation::GET_RULES,
            operation::UPDATE_OWN_TENANT,
        ];
        let answer = CallerPermissions {
            scopes: held.map(|operation| operation.scope.to_owned()).into(),
        };
        let expected = Permissions {
            list_documents: true,
            rules: true,
            own_tenant: true,
            administration: true,
            ..Permissions::default()
        };
        assert_eq!(permissions(&answer), expected);

        let held = [
            operation::CREATE_DOCUMENT,
            operation::FREEZE_DOCUMENT,
            operation::UPDATE_PARTY,
        ];
        let answer = CallerPermissions {
            scopes: held.map(|operation| operation.scope.to_owned()).into(),
        };
        let expected = Permissions {
            create_documents: true,
            freeze_documents: true,
            update_parties: true,
            ..Permissions::default()
        };
        assert_eq!(permissions(&answer), expected);
    }
}
