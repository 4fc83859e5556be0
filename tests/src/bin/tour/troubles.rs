//! What can go wrong: the real window and the real service with a network between them that has faults.

use std::fs;

use end_to_end::browser::Browser;
use end_to_end::fault_proxy::Fault;
use end_to_end::service::Service;
use end_to_end::window::{Desk, NOURA, PASSWORD, SCHEME, WindowOptions};
use serde_json::json;

use super::{ScreenshotSet, Tour};

const LIST: &str = "/simple/invoices/list";
const CREATE: &str = "/simple/invoices/create";
const GET: &str = "/simple/invoices/get";
const DISCOVERY: &str = "/openid-configuration";
/// Where Noura may only look.
const VIEWED: &str = "kuwaithorizon.example";

/// Walks it on fresh machines.
pub(super) async fn walk(machine: WindowOptions, screenshots: &mut ScreenshotSet) {
    broken_practice_environment(machine.clone(), screenshots).await;
    let language = machine.language;
    let service =
        Service::with(|config| config.kind = invoicing_service::EnvironmentKind::Staging).await;
    let mut desk = Desk::prepare(machine);
    let environments = json!([{
        "name": "staging",
        "kind": "staging",
        "authUrl": service.ready.auth_url,
        "baseUrl": service.ready.base_url,
        "projectAudienceId": service.ready.audience_id,
        "clientId": "invoice-desk",
        "namespace": "idp",
    }]);
    fs::write(
        desk.configuration().join("environments.json"),
        environments.to_string(),
    )
    .expect("the environment can be written");
    desk.open().await;
    let mut tour = Tour::new(desk, language, screenshots);
    tour.environments().await;
    tour.signing_in(&service).await;
    tour.reading(&service).await;
    tour.writing(&service).await;
    tour.without_a_connection(&service).await;
    tour.the_end_of_the_session(&service).await;
}

/// The local environment's database holds something else.
async fn broken_practice_environment(machine: WindowOptions, screenshots: &mut ScreenshotSet) {
    let language = machine.language;
    let mut desk = Desk::prepare(machine);
    let folder = desk.data().join("local");
    fs::create_dir_all(&folder)
        .and_then(|()| fs::write(folder.join("service.db"), [0x42; 8192]))
        .expect("the database can be spoilt");
    desk.open().await;
    let mut tour = Tour::new(desk, language, screenshots);
    tour.press("continue-in-browser").await;
    tour.see("act-copySupport").await;
    tour.picture("a-database-that-cannot-be-read").await;
}

