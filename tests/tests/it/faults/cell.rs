//! One cell of the table: a call under a fault, and the invariants that are checked after it.

use std::collections::BTreeSet;
use std::fmt;
use std::sync::{Arc, Mutex};

use end_to_end::fault_proxy::Lasting;
use invoicing_client::views::{CommandError, Connectivity, Draft, InvoiceContent, SessionView};

use super::bench::Bench;
use super::call::{Call, CallClass, TOKEN};
use super::drive::drive;
use super::fault_kind::FaultKind;
use super::scenario::{Scenario, is_queued, kind};
use super::{oracle, session_files};
use crate::client::session::connectivity;
use crate::fixtures::{HOME, Log, page};

/// A cell of the table.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Cell {
    pub(crate) call: Call,
    pub(crate) fault: FaultKind,
    pub(crate) lasting: Lasting,
    /// Whether the connections are encrypted.
    pub(crate) tls: bool,
}

impl Cell {
    /// Every cell there is, by call.
    pub(crate) fn all() -> impl Iterator<Item = Self> {
        let transports = [false, true];
        Call::ALL.into_iter().flat_map(move |call| {
            transports.into_iter().flat_map(move |tls| {
                FaultKind::ALL
                    .into_iter()
                    .filter(move |fault| tls || !fault.needs_tls())
                    .flat_map(move |fault| {
                        [Lasting::Once, Lasting::UntilCleared]
                            .into_iter()
                            .filter(move |lasting| {
                                fault.can_be_once() || *lasting == Lasting::UntilCleared
                            })
                            .map(move |lasting| Self {
                                call,
                                fault,
                                lasting,
                                tls,
                            })
                    })
            })
        })
    }
}

impl fmt::Display for Cell {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let transport = if self.tls { "TLS" } else { "TCP" };
        write!(
            formatter,
            "{:?} × {:?} {:?} over {transport}",
            self.call, self.fault, self.lasting
        )
    }
}

/// What has to hold in every cell.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Invariant {
    /// What was typed is in a draft or at the service, exactly; nothing is stored twice.
    Draft,
    /// A refresh token is exchanged only while the marker is set, and its successor or the marker is kept.
    Marker,
    /// A fault does not end a session, unless its refresh token was exchanged and the answer lost.
    SignOut,
    /// The outcome is the one that the oracle names.
    Words,
    /// No secret is in the log, a snapshot, an error or a file.
    Secret,
    /// When the fault is over, the next call works.
    Recovery,
    /// The cell came to its end.
    End,
}

impl Invariant {
    pub(crate) const ALL: [Self; 7] = [
        Self::Draft,
        Self::Marker,
        Self::SignOut,
        Self::Words,
        Self::Secret,
        Self::Recovery,
        Self::End,
    ];
}

/// After a fault, the answers from the cache before the first one of the service.
const MAX_CACHED_ANSWERS: u32 = 5;

/// An invariant that does not hold, and what was seen.
pub(crate) type Violation = (Invariant, String);

/// Runs a cell. Returns what does not hold.
pub(crate) async fn run(bench: &mut Bench, cell: Cell, log: &Log) -> Vec<Violation> {
    let mut found = Vec::new();
    bench.recover().await;
    for proxy in [&bench.service.identity, &bench.service.gateway] {
        proxy.forget_requests();
    }
    let begin = log.len();
    let mut scenario = Scenario::prepare(bench, cell).await;
    let mut secrets = tokens(&scenario);

    let unmarked = observe_refresh(bench, &scenario);
    let signed_in = scenario.is_bound();
    let seen = scenario.act(bench).await;
    bench.recover().await;

    let expected = oracle::expected(cell);
    if !expected.contains(&seen.as_str()) {
        found.push((Invariant::Words, format!("{seen}, not {expected:?}")));
    }
    let snapshot = scenario.app.snapshot().await;
    let shown = format!("{snapshot:?}");
    if *unmarked.lock().expect("not poisoned") > 0 {
        found.push((Invariant::Marker, "exchanged without the marker".to_owned()));
    }
    secrets.extend(tokens(&scenario));
    let successor = successor(bench, &scenario, &mut secrets);
    let spent = successor != Successor::Stored;
    // A refusal tells what the marker stood for. The session is ended before the marker is removed.
    if spent
        && !session_files::marker_is_set(scenario.app.folder.path())
        && !(successor == Successor::Refused && is_over(&scenario.app.snapshot().await.session))
    {
        found.push((
            Invariant::Marker,
            "the successor was lost and the marker is gone".to_owned(),
        ));
    }
    let signs_out = cell.call.class() == CallClass::SignOut;
    if signed_in && !signs_out && !spent && is_over(&snapshot.session) {
        let session = format!("{:?}", snapshot.session);
        let session = session.chars().take(160).collect();
        found.push((Invariant::SignOut, session));
    }
    found.extend(check_recovery(bench, &mut scenario, spent || signs_out || !signed_in).await);
    found.extend(check_draft(bench, &scenario).await);
    secrets.extend(tokens(&scenario));
    found.extend(check_secrets(&scenario, &secrets, &shown, log, begin));
    scenario.app.desktop.stop().await;
    log.note(&bench.transcript());
    found
}

