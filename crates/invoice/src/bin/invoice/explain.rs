//! `invoice explain`: prints how each total is computed.

use std::fmt::Write as _;
use std::path::Path;

use invoice::explanation::{Operation, Step};
use invoice::{check_document, decimal};
use serde_json::{Value, json};

use crate::Outcome;
use crate::error::FileError;
use crate::input;
use crate::options::Options;
use crate::output::Output;

pub(crate) fn explain(
    file: &Path,
    options: &Options,
    output: &mut Output,
) -> Result<Outcome, FileError> {
    let document = input::read(file)?.document;
    let checked = check_document(&document, options.today);
    let steps = invoice::explain(&document.content, &checked);
    let name = file.to_string_lossy();
    if options.json {
        let steps: Vec<_> = steps.iter().map(step_to_json).collect();
        let line = json!({ "file": name, "number": document.number, "steps": steps });
        output.line(line);
    } else {
        output.line(format_args!("{name}"));
        for step in &steps {
            output.line(format_args!("  {}", describe(step)));
        }
    }
    Ok(if checked.calculation.totals.is_some() {
        Outcome::Valid
    } else {
        Outcome::Invalid
    })
}

fn step_to_json(step: &Step) -> Value {
    let inputs = step.inputs.iter().map(|input| {
        json!({
            "operation": operation_name(input.operation),
            "path": input.path,
            "value": decimal::print(input.value),
        })
    });
    json!({
        "path": step.path,
        "term": step.term,
        "rule": step.rule,
        "inputs": inputs.collect::<Vec<_>>(),
        "unrounded": step.unrounded.as_ref().map(|value| &value.digits),
        "unroundedEnds": step.unrounded.as_ref().map(|value| value.is_exact),
        "result": step.result.to_string(),
    })
}

const fn operation_name(operation: Operation) -> &'static str {
    match operation {
        Operation::Times => "times",
        Operation::TimesPercent => "timesPercent",
        Operation::DividedBy => "dividedBy",
        Operation::Plus => "plus",
        Operation::Minus => "minus",
    }
}

/// One line of text: `taxBreakdown[0].tax (BT-117) = 163.73: taxable 1091.5 × rate 15 %, 163.725 before rounding (BR-CO-17)`
fn describe(step: &Step) -> String {
    let mut text = format!("{} ({}) = {}", step.path, step.term, step.result);
    for (index, input) in step.inputs.iter().enumerate() {
        let value = decimal::print(input.value);
        let (sign, percent) = match input.operation {
            Operation::Times if index == 0 => ("", ""),
            Operation::Plus if index == 0 => ("", ""),
            Operation::Times => ("× ", ""),
            Operation::TimesPercent => ("× ", " %"),
            Operation::DividedBy => ("÷ ", ""),
            Operation::Plus => ("+ ", ""),
            Operation::Minus => ("− ", ""),
        };
        let before = if index == 0 { ": " } else { " " };
        let _ = write!(text, "{before}{sign}{value}{percent} {}", input.path);
    }
    if let Some(value) = &step.unrounded {
        let more = if value.is_exact { "" } else { "…" };
        let _ = write!(text, "; {}{more} before rounding", value.digits);
    }
    let _ = write!(text, " ({})", step.rule);
    text
}
