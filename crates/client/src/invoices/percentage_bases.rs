//! The base of a percentage that was typed without one: filled in before it is sent, and left out of the form again.

use invoice::percentage_bases::{PercentageBases, follows, percentage_bases};
use invoice::{Content, Money};

use super::overlay::overlay;
use crate::views::{AllowanceChargeContent, InvoiceContent};

/// Fills in the bases that are empty. A base that cannot be computed stays empty, and the rules report it.
pub(super) fn fill_in(content: &mut InvoiceContent) {
    each_with_base(content, |item, base| {
        if !item.percent.is_empty() && item.base.is_empty() {
            item.base = base.to_string();
        }
    });
}

/// Leaves out bases and amounts that follow from the lines, so that they follow a change of the lines again.
pub(super) fn leave_out(content: &mut InvoiceContent) {
    each_with_base(content, |item, base| {
        if follows(&item.base, &item.percent, &item.amount, base) {
            item.base.clear();
            item.amount.clear();
        }
    });
}

/// Calls `change` with each allowance and charge whose base would be known, with all bases as they are before the first change.
fn each_with_base(
    content: &mut InvoiceContent,
    change: impl Fn(&mut AllowanceChargeContent, Money),
) {
    let has_none = |items: &[AllowanceChargeContent]| items.is_empty();
    if has_none(&content.details.allowances_charges)
        && content
            .lines
            .iter()
            .all(|line| has_none(&line.details.allowances_charges))
    {
        return;
    }
    let Some(PercentageBases { lines, document }) =
        percentage_bases(&overlay(Content::default(), content))
    else {
        return;
    };
    for (line, base) in content.lines.iter_mut().zip(lines) {
        if let Some(base) = base {
            for item in &mut line.details.allowances_charges {
                change(item, base);
            }
        }
    }
    if let Some(base) = document {
        for item in &mut content.details.allowances_charges {
            change(item, base);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::views::LineContent;

    #[test]
    fn percentage_of_the_document_is_of_the_sum_of_the_lines() {
        let percent = |percent: &str| AllowanceChargeContent {
            percent: percent.to_owned(),
            ..AllowanceChargeContent::default()
        };
        let mut content = InvoiceContent {
            currency: "SAR".to_owned(),
            lines: vec![LineContent {
                quantity: "3".to_owned(),
                unit_price: "33.35".to_owned(),
                ..LineContent::default()
            }],
            ..InvoiceContent::default()
        };
        content.lines[0].details.allowances_charges = vec![percent("10")];
        content.details.allowances_charges = vec![percent("5")];
        fill_in(&mut content);
        assert_eq!(
            content.lines[0].details.allowances_charges[0].base, "100.05",
            "before its own allowance"
        );
        assert_eq!(
            content.details.allowances_charges[0].base, "90.04",
            "100.05 less 10.01"
        );
        let mut shortened = content.clone();
        leave_out(&mut shortened);
        assert_eq!(shortened.details.allowances_charges, [percent("5")]);
        fill_in(&mut shortened);
        assert_eq!(shortened, content);
    }
}
