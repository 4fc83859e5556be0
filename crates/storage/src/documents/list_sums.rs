//! Which of the kept sums answer the sums of a list (decisions 0155 and 0156).

use super::DocumentFilter;
use super::amount_classes::Coverage;

/// What the sums of a list are added up from: the fewest rows that know what its filter asks for.
#[derive(Debug, PartialEq, Eq)]
pub enum AnsweredBy {
    /// The totals of an organization.
    Totals,
    /// The sums of days.
    Days,
    /// Those of classes of amounts, and documents of the classes that the range cuts.
    Classes(Coverage),
    /// Documents.
    Documents,
}

impl AnsweredBy {
    /// What answers a filter.
    #[must_use]
    pub fn of(filter: &DocumentFilter) -> Self {
        if !filter.is_answered_by_sums() {
            return Self::Documents;
        }
        if filter.gross_from.is_some() || filter.gross_to.is_some() {
            let range = filter.gross_from.unwrap_or(i64::MIN)..=filter.gross_to.unwrap_or(i64::MAX);
            return Self::Classes(Coverage::of(&range));
        }
        if filter.issued_from.is_some() || filter.issued_to.is_some() {
            return Self::Days;
        }
        Self::Totals
    }
}

impl DocumentFilter {
    /// Whether it asks for nothing but what sums are kept by.
    fn is_answered_by_sums(&self) -> bool {
        self.buyer.is_empty()
            && self.number.is_empty()
            && self.payment_state.is_empty()
            && self.authority_state.is_empty()
            && !self.authority_has_warnings
            && self.keys.is_none()
            && self.due_from.is_none()
            && self.due_to.is_none()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn filter_is_answered_by_the_fewest_rows_that_know_it() {
        let none = DocumentFilter::default;
        let day = || Some("2027-01-15".to_owned());
        let of_amounts = |gross_from, gross_to| DocumentFilter {
            gross_from,
            gross_to,
            ..none()
        };
        let classes = |filter: &DocumentFilter| match AnsweredBy::of(filter) {
            AnsweredBy::Classes(coverage) => Some(coverage.classes.len()),
            AnsweredBy::Totals | AnsweredBy::Days | AnsweredBy::Documents => None,
        };
        assert_eq!(AnsweredBy::of(&none()), AnsweredBy::Totals);
        let since = DocumentFilter {
            issued_from: day(),
            ..none()
        };
        assert_eq!(AnsweredBy::of(&since), AnsweredBy::Days);
        // From 5,000.00 to 9,999.99 there are five first digits.
        let mut amounts = of_amounts(Some(50_000_000), Some(99_999_900));
        assert_eq!(classes(&amounts), Some(5));
        amounts.issued_to = day();
        assert_eq!(classes(&amounts), Some(5));
        assert_eq!(
            classes(&of_amounts(Some(51_000_000), Some(59_000_000))),
            Some(1)
        );
        // A single amount, and no amount at all.
        assert_eq!(
            classes(&of_amounts(Some(1_150_000), Some(1_150_000))),
            Some(0)
        );
        assert_eq!(
            classes(&of_amounts(Some(30_000_000), Some(20_000_000))),
            Some(0)
        );
        let due = DocumentFilter {
            due_to: day(),
            ..of_amounts(Some(50_000_000), None)
        };
        let buyer = DocumentFilter {
            buyer: "nour".to_owned(),
            ..none()
        };
        for filter in [due, buyer] {
            assert_eq!(AnsweredBy::of(&filter), AnsweredBy::Documents);
        }
    }
}
