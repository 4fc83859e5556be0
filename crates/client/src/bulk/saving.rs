//! Saves the documents of a bulk run as files, in a folder that the user has chosen (decision 0189).

use std::collections::HashMap;
use std::fs;
use std::io::ErrorKind;
use std::path::{Path, PathBuf};

use futures_util::future::join_all;
use invoicing_contract::DocumentKey;
use serde::{Deserialize, Serialize};

use super::check::is_about_the_document;
use super::ledger::{self, Outcome, Outcomes};
use super::run::{ENTRY_ATTEMPTS, Step};
use super::{BulkRuns, CONCURRENT_DOCUMENTS, Run};
use crate::files::{self, FileError, Replacement};
use crate::gateway::{CallContext, DownloadedFile, background_delay};
use crate::paper::numbered_name;
use crate::views::{
    BulkOutcome, CommandError, DocumentFormat, InvoiceQuery, InvoiceRow, PrintLanguage,
};

/// Characters of its key that the file of a document without a number has in its name. They are random.
const KEY_IN_NAME: usize = 12;

/// Where a run saves files, and in which language their pages are labelled.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub(crate) struct Saving {
    pub(crate) folder: PathBuf,
    pub(crate) language: PrintLanguage,
}

impl Saving {
    /// The name of the folder, without where it is. A root has no name.
    pub(super) fn folder_name(&self) -> String {
        let name = self.folder.file_name();
        let name = name.unwrap_or_else(|| self.folder.as_os_str());
        name.to_string_lossy().into_owned()
    }
}

impl BulkRuns {
    /// Removes what a killed program has left of a file that it was writing.
    pub(super) async fn remove_unfinished(run: &Run, saving: &Saving) -> Result<(), CommandError> {
        let (any, id) = (saving.folder.join("any"), run.view().id.clone());
        let removed = files::run_blocking(move || Replacement::remove_abandoned(&any, &id));
        Ok(removed.await?)
    }

    /// Saves the documents of a batch, a few at a time, until each has an outcome, and writes the outcomes.
    pub(super) async fn save_batch(
        &self,
        run: &Run,
        context: &CallContext,
        format: DocumentFormat,
        saving: &Saving,
        batch: u32,
    ) -> Result<Step, CommandError> {
        let (mut rows, mut outcomes) = Self::read_batch(run, batch).await?;
        rows.retain(|row| !outcomes.contains_key(&row.key));
        for group in rows.chunks(CONCURRENT_DOCUMENTS) {
            let before = ledger::count(&outcomes);
            let saved = self
                .save_group(run, context, format, saving, group, &mut outcomes)
                .await;
            let written = self
                .write_outcomes(run, batch, before, outcomes.clone())
                .await;
            let step = saved?;
            // Without its outcomes the group is saved again, which finds its files.
            written?;
            if step == Step::Stopped {
                return Ok(Step::Stopped);
            }
        }
        Ok(Step::Completed)
    }

    /// Fetches the files of a few documents at the same time and writes them one after the other, so that no two of them take the
    /// same name.
    async fn save_group(
        &self,
        run: &Run,
        context: &CallContext,
        format: DocumentFormat,
        saving: &Saving,
        group: &[InvoiceRow],
        outcomes: &mut Outcomes,
    ) -> Result<Step, CommandError> {
        let mut attempts: HashMap<DocumentKey, u32> = HashMap::new();
        let mut failed_attempts = 0;
        loop {
            let left = group.iter().filter(|row| !outcomes.contains_key(&row.key));
            let left: Vec<_> = left.map(|row| row.key.clone()).collect();
            if left.is_empty() {
                return Ok(Step::Completed);
            }
            let downloads = left.iter().map(|key| {
                self.invoices
                    .download(context, key, format, saving.language)
            });
            let downloads = join_all(downloads);
            let fetching = Box::pin(async {
                let downloads = downloads.await;
                let is_reached = self.is_reached(context, &downloads).await;
                (downloads, is_reached)
            });
            let mut stop = run.stop.subscribe();
            let (downloads, is_reached) = tokio::select! {
                biased;
                // To fetch is to read: what is dropped is fetched again.
                _ = stop.wait_for(|stop| *stop) => return Ok(Step::Stopped),
                fetched = fetching => fetched,
            };
            let (mut fetched, mut temporary) = (Vec::new(), None);
            for (key, download) in left.into_iter().zip(downloads) {
                let error = match download {
                    Ok(file) => {
                        fetched.push((key, file));
                        continue;
                    }
                    Err(error) => error,
                };
                let mut is_final = is_about_the_document(&error);
                if is_of_one_document(&error, is_reached) {
                    let attempts = attempts.entry(key.clone()).or_default();
                    *attempts += 1;
                    is_final = *attempts >= ENTRY_ATTEMPTS;
                }
                if is_final {
                    let error = Box::new(error);
                    let outcome = Outcome {
                        row: None,
                        outcome: BulkOutcome::Failed { error },
                    };
                    outcomes.insert(key, outcome);
                } else if temporary.is_none() || background_delay(&error, 0).is_none() {
                    // What is not temporary ends the run.
                    temporary = Some(error);
                }
            }
            Self::write_files(run, format, saving, fetched, outcomes).await?;
            let Some(error) = temporary else {
                continue;
            };
            if self.wait(run, context, error, failed_attempts).await? == Step::Stopped {
                return Ok(Step::Stopped);
            }
            failed_attempts += 1;
        }
    }

