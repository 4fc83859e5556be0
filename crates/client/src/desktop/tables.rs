//! Saving a shown table to a file of the user.

use super::{CommandResult, Desktop, WindowKey};
use crate::views::CommandError;
use crate::{csv, files};

/// Letters of a suggested file name that are kept.
const MAX_NAME: usize = 80;

#[expect(
    missing_docs,
    reason = "each command is documented in the one list of commands"
)]
#[expect(
    clippy::missing_errors_doc,
    reason = "each command is documented in the one list of commands"
)]
impl Desktop {
    pub async fn save_table(
        &self,
        window: &WindowKey,
        name: String,
        rows: Vec<Vec<String>>,
    ) -> CommandResult<bool> {
        if rows.is_empty() {
            return Err(CommandError::InvalidCall {
                reason: "a table has a row of names".to_owned(),
            });
        }
        let Some(path) = self.host.choose_file(window, &file_name(&name)).await else {
            return Ok(false);
        };
        let csv = csv::write(&rows);
        files::run_blocking(move || files::write(&path, csv.as_bytes())).await?;
        Ok(true)
    }
}

/// A name without separators of folders, so that it is only a name.
fn file_name(name: &str) -> String {
    let kept: String = name
        .chars()
        .map(|letter| {
            if letter.is_alphanumeric() {
                letter
            } else {
                '-'
            }
        })
        .take(MAX_NAME)
        .collect();
    let name = kept.trim_matches('-');
    format!("{}.csv", if name.is_empty() { "table" } else { name })
}

#[cfg(test)]
mod tests {
    use super::file_name;

    #[test]
    fn suggested_name_is_a_name_and_no_path() {
        assert_eq!(file_name("../../etc/passwd"), "etc-passwd.csv");
        assert_eq!(file_name("أعمار الذمم 2026"), "أعمار-الذمم-2026.csv");
        assert_eq!(file_name("/"), "table.csv");
    }
}
