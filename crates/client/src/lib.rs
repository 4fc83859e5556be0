//! The desktop core: everything of the application except windows and user interface.
//!
//! [`Desktop`] has a method for each command of [`commands`]. The method checks the window's binding, calls the module
//! of that area ([`environments`], `sign_in`, `session`, `organizations`, `invoices`, `parties`, `items`, `payments`, `drafts`, `bulk`) and returns a type
//! of [`views`].

pub mod clock;
pub mod commands;
pub mod environments;
pub mod rng;
pub mod vault;
pub mod views;

mod account_key;
mod account_store;
mod administration;
mod attachments;
mod bulk;
mod cached_read;
mod change_notifier;
mod csv;
mod desktop;
mod diagnosis;
mod drafts;
#[cfg(test)]
mod earlier_files;
mod encrypted_records;
mod encryption;
mod export;
mod files;
mod form_paths;
mod gateway;
mod host;
mod http;
mod invoices;
mod items;
mod keyed_locks;
mod links;
#[cfg(feature = "testing")]
pub mod measurement;
mod organization_settings;
mod organizations;
mod palette;
mod paper;
mod parties;
mod payments;
mod preferences;
mod provider;
mod read_cache;
mod remembered;
mod reports;
mod session;
mod sign_in;
mod support_packet;
mod templates;

pub use clock::{Clock, SystemClock};
pub use desktop::{Desktop, Folders, Setup, WindowKey};
#[cfg(any(test, feature = "testing"))]
pub use files::{FileFault, FileFaults, FileOperation};
pub use host::{
    BoxFuture, BrowserNotOpened, Host, LocalEnvironment, LocalEnvironmentError, WindowNotOpened,
};
pub use http::Network;
pub use rng::{Rng, SystemRng};
pub use support_packet::{LogTimeline, LogTimelineWriter};
pub use vault::{Vault, system_vault};
