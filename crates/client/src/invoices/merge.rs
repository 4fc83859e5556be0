//! Three-way merge of two users' changes of one document.

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
    merged.correction.clone_from(pick!(correction));
    merged.buyer.name.ar.clone_from(pick!(buyer.name.ar));
    merged.buyer.name.en.clone_from(pick!(buyer.name.en));
    merged.buyer.tax_id.clone_from(pick!(buyer.tax_id));
    merged.buyer.street.clone_from(pick!(buyer.street));
    merged.buyer.building.clone_from(pick!(buyer.building));
    merged.buyer.district.clone_from(pick!(buyer.district));
    merged.buyer.city.clone_from(pick!(buyer.city));
    merged
        .buyer
        .postal_code
        .clone_from(pick!(buyer.postal_code));
    merged.buyer.country.clone_from(pick!(buyer.country));
    merged.lines = merge_lines(&base.lines, &mine.lines, &theirs.lines)?;
    Some(merged)
}

fn merge_lines(
    base: &[LineContent],
    mine: &[LineContent],
    theirs: &[LineContent],
) -> Option<Vec<LineContent>> {
    if base.len() != mine.len() || base.len() != theirs.len() {
        return pick(&base, &mine, &theirs).map(|lines| lines.to_vec());
    }
    base.iter()
        .zip(mine.iter().zip(theirs))
        .map(|(base, (mine, theirs))| merge_line(base, mine, theirs))
        .collect()
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
    // Category, rate and exemption depend on each other: they count as one field.
    let tax = |line: &LineContent| {
        (
            line.tax_category.clone(),
            line.tax_rate.clone(),
            line.exemption_code.clone(),
        )
    };
    let picked = pick(&tax(base), &tax(mine), &tax(theirs))?.clone();
    (merged.tax_category, merged.tax_rate, merged.exemption_code) = picked;
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
