//! The operations of the gateway: one constant for each, generated from the annotations in `proto/`.

/// How an operation is called over gRPC and REST, and the scope that it requires (contract, parts 4 and 5).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Operation {
    /// Full name of the gRPC service, as `invoicing.simple.v1.Invoices`.
    pub service: &'static str,
    /// Name of the gRPC method, as `ListInvoices`.
    pub method: &'static str,
    /// The one authorization scope, as `Service.Simple.Invoices.v1.List`.
    pub scope: &'static str,
    /// HTTP method, as `POST`.
    pub verb: &'static str,
    /// Path template, as `/api/v2/documents/{document_key}:issue`.
    pub path: &'static str,
}

impl Operation {
    /// The path of the gRPC call: `/<service>/<method>`.
    #[must_use]
    pub fn grpc_path(&self) -> String {
        format!("/{}/{}", self.service, self.method)
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
    fn every_scope_has_the_shape_of_the_contract() {
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
}
