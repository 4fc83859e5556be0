//! Renders PDF on a bounded number of threads (decision 0121).

use std::sync::{Arc, OnceLock};
use std::thread::available_parallelism;

use invoice::Document;
use invoice::pdf::{Layout, RenderError, Typesetter};
use invoicing_contract::OrganizationId;

use super::turns::{Turn, Turns};

/// Renders PDF. Half of the processors may be busy with it.
#[derive(Debug)]
pub(super) struct PdfRenderer {
    /// Made with the first file: its fonts take memory that a service without PDF does not need.
    typesetter: Arc<OnceLock<Typesetter>>,
    turns: Turns,
}

/// Why there is no PDF.
#[derive(Debug, thiserror::Error)]
pub enum PdfError {
    /// Too many are made.
    #[error("too many PDF files are made at once")]
    QueueFull,
    /// Typst refused the document, or panicked.
    #[error("the PDF cannot be made")]
    Render(#[from] RenderError),
    /// The thread panicked.
    #[error("the PDF cannot be made")]
    Panic(#[from] tokio::task::JoinError),
}

impl PdfRenderer {
    pub(super) fn new() -> Self {
        let running = available_parallelism().map_or(1, |all| (all.get() / 2).max(1));
        Self {
            typesetter: Arc::default(),
            turns: Turns::new(running),
        }
    }

    /// A turn for a file, which is taken before anything large is read.
    pub(super) async fn turn(&self, organization: &OrganizationId) -> Result<Turn, PdfError> {
        let turn = self.turns.take(organization).await;
        turn.map_err(|_queue_full| PdfError::QueueFull)
    }

    /// The PDF of a document with `xml` inside. A caller that goes away keeps its turn until the file is made.
    pub(super) async fn render(
        &self,
        turn: Turn,
        document: Document,
        xml: Vec<u8>,
        layout: Layout,
    ) -> Result<Vec<u8>, PdfError> {
        let typesetter = self.typesetter.clone();
        let rendered = tokio::task::spawn_blocking(move || {
            let typesetter = typesetter.get_or_init(Typesetter::new);
            let rendered = typesetter.render(&document, &xml, &layout);
            drop(turn);
            rendered
        });
        Ok(rendered.await??.pdf)
    }
}