impl Tour<'_> {
    async fn environments(&mut self) {
        self.press("environment-add").await;
        self.press("save").await;
        self.see_with("environment-wrong-empty", &[]).await;
        self.picture("an-environment-with-fields-missing").await;
        self.press("cancel").await;
    }

    async fn signing_in(&mut self, service: &Service) {
        self.desk.press("staging").await;
        service.identity.stop().await;
        self.press("continue-in-browser").await;
        self.see("error-offline").await;
        self.picture("no-connection-while-signing-in").await;
        service.identity.restart().await;

        service.identity.fault(DISCOVERY, Fault::page(200));
        self.press("continue-in-browser").await;
        self.see_with("error-unexpected-response", &[("status", "200")])
            .await;
        self.picture("a-proxy-answers").await;

        self.press("continue-in-browser").await;
        let address = self.desk.opened_address().await;
        self.desk
            .deep_link(&format!("{SCHEME}:/oauth/staging?code=1&code=2"));
        self.see("error-callback-broken").await;
        self.picture("an-answer-that-cannot-be-read").await;
        let state = url::Url::parse(&address)
            .expect("it is an address")
            .query_pairs()
            .find_map(|(name, value)| (name == "state").then(|| value.into_owned()))
            .expect("an attempt has a state");
        let answer = |issuer: &str| {
            format!("{SCHEME}:/oauth/staging?error=access_denied&state={state}&iss={issuer}")
        };
        self.desk
            .deep_link(&answer("https://elsewhere.example.com"));
        self.see("error-callback-otherIssuer").await;
        self.picture("an-answer-of-another-identity-provider").await;
        self.desk.deep_link(&answer(&service.ready.auth_url));
        self.see("error-declined").await;
        self.picture("a-declined-sign-in").await;

        self.desk
            .session_mut()
            .stop_keyring()
            .expect("the keyring runs");
        self.press("continue-in-browser").await;
        let address = self.desk.opened_address().await;
        let browser = Browser::start(self.desk.session()).await;
        browser.submit(&address, NOURA, PASSWORD).await;
        self.desk.deep_link(&browser.callback(SCHEME).await);
        browser.close().await;
        self.see("vault-title").await;
        self.picture("no-keyring").await;
        self.desk
            .session_mut()
            .start_keyring()
            .expect("the keyring starts again");
        self.press("act-unlock").await;
        self.desk.see_rows().await;
    }

    async fn reading(&mut self, service: &Service) {
        for _ in 0..2 {
            service
                .gateway
                .fault(LIST, Fault::status(500, 13, "INTERNAL"));
        }
        self.press("refresh").await;
        self.see("act-copySupport").await;
        self.picture("something-went-wrong-at-the-service").await;
        self.press("refresh").await;
        self.desk.see_rows().await;

        for _ in 0..5 {
            service
                .gateway
                .fault(LIST, Fault::status(503, 14, "UPSTREAM_UNAVAILABLE"));
        }
        self.press("refresh").await;
        self.desk.see_waits().await;
        self.picture("the-service-is-busy").await;
        service.gateway.clear_faults();
        self.desk.see_no_waits().await;

        service
            .gateway
            .fault(GET, Fault::status(404, 5, "NOT_FOUND"));
        self.desk.press_first_row().await;
        self.see("error-not-found").await;
        self.picture("an-invoice-that-is-gone").await;
    }

    async fn writing(&mut self, service: &Service) {
        self.desk.keys("o", true).await;
        self.see("switcher-title").await;
        self.desk.press(VIEWED).await;
        self.desk.see_part("KWD").await;
        self.write(VIEWED).await;
        self.see("act-copyRequest").await;
        self.picture("not-allowed").await;
        self.desk.keys("o", true).await;
        self.see("switcher-title").await;
        self.desk.press("Al-Khair Trading").await;
        self.desk.see_rows().await;

        service
            .gateway
            .fault(CREATE, Fault::status(429, 8, "PLAN_LIMIT"));
        self.write("Al-Khair Trading").await;
        self.see_with("error-plan", &[("organization", "Al-Khair Trading")])
            .await;
        self.picture("the-plan-allows-no-more").await;
        service
            .gateway
            .fault(CREATE, Fault::status(409, 6, "ALREADY_EXISTS"));
        self.save("Al-Khair Trading").await;
        self.see("error-exists-unread").await;
        self.picture("a-key-that-is-taken").await;
        service.gateway.fault(CREATE, Fault::DropResponse);
        service.gateway.fault(GET, Fault::DropRequest);
        self.save("Al-Khair Trading").await;
        self.see_with(
            "error-unknown-outcome",
            &[("organization", "Al-Khair Trading")],
        )
        .await;
        self.picture("an-answer-was-lost").await;
        self.press("act-checkNow").await;
        self.see("issue").await;
    }

    async fn without_a_connection(&mut self, service: &Service) {
        self.press("new-invoice").await;
        self.fill().await;
        service.identity.stop().await;
        service.gateway.stop().await;
        self.save("Al-Khair Trading").await;
        self.see("drafts-waiting").await;
        self.picture("saved-without-a-connection").await;
        let busy = Fault::Respond {
            status: 429,
            headers: vec![("retry-after", "60".to_owned())],
            body: json!({"code": 8, "message": "", "details": []}).to_string(),
        };
        service.gateway.fault(CREATE, busy);
        service.identity.restart().await;
        service.gateway.restart().await;
        self.see("act-stop").await;
        self.picture("a-busy-service-is-asked-again-later").await;
        self.press("act-tryNow").await;
        self.see_with("no-drafts", &[("organization", "Al-Khair Trading")])
            .await;
        self.picture("sent-when-the-connection-was-back").await;
    }

    async fn the_end_of_the_session(&mut self, service: &Service) {
        self.press("invoices").await;
        self.desk.see_rows().await;
        service
            .gateway
            .fault(LIST, Fault::status(401, 16, "UNAUTHENTICATED"));
        service.identity.fault(
            "/oauth/v2/token",
            Fault::Respond {
                status: 400,
                headers: vec![("content-type", "application/json".to_owned())],
                body: json!({"error": "invalid_grant"}).to_string(),
            },
        );
        self.press("refresh").await;
        self.see_with("error-session-ended", &[("environment", "staging")])
            .await;
        self.picture("the-session-has-ended").await;
    }

    /// Writes a new invoice and saves it.
    async fn write(&mut self, organization: &str) {
        self.press("new-invoice").await;
        self.fill().await;
        self.save(organization).await;
    }

    async fn fill(&self) {
        self.desk
            .type_at("buyer.name.en", "Riyadh Contracting Co.")
            .await;
        self.desk
            .type_at("buyer.name.ar", "شركة الرياض للمقاولات")
            .await;
        self.describe().await;
        self.desk.type_at("lines[0].unitPrice", "1091.50").await;
        self.desk.see_part("1,091.5").await;
    }

    async fn save(&self, organization: &str) {
        let save = self
            .words
            .format("save-to", &[("organization", organization)]);
        self.desk.press(&save).await;
    }
}