/// Whether the person has to sign in again.
fn is_over(session: &SessionView) -> bool {
    connectivity(session).is_none_or(|connectivity| connectivity == Connectivity::Ended)
}

/// Counts the exchanges of a refresh token that are sent while no marker is set.
fn observe_refresh(bench: &Bench, scenario: &Scenario) -> Arc<Mutex<u32>> {
    let unmarked = Arc::new(Mutex::new(0));
    let (counter, folder) = (Arc::clone(&unmarked), scenario.app.folder.path().to_owned());
    bench
        .service
        .identity
        .observe(Some(Arc::new(move |request| {
            let is_refresh =
                String::from_utf8_lossy(&request.body).contains("grant_type=refresh_token");
            if is_refresh && !session_files::marker_is_set(&folder) {
                *counter.lock().expect("not poisoned") += 1;
            }
        })));
    unmarked
}

/// What became of the last refresh token that the service has issued for another one.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Successor {
    /// The keyring has it, or none was issued.
    Stored,
    /// The keyring does not have it.
    Lost,
    /// The keyring does not have it, and the client was refused since with the token before.
    Refused,
}

/// Adds the tokens to `secrets`.
fn successor(bench: &Bench, scenario: &Scenario, secrets: &mut BTreeSet<String>) -> Successor {
    let stored = scenario.app.vault.secrets().concat();
    let mut last = None;
    let mut refused = false;
    for exchange in bench.service.identity.exchanges(TOKEN) {
        let response: serde_json::Value =
            serde_json::from_slice(&exchange.response).unwrap_or_default();
        for name in ["refresh_token", "access_token"] {
            secrets.extend(response[name].as_str().map(str::to_owned));
        }
        let refresh =
            String::from_utf8_lossy(&exchange.request.body).contains("grant_type=refresh_token");
        if refresh && exchange.status == 200 {
            last = response["refresh_token"].as_str().map(str::to_owned);
            refused = false;
        } else if refused && exchange.status == 200 {
            // A silent sign-in replaced the session that was refused.
            last = response["refresh_token"].as_str().map(str::to_owned);
        }
        refused |= refresh && exchange.status == 400;
    }
    match last {
        Some(last) if !stored.contains(&last) && refused => Successor::Refused,
        Some(last) if !stored.contains(&last) => Successor::Lost,
        Some(_) | None => Successor::Stored,
    }
}

/// After the fault the next call works, if the session may have ended after signing in again.
async fn check_recovery(
    bench: &mut Bench,
    scenario: &mut Scenario,
    may_end: bool,
) -> Vec<Violation> {
    if !scenario.is_bound() {
        // It was a sign-in: another one has to succeed.
        bench.sign_in(&scenario.app).await;
        let binding = scenario.app.switch_organization(HOME).await;
        scenario.bind(binding);
    }
    let list = |scenario: &Scenario| {
        let (desktop, window) = (
            Arc::clone(&scenario.app.desktop),
            scenario.app.window.clone(),
        );
        let binding = scenario.binding();
        async move { desktop.list_invoices(&window, binding, page()).await }
    };
    let session = scenario.app.snapshot().await.session;
    let signed_in = matches!(session, SessionView::SignedIn { .. });
    let mut answer = match signed_in {
        true => drive(&scenario.app, bench, list(scenario)).await,
        false => Err(CommandError::NotSignedIn),
    };
    // The window of a restarted program has another binding.
    if matches!(&answer, Err(CommandError::StaleBinding)) {
        let binding = scenario.app.switch_organization(HOME).await;
        scenario.bind(binding);
        answer = drive(&scenario.app, bench, list(scenario)).await;
    }
    // Until the client knows of its connection, a slow call is answered from the cache, and the window asks again.
    for _ in 0..MAX_CACHED_ANSWERS {
        if !matches!(&answer, Ok(page) if page.offline) {
            break;
        }
        answer = drive(&scenario.app, bench, list(scenario)).await;
    }
    let ended = matches!(
        &answer,
        Err(CommandError::SessionEnded { .. } | CommandError::NotSignedIn)
    );
    // The exchange may have been on its way when the command returned.
    if ended && (may_end || successor(bench, scenario, &mut BTreeSet::new()) != Successor::Stored) {
        bench.sign_in(&scenario.app).await;
        let binding = scenario.app.switch_organization(HOME).await;
        scenario.bind(binding);
        answer = drive(&scenario.app, bench, list(scenario)).await;
    }
    match answer {
        Ok(page) if page.offline => vec![(Invariant::Recovery, "cached".to_owned())],
        Ok(_) => Vec::new(),
        Err(error) => vec![(Invariant::Recovery, kind(&error))],
    }
}

