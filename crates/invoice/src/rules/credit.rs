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
