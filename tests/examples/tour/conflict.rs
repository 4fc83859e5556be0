//! A document that another program changes while it is open in the form.

use end_to_end::http_client;
use end_to_end::service::Service;
use invoicing_contract::ready::ApplicationKind;
use reqwest::Method;
use serde_json::{Value, json};
use thirtyfour::Key;

use super::{Organization, Tour};

const DOCUMENTS: &str = "/api/v2/documents";
const BUYER: &str = "Conflict Trading Co.";

impl Tour<'_> {
    pub(super) async fn conflict(&mut self, service: &Service) {
        self.click("new-invoice").await;
        self.fill_form().await;
        self.window.fill_field("buyer.name.en", BUYER).await;
        self.save(Organization::Home).await;
        self.wait_for("issue").await;
        self.click("edit").await;
        self.wait_for("editor-change-invoice").await;
        change_as_another_program(service).await;
        self.window.fill_field("note", "Delivered on 12 June").await;
        self.window.fill_field("lines[0].quantity", "3").await;
        self.save(Organization::Home).await;
        self.wait_for("act-compare").await;
        self.screenshot("somebody-else-has-changed-it").await;
        self.click("act-compare").await;
        self.wait_for("compare-title").await;
        self.window.wait_for_focus("//*[@data-conflict='0']").await;
        self.screenshot("a-choice-for-each-field").await;
        // The last choice leads to the button that uses them.
        self.window.press_key("2").await;
        self.window.wait_for_focus("//button[@data-use]").await;
        self.window.press_key(Key::Enter).await;
        self.wait_until_gone("compare-title").await;
        self.save(Organization::Home).await;
        self.wait_for("paper-preview").await;
        self.click("section-history").await;
        self.click("history-updated").await;
        self.scroll_to("field-note").await;
        self.screenshot("what-a-change-has-changed").await;
    }
}

/// Changes the note of the document of the buyer, by the API.
async fn change_as_another_program(service: &Service) {
    let ready = &service.ready;
    let application = ready
        .applications
        .iter()
        .find(|application| application.kind == ApplicationKind::Machine)
        .expect("the seed has a machine user");
    let audience = format!(
        "urn:idp:iam:org:project:id:{}:aud urn:idp:iam:user:resourceowner",
        ready.audience_id
    );
    let client = http_client::builder().build().expect("a client");
    let form = [
        ("grant_type", "client_credentials"),
        ("scope", audience.as_str()),
    ];
    let request = client
        .post(format!("{}/oauth/v2/token", ready.auth_url))
        .basic_auth(&application.client_id, application.client_secret.as_ref())
        .form(&form);
    let token = answer(request).await;
    let token = token["access_token"].as_str().expect("an access token");
    let call = async |method: Method, path: &str, body: Value| {
        let address = format!("{}{path}", ready.base_url);
        answer(
            client
                .request(method, address)
                .bearer_auth(token)
                .json(&body),
        )
        .await
    };
    let list = json!({"filter": {"buyer": BUYER}});
    let found = call(Method::POST, &format!("{DOCUMENTS}/list"), list).await;
    let document = &found["items"][0];
    let key = document["documentKey"].as_str().expect("a key");
    let changes = json!({
        "concurrencyStamp": document["concurrencyStamp"],
        "updateMask": "content.invoice.note",
        "changes": {"content": {"invoice": {"note": "Delivered on 15 June"}}},
    });
    call(Method::PATCH, &format!("{DOCUMENTS}/{key}"), changes).await;
}

async fn answer(request: reqwest::RequestBuilder) -> Value {
    let response = request.send().await.expect("an answer");
    let response = response.error_for_status().expect("it succeeds");
    response.json().await.expect("JSON")
}
