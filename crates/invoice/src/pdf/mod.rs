//! Renders a document as PDF/A-3b with its XML embedded, or its pages as images, typeset by Typst.
//!
//! `invoice.typ` is the template and `labels.typ` its labels. Invoice content is passed as data and never evaluated as code.

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
use typst_svg::SvgOptions;

use crate::Document;
use printable_text::TextPreparer;
use typst_world::{InvoiceWorld, TypesettingResources};

/// The age, in renderings, after which Typst evicts cache entries. Zero, because searching the entries of other invoices
/// takes longer than a new layout (benchmark `page-again`: 11.3 ms with entries, 10.7 ms without).
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

/// The languages of labels.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum Languages {
    /// English, left to right.
    #[default]
    English,
    /// Arabic, right to left.
    Arabic,
    /// Both languages side by side.
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

/// Layout options of a rendered invoice.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Layout {
    /// The page size.
    pub paper: Paper,
    /// The languages of labels.
    pub languages: Languages,
    /// The digits of numbers.
    pub digits: Digits,
    /// The creation time of the file in UTC.
    pub created: DateTime,
    /// Whether each page says that it is a draft. The PDF of a draft has no XML inside: it is no invoice.
    pub is_draft: bool,
}

/// A rendered invoice.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RenderedInvoice {
    /// The bytes of the PDF file.
    pub pdf: Vec<u8>,
    /// The number of pages.
    pub pages: usize,
    /// Characters without a glyph, in order. They are printed as U+FFFD; the embedded XML has them.
    pub missing_characters: Vec<char>,
}

/// The pages of an invoice, as they are in its PDF.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RenderedPages {
    /// The first pages, each an SVG image of its own. Texts are outlines: no font is needed to show them.
    pub images: Vec<String>,
    /// The number of all pages.
    pub total: usize,
}

/// Why an invoice cannot be rendered.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum RenderError {
    /// Typst could not compile the template or export PDF/A.
    #[error("cannot be typeset: {messages:?}")]
    Typesetting {
        /// The diagnostics of Typst, with hints.
        messages: Vec<String>,
    },
}

/// Fonts and template, loaded once for many invoices.
#[derive(Debug)]
pub struct Typesetter(TypesettingResources);

impl Typesetter {
    /// Loads the fonts and the template.
    #[must_use]
    pub fn new() -> Self {
        Self(TypesettingResources::new())
    }

    /// Renders a document. `file` is the XML to embed, byte by byte, so that a signature in it stays valid.
    ///
    /// The document is neither validated nor computed; [`check_document`](crate::check_document) does that.
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
        let qr = qr_image(document, layout);
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

    /// Renders the first pages of a document as images, `most` of them at the most, with the layout of [`render`](Self::render).
    ///
    /// # Errors
    /// [`RenderError`]
    pub fn pages(
        &self,
        document: &Document,
        layout: &Layout,
        most: usize,
    ) -> Result<RenderedPages, RenderError> {
        let mut preparer = TextPreparer::new(&self.0);
        let qr = qr_image(document, layout);
        let mut data = template_data::build(document, layout, &mut preparer, qr.is_some());
        // An image has no files inside.
        data["attachment"] = serde_json::Value::Null;
        let world = InvoiceWorld::new(&self.0, &data, &[], qr);
        let typeset = typst::compile::<PagedDocument>(&world).output;
        let rendered = typeset.map(|document| RenderedPages {
            images: document
                .pages()
                .iter()
                .take(most)
                .map(|page| typst_svg::svg(page, &SvgOptions::default()))
                .collect(),
            total: document.pages().len(),
        });
        typst::comemo::evict(CACHE_MAX_AGE);
        rendered.map_err(|diagnostics| RenderError::Typesetting {
            messages: diagnostics.iter().map(message).collect(),
        })
    }

    /// Renders an empty page: the base cost of Typst for the benchmark.
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

/// A draft has none: who scans it would take it for an invoice.
fn qr_image(document: &Document, layout: &Layout) -> Option<String> {
    if layout.is_draft {
        return None;
    }
    qr::svg(document)
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

/// `None` before year 0, which PDF cannot represent.
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
