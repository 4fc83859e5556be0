//! The program, run on the database of a running service, and what it prints.

use std::collections::BTreeSet;
use std::process::{Command, Output, Stdio};

use serde_json::{Value, json};

use crate::common::{Answer, Service};

pub(crate) async fn token(service: &Service, id: &str, secret: &str) -> Answer {
    let form = [
        ("grant_type", "client_credentials"),
        ("client_id", id),
        ("client_secret", secret),
    ];
    service.token(&form).await
}

/// The program on the database of a running service. Its clock is the system's, not the one that the test moves.
pub(crate) fn program(service: &Service, arguments: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_invoicing-service"));
    command
        .env(
            "INVOICING_DATABASE",
            format!(
                "sqlite:{}",
                service.folder.path().join("invoicing.db").display()
            ),
        )
        .args(arguments)
        .stdin(Stdio::null());
    command
}

pub(crate) fn run(service: &Service, arguments: &[&str]) -> Output {
    program(service, arguments)
        .arg("--json")
        .output()
        .expect("the program runs")
}

#[track_caller]
pub(crate) fn one(service: &Service, arguments: &[&str]) -> Value {
    let output = run(service, arguments);
    assert!(
        output.status.success(),
        "{arguments:?}: {}",
        String::from_utf8_lossy(&output.stderr)
    );
    serde_json::from_slice(&output.stdout).expect("JSON")
}

#[track_caller]
pub(crate) fn listed(service: &Service, arguments: &[&str]) -> Vec<Value> {
    let Value::Array(items) = one(service, arguments) else {
        panic!("{arguments:?} prints no list")
    };
    items
}

#[track_caller]
pub(crate) fn text(value: &Value, name: &str) -> String {
    value[name]
        .as_str()
        .unwrap_or_else(|| panic!("no {name} in {value}"))
        .to_owned()
}

pub(crate) fn of_state(keys: &[Value], state: &str) -> BTreeSet<String> {
    keys.iter()
        .filter(|key| key["state"] == json!(state))
        .map(|key| text(key, "kid"))
        .collect()
}

pub(crate) async fn published(service: &Service) -> BTreeSet<String> {
    let request = service.http.get(service.auth("/oauth/v2/keys"));
    let keys = Answer::of(request.send().await.expect("an answer")).await;
    let keys = keys.json["keys"].as_array().expect("a key set").iter();
    keys.map(|key| text(key, "kid")).collect()
}

pub(crate) fn jsonwebtoken_kid(id_token: &str) -> String {
    use base64::Engine as _;
    let header = id_token.split('.').next().expect("a JWT has three parts");
    let header = base64::engine::general_purpose::URL_SAFE_NO_PAD
        .decode(header)
        .expect("base64url");
    text(&serde_json::from_slice(&header).expect("JSON"), "kid")
}
