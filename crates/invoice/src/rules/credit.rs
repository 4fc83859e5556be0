//! A credit note beside what it corrects, which its content alone does not know.

use crate::violation::Violations;
use crate::{Kind, Money, Violation};

/// Checks that a credit note of this total (BT-112) gives back no more than the documents that it corrects came to.
///
/// Nothing is said of another kind of document, and nothing where the originals are not all in its currency.
#[must_use]
pub fn check_credit(kind: Kind, gross: Money, originals: &[Money]) -> Option<Violation> {
    if kind != Kind::CreditNote || originals.is_empty() {
        return None;
    }
    let zero = Money::zero(gross.currency());
    let most = originals.iter().try_fold(zero, |sum, one| sum.plus(*one))?;
    if gross.minor() <= most.minor() {
        return None;
    }
    let mut violations = Violations::new(true);
    violations
        .add(
            "lines",
            "INV-CREDIT-ABOVE-ORIGINAL",
            format!("gives back {gross}, and what it corrects came to {most}"),
        )
        .with("most", most.to_string())
        .with("computed", gross.to_string());
    violations.into_vec().pop()
}

/// Checks that credit notes of these totals together give back no more than the documents that they correct came to. `gross` is
/// the one that is to be added to `earlier`.
///
/// Nothing is said where not all are in one currency.
#[must_use]
pub fn check_credits(gross: Money, earlier: &[Money], originals: &[Money]) -> Option<Violation> {
    if earlier.is_empty() || originals.is_empty() {
        return None;
    }
    let zero = Money::zero(gross.currency());
    let sum = |amounts: &[Money]| amounts.iter().try_fold(zero, |sum, one| sum.plus(*one));
    let (most, given) = (sum(originals)?, sum(earlier)?);
    if given.plus(gross)?.minor() <= most.minor() {
        return None;
    }
    let mut violations = Violations::new(true);
    violations
        .add(
            "preceding",
            "INV-CREDITS-ABOVE-ORIGINAL",
            format!(
                "gives back {gross}, other notes {given}, and what they correct came to {most}"
            ),
        )
        .with("most", most.to_string())
        .with("earlier", given.to_string())
        .with("computed", gross.to_string());
    violations.into_vec().pop()
}
