//! Failures: the real window and the real service, with network faults injected between them.

use std::fs;

use end_to_end::browser::Browser;
use end_to_end::fault_proxy::Fault;
use end_to_end::service::Service;
use end_to_end::window::{AppWindow, NOURA, SCHEME, WindowOptions};
use serde_json::json;

use super::{Organization, ScreenshotSet, Tour};

const LIST: &str = "/simple/invoices/list";
const CREATE: &str = "/simple/invoices/create";
const GET: &str = "GET /api/v2/documents/*";
const DISCOVERY: &str = "/openid-configuration";

/// Runs the failures, each part in a new session.
pub(super) async fn run(options: WindowOptions, screenshots: &mut ScreenshotSet) {
    unreadable_local_database(options.clone(), screenshots).await;
    let language = options.language;
    let service = Service::staging().await;
    let mut window = AppWindow::prepare(options);
    window.add_staging(&service);
    window.launch().await;
    let mut tour = Tour::new(window, language, screenshots);
    tour.environment_form_errors().await;
    tour.sign_in_errors(&service).await;
    tour.read_errors(&service).await;
    tour.conflict(&service).await;
    tour.write_errors(&service).await;
    tour.without_a_connection(&service).await;
    tour.ended_session(&service).await;
}

/// The database file of the local environment is not a database.
async fn unreadable_local_database(options: WindowOptions, screenshots: &mut ScreenshotSet) {
    let language = options.language;
    let mut window = AppWindow::prepare(options);
    let folder = window.data().join("local");
    fs::create_dir_all(&folder)
        .and_then(|()| fs::write(folder.join("service.db"), [0x42; 8192]))
        .expect("the database file can be written");
    window.launch().await;
    let mut tour = Tour::new(window, language, screenshots);
    tour.click("continue-in-browser").await;
    tour.wait_for("act-copySupport").await;
    tour.screenshot("a-database-that-cannot-be-read").await;
}

