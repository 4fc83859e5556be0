//! A really started service with the demo seed, a clock that a test can move, and an HTTP client.
#![allow(dead_code, reason = "each file of tests uses its own part of this")]
#![allow(
    missing_docs,
    unreachable_pub,
    reason = "the names say it, and nobody else sees it"
)]

pub mod process;
pub mod user_agent;

use std::ops::Deref;
use std::sync::Arc;
use std::sync::atomic::{AtomicI64, Ordering};

use invoicing_contract::Names;
use invoicing_contract::ready::{Application, ApplicationKind, Ready, User};
use invoicing_service::{Config, Running, Seed, World, serve};
use invoicing_storage::audit::{self, Entry};
use invoicing_storage::world::{Clock, SystemClock, SystemRandomness};
use invoicing_storage::{ApplicationStore as _, SubjectStore as _};
use invoicing_storage_sqlite::Sqlite;
use reqwest::{Client, Response, StatusCode, redirect};
use serde_json::Value;
use tempfile::TempDir;

use user_agent::{Attempt, Callback, UserAgent};

pub const HOME: &str = "274893001";
pub const NOURA: &str = "noura@alkhair.example";
/// Noura's subject id.
pub const NOURA_ID: &str = "310000000000000001";
/// Salem's subject id.
pub const SALEM_ID: &str = "310000000000000002";
pub const SALEM: &str = "salem@alkhair.example";

/// The system's clock, moved by as much as the test says.
#[derive(Default)]
pub struct MovedClock(AtomicI64);

impl MovedClock {
    pub fn forward(&self, seconds: i64) {
        self.0.fetch_add(seconds, Ordering::SeqCst);
    }
}

impl Clock for MovedClock {
    fn now(&self) -> jiff::Timestamp {
        SystemClock.now() + jiff::SignedDuration::from_secs(self.0.load(Ordering::SeqCst))
    }
}

/// A service in this process.
pub struct Service {
    pub running: Running,
    pub clock: Arc<MovedClock>,
    pub folder: TempDir,
    config: Config,
    site: Site,
}

impl Deref for Service {
    type Target = Site;

    fn deref(&self) -> &Site {
        &self.site
    }
}

/// A service that answers, wherever it runs.
#[derive(Clone)]
pub struct Site {
    pub ready: Ready,
    pub http: Client,
    pub names: Names,
}

impl Service {
    /// A local environment with the demo seed and few invoices.
    pub async fn start() -> Self {
        Self::start_with(|config| config).await
    }

    /// The same, with the configuration changed by `change`.
    pub async fn start_with(change: impl FnOnce(Config) -> Config) -> Self {
        let folder = tempfile::tempdir().expect("a temporary folder");
        let config = config_in(&folder);
        Self::start_in(folder, change(config), Arc::default()).await
    }

    /// A service as `config` says, on a database in `folder`.
    pub async fn start_configured(folder: TempDir, config: Config) -> Self {
        Self::start_in(folder, config, Arc::default()).await
    }

    /// The same service, stopped in order and started again on its database.
    pub async fn restart(self) -> Self {
        self.running.shutdown().await;
        Self::start_in(self.folder, self.config, self.clock).await
    }

    /// The same, with the configuration changed by `change`.
    pub async fn restart_with(self, change: impl FnOnce(Config) -> Config) -> Self {
        self.running.shutdown().await;
        Self::start_in(self.folder, change(self.config), self.clock).await
    }

    /// A second way into its database.
    pub async fn store(&self) -> Sqlite {
        Sqlite::open(&self.config.database)
            .await
            .expect("the database opens a second time")
    }

    /// Gives a role.
    pub async fn grant(&self, subject: &str, organization: &str, role: &str) {
        let store = self.store().await;
        let entry = Entry::new(self.clock.now_ms(), audit::Kind::RoleGranted);
        store
            .add_grant(subject, organization, role, &entry)
            .await
            .expect("storage answers");
        store.close().await;
    }

    /// Changes a registered application.
    pub async fn change_application(
        &self,
        client_id: &str,
        change: impl FnOnce(&mut invoicing_storage::applications::Application),
    ) {
        let store = self.store().await;
        let mut application = store
            .application(client_id)
            .await
            .expect("storage answers")
            .expect("the application is registered");
        change(Arc::make_mut(&mut application));
        let changed = Entry::new(self.clock.now_ms(), audit::Kind::ApplicationChanged);
        store
            .put_application(&application, &changed)
            .await
            .expect("storage answers");
        store.close().await;
    }

    async fn start_in(folder: TempDir, config: Config, clock: Arc<MovedClock>) -> Self {
        let world = World {
            clock: clock.clone(),
            randomness: Arc::new(SystemRandomness),
        };
        let running = serve(config.clone(), world)
            .await
            .expect("the service starts");
        let site = Site {
            ready: running.ready.clone(),
            http: client(),
            names: config.names.clone(),
        };
        Self {
            running,
            clock,
            folder,
            config,
            site,
        }
    }
}

impl Site {
    pub fn auth(&self, path: &str) -> String {
        format!("{}{path}", self.ready.auth_url)
    }

    pub fn base(&self, path: &str) -> String {
        format!("{}{path}", self.ready.base_url)
    }

    pub fn application(&self, kind: ApplicationKind) -> &Application {
        let of_kind = self
            .ready
            .applications
            .iter()
            .find(|application| application.kind == kind);
        of_kind.unwrap_or_else(|| panic!("the seed has an application of kind {kind:?}"))
    }

    pub fn user(&self, username: &str) -> &User {
        let named = self
            .ready
            .users
            .iter()
            .find(|user| user.username == username);
        named.unwrap_or_else(|| panic!("the seed has {username}"))
    }

