//! The client core as a process of its own, which a test drives line by line, locks the keyring of, and kills.
//!
//! `client-process READY-FILE FOLDER VAULT [KILL-AT]`: VAULT is `system`, or the file of a keyring that is always unlocked.
//! KILL-AT counts the moments before and after each call to that keyring: at this one the process kills itself.
//! Each line of the input is a command; each answer is one line of JSON.

use std::collections::BTreeMap;
use std::io::{BufRead as _, Write as _};
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, PoisonError};

use end_to_end::service::EmbeddedEnvironment;
use invoicing_client::vault::VaultError;
use invoicing_client::views::{InvoiceQuery, WindowBinding};
use invoicing_client::{
    BoxFuture, BrowserNotOpened, Desktop, Folders, Host, Network, Setup, SystemClock, SystemRng,
    Vault, WindowKey, system_vault,
};
use serde_json::{Value, json};
use url::Url;

#[tokio::main]
async fn main() {
    let mut arguments = std::env::args().skip(1);
    let mut argument = |name| {
        arguments
            .next()
            .unwrap_or_else(|| panic!("{name} is missing"))
    };
    let ready = std::fs::read(argument("READY-FILE")).expect("the file of the service");
    let folder = PathBuf::from(argument("FOLDER"));
    let vault = argument("VAULT");
    let kill_at = arguments.next().map(|at| at.parse().expect("a number"));
    let vault: Arc<dyn Vault> = if vault == "system" {
        system_vault()
    } else {
        Arc::new(FileVault::new(PathBuf::from(vault), kill_at))
    };
    let browser = Arc::new(Browser::default());
    let desktop = Desktop::start(Setup {
        host: Arc::clone(&browser) as Arc<dyn Host>,
        local: Some(Arc::new(EmbeddedEnvironment(
            serde_json::from_slice(&ready).expect("JSON"),
        ))),
        vault,
        folders: Folders {
            config: folder.join("config"),
            data: folder.join("data"),
        },
        clock: Arc::new(SystemClock::new()),
        rng: Arc::new(SystemRng),
        network: Network::default(),
    });
    let window = WindowKey::from("main");
    desktop.open_window(&window);
    let (lines, mut commands) = tokio::sync::mpsc::unbounded_channel();
    std::thread::spawn(move || {
        for line in std::io::stdin().lock().lines().map_while(Result::ok) {
            let _ = lines.send(line);
        }
    });
    while let Some(line) = commands.recv().await {
        let (command, value) = line.split_once(' ').unwrap_or((&line, ""));
        let answer = run(&desktop, &window, &browser, command, value).await;
        let mut output = std::io::stdout().lock();
        writeln!(output, "{answer}")
            .and_then(|()| output.flush())
            .expect("the test listens");
    }
}

async fn run(
    desktop: &Desktop,
    window: &WindowKey,
    browser: &Browser,
    command: &str,
    value: &str,
) -> Value {
    let outcome = match command {
        "watch" => {
            let after = value.parse().expect("a revision");
            return json!(desktop.watch(window, after).await.expect("it answers"));
        }
        "list" => {
            let binding = binding(desktop, window).await;
            let query = InvoiceQuery {
                page_size: 1,
                ..InvoiceQuery::default()
            };
            let listed = desktop.list_invoices(window, binding, query).await;
            listed.map(|_| ())
        }
        "sign-in" => {
            let started = desktop.start_sign_in(window, "local".to_owned()).await;
            let address = browser.0.lock().expect("not poisoned").clone();
            return json!({"error": started.err(), "address": address});
        }
        "callback" => desktop.paste_callback(window, value.to_owned()).await,
        "unlock" => desktop.unlock_vault(window).await,
        "stop" => {
            desktop.stop().await;
            Ok(())
        }
        other => panic!("there is no command {other}"),
    };
    json!({"error": outcome.err()})
}

/// The binding of the window, which follows the sign-in.
async fn binding(desktop: &Desktop, window: &WindowKey) -> WindowBinding {
    let mut after = 0;
    loop {
        let snapshot = desktop.watch(window, after).await.expect("it answers");
        if let Some(binding) = snapshot.binding {
            return binding;
        }
        after = snapshot.revision;
    }
}

/// Keeps the address to open.
#[derive(Default)]
struct Browser(Mutex<String>);

impl Host for Browser {
    fn open_browser(&self, address: &Url) -> Result<(), BrowserNotOpened> {
        *self.0.lock().unwrap_or_else(PoisonError::into_inner) = address.to_string();
        Ok(())
    }

    fn scheme_registered(&self) -> bool {
        true
    }

    fn bring_to_front(&self) {}
}

/// A keyring in a file, which the process can be killed in the middle of.
struct FileVault(Arc<FileVaultState>);

struct FileVaultState {
    path: PathBuf,
    moments: AtomicUsize,
    kill_at: Option<usize>,
}

type Secrets = BTreeMap<String, String>;

impl FileVault {
    fn new(path: PathBuf, kill_at: Option<usize>) -> Self {
        Self(Arc::new(FileVaultState {
            path,
            moments: AtomicUsize::new(0),
            kill_at,
        }))
    }

    fn call<T: Send + 'static>(
        &self,
        change: impl FnOnce(&mut Secrets) -> T + Send + 'static,
    ) -> BoxFuture<'static, Result<T, VaultError>> {
        let state = Arc::clone(&self.0);
        let done = tokio::spawn(async move {
            state.pass();
            let mut secrets = state.read();
            let value = change(&mut secrets);
            state.write(&secrets);
            state.pass();
            value
        });
        Box::pin(async move { done.await.map_err(|_not_joined| VaultError::Unavailable) })
    }
}

impl FileVaultState {
    /// Passes a moment, or ends the process there.
    fn pass(&self) {
        if self.kill_at != Some(self.moments.fetch_add(1, Ordering::SeqCst)) {
            return;
        }
        let id = std::process::id().to_string();
        drop(Command::new("kill").args(["-KILL", &id]).status());
        loop {
            std::thread::park();
        }
    }

    fn read(&self) -> Secrets {
        match std::fs::read(&self.path) {
            Ok(bytes) => serde_json::from_slice(&bytes).expect("JSON"),
            Err(_) => Secrets::default(),
        }
    }

    fn write(&self, secrets: &Secrets) {
        let new = Path::new(&self.path).with_extension("new");
        std::fs::write(&new, json!(secrets).to_string()).expect("written");
        std::fs::rename(new, &self.path).expect("renamed");
    }
}

impl Vault for FileVault {
    fn read(
        &self,
        entry: &str,
    ) -> BoxFuture<'static, Result<Option<secrecy::SecretString>, VaultError>> {
        let entry = entry.to_owned();
        self.call(move |secrets| secrets.get(&entry).map(|secret| secret.clone().into()))
    }

    fn write(
        &self,
        entry: &str,
        secret: secrecy::SecretString,
    ) -> BoxFuture<'static, Result<(), VaultError>> {
        let entry = entry.to_owned();
        self.call(move |secrets| {
            let secret = secrecy::ExposeSecret::expose_secret(&secret).to_owned();
            secrets.insert(entry, secret);
        })
    }

    fn delete(&self, entry: &str) -> BoxFuture<'static, Result<(), VaultError>> {
        let entry = entry.to_owned();
        self.call(move |secrets| {
            secrets.remove(&entry);
        })
    }
}
