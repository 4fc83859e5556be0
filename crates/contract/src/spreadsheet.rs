//! Text in files that spreadsheets open. The service exports lists, and the desktop saves tables: what a person typed is computed in
//! neither (decision 0122).

/// A spreadsheet takes a text that begins with one of these for a formula, also after spaces, which it leaves out.
const FORMULA: [char; 11] = ['=', '+', '-', '@', '\t', '\r', '\n', '＝', '＋', '－', '＠'];

/// The text as a field that a spreadsheet shows as it is: one that it would compute gets an apostrophe.
#[must_use]
pub fn literal_text(text: String) -> String {
    if text.trim_start_matches(' ').starts_with(FORMULA) {
        format!("'{text}")
    } else {
        text
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn text_that_a_spreadsheet_would_compute_gets_an_apostrophe() {
        for text in [
            "=1+1",
            "+1",
            "-1",
            "@SUM(A1)",
            "\t=1",
            "\r=1",
            "\n=1",
            " =1",
            "＝1",
            "＋1",
            "－1",
            "＠SUM(A1)",
        ] {
            assert_eq!(literal_text(text.to_owned()), format!("'{text}"));
        }
        for text in ["", " ", "Palm", "شركة", "1-2", "INV-2026-0001"] {
            assert_eq!(literal_text(text.to_owned()), text);
        }
    }
}