    /// Whether the service is reached now: it has answered about one of these documents. If none has an answer, and one has an answer that
    /// is unlike the service's, the list is asked: of the last documents of a run no other one tells.
    async fn is_reached(
        &self,
        context: &CallContext,
        downloads: &[Result<DownloadedFile, CommandError>],
    ) -> bool {
        let is_answered = downloads.iter().any(|download| match download {
            Ok(_) => true,
            Err(error) => is_about_the_document(error),
        });
        let is_unlike_the_services = downloads
            .iter()
            .any(|download| matches!(download, Err(CommandError::UnexpectedResponse { .. })));
        if is_answered || !is_unlike_the_services {
            return is_answered;
        }
        let query = InvoiceQuery::default();
        let listed = self.invoices.rows_from(context, &query, 0, 1).await;
        listed.is_ok()
    }

    /// Writes what was fetched. What is written has its outcome, also if the disk refuses the next file.
    async fn write_files(
        run: &Run,
        format: DocumentFormat,
        saving: &Saving,
        fetched: Vec<(DocumentKey, DownloadedFile)>,
        outcomes: &mut Outcomes,
    ) -> Result<(), CommandError> {
        let (folder, id) = (saving.folder.clone(), run.view().id.clone());
        let writing = files::run_blocking(move || {
            let mut saved = Vec::new();
            for (key, file) in fetched {
                let name = file_name(&file, &key, format);
                match save_file(&folder, &name, &id, &file.bytes) {
                    Ok(file) => saved.push((key, file)),
                    Err(error) => return (saved, Err(error)),
                }
            }
            (saved, Ok(()))
        });
        let (saved, written) = writing.await;
        let saved = saved.into_iter().map(|(key, file)| {
            let outcome = BulkOutcome::Saved { file };
            (key, Outcome { row: None, outcome })
        });
        outcomes.extend(saved);
        Ok(written?)
    }
}

/// Whether a temporary error is of one document, as far as is known: the service fails with it, or its file does not come whole while
/// answers about others do.
const fn is_of_one_document(error: &CommandError, others_are_answered: bool) -> bool {
    matches!(error, CommandError::Internal { .. })
        || (others_are_answered && matches!(error, CommandError::UnexpectedResponse { .. }))
}

/// The name of the file of a document, as a single save suggests it. Here nobody changes it: a document without a number has the end of
/// its key in it, and the ending is that of the format, whatever the service says.
fn file_name(file: &DownloadedFile, key: &DocumentKey, format: DocumentFormat) -> String {
    let ending = match format {
        DocumentFormat::Pdf => ".pdf",
        DocumentFormat::Ubl => ".xml",
    };
    if let Some(name) = numbered_name(file, key) {
        return format!("{}{ending}", name.strip_suffix(ending).unwrap_or(name));
    }
    let key: Vec<_> = key
        .as_str()
        .chars()
        .filter(char::is_ascii_alphanumeric)
        .collect();
    let end = &key[key.len().saturating_sub(KEY_IN_NAME)..];
    format!("draft-{}{ending}", end.iter().collect::<String>())
}

/// Writes a file under the first of its names that no other file has, and returns that name. A file with the same bytes is the one that
/// is wanted: an earlier attempt has written it, or an earlier run.
fn save_file(folder: &Path, name: &str, id: &str, bytes: &[u8]) -> Result<String, FileError> {
    let (stem, ending) = name.rsplit_once('.').unwrap_or((name, ""));
    let mut name = name.to_owned();
    let mut number: u32 = 1;
    loop {
        let target = folder.join(&name);
        let is_there = match find(&target, bytes)? {
            Found::Same => true,
            Found::Other => false,
            Found::Nothing => {
                let mut file = Replacement::create(target, id)?;
                file.write(bytes)?;
                file.commit_new()?
            }
        };
        if is_there {
            return Ok(name);
        }
        number += 1;
        name = format!("{stem}_{number}.{ending}");
    }
}

