//! What is said of an attempt that replaces another one and cannot begin.

use std::net::{Ipv4Addr, TcpListener};

use jiff::Timestamp;
use url::Url;

use super::attempt::PendingAuthorization;
use super::*;
use crate::clock::FakeClock;
use crate::environments::EnvironmentConfig;
use crate::http::Network;
use crate::provider::{AuthorizationSecrets, Provider};
use crate::rng::SystemRng;
use crate::session::SessionState;
use crate::vault::MemoryVault;
use crate::views::{CallbackMethod, EnvironmentKind};

/// A program with a browser that never comes back.
struct SilentHost;

impl Host for SilentHost {
    fn open_browser(&self, _address: &Url) -> Result<(), BrowserNotOpened> {
        Ok(())
    }

    fn scheme_registered(&self) -> bool {
        true
    }

    fn bring_to_front(&self) {}
}

/// An environment whose servers nobody can reach.
fn unreachable_environment() -> Environment {
    let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).expect("a port");
    let address = format!("http://{}", listener.local_addr().expect("it is bound"));
    drop(listener);
    Environment::new(EnvironmentConfig {
        name: "staging".to_owned(),
        kind: EnvironmentKind::Staging,
        auth_url: address.clone(),
        base_url: address,
        project_audience_id: "1".to_owned(),
        client_id: "desk".into(),
        namespace: "idp".to_owned(),
        proxy: String::new(),
        ca_file: String::new(),
    })
    .expect("a valid configuration")
}

fn options() -> SignInOptions {
    SignInOptions {
        environment: "staging".to_owned(),
        language: None,
        loopback: false,
        silent: false,
        expected_subject: None,
        remember: true,
        confirmed: false,
    }
}

/// The phase of an attempt whose browser is open.
fn waiting(environment: Environment, clock: &Arc<dyn Clock>, rng: &Arc<dyn Rng>) -> Phase {
    let network = Network::default();
    let (own_clock, own_rng) = (Arc::clone(clock), Arc::clone(rng));
    let provider = Provider::new(environment.clone(), own_clock, own_rng, &network);
    Phase::Waiting(Box::new(PendingAuthorization {
        redirect_uri: environment.deep_link(),
        environment,
        provider: Arc::new(provider),
        secrets: AuthorizationSecrets::generate(rng.as_ref()),
        requires_issuer: false,
        address: Url::parse("https://id.example.com/authorize").expect("an address"),
        callback_method: CallbackMethod::DeepLink,
        asked_for_password: false,
        _loopback: None,
        started: clock.monotonic(),
    }))
}

#[tokio::test]
async fn failure_of_an_attempt_that_replaces_a_shown_one_is_said_on_the_sign_in_screen() {
    let folder = tempfile::tempdir().expect("a folder");
    let clock: Arc<dyn Clock> = Arc::new(FakeClock::new(Timestamp::UNIX_EPOCH));
    let rng: Arc<dyn Rng> = Arc::new(SystemRng);
    let changes = Arc::new(ChangeNotifier::new());
    let environments = Environments::open(folder.path().join("environments.json"), None);
    let environment = unreachable_environment();
    environments
        .add(environment.clone())
        .await
        .expect("written");
    let session = Arc::new(Session::new(
        Arc::clone(&clock),
        Arc::clone(&rng),
        Arc::new(MemoryVault::default()),
        Arc::clone(&changes),
        Network::default(),
        folder.path(),
    ));
    session.set(SessionState::SignedOut { error: None });
    let sign_in = Arc::new(SignIn::new(
        Arc::clone(&clock),
        Arc::clone(&rng),
        Arc::new(SilentHost),
        Arc::new(environments),
        Arc::clone(&session),
        changes,
    ));
    let (mut attempt, _outcome) = Attempt::new(1, options());
    attempt.phase = waiting(environment, &clock, &rng);
    *sign_in.lock() = SignInState {
        last_id: 1,
        attempt: Some(attempt),
        ..SignInState::default()
    };

    let failed = sign_in.use_loopback().await;
    let failed = failed.expect_err("nobody answers");
    assert!(sign_in.view().is_none(), "the screen of the attempt stays");
    let SessionState::SignedOut { error } = session.state() else {
        panic!("somebody is signed in")
    };
    assert_eq!(error, Some(failed));
}
