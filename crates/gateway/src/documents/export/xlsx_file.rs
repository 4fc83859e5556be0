//! Rows as a workbook of Office Open XML, written to temporary files so that its memory does not grow with the rows.

use std::fs::File;
use std::io::{self, Seek as _, SeekFrom};

use invoicing_storage::documents::DocumentSummary;
use rust_xlsxwriter::{ExcelDateTime, Format, Workbook, XlsxError};
use tokio::sync::mpsc::Receiver;

use super::columns::{Cell, Columns};

/// The most rows of a worksheet, without that of the names.
pub(super) const MAX_ROWS: u64 = 1_048_575;
/// Digits that a cell keeps: its number is an IEEE 754 double. An amount with more is text.
const MAX_DIGITS: usize = 15;
/// Characters that a cell keeps.
const MAX_CHARACTERS: usize = 32_767;
/// The width of every column, in characters.
const WIDTH: f64 = 16.0;

/// Why there is no workbook.
#[derive(Debug, thiserror::Error)]
pub enum XlsxFileError {
    /// The library refused.
    #[error("the workbook cannot be written")]
    Write(#[from] XlsxError),
    /// The temporary file failed.
    #[error("the temporary file of the workbook failed")]
    Io(#[from] io::Error),
}

/// Writes the pages that arrive, and returns the file from its beginning and how many rows it has. Blocks.
pub(super) fn write(
    columns: &Columns,
    mut pages: Receiver<Vec<DocumentSummary>>,
) -> Result<(File, u32), XlsxFileError> {
    let mut workbook = Workbook::new();
    let formats = Formats::new();
    let worksheet = workbook.add_worksheet_with_constant_memory()?;
    if columns.are_right_to_left() {
        worksheet.set_name("المستندات")?;
        worksheet.set_right_to_left(true);
    } else {
        worksheet.set_name("Documents")?;
    }
    worksheet.set_freeze_panes(1, 0)?;
    for (head, number) in columns.heads().zip(0_u16..) {
        worksheet.set_column_width(number, WIDTH)?;
        worksheet.write_string_with_format(0, number, head, &formats.head)?;
    }
    let mut row = 0;
    while let Some(page) = pages.blocking_recv() {
        for summary in &page {
            row += 1;
            for (cell, number) in columns.cells(summary).zip(0_u16..) {
                match cell {
                    Cell::Text(text) | Cell::Code(text) => {
                        let kept: String = text.chars().take(MAX_CHARACTERS).collect();
                        worksheet.write_string(row, number, kept)?;
                    }
                    Cell::Date(text) => match ExcelDateTime::parse_from_str(&text) {
                        Ok(date) => {
                            worksheet.write_datetime_with_format(
                                row,
                                number,
                                date,
                                &formats.date,
                            )?;
                        }
                        // Empty, or before 1900, which the format has no number for.
                        Err(_) => {
                            worksheet.write_string(row, number, text)?;
                        }
                    },
                    Cell::Amount { text, decimals } => match exact_number(&text) {
                        Some(amount) => {
                            let format = formats.amount(decimals);
                            worksheet.write_number_with_format(row, number, amount, format)?;
                        }
                        None => {
                            worksheet.write_string(row, number, text)?;
                        }
                    },
                }
            }
        }
    }
    let mut file = tempfile::tempfile()?;
    workbook.save_to_writer(&mut file)?;
    file.seek(SeekFrom::Start(0))?;
    Ok((file, row))
}

/// The number of a decimal text, if the digits that the cell keeps are all of it.
fn exact_number(text: &str) -> Option<f64> {
    let digits = text.bytes().filter(u8::is_ascii_digit).count();
    if digits > MAX_DIGITS {
        return None;
    }
    text.parse().ok()
}

struct Formats {
    head: Format,
    date: Format,
    /// By decimals.
    amounts: Vec<Format>,
}

impl Formats {
    fn new() -> Self {
        let amount = |decimals: usize| {
            let format = match decimals {
                0 => "#,##0".to_owned(),
                decimals => format!("#,##0.{}", "0".repeat(decimals)),
            };
            Format::new().set_num_format(format)
        };
        Self {
            head: Format::new().set_bold(),
            date: Format::new().set_num_format("yyyy-mm-dd"),
            amounts: (0..=4).map(amount).collect(),
        }
    }

    fn amount(&self, decimals: u32) -> &Format {
        self.amounts.get(decimals as usize).unwrap_or(&self.head)
    }
}

#[cfg(test)]
mod tests {
    use std::io::Read as _;

    use invoicing_contract::attachments::is_of_type;
    use tokio::sync::mpsc;

    use super::super::XLSX;
    use super::*;

    #[test]
    fn workbook_has_what_a_workbook_that_is_attached_must_have() {
        let columns = Columns::new(&[], "en").expect("columns");
        let (sender, pages) = mpsc::channel(1);
        drop(sender);
        let (mut file, rows) = write(&columns, pages).expect("a workbook");
        assert_eq!(rows, 0, "no page has arrived");
        let mut bytes = Vec::new();
        file.read_to_end(&mut bytes).expect("it is read");
        assert!(is_of_type(&bytes, XLSX));
    }

    #[test]
    fn amount_is_a_number_while_a_double_keeps_all_of_its_digits() {
        assert_eq!(exact_number("1091.50"), Some(1091.5));
        assert_eq!(
            exact_number("-9999999999999.99"),
            Some(-9_999_999_999_999.99)
        );
        assert_eq!(exact_number("10000000000000.00"), None, "sixteen digits");
        // Fifteen digits survive the way there and back.
        for text in ["0.1", "999999999999.999", "123456789012.345"] {
            let number = exact_number(text).expect("a number");
            assert_eq!(number.to_string(), text);
        }
    }
}
