//! Renders PDF on a bounded number of threads, with a bounded queue (decision 0121).

use std::sync::{Arc, OnceLock};
use std::thread::available_parallelism;
use std::time::Duration;

use invoice::Document;
use invoice::pdf::{Layout, RenderError, Typesetter};
use tokio::sync::Semaphore;

/// Callers that wait for a turn.
const MAX_WAITING: usize = 16;
/// How long a caller waits for a turn.
const MAX_WAIT: Duration = Duration::from_secs(10);
/// When a caller that found the queue full asks again.
pub(super) const RETRY_AFTER: Duration = Duration::from_secs(2);

/// Renders PDF. Half of the processors may be busy with it.
#[derive(Debug)]
pub(super) struct PdfRenderer {
    /// Made with the first file: its fonts take memory that a service without PDF does not need.
    typesetter: Arc<OnceLock<Typesetter>>,
    turns: Arc<Semaphore>,
    /// Those who have a turn, and those who wait for one.
    places: Arc<Semaphore>,
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
            turns: Arc::new(Semaphore::new(running)),
            places: Arc::new(Semaphore::new(running + MAX_WAITING)),
        }
    }

    /// The PDF of a document with `xml` inside. A caller that goes away keeps its turn until the file is made.
    pub(super) async fn render(
        &self,
        document: Document,
        xml: Vec<u8>,
        layout: Layout,
    ) -> Result<Vec<u8>, PdfError> {
        let full = |_closed_or_no_permit| PdfError::QueueFull;
        let place = self.places.clone().try_acquire_owned().map_err(full)?;
        let turn = tokio::time::timeout(MAX_WAIT, self.turns.clone().acquire_owned()).await;
        let Ok(Ok(turn)) = turn else {
            return Err(PdfError::QueueFull);
        };
        let typesetter = self.typesetter.clone();
        let rendered = tokio::task::spawn_blocking(move || {
            let typesetter = typesetter.get_or_init(Typesetter::new);
            let rendered = typesetter.render(&document, &xml, &layout);
            drop((turn, place));
            rendered
        });
        Ok(rendered.await??.pdf)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use invoice::pdf::{Digits, Languages, Paper};
    use jiff::civil::date;

    #[tokio::test]
    async fn full_queue_refuses_at_once_and_serves_again_afterwards() {
        let renderer = PdfRenderer::new();
        let layout = Layout {
            paper: Paper::A4,
            languages: Languages::English,
            digits: Digits::Latin,
            created: date(2026, 11, 21).at(9, 30, 0, 0),
            is_draft: true,
        };
        let every = u32::try_from(renderer.places.available_permits()).expect("a few");
        let places = renderer
            .places
            .acquire_many(every)
            .await
            .expect("all places");
        let refused = renderer
            .render(Document::default(), Vec::new(), layout)
            .await;
        assert!(matches!(refused, Err(PdfError::QueueFull)), "{refused:?}");
        drop(places);
        let made = renderer
            .render(Document::default(), Vec::new(), layout)
            .await;
        assert!(made.expect("a file").starts_with(b"%PDF-"));
    }
}
