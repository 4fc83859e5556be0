//! Tests of the administration commands: the binary runs on the database of a running service.

mod earlier_schema;
mod output;

use std::collections::BTreeSet;

use crate::fixtures::program::{
    client_credentials, json_text, kid_of, kids_in_state, published_kids, run_json, run_json_list,
    run_program,
};
use crate::fixtures::{HOME, NOURA, OPERATOR, SALEM, Service};
use reqwest::StatusCode;
use serde_json::{Value, json};

#[tokio::test]
async fn key_rotation_by_command_line_reaches_the_running_service() {
    let service = Service::start().await;
    let id_token = service.sign_in(NOURA).await.text("id_token").to_owned();
    let before = run_json_list(&service, &["keys", "list"]);
    let next = kids_in_state(&before, "next");
    let current = kids_in_state(&before, "current");

    let after = run_json_list(&service, &["keys", "rotate"]);
    assert_eq!(
        kids_in_state(&after, "current"),
        next,
        "the next keys are current"
    );
    assert_eq!(kids_in_state(&after, "previous"), current);
    let newest = kids_in_state(&after, "next");
    let all: BTreeSet<_> = [&newest, &next, &current]
        .into_iter()
        .flatten()
        .cloned()
        .collect();
    while published_kids(&service).await != all {
        tokio::time::sleep(std::time::Duration::from_millis(20)).await;
    }
    let signed = service.sign_in(NOURA).await;
    let header = kid_of(signed.text("id_token"));
    assert!(next.contains(&header), "{header} is a current key");
    let ended = service
        .post("/oidc/v1/end_session", &[("id_token_hint", &id_token)])
        .await;
    assert_eq!(
        ended.status,
        StatusCode::OK,
        "an id_token of the previous key still verifies"
    );
    assert_eq!(
        run_json_list(&service, &["admin", "keys", "list"]),
        run_json_list(&service, &["keys", "list"]),
        "keys list and admin keys list print the same"
    );
    service.running.shutdown().await;
}

#[tokio::test]
async fn secret_rotation_by_command_line_keeps_both_secrets_during_the_overlap() {
    let service = Service::start().await;
    let machine = run_json(
        &service,
        &[
            "admin",
            "users",
            "create",
            "--machine",
            "--username",
            "importer",
            "--name",
            "Importer",
            "--organization",
            HOME,
        ],
    );
    assert_eq!(machine["machine"], json!(true));
    assert_eq!(machine.get("password"), None);
    let registered = run_json(
        &service,
        &[
            "admin",
            "applications",
            "register",
            "machine",
            "--user",
            "importer",
            "--name",
            "Importer",
        ],
    );
    let id = json_text(&registered, "clientId");
    let first = json_text(&registered, "clientSecret");
    let token = client_credentials(&service, &id, &first).await;
    let scope = token
        .text("scope")
        .split(' ')
        .find(|scope| *scope == service.audience_scope());
    assert!(
        scope.is_some(),
        "the audience is included without asking: {}",
        token.body
    );
    let shown = run_json(&service, &["admin", "applications", "show", &id]);
    assert_eq!(
        shown.get("clientSecret"),
        None,
        "the secret is shown only once"
    );

    let rotated = run_json(
        &service,
        &[
            "admin",
            "--yes",
            "applications",
            "rotate-secret",
            &id,
            "--overlap",
            "600",
        ],
    );
    let second = json_text(&rotated, "clientSecret");
    let ends = rotated["retiredSecretsUntil"].as_array();
    assert_eq!(ends.map(Vec::len), Some(1), "{rotated}");
    for secret in [&first, &second] {
        assert_eq!(
            client_credentials(&service, &id, secret).await.status,
            StatusCode::OK
        );
    }
    service.clock.advance(601);
    client_credentials(&service, &id, &first)
        .await
        .is_oauth_error(400, "invalid_client");
    assert_eq!(
        client_credentials(&service, &id, &second).await.status,
        StatusCode::OK
    );
    service.running.shutdown().await;
}

#[tokio::test]
async fn role_changes_by_command_line_apply_immediately() {
    let service = Service::start().await;
    let tokens = service.sign_in(SALEM).await;
    let roles = async || {
        let userinfo = service.userinfo(tokens.text("access_token")).await;
        userinfo.json[service.names.roles()].clone()
    };
    let granted = run_json_list(
        &service,
        &["admin", "grants", "add", SALEM, "274893002", "viewer"],
    );
    assert_eq!(granted.len(), 2, "{granted:?}");
    assert_eq!(
        roles().await["viewer"]["274893002"],
        json!("gulfpearl.example")
    );
    let left = run_json_list(
        &service,
        &[
            "admin",
            "grants",
            "remove",
            "--yes",
            SALEM,
            "274893002",
            "viewer",
        ],
    );
    assert_eq!(left.len(), 1);
    assert_eq!(roles().await.get("viewer"), None);
    service.running.shutdown().await;
}

#[tokio::test]
async fn disabled_user_is_rejected_and_enabling_restores_no_token() {
    let service = Service::start().await;
    let tokens = service.sign_in(NOURA).await;
    let disabled = run_json(&service, &["admin", "--yes", "users", "disable", NOURA]);
    assert!(disabled["disabledAt"].is_string());
    assert_eq!(
        service.userinfo(tokens.text("access_token")).await.status,
        StatusCode::UNAUTHORIZED
    );
    let enabled = run_json(&service, &["admin", "users", "enable", NOURA]);
    assert_eq!(enabled["disabledAt"], Value::Null);
    assert_eq!(
        service.userinfo(tokens.text("access_token")).await.status,
        StatusCode::UNAUTHORIZED,
        "tokens issued before stay revoked"
    );
    let everybody = run_json_list(&service, &["admin", "users", "list"]);
    assert_eq!(everybody.len(), 5, "{everybody:?}");
    let first = json_text(&everybody[0], "id");
    let rest = run_json_list(&service, &["admin", "users", "list", "--after", &first]);
    assert_eq!(rest, everybody[1..]);
    service.running.shutdown().await;
}

