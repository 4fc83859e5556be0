//! Estimates the column widths of the line table from its texts. If Typst had to measure every cell, it would lay out
//! each cell several times.

use serde_json::Value;

/// The font sizes of cells and of their secondary text, in points.
const FONT_SIZE: f32 = 8.5;
const SMALL_FONT_SIZE: f32 = 7.5;
/// The horizontal inset of a cell, both sides together, in points.
const INSET: f32 = 8.0;
/// The widths of the column labels in any language: number, quantity, price, rate, net amount, tax, amount with tax.
const HEADER_WIDTHS: [f32; 7] = [22.0, 50.0, 58.0, 44.0, 44.0, 66.0, 70.0];
/// The width of the longest unit label.
const UNIT: f32 = 30.0;
/// The space before the percent sign.
const SPACE: f32 = 3.0;
/// The width of the longest word of a tax category. Its words stand below the rate, and break between them.
const CATEGORY: f32 = 46.0;
/// The largest total width that leaves space for the description.
const MAX_TOTAL: f32 = 370.0;

/// The widths of all columns except the description, in points. Empty if they are too wide: then Typst measures the cells.
#[expect(clippy::float_arithmetic, reason = "points of paper, and no money")]
pub(super) fn estimate(lines: &[Value]) -> Vec<f32> {
    let text =
        |line: &Value, name: &str, size: f32| width(line[name].as_str().unwrap_or("")) * size;
    let taxed = |line: &Value| line["tax"] != "" || line["gross"] != "";
    let count = if lines.iter().any(taxed) { 7 } else { 5 };
    let mut widths = HEADER_WIDTHS[..count].to_vec();
    for line in lines {
        let unit = text(line, "unit", SMALL_FONT_SIZE).max(UNIT);
        let per = text(line, "base", SMALL_FONT_SIZE) + UNIT;
        let category = if line["category"] == "" {
            0.0
        } else {
            CATEGORY
        };
        let cells = [
            text(line, "id", FONT_SIZE),
            text(line, "quantity", FONT_SIZE) + unit,
            text(line, "price", FONT_SIZE).max(per),
            (text(line, "rate", FONT_SIZE) + SPACE).max(category),
            text(line, "net", FONT_SIZE),
            text(line, "tax", FONT_SIZE),
            text(line, "gross", FONT_SIZE),
        ];
        for (width, cell) in widths.iter_mut().zip(cells) {
            *width = width.max(cell + INSET);
        }
    }
    if widths.iter().sum::<f32>() > MAX_TOTAL {
        return Vec::new();
    }
    widths
}

/// An upper bound of the width of a text in em. Digits are tabular.
fn width(text: &str) -> f32 {
    let letter = |letter: char| match letter {
        '0'..='9' | '-' => 0.66,
        '.' | ',' | ' ' | '\u{a0}' | '\u{200b}' => 0.35,
        _ => 1.0,
    };
    text.chars().map(letter).sum()
}
