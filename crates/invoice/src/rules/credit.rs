//! Checks credit notes against the totals of the documents that they correct, and those documents against the notes.

use crate::violation::Violations;
use crate::{Kind, Money, Violation};

/// Checks that the total (BT-112) of a credit note does not exceed the sum of the documents that it corrects.
///
/// `None` for other kinds of documents, and if the originals are not all in its currency.
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

/// Checks that credit notes together do not exceed the sum of the documents that they correct. `gross` is the total of the new
/// credit note, `earlier` are those of the earlier ones.
///
/// `None` if the totals are not all in one currency.
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

/// Checks that the tax authority has rejected none of the documents that a credit note corrects: a rejected one asks for nothing
/// until it is issued again, so that the note would take nothing off it (decision 0124).
#[must_use]
pub fn check_rejected(is_rejected: bool) -> Option<Violation> {
    violation_if(
        is_rejected,
        "preceding",
        "INV-ORIGINAL-REJECTED",
        "names a document that the tax authority has rejected, and that is not issued again yet",
    )
}

/// Checks that every document that a credit note corrects is issued: a draft asks for nothing, and is changed itself (decision 0120).
#[must_use]
pub fn check_original_draft(is_draft: bool) -> Option<Violation> {
    violation_if(
        is_draft,
        "preceding",
        "INV-ORIGINAL-DRAFT",
        "names a document that is not issued yet",
    )
}

/// Checks that a credit note corrects no credit note: it would take nothing off, and the buyer would be owed the amount twice. What is
/// to be paid again is invoiced again (decision 0120).
#[must_use]
pub fn check_original_kind(is_credit_note: bool) -> Option<Violation> {
    violation_if(
        is_credit_note,
        "preceding",
        "INV-ORIGINAL-KIND",
        "names a credit note, which no credit note corrects",
    )
}

/// Checks that a credit note is corrected by no credit note: what a note was written for may have become one since, while it was a
/// draft. The other side of [`check_original_kind`].
#[must_use]
pub fn check_corrected_kind(is_corrected: bool) -> Option<Violation> {
    violation_if(
        is_corrected,
        "kind",
        "INV-ORIGINAL-KIND",
        "is a credit note, and a numbered credit note corrects the document",
    )
}

/// Checks that the credit notes on a document are few enough to be added up (decision 0178).
#[must_use]
pub fn check_credit_count(is_above: bool) -> Option<Violation> {
    violation_if(
        is_above,
        "preceding",
        "INV-CREDIT-COUNT",
        "is about a document with more credit notes than are added up",
    )
}

/// Checks that documents which are numbered again after a rejection do not come to less than the credit notes on them. `originals`
/// are their totals (BT-112), `notes` those of the notes.
///
/// `None` if the totals are not all in one currency.
#[must_use]
pub fn check_corrected(originals: &[Money], notes: &[Money]) -> Option<Violation> {
    let zero = Money::zero(notes.first()?.currency());
    let sum = |amounts: &[Money]| amounts.iter().try_fold(zero, |sum, one| sum.plus(*one));
    let (asked, given) = (sum(originals)?, sum(notes)?);
    if given.minor() <= asked.minor() {
        return None;
    }
    let mut violations = Violations::new(true);
    violations
        .add(
            "lines",
            "INV-BELOW-CREDITS",
            format!("comes to {asked}, and the credit notes on it gave back {given}"),
        )
        .with("least", given.to_string())
        .with("computed", asked.to_string());
    violations.into_vec().pop()
}

/// The violation of a rule, if it is broken.
fn violation_if(
    is_broken: bool,
    path: &str,
    rule: &'static str,
    description: &str,
) -> Option<Violation> {
    let mut violations = Violations::new(true);
    if is_broken {
        violations.add(path, rule, description);
    }
    violations.into_vec().pop()
}
