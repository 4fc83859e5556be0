//! Validation rules. All violations are reported at once, up to [`MAX_VIOLATIONS`](crate::MAX_VIOLATIONS).
//!
//! Rules of EN 16931 (`BR-…`), of Saudi Arabia (`BR-KSA-…`) and of Peppol have their official identifiers; rules of this
//! project have the prefix `INV-`. [`ALL`] lists them all.

mod allowances;
mod category_usage;
mod credit;
mod details;
mod fields;
mod header;
mod issue;
mod lines;
mod list;
mod parties;
mod received_document;
mod saudi;
mod schemes;
mod seller;
mod taxes;
mod text_limits;
mod totals;

pub use credit::{
    check_corrected, check_corrected_kind, check_credit, check_credit_count, check_credits,
    check_original_draft, check_original_kind, check_rejected,
};
pub use issue::check_issue;
pub use list::{
    ALL, AMBIGUOUS_NUMBER, EMBEDDED_FILE, OUTPUT_FIELD_SET, RuleOrigin, UNKNOWN_ENUM_VALUE, origin,
};
pub use parties::check_buyer_number;
pub use seller::{check_seller_form, has_registration_numbers};

use jiff::civil::Date;
use rust_decimal::Decimal;

use crate::calculation::{self, Calculation, Settlement};
use crate::tax::{Category, Rate};
use crate::violation::Violations;
use crate::{Content, Country, Currency, Document, Invoice, Violation};
use category_usage::CategoryUsage;

/// The context of the issuing organization, which the content does not contain.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct CheckContext {
    /// The current date in the organization's time zone: the default and the latest valid issue date.
    pub today: Date,
    /// The country of the seller.
    pub seller_country: Country,
    /// The currency of the organization: the default currency of an invoice.
    pub currency: Currency,
}

/// The result of [`check`] and [`check_document`].
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CheckReport {
    /// The computed amounts, as far as they can be computed.
    pub calculation: Calculation,
    /// The invoice, if there are no violations.
    pub invoice: Option<Invoice>,
    /// All violations, or the first [`MAX_VIOLATIONS`](crate::MAX_VIOLATIONS).
    pub violations: Vec<Violation>,
}

/// Parts of the identifiers (BT-24) of the specifications that have the rules of Peppol: BIS Billing itself, and XRechnung.
const PEPPOL_RULES: [&str; 2] = ["urn:fdc:peppol.eu:", XRECHNUNG];
/// The part of XRechnung.
const XRECHNUNG: &str = ":xrechnung_";

/// What is checked, and which rules apply.
struct Scope<'a> {
    today: Date,
    seller_country: Option<Country>,
    /// The default currency.
    currency: Option<Currency>,
    /// The received document, if one is checked: its declared amounts are checked, and rules for our own contents do not apply.
    document: Option<&'a Document>,
    category_usage: CategoryUsage,
}

