//! The flows: what is prepared before a call, what makes the client call, and what came of it.

use std::time::Duration;

use end_to_end::fault_proxy::{ConnectionFault, Fault, Lasting};
use invoicing_client::clock::Clock as _;
use invoicing_client::views::{
    CommandError, ConcurrencyStamp, Connectivity, Correction, DocumentKey, Draft, DraftState,
    InvoiceContent, InvoiceKind, InvoiceView, Revision, SessionView, WindowBinding,
};

use super::bench::Bench;
use super::call::{CREATE, Call, DOCUMENTS, FREEZE, GET, LIST};
use super::cell::Cell;
use super::drive::{OUTBOX, drive, drive_retries};
use crate::client::session::{LIFETIME, connectivity, session_after_start};
use crate::fixtures::{HOME, TestApp, content, page};

/// The first delay of the probe of an offline session, and the one after it.
const PROBES: [Duration; 2] = [Duration::from_secs(2), Duration::from_secs(5)];

/// How long the outbox may take, in real time.
const OUTBOX_LIMIT: Duration = Duration::from_secs(10);

/// A prepared client.
pub(crate) struct Scenario {
    pub(crate) app: TestApp,
    pub(crate) cell: Cell,
    /// What the person typed that the service does not have yet.
    pub(crate) draft: Option<Draft>,
    /// The number of documents in the organization before the call.
    pub(crate) documents: u32,
    /// The document of the call, with its stamp.
    document: Option<InvoiceView>,
    binding: Option<WindowBinding>,
    callback: String,
}

impl Scenario {
    /// Prepares the client, without any fault.
    pub(crate) async fn prepare(bench: &mut Bench, cell: Cell) -> Self {
        let app = bench.client().await;
        let mut scenario = Self {
            app,
            cell,
            draft: None,
            documents: 0,
            document: None,
            binding: None,
            callback: String::new(),
        };
        match cell.call {
            Call::SignInDiscovery => {}
            Call::SignInExchange | Call::SignInKeys => {
                scenario.app.start_sign_in("local").await;
                scenario.callback = bench.callback(&scenario.app).await;
            }
            _ => {
                bench.sign_in(&scenario.app).await;
                let binding = scenario.app.switch_organization(HOME).await;
                scenario.binding = Some(binding);
                scenario.prepare_documents(bench).await;
                scenario.documents = scenario.count().await;
            }
        }
        scenario
    }

