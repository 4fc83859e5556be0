//! `invoice check`: validates a document.

use std::path::Path;

use invoice::{Calculation, check_document};
use serde_json::{Map, Value, json};

use crate::Outcome;
use crate::error::FileError;
use crate::input;
use crate::options::Options;
use crate::output::{Output, describe_unmapped};

pub(crate) fn check(
    file: &Path,
    options: &Options,
    output: &mut Output,
) -> Result<Outcome, FileError> {
    let parsed = input::read(file)?;
    let checked = check_document(&parsed.document, options.today);
    let outcome = if checked.violations.is_empty() {
        Outcome::Valid
    } else {
        Outcome::Invalid
    };
    let name = file.to_string_lossy();
    if options.json {
        let violations = checked.violations.iter().map(|violation| {
            let data = violation.data.iter();
            let data: Map<_, _> = data
                .map(|(name, value)| ((*name).to_owned(), Value::from(value.as_str())))
                .collect();
            json!({
                "path": violation.path,
                "rule": violation.rule,
                "description": violation.description,
                "data": data,
            })
        });
        let unread = parsed.unmapped.iter().map(|element| {
            json!({ "name": element.name, "count": element.count, "position": element.position })
        });
        let line = json!({
            "file": name,
            "number": parsed.document.number,
            "right": outcome == Outcome::Valid,
            "violations": violations.collect::<Vec<_>>(),
            "unread": unread.collect::<Vec<_>>(),
            "totals": totals(&checked.calculation),
        });
        output.line(line);
        return Ok(outcome);
    }
    if outcome == Outcome::Valid {
        output.line(format_args!("{name}: right"));
    }
    for violation in &checked.violations {
        output.line(format_args!(
            "{name}: {}: {} ({})",
            violation.path, violation.description, violation.rule
        ));
    }
    for element in &parsed.unmapped {
        output.line(format_args!("{name}: {}", describe_unmapped(element)));
    }
    Ok(outcome)
}

fn totals(calculation: &Calculation) -> Value {
    let Some(totals) = &calculation.totals else {
        return Value::Null;
    };
    json!({
        "currency": totals.net.currency().code(),
        "net": totals.net.to_string(),
        "tax": totals.tax.to_string(),
        "gross": totals.gross.to_string(),
        "payable": totals.payable.to_string(),
    })
}
