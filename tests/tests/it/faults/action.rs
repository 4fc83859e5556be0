//! The flows: what makes the client call, with the fault, and what came of it.

use std::time::Duration;

use end_to_end::fault_proxy::{ConnectionFault, Fault, Lasting};
use invoicing_client::clock::Clock as _;
use invoicing_client::views::{CommandError, Connectivity, SessionView};

use super::bench::Bench;
use super::call::{CREATE, Call, DOCUMENTS, FREEZE, LIST};
use super::drive::{OUTBOX, drive, drive_retries};
use super::foreign::SWITCHED_ORGANIZATION;
use super::scenario::{Scenario, kind};
use crate::client::session::{LIFETIME, connectivity, session_after_start};
use crate::fixtures::page;

/// The first delay of the probe of an offline session, and the one after it.
const PROBES: [Duration; 2] = [Duration::from_secs(2), Duration::from_secs(5)];

impl Scenario {
    /// Makes the client call, with the fault. Returns the outcome, as the oracle names it.
    pub(crate) async fn act(&mut self, bench: &mut Bench) -> String {
        let key = self.key();
        let gateway = &bench.service.gateway;
        match self.cell.call {
            Call::SignInDiscovery => {
                bench.begin(self.cell, &key).await;
                let start = self
                    .app
                    .desktop
                    .start_sign_in(&self.app.window, "local".to_owned());
                outcome(drive(&self.app, bench, start).await)
            }
            Call::SignInExchange | Call::SignInKeys => {
                bench.begin(self.cell, &key).await;
                let finish = self
                    .app
                    .desktop
                    .paste_callback(&self.app.window, self.callback.clone());
                outcome(drive(&self.app, bench, finish).await)
            }
            Call::RestoreDiscovery | Call::RestoreRefresh => {
                bench.begin(self.cell, &key).await;
                self.app = self.app.restart();
                drive(&self.app, bench, session_after_start(&self.app)).await;
                self.session_outcome().await
            }
            Call::RefreshBeforeRead => {
                bench.begin(self.cell, &key).await;
                self.expire_access_token();
                self.list(bench).await
            }
            Call::RefreshBeforeWrite => {
                bench.begin(self.cell, &key).await;
                self.expire_access_token();
                outcome(drive(&self.app, bench, self.create(&self.draft_key())).await)
            }
            Call::RefreshAfterRejection => {
                gateway.fault(LIST, Fault::status(401, 16, "X"));
                bench.begin(self.cell, &key).await;
                self.list(bench).await
            }
            Call::Probe => {
                self.go_offline(bench).await;
                bench.begin(self.cell, &key).await;
                self.probe(bench).await;
                self.session_outcome().await
            }
            Call::OrganizationsDiscovery
            | Call::OrganizationsExchange
            | Call::OrganizationsKeys => self.refresh_organizations(bench).await,
            Call::Revoke | Call::EndSession => {
                bench.begin(self.cell, &key).await;
                let sign_out = self.app.desktop.sign_out(&self.app.window);
                outcome(drive(&self.app, bench, sign_out).await)
            }
            Call::List => {
                bench.begin(self.cell, &key).await;
                self.list(bench).await
            }
            Call::ListAfterSwitch => {
                bench.begin(self.cell, &key).await;
                let binding = self.app.switch_organization(SWITCHED_ORGANIZATION).await;
                self.bind(binding);
                self.list(bench).await
            }
            Call::Get => {
                bench.begin(self.cell, &key).await;
                match drive(&self.app, bench, self.read(&self.document_key())).await {
                    Ok(view) if view.offline_as_of.is_some() => "cached".to_owned(),
                    other => outcome(other),
                }
            }
            Call::Create | Call::CreateDocument => {
                bench.begin(self.cell, &key).await;
                outcome(drive(&self.app, bench, self.create(&self.draft_key())).await)
            }
            Call::CreateInDoubt => {
                gateway.fault(CREATE, Fault::DropResponse);
                bench.begin(self.cell, &key).await;
                outcome(drive(&self.app, bench, self.create(&self.draft_key())).await)
            }
            Call::Update | Call::ReadBeforeUpdate => {
                bench.begin(self.cell, &key).await;
                outcome(drive(&self.app, bench, self.update(&self.draft_key())).await)
            }
            Call::UpdateInDoubt => {
                gateway.fault(&format!("PATCH {DOCUMENTS}/{key}"), Fault::DropResponse);
                bench.begin(self.cell, &key).await;
                outcome(drive(&self.app, bench, self.update(&self.draft_key())).await)
            }
            Call::Issue => {
                bench.begin(self.cell, &key).await;
                let (key, stamp) = self.document_stamp();
                let issue =
                    self.app
                        .desktop
                        .issue_document(&self.app.window, self.binding(), key, stamp);
                outcome(drive(&self.app, bench, issue).await)
            }
            Call::Freeze | Call::FreezeInDoubt => {
                if self.cell.call == Call::FreezeInDoubt {
                    gateway.fault(FREEZE, Fault::DropResponse);
                }
                bench.begin(self.cell, &key).await;
                let (key, stamp) = self.document_stamp();
                let freeze =
                    self.app
                        .desktop
                        .freeze_document(&self.app.window, self.binding(), key, stamp);
                outcome(drive(&self.app, bench, freeze).await)
            }
            Call::Outbox | Call::OutboxInDoubt => {
                self.go_offline(bench).await;
                if self.cell.call == Call::OutboxInDoubt {
                    gateway.fault(CREATE, Fault::DropResponse);
                }
                bench.begin(self.cell, &key).await;
                self.deliver(bench).await
            }
            Call::CheckOutcome => {
                bench.begin(self.cell, &key).await;
                let check = self.app.desktop.check_outcome(
                    &self.app.window,
                    self.binding(),
                    self.draft_key(),
                );
                outcome(drive(&self.app, bench, check).await)
            }
        }
    }

