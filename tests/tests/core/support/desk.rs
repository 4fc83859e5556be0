//! The core with a host that remembers what it was asked, a keyring in memory, and a clock that the test moves.

use std::sync::{Arc, Mutex, MutexGuard};
use std::time::Duration;

use invoicing_client::clock::{Clock, FakeClock};
use invoicing_client::vault::MemoryVault;
use invoicing_client::views::{
    CommandError, DocumentKey, Draft, DraftState, InvoiceContent, InvoiceView, Revision,
    SessionView, Snapshot, WindowBinding,
};
use invoicing_client::{
    BrowserNotOpened, Desktop, Folders, Host, LocalEnvironment, Setup, SystemRng, Vault, WindowKey,
};
use tempfile::TempDir;
use url::Url;

use super::{Browser, Embedded, Service, now};

/// A computer with the application on it.
pub(crate) struct Desk {
    pub(crate) desktop: Arc<Desktop>,
    pub(crate) screen: Arc<Screen>,
    pub(crate) vault: Arc<MemoryVault>,
    pub(crate) clock: Arc<FakeClock>,
    pub(crate) window: WindowKey,
    pub(crate) folder: Arc<TempDir>,
    local: Arc<dyn LocalEnvironment>,
}

/// What the core asked of its host.
#[derive(Default)]
pub(crate) struct Screen {
    state: Mutex<ScreenState>,
}

#[derive(Default)]
struct ScreenState {
    opened: Vec<Url>,
    no_scheme: bool,
    no_browser: bool,
}

impl Host for Screen {
    fn open_browser(&self, address: &Url) -> Result<(), BrowserNotOpened> {
        let mut state = self.state();
        if state.no_browser {
            return Err(BrowserNotOpened);
        }
        state.opened.push(address.clone());
        Ok(())
    }

    fn scheme_registered(&self) -> bool {
        !self.state().no_scheme
    }

    fn bring_to_front(&self) {}
}

impl Screen {
    fn state(&self) -> MutexGuard<'_, ScreenState> {
        self.state.lock().expect("not poisoned")
    }

    /// The address that was opened last.
    pub(crate) fn opened(&self) -> Url {
        self.state()
            .opened
            .last()
            .cloned()
            .expect("a browser was opened")
    }

    pub(crate) fn times_opened(&self) -> usize {
        self.state().opened.len()
    }

    pub(crate) fn forget_scheme(&self) {
        self.state().no_scheme = true;
    }

    pub(crate) fn lose_browser(&self) {
        self.state().no_browser = true;
    }
}

impl Desk {
    /// A desk that nobody has signed in at.
    pub(crate) async fn new(service: &Service) -> Self {
        Self::at(service, now()).await
    }

    /// The same with a clock of its own.
    pub(crate) async fn at(service: &Service, wall: jiff::Timestamp) -> Self {
        let desk = Self::start(
            Arc::new(Embedded(service.ready.clone())),
            Arc::default(),
            Arc::new(FakeClock::new(wall)),
            Arc::new(tempfile::tempdir().expect("a folder")),
        );
        desk.until(|snapshot| matches!(snapshot.session, SessionView::SignedOut { .. }))
            .await;
        desk
    }

    /// The same computer after the application was started again; the old one is simply gone, as after a kill.
    pub(crate) fn restarted(&self) -> Self {
        let clock = Arc::new(FakeClock::new(self.clock.now()));
        Self::start(
            Arc::clone(&self.local),
            Arc::clone(&self.vault),
            clock,
            Arc::clone(&self.folder),
        )
    }

    fn start(
        local: Arc<dyn LocalEnvironment>,
        vault: Arc<MemoryVault>,
        clock: Arc<FakeClock>,
        folder: Arc<TempDir>,
    ) -> Self {
        let screen = Arc::new(Screen::default());
        let desktop = Desktop::start(Setup {
            host: Arc::clone(&screen) as Arc<dyn Host>,
            local: Some(Arc::clone(&local)),
            vault: Arc::clone(&vault) as Arc<dyn Vault>,
            folders: Folders {
                config: folder.path().join("config"),
                data: folder.path().join("data"),
            },
            clock: Arc::clone(&clock) as Arc<dyn Clock>,
            rng: Arc::new(SystemRng),
        });
        let window = WindowKey::from("main");
        desktop.open_window(&window);
        Self {
            desktop,
            screen,
            vault,
            clock,
            window,
            folder,
            local,
        }
    }

    /// A desk with somebody signed in and working in an organization.
    pub(crate) async fn signed_in(
        service: &Service,
        username: &str,
        organization: &str,
    ) -> (Self, WindowBinding) {
        let desk = Self::new(service).await;
        desk.sign_in(service, username, &mut Browser::new()).await;
        let binding = desk
            .desktop
            .switch_organization(&desk.window, organization.into())
            .await
            .expect("it is granted");
        (desk, binding)
    }