impl Scope<'_> {
    /// Whether a content of our own is checked rather than a received document.
    const fn is_own(&self) -> bool {
        self.document.is_none()
    }

    /// Whether the country of the seller has national code lists: the Gulf states and Egypt.
    fn has_own_lists(&self) -> bool {
        self.seller_country
            .is_some_and(Country::omits_tax_number_prefix)
    }

    /// The rule for the net amount of a line of a received document. EN 16931 has none: Peppol BIS Billing and XRechnung have
    /// PEPPOL-EN16931-R120, Saudi Arabia has BR-KSA-EN16931-11.
    fn line_net_rule(&self) -> Option<&'static str> {
        if self.is_saudi() {
            return Some("BR-KSA-EN16931-11");
        }
        self.has_peppol_rules().then_some("PEPPOL-EN16931-R120")
    }

    /// The rule for an allowance or charge with an amount, a base and a percentage. For received documents as
    /// [`Self::line_net_rule`]; contents of our own follow it everywhere.
    fn percentage_rule(&self) -> Option<&'static str> {
        if !self.is_own() && self.is_saudi() {
            return Some("BR-KSA-EN16931-03");
        }
        (self.is_own() || self.has_peppol_rules()).then_some("PEPPOL-EN16931-R040")
    }

    /// The rules that a percentage has a base, and that a base has a percentage. For received documents as [`Self::line_net_rule`]; of
    /// contents of our own INV-AMOUNT-OR-PERCENT asks for both.
    fn percentage_parts_rules(&self) -> Option<(&'static str, &'static str)> {
        if self.is_own() {
            return None;
        }
        if self.is_saudi() {
            return Some(("BR-KSA-EN16931-04", "BR-KSA-EN16931-05"));
        }
        self.has_peppol_rules()
            .then_some(("PEPPOL-EN16931-R041", "PEPPOL-EN16931-R042"))
    }

    /// How far an amount of a received document may be from the computed one by the rules of Peppol. XRechnung admits half a forint.
    fn peppol_tolerance(&self) -> Decimal {
        let in_forint = self.document.is_some_and(|document| {
            document.content.currency == "HUF" && document.specification.contains(XRECHNUNG)
        });
        if in_forint {
            fields::FORINT_TOLERANCE
        } else {
            fields::PEPPOL_TOLERANCE
        }
    }

    /// The rule that the net price is the gross price less the discount, where there is a gross price. For whom as
    /// [`Self::percentage_rule`].
    fn net_price_rule(&self) -> Option<&'static str> {
        if self.is_saudi() {
            return Some("BR-KSA-EN16931-07");
        }
        (self.is_own() || self.has_peppol_rules()).then_some("PEPPOL-EN16931-R046")
    }

    /// The rule that the quantity of a price has the unit of the line. For whom as [`Self::percentage_rule`], but ZATCA has none.
    fn price_unit_rule(&self) -> Option<&'static str> {
        (self.is_own() || self.has_peppol_rules()).then_some("PEPPOL-EN16931-R130")
    }

    /// How far the tax of a row of the breakdown of a received document may be from its rate (BR-S-09, BR-CO-17). In Saudi Arabia it may
    /// be the sum of the taxes of the lines: the validator of ZATCA admits 0.01 for each line.
    fn tax_tolerance(&self) -> Decimal {
        if !self.is_saudi() {
            return fields::BREAKDOWN_TOLERANCE;
        }
        let lines = self
            .document
            .map_or(0, |document| document.content.lines.len());
        let tolerance = Decimal::from(lines).checked_mul(fields::SAUDI_TOLERANCE);
        tolerance.unwrap_or_default()
    }

    /// How far the taxable amount of such a row may be from the amounts in its category (BR-S-08, BR-AF-08, BR-AG-08). It is exact in
    /// Saudi Arabia, and in categories without tax.
    fn taxable_tolerance(&self, category: Category) -> Decimal {
        let has_rate = matches!(category.rate(), Rate::AboveZero | Rate::Any);
        if has_rate && !self.is_saudi() {
            fields::BREAKDOWN_TOLERANCE
        } else {
            Decimal::ZERO
        }
    }

    /// Whether what is outside the scope of tax stands on a document of its own (BR-O-11 to 14). ZATCA has no such rule.
    fn separates_outside_scope(&self) -> bool {
        !self.is_saudi()
    }

    fn has_peppol_rules(&self) -> bool {
        self.document.is_some_and(|document| {
            PEPPOL_RULES
                .iter()
                .any(|family| document.specification.contains(family))
        })
    }

    fn is_saudi(&self) -> bool {
        self.seller_country == Some(Country::SAUDI_ARABIA)
    }
}

/// Checks and computes the content of an invoice that the organization issues. Never panics.
#[must_use]
pub fn check(content: &Content, context: &CheckContext) -> CheckReport {
    let scope = Scope {
        today: context.today,
        seller_country: Some(context.seller_country),
        currency: Some(context.currency),
        document: None,
        category_usage: CategoryUsage::of_content(content),
    };
    let mut violations = Violations::new(true);
    schemes::check(&mut violations, content, None, &scope);
    let (calculation, invoice) = compute(content, &scope, &mut violations);
    if scope.is_saudi() {
        saudi::check_content(&mut violations, content, &calculation);
    }
    CheckReport {
        calculation,
        invoice: invoice.filter(|_| violations.is_empty()),
        violations: violations.into_vec(),
    }
}

/// Checks a received document and its declared amounts.
///
/// The rules of EN 16931 and of the seller's country apply. Totals are computed from the declared net amounts of the lines,
/// as BR-CO-10 requires.
#[must_use]
pub fn check_document(document: &Document, today: Date) -> CheckReport {
    let scope = Scope {
        today,
        seller_country: Country::parse(&document.seller.address.country),
        currency: None,
        document: Some(document),
        category_usage: CategoryUsage::of_content(&document.content),
    };
    let mut violations = Violations::new(false);
    received_document::check(&mut violations, document, &scope);
    let (content, seller) = (&document.content, Some(&document.seller));
    schemes::check(&mut violations, content, seller, &scope);
    let (calculation, invoice) = compute(content, &scope, &mut violations);
    totals::check_figures(&mut violations, document, &calculation, &scope);
    if scope.is_saudi() {
        saudi::check(&mut violations, document, &calculation);
    }
    CheckReport {
        calculation,
        invoice: invoice.filter(|_| violations.is_empty()),
        violations: violations.into_vec(),
    }
}

/// Computes a content and adds its violations.
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
