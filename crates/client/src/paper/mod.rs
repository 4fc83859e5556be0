//! Paper: a document as the pages of its PDF, made by the library that the service makes the PDF with (decision 0133).

mod opened_files;

use std::sync::{Arc, OnceLock};

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use invoice::Document;
use invoice::pdf::{Digits, Languages, Layout, Paper, Typesetter};
use invoicing_contract::DocumentKey;
use jiff::civil::DateTime;
use tokio::sync::Semaphore;

use crate::files;
use crate::gateway::DownloadedFile;
pub(crate) use opened_files::{OpenedFiles, read_opened};

use crate::views::{CommandError, PrintLanguage, PrintedPages};

/// Makes the pages of one document at a time: the others wait, and the rest of the program has the other processors.
#[derive(Debug)]
pub(crate) struct Printer {
    /// Made with the first page: its fonts take memory.
    typesetter: Arc<OnceLock<Typesetter>>,
    turn: Arc<Semaphore>,
}

/// A document, and whether each page says that it is a draft.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Printable {
    pub(crate) document: Document,
    pub(crate) is_draft: bool,
}

impl Printer {
    pub(crate) fn new() -> Self {
        Self {
            typesetter: Arc::default(),
            turn: Arc::new(Semaphore::new(1)),
        }
    }

    /// The first pages of a document, `most` at the most.
    pub(crate) async fn pages(
        &self,
        printable: Printable,
        language: PrintLanguage,
        most: usize,
    ) -> Result<PrintedPages, CommandError> {
        let turn = Arc::clone(&self.turn).acquire_owned().await;
        let typesetter = Arc::clone(&self.typesetter);
        let rendered = files::run_blocking(move || {
            let Printable { document, is_draft } = printable;
            let layout = Layout {
                paper: Paper::A4,
                languages: match language {
                    PrintLanguage::English => Languages::English,
                    PrintLanguage::Arabic => Languages::Arabic,
                    PrintLanguage::Both => Languages::Both,
                },
                digits: Digits::Latin,
                created: DateTime::ZERO,
                is_draft,
            };
            let typesetter = typesetter.get_or_init(Typesetter::new);
            let pages = typesetter.pages(&document, &layout, most);
            drop(turn);
            pages
        });
        match rendered.await {
            Ok(pages) => Ok(PrintedPages {
                images: pages.images.iter().map(|svg| data_url(svg)).collect(),
                total: u32::try_from(pages.total).unwrap_or(u32::MAX),
            }),
            Err(error) => {
                // The messages of the typesetter can quote business data.
                tracing::error!("the pages of a document were not made");
                drop(error);
                Err(CommandError::NotPrinted)
            }
        }
    }
}

/// The name that the service suggests for the file of a document with a number. It names one without by its key, which says nothing to a
/// person.
pub(crate) fn numbered_name<'file>(
    file: &'file DownloadedFile,
    key: &DocumentKey,
) -> Option<&'file str> {
    let is_of_key = file.name.is_empty() || file.name.starts_with(key.as_str());
    (!is_of_key).then_some(file.name.as_str())
}

fn data_url(svg: &str) -> String {
    let mut url = String::from("data:image/svg+xml;base64,");
    STANDARD.encode_string(svg, &mut url);
    url
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test]
    async fn pages_of_a_draft_are_images_in_each_language() {
        let printer = Printer::new();
        for language in [
            PrintLanguage::English,
            PrintLanguage::Arabic,
            PrintLanguage::Both,
        ] {
            let printable = Printable {
                document: Document::default(),
                is_draft: true,
            };
            let pages = printer
                .pages(printable, language, 1)
                .await
                .expect("printed");
            assert_eq!((pages.images.len(), pages.total), (1, 1));
            let svg = pages.images[0]
                .strip_prefix("data:image/svg+xml;base64,")
                .expect("a data URL");
            let svg = STANDARD.decode(svg).expect("Base64");
            assert!(svg.starts_with(b"<svg"), "{language:?}");
        }
    }
}
