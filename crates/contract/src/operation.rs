//! The operations of the gateway: one constant for each, generated from the options of the methods in `proto/`.

use crate::Role;

/// How an operation is called over gRPC and REST, and who may call it (contract, parts 4 and 5).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Operation {
    /// Full name of the gRPC service, as `invoicing.simple.v1.Invoices`.
    pub service: &'static str,
    /// Name of the gRPC method, as `ListInvoices`.
    pub method: &'static str,
    /// The one authorization scope, as `Service.Simple.Invoices.v1.List`.
    pub scope: &'static str,
    /// The lowest built-in role that holds the scope (decision 0023).
    pub least_role: Role,
    /// Whether a call creates a document, which counts against the organization's plan (decision 0024).
    pub creates_document: bool,
    /// Whether a tenant whose profile is not complete may call it (decision 0114).
    pub without_profile: bool,
    /// Whether everybody with a role in the organization may call it, whatever the rules say (decision 0161).
    pub without_rules: bool,
    /// What the plan of the organization must have for it (decision 0118).
    pub entitlement: Option<Entitlement>,
    /// HTTP method, as `POST`.
    pub verb: &'static str,
    /// Path template, as `/api/v2/documents/{document_key}:issue`.
    pub path: &'static str,
}

/// What an operation requires of the organization's plan, whatever its request contains.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Entitlement {
    /// Calls of machine users, and credentials for them.
    ApiAccess,
}

impl Operation {
    /// The path of the gRPC call: `/<service>/<method>`.
    #[must_use]
    pub fn grpc_path(&self) -> String {
        format!("/{}/{}", self.service, self.method)
    }

    /// Whether the operation is administration, of a tenant or of the platform. An impersonated token cannot reach it (decision
    /// 0011).
    #[must_use]
    pub const fn is_administration(&self) -> bool {
        matches!(self.least_role, Role::Administrator | Role::Operator)
    }

    /// Whether the operation is about the platform. The request must then target the operator organization (decision 0022).
    #[must_use]
    pub const fn is_platform(&self) -> bool {
        matches!(self.least_role, Role::Operator)
    }
}

include!(concat!(env!("OUT_DIR"), "/operations.rs"));

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn annotations_have_the_paths_and_scopes_of_the_contract() {
        assert_eq!(
            (LIST_INVOICES.verb, LIST_INVOICES.path),
            ("POST", "/api/v1/simple/invoices/list")
        );
        assert_eq!(LIST_INVOICES.scope, "Service.Simple.Invoices.v1.List");
        assert_eq!(
            CREATE_INVOICE.scope,
            "Service.Simple.Invoices.v1.Modify.Create"
        );
        assert_eq!(
            FREEZE_INVOICE.scope,
            "Service.Simple.Invoices.v1.Modify.Freeze"
        );
        assert_eq!(
            CREATE_TENANT.scope,
            "Service.Admin.Identity.v2.CreateTenant"
        );
        assert_eq!(IMPERSONATE.scope, "Service.Admin.Impersonate");
        assert_eq!(
            (CREATE_DOCUMENT.verb, CREATE_DOCUMENT.path),
            ("POST", "/api/v2/documents")
        );
    }

    #[test]
    fn every_scope_has_the_form_of_the_contract() {
        for operation in ALL {
            let parts: Vec<_> = operation.scope.split('.').collect();
            assert_eq!(parts[0], "Service", "{operation:?}");
            // The contract itself has one scope without a version.
            assert!(
                parts.iter().any(|part| part.starts_with('v'))
                    || operation.scope == "Service.Admin.Impersonate",
                "{operation:?} names no version"
            );
        }
    }

    /// The table of decision 0023, by the last word of the scope.
    #[test]
    fn least_roles_are_those_of_the_documented_table() {
        for operation in ALL {
            let platform = [
                "CreateTenant",
                "ImpersonateAcrossTenants",
                "SetTenantLimits",
                "GetTenant",
                "ListTenants",
                "UpdateTenant",
                "DisableTenant",
                "EnableTenant",
                "GetTenantHistory",
                "CreateOrganization",
                "ListOrganizations",
                "CreateTenantOfOrganization",
                "ListOrganizationDomains",
                "AddOrganizationDomain",
                "SetOrganizationPrimaryDomain",
                "RemoveOrganizationDomain",
                "InviteAdministrator",
                "ListAuditEventsAcrossTenants",
            ];
            let expected = match operation.scope.rsplit('.').next() {
                _ if platform.contains(&operation.method) => Role::Operator,
                _ if operation.scope.starts_with("Service.Admin.Rules.") => Role::Operator,
                _ if operation.scope.starts_with("Service.Admin.Plans.") => Role::Operator,
                _ if operation.scope.starts_with("Service.Admin.Authorities.") => Role::Operator,
                _ if operation.scope.starts_with("Service.Admin.") => Role::Administrator,
                // What a caller of any role asks about itself.
                _ if operation.without_rules => Role::Viewer,
                // A machine user of any role.
                Some("Get" | "List" | "MintPat") => Role::Viewer,
                Some("Create" | "Update" | "Issue") => Role::Clerk,
                Some("Freeze" | "Delete") => Role::Accountant,
                _ => Role::Administrator,
            };
            assert_eq!(operation.least_role, expected, "{operation:?}");
        }
    }

    #[test]
    fn tenant_without_a_profile_may_read_itself_and_complete_it() {
        let allowed: Vec<_> = ALL
            .iter()
            .filter(|operation| operation.without_profile)
            .map(|operation| operation.method)
            .collect();
        assert_eq!(
            allowed,
            [
                "CompleteProfile",
                "GetOwnTenant",
                "ListCallerOrganizations",
                "GetPermissions"
            ]
        );
    }

    #[test]
    fn operations_that_create_documents_count_against_the_plan() {
        let mut creations: Vec<_> = ALL
            .iter()
            .filter(|operation| operation.creates_document)
            .map(|operation| operation.method)
            .collect();
        creations.sort_unstable();
        assert_eq!(
            creations,
            [
                "CreateDocument",
                "CreateInvoice",
                "DuplicateDocument",
                "ImportDocument"
            ]
        );
    }
}