impl Tour<'_> {
    async fn environment_form_errors(&mut self) {
        self.click("environment-add").await;
        self.click("save").await;
        self.wait_for_formatted("environment-wrong-empty", &[])
            .await;
        self.screenshot("an-environment-with-fields-missing").await;
        self.click("cancel").await;
    }

    async fn sign_in_errors(&mut self, service: &Service) {
        self.window.click("staging").await;
        service.identity.stop().await;
        self.click("continue-in-browser").await;
        self.wait_for("error-offline-sign-in").await;
        self.screenshot("no-connection-while-signing-in").await;
        service.identity.restart().await;

        service.identity.fault(DISCOVERY, Fault::page(200));
        self.click("continue-in-browser").await;
        self.wait_for_formatted("error-unexpected-response", &[("status", "200")])
            .await;
        self.screenshot("a-proxy-answers").await;

        self.click("continue-in-browser").await;
        let address = self.window.opened_address().await;
        self.window
            .deep_link(&format!("{SCHEME}:/oauth/staging?code=1&code=2"));
        self.wait_for("error-callback-broken").await;
        self.screenshot("an-answer-that-cannot-be-read").await;
        let state = url::Url::parse(&address)
            .expect("it is an address")
            .query_pairs()
            .find_map(|(name, value)| (name == "state").then(|| value.into_owned()))
            .expect("an attempt has a state");
        let callback = |issuer: &str| {
            format!("{SCHEME}:/oauth/staging?error=access_denied&state={state}&iss={issuer}")
        };
        self.window
            .deep_link(&callback("https://elsewhere.example.com"));
        self.wait_for("error-callback-otherIssuer").await;
        self.screenshot("an-answer-of-another-identity-provider")
            .await;
        self.window.deep_link(&callback(&service.ready.auth_url));
        self.wait_for("error-declined").await;
        self.screenshot("a-declined-sign-in").await;

        self.window
            .session_mut()
            .stop_keyring()
            .expect("the keyring runs");
        self.click("continue-in-browser").await;
        let address = self.window.opened_address().await;
        self.submit_in_browser(&address, service).await;
        self.wait_for("vault-title").await;
        self.screenshot("no-keyring").await;
        self.window
            .session_mut()
            .start_keyring()
            .expect("the keyring starts again");
        self.click("act-continueSession").await;
        self.window.wait_for_rows().await;
    }

    async fn read_errors(&mut self, service: &Service) {
        for _ in 0..2 {
            service
                .gateway
                .fault(LIST, Fault::status(500, 13, "INTERNAL"));
        }
        self.click("refresh").await;
        self.wait_for("act-copySupport").await;
        self.screenshot("something-went-wrong-at-the-service").await;
        self.click("refresh").await;
        self.window.wait_for_rows().await;

        for _ in 0..5 {
            service
                .gateway
                .fault(LIST, Fault::status(503, 14, "UPSTREAM_UNAVAILABLE"));
        }
        self.click("refresh").await;
        self.window.wait_for_pending_retries().await;
        self.screenshot("the-service-is-busy").await;
        service.gateway.clear_faults();
        self.window.wait_for_no_pending_retries().await;

        service
            .gateway
            .fault(GET, Fault::status(404, 5, "NOT_FOUND"));
        self.window.click_first_row().await;
        self.wait_for("error-not-found").await;
        self.screenshot("an-invoice-that-is-gone").await;
    }

    async fn write_errors(&mut self, service: &Service) {
        self.open_switcher().await;
        self.window.click(self.name(Organization::ReadOnly)).await;
        self.window.wait_for_text("KWD").await;
        self.screenshot("an-organization-to-read-only").await;
        self.open_switcher().await;
        let home = self.name(Organization::Home);
        self.window.click(home).await;
        self.window.wait_for_rows().await;

        service
            .gateway
            .fault(CREATE, Fault::status(429, 8, "PLAN_LIMIT"));
        self.create_and_save(Organization::Home).await;
        self.wait_for_formatted("error-plan", &[("organization", home)])
            .await;
        self.screenshot("the-plan-allows-no-more").await;
        service
            .gateway
            .fault(CREATE, Fault::status(409, 6, "ALREADY_EXISTS"));
        self.save(Organization::Home).await;
        self.wait_for("error-exists-unread").await;
        self.screenshot("a-key-that-is-taken").await;
        service.gateway.fault(CREATE, Fault::DropResponse);
        service.gateway.fault(GET, Fault::DropRequest);
        self.save(Organization::Home).await;
        self.wait_for_formatted("error-unknown-outcome", &[("organization", home)])
            .await;
        self.screenshot("an-answer-was-lost").await;
        self.click("act-checkNow").await;
        self.wait_for("paper-preview").await;
    }

    async fn without_a_connection(&mut self, service: &Service) {
        self.click("new-invoice").await;
        self.fill_form().await;
        service.identity.stop().await;
        service.gateway.stop().await;
        self.save(Organization::Home).await;
        self.wait_for("drafts-waiting").await;
        self.screenshot("saved-without-a-connection").await;
        let busy = Fault::Respond {
            status: 429,
            headers: vec![("retry-after", "60".to_owned())],
            body: json!({"code": 8, "message": "", "details": []}).to_string(),
        };
        service.gateway.fault(CREATE, busy);
        service.identity.restart().await;
        service.gateway.restart().await;
        self.wait_for("act-tryNow").await;
        self.screenshot("a-busy-service-is-asked-again-later").await;
        self.click("act-tryNow").await;
        let home = self.name(Organization::Home);
        self.wait_for_formatted("no-drafts", &[("organization", home)])
            .await;
        self.screenshot("sent-when-the-connection-was-back").await;
    }

    async fn ended_session(&mut self, service: &Service) {
        self.click("new-invoice").await;
        self.fill_form().await;
        service.end_sessions_of(NOURA).await;
        self.save(Organization::Home).await;
        self.wait_for_formatted("error-session-ended", &[("environment", "staging")])
            .await;
        self.screenshot("the-session-has-ended").await;
        self.click("act-signIn").await;
        let address = self.window.opened_address().await;
        self.wait_for("waiting-title").await;
        self.screenshot("signing-in-again").await;
        self.submit_in_browser(&address, service).await;
        self.wait_until_gone("waiting-title").await;
        self.wait_for("editor-new-invoice").await;
        self.screenshot("the-form-as-it-was-left").await;
    }

    /// Signs in on the page of the service, in a new browser, and follows its answer.
    async fn submit_in_browser(&self, address: &str, service: &Service) {
        let browser = Browser::start(self.window.session()).await;
        browser
            .submit(address, NOURA, &service.password(NOURA))
            .await;
        self.window.deep_link(&browser.callback(SCHEME).await);
        browser.close().await;
    }

    /// Creates a new invoice and saves it.
    async fn create_and_save(&mut self, organization: Organization) {
        self.click("new-invoice").await;
        self.fill_form().await;
        self.save(organization).await;
    }

    pub(super) async fn fill_form(&self) {
        self.window
            .fill_field("buyer.name.en", "Riyadh Contracting Co.")
            .await;
        self.window
            .fill_field("buyer.name.ar", "شركة الرياض للمقاولات")
            .await;
        self.fill_description().await;
        self.window
            .fill_field("lines[0].unitPrice", "1091.50")
            .await;
        self.window.wait_for_text("1,091.5").await;
    }
}