/// What was typed is stored once, or there is a draft that can be sent.
async fn check_draft(bench: &Bench, scenario: &Scenario) -> Vec<Violation> {
    let Some(typed) = &scenario.draft else {
        return Vec::new();
    };
    let failed = |what: String| vec![(Invariant::Draft, what)];
    let creates = typed.changes.is_none();
    scenario.wait_for_outbox(bench).await;
    if is_queued(&scenario.draft_outcome().await) {
        return failed("the draft waits although there is a connection".to_owned());
    }
    let desktop = &scenario.app.desktop;
    let opened = desktop
        .open_draft(&scenario.app.window, scenario.binding(), typed.key.clone())
        .await;
    match opened {
        Ok(Draft { content, .. }) if content != typed.content => {
            return failed("the draft has another content".to_owned());
        }
        Ok(_) => {
            let again = async {
                match creates {
                    true => scenario.create(&typed.key).await,
                    false => scenario.update(&typed.key).await,
                }
            };
            if let Err(error) = drive(&scenario.app, bench, again).await {
                return failed(format!("the draft cannot be sent: {}", kind(&error)));
            }
        }
        Err(CommandError::DraftNotFound) => {}
        Err(error) => return failed(format!("the draft cannot be opened: {}", kind(&error))),
    }
    match drive(&scenario.app, bench, scenario.read(&typed.key)).await {
        Ok(stored) if same_content(&stored.content, &typed.content) => {}
        Ok(_) => {
            return failed("the service has another content, and there is no draft".to_owned());
        }
        Err(error) => {
            return failed(format!(
                "there is neither draft nor document: {}",
                kind(&error)
            ));
        }
    }
    let expected = scenario.documents + u32::from(creates && !scenario.existed_before());
    let stored = scenario.count().await;
    if stored == expected {
        Vec::new()
    } else {
        failed(format!("{stored} documents are stored, not {expected}"))
    }
}

/// Equal but for what the service writes in its own way.
fn same_content(stored: &InvoiceContent, typed: &InvoiceContent) -> bool {
    let comparable = |content: &InvoiceContent| {
        (
            content.buyer.clone(),
            content.note.clone(),
            content.lines.len(),
            content.lines.first().map(|line| line.description.clone()),
            content.correction.clone(),
            content.issue_date.clone(),
        )
    };
    comparable(stored) == comparable(typed)
}

/// The tokens of the keyring.
fn tokens(scenario: &Scenario) -> BTreeSet<String> {
    let entries = scenario.app.vault.secrets();
    entries
        .iter()
        .filter_map(|entry| serde_json::from_str::<serde_json::Value>(entry).ok())
        .filter_map(|entry| entry["refresh_token"].as_str().map(str::to_owned))
        .collect()
}

fn check_secrets(
    scenario: &Scenario,
    secrets: &BTreeSet<String>,
    shown: &str,
    log: &Log,
    begin: usize,
) -> Vec<Violation> {
    let log = log.text_from(begin);
    let stored = session_files::text(scenario.app.folder.path());
    let mut found = Vec::new();
    for secret in secrets.iter().filter(|secret| secret.len() > 16) {
        for (place, text) in [
            ("log", log.as_str()),
            ("snapshot", shown),
            ("file", &stored),
        ] {
            if text.contains(secret.as_str()) {
                found.push((Invariant::Secret, format!("a token is in a {place}")));
            }
        }
    }
    found
}
