//! What waits for a window: a file goes to the one at the front, and nothing to one that is opened under the key of another.

use std::sync::{Mutex, PoisonError};

use jiff::Timestamp;
use tempfile::TempDir;
use url::Url;

use super::*;
use crate::clock::FakeClock;
use crate::links::MalformedLink;
use crate::vault::MemoryVault;
use crate::{BrowserNotOpened, SystemRng};

/// A program around the core that knows which window is at the front.
#[derive(Default)]
struct FrontHost {
    front: Mutex<Option<WindowKey>>,
    shown: Mutex<Vec<WindowKey>>,
}

impl Host for FrontHost {
    fn open_browser(&self, _address: &Url) -> Result<(), BrowserNotOpened> {
        Ok(())
    }

    fn scheme_registered(&self) -> bool {
        true
    }

    fn bring_to_front(&self) {}

    fn front_window(&self) -> Option<WindowKey> {
        let front = self.front.lock().unwrap_or_else(PoisonError::into_inner);
        front.clone()
    }

    fn show_window(&self, window: &WindowKey) {
        let mut shown = self.shown.lock().unwrap_or_else(PoisonError::into_inner);
        shown.push(window.clone());
    }
}

/// A core that nobody has signed in to.
struct Started {
    desktop: Arc<Desktop>,
    host: Arc<FrontHost>,
    folder: TempDir,
}

impl Started {
    fn new() -> Self {
        let host = Arc::new(FrontHost::default());
        let folder = tempfile::tempdir().expect("a folder");
        let desktop = Desktop::start(Setup {
            host: Arc::clone(&host) as Arc<dyn Host>,
            local: None,
            vault: Arc::new(MemoryVault::default()),
            folders: Folders {
                config: folder.path().join("config"),
                data: folder.path().join("data"),
            },
            network: Network::default(),
            clock: Arc::new(FakeClock::new(Timestamp::UNIX_EPOCH)),
            rng: Arc::new(SystemRng),
        });
        Self {
            desktop,
            host,
            folder,
        }
    }

    fn with_windows(windows: &[&WindowKey]) -> Self {
        let started = Self::new();
        for window in windows {
            started.desktop.open_window(window);
        }
        started
    }

    /// Opens a file of this name, as the system does.
    fn open_file(&self, name: &str) {
        let path = self.folder.path().join(name);
        std::fs::write(&path, "<a/>").expect("written");
        self.desktop.open_file(path);
    }

    /// How many files wait for a window, as it is told.
    async fn waiting(&self, window: &WindowKey) -> u32 {
        let snapshot = self.desktop.watch(window, 0).await;
        snapshot.expect("it answers").opened_files
    }

    /// The name of the next file of a window.
    async fn take(&self, window: &WindowKey) -> Option<String> {
        let taken = self.desktop.take_opened_file(window).await;
        taken.expect("read").map(|file| file.name)
    }
}

#[tokio::test]
async fn file_is_opened_by_the_window_at_the_front_and_by_no_other() {
    let [main, other] = ["main", "window-2"].map(WindowKey::from);
    let started = Started::with_windows(&[&main, &other]);
    *started.host.front.lock().expect("not poisoned") = Some(other.clone());
    started.open_file("a.xml");
    let shown = started.host.shown.lock().expect("not poisoned").clone();
    assert_eq!(shown, std::slice::from_ref(&other));
    assert_eq!(started.waiting(&main).await, 0);
    assert_eq!(started.waiting(&other).await, 1);
    assert_eq!(started.take(&main).await, None);
    assert_eq!(started.take(&other).await.as_deref(), Some("a.xml"));
    assert_eq!(started.waiting(&other).await, 0);
}

#[tokio::test]
async fn file_that_nobody_has_seen_goes_to_another_window() {
    let [main, other] = ["main", "window-2"].map(WindowKey::from);
    let started = Started::new();
    started.open_file("before.xml");
    started.desktop.open_window(&main);
    assert_eq!(started.waiting(&main).await, 1, "no window was open");
    started.desktop.open_window(&other);
    started.desktop.close_window(&main);
    assert_eq!(started.take(&other).await.as_deref(), Some("before.xml"));

    // The window that had the focus last is gone: any is brought to the front.
    *started.host.front.lock().expect("not poisoned") = Some(main);
    started.open_file("after.xml");
    assert_eq!(started.take(&other).await.as_deref(), Some("after.xml"));
}

#[tokio::test]
async fn link_that_was_left_to_a_closed_window_is_not_given_to_its_successor() {
    let [main, other] = ["main", "window-2"].map(WindowKey::from);
    let started = Started::with_windows(&[&main, &other]);
    let waits = async |window: &WindowKey| {
        let snapshot = started.desktop.watch(window, 0).await;
        snapshot.expect("it answers").link_waits
    };
    started.desktop.links.leave(&other, Err(MalformedLink));
    assert!(waits(&other).await);
    started.desktop.close_window(&other);
    started.desktop.open_window(&other);
    assert!(!waits(&other).await);
}
