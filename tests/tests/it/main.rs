//! End-to-end tests of the client core, the window and the commands of the documents, in one binary.

mod client;
mod documents;
mod faults;
mod fixtures;
mod window;
