//! What the program `invoicing-service` reads and writes: its options, its output, its ready file, the filter of its log. It is in the
//! library, so that its tests are in one binary with those of the library.

mod database_arguments;
mod log_filter;
pub mod output;
pub mod ready_file;
mod serve_arguments;

pub use database_arguments::DatabaseArguments;
pub use log_filter::log_filter;
pub use serve_arguments::ServeArguments;
