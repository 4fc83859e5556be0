//! Tests of the client core against the real service over HTTP, without a window or a browser engine. Only network
//! faults are simulated.

mod account_files;
mod accounts;
mod attachments;
mod bulk;
mod callback_methods;
mod canary;
mod create;
mod drafts;
mod environments;
mod errors;
mod export;
mod foreign_answers;
mod import;
mod keyring;
mod kill;
mod line_taxes;
mod long_run;
mod outbox;
mod overview;
mod paper;
mod parties;
mod payments;
mod proxy;
mod read_cache;
mod refresh_organizations;
mod renewal;
mod reports;
mod retries;
pub(crate) mod session;
mod sign_in;
mod sign_out;
mod support;
mod update;
mod vault_calls;
mod windows;
