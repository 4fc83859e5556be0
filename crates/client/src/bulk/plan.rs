//! Which documents of a selection a bulk run is about, and their exact sums.

use std::collections::BTreeMap;

use invoice::AmountSum;

use crate::views::{
    BulkAction, BulkPlan, CurrencySum, InvoiceKind, InvoiceQuery, InvoiceRow, InvoiceStatus,
};

/// The states in which an action is possible.
const fn states(action: BulkAction) -> &'static [InvoiceStatus] {
    match action {
        BulkAction::Issue => &[InvoiceStatus::Draft, InvoiceStatus::Rejected],
        BulkAction::Freeze => &[InvoiceStatus::Issued],
        BulkAction::SavePdf => &[
            InvoiceStatus::Draft,
            InvoiceStatus::Rejected,
            InvoiceStatus::Issued,
            InvoiceStatus::Frozen,
        ],
        // Those with a number, which a rejected one keeps.
        BulkAction::SaveUbl => &[
            InvoiceStatus::Rejected,
            InvoiceStatus::Issued,
            InvoiceStatus::Frozen,
        ],
    }
}

/// Whether the action is possible with the document as it was shown.
pub(super) fn is_eligible(action: BulkAction, row: &InvoiceRow) -> bool {
    states(action).contains(&row.status)
}

/// The filter with only the documents for which the action is possible. `None` if there can be none.
pub(super) fn eligible_query(action: BulkAction, query: &InvoiceQuery) -> Option<InvoiceQuery> {
    if action == BulkAction::SavePdf {
        // Of every state: the service counts a filter without states faster.
        return Some(query.clone());
    }
    let is_wanted =
        |status: &InvoiceStatus| query.status.is_empty() || query.status.contains(status);
    let status: Vec<_> = states(action).iter().copied().filter(is_wanted).collect();
    (!status.is_empty()).then(|| InvoiceQuery {
        status,
        ..query.clone()
    })
}

/// The filter with only the documents that have date, currency and amount of a row, which are few. `None` if there can be none. A
/// range of the filter stays as it is: the row may be outside.
pub(super) fn query_of_row(query: &InvoiceQuery, row: &InvoiceRow) -> Option<InvoiceQuery> {
    if !query.currency.is_empty() && !query.currency.contains(&row.currency) {
        return None;
    }
    let mut narrowed = query.clone();
    if !row.currency.is_empty() {
        narrowed.currency = vec![row.currency.clone()];
    }
    if query.issued_from.is_empty() && query.issued_to.is_empty() {
        narrowed.issued_from.clone_from(&row.issue_date);
        narrowed.issued_to.clone_from(&row.issue_date);
    }
    if query.gross_from.is_empty() && query.gross_to.is_empty() {
        narrowed.gross_from.clone_from(&row.gross);
        narrowed.gross_to.clone_from(&row.gross);
    }
    Some(narrowed)
}

/// The plan for these rows, of which others are skipped.
pub(super) fn plan_of<'row>(rows: impl IntoIterator<Item = &'row InvoiceRow>) -> BulkPlan {
    let mut sums = Sums::default();
    for row in rows {
        sums.add(row);
    }
    sums.into_plan()
}

/// `plan` without these rows.
pub(super) fn without<'row>(
    plan: BulkPlan,
    rows: impl IntoIterator<Item = &'row InvoiceRow>,
) -> BulkPlan {
    let less = plan_of(rows);
    let sums = plan.sums.into_iter().filter_map(|sum| {
        let Some(other) = less.sums.iter().find(|it| it.currency == sum.currency) else {
            return Some(sum);
        };
        let minus =
            |left: &str, right: &str| total(amount(left), amount(right).negated()).to_string();
        let count = sum.count.saturating_sub(other.count);
        (count > 0).then(|| CurrencySum {
            net: minus(&sum.net, &other.net),
            tax: minus(&sum.tax, &other.tax),
            gross: minus(&sum.gross, &other.gross),
            currency: sum.currency,
            count,
        })
    });
    BulkPlan {
        count: plan.count.saturating_sub(less.count),
        skipped: plan.skipped,
        sums: sums.collect(),
    }
}

/// Whether two plans are about the same number of documents with the same sums.
pub(super) fn agree(left: &BulkPlan, right: &BulkPlan) -> bool {
    let key = |plan: &BulkPlan| {
        let amounts = plan.sums.iter().map(|sum| {
            let amounts = [amount(&sum.net), amount(&sum.tax), amount(&sum.gross)];
            (sum.currency.clone(), (sum.count, amounts))
        });
        amounts.collect::<BTreeMap<_, _>>()
    };
    left.count == right.count && key(left) == key(right)
}

/// Sums of rows, one for each currency.
#[derive(Default)]
pub(super) struct Sums(BTreeMap<String, (u32, [AmountSum; 3])>);

impl Sums {
    /// Adds a row. The amounts of a credit note count negative, as in the service's sums.
    pub(super) fn add(&mut self, row: &InvoiceRow) {
        let (count, sums) = self.0.entry(row.currency.clone()).or_default();
        *count += 1;
        for (sum, text) in sums.iter_mut().zip([&row.net, &row.tax, &row.gross]) {
            let amount = amount(text);
            let is_credit = row.kind == InvoiceKind::CreditNote && amount.is_positive();
            let amount = if is_credit { amount.negated() } else { amount };
            *sum = total(*sum, amount);
        }
    }

