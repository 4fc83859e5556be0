//! The rules that an invoice keeps, all checked at once.
//!
//! Rules of EN 16931 (`BR-…`), of Saudi Arabia (`BR-KSA-…`) and of Peppol go by their own names. Ours begin with `INV-`.
//! [`ALL`] names every one of them.

mod allowances;
mod category_usage;
mod credit;
mod details;
mod fields;
mod header;
mod lines;
mod list;
mod parties;
mod received_document;
mod saudi;
mod schemes;
mod taxes;
mod text_limits;
mod totals;

pub use credit::{check_credit, check_credits};
pub use list::ALL;

use jiff::civil::Date;

use crate::calculation::{self, Calculation, Settlement};
use crate::violation::Violations;
use crate::{Content, Country, Currency, Document, Invoice, Violation};
use category_usage::CategoryUsage;

/// What the rules depend on and a content does not say.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Rules {
    /// The date in the organization's time zone: the issue date if none is given, and its latest.
    pub today: Date,
    /// Where the seller is.
    pub seller_country: Country,
    /// The organization's own currency: that of an invoice which names none.
    pub currency: Currency,
}

/// What [`check`] finds.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Checked {
    /// What can be computed, also while something is wrong.
    pub calculation: Calculation,
    /// The invoice, if nothing is wrong.
    pub invoice: Option<Invoice>,
    /// Everything wrong, never the first thing only.
    pub violations: Vec<Violation>,
}

/// What is checked, and by whose rules.
struct Scope<'a> {
    today: Date,
    seller_country: Option<Country>,
    /// Of a content that names none.
    currency: Option<Currency>,
    /// A document that somebody else made. It states its figures, and our own rules for what we issue do not bind it.
    document: Option<&'a Document>,
    category_usage: CategoryUsage,
}

impl Scope<'_> {
    /// What we issue ourselves.
    const fn is_own(&self) -> bool {
        self.document.is_none()
    }

    /// The Gulf and Egypt have code lists of their own beside those of Europe.
    fn has_own_lists(&self) -> bool {
        self.seller_country
            .is_some_and(Country::omits_tax_number_prefix)
    }

    fn is_saudi(&self) -> bool {
        self.seller_country == Some(Country::SAUDI_ARABIA)
    }
}

/// Checks and computes a content that we issue ourselves. Never panics and never guesses.
#[must_use]
pub fn check(content: &Content, rules: &Rules) -> Checked {
    let scope = Scope {
        today: rules.today,
        seller_country: Some(rules.seller_country),
        currency: Some(rules.currency),
        document: None,
        category_usage: CategoryUsage::by(content),
    };
    let mut violations = Violations::new(true);
    let (calculation, invoice) = compute(content, &scope, &mut violations);
    Checked {
        calculation,
        invoice,
        violations: violations.into_vec(),
    }
}

/// Checks a whole document, also of somebody else, and the figures that it states.
///
/// The rules are those of EN 16931 and of the seller's country. Its totals are computed from the net amounts that its lines
/// state, if they state any.
#[must_use]
pub fn check_document(document: &Document, today: Date) -> Checked {
    let scope = Scope {
        today,
        seller_country: Country::parse(&document.seller.address.country),
        currency: None,
        document: Some(document),
        category_usage: CategoryUsage::by(&document.content),
    };
    let mut violations = Violations::new(false);
    received_document::check(&mut violations, document, &scope);
    schemes::check(&mut violations, document, &scope);
    let (calculation, invoice) = compute(&document.content, &scope, &mut violations);
    totals::check_figures(&mut violations, document, &calculation, &scope);
    if scope.is_saudi() {
        saudi::check(&mut violations, document, &calculation);
    }
    Checked {
        calculation,
        invoice: invoice.filter(|_| violations.is_empty()),
        violations: violations.into_vec(),
    }
}

/// What comes of a content, and what is wrong with it.
fn compute(
    content: &Content,
    scope: &Scope<'_>,
    violations: &mut Violations,
) -> (Calculation, Option<Invoice>) {
    let header = header::check(violations, content, scope);
    parties::check_buyer(violations, content, scope);
    details::check(violations, content, scope);
    text_limits::check(violations, content);
    text_limits::check_party(violations, "buyer", &content.buyer);
    let lines = lines::check(violations, content, header.currency, scope);
    let allowances = allowances::check_document(
        violations,
        &content.allowances_charges,
        header.currency,
        scope,
    );
    taxes::check_together(violations, content, scope);

    let mut calculation = Calculation {
        lines: lines.nets,
        ..Calculation::default()
    };
    let computed = (|| {
        let currency = header.currency?;
        let parsed_lines = lines.parsed?;
        let settlement = Settlement {
            prepaid: header.prepaid?,
            rounding: header.rounding?,
            tax_currency: header.tax_currency?,
        };
        let allowances = allowances?;
        let Some((tax_breakdown, totals)) =
            calculation::totals(&parsed_lines, &allowances, &settlement, currency)
        else {
            violations.add(
                "lines",
                "INV-TOO-LARGE",
                "the totals are too large to be stored exactly",
            );
            return None;
        };
        Some((parsed_lines, allowances, tax_breakdown, totals))
    })();
    let Some((lines, allowances_charges, tax_breakdown, totals)) = computed else {
        return (calculation, None);
    };
    totals::check(violations, content, &totals, scope);
    calculation.tax_breakdown.clone_from(&tax_breakdown);
    calculation.totals = Some(totals.clone());

    let invoice = match (violations.is_empty(), header.issue_date, header.currency) {
        (true, Some(issue_date), Some(currency)) => Some(Invoice {
            kind: content.kind,
            issue_date,
            due_date: header.due_date,
            supply_date: header.supply_date,
            currency,
            lines,
            allowances_charges,
            tax_breakdown,
            totals,
        }),
        _ => None,
    };
    (calculation, invoice)
}
