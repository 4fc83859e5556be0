//! The core against the real service over HTTP: no window, no browser engine, and nothing pretended but the network's faults.

mod canary;
mod drafts;
mod environments;
mod errors;
mod keyring;
mod line_taxes;
mod outbox;
mod retries;
mod session;
mod sign_in;
mod support;
mod ways_back;
mod writes;
