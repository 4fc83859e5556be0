//! Rows as CSV (RFC 4180) in UTF-8.

use csv::{QuoteStyle, Terminator, Writer, WriterBuilder};
use invoicing_contract::spreadsheet::literal_text;
use invoicing_storage::documents::DocumentSummary;

use super::columns::{Cell, Columns};

/// Without it Excel takes the bytes for its own code page.
const BYTE_ORDER_MARK: &[u8] = "\u{feff}".as_bytes();

/// The heads of the columns.
pub(super) fn head(columns: &Columns, byte_order_mark: bool) -> Result<Vec<u8>, csv::Error> {
    let mut bytes = Vec::new();
    if byte_order_mark {
        bytes.extend_from_slice(BYTE_ORDER_MARK);
    }
    let mut writer = writer(bytes);
    writer.write_record(columns.heads())?;
    finish(writer)
}

/// The rows of a page.
pub(super) fn rows(columns: &Columns, rows: &[DocumentSummary]) -> Result<Vec<u8>, csv::Error> {
    let mut writer = writer(Vec::new());
    for row in rows {
        writer.write_record(columns.cells(row).map(field))?;
    }
    finish(writer)
}

fn writer(bytes: Vec<u8>) -> Writer<Vec<u8>> {
    WriterBuilder::new()
        .terminator(Terminator::CRLF)
        .quote_style(QuoteStyle::Necessary)
        .from_writer(bytes)
}

fn finish(writer: Writer<Vec<u8>>) -> Result<Vec<u8>, csv::Error> {
    writer
        .into_inner()
        .map_err(|error| csv::Error::from(error.into_error()))
}

/// What a person typed is never computed. Other cells hold no text of a person.
fn field(cell: Cell) -> String {
    match cell {
        Cell::Text(text) => literal_text(text),
        Cell::Code(text) | Cell::Date(text) | Cell::Amount { text, .. } => text,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn text_of_a_person_is_not_computed_and_an_amount_stays_a_number() {
        assert_eq!(field(Cell::Text("＋1".into())), "'＋1");
        assert_eq!(field(Cell::Text("Palm".into())), "Palm");
        let amount = Cell::Amount {
            text: "-1.00".into(),
            decimals: 2,
        };
        assert_eq!(field(amount), "-1.00", "an amount is no text of a person");
    }

    #[test]
    fn fields_are_quoted_as_rfc_4180_says() {
        let mut writer = writer(Vec::new());
        writer
            .write_record(["a,b", "c\"d", "e\r\nf", "g"])
            .expect("a record");
        let bytes = finish(writer).expect("bytes");
        assert_eq!(bytes, b"\"a,b\",\"c\"\"d\",\"e\r\nf\",g\r\n");
    }
}
