//! The tax categories that a content uses on lines, allowances and charges, collected once for all tax rules.

use crate::Content;
use crate::tax::{Category, CategoryRule};

/// The categories of lines, allowances and charges.
#[derive(Debug, Clone, Copy)]
pub(super) struct CategoryUsage {
    lines: CategorySet,
    allowances: CategorySet,
    charges: CategorySet,
}

/// A set of categories, one bit for each.
#[derive(Debug, Clone, Copy, Default)]
struct CategorySet(u16);

impl CategorySet {
    fn add(&mut self, code: &str) {
        if let Some(category) = Category::parse(code) {
            self.0 |= Self::of(category).0;
        }
    }

    const fn of(category: Category) -> Self {
        Self(1 << category as u16)
    }

    const fn has(self, category: Category) -> bool {
        self.0 & Self::of(category).0 != 0
    }

    const fn with(self, other: Self) -> Self {
        Self(self.0 | other.0)
    }
}

impl CategoryUsage {
    /// Collects the categories of a content.
    pub(super) fn of_content(content: &Content) -> Self {
        let (mut lines, mut allowances, mut charges) = Default::default();
        for line in &content.lines {
            CategorySet::add(&mut lines, &line.tax.category);
        }
        for item in &content.allowances_charges {
            let set = if item.is_charge {
                &mut charges
            } else {
                &mut allowances
            };
            CategorySet::add(set, &item.tax.category);
        }
        Self {
            lines,
            allowances,
            charges,
        }
    }

    const fn anywhere(self) -> CategorySet {
        self.lines.with(self.allowances).with(self.charges)
    }

    pub(super) const fn has(self, category: Category) -> bool {
        self.anywhere().has(category)
    }

    /// Whether a category other than this one is used.
    pub(super) const fn has_another(self, category: Category) -> bool {
        self.anywhere().0 & !CategorySet::of(category).0 != 0
    }

    /// The rules about tax numbers of parties for each use of a category.
    pub(super) fn party_rules(self, category: Category) -> impl Iterator<Item = CategoryRule> {
        [
            (self.lines, CategoryRule::LineParties),
            (self.allowances, CategoryRule::AllowanceParties),
            (self.charges, CategoryRule::ChargeParties),
        ]
        .into_iter()
        .filter(move |(set, _)| set.has(category))
        .map(|(_, rule)| rule)
    }
}
