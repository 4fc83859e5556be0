//! The command line of administrators, run as the program that it is, beside a service that is running.

use std::collections::BTreeSet;

use crate::fixtures::program::{
    jsonwebtoken_kid, listed, of_state, one, program, published, run, text, token,
};
use crate::fixtures::{HOME, NOURA, SALEM, Service};
use reqwest::StatusCode;
use serde_json::{Value, json};

#[tokio::test]
async fn a_running_server_notices_that_the_keys_were_rotated() {
    let service = Service::start().await;
    let id_token = service.sign_in(NOURA).await.text("id_token").to_owned();
    let before = listed(&service, &["keys", "list"]);
    let next = of_state(&before, "next");
    let current = of_state(&before, "current");

    let after = listed(&service, &["keys", "rotate"]);
    assert_eq!(of_state(&after, "current"), next, "the next ones sign");
    assert_eq!(of_state(&after, "previous"), current);
    let newest = of_state(&after, "next");
    let all: BTreeSet<_> = [&newest, &next, &current]
        .into_iter()
        .flatten()
        .cloned()
        .collect();
    while published(&service).await != all {
        tokio::time::sleep(std::time::Duration::from_millis(20)).await;
    }
    let signed = service.sign_in(NOURA).await;
    let header = jsonwebtoken_kid(signed.text("id_token"));
    assert!(next.contains(&header), "{header} signs now");
    let ended = service
        .post("/oidc/v1/end_session", &[("id_token_hint", &id_token)])
        .await;
    assert_eq!(
        ended.status,
        StatusCode::OK,
        "what the previous key signed still verifies"
    );
    assert_eq!(
        listed(&service, &["admin", "keys", "list"]),
        listed(&service, &["keys", "list"]),
        "both ways in are one"
    );
    service.running.shutdown().await;
}

