//! Tables as CSV (RFC 4180), for spreadsheets.

use invoicing_contract::spreadsheet::literal_text;

/// A table as UTF-8 with a byte order mark, by which spreadsheets know it. A text is not computed, and an amount stays a number.
pub(crate) fn write(rows: &[Vec<String>]) -> String {
    let mut csv = String::from('\u{feff}');
    for row in rows {
        let cells: Vec<_> = row.iter().map(|cell| quoted(cell)).collect();
        csv.push_str(&cells.join(","));
        csv.push_str("\r\n");
    }
    csv
}

fn quoted(cell: &str) -> String {
    let text = cell.to_owned();
    let text = if is_number(cell) {
        text
    } else {
        literal_text(text)
    };
    if text.contains([',', '"', '\n', '\r', ';']) {
        format!("\"{}\"", text.replace('"', "\"\""))
    } else {
        text
    }
}

fn is_number(cell: &str) -> bool {
    invoice::decimal::parse(cell).is_ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn cells_are_quoted_and_formulas_are_not_computed() {
        let rows = [
            ["Buyer", "Net, SAR"].map(str::to_owned).to_vec(),
            ["=1+1", "-12.50"].map(str::to_owned).to_vec(),
            ["قال \"نعم\"", "@SUM(A1)"].map(str::to_owned).to_vec(),
            [" =1", "＝1"].map(str::to_owned).to_vec(),
        ];
        assert_eq!(
            write(&rows),
            "\u{feff}Buyer,\"Net, SAR\"\r\n'=1+1,-12.50\r\n\"قال \"\"نعم\"\"\",'@SUM(A1)\r\n' =1,'＝1\r\n"
        );
    }
}
