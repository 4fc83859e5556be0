//! End to end, in one binary: the client core, the window, and the commands of the documents.

mod client;
mod documents;
mod fixtures;
mod window;
