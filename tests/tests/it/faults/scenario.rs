//! The flows: what is prepared before a call, without any fault.

use std::sync::atomic::{AtomicU32, Ordering};
use std::time::Duration;

use end_to_end::fault_proxy::{Fault, Lasting};
use invoicing_client::views::{
    CommandError, ConcurrencyStamp, Correction, DocumentKey, Draft, DraftState, InvoiceContent,
    InvoiceKind, InvoiceView, Revision, WindowBinding,
};

use super::bench::Bench;
use super::call::{CREATE, Call, DOCUMENTS};
use super::cell::Cell;
use super::drive::drive_retries;
use crate::fixtures::{HOME, TestApp, content, page};

/// How long the outbox may take, in real time.
const OUTBOX_LIMIT: Duration = Duration::from_secs(10);

/// The content of a valid invoice with a total of its own: cells share an organization, and the outbox repeats no document by itself.
fn unique_content() -> InvoiceContent {
    static QUANTITY: AtomicU32 = AtomicU32::new(1);
    let mut content = content();
    content.lines[0].quantity = QUANTITY.fetch_add(1, Ordering::Relaxed).to_string();
    content
}

/// A prepared client.
pub(crate) struct Scenario {
    pub(crate) app: TestApp,
    pub(crate) cell: Cell,
    /// What the person typed that the service does not have yet.
    pub(crate) draft: Option<Draft>,
    /// The number of documents in the organization before the call.
    pub(crate) documents: u32,
    /// The document of the call, with its stamp.
    pub(super) document: Option<InvoiceView>,
    binding: Option<WindowBinding>,
    /// The callback address of the sign-in page.
    pub(super) callback: String,
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
        if matches!(cell.call, Call::SignInExchange | Call::SignInKeys) {
            scenario.app.start_sign_in("local").await;
            scenario.callback = bench.callback(&scenario.app).await;
        } else if cell.call != Call::SignInDiscovery {
            bench.sign_in(&scenario.app).await;
            let binding = scenario.app.switch_organization(HOME).await;
            scenario.binding = Some(binding);
            Box::pin(scenario.prepare_documents(bench)).await;
            scenario.documents = scenario.count().await;
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
                self.draft = Some(self.new_draft(unique_content()).await);
            }
            Call::CheckOutcome => {
                let draft = self.new_draft(unique_content()).await;
                let gateway = &bench.service.gateway;
                gateway.fault(CREATE, Fault::DropResponse);
                let read = format!("GET {DOCUMENTS}/{}", draft.key);
                gateway.plan(&read, Fault::DropRequest, Lasting::UntilCleared);
                let unknown = self.create(&draft.key).await;
                assert!(
                    matches!(unknown, Err(CommandError::UnknownOutcome { .. })),
                    "{unknown:?}"
                );
                gateway.clear_faults();
                self.draft = Some(draft);
            }
            Call::Get | Call::Issue => {
                self.document = Some(self.new_document(unique_content()).await);
            }
            Call::Freeze | Call::FreezeInDoubt => {
                let created = self.new_document(unique_content()).await;
                self.document = Some(self.issue(&created).await);
            }
            Call::ReadBeforeUpdate => {
                let created = self.new_document(unique_content()).await;
                self.edit(created).await;
            }
            Call::Update | Call::UpdateInDoubt => {
                let unique = unique_content();
                let created = self.new_document(unique.clone()).await;
                let mut changed = unique;
                changed.note = "first change".to_owned();
                let updated = self
                    .app
                    .update_invoice(&self.binding(), &created, changed)
                    .await;
                self.edit(updated.expect("updated")).await;
            }
            Call::CreateDocument => {
                let unique = unique_content();
                let created = self.new_document(unique.clone()).await;
                let issued = self.issue(&created).await;
                let note = InvoiceContent {
                    kind: InvoiceKind::CreditNote,
                    correction: Some(Correction {
                        key: issued.row.key.clone(),
                        number: issued.row.number.clone(),
                        issue_date: issued.row.issue_date.clone(),
                        reason: "a mistake".to_owned(),
                    }),
                    ..unique
                };
                self.draft = Some(self.new_draft(note).await);
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

    /// The key that the path of the call may contain.
    pub(super) fn key(&self) -> String {
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

    pub(super) fn draft_key(&self) -> DocumentKey {
        self.draft.as_ref().expect("a draft").key.clone()
    }

    pub(super) fn document_key(&self) -> DocumentKey {
        self.document.as_ref().expect("a document").row.key.clone()
    }

    pub(super) fn document_stamp(&self) -> (DocumentKey, ConcurrencyStamp) {
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

    async fn new_draft(&self, content: InvoiceContent) -> Draft {
        let draft = self
            .app
            .desktop
            .new_draft(&self.app.window, self.binding(), Some(content))
            .await;
        draft.expect("a draft")
    }

    async fn new_document(&self, content: InvoiceContent) -> InvoiceView {
        let key = crate::fixtures::new_key();
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

    /// Waits until the outbox, which the end of the fault has woken up, has sent the draft, if it waits there.
    pub(crate) async fn wait_for_outbox(&self, bench: &Bench) {
        let sent = async {
            let mut seen = 0;
            while is_queued(&self.draft_outcome().await) {
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

/// Whether the state of a draft is one of the outbox, which sends it without a person.
pub(crate) fn is_queued(state: &str) -> bool {
    ["waiting", "waitingInDoubt"].contains(&state)
}

/// The kind of an error, as the UI's table of errors knows it.
pub(crate) fn kind(error: &CommandError) -> String {
    let error = serde_json::to_value(error).expect("JSON");
    error["kind"].as_str().unwrap_or_default().to_owned()
}
