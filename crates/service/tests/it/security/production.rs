//! Security test of a production environment that is set up with the command line: case 25.

use std::process::{Command, Stdio};

use invoicing_contract::ready::{Application, ApplicationKind};
use reqwest::StatusCode;
use serde_json::{Value, json};

use crate::fixtures::process::{Process, command, log};
use crate::fixtures::user_agent::{
    AuthorizationRequest, Callback, Form, UserAgent, unverified_claims,
};
use crate::fixtures::{NOURA, Service, ServiceFolder};

const HUDA: &str = "huda@nakheel.example";
const NEW_PASSWORD: &str = "four words of my own";

#[tokio::test]
async fn case_25_production_environment_is_isolated() {
    let local = Service::start().await;
    let folder = ServiceFolder::new();
    let mut production = command(
        &folder,
        &["--kind", "production", "--audience-id", "293001"],
    );
    production
        .env_remove("INVOICING_SEED")
        .env_remove("INVOICING_INVOICES")
        .env("INVOICING_LOG", "trace");
    let mut process = Process::started(production, folder.path()).await;
    let service = &mut process.client;
    assert!(service.ready.applications.is_empty() && service.ready.users.is_empty());
    assert_ne!(service.ready.audience_id, local.ready.audience_id);

    let tenant = operator(
        &folder,
        &[
            "tenants",
            "create",
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
        ],
    );
    let home = text(&tenant, "id");
    let huda = operator(
        &folder,
        &[
            "users",
            "create",
            "--username",
            HUDA,
            "--name",
            "Huda",
            "--organization",
            home,
        ],
    );
    operator(&folder, &["grants", "add", HUDA, home, "accountant"]);
    let redirect_uri = "http://127.0.0.1/oauth/production";
    operator(
        &folder,
        &[
            "applications",
            "register",
            "public",
            "--client-id",
            "invoice-desk",
            "--name",
            "Invoice Desk",
            "--redirect-uri",
            redirect_uri,
        ],
    );
    let minted = run(
        &folder,
        &["pats", "mint", text(&tenant, "clientId"), "--name", "x"],
    );
    assert_ne!(minted.status.code(), Some(0), "never in production");
    service.ready.applications.push(Application {
        client_id: "invoice-desk".to_owned(),
        client_secret: None,
        kind: ApplicationKind::Public,
        grants: Vec::new(),
        redirect_uris: vec![redirect_uri.to_owned(); 2],
    });

    // The user signs in with the one-time password and sets a new one.
    let authorization = AuthorizationRequest::new(service, &service.desktop_scope());
    let mut browser = UserAgent::new(service);
    let page = browser.get(&authorization.path()).await;
    assert!(
        !page.body.contains("demo"),
        "no demo accounts: {}",
        page.body
    );
    let form = Form::find(&page, "sign-in");
    let due = browser
        .submit(
            &form,
            &[("username", HUDA), ("password", text(&huda, "password"))],
        )
        .await;
    let form = Form::find(&due, "change-password");
    let back = browser
        .submit(
            &form,
            &[
                ("new-password", NEW_PASSWORD),
                ("repeat-password", NEW_PASSWORD),
            ],
        )
        .await;
    let callback = Callback::from_redirect(&back);
    let tokens = service.redeem(&authorization, &callback).await;
    assert_eq!(tokens.status, StatusCode::OK, "{}", tokens.body);
    let own = unverified_claims(tokens.text("id_token"));
    assert_eq!(own[service.names.home_organization_id()], json!(home));
    assert_eq!(
        service.list_status(tokens.text("access_token"), None).await,
        StatusCode::OK
    );

    let machine = [
        ("grant_type", "client_credentials"),
        ("client_id", text(&tenant, "clientId")),
        ("client_secret", text(&tenant, "clientSecret")),
        ("scope", service.names.home_organization_scope()),
    ];
    let provisioned = service.token(&machine).await;
    assert_eq!(provisioned.status, StatusCode::OK, "{}", provisioned.body);
    assert_eq!(
        service
            .list_status(provisioned.text("access_token"), None)
            .await,
        StatusCode::OK,
        "provisioned credentials include the audience"
    );

    // Neither environment accepts tokens of the other.
    let foreign = local.audience_scope();
    let widened = machine.map(|(name, value)| match name {
        "scope" => (name, &*foreign),
        _ => (name, value),
    });
    service
        .token(&widened)
        .await
        .is_oauth_error(400, "invalid_client");
    let theirs = local.sign_in(NOURA).await;
    for (here, token) in [(&*service, &theirs), (&*local, &tokens)] {
        for name in ["access_token", "refresh_token", "id_token"] {
            let response = here.userinfo(token.text(name)).await;
            assert_eq!(response.status, StatusCode::UNAUTHORIZED, "{name}");
        }
        assert_eq!(
            here.list_status(token.text("access_token"), None).await,
            StatusCode::UNAUTHORIZED
        );
        here.refresh(token.text("refresh_token"))
            .await
            .is_oauth_error(400, "invalid_grant");
    }

    let log = log(folder.path());
    assert!(log.contains(" DEBUG "), "the log level is trace");
    for secret in [
        text(&tenant, "clientSecret"),
        text(&huda, "password"),
        NEW_PASSWORD,
        callback.get("code"),
        &authorization.verifier,
        provisioned.text("access_token"),
        tokens.text("access_token"),
        tokens.text("refresh_token"),
        tokens.text("id_token"),
        theirs.text("access_token"),
        theirs.text("refresh_token"),
    ] {
        assert!(!log.contains(secret), "a secret is in the log");
    }
    local.running.shutdown().await;
}

fn run(folder: &ServiceFolder, arguments: &[&str]) -> std::process::Output {
    Command::new(env!("CARGO_BIN_EXE_invoicing-service"))
        .arg("admin")
        .args(arguments)
        .args(["--json", "--database"])
        .arg(folder.database_url())
        .stdin(Stdio::null())
        .output()
        .expect("the program runs")
}

/// The JSON output of an administration command.
#[track_caller]
fn operator(folder: &ServiceFolder, arguments: &[&str]) -> Value {
    let output = run(folder, arguments);
    assert!(
        output.status.success(),
        "{arguments:?}: {}",
        String::from_utf8_lossy(&output.stderr)
    );
    serde_json::from_slice(&output.stdout).expect("JSON")
}

#[track_caller]
fn text<'a>(output: &'a Value, name: &str) -> &'a str {
    output[name]
        .as_str()
        .unwrap_or_else(|| panic!("no {name} in {output}"))
}
