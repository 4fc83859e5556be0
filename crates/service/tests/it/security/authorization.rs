//! What a caller may do changes at once, everywhere, whatever is kept in memory: case 24.

use invoicing_contract::operation;
use reqwest::{Method, StatusCode};

use crate::fixtures::gateway::{Caller, sql, sql_in};
use crate::fixtures::process::Process;
use crate::fixtures::{Answer, HOME, NOURA, SALEM, SALEM_ID, Service, Site};

async fn list(site: &Site, token: &str) -> StatusCode {
    let request = site
        .http
        .post(site.base("/api/v1/simple/invoices/list"))
        .bearer_auth(token)
        .header("content-type", "application/json")
        .body("{}");
    Answer::of(request.send().await.expect("an answer"))
        .await
        .status
}

#[tokio::test]
async fn case_24_what_was_taken_away_is_gone_at_once_at_every_process() {
    let folder = tempfile::tempdir().unwrap();
    let one = Process::start(folder.path(), &[]).await;
    let other = Process::start(folder.path(), &[]).await;
    let tokens = one.site.sign_in(NOURA).await;
    let token = tokens.text("access_token");
    // Both have seen it, and more than once, so that both could have kept it.
    for process in [&one, &other] {
        for _ in 0..3 {
            assert_eq!(list(&process.site, token).await, StatusCode::OK);
            assert_eq!(process.site.userinfo(token).await.status, StatusCode::OK);
        }
    }

    sql_in(folder.path(), "DELETE FROM grants WHERE subject IN (SELECT id FROM subjects WHERE username = 'noura@alkhair.example')").await;
    for process in [&one, &other] {
        assert_eq!(
            list(&process.site, token).await,
            StatusCode::FORBIDDEN,
            "the roles are gone"
        );
        assert_eq!(
            process.site.userinfo(token).await.status,
            StatusCode::OK,
            "the token still says who it is"
        );
    }

    // One process revokes it; the other must know with the next request.
    let second = one.site.sign_in(NOURA).await;
    let second = second.text("access_token");
    for process in [&one, &other] {
        assert_eq!(process.site.userinfo(second).await.status, StatusCode::OK);
    }
    let desktop = one
        .site
        .application(invoicing_contract::ready::ApplicationKind::Public)
        .client_id
        .clone();
    let revoked = one
        .site
        .post(
            "/oauth/v2/revoke",
            &[("token", second), ("client_id", &desktop)],
        )
        .await;
    assert_eq!(revoked.status, StatusCode::OK, "{}", revoked.body);
    for process in [&other, &one] {
        assert_eq!(
            process.site.userinfo(second).await.status,
            StatusCode::UNAUTHORIZED,
            "a revoked token"
        );
        assert_eq!(
            process.site.userinfo(token).await.status,
            StatusCode::OK,
            "another token of the same person"
        );
    }

    sql_in(
        folder.path(),
        "UPDATE subjects SET disabled_at = 1 WHERE username = 'noura@alkhair.example'",
    )
    .await;
    for process in [&one, &other] {
        assert_eq!(
            process.site.userinfo(token).await.status,
            StatusCode::UNAUTHORIZED,
            "a disabled account"
        );
        assert_eq!(list(&process.site, token).await, StatusCode::UNAUTHORIZED);
    }
}

/// The roles from the least to the most, and what each may call that the one before may not. The rules engine takes the
/// table's place; what this holds of it over the wire stays.
const ROLES: [(&str, &[&str]); 6] = [
    ("", &[]),
    ("owner", &[]),
    (
        "viewer",
        &[
            "ListInvoices",
            "GetInvoice",
            "ListDocuments",
            "GetDocument",
            "GetDocumentHistory",
        ],
    ),
    (
        "clerk",
        &[
            "CreateInvoice",
            "CreateDocument",
            "UpdateDocument",
            "IssueDocument",
        ],
    ),
    (
        "accountant",
        &["FreezeInvoice", "FreezeDocument", "DeleteDocument"],
    ),
    (
        "administrator",
        &["CreateTenant", "CompleteProfile", "Impersonate"],
    ),
];

#[tokio::test]
async fn case_24_a_role_gives_what_its_row_says_at_once_and_nothing_else() {
    let service = Service::start().await;
    let tokens = service.sign_in(SALEM).await;
    let caller = Caller {
        site: &service,
        token: tokens.text("access_token").to_owned(),
    };
    sql(
        &service,
        "DELETE FROM grants WHERE subject = '310000000000000002'",
    )
    .await;
    let mut held: Vec<&str> = Vec::new();
    for (role, more) in ROLES {
        // One role after the other, with the one token that was given before all of them.
        if !role.is_empty() {
            service.grant(SALEM_ID, HOME, role).await;
        }
        held.extend(more);
        for operation in operation::ALL {
            let path = operation
                .path
                .replace("{document_key}", "01935e2a-7c00-7000-8000-000000000009");
            let verb = Method::from_bytes(operation.verb.as_bytes()).unwrap();
            let request = caller
                .request(verb, &path)
                .header("content-type", "application/json")
                .body("no body that anything takes");
            let status = request.send().await.expect("an answer").status();
            assert_eq!(
                status != StatusCode::FORBIDDEN,
                held.contains(&operation.method),
                "{role:?} {}: {status}",
                operation.method
            );
        }
        let elsewhere = caller
            .request(Method::POST, "/api/v1/simple/invoices/list")
            .header(service.names.organization_header(), "274893004")
            .json(&serde_json::json!({}));
        assert_eq!(
            elsewhere.send().await.expect("an answer").status(),
            StatusCode::FORBIDDEN,
            "{role:?} of one organization is nothing in another"
        );
        if !role.is_empty() {
            sql(
                &service,
                "DELETE FROM grants WHERE subject = '310000000000000002'",
            )
            .await;
        }
    }
    assert_eq!(
        held.len(),
        operation::ALL.len(),
        "every operation is in a row"
    );
    assert_eq!(
        list(&service, &caller.token).await,
        StatusCode::FORBIDDEN,
        "the last role went as fast as it came"
    );
    service.running.shutdown().await;
}