    /// The scope that the gateway wants in a token.
    pub fn audience_scope(&self) -> String {
        self.names.audience_scope(&self.ready.audience_id)
    }

    /// POST to the token endpoint.
    pub async fn token(&self, form: &[(&str, &str)]) -> Answer {
        self.post("/oauth/v2/token", form).await
    }

    /// POST of a form to the identity provider.
    pub async fn post(&self, path: &str, form: &[(&str, &str)]) -> Answer {
        Answer::of(
            self.http
                .post(self.auth(path))
                .form(form)
                .send()
                .await
                .expect("the service answers"),
        )
        .await
    }

    /// What the desktop application asks for.
    pub fn desktop_scope(&self) -> String {
        format!(
            "openid profile email offline_access {} {}",
            self.audience_scope(),
            self.names.home_organization_scope()
        )
    }

    /// Redeems the code of a callback.
    pub async fn redeem(&self, attempt: &Attempt, callback: &Callback) -> Answer {
        self.token(&[
            ("grant_type", "authorization_code"),
            ("client_id", &attempt.client_id),
            ("code", callback.get("code")),
            ("redirect_uri", &attempt.redirect_uri),
            ("code_verifier", &attempt.verifier),
        ])
        .await
    }

    /// The tokens of a person who signs in with a fresh browser: the answer of the token endpoint.
    pub async fn sign_in(&self, username: &str) -> Answer {
        let attempt = Attempt::new(self, &self.desktop_scope());
        let callback = UserAgent::new(self).sign_in(self, &attempt, username).await;
        let answer = self.redeem(&attempt, &callback).await;
        assert_eq!(answer.status, StatusCode::OK, "{}", answer.body);
        answer
    }

    /// Presents a refresh token.
    pub async fn refresh(&self, refresh_token: &str) -> Answer {
        let desktop = self.application(ApplicationKind::Public);
        let form = [
            ("grant_type", "refresh_token"),
            ("client_id", &*desktop.client_id),
            ("refresh_token", refresh_token),
        ];
        self.token(&form).await
    }

    /// Asks userinfo about an access token.
    pub async fn userinfo(&self, access_token: &str) -> Answer {
        let request = self
            .http
            .get(self.auth("/oidc/v1/userinfo"))
            .bearer_auth(access_token);
        Answer::of(request.send().await.expect("the service answers")).await
    }

    /// An access token of the machine user with exactly these scopes.
    pub async fn machine_token(&self, scope: &str) -> String {
        let machine = self.application(ApplicationKind::Machine);
        let secret = machine
            .client_secret
            .as_deref()
            .expect("a machine has a secret");
        let form = [
            ("grant_type", "client_credentials"),
            ("client_id", &*machine.client_id),
            ("client_secret", secret),
            ("scope", scope),
        ];
        let answer = self.token(&form).await;
        assert_eq!(answer.status, StatusCode::OK, "{}", answer.body);
        answer.text("access_token").to_owned()
    }
}

/// A whole answer: status, headers, body, and the body as JSON if it is that.
#[derive(Debug)]
pub struct Answer {
    pub status: StatusCode,
    pub headers: reqwest::header::HeaderMap,
    pub body: String,
    pub json: Value,
}

impl Answer {
    pub async fn of(response: Response) -> Self {
        let status = response.status();
        let headers = response.headers().clone();
        let body = response.text().await.expect("the body arrives");
        let json = serde_json::from_str(&body).unwrap_or_default();
        Self {
            status,
            headers,
            body,
            json,
        }
    }

    /// A string in the JSON body.
    pub fn text(&self, key: &str) -> &str {
        self.json[key]
            .as_str()
            .unwrap_or_else(|| panic!("no {key} in {}", self.body))
    }

    pub fn header(&self, name: &str) -> &str {
        let value = self
            .headers
            .get(name)
            .unwrap_or_else(|| panic!("no {name} in {:?}", self.headers));
        value.to_str().expect("a header of ASCII")
    }

    /// Asserts an error of RFC 6749, 5.2.
    #[track_caller]
    pub fn is_oauth_error(&self, status: u16, error: &str) {
        assert_eq!(
            (self.status.as_u16(), self.json["error"].as_str()),
            (status, Some(error)),
            "{}",
            self.body
        );
        assert_eq!(
            self.header("cache-control"),
            "no-store",
            "an error is not cached"
        );
    }
}

/// A local environment with the demo seed, in `folder`.
pub fn config_in(folder: &TempDir) -> Config {
    Config {
        seed: Some(Seed::Demo),
        invoices: Some(0),
        ..Config::local(format!(
            "sqlite:{}",
            folder.path().join("invoicing.db").display()
        ))
    }
}

/// An HTTP client that follows nothing by itself.
pub fn client() -> Client {
    Client::builder()
        .redirect(redirect::Policy::none())
        .no_proxy()
        .build()
        .expect("a client")
}

/// Calls `ask` that many times at once and waits for all.
pub async fn at_once<Asked: Future<Output = Answer>>(
    times: usize,
    ask: impl Fn() -> Asked,
) -> Vec<Answer> {
    let mut asked: Vec<_> = (0..times).map(|_| Box::pin(ask())).collect();
    let mut answers = Vec::new();
    std::future::poll_fn(|context| {
        asked.retain_mut(|future| match future.as_mut().poll(context) {
            std::task::Poll::Ready(answer) => {
                answers.push(answer);
                false
            }
            std::task::Poll::Pending => true,
        });
        if asked.is_empty() {
            std::task::Poll::Ready(())
        } else {
            std::task::Poll::Pending
        }
    })
    .await;
    answers
}
