//! The taxes of a line (KSA-11, KSA-12) are computed by the service and never sent by the client.

use end_to_end::http_client;
use invoicing_contract::ready::ApplicationKind;
use serde_json::{Value, json};

use crate::fixtures::{HOME, NOURA, Service, TestApp, content};

/// The stored document, read with the machine user of its organization.
async fn stored(service: &Service, key: &str) -> Value {
    let ready = &service.ready;
    let machine = ready
        .applications
        .iter()
        .find(|application| application.kind == ApplicationKind::Machine)
        .expect("the demo has a machine");
    let scope = format!(
        "urn:idp:iam:org:project:id:{}:aud urn:idp:iam:user:resourceowner",
        ready.audience_id
    );
    let http = http_client::builder().build().expect("a client");
    let tokens: Value = http
        .post(format!("{}/oauth/v2/token", ready.auth_url))
        .form(&[
            ("grant_type", "client_credentials"),
            ("client_id", &machine.client_id),
            (
                "client_secret",
                machine.client_secret.as_deref().expect("a secret"),
            ),
            ("scope", &scope),
        ])
        .send()
        .await
        .expect("an answer")
        .json()
        .await
        .expect("JSON");
    http.get(format!("{}/api/v2/documents/{key}", ready.base_url))
        .bearer_auth(tokens["access_token"].as_str().expect("a token"))
        .send()
        .await
        .expect("an answer")
        .json()
        .await
        .expect("JSON")
}

#[tokio::test]
async fn update_of_a_saudi_invoice_recomputes_the_taxes_of_its_lines() {
    let service = Service::start().await;
    let (app, binding) = TestApp::start_signed_in(&service, NOURA, HOME).await;
    let key = "0197f2a4-7c3e-7b1a-8f00-5ca1ab1e0001";
    let created = app
        .create_invoice(&binding, key.into(), content())
        .await
        .expect("created");
    let taxes = |document: &Value| document["content"]["invoice"]["lines"][0]["taxAmounts"].clone();
    assert_eq!(
        taxes(&stored(&service, key).await),
        json!({"tax": "163.73", "gross": "1255.23"})
    );

    // The service refuses computed fields in a request, so the client removes them from the document that it read.
    let read = app
        .desktop
        .get_invoice(&app.window, binding.clone(), key.into())
        .await
        .expect("read");
    assert_eq!(read.row.stamp, created.row.stamp);
    let mut changed = read.content.clone();
    changed.lines[0].unit_price = "100".to_owned();
    let saved = app
        .update_invoice(&binding, &read, changed)
        .await
        .expect("changed");
    assert_eq!(saved.row.gross, "115.00");
    assert_eq!(
        taxes(&stored(&service, key).await),
        json!({"tax": "15.00", "gross": "115.00"})
    );
}
