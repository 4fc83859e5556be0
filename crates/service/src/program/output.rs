//! The output of a subcommand: a table for people, or JSON for programs.

use std::io::Write as _;

use comfy_table::presets::UTF8_HORIZONTAL_ONLY;
use comfy_table::{ContentArrangement, Table};
use invoicing_contract::Timestamp;
use serde::Serialize;
use serde_json::Value;

/// The output of a subcommand. It can hold a secret, which is printed only once.
pub struct Output {
    json: Value,
    columns: Vec<&'static str>,
}

impl Output {
    /// One record, a line for each of its fields.
    #[must_use]
    pub fn one(record: &impl Serialize) -> Self {
        Self {
            json: value(record),
            columns: Vec::new(),
        }
    }

    /// A table of records with these fields as columns.
    #[must_use]
    pub fn list(records: &[impl Serialize], columns: &[&'static str]) -> Self {
        Self {
            json: value(&records),
            columns: columns.to_vec(),
        }
    }

    /// Writes it to standard output.
    ///
    /// # Errors
    /// The output cannot be written.
    pub fn print(&self, json: bool) -> std::io::Result<()> {
        let mut out = std::io::stdout().lock();
        if json {
            serde_json::to_writer_pretty(&mut out, &self.json)?;
            return writeln!(out);
        }
        let table = match self.json.as_array() {
            Some(records) => self.rows(records),
            None => lines(&self.json),
        };
        writeln!(out, "{table}")
    }

    fn rows(&self, records: &[Value]) -> Table {
        let mut table = table();
        table.set_header(self.columns.iter().map(|column| heading(column)));
        for record in records {
            table.add_row(self.columns.iter().map(|column| cell(&record[*column])));
        }
        table
    }
}

fn lines(record: &Value) -> Table {
    let mut table = table();
    for (name, value) in record.as_object().into_iter().flatten() {
        table.add_row([heading(name), cell(value)]);
    }
    table
}

fn table() -> Table {
    let mut table = Table::new();
    table
        .load_preset(UTF8_HORIZONTAL_ONLY)
        .set_content_arrangement(ContentArrangement::Disabled);
    table
}

fn value(record: &impl Serialize) -> Value {
    serde_json::to_value(record).expect("what is output is made of texts, numbers and lists")
}

/// `homeOrganization` as `home organization`.
fn heading(name: &str) -> String {
    let mut heading = String::new();
    for letter in name.chars() {
        if letter.is_uppercase() {
            heading.push(' ');
        }
        heading.extend(letter.to_lowercase());
    }
    heading
}

/// The text of a cell. Control characters of stored values must not reach a terminal.
fn cell(value: &Value) -> String {
    let text = match value {
        Value::Null => String::new(),
        Value::String(text) => text.clone(),
        Value::Bool(true) => "yes".to_owned(),
        Value::Bool(false) => "no".to_owned(),
        Value::Number(number) => number.to_string(),
        Value::Array(items) => items.iter().map(cell).collect::<Vec<_>>().join(" "),
        Value::Object(pairs) => pairs
            .iter()
            .map(|(name, value)| format!("{name}={}", cell(value)))
            .collect::<Vec<_>>()
            .join(" "),
    };
    text.chars()
        .map(|letter| {
            if letter.is_control() {
                '\u{fffd}'
            } else {
                letter
            }
        })
        .collect()
}

/// A time for people and programs alike: RFC 3339, in UTC.
#[must_use]
pub fn time(time: Timestamp) -> String {
    jiff::Timestamp::from_millisecond(time.as_millis())
        .map_or_else(|_| time.to_string(), |time| time.to_string())
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn a_table_has_a_column_for_each_field_and_no_control_characters() {
        let records = [
            json!({"username": "noura", "homeOrganization": "الخير", "machine": false, "roles": ["a", "b"]}),
            json!({"username": "\u{1b}[2Jevil", "homeOrganization": null, "machine": true, "roles": []}),
        ];
        let output = Output::list(
            &records,
            &["username", "homeOrganization", "machine", "roles"],
        );
        let Value::Array(rows) = &output.json else {
            panic!("a list")
        };
        let printed = output.rows(rows).to_string();
        for part in ["home organization", "الخير", "a b", "yes", "no"] {
            assert!(printed.contains(part), "{part}: {printed}");
        }
        assert!(!printed.contains('\u{1b}'), "{printed:?}");
    }
}
