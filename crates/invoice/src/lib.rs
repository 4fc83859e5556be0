//! The invoice: what people type, what it adds up to, and what is wrong with it. Pure: no I/O, no clock, no async.
//!
//! [`check`] is the way in. It takes a [`Content`] as it comes from a form or from the wire and answers with its
//! [`Calculation`], every [`Violation`] at once and, if there is none, the typed [`Invoice`]. [`check_document`] does the
//! same for a whole [`Document`] of anybody, which [`read()`] takes from [`ubl`] or [`cii`] and [`ubl::write`] writes, and
//! [`explain`] says how each total came about. With the feature `pdf`, `pdf::Typesetter` prints it.

pub mod calculation;
pub mod cii;
pub mod codes;
pub mod content;
pub mod country;
pub mod currency;
pub mod decimal;
pub mod document;
pub mod explanation;
pub mod inclusive;
pub mod invoice;
pub mod money;
pub mod number_input;
#[cfg(feature = "pdf")]
pub mod pdf;
pub mod reader;
pub mod rules;
pub mod syntax;
pub mod tax;
pub mod ubl;
pub mod violation;
pub mod xml;

pub use calculation::Calculation;
pub use content::{Content, Kind, Subtype};
pub use country::Country;
pub use currency::Currency;
pub use document::Document;
pub use explanation::explain;
pub use invoice::{Invoice, TaxSubtotal, Totals};
pub use money::Money;
pub use reader::read;
pub use rules::{Checked, Rules, check, check_document};
pub use syntax::{ParsedDocument, Syntax};
pub use tax::Category;
pub use violation::Violation;
