//! Three-way merge of two users' changes of one document.

use super::line_ids::are_identified;
use crate::views::{InvoiceContent, LineContent};

/// Both changes in one content, unless both changed one field to different values. Lines are compared by position if all
/// three contents have the same number; otherwise the list of lines counts as one field.
pub(crate) fn merge(
    base: &InvoiceContent,
    mine: &InvoiceContent,
    theirs: &InvoiceContent,
) -> Option<InvoiceContent> {
    macro_rules! pick {
        ($($field:ident).+) => {
            pick(&base.$($field).+, &mine.$($field).+, &theirs.$($field).+)?
        };
    }
    let mut merged = theirs.clone();
    merged.kind = *pick!(kind);
    merged.issue_date.clone_from(pick!(issue_date));
    merged.due_date.clone_from(pick!(due_date));
    merged.supply_date.clone_from(pick!(supply_date));
    merged.currency.clone_from(pick!(currency));
    merged.note.clone_from(pick!(note));
    merged.note_ar.clone_from(pick!(note_ar));
    merged.correction.clone_from(pick!(correction));
    macro_rules! pick_texts {
        ($($($field:ident).+),* $(,)?) => {
            $(merged.$($field).+.clone_from(pick!($($field).+));)*
        };
    }
    // A period, an identifier, an address and a payment instruction are one field each, and so is each list.
    pick_texts!(
        buyer.name.ar,
        buyer.name.en,
        buyer.tax_id,
        buyer.street,
        buyer.building,
        buyer.district,
        buyer.city,
        buyer.postal_code,
        buyer.country,
        buyer.details.trading_name.ar,
        buyer.details.trading_name.en,
        buyer.details.other_ids,
        buyer.details.legal_id,
        buyer.details.electronic_address,
        buyer.details.contact.name,
        buyer.details.contact.phone,
        buyer.details.contact.email,
        buyer.details.additional_number,
        buyer.details.additional_street,
        buyer.details.third_line,
        buyer.details.region,
        details.period,
        details.references.purchase_order,
        details.references.buyer,
        details.references.contract,
        details.references.project,
        details.references.sales_order,
        details.references.despatch_advice,
        details.references.receiving_advice,
        details.references.accounting,
        details.references.tender,
        details.references.invoiced_object,
        details.payment,
        details.payment_terms,
        details.tax_currency,
        details.exchange_rate,
        details.prepaid,
        details.rounding,
        details.allowances_charges,
        details.subtype,
        details.tax_point_date,
        details.tax_point_code,
        details.delivery.party.ar,
        details.delivery.party.en,
        details.delivery.location,
        details.delivery.latest_date,
        details.delivery.address,
        details.payee,
        details.tax_representative,
        details.documents,
    );
    merged.lines = merge_lines(&base.lines, &mine.lines, &theirs.lines)?;
    Some(merged)
}

fn merge_lines(
    base: &[LineContent],
    mine: &[LineContent],
    theirs: &[LineContent],
) -> Option<Vec<LineContent>> {
    if are_identified(base) && are_identified(theirs) {
        return merge_identified(base, mine, theirs);
    }
    if base.len() != mine.len() || base.len() != theirs.len() {
        return pick(&base, &mine, &theirs).map(|lines| lines.to_vec());
    }
    base.iter()
        .zip(mine.iter().zip(theirs))
        .map(|(base, (mine, theirs))| merge_line(base, mine, theirs))
        .collect()
}

/// Lines are the same if their ids are. A line that one side removed must be as it was on the other side. Lines that both sides
/// added, or moved, could be meant to be the same: that is a conflict.
fn merge_identified(
    base: &[LineContent],
    mine: &[LineContent],
    theirs: &[LineContent],
) -> Option<Vec<LineContent>> {
    let find = |lines: &'_ [LineContent], id: &str| lines.iter().position(|line| line.id == id);
    let is_new = |line: &LineContent| line.id.is_empty() || find(base, &line.id).is_none();
    let order = |lines: &[LineContent], other: &[LineContent]| -> Vec<String> {
        let kept = lines
            .iter()
            .filter(|line| !is_new(line) && find(other, &line.id).is_some());
        kept.map(|line| line.id.clone()).collect()
    };
    let (i_added, they_added) = (mine.iter().any(is_new), theirs.iter().any(is_new));
    let i_moved = order(mine, mine) != order(base, mine);
    let they_moved = order(theirs, theirs) != order(base, theirs);
    if (i_added && they_added) || (i_moved && they_moved) || (i_added && they_moved) {
        return None;
    }
    let (leading, other, leading_is_mine) = if they_added || they_moved {
        (theirs, mine, false)
    } else {
        (mine, theirs, true)
    };
    for line in base {
        let (in_mine, in_theirs) = (find(mine, &line.id), find(theirs, &line.id));
        let removed_but_changed = match (in_mine, in_theirs) {
            (None, Some(at)) => theirs[at] != *line,
            (Some(at), None) => mine[at] != *line,
            _ => false,
        };
        if removed_but_changed {
            return None;
        }
    }
    let mut merged = Vec::new();
    for line in leading {
        let Some(before) = find(base, &line.id).filter(|_| !line.id.is_empty()) else {
            merged.push(line.clone());
            continue;
        };
        if let Some(at) = find(other, &line.id) {
            let (mine, theirs) = if leading_is_mine {
                (line, &other[at])
            } else {
                (&other[at], line)
            };
            merged.push(merge_line(&base[before], mine, theirs)?);
        }
    }
    Some(merged)
}

