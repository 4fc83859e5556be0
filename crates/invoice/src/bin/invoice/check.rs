//! `invoice check`

use std::path::Path;

use invoice::{Calculation, check_document};
use serde_json::{Map, Value, json};

use crate::Outcome;
use crate::arguments::Arguments;
use crate::input::{self, Failure};
use crate::output::{self, Output};

pub(crate) fn check(
    file: &Path,
    arguments: &Arguments,
    output: &mut Output,
) -> Result<Outcome, Failure> {
    let read = input::read(file)?;
    let checked = check_document(&read.document, arguments.today);
    let outcome = if checked.violations.is_empty() {
        Outcome::Right
    } else {
        Outcome::Wrong
    };
    let name = file.to_string_lossy();
    if arguments.json {
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
        let unread = read.unread.iter().map(|unread| {
            json!({ "name": unread.name, "count": unread.count, "position": unread.position })
        });
        let line = json!({
            "file": name,
            "number": read.document.number,
            "right": outcome == Outcome::Right,
            "violations": violations.collect::<Vec<_>>(),
            "unread": unread.collect::<Vec<_>>(),
            "totals": totals(&checked.calculation),
        });
        output.line(line);
        return Ok(outcome);
    }
    if outcome == Outcome::Right {
        output.line(format_args!("{name}: right"));
    }
    for violation in &checked.violations {
        output.line(format_args!(
            "{name}: {}: {} ({})",
            violation.path, violation.description, violation.rule
        ));
    }
    for unread in &read.unread {
        output.line(format_args!("{name}: {}", output::not_read(unread)));
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
