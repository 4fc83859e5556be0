//! How the amounts of a content are computed, and the net price of a price that was typed with tax.

use invoice::content::Line;
use invoice::explanation::{Operation, explain as explain_steps};
use invoice::inclusive::reversible_price;
use invoice::number_input::normalize;
use invoice::{CheckContext, Content, Country, Currency, decimal};
use jiff::civil::Date;

use super::overlay::overlay;
use super::{number_input, parse_numbers};
use crate::views::{
    ExplanationInput, ExplanationOperation, ExplanationStep, InvoiceContent, LineContent, NetPrice,
};

/// Every computed amount of the content. Amounts that cannot be computed are left out.
pub(crate) fn explain(content: &InvoiceContent, today: Date) -> Vec<ExplanationStep> {
    let (parsed, _) = parse_numbers(content);
    let content = overlay(Content::default(), &parsed);
    let Some(currency) = Currency::parse(&content.currency) else {
        return Vec::new();
    };
    // Amounts follow from the content alone: the seller's country only adds violations.
    let rules = CheckContext {
        today,
        seller_country: Country::SAUDI_ARABIA,
        currency,
    };
    let checked = invoice::check(&content, &rules);
    explain_steps(&content, &checked)
        .into_iter()
        .map(|step| ExplanationStep {
            path: step.path,
            term: step.term.to_owned(),
            rule: step.rule.to_owned(),
            inputs: step
                .inputs
                .into_iter()
                .map(|input| ExplanationInput {
                    operation: match input.operation {
                        Operation::Times => ExplanationOperation::Times,
                        Operation::TimesPercent => ExplanationOperation::TimesPercent,
                        Operation::DividedBy => ExplanationOperation::DividedBy,
                        Operation::Plus => ExplanationOperation::Plus,
                        Operation::Minus => ExplanationOperation::Minus,
                    },
                    path: input.path,
                    value: decimal::print(input.value),
                })
                .collect(),
            unrounded_is_exact: step.unrounded.as_ref().is_none_or(|value| value.is_exact),
            unrounded: step.unrounded.map(|value| value.digits),
            result: step.result.to_string(),
        })
        .collect()
}

/// The net price with which the line comes to `price` with tax.
pub(crate) fn net_price(price: &str, line: &LineContent, currency: &str) -> NetPrice {
    find_net_price(price, line, currency).unwrap_or(NetPrice::Unreadable)
}

fn find_net_price(price: &str, line: &LineContent, currency: &str) -> Option<NetPrice> {
    let minor_units = number_input::minor_units(currency);
    let price = decimal::parse(&normalize(price, minor_units).ok()?).ok()?;
    let content = InvoiceContent {
        currency: currency.to_owned(),
        lines: vec![line.clone()],
        ..InvoiceContent::default()
    };
    let (parsed, _) = parse_numbers(&content);
    let parsed = overlay(Content::default(), &parsed).lines.pop()?;
    let parsed = without_computed_bases(parsed, line);
    let currency = Currency::parse(currency)?;
    let shown = |price| number_input::unambiguous(decimal::print(price), minor_units);
    Some(match reversible_price(price, &parsed, currency) {
        Ok(found) => {
            let found = found?;
            NetPrice::Found {
                price: shown(found.price),
                is_exact: found.is_exact,
                with_tax: found.with_tax.to_string(),
            }
        }
        Err(nearest) => NetPrice::None {
            nearest: shown(nearest.price),
            with_tax: nearest.with_tax.to_string(),
            typed: nearest.wanted.to_string(),
        },
    })
}

/// The bases of percentages follow from the price that is asked for, unless they were typed.
fn without_computed_bases(mut line: Line, form: &LineContent) -> Line {
    for (item, form) in line
        .allowances_charges
        .iter_mut()
        .zip(&form.details.allowances_charges)
    {
        if form.base.is_empty() {
            item.base.clear();
        }
    }
    line
}
