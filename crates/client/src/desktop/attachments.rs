//! Commands about attachments.

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use invoicing_contract::DocumentKey;
use invoicing_contract::attachments::MAX_BYTES;
use uuid::Uuid;

use super::drafts::{check_key, draft_owner};
use super::{CommandResult, Desktop, WindowKey};
use crate::drafts::DraftOwner;
use crate::files;
use crate::organizations::ChangedData;
use crate::views::{
    AttachmentFile, AttachmentProblem, AttachmentsView, CommandError, FileWithoutDocument,
    WindowBinding,
};

#[expect(
    missing_docs,
    reason = "each command is documented in the one list of commands"
)]
#[expect(
    clippy::missing_errors_doc,
    reason = "each command is documented in the one list of commands"
)]
impl Desktop {
    pub async fn list_attachments(
        &self,
        window: &WindowKey,
        binding: WindowBinding,
        key: DocumentKey,
    ) -> CommandResult<AttachmentsView> {
        let context = self.call_context(window, &binding, "list_attachments", false)?;
        check_key(&key)?;
        let owner = draft_owner(&context);
        let local = self.is_local(&owner, &key).await?;
        self.attachments.list(&context, &owner, &key, local).await
    }

    pub async fn list_files_without_document(
        &self,
        window: &WindowKey,
        binding: WindowBinding,
    ) -> CommandResult<Vec<FileWithoutDocument>> {
        let context = self.call_context(window, &binding, "list_files_without_document", false)?;
        if context.session.is_impersonated() {
            return Ok(Vec::new());
        }
        let owner = draft_owner(&context);
        self.attachments.files_without_document(&owner).await
    }

    pub async fn add_attachment(
        &self,
        window: &WindowKey,
        binding: WindowBinding,
        key: DocumentKey,
        file: AttachmentFile,
    ) -> CommandResult<AttachmentsView> {
        // Files that wait are on the disk.
        self.refuse_while_impersonating(window)?;
        let context = self.call_context(window, &binding, "add_attachment", true)?;
        let _changed = self.notice_of_change(window, &binding, ChangedData::Documents);
        check_key(&key)?;
        // Base64 has four characters for three bytes.
        if file.content.len() > (MAX_BYTES / 3 + 1) * 4 {
            return Err(CommandError::AttachmentRefused {
                file: file.name.into(),
                problem: AttachmentProblem::TooLarge,
            });
        }
        let content =
            STANDARD
                .decode(&file.content)
                .map_err(|error| CommandError::InvalidCall {
                    reason: format!("content is not Base64: {error}"),
                })?;
        let owner = draft_owner(&context);
        // A file is an input: without its draft it would wait for a document that never comes.
        Box::pin(self.write_begun_draft(&owner, &key)).await?;
        let local = self.is_local(&owner, &key).await?;
        let present = self.attachments.list(&context, &owner, &key, local).await?;
        let count = present.attachments.len();
        let id = self
            .attachments
            .keep(&owner, &key, &file.name, content, count)
            .await?;
        if !local {
            if let Err(error) = self.attachments.send_waiting(&context, &owner, &key).await {
                tracing::info!(?error, "an attachment waits");
            }
            self.send_files_later(&context.session, &owner, &key);
            // Of this file alone: another one that is refused is listed with its reason.
            if let Some(error) = self.attachments.refusal(&owner, &key, &id) {
                // The user has the file. What was refused is not tried again.
                self.attachments.remove_waiting(&owner, &key, &id).await?;
                return Err(error);
            }
        }
        self.attachments.list(&context, &owner, &key, local).await
    }

    pub async fn send_attachments(
        &self,
        window: &WindowKey,
        binding: WindowBinding,
        key: DocumentKey,
    ) -> CommandResult<AttachmentsView> {
        // Files that wait are on the disk.
        self.refuse_while_impersonating(window)?;
        let context = self.call_context(window, &binding, "send_attachments", true)?;
        let _changed = self.notice_of_change(window, &binding, ChangedData::Documents);
        check_key(&key)?;
        let owner = draft_owner(&context);
        let local = self.is_local(&owner, &key).await?;
        if !local {
            let sent = self.attachments.send_waiting(&context, &owner, &key).await;
            self.send_files_later(&context.session, &owner, &key);
            sent?;
        }
        self.attachments.list(&context, &owner, &key, local).await
    }

