//! The columns of an export.

use invoice::Money;
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

/// The columns of a file, with the words of their heads, kinds and states.
#[derive(Debug, Clone)]
pub(super) struct Columns {
    columns: Vec<Column>,
    words: Words,
}

impl Columns {
    /// The columns with these names, or the usual ones if there are none, in a language; empty: names of fields and codes.
    ///
    /// # Errors
    /// A violation of `language` if it is unknown, and for each name that is unknown or given twice.
    pub(super) fn new(names: &[String], language: &str) -> Result<Self, Vec<FieldViolation>> {
        let mut violations = Vec::new();
        let words = match language {
            "" => Words::Codes,
            "en" => Words::English,
            "ar" => Words::Arabic,
            _ => {
                violations.push(FieldViolation::new("language", "is neither en nor ar"));
                Words::Codes
            }
        };
        let columns = find(names).unwrap_or_else(|unknown| {
            violations.extend(unknown);
            Vec::new()
        });
        if violations.is_empty() {
            Ok(Self { columns, words })
        } else {
            Err(violations)
        }
    }

    pub(super) fn heads(&self) -> impl Iterator<Item = &'static str> {
        let choose = |column: &Column| self.words.choose(column.name, column.heads);
        self.columns.iter().map(choose)
    }

    pub(super) fn cells(&self, row: &DocumentSummary) -> impl Iterator<Item = Cell> {
        let cell = |column: &Column| (column.cell)(row, self.words);
        self.columns.iter().map(cell)
    }

    /// Whether the heads are read from right to left.
    pub(super) fn are_right_to_left(&self) -> bool {
        self.words == Words::Arabic
    }
}

/// The words of heads, kinds and states.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Words {
    /// Names of fields and codes, for programs.
    Codes,
    English,
    Arabic,
}

impl Words {
    const fn choose(
        self,
        code: &'static str,
        [english, arabic]: [&'static str; 2],
    ) -> &'static str {
        match self {
            Self::Codes => code,
            Self::English => english,
            Self::Arabic => arabic,
        }
    }
}

