//! Three-way merge of two users' changes of one document.

#[cfg(test)]
mod tests;

use super::line_ids::are_identified;
use crate::views::{
    BuyerContent, BuyerDetails, ContactContent, DeliveryContent, InvoiceContent, InvoiceDetails,
    LineContent, LineDetails, LocalizedText, ReferencesContent,
};

/// Both changes in one content, unless both changed one field to different values. Lines are compared by position if all
/// three contents have the same number; otherwise the list of lines counts as one field.
pub(crate) fn merge(
    base: &InvoiceContent,
    mine: &InvoiceContent,
    theirs: &InvoiceContent,
) -> Option<InvoiceContent> {
    if changes_currency_of_amounts(base, mine, theirs)
        || changes_currency_of_amounts(base, theirs, mine)
    {
        return None;
    }
    merge_content(base, mine, theirs)
}

/// Whether one side has changed the currency and the other lines or amounts: these would be in a currency that nobody has typed
/// them in.
fn changes_currency_of_amounts(
    base: &InvoiceContent,
    one: &InvoiceContent,
    other: &InvoiceContent,
) -> bool {
    let (before, after) = (&base.details, &other.details);
    one.currency != base.currency
        && one.currency != other.currency
        && (base.lines != other.lines
            || before.allowances_charges != after.allowances_charges
            || before.prepaid != after.prepaid
            || before.rounding != after.rounding
            || before.exchange_rate != after.exchange_rate)
}

/// Functions that merge structs, each field by the function behind it. A field that is missing here does not compile: a change
/// of it would be lost without a word.
macro_rules! merge_fields {
    ($($function:ident: $type:ident { $($field:ident: $merge:ident),* $(,)? })*) => {$(
        fn $function(base: &$type, mine: &$type, theirs: &$type) -> Option<$type> {
            Some($type {
                $($field: $merge(&base.$field, &mine.$field, &theirs.$field)?),*
            })
        }
    )*};
}

// What is picked is one field: a period, an identifier, an address, a payment instruction, and each list.
merge_fields! {
    merge_content: InvoiceContent {
        kind: pick,
        buyer: merge_buyer,
        issue_date: pick,
        due_date: pick,
        due_terms: pick,
        supply_date: pick,
        currency: pick,
        lines: merge_lines,
        note: pick,
        note_ar: pick,
        correction: pick,
        details: merge_details,
    }
    merge_buyer: BuyerContent {
        name: merge_localized,
        tax_id: pick,
        street: pick,
        building: pick,
        district: pick,
        city: pick,
        postal_code: pick,
        country: pick,
        details: merge_buyer_details,
    }
    merge_buyer_details: BuyerDetails {
        trading_name: merge_localized,
        other_ids: pick,
        legal_id: pick,
        electronic_address: pick,
        contact: merge_contact,
        additional_number: pick,
        additional_street: pick,
        third_line: pick,
        region: pick,
    }
    merge_details: InvoiceDetails {
        period: pick,
        references: merge_references,
        payment: pick,
        other_payments: pick,
        payment_terms: pick,
        tax_currency: pick,
        exchange_rate: pick,
        prepaid: pick,
        rounding: pick,
        allowances_charges: pick,
        subtype: pick,
        tax_point_date: pick,
        tax_point_code: pick,
        delivery: merge_delivery,
        payee: pick,
        tax_representative: pick,
        documents: pick,
        preceding_documents: pick,
    }
    merge_references: ReferencesContent {
        purchase_order: pick,
        buyer: pick,
        contract: pick,
        project: pick,
        sales_order: pick,
        despatch_advice: pick,
        receiving_advice: pick,
        accounting: pick,
        tender: pick,
        invoiced_object: pick,
    }
    merge_delivery: DeliveryContent {
        party: merge_localized,
        location: pick,
        latest_date: pick,
        address: pick,
    }
    merge_line_fields: LineContent {
        description: merge_localized,
        quantity: pick,
        unit: pick,
        unit_price: pick,
        tax_category: pick,
        tax_rate: pick,
        exemption_code: pick,
        id: pick,
        details: merge_line_details,
    }
    merge_line_details: LineDetails {
        item_code: pick,
        buyer_item_code: pick,
        order_line: pick,
        note: pick,
        period: pick,
        price_base: pick,
        exemption_reason: pick,
        allowances_charges: pick,
        object: pick,
        accounting: pick,
        gross_price: pick,
        price_discount: pick,
        price_base_unit: pick,
        item_description: merge_localized,
        standard_item_code: pick,
        origin: pick,
        classifications: pick,
        attributes: pick,
    }
    merge_localized: LocalizedText { ar: pick, en: pick }
    merge_contact: ContactContent { name: pick, phone: pick, email: pick }
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
        return pick(&base, &mine, &theirs).map(<[_]>::to_vec);
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
    // One order leads. What the other side has added has no place in it, and what it has moved would go back.
    if (i_added || i_moved) && (they_added || they_moved) {
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
    // Category, rate and exemption depend on each other: they count as one field.
    let tax = |line: &LineContent| {
        (
            line.tax_category.clone(),
            line.tax_rate.clone(),
            line.exemption_code.clone(),
            line.details.exemption_reason.clone(),
        )
    };
    let picked = pick(&tax(base), &tax(mine), &tax(theirs))?;
    let with_picked = |line: &LineContent| {
        let mut line = line.clone();
        (
            line.tax_category,
            line.tax_rate,
            line.exemption_code,
            line.details.exemption_reason,
        ) = picked.clone();
        // Lines that are compared by position have the ids of the service.
        line.id.clone_from(&theirs.id);
        line
    };
    merge_line_fields(&with_picked(base), &with_picked(mine), &with_picked(theirs))
}

/// The merged value of a field. `None`: both changed it to different values.
fn pick<T: PartialEq + Clone>(base: &T, mine: &T, theirs: &T) -> Option<T> {
    if mine == theirs || base == mine {
        Some(theirs.clone())
    } else if base == theirs {
        Some(mine.clone())
    } else {
        None
    }
}
