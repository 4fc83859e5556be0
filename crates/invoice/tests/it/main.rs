//! The integration tests of the invoice library and its command line, in one binary.

mod category_rules;
mod cii;
mod command_line;
mod explanation;
mod fixtures;
mod foreign_documents;
mod fuzz_corpus;
mod money_boundary;
mod money_properties;
mod outside_scope;
#[cfg(feature = "pdf")]
mod pdf;
#[cfg(feature = "pdf")]
mod pdf_drafts;
#[cfg(feature = "pdf")]
mod pdf_qr_codes;
#[cfg(feature = "pdf")]
mod printed_numbers;
mod properties;
mod public_corpus;
mod received_documents;
mod rule_cases;
mod rule_coverage;
mod rule_words;
mod rules;
mod saudi_contents;
mod saudi_issue;
mod tax_inclusive_prices;
mod totals;
mod ubl;
mod worked_examples;
