//! Sends the authorization requests of the table and reads their answers.

use std::sync::Arc;
use std::time::Duration;

use invoicing_contract::Timestamp;
use invoicing_identity::RequestLimitSettings;
use invoicing_service::Config;
use invoicing_storage::audit::{AuditEvent, AuditEventKind};
use invoicing_storage::secret::{PasswordHash, Secret, TokenHash, random_id};
use invoicing_storage::subjects::Subject;
use invoicing_storage::tokens::Session as BrowserSession;
use invoicing_storage::{Clock as _, Store, SystemRng};
use reqwest::StatusCode;
use url::Url;

use super::{Cell, Client, Hint, Outcome, Redirect, Sessions, Way};
use crate::fixtures::user_agent::AuthorizationRequest;
use crate::fixtures::{HOME, NOURA, NOURA_ID, Response, SALEM, SALEM_ID, Service};

/// A person whose account is disabled.
const DISABLED_ID: &str = "71";

/// A service with two applications that have the same redirect URIs, three people, and their tokens and sessions.
pub(super) struct Table {
    service: Service,
    store: Arc<dyn Store>,
    access_token: String,
    /// By application: the id_tokens of Noura, of Noura and expired, of Salem.
    id_tokens: [[String; 3]; 2],
    /// The cookie of each element of [`Sessions::ALL`].
    cookies: Vec<String>,
}

impl Table {
    pub(super) async fn start() -> Self {
        // More requests than one address may send.
        let request_limits = RequestLimitSettings {
            address_per_minute: 0,
            application_per_minute: 0,
        };
        let service = Service::start_with(|config| Config {
            request_limits,
            ..config
        })
        .await;
        for client_id in ["invoice-desk", "web"] {
            service
                .change_application(client_id, |application| {
                    let registered = Redirect::ALL.iter().filter(|uri| uri.is_registered());
                    application.redirect_uris =
                        registered.map(|uri| uri.uri().to_owned()).collect();
                })
                .await;
        }
        let claimed = Redirect::ClaimedHttps.uri();
        let requests = Client::ALL
            .iter()
            .map(|client| request_of(&service, *client).with("redirect_uri", claimed));
        let requests: Vec<_> = requests.collect();
        let mut expired = Vec::new();
        for request in &requests {
            expired.push(id_token(&service.sign_in_to(request, NOURA).await));
        }
        service.clock.advance(13 * 60 * 60);
        let mut id_tokens = Vec::new();
        let mut access_token = String::new();
        for (request, expired) in requests.iter().zip(expired) {
            let noura = service.sign_in_to(request, NOURA).await;
            let salem = service.sign_in_to(request, SALEM).await;
            id_tokens.push([id_token(&noura), expired, id_token(&salem)]);
            if request.client_secret.is_none() {
                noura.text("access_token").clone_into(&mut access_token);
            }
        }
        let store = service.store().await;
        let now = service.clock.timestamp();
        add_person(&*store, now).await;
        let mut cookies = Vec::new();
        for sessions in Sessions::ALL {
            let (people, expires_at): (&[&str], _) = match sessions {
                Sessions::NouraExpired => (&[NOURA_ID], now),
                Sessions::SomebodyDisabled => {
                    (&[DISABLED_ID], now.plus(Duration::from_secs(3_600)))
                }
                Sessions::Nobody | Sessions::Noura | Sessions::Salem | Sessions::Both => {
                    (sessions.people(), now.plus(Duration::from_secs(3_600)))
                }
            };
            cookies.push(cookie(&*store, people, now, expires_at).await);
        }
        let event = AuditEvent::new(now, AuditEventKind::UserDisabled);
        let disabled = store
            .disable_subject(&DISABLED_ID.into(), now, &event)
            .await;
        assert!(disabled.expect("storage responds"));
        Self {
            service,
            store,
            access_token,
            id_tokens: id_tokens.try_into().expect("two applications"),
            cookies,
        }
    }

    pub(super) async fn stop(self) {
        self.service.running.shutdown().await;
    }

    pub(super) async fn request(&self, cell: Cell) -> Outcome {
        let request = self.authorization_request(cell);
        let path = match cell.way {
            Way::Address => request.path(),
            Way::Pushed | Way::PushedWithAccessTokenOfNoura => {
                let access_token = (cell.way == Way::PushedWithAccessTokenOfNoura)
                    .then_some(self.access_token.as_str());
                let pushed = self.service.push(&request, access_token).await;
                if pushed.status != StatusCode::CREATED {
                    return Outcome::PushRefused(known_error(pushed.text("error")));
                }
                request.pushed_path(&pushed)
            }
        };
        let sent = self
            .service
            .http
            .get(self.service.auth(&path))
            .header("cookie", &self.cookies[cell.sessions as usize])
            .send();
        let response = Response::read(sent.await.expect("the service responds")).await;
        self.outcome(cell, &response).await
    }

