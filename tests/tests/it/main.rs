//! End-to-end tests of the client core, the window and the commands of the documents, in one binary; and of the proxy that injects faults.

mod client;
mod documents;
mod faults;
mod fixtures;
mod proxy_messages;
mod window;
