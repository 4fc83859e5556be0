//! Security tests of authorization changes: they apply immediately at every process, despite caches: case 24.

use invoicing_contract::operation;
use reqwest::{Method, StatusCode};
use serde_json::json;

use crate::fixtures::gateway::GatewayClient;
use crate::fixtures::operations::{OF_ADMINISTRATOR, path_with};
use crate::fixtures::process::Process;
use crate::fixtures::{HOME, KHALID, NOURA, NOURA_ID, SALEM, SALEM_ID, Service, ServiceFolder};

const USERS: &str = "/api/v2/admin/identity/users";

#[tokio::test]
async fn case_24_withdrawn_rights_end_immediately_at_every_process() {
    let folder = ServiceFolder::new();
    let first = Process::start(&folder, &[]).await;
    let second_process = Process::start(&folder, &[]).await;
    let tokens = first.client.sign_in(NOURA).await;
    let token = tokens.text("access_token");
    let khalid = second_process.client.sign_in(KHALID).await;
    let khalid = GatewayClient {
        service: &second_process.client,
        token: khalid.text("access_token").to_owned(),
    };
    // Several requests at both processes fill their caches.
    for process in [&first, &second_process] {
        for _ in 0..3 {
            assert_eq!(
                process.client.list_status(token, None).await,
                StatusCode::OK
            );
            assert_eq!(process.client.userinfo(token).await.status, StatusCode::OK);
        }
    }

    let revoke = format!("{USERS}/{NOURA_ID}:revokeRole");
    let revoked = khalid.post(&revoke, json!({"role": "accountant"})).await;
    assert_eq!(revoked.status, StatusCode::OK, "{}", revoked.body);
    for process in [&first, &second_process] {
        assert_eq!(
            process.client.list_status(token, None).await,
            StatusCode::FORBIDDEN,
            "the removed roles have no effect"
        );
        assert_eq!(
            process.client.userinfo(token).await.status,
            StatusCode::OK,
            "the token is still valid"
        );
    }

    // One process revokes the token; the other must reject it on the next request.
    let second = first.client.sign_in(NOURA).await;
    let second = second.text("access_token");
    for process in [&first, &second_process] {
        assert_eq!(process.client.userinfo(second).await.status, StatusCode::OK);
        let listed = process.client.list_status(second, None).await;
        assert_eq!(listed, StatusCode::FORBIDDEN, "valid, and without a role");
    }
    let desktop = first
        .client
        .application(invoicing_contract::ready::ApplicationKind::Public)
        .client_id
        .clone();
    let revoked = first
        .client
        .post(
            "/oauth/v2/revoke",
            &[("token", second), ("client_id", &desktop)],
        )
        .await;
    assert_eq!(revoked.status, StatusCode::OK, "{}", revoked.body);
    for process in [&second_process, &first] {
        assert_eq!(
            process.client.userinfo(second).await.status,
            StatusCode::UNAUTHORIZED,
            "a revoked token"
        );
        assert_eq!(
            process.client.list_status(second, None).await,
            StatusCode::UNAUTHORIZED,
            "a revoked token that the gateway has verified before"
        );
        assert_eq!(
            process.client.userinfo(token).await.status,
            StatusCode::OK,
            "another token of the same person"
        );
    }

    let salem = first.client.sign_in(SALEM).await;
    let salem = salem.text("access_token");
    for process in [&first, &second_process] {
        let listed = process.client.list_status(salem, None).await;
        assert_eq!(listed, StatusCode::OK);
    }
    let disable = format!("{USERS}/{SALEM_ID}:disable");
    let disabled = khalid.post(&disable, json!({})).await;
    assert_eq!(disabled.status, StatusCode::OK, "{}", disabled.body);
    for process in [&first, &second_process] {
        assert_eq!(
            process.client.userinfo(salem).await.status,
            StatusCode::UNAUTHORIZED,
            "a disabled account"
        );
        assert_eq!(
            process.client.list_status(salem, None).await,
            StatusCode::UNAUTHORIZED
        );
    }
}