    fn authorization_request(&self, cell: Cell) -> AuthorizationRequest {
        let request = request_of(&self.service, cell.client)
            .with("redirect_uri", cell.redirect.uri())
            .with("prompt", cell.prompt.value());
        let own = &self.id_tokens[cell.client as usize];
        let other = &self.id_tokens[1 - cell.client as usize];
        let hint = match cell.hint {
            Hint::Absent => return request,
            Hint::Noura => own[0].clone(),
            Hint::NouraExpired => own[1].clone(),
            Hint::Salem => own[2].clone(),
            Hint::OfAnotherApplication => other[0].clone(),
            Hint::Forged => {
                let (signed, _) = own[0].rsplit_once('.').expect("a JWT has three parts");
                format!("{signed}.{}", "A".repeat(342))
            }
        };
        request.with("id_token_hint", &hint)
    }

    async fn outcome(&self, cell: Cell, response: &Response) -> Outcome {
        if response.status != StatusCode::SEE_OTHER {
            assert!(!response.headers.contains_key("location"), "{cell:?}");
            let page = &response.body;
            return if response.status == StatusCode::BAD_REQUEST {
                Outcome::ErrorPage
            } else if page.contains("<form id=\"choose\"") {
                let names = [("Noura Al-Harbi", NOURA_ID), ("Salem Al-Otaibi", SALEM_ID)];
                let shown = names.iter().filter(|(name, _)| page.contains(name));
                Outcome::AccountChooser(shown.map(|(_, id)| *id).collect())
            } else {
                assert!(page.contains("<form id=\"sign-in\""), "{cell:?}: {page}");
                Outcome::SignInPage
            };
        }
        let location = response.header("location");
        assert!(
            location.starts_with(cell.redirect.uri()),
            "{cell:?}: {location}"
        );
        let location = Url::parse(location).expect("an address");
        let parameter = |name: &str| {
            let mut pairs = location.query_pairs();
            pairs
                .find(|(key, _)| key == name)
                .map(|(_, value)| value.into_owned())
        };
        assert_eq!(parameter("state").as_deref(), Some("the state"), "{cell:?}");
        match (parameter("code"), parameter("error")) {
            (Some(code), None) => {
                let found = self.store.authorization_code(&TokenHash::of(&code)).await;
                let found = found
                    .expect("storage responds")
                    .expect("the code is stored");
                let people = [NOURA_ID, SALEM_ID, DISABLED_ID];
                let subject = people.into_iter().find(|id| found.family.subject == *id);
                Outcome::Code(subject.expect("one of the people"))
            }
            (None, Some(error)) => Outcome::Redirect(known_error(&error)),
            other => panic!("{cell:?}: a code or an error: {other:?}"),
        }
    }
}

fn request_of(service: &Service, client: Client) -> AuthorizationRequest {
    match client {
        Client::Public => AuthorizationRequest::new(service, "openid"),
        Client::WithSecret => AuthorizationRequest::confidential(service, "openid"),
    }
}

fn id_token(response: &Response) -> String {
    response.text("id_token").to_owned()
}

fn known_error(error: &str) -> &'static str {
    let known = [
        "invalid_request",
        "invalid_client",
        "invalid_token",
        "login_required",
        "interaction_required",
        "account_selection_required",
        "temporarily_unavailable",
    ];
    let found = known.into_iter().find(|known| *known == error);
    found.unwrap_or_else(|| panic!("another error: {error}"))
}

async fn add_person(store: &dyn Store, now: Timestamp) {
    let person = Subject {
        id: DISABLED_ID.into(),
        username: "hana@alkhair.example".to_owned(),
        name: "Hana".to_owned(),
        email: None,
        email_verified: false,
        home_organization: HOME.into(),
        password_hash: Some(PasswordHash::new("none that matches")),
        must_change_password: false,
        epoch: 0,
    };
    let event = AuditEvent::new(now, AuditEventKind::UserCreated);
    assert!(
        store
            .add_subject(&person, &event)
            .await
            .expect("storage responds")
    );
}

/// The cookie header of a browser with which `people` are signed in.
async fn cookie(
    store: &dyn Store,
    people: &[&str],
    now: Timestamp,
    expires_at: Timestamp,
) -> String {
    let mut secrets = Vec::new();
    for person in people {
        let secret = Secret::random(&SystemRng);
        let session = BrowserSession {
            id: random_id(&SystemRng),
            hash: secret.hash(),
            subject: (*person).into(),
            epoch: 0,
            authenticated_at: now,
            expires_at,
            pending: None,
        };
        let event = AuditEvent::new(now, AuditEventKind::SignedIn);
        store
            .begin_session(&session, &event)
            .await
            .expect("storage responds");
        secrets.push(secret.expose().to_owned());
    }
    format!("invoicing-session={}", secrets.join("."))
}
