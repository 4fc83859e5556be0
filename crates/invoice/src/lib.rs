//! The invoice: its input, its computed amounts and its violations of rules. Pure: no I/O, no clock, no async.
//!
//! [`check`] is the entry point. It takes an unvalidated [`Content`] and returns its
//! [`Calculation`], all [`Violation`]s and, if there are none, the typed [`Invoice`]. [`check_document`] does the
//! same for a whole [`Document`], which [`read()`] parses from [`ubl`] or [`cii`] and [`ubl::write`] writes.
//! [`explain`] returns the computation of each total. With the feature `pdf`, `pdf::Typesetter` renders a document.

mod amount_sum;
pub mod calculation;
pub mod cii;
pub mod codes;
pub mod content;
pub mod country;
pub mod currency;
pub mod decimal;
pub mod document;
pub mod explanation;
pub mod hybrid;
pub mod iban;
pub mod inclusive;
pub mod invoice;
pub mod money;
pub mod number_input;
mod omitted_values;
#[cfg(feature = "pdf")]
pub mod pdf;
pub mod percentage_bases;
pub mod reader;
pub mod rules;
pub mod syntax;
pub mod tax;
pub mod ubl;
pub mod violation;
pub mod xml;

pub use amount_sum::AmountSum;
pub use calculation::Calculation;
pub use content::{Content, Kind, Subtype};
pub use country::Country;
pub use currency::Currency;
pub use document::Document;
pub use explanation::explain;
pub use invoice::{Invoice, TaxSubtotal, Totals};
pub use money::Money;
pub use reader::read;
pub use rules::{CheckContext, CheckReport, check, check_document};
pub use syntax::{ParsedDocument, Syntax};
pub use tax::Category;
pub use violation::{MAX_VIOLATIONS, Violation};