/// Roles from least to most privileged, and the operations that each adds to those of the role before.
const ROLES: [(&str, &[&str]); 7] = [
    ("", &[]),
    // The rules do not name it. Who has a role may ask what it gives, and where.
    ("owner", &["GetPermissions", "ListCallerOrganizations"]),
    // In a tenant. Its operations need the operator organization.
    ("operator", &[]),
    (
        "viewer",
        &[
            "ListInvoices",
            "GetInvoice",
            "ListDocuments",
            "GetDocument",
            "GetDocumentHistory",
            "GetDocumentRelations",
            "GetParty",
            "ListParties",
            "GetPartyHistory",
            "GetItem",
            "ListItems",
            "GetItemHistory",
            "GetLastPrice",
            "GetOwnPlan",
            "ListPayments",
            "GetBalance",
            "GetAgeing",
            "GetMonthlySums",
            "GetBuyerSums",
            "GetTaxSums",
            "GetDocumentPdf",
            "ListAttachments",
            "GetAttachment",
            "GetDocumentUbl",
            "ExportDocuments",
            // A machine user of any role.
            "MintOwnPat",
            "ListSubmissions",
            "GetSubmission",
        ],
    ),
    (
        "clerk",
        &[
            "CreateInvoice",
            "CreateDocument",
            "UpdateDocument",
            "IssueDocument",
            "BatchIssueDocuments",
            "DuplicateDocument",
            "CreateParty",
            "RememberParty",
            "UpdateParty",
            "ArchiveParty",
            "RestoreParty",
            "CreateItem",
            "RememberItem",
            "UpdateItem",
            "ArchiveItem",
            "RestoreItem",
            "RecordPayment",
            "ImportDocument",
            "RetryClearance",
            "AddAttachment",
            "RemoveAttachment",
        ],
    ),
    (
        "accountant",
        &[
            "FreezeInvoice",
            "FreezeDocument",
            "BatchFreezeDocuments",
            "DeleteDocument",
            "VoidPayment",
        ],
    ),
    ("administrator", OF_ADMINISTRATOR),
];

#[tokio::test]
async fn case_24_each_role_allows_exactly_its_operations() {
    let service = Service::start().await;
    let tokens = service.sign_in(SALEM).await;
    let gateway = GatewayClient {
        service: &service,
        token: tokens.text("access_token").to_owned(),
    };
    service
        .execute_sql("DELETE FROM grants WHERE subject = '310000000000000002'")
        .await;
    let mut allowed: Vec<&str> = Vec::new();
    for (role, more) in ROLES {
        // Grant one role after the other; the token was issued before all of them.
        if !role.is_empty() {
            service.grant(SALEM_ID, HOME, role).await;
        }
        allowed.extend(more);
        for operation in operation::ALL {
            let path = path_with(operation, "01935e2a-7c00-7000-8000-000000000009");
            let verb = Method::from_bytes(operation.verb.as_bytes()).unwrap();
            let request = gateway
                .request(verb, &path)
                .header("content-type", "application/json")
                .body("an invalid body");
            let status = request.send().await.expect("a response").status();
            assert_eq!(
                status != StatusCode::FORBIDDEN,
                allowed.contains(&operation.method),
                "{role:?} {}: {status}",
                operation.method
            );
        }
        let elsewhere = gateway
            .request(Method::POST, "/api/v1/simple/invoices/list")
            .header(service.names.organization_header(), "274893004")
            .json(&serde_json::json!({}));
        assert_eq!(
            elsewhere.send().await.expect("a response").status(),
            StatusCode::FORBIDDEN,
            "{role:?} does not apply to another organization"
        );
        if !role.is_empty() {
            service
                .execute_sql("DELETE FROM grants WHERE subject = '310000000000000002'")
                .await;
        }
    }
    let of_tenants = operation::ALL
        .iter()
        .filter(|operation| !operation.is_platform());
    assert_eq!(
        allowed.len(),
        of_tenants.count(),
        "every operation of a tenant is in the table"
    );
    assert_eq!(
        service.list_status(&gateway.token, None).await,
        StatusCode::FORBIDDEN,
        "the removed role has no effect"
    );
    service.running.shutdown().await;
}