    async fn prepare_documents(&mut self, bench: &Bench) {
        match self.cell.call {
            Call::RefreshBeforeWrite
            | Call::Create
            | Call::CreateInDoubt
            | Call::Outbox
            | Call::OutboxInDoubt => {
                self.draft = Some(self.app.new_draft(&self.binding()).await);
            }
            Call::CheckOutcome => {
                let draft = self.app.new_draft(&self.binding()).await;
                let gateway = &bench.service.gateway;
                gateway.fault(CREATE, Fault::DropResponse);
                gateway.plan(GET, Fault::DropRequest, Lasting::UntilCleared);
                let unknown = self.create(&draft.key).await;
                assert!(
                    matches!(unknown, Err(CommandError::UnknownOutcome { .. })),
                    "{unknown:?}"
                );
                gateway.clear_faults();
                self.draft = Some(draft);
            }
            Call::Get | Call::Issue => {
                self.document = Some(self.new_document(content()).await);
            }
            Call::Freeze | Call::FreezeInDoubt => {
                let created = self.new_document(content()).await;
                self.document = Some(self.issue(&created).await);
            }
            Call::ReadBeforeUpdate => {
                let created = self.new_document(content()).await;
                self.edit(created).await;
            }
            Call::Update | Call::UpdateInDoubt => {
                let created = self.new_document(content()).await;
                let mut changed = content();
                changed.note = "first change".to_owned();
                let updated = self
                    .app
                    .update_invoice(&self.binding(), &created, changed)
                    .await;
                self.edit(updated.expect("updated")).await;
            }
            Call::CreateDocument | Call::GetDocument => {
                let created = self.new_document(content()).await;
                let issued = self.issue(&created).await;
                let note = InvoiceContent {
                    kind: InvoiceKind::CreditNote,
                    correction: Some(Correction {
                        key: issued.row.key.clone(),
                        number: issued.row.number.clone(),
                        issue_date: issued.row.issue_date.clone(),
                        reason: "a mistake".to_owned(),
                    }),
                    ..content()
                };
                if self.cell.call == Call::GetDocument {
                    self.document = Some(self.new_document(note).await);
                } else {
                    let draft = self
                        .app
                        .desktop
                        .new_draft(&self.app.window, self.binding(), Some(note))
                        .await;
                    self.draft = Some(draft.expect("a draft"));
                }
            }
            Call::SignInDiscovery
            | Call::SignInExchange
            | Call::SignInKeys
            | Call::RestoreDiscovery
            | Call::RestoreRefresh
            | Call::RefreshBeforeRead
            | Call::RefreshAfterRejection
            | Call::Probe
            | Call::OrganizationsDiscovery
            | Call::OrganizationsExchange
            | Call::OrganizationsKeys
            | Call::Revoke
            | Call::EndSession
            | Call::List
            | Call::ListAfterSwitch => {}
        }
    }

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
                let binding = self.app.switch_organization("274893002").await;
                self.binding = Some(binding);
                self.list(bench).await
            }
            Call::Get | Call::GetDocument => {
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

    /// The key that the path of the call may contain.
    fn key(&self) -> String {
        let document = self.document.as_ref().map(|document| &document.row.key);
        let draft = self.draft.as_ref().map(|draft| &draft.key);
        document
            .or(draft)
            .map_or_else(String::new, |key| key.as_str().to_owned())
    }

    pub(crate) fn binding(&self) -> WindowBinding {
        self.binding.clone().expect("the window is bound")
    }

    /// Whether the document of the draft was created while the client was prepared.
    pub(crate) fn existed_before(&self) -> bool {
        self.cell.call == Call::CheckOutcome
    }

    pub(crate) fn is_bound(&self) -> bool {
        self.binding.is_some()
    }

    pub(crate) fn bind(&mut self, binding: WindowBinding) {
        self.binding = Some(binding);
    }

    fn draft_key(&self) -> DocumentKey {
        self.draft.as_ref().expect("a draft").key.clone()
    }

    fn document_key(&self) -> DocumentKey {
        self.document.as_ref().expect("a document").row.key.clone()
    }

    fn document_stamp(&self) -> (DocumentKey, ConcurrencyStamp) {
        let row = &self.document.as_ref().expect("a document").row;
        (row.key.clone(), row.stamp.clone())
    }

    /// The number of documents in the home organization.
    pub(crate) async fn count(&self) -> u32 {
        let page = self
            .app
            .desktop
            .list_invoices(&self.app.window, self.binding(), page())
            .await;
        page.expect("a page").total
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

    pub(crate) async fn read(&self, key: &DocumentKey) -> Result<InvoiceView, CommandError> {
        self.app
            .desktop
            .get_invoice(&self.app.window, self.binding(), key.clone())
            .await
    }

    pub(crate) async fn create(&self, key: &DocumentKey) -> Result<InvoiceView, CommandError> {
        self.app
            .desktop
            .create_document(&self.app.window, self.binding(), key.clone())
            .await
    }

    pub(crate) async fn update(&self, key: &DocumentKey) -> Result<InvoiceView, CommandError> {
        self.app
            .desktop
            .update_document(&self.app.window, self.binding(), key.clone())
            .await
    }

    async fn new_document(&self, content: InvoiceContent) -> InvoiceView {
        let key = uuid::Uuid::now_v7().to_string().into();
        let created = self.app.create_invoice(&self.binding(), key, content).await;
        created.expect("created")
    }

    async fn issue(&self, created: &InvoiceView) -> InvoiceView {
        let (key, stamp) = (created.row.key.clone(), created.row.stamp.clone());
        let issued = self
            .app
            .desktop
            .issue_document(&self.app.window, self.binding(), key, stamp)
            .await;
        issued.expect("issued")
    }

    /// Saves a draft that changes a document.
    async fn edit(&mut self, document: InvoiceView) {
        let draft = Draft {
            key: document.row.key.clone(),
            changes: Some(Revision {
                stamp: document.row.stamp.clone(),
                content: document.content.clone(),
            }),
            content: InvoiceContent {
                note: "second change".to_owned(),
                ..document.content.clone()
            },
            state: DraftState::Editing,
        };
        self.app
            .desktop
            .save_draft(&self.app.window, self.binding(), draft.clone())
            .await
            .expect("saved");
        self.document = Some(document);
        self.draft = Some(draft);
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
        self.app.desktop.callback(&callback);
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
        self.draft_outcome().await
    }

    /// Waits until the outbox, which the end of the fault has woken up, has sent the draft, if it waits there.
    pub(crate) async fn wait_for_outbox(&self, bench: &Bench) {
        let sent = async {
            let mut seen = 0;
            while self.draft_outcome().await == "waiting" {
                let next = self.app.desktop.watch(&self.app.window, seen).await;
                seen = next.expect("it answers").revision;
            }
        };
        // A draft that is not sent although the session is online stays as it is, and is judged so.
        let _ = tokio::time::timeout(
            OUTBOX_LIMIT,
            drive_retries(&self.app, bench, sent, |_| true),
        )
        .await;
    }

    /// The state of the draft, or `sent` if there is none.
    pub(crate) async fn draft_outcome(&self) -> String {
        let drafts = self
            .app
            .desktop
            .drafts(&self.app.window, self.binding())
            .await
            .expect("a list");
        let key = self.draft_key();
        match drafts.iter().find(|draft| draft.key == key) {
            None => "sent".to_owned(),
            Some(draft) => {
                let state = serde_json::to_value(draft.state).expect("JSON");
                state.as_str().unwrap_or_default().to_owned()
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

/// The kind of an error, as the UI's table of errors knows it.
pub(crate) fn kind(error: &CommandError) -> String {
    let error = serde_json::to_value(error).expect("JSON");
    error["kind"].as_str().unwrap_or_default().to_owned()
}
