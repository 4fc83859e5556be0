//! Counts the rows of CSV as it arrives (RFC 4180): a line end within quotes is a part of a field.

/// The rows so far.
#[derive(Debug, Default)]
pub(super) struct CsvRows {
    in_quotes: bool,
    ended: u32,
}

impl CsvRows {
    /// Reads the next bytes, which may begin and end anywhere.
    pub(super) fn read(&mut self, bytes: &[u8]) {
        for byte in bytes {
            match byte {
                // A doubled quote ends the quotes and begins them again.
                b'"' => self.in_quotes = !self.in_quotes,
                b'\n' if !self.in_quotes => self.ended += 1,
                _ => {}
            }
        }
    }

    /// Without the line of the names.
    pub(super) const fn count(&self) -> u32 {
        self.ended.saturating_sub(1)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn line_ends_within_quotes_are_not_rows_wherever_chunks_end() {
        let text = "name,note\r\n\"a\nb\",\"say \"\"x\"\"\n\"\r\nc,d\r\n";
        for size in 1..text.len() {
            let mut rows = CsvRows::default();
            for chunk in text.as_bytes().chunks(size) {
                rows.read(chunk);
            }
            assert_eq!(rows.count(), 2, "chunks of {size}");
        }
        assert_eq!(CsvRows::default().count(), 0);
    }
}