/// What has the name that a file is to get.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Found {
    Nothing,
    Same,
    Other,
}

fn find(target: &Path, bytes: &[u8]) -> Result<Found, FileError> {
    let found = match fs::symlink_metadata(target) {
        Ok(found) => found,
        Err(error) if error.kind() == ErrorKind::NotFound => return Ok(Found::Nothing),
        Err(error) => return Err(error.into()),
    };
    let is_as_long = found.is_file() && u64::try_from(bytes.len()) == Ok(found.len());
    // One that cannot be read is another one.
    let is_same = is_as_long && matches!(files::read(target), Ok(Some(read)) if read == bytes);
    Ok(if is_same { Found::Same } else { Found::Other })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::views::Support;

    fn file(name: &str) -> DownloadedFile {
        DownloadedFile {
            name: name.to_owned(),
            bytes: Vec::new(),
        }
    }

    #[test]
    fn file_has_the_number_of_its_document_or_the_end_of_its_key() {
        let key = DocumentKey::new("01935b7e-6f0a-7c3e-9a51-2f4d8c0b7a11".to_owned());
        let pdf = |name: &str| file_name(&file(name), &key, DocumentFormat::Pdf);
        assert_eq!(pdf("INV-2026-0001.pdf"), "INV-2026-0001.pdf");
        assert_eq!(pdf(&format!("{key}.pdf")), "draft-2f4d8c0b7a11.pdf");
        assert_eq!(pdf(""), "draft-2f4d8c0b7a11.pdf");
        assert_eq!(pdf("INV-1.exe"), "INV-1.exe.pdf");
        let xml = file_name(&file("INV-1.xml"), &key, DocumentFormat::Ubl);
        assert_eq!(xml, "INV-1.xml");
        let of_page = DocumentKey::new("../../x".to_owned());
        assert_eq!(
            file_name(&file(""), &of_page, DocumentFormat::Pdf),
            "draft-x.pdf"
        );
    }

    #[test]
    fn other_file_is_never_replaced_and_the_same_one_is_not_written_twice() {
        let folder = tempfile::tempdir().expect("a folder");
        let save = |bytes: &[u8]| save_file(folder.path(), "a.pdf", "1", bytes);
        let names = || {
            let entries = fs::read_dir(folder.path()).expect("listed").flatten();
            let names = entries.map(|entry| entry.file_name().to_string_lossy().into_owned());
            let mut names: Vec<_> = names.collect();
            names.sort();
            names
        };
        fs::write(folder.path().join("a.pdf"), "of somebody").expect("written");
        fs::create_dir(folder.path().join("a_2.pdf")).expect("created");
        assert_eq!(save(b"new").expect("saved"), "a_3.pdf");
        assert_eq!(save(b"new").expect("saved"), "a_3.pdf");
        // As long, and another one.
        assert_eq!(save(b"NEW").expect("saved"), "a_4.pdf");
        assert_eq!(names(), ["a.pdf", "a_2.pdf", "a_3.pdf", "a_4.pdf"]);
        let first = fs::read_to_string(folder.path().join("a.pdf"));
        assert_eq!(first.expect("read"), "of somebody");
        let third = fs::read_to_string(folder.path().join("a_3.pdf"));
        assert_eq!(third.expect("read"), "new");
    }

    #[test]
    fn folder_that_is_gone_is_not_made_again() {
        let folder = tempfile::tempdir().expect("a folder");
        let gone = folder.path().join("gone");
        let refused = save_file(&gone, "a.pdf", "1", b"new").expect_err("it is gone");
        assert_eq!(refused.problem(), crate::views::DiskProblem::Missing);
        assert!(!gone.exists());
    }

    #[test]
    fn answers_that_are_unlike_the_services_count_for_a_document_only_where_others_are_right() {
        let support = || Box::new(Support::default());
        let page = CommandError::UnexpectedResponse {
            status: 200,
            support: support(),
        };
        assert!(!is_of_one_document(&page, false), "as of a captive portal");
        assert!(is_of_one_document(&page, true));
        let offline = CommandError::Offline { support: support() };
        assert!(!is_of_one_document(&offline, true));
        let internal = CommandError::Internal { support: support() };
        assert!(is_of_one_document(&internal, false));
    }
}
