//! The desktop core: everything the application does that is neither a window nor a pixel.
//!
//! A command of [`commands`] arrives at [`Desktop`], which finds the window's organization, asks the part of that name
//! ([`environments`], `sign_in`, `session`, `organizations`, `invoices`, `drafts`) and answers in the types of [`views`].

pub mod clock;
pub mod commands;
pub mod environments;
pub mod rng;
pub mod vault;
pub mod views;

mod account_key;
mod change_notifier;
mod desktop;
mod drafts;
mod files;
mod form_paths;
mod gateway;
mod host;
mod http;
mod invoices;
mod organizations;
mod preferences;
mod provider;
mod session;
mod sign_in;

pub use clock::{Clock, SystemClock};
pub use desktop::{Desktop, Folders, Setup, WindowKey};
pub use host::{BoxFuture, BrowserNotOpened, Host, LocalEnvironment, LocalEnvironmentError};
pub use rng::{Rng, SystemRng};
pub use vault::{Vault, system_vault};