/// A column, by the name of its field in the simple invoice.
#[derive(Debug, Clone, Copy)]
struct Column {
    name: &'static str,
    /// In English and Arabic.
    heads: [&'static str; 2],
    cell: fn(&DocumentSummary, Words) -> Cell,
}

macro_rules! columns {
    ($($name:literal, $english:literal, $arabic:literal => $cell:expr),* $(,)?) => {
        /// Every column.
        const COLUMNS: &[Column] = &[$(Column { name: $name, heads: [$english, $arabic], cell: $cell }),*];
    };
}

columns! {
    "documentKey", "Key", "المعرّف" => |row, _| Cell::Code(row.key.to_string()),
    "number", "Number", "الرقم" => |row, _| Cell::Text(row.number.clone()),
    "kind", "Kind", "النوع" => |row, words| Cell::Code(kind(row.kind, words).to_owned()),
    "status", "Status", "الحالة" => |row, words| Cell::Code(status(row.status, words).to_owned()),
    "issueDate", "Issue date", "تاريخ الإصدار" => |row, _| Cell::Date(row.issue_date.clone()),
    "dueDate", "Due date", "تاريخ الاستحقاق" => |row, _| Cell::Date(row.due_date.clone()),
    "supplyDate", "Supply date", "تاريخ التوريد" => |row, _| Cell::Date(row.supply_date.clone()),
    "buyer", "Buyer", "المشتري" => |row, words| Cell::Text(buyer_name(row, |[en, ar]| {
        let (first, second) = if words == Words::Arabic { (ar, en) } else { (en, ar) };
        if first.is_empty() { second } else { first }
    })),
    "buyerNameEn", "Buyer (English)", "المشتري (بالإنجليزية)" => |row, _| Cell::Text(buyer_name(row, |[en, _]| en)),
    "buyerNameAr", "Buyer (Arabic)", "المشتري (بالعربية)" => |row, _| Cell::Text(buyer_name(row, |[_, ar]| ar)),
    "buyerTaxId", "Tax ID of the buyer", "الرقم الضريبي للمشتري" => |row, _| {
        Cell::Text(row.buyer.as_ref().map(|it| it.tax_id.clone()).unwrap_or_default())
    },
    "currency", "Currency", "العملة" => |row, _| Cell::Code(row.net.currency().code().to_owned()),
    "net", "Net", "الصافي" => |row, _| amount(row.net),
    "tax", "Tax", "الضريبة" => |row, _| amount(row.tax),
    "gross", "Gross", "الإجمالي شامل الضريبة" => |row, _| amount(row.gross),
    "payable", "Payable", "المبلغ المستحق" => |row, _| amount(row.payable),
    "open", "Open", "المبلغ المتبقي" => |row, _| open(row),
    "note", "Note", "ملاحظة" => |row, _| Cell::Text(row.note.clone()),
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
    "open",
];

fn find(names: &[String]) -> Result<Vec<Column>, Vec<FieldViolation>> {
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

fn buyer_name(row: &DocumentSummary, choose: impl Fn([String; 2]) -> String) -> String {
    let name = row.buyer.as_ref().and_then(|buyer| buyer.name.clone());
    name.map(|name| choose([name.en, name.ar]))
        .unwrap_or_default()
}

fn amount(money: Money) -> Cell {
    Cell::Amount {
        text: money.to_string(),
        decimals: money.currency().minor_units(),
    }
}

/// What is open of it; empty for a draft and a credit note.
fn open(row: &DocumentSummary) -> Cell {
    let open = row
        .receivable
        .as_ref()
        .and_then(|receivable| Money::from_minor(receivable.open(), receivable.currency));
    open.map_or_else(|| Cell::Text(String::new()), amount)
}

fn kind(kind: Kind, words: Words) -> &'static str {
    let texts = match kind {
        Kind::Unspecified | Kind::Invoice => ["Invoice", "فاتورة"],
        Kind::CreditNote => ["Credit note", "إشعار دائن"],
        Kind::DebitNote => ["Debit note", "إشعار مدين"],
    };
    words.choose(kind.as_str_name(), texts)
}

fn status(status: Status, words: Words) -> &'static str {
    let texts = match status {
        Status::Unspecified => ["", ""],
        Status::Draft => ["Draft", "مسودة"],
        Status::Issued => ["Issued", "صادرة"],
        Status::Frozen => ["Frozen", "مجمّدة"],
        Status::Rejected => ["Rejected", "مرفوضة"],
    };
    words.choose(status.as_str_name(), texts)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_usual_column_exists_and_unknown_names_are_reported() {
        let usual = Columns::new(&[], "").expect("columns");
        assert!(usual.heads().eq(DEFAULT.iter().copied()));
        let names = ["gross", "colour", "gross"].map(str::to_owned);
        let violations = Columns::new(&names, "fr").expect_err("three are wrong");
        let fields: Vec<_> = violations.iter().map(|each| &*each.field).collect();
        assert_eq!(fields, ["language", "columns[1]", "columns[2]"]);
    }

    #[test]
    fn every_head_is_a_name_for_programs_and_words_for_people() {
        let names: Vec<_> = COLUMNS
            .iter()
            .map(|column| column.name.to_owned())
            .collect();
        let has_latin = |head: &str| head.chars().any(|letter| letter.is_ascii_alphabetic());
        for (language, is_latin) in [("en", true), ("ar", false)] {
            let columns = Columns::new(&names, language).expect("columns");
            let heads: Vec<_> = columns.heads().collect();
            let unique: std::collections::HashSet<_> = heads.iter().collect();
            assert_eq!(unique.len(), heads.len(), "{heads:?}");
            assert!(
                heads.iter().all(|head| has_latin(head) == is_latin),
                "{heads:?}"
            );
        }
        let codes = Columns::new(&names, "").expect("columns");
        assert!(codes.heads().eq(names.iter().map(String::as_str)));
        assert_eq!(kind(Kind::CreditNote, Words::Codes), "CREDIT_NOTE");
        assert_eq!(kind(Kind::CreditNote, Words::English), "Credit note");
        assert_eq!(status(Status::Frozen, Words::Arabic), "مجمّدة");
    }
}
