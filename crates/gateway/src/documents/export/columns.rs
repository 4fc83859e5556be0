//! The columns of an export.

use invoicing_contract::FieldViolation;
use invoicing_contract::messages::documents::{Kind, Status};
use invoicing_storage::documents::DocumentSummary;

/// A cell.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Cell {
    /// Anything that a person typed.
    Text(String),
    /// A value of a fixed list, or a key: letters, digits and hyphens.
    Code(String),
    /// `YYYY-MM-DD`, or empty.
    Date(String),
    /// A decimal, with the decimals of its currency.
    Amount { text: String, decimals: u32 },
}

/// A column, by the name of its field in the simple invoice.
#[derive(Debug, Clone, Copy)]
pub(super) struct Column {
    pub(super) name: &'static str,
    cell: fn(&DocumentSummary) -> Cell,
}

impl Column {
    pub(super) fn cell(&self, row: &DocumentSummary) -> Cell {
        (self.cell)(row)
    }
}

macro_rules! columns {
    ($($name:literal => $cell:expr),* $(,)?) => {
        /// Every column.
        const COLUMNS: &[Column] = &[$(Column { name: $name, cell: $cell }),*];
    };
}

columns! {
    "documentKey" => |row| Cell::Code(row.key.to_string()),
    "number" => |row| Cell::Text(row.number.clone()),
    "kind" => |row| Cell::Code(kind(row.kind).to_owned()),
    "status" => |row| Cell::Code(status(row.status)),
    "issueDate" => |row| Cell::Date(row.issue_date.clone()),
    "dueDate" => |row| Cell::Date(row.due_date.clone()),
    "supplyDate" => |row| Cell::Date(row.supply_date.clone()),
    "buyer" => |row| Cell::Text(buyer_name(row, |[en, ar]| if en.is_empty() { ar } else { en })),
    "buyerNameEn" => |row| Cell::Text(buyer_name(row, |[en, _]| en)),
    "buyerNameAr" => |row| Cell::Text(buyer_name(row, |[_, ar]| ar)),
    "buyerTaxId" => |row| Cell::Text(row.buyer.as_ref().map(|it| it.tax_id.clone()).unwrap_or_default()),
    "currency" => |row| Cell::Code(row.net.currency().code().to_owned()),
    "net" => |row| amount(row.net),
    "tax" => |row| amount(row.tax),
    "gross" => |row| amount(row.gross),
    "payable" => |row| amount(row.payable),
    "note" => |row| Cell::Text(row.note.clone()),
}

/// What an export has that names no columns.
const DEFAULT: &[&str] = &[
    "number",
    "kind",
    "status",
    "issueDate",
    "dueDate",
    "buyer",
    "buyerTaxId",
    "currency",
    "net",
    "tax",
    "gross",
    "payable",
];

/// The columns with these names, or the usual ones if there are none.
///
/// # Errors
/// A violation for each name that is unknown or given twice.
pub(super) fn columns(names: &[String]) -> Result<Vec<Column>, Vec<FieldViolation>> {
    let find = |name: &str| COLUMNS.iter().find(|column| column.name == name).copied();
    if names.is_empty() {
        return Ok(DEFAULT.iter().filter_map(|name| find(name)).collect());
    }
    let mut found: Vec<Column> = Vec::new();
    let mut violations = Vec::new();
    for (index, name) in names.iter().enumerate() {
        let wrong = |what: &str| FieldViolation::new(format!("columns[{index}]"), what);
        match find(name) {
            None => violations.push(wrong("is not one of the columns that exist")),
            Some(column) if found.iter().any(|known| known.name == column.name) => {
                violations.push(wrong("is given twice"));
            }
            Some(column) => found.push(column),
        }
    }
    if violations.is_empty() {
        Ok(found)
    } else {
        Err(violations)
    }
}

fn buyer_name(row: &DocumentSummary, choose: fn([String; 2]) -> String) -> String {
    let name = row.buyer.as_ref().and_then(|buyer| buyer.name.clone());
    name.map(|name| choose([name.en, name.ar]))
        .unwrap_or_default()
}

fn amount(money: invoice::Money) -> Cell {
    Cell::Amount {
        text: money.to_string(),
        decimals: money.currency().minor_units(),
    }
}

fn kind(kind: Kind) -> &'static str {
    kind.as_str_name()
}

fn status(status: Status) -> String {
    status.as_str_name().to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_usual_column_exists_and_unknown_names_are_reported() {
        assert_eq!(columns(&[]).expect("columns").len(), DEFAULT.len());
        let names = ["gross", "colour", "gross"].map(str::to_owned);
        let violations = columns(&names).expect_err("two are wrong");
        let fields: Vec<_> = violations.iter().map(|each| &*each.field).collect();
        assert_eq!(fields, ["columns[1]", "columns[2]"]);
    }
}
