//! The client core against the real service over HTTP: no window and no browser engine. Only network faults are simulated.

mod callback_methods;
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
mod writes;