fn merge_line(base: &LineContent, mine: &LineContent, theirs: &LineContent) -> Option<LineContent> {
    let mut merged = theirs.clone();
    merged.description.ar.clone_from(pick(
        &base.description.ar,
        &mine.description.ar,
        &theirs.description.ar,
    )?);
    merged.description.en.clone_from(pick(
        &base.description.en,
        &mine.description.en,
        &theirs.description.en,
    )?);
    merged
        .quantity
        .clone_from(pick(&base.quantity, &mine.quantity, &theirs.quantity)?);
    merged
        .unit
        .clone_from(pick(&base.unit, &mine.unit, &theirs.unit)?);
    merged.unit_price.clone_from(pick(
        &base.unit_price,
        &mine.unit_price,
        &theirs.unit_price,
    )?);
    macro_rules! pick_details {
        ($($($field:ident).+),* $(,)?) => {
            $(merged.details.$($field).+.clone_from(pick(
                &base.details.$($field).+,
                &mine.details.$($field).+,
                &theirs.details.$($field).+,
            )?);)*
        };
    }
    pick_details!(
        item_code,
        buyer_item_code,
        order_line,
        note,
        period,
        price_base,
        allowances_charges,
        object,
        accounting,
        gross_price,
        price_discount,
        price_base_unit,
        item_description.ar,
        item_description.en,
        standard_item_code,
        origin,
        classifications,
        attributes,
    );
    // Category, rate and exemption depend on each other: they count as one field.
    let tax = |line: &LineContent| {
        (
            line.tax_category.clone(),
            line.tax_rate.clone(),
            line.exemption_code.clone(),
            line.details.exemption_reason.clone(),
        )
    };
    let picked = pick(&tax(base), &tax(mine), &tax(theirs))?.clone();
    (
        merged.tax_category,
        merged.tax_rate,
        merged.exemption_code,
        merged.details.exemption_reason,
    ) = picked;
    Some(merged)
}

/// The merged value of a field. `None`: both changed it to different values.
fn pick<'a, T: PartialEq>(base: &T, mine: &'a T, theirs: &'a T) -> Option<&'a T> {
    if mine == theirs || base == mine {
        Some(theirs)
    } else if base == theirs {
        Some(mine)
    } else {
        None
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn content() -> InvoiceContent {
        let line = LineContent {
            quantity: "1".to_owned(),
            unit_price: "10".to_owned(),
            ..LineContent::default()
        };
        InvoiceContent {
            lines: vec![line.clone(), line],
            ..InvoiceContent::default()
        }
    }

    fn with(change: impl FnOnce(&mut InvoiceContent)) -> InvoiceContent {
        let mut content = content();
        change(&mut content);
        content
    }

    #[test]
    fn changes_of_different_fields_are_merged() {
        let mine = with(|content| content.note = "mine".to_owned());
        let theirs = with(|content| content.lines[1].quantity = "2".to_owned());
        let merged = merge(&content(), &mine, &theirs).expect("they do not overlap");
        assert_eq!(
            (merged.note.as_str(), merged.lines[1].quantity.as_str()),
            ("mine", "2")
        );
    }

    #[test]
    fn different_changes_of_one_field_conflict() {
        let mine = with(|content| content.note = "mine".to_owned());
        assert_eq!(
            merge(
                &content(),
                &mine,
                &with(|content| content.note = "theirs".to_owned())
            ),
            None
        );
        assert_eq!(merge(&content(), &mine, &mine), Some(mine.clone()));
    }

    #[test]
    fn added_line_conflicts_with_a_changed_line() {
        let mine = with(|content| content.lines.push(LineContent::default()));
        assert_eq!(
            merge(
                &content(),
                &mine,
                &with(|content| content.lines[0].quantity = "3".to_owned())
            ),
            None
        );
        assert_eq!(
            merge(
                &content(),
                &mine,
                &with(|content| content.note = "n".to_owned())
            )
            .expect("apart")
            .lines
            .len(),
            3
        );
    }

    fn with_ids(change: impl FnOnce(&mut InvoiceContent)) -> InvoiceContent {
        let mut content = content();
        for (line, id) in content.lines.iter_mut().zip(["1", "2"]) {
            line.id = id.to_owned();
        }
        change(&mut content);
        content
    }

    #[test]
    fn lines_are_matched_by_their_ids() {
        let base = with_ids(|_| ());
        let mine = with_ids(|content| {
            content.lines.remove(0);
            content.lines.push(LineContent::default());
        });
        let theirs = with_ids(|content| content.lines[1].quantity = "7".to_owned());
        let merged = merge(&base, &mine, &theirs).expect("they do not overlap");
        let found: Vec<(&str, &str)> = merged
            .lines
            .iter()
            .map(|line| (line.id.as_str(), line.quantity.as_str()))
            .collect();
        assert_eq!(found, [("2", "7"), ("", "")]);
    }

    #[test]
    fn removed_line_that_the_other_side_changed_conflicts() {
        let mine = with_ids(|content| content.lines.truncate(1));
        let theirs = with_ids(|content| content.lines[1].quantity = "7".to_owned());
        assert_eq!(merge(&with_ids(|_| ()), &mine, &theirs), None);
        assert_eq!(merge(&with_ids(|_| ()), &theirs, &mine), None);
    }

    #[test]
    fn lines_that_both_sides_added_conflict() {
        let added = |id: &str| {
            with_ids(|content| {
                content.lines.push(LineContent {
                    id: id.to_owned(),
                    ..LineContent::default()
                });
            })
        };
        assert_eq!(merge(&with_ids(|_| ()), &added(""), &added("3")), None);
    }

    #[test]
    fn rate_and_category_of_one_line_conflict() {
        let mine = with(|content| content.lines[0].tax_rate = "0".to_owned());
        assert_eq!(
            merge(
                &content(),
                &mine,
                &with(|content| content.lines[0].tax_category = "S".to_owned())
            ),
            None
        );
    }
}