#[tokio::test]
async fn administrator_actions_are_audited() {
    let service = Service::start().await;
    run_json(
        &service,
        &[
            "admin",
            "tenants",
            "limits",
            HOME,
            "--monthly-documents",
            "5",
        ],
    );
    run_program(&service, &["admin", "keys", "rotate"]);
    run_program(
        &service,
        &["admin", "--yes", "users", "reset-password", SALEM],
    );
    let all = run_json_list(&service, &["admin", "audit"]);
    let by_command_line: Vec<_> = all
        .iter()
        .filter(|event| event["actor"] == json!("command line"))
        .map(|event| json_text(event, "kind"))
        .collect();
    assert_eq!(
        by_command_line,
        ["password_reset", "keys_rotated", "tenant_changed"]
    );
    let by_actor = run_json_list(&service, &["admin", "audit", "--actor", "command line"]);
    assert_eq!(
        by_actor.len(),
        by_command_line.len(),
        "events of the actor: {by_actor:?}"
    );
    assert!(run_json_list(&service, &["admin", "audit", "--actor", NOURA]).is_empty());

    let about = run_json_list(
        &service,
        &[
            "admin",
            "audit",
            "--subject",
            SALEM,
            "--kind",
            "password_reset,user_created",
        ],
    );
    assert_eq!(about.len(), 2, "{about:?}");
    let first = run_json_list(&service, &["admin", "audit", "--size", "2"]);
    let position = json_text(&first[1], "position");
    let rest = run_json_list(&service, &["admin", "audit", "--after", &position]);
    assert_eq!([first, rest].concat(), all, "two pages contain all events");
    assert!(
        run_json_list(
            &service,
            &["admin", "audit", "--from", "2100-01-01T00:00:00Z"]
        )
        .is_empty()
    );
    service.running.shutdown().await;
}

#[tokio::test]
async fn pat_is_printed_once_and_can_be_revoked() {
    let service = Service::start().await;
    let minted = run_json(
        &service,
        &[
            "admin",
            "pats",
            "mint",
            "nightly-import",
            "--name",
            "a script",
        ],
    );
    let token = json_text(&minted, "token");
    assert_eq!(service.userinfo(&token).await.status, StatusCode::OK);
    let all = run_json_list(&service, &["admin", "pats", "list", "nightly-import"]);
    assert_eq!(all.len(), 1);
    assert_eq!(all[0].get("token"), None, "the secret is shown only once");
    run_json(
        &service,
        &[
            "admin",
            "--yes",
            "pats",
            "revoke",
            &json_text(&minted, "id"),
        ],
    );
    assert_eq!(
        service.userinfo(&token).await.status,
        StatusCode::UNAUTHORIZED
    );
    let person = run_program(
        &service,
        &["admin", "pats", "mint", NOURA, "--name", "a script"],
    );
    assert_eq!(person.status.code(), Some(77), "a human user gets no PAT");
    service.running.shutdown().await;
}

#[tokio::test]
async fn repeated_tenant_creation_fails() {
    let service = Service::start().await;
    let create = [
        "admin",
        "tenants",
        "create",
        "--id",
        "01935e2a-7c00-7000-8000-000000000001",
        "--name",
        "Nakheel Dates",
        "--domain",
        "nakheel.example",
        "--currency",
        "SAR",
        "--country",
        "SA",
        "--time-zone",
        "Asia/Riyadh",
        "--tax-id",
        "310175397400003",
        "--street",
        "King Fahd Road",
        "--city",
        "Riyadh",
    ];
    let created = run_json(&service, &create);
    let secret = json_text(&created, "clientSecret");
    let machine = client_credentials(&service, &json_text(&created, "clientId"), &secret).await;
    assert_eq!(machine.status, StatusCode::OK, "{}", machine.body);
    assert_eq!(run_program(&service, &create).status.code(), Some(73));
    assert_eq!(
        run_json_list(&service, &["admin", "tenants", "list"]).len(),
        7
    );
    service.running.shutdown().await;
}

#[tokio::test]
async fn environment_has_one_operator_organization_and_only_that_has_operators() {
    let service = Service::start().await;
    let operator = |organization| ["admin", "tenants", "operator", organization];
    let named = run_json(&service, &operator(OPERATOR));
    assert_eq!(named["operator"], json!(true), "the one of the seed, again");
    // A tenant, an organization without a tenant, and nothing.
    for (organization, code) in [(HOME, 73), ("274893004", 66), ("1", 66)] {
        let refused = run_program(&service, &operator(organization));
        assert_eq!(refused.status.code(), Some(code), "{organization}");
    }
    let listed = run_json_list(&service, &["admin", "tenants", "list"]);
    let operators: Vec<_> = listed
        .iter()
        .filter(|tenant| tenant["operator"] == json!(true))
        .map(|tenant| json_text(tenant, "id"))
        .collect();
    assert_eq!(operators, [OPERATOR]);

    let grant = |organization| ["admin", "grants", "add", SALEM, organization, "operator"];
    let elsewhere = run_program(&service, &grant(HOME));
    assert_eq!(elsewhere.status.code(), Some(77), "a tenant has none");
    assert!(run_program(&service, &grant(OPERATOR)).status.success());
    service.running.shutdown().await;
}
