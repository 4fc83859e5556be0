//! Commands about documents on paper and as files.

use std::collections::BTreeMap;
use std::path::PathBuf;

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use invoicing_contract::{ConcurrencyStamp, DocumentKey};

use super::drafts::check_key;
use super::{CommandResult, Desktop, WindowKey};
use crate::invoices::read_file;
use crate::organizations::AccountShortlist;
use crate::paper::{numbered_name, read_opened};
use crate::views::{
    CommandError, DocumentFormat, Draft, FileReading, LocalizedText, OpenedFile, PrintLanguage,
    PrintedPages, WindowBinding,
};
use crate::{files, organizations};

/// Most pages that are made at once.
const MAX_PAGES: u32 = 200;

#[expect(
    missing_docs,
    reason = "each command is documented in the one list of commands"
)]
#[expect(
    clippy::missing_errors_doc,
    reason = "each command is documented in the one list of commands"
)]
impl Desktop {
    pub async fn save_document(
        &self,
        window: &WindowKey,
        binding: WindowBinding,
        key: DocumentKey,
        format: DocumentFormat,
        language: PrintLanguage,
    ) -> CommandResult<Option<String>> {
        let context = self.call_context(window, &binding, "save_document", false)?;
        let file = self
            .invoices
            .download(&context, &key, format, language)
            .await?;
        let suggested = numbered_name(&file, &key).unwrap_or(match format {
            DocumentFormat::Pdf => "draft.pdf",
            DocumentFormat::Ubl => "document.xml",
        });
        let Some(path) = self.host.choose_file(window, suggested).await else {
            return Ok(None);
        };
        let saved = path
            .file_name()
            .map(|name| name.to_string_lossy().into_owned());
        files::run_blocking(move || files::write(&path, &file.bytes)).await?;
        Ok(Some(saved.unwrap_or_default()))
    }

    pub async fn print_document(
        &self,
        window: &WindowKey,
        binding: WindowBinding,
        key: DocumentKey,
        stamp: ConcurrencyStamp,
        language: PrintLanguage,
        pages: u32,
    ) -> CommandResult<PrintedPages> {
        let context = self.call_context(window, &binding, "print_document", false)?;
        let most = page_limit(pages)?;
        let printable = self.invoices.printable(&context, &key, &stamp).await?;
        self.printer.pages(printable, language, most).await
    }

    pub async fn print_draft(
        &self,
        window: &WindowKey,
        binding: WindowBinding,
        draft: Draft,
        language: PrintLanguage,
        pages: u32,
    ) -> CommandResult<PrintedPages> {
        let context = self.call_context(window, &binding, "print_draft", false)?;
        check_key(&draft.key)?;
        let most = page_limit(pages)?;
        // As the service names the organization: an alias is a name for this computer only.
        let views = organizations::views(
            &context.session.identity(),
            &BTreeMap::new(),
            &self.organization_names.of(&context.session.account_key()),
            &AccountShortlist::default(),
        );
        let mut views = views.into_iter();
        let name = views
            .find(|view| view.id == binding.organization)
            .map(|view| LocalizedText {
                en: view.name,
                ar: view.arabic.map(|arabic| arabic.name).unwrap_or_default(),
            });
        let printable = self
            .invoices
            .draft_printable(
                &context,
                &draft,
                name.unwrap_or_default(),
                self.today_of(&context),
            )
            .await;
        self.printer.pages(printable, language, most).await
    }

    pub async fn take_opened_file(&self, window: &WindowKey) -> CommandResult<Option<OpenedFile>> {
        let Some(path) = self.opened_files.take(window) else {
            return Ok(None);
        };
        self.changes.notify();
        files::run_blocking(move || read_opened(&path))
            .await
            .map(Some)
    }

    pub async fn read_invoice_file(
        &self,
        window: &WindowKey,
        binding: WindowBinding,
        content: String,
    ) -> CommandResult<FileReading> {
        let context = self.call_context(window, &binding, "read_invoice_file", false)?;
        let bytes = STANDARD
            .decode(content)
            .map_err(|error| CommandError::InvalidCall {
                reason: format!("content is not Base64: {error}"),
            })?;
        let own = self.invoices.known_seller(&context).await;
        let today = self.today_of(&context);
        files::run_blocking(move || read_file(&bytes, own.as_ref(), today)).await
    }
}

impl Desktop {
    /// Opens a file that the system passed to the program, in the window that is brought to the front. It takes the file once
    /// somebody is signed in.
    pub fn open_file(&self, path: PathBuf) {
        let front = self.front_window();
        if let Some(front) = &front {
            self.host.show_window(front);
        }
        self.opened_files.leave(front, path);
        self.changes.notify();
    }
}

fn page_limit(pages: u32) -> CommandResult<usize> {
    if !(1..=MAX_PAGES).contains(&pages) {
        return Err(CommandError::InvalidCall {
            reason: format!("pages is 1 to {MAX_PAGES}"),
        });
    }
    usize::try_from(pages).map_err(|error| CommandError::InvalidCall {
        reason: error.to_string(),
    })
}