    async fn list(&self, bench: &Bench) -> String {
        let list = self
            .app
            .desktop
            .list_invoices(&self.app.window, self.binding(), page());
        match drive(&self.app, bench, list).await {
            Ok(page) if page.offline => "cached".to_owned(),
            other => outcome(other),
        }
    }

    /// Brings the session offline; a draft that is sent meanwhile waits in the outbox.
    async fn go_offline(&self, bench: &Bench) {
        for proxy in [&bench.service.identity, &bench.service.gateway] {
            proxy
                .plan_connection(ConnectionFault::Refused, Lasting::UntilCleared)
                .await;
        }
        match &self.draft {
            Some(draft) => assert!(self.create(&draft.key).await.is_err(), "it was sent"),
            None => assert_eq!(self.list(bench).await, "cached"),
        }
        assert_eq!(self.session_outcome().await, "offline");
        bench.recover().await;
    }

    /// Only the wall clock moves, so that nothing in the background wakes up and meets the fault instead.
    fn expire_access_token(&self) {
        let clock = &self.app.clock;
        clock.set_wall_clock(clock.now() + LIFETIME);
    }

    /// Lets the next probe of the offline session run.
    async fn probe(&self, bench: &Bench) {
        let clock = &self.app.clock;
        clock.sleep_matching(|left| left <= PROBES[0]).await;
        clock.advance(PROBES[0]);
        let over = clock.sleep_matching(|left| left > PROBES[0] && left <= PROBES[1]);
        drive(&self.app, bench, over).await;
    }

    async fn session_outcome(&self) -> String {
        let session = self.app.snapshot().await.session;
        match (connectivity(&session), session) {
            (Some(Connectivity::Online), _) => "online".to_owned(),
            (Some(Connectivity::Offline { .. }), _) => "offline".to_owned(),
            (Some(Connectivity::Ended), _) => "ended".to_owned(),
            (None, SessionView::SignedOut { error, .. }) => {
                format!(
                    "signed out {}",
                    error.as_ref().map_or_else(String::new, kind)
                )
            }
            (None, other) => format!("{other:?}"),
        }
    }

    async fn refresh_organizations(&self, bench: &mut Bench) -> String {
        let opened = self.app.host.open_count();
        if self.cell.call == Call::OrganizationsDiscovery {
            bench.begin(self.cell, "").await;
        }
        let refresh = self.app.desktop.refresh_organizations(&self.app.window);
        let mut refresh = std::pin::pin!(refresh);
        // The browser is opened unless the command fails before.
        let browser_opened = async {
            while self.app.host.open_count() == opened {
                tokio::task::yield_now().await;
            }
        };
        let early = drive(&self.app, bench, async {
            tokio::select! {
                done = &mut refresh => Some(done),
                () = browser_opened => None,
            }
        });
        if let Some(done) = early.await {
            return outcome(done);
        }
        let callback = bench.browser.cancel(&self.app.host.opened_address()).await;
        if self.cell.call != Call::OrganizationsDiscovery {
            bench.begin(self.cell, "").await;
        }
        self.app.desktop.follow(&callback);
        outcome(drive(&self.app, bench, refresh).await)
    }

    /// Lets the session come online and the outbox run, until the draft is sent or stays.
    async fn deliver(&self, bench: &Bench) -> String {
        self.probe(bench).await;
        let lasting = self.cell.lasting == Lasting::UntilCleared;
        let run = self.app.wait_until(|snapshot| {
            let postponed = snapshot
                .pending_retries
                .iter()
                .any(|retry| retry.command == OUTBOX);
            let offline = matches!(
                connectivity(&snapshot.session),
                Some(Connectivity::Offline { .. })
            );
            snapshot.deliveries > 0 || (lasting && postponed) || offline
        });
        drive_retries(&self.app, bench, run, |_| !lasting).await;
        // The session is told of a failure before the draft is.
        loop {
            match self.draft_outcome().await.as_str() {
                "sending" => tokio::task::yield_now().await,
                outcome => return outcome.to_owned(),
            }
        }
    }
}

fn outcome<T>(result: Result<T, CommandError>) -> String {
    match result {
        Ok(_) => "ok".to_owned(),
        Err(error) => kind(&error),
    }
}