#[tokio::test]
async fn a_secret_is_rotated_without_a_moment_in_which_none_is_good() {
    let service = Service::start().await;
    let machine = one(
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
    let registered = one(
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
    let id = text(&registered, "clientId");
    let first = text(&registered, "clientSecret");
    let shown = one(&service, &["admin", "applications", "show", &id]);
    assert_eq!(shown.get("clientSecret"), None, "told once");

    let rotated = one(
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
    let second = text(&rotated, "clientSecret");
    assert!(rotated["previousSecretUntil"].is_string(), "{rotated}");
    for secret in [&first, &second] {
        assert_eq!(token(&service, &id, secret).await.status, StatusCode::OK);
    }
    service.clock.forward(601);
    token(&service, &id, &first)
        .await
        .is_oauth_error(400, "invalid_client");
    assert_eq!(token(&service, &id, &second).await.status, StatusCode::OK);
    service.running.shutdown().await;
}

#[tokio::test]
async fn roles_are_given_and_taken_and_the_running_server_knows_at_once() {
    let service = Service::start().await;
    let tokens = service.sign_in(SALEM).await;
    let roles = async || {
        let userinfo = service.userinfo(tokens.text("access_token")).await;
        userinfo.json[service.names.roles()].clone()
    };
    let granted = listed(
        &service,
        &["admin", "grants", "add", SALEM, "274893002", "viewer"],
    );
    assert_eq!(granted.len(), 2, "{granted:?}");
    assert_eq!(
        roles().await["viewer"]["274893002"],
        json!("gulfpearl.example")
    );
    let left = listed(
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
async fn a_person_is_locked_out_and_let_in_again() {
    let service = Service::start().await;
    let tokens = service.sign_in(NOURA).await;
    let disabled = one(&service, &["admin", "--yes", "users", "disable", NOURA]);
    assert!(disabled["disabledAt"].is_string());
    assert_eq!(
        service.userinfo(tokens.text("access_token")).await.status,
        StatusCode::UNAUTHORIZED
    );
    let enabled = one(&service, &["admin", "users", "enable", NOURA]);
    assert_eq!(enabled["disabledAt"], Value::Null);
    assert_eq!(
        service.userinfo(tokens.text("access_token")).await.status,
        StatusCode::UNAUTHORIZED,
        "what was given out stays dead"
    );
    let everybody = listed(&service, &["admin", "users", "list"]);
    assert_eq!(everybody.len(), 3, "{everybody:?}");
    let first = text(&everybody[0], "id");
    let rest = listed(&service, &["admin", "users", "list", "--after", &first]);
    assert_eq!(rest, everybody[1..]);
    service.running.shutdown().await;
}

#[tokio::test]
async fn what_an_administrator_does_is_in_the_audit() {
    let service = Service::start().await;
    one(
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
    run(&service, &["admin", "keys", "rotate"]);
    run(
        &service,
        &["admin", "--yes", "users", "reset-password", SALEM],
    );
    let all = listed(&service, &["admin", "audit"]);
    let by_hand: Vec<_> = all
        .iter()
        .filter(|entry| entry["actor"] == json!("command line"))
        .map(|entry| text(entry, "kind"))
        .collect();
    assert_eq!(
        by_hand,
        ["password_reset", "keys_rotated", "tenant_changed"]
    );
    let asked = listed(&service, &["admin", "audit", "--actor", "command line"]);
    assert_eq!(asked.len(), by_hand.len(), "what was done here: {asked:?}");
    assert!(listed(&service, &["admin", "audit", "--actor", NOURA]).is_empty());

    let about = listed(
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
    let first = listed(&service, &["admin", "audit", "--size", "2"]);
    let position = text(&first[1], "position");
    let rest = listed(&service, &["admin", "audit", "--after", &position]);
    assert_eq!([first, rest].concat(), all, "page by page");
    assert!(
        listed(
            &service,
            &["admin", "audit", "--from", "2100-01-01T00:00:00Z"]
        )
        .is_empty()
    );
    service.running.shutdown().await;
}

#[tokio::test]
async fn a_personal_access_token_is_printed_once_and_revoked() {
    let service = Service::start().await;
    let minted = one(
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
    let token = text(&minted, "token");
    assert_eq!(service.userinfo(&token).await.status, StatusCode::OK);
    let all = listed(&service, &["admin", "pats", "list", "nightly-import"]);
    assert_eq!(all.len(), 1);
    assert_eq!(all[0].get("token"), None, "told once");
    one(
        &service,
        &["admin", "--yes", "pats", "revoke", &text(&minted, "id")],
    );
    assert_eq!(
        service.userinfo(&token).await.status,
        StatusCode::UNAUTHORIZED
    );
    let person = run(
        &service,
        &["admin", "pats", "mint", NOURA, "--name", "a script"],
    );
    assert_eq!(person.status.code(), Some(77), "not for people");
    service.running.shutdown().await;
}

#[tokio::test]
async fn a_tenant_is_made_once() {
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
    let made = one(&service, &create);
    let secret = text(&made, "clientSecret");
    let machine = token(&service, &text(&made, "clientId"), &secret).await;
    assert_eq!(machine.status, StatusCode::OK, "{}", machine.body);
    assert_eq!(run(&service, &create).status.code(), Some(73));
    assert_eq!(listed(&service, &["admin", "tenants", "list"]).len(), 6);
    service.running.shutdown().await;
}

#[tokio::test]
async fn a_script_can_tell_by_the_exit_code() {
    let service = Service::start().await;
    for (arguments, code, said) in [
        (&["admin", "users"][..], 2, "Usage"),
        (&["admin", "users", "disable", NOURA], 64, "--yes"),
        (
            &["admin", "grants", "add", NOURA, HOME, "No Role"],
            64,
            "role",
        ),
        (
            &[
                "admin",
                "applications",
                "register",
                "public",
                "--grant",
                "password",
            ],
            64,
            "password is not for a public application",
        ),
        (&["admin", "users", "show", "nobody"], 66, "nobody"),
        (&["admin", "tenants", "limits", "1"], 66, "tenant"),
        (
            &[
                "admin",
                "users",
                "create",
                "--username",
                NOURA,
                "--name",
                "x",
                "--organization",
                HOME,
            ],
            73,
            NOURA,
        ),
        (
            &[
                "admin",
                "--yes",
                "applications",
                "rotate-secret",
                "invoice-desk",
            ],
            77,
            "public",
        ),
        (
            &[
                "admin",
                "--database",
                "sqlite:not-there.db",
                "tenants",
                "list",
            ],
            66,
            "not-there.db",
        ),
    ] {
        let output = run(&service, arguments);
        let told = String::from_utf8_lossy(&output.stderr);
        assert_eq!(output.status.code(), Some(code), "{arguments:?}: {told}");
        assert!(told.contains(said), "{arguments:?}: {told}");
        assert!(output.stdout.is_empty(), "{arguments:?} printed something");
    }
    assert!(
        !std::path::Path::new("not-there.db").exists(),
        "looking for a database makes none"
    );
    service.running.shutdown().await;
}

#[tokio::test]
async fn people_read_tables() {
    let service = Service::start().await;
    let printed = |arguments: &[&str]| {
        let output = program(&service, arguments)
            .output()
            .expect("the program runs");
        assert!(output.status.success(), "{arguments:?}");
        String::from_utf8(output.stdout).expect("text")
    };
    let users = printed(&["admin", "users", "list"]);
    for part in ["username", NOURA, "Noura Al-Harbi", HOME] {
        assert!(users.contains(part), "{part}: {users}");
    }
    let application = printed(&["admin", "applications", "show", "web"]);
    assert!(application.contains("client id"), "{application}");
    let audit = printed(&["admin", "audit", "--kind", "role_granted"]);
    assert!(audit.contains("role=accountant"), "{audit}");
    service.running.shutdown().await;
}
