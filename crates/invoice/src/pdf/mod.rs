//! The invoice on paper: PDF/A-3b with the file that was exchanged inside, typeset by Typst.
//!
//! `invoice.typ` is the sheet and `labels.typ` its words. What stands in an invoice reaches them as data and is never code.

mod column_widths;
mod printable_text;
mod qr;
mod template_data;
mod typst_world;

pub use qr::tlv;

use jiff::civil::DateTime;
use thiserror::Error;
use typst::diag::SourceDiagnostic;
use typst::foundations::{Datetime, Smart};
use typst_layout::PagedDocument;
use typst_pdf::{PdfOptions, PdfStandard, PdfStandards, Timestamp};

use crate::Document;
use printable_text::TextPreparer;
use typst_world::{InvoiceWorld, TypesettingResources};

/// How many renderings ago something that Typst remembers must have been of use. None: to search what was kept of other invoices
/// takes longer than to lay out anew, as `page-again` of the benchmark showed (11.3 ms, and 10.7 with nothing kept).
const CACHE_MAX_AGE: usize = 0;

/// The size of a page.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum Paper {
    /// ISO 216 A4.
    #[default]
    A4,
    /// US letter.
    Letter,
}

/// The languages of the words that do not come from the invoice.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum Languages {
    /// From the left to the right.
    #[default]
    English,
    /// From the right to the left.
    Arabic,
    /// Both beside each other.
    Both,
}

/// The digits of amounts, quantities and dates.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum Digits {
    /// 0 to 9.
    #[default]
    Latin,
    /// ٠ to ٩.
    Arabic,
}

/// How an invoice is printed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Layout {
    /// The size of its pages.
    pub paper: Paper,
    /// The languages of its words.
    pub languages: Languages,
    /// The digits of its figures.
    pub digits: Digits,
    /// When the file is made, in UTC.
    pub created: DateTime,
}

/// A printed invoice.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RenderedInvoice {
    /// The file.
    pub pdf: Vec<u8>,
    /// How many pages it has.
    pub pages: usize,
    /// Characters that no font of ours has. U+FFFD is printed in their place; the file inside has them.
    pub missing_characters: Vec<char>,
}

/// Why an invoice was not printed.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum RenderError {
    /// The sheet and its data do not fit, or no PDF/A can be made of it.
    #[error("cannot be typeset: {messages:?}")]
    Typesetting {
        /// What the typesetting library says.
        messages: Vec<String>,
    },
}

/// Fonts and sheet, loaded once for many invoices.
#[derive(Debug)]
pub struct Typesetter(TypesettingResources);

impl Typesetter {
    /// Loads the fonts and the sheet.
    #[must_use]
    pub fn new() -> Self {
        Self(TypesettingResources::new())
    }

    /// Prints a document. `file` is the XML that goes inside, and is put there as it is: a signature in it stays valid.
    ///
    /// It prints what the document says and neither checks nor computes; [`check_document`](crate::check_document) does.
    ///
    /// # Errors
    /// [`RenderError`]
    pub fn render(
        &self,
        document: &Document,
        file: &[u8],
        layout: &Layout,
    ) -> Result<RenderedInvoice, RenderError> {
        let mut preparer = TextPreparer::new(&self.0);
        let qr = qr::svg(document);
        let data = template_data::build(document, layout, &mut preparer, qr.is_some());
        let world = InvoiceWorld::new(&self.0, &data, file, qr);
        let identity = format!(
            "{} {} {}",
            document.seller.tax_id, document.number, document.uuid
        );
        let (pdf, pages) = typeset(&world, layout, identity)?;
        Ok(RenderedInvoice {
            pdf,
            pages,
            missing_characters: preparer.into_missing_characters(),
        })
    }

    /// An empty page: what the library itself costs, which the benchmark holds a page against.
    ///
    /// # Errors
    /// [`RenderError`]
    pub fn blank(&self, layout: &Layout) -> Result<Vec<u8>, RenderError> {
        let world = InvoiceWorld::blank(&self.0);
        typeset(&world, layout, String::new()).map(|(pdf, _)| pdf)
    }
}

impl Default for Typesetter {
    fn default() -> Self {
        Self::new()
    }
}

fn typeset(
    world: &InvoiceWorld<'_>,
    layout: &Layout,
    identity: String,
) -> Result<(Vec<u8>, usize), RenderError> {
    let document = typst::compile::<PagedDocument>(world).output;
    let made = document.and_then(|document| {
        let options = PdfOptions {
            ident: Smart::Custom(identity),
            creator: Smart::Custom(Some("Invoice Desk".to_owned())),
            timestamp: timestamp(layout.created),
            standards: PdfStandards::new(&[PdfStandard::A_3b]).expect("one standard has no rival"),
            ..PdfOptions::default()
        };
        typst_pdf::pdf(&document, &options).map(|pdf| (pdf, document.pages().len()))
    });
    typst::comemo::evict(CACHE_MAX_AGE);
    made.map_err(|diagnostics| RenderError::Typesetting {
        messages: diagnostics.iter().map(message).collect(),
    })
}

fn message(diagnostic: &SourceDiagnostic) -> String {
    let hints = diagnostic.hints.iter().map(|hint| hint.v.as_str());
    std::iter::once(diagnostic.message.as_str())
        .chain(hints)
        .collect::<Vec<_>>()
        .join("; ")
}

/// `None` before year 0 only, where PDF knows no dates.
fn timestamp(at: DateTime) -> Option<Timestamp> {
    let part = |number: i8| u8::try_from(number).ok();
    let datetime = Datetime::from_ymd_hms(
        i32::from(at.year()),
        part(at.month())?,
        part(at.day())?,
        part(at.hour())?,
        part(at.minute())?,
        part(at.second())?,
    )?;
    Some(Timestamp::new_utc(datetime))
}
