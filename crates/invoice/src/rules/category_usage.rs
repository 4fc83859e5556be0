//! Which tax categories a content uses, and where. Gathered once: most rules of tax ask for it, each for every category.

use crate::Content;
use crate::tax::{Category, CategoryRule};

/// Categories that stand on lines, allowances and charges.
#[derive(Debug, Clone, Copy)]
pub(super) struct CategoryUsage {
    lines: CategorySet,
    allowances: CategorySet,
    charges: CategorySet,
}

/// Categories, a bit for each.
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
    pub(super) fn by(content: &Content) -> Self {
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

    /// Another category than this one.
    pub(super) const fn has_another(self, category: Category) -> bool {
        self.anywhere().0 & !CategorySet::of(category).0 != 0
    }

    /// The rules of the places where a category is used, about the numbers of the parties.
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