    pub async fn save_attachment(
        &self,
        window: &WindowKey,
        binding: WindowBinding,
        key: DocumentKey,
        attachment: String,
    ) -> CommandResult<Option<String>> {
        let context = self.call_context(window, &binding, "save_attachment", false)?;
        check_ids(&key, &attachment)?;
        let owner = draft_owner(&context);
        let (name, bytes) = self
            .attachments
            .download(&context, &owner, &key, &attachment)
            .await?;
        let Some(path) = self.host.choose_file(window, &suggestion(&name)).await else {
            return Ok(None);
        };
        let saved = path
            .file_name()
            .map(|name| name.to_string_lossy().into_owned());
        files::run_blocking(move || files::write(&path, &bytes)).await?;
        Ok(Some(saved.unwrap_or_default()))
    }

    pub async fn remove_attachment(
        &self,
        window: &WindowKey,
        binding: WindowBinding,
        key: DocumentKey,
        attachment: String,
    ) -> CommandResult<AttachmentsView> {
        let context = self.call_context(window, &binding, "remove_attachment", true)?;
        let _changed = self.notice_of_change(window, &binding, ChangedData::Documents);
        check_ids(&key, &attachment)?;
        let owner = draft_owner(&context);
        let local = self.is_local(&owner, &key).await?;
        self.attachments
            .remove(&context, &owner, &key, &attachment, local)
            .await?;
        self.attachments.list(&context, &owner, &key, local).await
    }
}

impl Desktop {
    /// Whether the key is that of a draft which the service does not have, as far as is known here.
    pub(super) async fn is_local(
        &self,
        owner: &DraftOwner,
        key: &DocumentKey,
    ) -> CommandResult<bool> {
        if self.open_drafts.begun(owner, key).is_some() {
            return Ok(true);
        }
        let draft = self.drafts.get(owner, key).await?;
        Ok(draft.is_some_and(|draft| draft.changes.is_none()))
    }
}

fn check_ids(key: &DocumentKey, attachment: &str) -> CommandResult<()> {
    check_key(key)?;
    match Uuid::try_parse(attachment) {
        Ok(_) => Ok(()),
        Err(error) => Err(CommandError::InvalidCall {
            reason: format!("attachment is not a UUID: {error}"),
        }),
    }
}

/// A name as a suggestion in any folder of any system: it is of whoever added the file.
fn suggestion(name: &str) -> String {
    let unsafe_letter = |letter: char| {
        letter.is_control()
            || matches!(letter, '/' | '\\' | ':' | '*' | '?' | '"' | '<' | '>' | '|')
            // Marks of direction can make the end of a name look like another one.
            || matches!(letter, '\u{200e}' | '\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}')
    };
    let name: String = name
        .chars()
        .map(|letter| if unsafe_letter(letter) { '_' } else { letter })
        .collect();
    let name = name.trim_start_matches('.').trim();
    if name.is_empty() {
        "attachment".to_owned()
    } else {
        name.to_owned()
    }
}

#[cfg(test)]
mod tests {
    use super::suggestion;

    #[test]
    fn name_of_an_attachment_is_a_name_and_never_a_path() {
        for (name, suggested) in [
            ("Offer 12.pdf", "Offer 12.pdf"),
            ("عرض.pdf", "عرض.pdf"),
            ("../../etc/passwd", "_.._etc_passwd"),
            ("invoice\u{202e}fdp.exe", "invoice_fdp.exe"),
            (".bashrc", "bashrc"),
            ("..", "attachment"),
        ] {
            assert_eq!(suggestion(name), suggested);
        }
    }
}