    /// Signs in through the browser and the deep link.
    pub(crate) async fn sign_in(&self, service: &Service, username: &str, browser: &mut Browser) {
        self.desktop
            .start_sign_in(&self.window, "local".to_owned())
            .await
            .expect("the attempt begins");
        let callback = browser
            .sign_in(&self.screen.opened(), username, &service.password(username))
            .await;
        self.desktop.callback(&callback);
        self.until(|snapshot| matches!(snapshot.session, SessionView::SignedIn { .. }))
            .await;
    }

    /// Writes a new invoice and saves it to the organization's books.
    pub(crate) async fn save(
        &self,
        binding: &WindowBinding,
        key: DocumentKey,
        content: InvoiceContent,
    ) -> Result<InvoiceView, CommandError> {
        let draft = Draft {
            key,
            changes: None,
            content,
            state: DraftState::Editing,
        };
        self.send(binding, draft).await
    }

    /// Changes the content of a document that was read.
    pub(crate) async fn change(
        &self,
        binding: &WindowBinding,
        read: &InvoiceView,
        content: InvoiceContent,
    ) -> Result<InvoiceView, CommandError> {
        let draft = Draft {
            key: read.row.key.clone(),
            changes: Some(Revision {
                stamp: read.row.stamp.clone(),
                content: read.content.clone(),
            }),
            content,
            state: DraftState::Editing,
        };
        self.send(binding, draft).await
    }

    /// Keeps a draft and sends it, as the form does.
    pub(crate) async fn send(
        &self,
        binding: &WindowBinding,
        draft: Draft,
    ) -> Result<InvoiceView, CommandError> {
        let (key, changes) = (draft.key.clone(), draft.changes.is_some());
        self.desktop
            .save_draft(&self.window, binding.clone(), draft)
            .await?;
        if changes {
            self.desktop
                .update_document(&self.window, binding.clone(), key)
                .await
        } else {
            self.desktop
                .create_document(&self.window, binding.clone(), key)
                .await
        }
    }

    /// The binding of the window, once the core has bound it.
    pub(crate) async fn binding(&self) -> WindowBinding {
        self.until(|snapshot| snapshot.binding.is_some())
            .await
            .binding
            .expect("the snapshot has a binding")
    }

    /// The snapshot as it is.
    pub(crate) async fn snapshot(&self) -> Snapshot {
        self.desktop
            .watch(&self.window, 0)
            .await
            .expect("it answers")
    }

    /// Waits for a snapshot that fits.
    pub(crate) async fn until(&self, fits: impl Fn(&Snapshot) -> bool + Sync) -> Snapshot {
        let mut after = 0;
        let waiting = async {
            loop {
                let snapshot = self
                    .desktop
                    .watch(&self.window, after)
                    .await
                    .expect("it answers");
                if fits(&snapshot) {
                    return snapshot;
                }
                after = snapshot.revision;
            }
        };
        match tokio::time::timeout(Duration::from_secs(20), waiting).await {
            Ok(snapshot) => snapshot,
            Err(_) => panic!("it never came to that: {:?}", self.snapshot().await),
        }
    }

    /// Runs a call that waits to be tried again, moving the clock over each wait, and gives its end and the waits.
    pub(crate) async fn over_waits<T>(&self, call: impl Future<Output = T>) -> (T, Vec<Duration>) {
        let mut call = std::pin::pin!(call);
        let mut waits = Vec::new();
        loop {
            let mut seen = 0;
            let waiting = async {
                loop {
                    let snapshot = self
                        .desktop
                        .watch(&self.window, seen)
                        .await
                        .expect("it answers");
                    if let Some(wait) = snapshot.pending_retries.first() {
                        return wait.clone();
                    }
                    seen = snapshot.revision;
                }
            };
            let wait = tokio::select! {
                done = &mut call => return (done, waits),
                wait = waiting => wait,
            };
            let until: jiff::Timestamp = wait.until.parse().expect("a time");
            let left = until.duration_since(self.clock.now()).unsigned_abs();
            waits.push(left);
            // The sleeper registers just after the wait is shown.
            let due = left + Duration::from_millis(1);
            tokio::select! {
                done = &mut call => return (done, waits),
                _ = self.clock.sleep_matching(|sleep| sleep <= due) => {}
            }
            self.clock.advance(due);
            // Shown no more: the next one is another.
            let gone = async {
                let mut seen = 0;
                loop {
                    let snapshot = self
                        .desktop
                        .watch(&self.window, seen)
                        .await
                        .expect("it answers");
                    if snapshot
                        .pending_retries
                        .iter()
                        .all(|other| other.id != wait.id)
                    {
                        return;
                    }
                    seen = snapshot.revision;
                }
            };
            tokio::select! {
                done = &mut call => return (done, waits),
                () = gone => {}
            }
        }
    }
}