    pub(super) fn into_plan(self) -> BulkPlan {
        let sums: Vec<_> = self
            .0
            .into_iter()
            .map(|(currency, (count, [net, tax, gross]))| CurrencySum {
                currency,
                count,
                net: net.to_string(),
                tax: tax.to_string(),
                gross: gross.to_string(),
            })
            .collect();
        BulkPlan {
            count: sums.iter().map(|sum| sum.count).sum(),
            skipped: 0,
            sums,
        }
    }
}

fn total(left: AmountSum, right: AmountSum) -> AmountSum {
    left.plus(right)
        .expect("amounts have 18 digits, and 28 digits hold the sum of ten billion of them")
}

/// An amount of the service. A draft without lines has none, which adds nothing.
fn amount(text: &str) -> AmountSum {
    AmountSum::parse(text).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn row(key: &str, kind: InvoiceKind, gross: &str) -> InvoiceRow {
        InvoiceRow {
            key: key.into(),
            number: String::new(),
            kind,
            status: InvoiceStatus::Draft,
            buyer: crate::views::LocalizedText::default(),
            issue_date: String::new(),
            due_date: String::new(),
            currency: "SAR".to_owned(),
            net: gross.to_owned(),
            tax: "0.00".to_owned(),
            gross: gross.to_owned(),
            open: String::new(),
            payment: None,
            submission: None,
            has_warnings: false,
            stamp: "s".into(),
        }
    }

    #[test]
    fn sums_are_exact_and_credit_notes_count_negative() {
        let rows = [
            row("a", InvoiceKind::Invoice, "9007199254740993.01"),
            row("b", InvoiceKind::CreditNote, "0.02"),
        ];
        let plan = plan_of(&rows);
        assert_eq!((plan.count, plan.sums.len()), (2, 1));
        assert_eq!(plan.sums[0].gross, "9007199254740992.99");
        let rest = without(plan.clone(), &rows[1..]);
        assert_eq!(
            (rest.count, rest.sums[0].gross.as_str()),
            (1, "9007199254740993.01")
        );
        assert!(!agree(&plan, &rest) && agree(&rest, &plan_of(&rows[..1])));
    }

    #[test]
    fn filter_is_narrowed_to_a_row_without_a_range_of_its_own_being_widened() {
        let shown = InvoiceRow {
            issue_date: "2026-11-01".to_owned(),
            ..row("a", InvoiceKind::Invoice, "100.00")
        };
        let query = InvoiceQuery {
            buyer: "b".to_owned(),
            gross_to: "50".to_owned(),
            ..InvoiceQuery::default()
        };
        let narrowed = InvoiceQuery {
            issued_from: "2026-11-01".to_owned(),
            issued_to: "2026-11-01".to_owned(),
            currency: vec!["SAR".to_owned()],
            ..query.clone()
        };
        assert_eq!(query_of_row(&query, &shown), Some(narrowed));
        let others = InvoiceQuery {
            currency: vec!["EUR".to_owned()],
            ..InvoiceQuery::default()
        };
        assert_eq!(query_of_row(&others, &shown), None);
    }

    #[test]
    fn filter_is_narrowed_to_the_states_of_the_action() {
        let query = |status| InvoiceQuery {
            status,
            ..InvoiceQuery::default()
        };
        let narrowed = eligible_query(BulkAction::Freeze, &query(vec![]));
        assert_eq!(
            narrowed.map(|it| it.status),
            Some(vec![InvoiceStatus::Issued])
        );
        let drafts = query(vec![InvoiceStatus::Draft, InvoiceStatus::Frozen]);
        let narrowed = eligible_query(BulkAction::Issue, &drafts);
        assert_eq!(
            narrowed.map(|it| it.status),
            Some(vec![InvoiceStatus::Draft])
        );
        assert_eq!(eligible_query(BulkAction::Freeze, &drafts), None);
    }

    #[test]
    fn every_document_has_a_pdf_and_those_with_a_number_have_data() {
        let draft = InvoiceRow {
            status: InvoiceStatus::Draft,
            ..row("a", InvoiceKind::Invoice, "1.00")
        };
        assert!(is_eligible(BulkAction::SavePdf, &draft));
        assert!(!is_eligible(BulkAction::SaveUbl, &draft));
        let query = |status| InvoiceQuery {
            status,
            ..InvoiceQuery::default()
        };
        for status in [vec![], vec![InvoiceStatus::Draft]] {
            let query = query(status);
            assert_eq!(
                eligible_query(BulkAction::SavePdf, &query),
                Some(query.clone())
            );
        }
        let narrowed = eligible_query(BulkAction::SaveUbl, &query(vec![]));
        let numbered = vec![
            InvoiceStatus::Rejected,
            InvoiceStatus::Issued,
            InvoiceStatus::Frozen,
        ];
        assert_eq!(narrowed.map(|it| it.status), Some(numbered));
        let drafts = query(vec![InvoiceStatus::Draft]);
        assert_eq!(eligible_query(BulkAction::SaveUbl, &drafts), None);
    }
}
