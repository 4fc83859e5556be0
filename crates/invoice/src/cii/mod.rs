//! UN/CEFACT Cross Industry Invoice D16B, as EN 16931 binds it (CEN/TS 16931-3-3). Read only.

mod agreement;
mod line;
mod party;
mod settlement;

use std::io::BufRead;

use crate::syntax::{self, ParsedDocument, QDT, RAM, RSM, Syntax, UDT};
use crate::xml::{Limits, ReadError, Source, append};
use crate::{Document, codes};

/// The type code (UNTDID 1001) of a supporting document that identifies the invoiced object (BT-18, BT-128).
const INVOICED_OBJECT: &str = "130";

/// Reads one document. Values are not validated here: [`check_document`](crate::check_document) does that.
///
/// # Errors
/// [`ReadError`] if the input is not a Cross Industry Invoice, is not well-formed, or exceeds the limits.
pub fn read(bytes: impl BufRead, limits: Limits) -> Result<ParsedDocument, ReadError> {
    read_from_root(syntax::open_root(bytes, limits)?)
}

/// Reads a document whose root start tag has been read.
pub(crate) fn read_from_root<R: BufRead>(
    mut source: Source<R>,
) -> Result<ParsedDocument, ReadError> {
    if source.name() != (RSM, "CrossIndustryInvoice") {
        return Err(source.unexpected_root());
    }
    let mut document = Document::default();
    source.children(|source| match source.name() {
        (RSM, "ExchangedDocumentContext") => context(source, &mut document),
        (RSM, "ExchangedDocument") => exchanged(source, &mut document),
        (RSM, "SupplyChainTradeTransaction") => transaction(source, &mut document),
        _ => source.skip(),
    })?;
    // The currency element follows the lines.
    source.resolve_pending(&document.content.currency)?;
    document.content.kind = codes::kind(&document.type_code);
    let unmapped = source.finish()?;
    Ok(ParsedDocument {
        syntax: Syntax::Cii,
        document,
        unmapped,
    })
}

fn context<R: BufRead>(source: &mut Source<R>, document: &mut Document) -> Result<(), ReadError> {
    source.children(|source| match source.name() {
        (RAM, "BusinessProcessSpecifiedDocumentContextParameter") => {
            only(source, "ID", &mut document.process)
        }
        (RAM, "GuidelineSpecifiedDocumentContextParameter") => {
            only(source, "ID", &mut document.specification)
        }
        _ => source.skip(),
    })
}

fn exchanged<R: BufRead>(source: &mut Source<R>, document: &mut Document) -> Result<(), ReadError> {
    let content = &mut document.content;
    source.children(|source| match source.name() {
        (RAM, "ID") => source.read_text(&mut document.number),
        (RAM, "TypeCode") => source.read_text(&mut document.type_code),
        (RAM, "IssueDateTime") => date(source, &mut content.issue_date),
        (RAM, "IncludedNote") => {
            source.count_repeated()?;
            let (mut subject, mut text) = (String::new(), String::new());
            let mut is_arabic = false;
            source.children(|source| match source.name() {
                (RAM, "Content") => {
                    is_arabic |= source.read_attribute_values("languageID", &["ar"]);
                    source.append_text(&mut text)
                }
                (RAM, "SubjectCode") => source.read_text(&mut subject),
                _ => source.skip(),
            })?;
            // BT-21 precedes the note, as in UBL.
            if !subject.is_empty() {
                text.insert_str(0, &format!("#{subject}#"));
            }
            let note = if is_arabic {
                &mut content.note_ar
            } else {
                &mut content.note
            };
            append(note, &text);
            Ok(())
        }
        _ => source.skip(),
    })
}

fn transaction<R: BufRead>(
    source: &mut Source<R>,
    document: &mut Document,
) -> Result<(), ReadError> {
    source.children(|source| match source.name() {
        (RAM, "IncludedSupplyChainTradeLineItem") => {
            source.count_repeated()?;
            let (mut one, mut net) = Default::default();
            line::line(source, &mut one, &mut net)?;
            document.content.lines.push(one);
            document.figures.line_nets.push(net);
            Ok(())
        }
        (RAM, "ApplicableHeaderTradeAgreement") => agreement::agreement(source, document),
        (RAM, "ApplicableHeaderTradeDelivery") => agreement::delivery(source, document),
        (RAM, "ApplicableHeaderTradeSettlement") => settlement::settlement(source, document),
        _ => source.skip(),
    })
}

/// Reads the only mapped child element.
fn only<R: BufRead>(
    source: &mut Source<R>,
    child: &str,
    field: &mut String,
) -> Result<(), ReadError> {
    source.children(|source| {
        if source.name() == (RAM, child) {
            source.read_text(field)
        } else {
            source.skip()
        }
    })
}

/// Reads a date from its `DateTimeString` or `DateString` child.
fn date<R: BufRead>(source: &mut Source<R>, field: &mut String) -> Result<(), ReadError> {
    source.children(|source| match source.name() {
        (UDT | QDT, "DateTimeString" | "DateString") => source.read_date(field),
        _ => source.skip(),
    })
}

/// Reads an amount. A currency other than that of the document, which is read later, is recorded as unmapped.
fn amount<R: BufRead>(source: &mut Source<R>, field: &mut String) -> Result<(), ReadError> {
    let currency = source.attribute("currencyID");
    if !currency.is_empty() {
        source.record_unmapped_unless(&currency, "@currencyID")?;
    }
    source.read_decimal(field)
}

/// Reads a charge indicator. `None`, and recorded as unmapped, if it is not a Boolean.
fn indicator<R: BufRead>(source: &mut Source<R>) -> Result<Option<bool>, ReadError> {
    let mut is_charge = None;
    source.children(|source| match source.name() {
        (UDT, "Indicator") => {
            is_charge = match source.text()? {
                "true" | "1" => Some(true),
                "false" | "0" => Some(false),
                _ => return source.record_last_unmapped(),
            };
            Ok(())
        }
        _ => source.skip(),
    })?;
    Ok(is_charge)
}
