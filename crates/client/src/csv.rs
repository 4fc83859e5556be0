//! Tables as CSV (RFC 4180), for spreadsheets.

/// A table as UTF-8 with a byte order mark, by which spreadsheets know it. A text that a spreadsheet would compute gets an apostrophe.
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
    let computed = cell.starts_with(['=', '+', '-', '@', '\t', '\r']) && !is_number(cell);
    let text = if computed {
        format!("'{cell}")
    } else {
        cell.to_owned()
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
        ];
        assert_eq!(
            write(&rows),
            "\u{feff}Buyer,\"Net, SAR\"\r\n'=1+1,-12.50\r\n\"قال \"\"نعم\"\"\",'@SUM(A1)\r\n"
        );
    }
}
