//! A credit note beside the documents that it names by their keys.

use invoice::rules::{check_credit, check_credits};
use invoice::{Currency, Kind, Money, Violation, decimal};
use invoicing_contract::FieldViolation;
use invoicing_contract::messages::documents as wire;

use super::conditions::invoice;
use super::{Acting, DocumentError, Documents};
use invoicing_storage::documents::{CreditRelations, corrected_by_invoice, corrected_documents};

impl Documents {
    /// Refuses a completed credit note that gives back more than the documents which it corrects came to. `at` is its path in
    /// the request, with a point after it. Nothing is said where one of them is not known here.
    pub(super) async fn within_originals(
        &self,
        acting: &Acting<'_>,
        credit: &wire::Invoice,
        at: &str,
    ) -> Result<(), DocumentError> {
        let keys = corrected_by_invoice(credit);
        let mut originals = Vec::new();
        for key in keys {
            let original = self.store.document(acting.organization(), key).await?;
            let Some(gross) = original.as_ref().and_then(invoice).and_then(gross) else {
                return Ok(());
            };
            originals.push(gross);
        }
        let violation =
            gross(credit).and_then(|gross| check_credit(Kind::CreditNote, gross, &originals));
        let Some(violation) = violation else {
            return Ok(());
        };
        Err(DocumentError::InvalidInvoice(vec![FieldViolation::new(
            format!("{at}{}", violation.path),
            format!("{}: {}", violation.rule, violation.description),
        )]))
    }
}

/// What is wrong with giving a credit note its number, where other notes have given back some of what it corrects.
///
/// The notes that name nothing but its originals are held against these, and all that hang together by what they name against
/// all of that. Nothing is said where a document is not known here.
pub(super) fn above_originals(
    note: &wire::Document,
    relations: &CreditRelations,
) -> Option<Violation> {
    let gross = invoice(note).and_then(gross)?;
    let own = corrected_documents(note);
    let all = relations.originals.keys().copied().collect();
    [own, all].into_iter().find_map(|originals| {
        let came_to = originals
            .iter()
            .map(|key| relations.originals.get(key).copied().flatten())
            .collect::<Option<Vec<_>>>()?;
        let notes = relations.notes.values();
        let earlier: Vec<_> = notes
            .filter(|(_, names)| names.is_subset(&originals))
            .map(|(gross, _)| *gross)
            .collect();
        check_credits(gross, &earlier, &came_to)
    })
}

/// What a completed invoice came to.
fn gross(invoice: &wire::Invoice) -> Option<Money> {
    let currency = Currency::parse(&invoice.currency)?;
    let gross = &invoice.totals.as_ref()?.gross;
    Money::exact(decimal::parse(gross).ok()?, currency)
}
